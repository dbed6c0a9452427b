//! Memory that the shader has for itself: groupshared and private variables, tables, and what is done at their addresses.
//!
//! ```text
//! @g = addrspace(3) global [64 x i32] undef               variable Workgroup: array of 64 u32
//! %p = getelementptr [64 x i32], … @g, i32 0, i32 %i  ⇒   access_chain @g, %i
//! load i32, … %p                                          load
//! ```
//!
//! An address is a variable and a list of indices, and becomes an instruction only where something accesses it. The same place may be seen as
//! another type of the same shape whose numbers are as wide: `[64 x float]` as `[64 x i32]`. What is read or written then changes its type.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use smallvec::SmallVec;
use spirv::{Capability, GlslStd450Op, MemoryAccess, Scope, StorageClass};

use super::Shader;
use super::function::{Body, Translated};
use super::numbers::Kind;
use crate::error::{AssumptionCode, Code, at_bit, unsupported};
use crate::module::{
    AtomicOp, CastOp, Constant, GlobalId, GlobalVariable, Instruction, MAX_TYPE_DEPTH, Type, TypeId, ValueId, ValueKind,
};

/// The address space of groupshared variables.
const GROUPSHARED: u32 = 3;

/// An address.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    base: Base,
    /// From the variable to the place.
    indices: SmallVec<[Index; 2]>,
    /// The type at the place.
    real: TypeId,
    /// The type that the address says.
    seen: TypeId,
}

/// The start of an address.
#[derive(Clone, Copy, Debug)]
enum Base {
    /// A variable or parameter.
    Variable { inst: Inst, class: StorageClass },
    /// A variable whose contents never change, which exists only if an index is no constant.
    Table(GlobalId),
}

/// An index into an array, vector or struct.
#[derive(Clone, Copy, Debug)]
struct Index {
    value: Inst,
    known: Option<u64>,
    is_member: bool,
    /// The number of elements; none of a struct.
    length: Option<u64>,
}

impl Pointer {
    /// The address that a parameter of a function is.
    pub(super) fn to_parameter(parameter: Inst, pointee: TypeId) -> Pointer {
        let base = Base::Variable { inst: parameter, class: StorageClass::Function };
        Pointer { base, indices: SmallVec::new(), real: pointee, seen: pointee }
    }
}

impl Shader<'_> {
    /// The type of memory that has a type of DXIL.
    pub(super) fn memory_type(&mut self, ty: TypeId, offset: u64) -> Result<Inst, Diagnostic> {
        self.memory_type_in(ty, offset, 0)
    }

    /// The depth is limited, so the recursion is too.
    fn memory_type_in(&mut self, ty: TypeId, offset: u64, depth: u32) -> Result<Inst, Diagnostic> {
        if let Some(&known) = self.memory_types.get(&ty) {
            return Ok(known);
        }
        if depth > MAX_TYPE_DEPTH {
            let message = format!("expected types that nest at most {MAX_TYPE_DEPTH} deep");
            return Err(at_bit(Code::Limit, offset, message));
        }
        let dxil = self.dxil;
        let memory_type = match &dxil.types[ty] {
            Type::Array { element, length } => {
                let Some(length) = u32::try_from(*length).ok().filter(|&length| length > 0) else {
                    return Err(unsupported(offset, format!("arrays of {length} elements are not supported")));
                };
                let element = self.memory_type_in(*element, offset, depth + 1)?;
                self.array_type(element, length, None)
            }
            Type::Struct { members: Some(members), .. } => {
                let members = members.iter().map(|&member| self.memory_type_in(member, offset, depth + 1));
                let members = members.collect::<Result<Vec<_>, _>>()?;
                self.build.editor().append_global(Op::TypeStruct, None, &members)
            }
            _ => self.value_type(ty, offset)?,
        };
        self.memory_types.insert(ty, memory_type);
        Ok(memory_type)
    }
}

/// Variables.
impl Body<'_, '_> {
    pub(super) fn global_pointer(&mut self, id: GlobalId) -> Result<Pointer, Diagnostic> {
        let global = &self.shader.dxil.globals[id.index()];
        let base = match global.is_constant && global.initializer.is_some() {
            true => Base::Table(id),
            false => self.global_variable(id)?,
        };
        Ok(Pointer { base, indices: SmallVec::new(), real: global.ty, seen: global.ty })
    }

    fn global_variable(&mut self, id: GlobalId) -> Result<Base, Diagnostic> {
        let dxil = self.shader.dxil;
        let global = &dxil.globals[id.index()];
        let class = match global.address_space {
            GROUPSHARED => StorageClass::Workgroup,
            _ => StorageClass::Private,
        };
        if let Some(inst) = self.shader.globals[id.index()] {
            return Ok(Base::Variable { inst, class });
        }
        if global.initializer.is_none() && class != StorageClass::Workgroup {
            let name = dxil.values[global.value.index()].name.as_deref().unwrap_or_default();
            return Err(unsupported(global.offset, format!("variables of other modules are not supported: {name}")));
        }
        let is_undefined = |&value: &ValueId| matches!(dxil.constant(self.function, value), Some(Constant::Undef));
        let initializer = global.initializer.filter(|value| !is_undefined(value));
        if class == StorageClass::Workgroup && initializer.is_some() {
            return Err(unsupported(global.offset, "groupshared variables with an initial value are not supported"));
        }
        let memory_type = self.shader.memory_type(global.ty, global.offset)?;
        let initial = initializer.map(|initializer| self.initial_value(initializer)).transpose()?;
        let pointer = self.shader.pointer_type(class, memory_type);
        let mut operands = vec![self.shader.build.enumerant(class)];
        operands.extend(initial);
        let inst = self.shader.build.editor().append_global(Op::Variable, Some(pointer), &operands);
        if let Some(name) = source_name(dxil, global) {
            self.shader.set_name(inst, name);
        }
        self.shader.globals[id.index()] = Some(inst);
        Ok(Base::Variable { inst, class })
    }

    /// The constant that a variable begins with. Constants nest a limited depth, so the recursion is limited too.
    fn initial_value(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        if let Some(&known) = self.shader.initial_values.get(&value) {
            return Ok(known);
        }
        let dxil = self.shader.dxil;
        let ty = dxil.value(self.function, value).ty;
        let is_composite = matches!(dxil.types[ty], Type::Array { .. } | Type::Struct { .. });
        let initial = match dxil.constant(self.function, value) {
            Some(constant) if is_composite => {
                let memory_type = self.shader.memory_type(ty, self.offset)?;
                match constant {
                    Constant::Null => self.shader.null(memory_type),
                    Constant::Undef => self.shader.undef(memory_type),
                    Constant::Aggregate(members) => {
                        let members = members.iter().map(|&member| self.initial_value(member));
                        let members = members.collect::<Result<Vec<_>, _>>()?;
                        self.shader.build.emit(Op::ConstantComposite, Some(memory_type), &members)
                    }
                    Constant::Data(elements) => {
                        let element = dxil.types.member(ty, 0).and_then(|element| self.shader.number(element));
                        let Some(number) = element else {
                            return Err(self.unsupported("tables of other values than numbers are not supported"));
                        };
                        let elements: Vec<Inst> =
                            elements.iter().map(|&bits| self.shader.constant(number, bits)).collect();
                        self.shader.build.emit(Op::ConstantComposite, Some(memory_type), &elements)
                    }
                    _ => return Err(self.unsupported("constants of this form are not supported")),
                }
            }
            _ => self.value(value)?,
        };
        self.shader.initial_values.insert(value, initial);
        Ok(initial)
    }

    pub(super) fn alloca(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        count: ValueId,
    ) -> Result<Translated, Diagnostic> {
        if self.known_integer(count) != Some(1) {
            return Err(self.unsupported("variables with a number of elements that is not 1 are not supported"));
        }
        if self.shader.is_handle_type(ty) {
            return Err(self.unsupported("variables that contain resources are not supported"));
        }
        let memory_type = self.shader.memory_type(ty, self.offset)?;
        let inst = self.local_variable(memory_type);
        let result = instruction.result.expect("invariant: a variable has an address");
        if let Some(name) = self.shader.dxil.value(self.function, result).name.as_deref() {
            self.shader.set_name(inst, name);
        }
        let base = Base::Variable { inst, class: StorageClass::Function };
        Ok(Translated::Pointer(Pointer { base, indices: SmallVec::new(), real: ty, seen: ty }))
    }
}

/// Addresses.
impl Body<'_, '_> {
    pub(super) fn pointer(&mut self, value: ValueId) -> Result<Pointer, Diagnostic> {
        match self.translated(value)? {
            Translated::Pointer(pointer) => Ok(pointer),
            _ => Err(self.unsupported("addresses of this form are not supported")),
        }
    }

    /// An address that is a constant.
    pub(super) fn constant_pointer(&mut self, ty: TypeId, constant: &Constant) -> Result<Pointer, Diagnostic> {
        match constant {
            Constant::ElementPointer { source, base, indices, .. } => self.element_pointer(*source, *base, indices),
            Constant::Cast { op: CastOp::BitCast, value } => self.cast_pointer(*value, ty),
            _ => Err(self.unsupported("constants that are conversions are not supported")),
        }
    }

    /// The same address, seen as one of another type.
    pub(super) fn cast_pointer(&mut self, value: ValueId, ty: TypeId) -> Result<Pointer, Diagnostic> {
        let Some(seen) = self.shader.dxil.types.pointee(ty) else {
            return Err(self.unsupported("addresses as numbers are not supported"));
        };
        Ok(Pointer { seen, ..self.pointer(value)? })
    }

    pub(super) fn element_pointer(
        &mut self,
        source: TypeId,
        base: ValueId,
        indices: &[ValueId],
    ) -> Result<Pointer, Diagnostic> {
        let mut pointer = self.pointer(base)?;
        pointer.seen = source;
        let Some((&first, rest)) = indices.split_first() else { return Ok(pointer) };
        if self.known_integer(first) != Some(0) {
            self.advance(&mut pointer, first)?;
        }
        for &index in rest {
            self.descend(&mut pointer, index)?;
        }
        Ok(pointer)
    }

    /// Advances an address by this number of elements in the array that it points into.
    fn advance(&mut self, pointer: &mut Pointer, by: ValueId) -> Result<(), Diagnostic> {
        let is_element = pointer.indices.last().is_some_and(|last| !last.is_member);
        if !is_element || !self.has_same_shape(pointer) {
            return Err(self.unsupported("addresses beside a variable are not supported"));
        }
        let (value, known) = (self.index(by)?, self.known_integer(by));
        let last = *pointer.indices.last().expect("invariant: it was there");
        let known = last.known.zip(known).map(|(last, by)| last.wrapping_add(by) & 0xffff_ffff);
        let u32_type = self.shader.int_type(32);
        let value = match known {
            Some(known) => self.shader.u32(known as u32),
            None => self.emit(Op::IAdd, u32_type, &[last.value, value]),
        };
        *pointer.indices.last_mut().expect("invariant: it was there") = Index { value, known, ..last };
        Ok(())
    }

    /// Goes to a member or an element.
    fn descend(&mut self, pointer: &mut Pointer, index: ValueId) -> Result<(), Diagnostic> {
        let dxil = self.shader.dxil;
        let known = self.known_integer(index);
        let member = |ty: TypeId| match (&dxil.types[ty], known) {
            (Type::Struct { .. }, Some(known)) => dxil.types.member(ty, known),
            (Type::Array { element, .. } | Type::Vector { element, .. }, _) => Some(*element),
            _ => None,
        };
        let is_struct = |ty: TypeId| matches!(dxil.types[ty], Type::Struct { .. });
        let (Some(seen), Some(real)) = (member(pointer.seen), member(pointer.real)) else {
            return Err(
                self.unsupported("addresses in a variable that is seen as one of another shape are not supported")
            );
        };
        let is_member = is_struct(pointer.real);
        if is_member != is_struct(pointer.seen) {
            return Err(
                self.unsupported("addresses in a variable that is seen as one of another shape are not supported")
            );
        }
        let length = match dxil.types[pointer.real] {
            Type::Array { length, .. } => Some(length),
            Type::Vector { length, .. } => Some(length.into()),
            _ => None,
        };
        let value = self.index(index)?;
        pointer.indices.push(Index { value, known, is_member, length });
        (pointer.seen, pointer.real) = (seen, real);
        Ok(())
    }

    /// An index of 32 bits.
    fn index(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        if let Some(known) = self.known_integer(value) {
            return Ok(self.shader.u32(known as u32));
        }
        let number = self.number_of(value)?;
        if !number.is_int() || self.is_vector(self.type_of(value)) {
            return Err(self.unsupported("indices that are no integers are not supported"));
        }
        let index = self.signed(value)?;
        let u32_type = self.shader.int_type(32);
        Ok(match number.represented {
            32 => index,
            _ => self.emit(Op::SConvert, u32_type, &[index]),
        })
    }

    /// Returns whether both types at a place have numbers of one width.
    fn has_same_shape(&self, pointer: &Pointer) -> bool {
        let (real, seen) = (self.shader.number(pointer.real), self.shader.number(pointer.seen));
        let length = |ty| self.shader.dxil.types.vector_length(ty);
        pointer.real == pointer.seen
            || real.zip(seen).is_some_and(|(real, seen)| {
                real.width == seen.width && real.represented == seen.represented && !real.is_wider()
            }) && length(pointer.real) == length(pointer.seen)
    }

    /// The instruction that an address is, and its storage class.
    fn address(&mut self, pointer: &Pointer) -> Result<(Inst, StorageClass), Diagnostic> {
        if !self.has_same_shape(pointer) {
            let (real, seen) = (self.shader.type_name(pointer.real), self.shader.type_name(pointer.seen));
            return Err(self.unsupported(format!("accesses to {real} as {seen} are not supported")));
        }
        let base = match pointer.base {
            Base::Table(global) => self.global_variable(global)?,
            base => base,
        };
        let Base::Variable { inst, class } = base else { unreachable!("invariant: a table has a variable now") };
        if pointer.indices.is_empty() {
            return Ok((inst, class));
        }
        let pointee = self.shader.memory_type(pointer.real, self.offset)?;
        let ty = self.shader.pointer_type(class, pointee);
        let mut operands = vec![inst];
        for &index in &pointer.indices {
            operands.push(self.inside(index));
        }
        Ok((self.emit(Op::AccessChain, ty, &operands), class))
    }

    /// An index that stays inside, if accesses are to be robust. In HLSL both sides of `i >= n ? a[i - n] : 0` are evaluated: Direct3D defines
    /// such a read, and SPIR-V does not.
    fn inside(&mut self, index: Index) -> Inst {
        let Some(last) = index.length.and_then(|length| length.checked_sub(1)) else { return index.value };
        if index.known.is_some_and(|known| known <= last) {
            return index.value;
        }
        if !self.shader.options.is_robust {
            let message = "indices into arrays of the shader are inside, also where the element is not used";
            self.shader.assume(AssumptionCode::ArrayBounds, message);
            return index.value;
        }
        let (u32_type, last) = (self.shader.int_type(32), self.shader.u32(last as u32));
        self.extended(GlslStd450Op::UMin, u32_type, &[index.value, last])
    }

    /// The constant at a place of a table, if all indices are constants.
    fn known_value(&self, pointer: &Pointer) -> Option<Known> {
        let Base::Table(global) = pointer.base else { return None };
        let dxil = self.shader.dxil;
        let mut value = dxil.globals[global.index()].initializer?;
        for (depth, index) in pointer.indices.iter().enumerate() {
            let known = index.known?;
            match dxil.constant(self.function, value)? {
                Constant::Null => return Some(Known::Bits(0)),
                Constant::Aggregate(members) => value = *members.get(usize::try_from(known).ok()?)?,
                Constant::Data(elements) if depth + 1 == pointer.indices.len() => {
                    return elements.get(usize::try_from(known).ok()?).map(|&bits| Known::Bits(bits));
                }
                _ => return None,
            }
        }
        Some(Known::Value(value))
    }
}

/// The known content of a table at a position.
enum Known {
    Bits(u64),
    Value(ValueId),
}

/// Accesses.
impl Body<'_, '_> {
    pub(super) fn load(
        &mut self,
        ty: TypeId,
        pointer: ValueId,
        access: MemoryAccess,
    ) -> Result<Translated, Diagnostic> {
        if self.shader.is_handle_type(ty) {
            return Err(self.unsupported("variables that contain resources are not supported"));
        }
        let pointer = self.pointer(pointer)?;
        if pointer.real == ty
            && let Some(number) = self.shader.number(ty)
            && !self.is_vector(ty)
        {
            match self.known_value(&pointer) {
                Some(Known::Bits(bits)) => return Ok(Translated::Value(self.shader.constant(number, bits))),
                Some(Known::Value(value)) => return self.translated(value),
                None => {}
            }
        }
        let value_type = self.shader.value_type(pointer.real, self.offset)?;
        let mut operands = vec![self.address(&pointer)?.0];
        if !access.is_empty() {
            operands.push(self.shader.build.enumerant(access));
        }
        let loaded = self.emit(Op::Load, value_type, &operands);
        self.relax(loaded, pointer.real);
        Ok(Translated::Value(self.seen_as(loaded, pointer.real, ty)?))
    }

    pub(super) fn store(
        &mut self,
        pointer: ValueId,
        value: ValueId,
        access: MemoryAccess,
    ) -> Result<Translated, Diagnostic> {
        let pointer = self.pointer(pointer)?;
        let (ty, inst) = (self.type_of(value), self.value(value)?);
        let (address, _) = self.address(&pointer)?;
        let inst = self.seen_as(inst, ty, pointer.real)?;
        let mut operands = vec![address, inst];
        if !access.is_empty() {
            operands.push(self.shader.build.enumerant(access));
        }
        self.effect(Op::Store, &operands);
        Ok(Translated::Nothing)
    }

    pub(super) fn is_vector(&self, ty: TypeId) -> bool {
        self.shader.dxil.types.vector_length(ty).is_some()
    }

    /// A value with the bits of another type of the same shape.
    fn seen_as(&mut self, value: Inst, from: TypeId, to: TypeId) -> Result<Inst, Diagnostic> {
        if from == to {
            return Ok(value);
        }
        let number = |ty| self.shader.number(ty).filter(|number| number.kind != Kind::Bool && !number.is_wider());
        match (number(from), number(to)) {
            (Some(from), Some(to)) if from.width == to.width => {}
            _ => {
                let (from, to) = (self.shader.type_name(from), self.shader.type_name(to));
                return Err(self.unsupported(format!("accesses to {from} as {to} are not supported")));
            }
        }
        let ty = self.shader.value_type(to, self.offset)?;
        Ok(if self.shader.build.module().ty(value) == Some(ty) { value } else { self.emit(Op::Bitcast, ty, &[value]) })
    }

    pub(super) fn atomic(&mut self, op: AtomicOp, pointer: ValueId, value: ValueId) -> Result<Translated, Diagnostic> {
        let op = match op {
            AtomicOp::Exchange => Op::AtomicExchange,
            AtomicOp::Add => Op::AtomicIAdd,
            AtomicOp::Sub => Op::AtomicISub,
            AtomicOp::And => Op::AtomicAnd,
            AtomicOp::Or => Op::AtomicOr,
            AtomicOp::Xor => Op::AtomicXor,
            AtomicOp::Max => Op::AtomicSMax,
            AtomicOp::Min => Op::AtomicSMin,
            AtomicOp::UMax => Op::AtomicUMax,
            AtomicOp::UMin => Op::AtomicUMin,
            AtomicOp::Nand => return Err(self.unsupported("atomicrmw nand is not supported")),
        };
        let (address, ty) = self.atomic_address(pointer)?;
        let value = self.value(value)?;
        let (scope, semantics) = self.atomic_order(Scope::Workgroup);
        Ok(Translated::Value(self.emit(op, ty, &[address, scope, semantics, value])))
    }

    pub(super) fn compare_exchange(
        &mut self,
        pointer: ValueId,
        expected: ValueId,
        value: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let (address, ty) = self.atomic_address(pointer)?;
        let (expected, value) = (self.value(expected)?, self.value(value)?);
        let (scope, semantics) = self.atomic_order(Scope::Workgroup);
        let operands = [address, scope, semantics, semantics, value, expected];
        let old = self.emit(Op::AtomicCompareExchange, ty, &operands);
        let bool_type = self.shader.build.bool_type();
        let is_equal = self.emit(Op::IEqual, bool_type, &[old, expected]);
        Ok(Translated::members(&[old, is_equal]))
    }

    /// The scope of an atomic operation, and its semantics: no order beyond that of its own address.
    pub(super) fn atomic_order(&mut self, scope: Scope) -> (Inst, Inst) {
        (self.shader.u32(scope as u32), self.shader.u32(0))
    }

    fn atomic_address(&mut self, pointer: ValueId) -> Result<(Inst, Inst), Diagnostic> {
        let pointer = self.pointer(pointer)?;
        let number = self.shader.number(pointer.real).filter(|number| number.is_int() && pointer.real == pointer.seen);
        let Some(number) = number.filter(|number| number.width >= 32) else {
            return Err(self.unsupported("atomic operations on other variables than integers are not supported"));
        };
        let (address, class) = self.address(&pointer)?;
        if class != StorageClass::Workgroup {
            return Err(self.unsupported("atomic operations on private variables are not supported"));
        }
        if number.width == 64 {
            self.shader.need(Capability::Int64Atomics);
        }
        Ok((address, self.shader.number_type(number)))
    }

    /// An argument that is an address: the variable itself, or a copy that goes back after the call.
    pub(super) fn pointer_argument(&mut self, value: ValueId) -> Result<PointerArgument, Diagnostic> {
        let pointer = self.pointer(value)?;
        let (original, class) = self.address(&pointer)?;
        if pointer.real != pointer.seen {
            return Err(self.unsupported("arguments that are addresses of another type are not supported"));
        }
        if class == StorageClass::Function && pointer.indices.is_empty() {
            return Ok(PointerArgument { argument: original, copied: None });
        }
        let memory_type = self.shader.memory_type(pointer.real, self.offset)?;
        let copy = self.local_variable(memory_type);
        let contents = self.emit(Op::Load, memory_type, &[original]);
        self.effect(Op::Store, &[copy, contents]);
        Ok(PointerArgument { argument: copy, copied: Some(Copied { original, memory_type }) })
    }

    /// Writes back what a call left in the copy of an argument.
    pub(super) fn write_back(&mut self, argument: &PointerArgument) {
        if let Some(copied) = argument.copied {
            let contents = self.emit(Op::Load, copied.memory_type, &[argument.argument]);
            self.effect(Op::Store, &[copied.original, contents]);
        }
    }
}

/// An argument that is an address.
pub(super) struct PointerArgument {
    pub(super) argument: Inst,
    copied: Option<Copied>,
}

#[derive(Clone, Copy)]
struct Copied {
    original: Inst,
    memory_type: Inst,
}

/// The name of a variable in the source: `shared` of `\x01?shared@@3PAIA`.
fn source_name<'m>(module: &'m crate::Module, global: &GlobalVariable) -> Option<&'m str> {
    debug_assert!(matches!(module.values[global.value.index()].kind, ValueKind::Global(_)));
    let name = module.values[global.value.index()].name.as_deref()?;
    let name = name.trim_start_matches('\u{1}').trim_start_matches('?');
    Some(name.split('@').next().unwrap_or(name)).filter(|name| !name.is_empty())
}

/// Returns whether an instruction does nothing in the shader: it marks the lifetime of a variable, or informs a debugger.
pub(super) fn is_marker(name: &str) -> bool {
    name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.") || name.starts_with("llvm.invariant.")
}
