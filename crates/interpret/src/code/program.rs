//! The interpreter: a module, numbered and decoded as far as all runs share it.
//!
//! One array contains a number for each instruction: of a type, a constant, a variable, a function, a block in its function or a value in
//! its function, depending on the op. Functions are decoded when they are first called.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::{Class, Function, Inst, Module, Op, view};
use spirv::{BuiltIn, StorageClass};

use crate::code::constant_address;
use crate::code::decode::decode;
use crate::code::instruction::{Code, Operand};
use crate::code::specialization::{self, built_in};
use crate::compute::{self, Operation};
use crate::fault::Fault;
use crate::types::{NO_TYPE, TypeContext, TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Descriptor, InstructionPlace, Pointer, Resource, Value, compute::composite};

const NO_NUMBER: u32 = u32::MAX;

/// Storage classes whose variables all lanes share.
const SHARED_STORAGE: [StorageClass; 8] = [
    StorageClass::UniformConstant,
    StorageClass::Uniform,
    StorageClass::CrossWorkgroup,
    StorageClass::PushConstant,
    StorageClass::AtomicCounter,
    StorageClass::Image,
    StorageClass::StorageBuffer,
    StorageClass::PhysicalStorageBuffer,
];

/// Descriptor sets and bindings of variables.
pub(crate) type Bindings = BTreeMap<Inst, (u32, u32)>;

/// Runs functions of one module, any number of times.
#[derive(Debug)]
pub struct Interpreter<'m> {
    pub(crate) module: &'m Module,
    numbers: Vec<u32>,
    pub(crate) types: TypeTable,
    pub(crate) constants: Vec<Result<Value, Fault>>,
    pub(crate) globals: Vec<Global>,
    functions: Vec<(Function, OnceLock<Code>)>,
    pub(crate) specialization: Vec<(u32, u64)>,
}

/// A variable at module level.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) variable: Inst,
    /// The type of its contents.
    pub(crate) ty: TypeId,
    pub(crate) sharing: Sharing,
    /// Its number among the objects of its owner.
    object: u32,
    pub(crate) initializer: Option<Inst>,
}

/// The lanes that share a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sharing {
    /// All lanes.
    All,
    /// The lanes of a work-group.
    Group,
    /// Each lane has its own.
    Lane,
}

impl Global {
    pub(crate) fn owner(&self, lane: usize) -> Owner {
        match self.sharing {
            Sharing::All => Owner::Shared,
            Sharing::Group => Owner::Group,
            Sharing::Lane => Owner::Lane(lane as u16),
        }
    }

    /// The number of copies of it for a work-group with that many lanes.
    pub(crate) fn owners(&self, lanes: usize) -> usize {
        if self.sharing == Sharing::Lane { lanes } else { 1 }
    }

    pub(crate) fn pointer(&self, lane: usize) -> Pointer {
        Pointer { owner: self.owner(lane), object: self.object, offset: 0 }
    }
}

impl<'m> Interpreter<'m> {
    /// Numbers everything and decodes types and constants. Linear in the module.
    ///
    /// Features that the interpreter cannot represent are an error only if a run uses them.
    pub fn new(module: &'m Module) -> Interpreter<'m> {
        Interpreter::specialized(module, &[])
    }

    /// The same, with values for specialization constants: their `SpecId`s and bits. Unknown ids are ignored.
    pub fn specialized(module: &'m Module, specialization: &[(u32, u64)]) -> Interpreter<'m> {
        let mut interpreter = Interpreter {
            module,
            numbers: vec![NO_NUMBER; module.capacity()],
            types: TypeTable::default(),
            constants: Vec::new(),
            globals: Vec::new(),
            functions: module.functions().map(|function| (function, OnceLock::new())).collect(),
            specialization: specialization.to_vec(),
        };
        for inst in module.ordered_globals() {
            interpreter.number_global(inst);
        }
        for index in 0..interpreter.globals.len() {
            let pointer = module.ty(interpreter.globals[index].variable);
            interpreter.globals[index].ty = pointer.and_then(|pointer| interpreter.pointee(pointer)).unwrap_or(NO_TYPE);
        }
        for (index, function) in module.functions().enumerate() {
            interpreter.numbers[function.index()] = index as u32;
            interpreter.number_body(function);
        }
        interpreter
    }

    fn number_global(&mut self, inst: Inst) {
        let op = self.module.op(inst);
        let number = match op.class() {
            Class::Type => self.add_type(inst),
            Class::Constant => self.add_constant(inst),
            _ if op == Op::Undef => self.add_constant(inst),
            _ if op == Op::Variable => self.add_variable(inst),
            _ => return,
        };
        self.numbers[inst.index()] = number;
    }

    fn add_type(&mut self, inst: Inst) -> u32 {
        let (module, numbers, constants) = (self.module, &self.numbers, &self.constants);
        let number =
            |inst: Inst| Some(numbers[inst.index()]).filter(|&number| number != NO_NUMBER && module.op(inst).is_type());
        let length = |inst: Inst| match constants.get(numbers[inst.index()] as usize) {
            Some(Ok(Value::Int { bits, .. })) if module.op(inst).is_constant() => Some(*bits),
            _ => None,
        };
        self.types.add(module, inst, &TypeContext { number: &number, length: &length })
    }

    fn add_constant(&mut self, inst: Inst) -> u32 {
        let value = self.evaluate_constant(inst);
        self.constants.push(value);
        (self.constants.len() - 1) as u32
    }

    fn add_variable(&mut self, inst: Inst) -> u32 {
        let variable = view::Variable::of(self.module, inst);
        let sharing = match variable.and_then(|variable| variable.storage_class) {
            Some(StorageClass::Workgroup) => Sharing::Group,
            Some(storage) if SHARED_STORAGE.contains(&storage) => Sharing::All,
            _ => Sharing::Lane,
        };
        let last = self.globals.iter().rev().find(|global| global.sharing == sharing);
        let object = last.map_or(0, |last| last.object + 1);
        let initializer = variable.and_then(|variable| variable.initializer);
        self.globals.push(Global { variable: inst, ty: NO_TYPE, sharing, object, initializer });
        (self.globals.len() - 1) as u32
    }

    fn evaluate_constant(&self, inst: Inst) -> Result<Value, Fault> {
        let module = self.module;
        let ty =
            module.ty(inst).and_then(|ty| self.ty(ty)).ok_or_else(|| Fault::malformed("a constant without a type"))?;
        match module.op(inst) {
            Op::Undef => Ok(Value::Undefined),
            Op::ConstantTrue => Ok(Value::Bool(true)),
            Op::ConstantFalse => Ok(Value::Bool(false)),
            Op::Constant => self.scalar_constant(inst, ty),
            Op::SpecConstantTrue => Ok(self.specialize(inst, Value::Bool(true))),
            Op::SpecConstantFalse => Ok(self.specialize(inst, Value::Bool(false))),
            Op::SpecConstant => Ok(self.specialize(inst, self.scalar_constant(inst, ty)?)),
            Op::ConstantNull => self.types.null(ty),
            Op::ConstantSampler => Ok(Value::Descriptor(Descriptor::new(Resource { variable: inst, index: 0 }))),
            Op::ConstantComposite | Op::SpecConstantComposite => self.composite_constant(inst, ty),
            Op::SpecConstantOp => self.constant_operation(inst, ty),
            op => Err(Fault::op(op)),
        }
    }

    fn specialize(&self, inst: Inst, default: Value) -> Value {
        match specialization::specialized(self.module, inst, &self.specialization) {
            Some(bits) => specialization::with_bits(&default, bits),
            None => default,
        }
    }

    fn scalar_constant(&self, inst: Inst, ty: TypeId) -> Result<Value, Fault> {
        let words = self.module.constant_words(inst).unwrap_or_default();
        let bits = words.iter().take(2).rev().fold(0u64, |bits, &word| bits << 32 | u64::from(word));
        match self.types.kind(ty) {
            _ if words.is_empty() => Err(Fault::malformed("a constant without a literal")),
            Some(&TypeKind::Int(width)) => Ok(Value::int(width, bits)),
            Some(&TypeKind::Float(width)) => Ok(Value::Float { width, bits: bits & crate::value::mask(width) }),
            Some(TypeKind::Other(op) | TypeKind::Descriptor(op)) => {
                Err(Fault::unsupported(format!("constants of this {}", op.name())))
            }
            _ => Err(Fault::malformed("a scalar constant that is not of a scalar type")),
        }
    }

    /// Compares only the types of the elements, since their values were checked before. A pointer matches any other pointer, since LLVM's
    /// SPIR-V back end (22) writes such tables of strings of different lengths.
    fn composite_constant(&self, inst: Inst, ty: TypeId) -> Result<Value, Fault> {
        let mut elements = Vec::with_capacity(self.module.operand_count(inst));
        for (index, part) in self.module.operands(inst).enumerate() {
            let expected = self.types.element(ty, index as u64).map(|(element, _)| element);
            if !self.is_element(expected, self.type_of(part)) {
                return Err(Fault::malformed("a composite constant with an element of another type"));
            }
            elements.push(self.constant_value(part)?);
        }
        match self.types.count(ty) == Some(elements.len() as u64) {
            true => Ok(Value::composite(elements)),
            false => Err(Fault::malformed("a composite constant that is not of its type")),
        }
    }

    fn is_element(&self, expected: Option<TypeId>, found: Option<TypeId>) -> bool {
        let is_pointer =
            |ty: Option<TypeId>| ty.is_some_and(|ty| matches!(self.types.kind(ty), Some(TypeKind::Pointer { .. })));
        expected.is_some() && expected == found || is_pointer(expected) && is_pointer(found)
    }

    fn constant_operation(&self, inst: Inst, ty: TypeId) -> Result<Value, Fault> {
        let module = self.module;
        let mut literals = Vec::new();
        let mut values = Vec::new();
        for operand in module.operands(inst) {
            match module.op(operand).is_literal() {
                true => literals.extend_from_slice(module.literal_words(operand)),
                false => values.push((operand, self.constant_value(operand)?)),
            }
        }
        let (&opcode, literals) = literals.split_first().ok_or_else(|| Fault::malformed("a constant without an op"))?;
        let op = u16::try_from(opcode).ok().and_then(Op::from_opcode);
        let op = op.ok_or_else(|| Fault::unsupported(format!("opcode {opcode} in a constant")))?;
        if let Some(pointer_type) = module.ty(inst)
            && let Some(address) = constant_address::evaluate(self, op, pointer_type, &values)?
        {
            return Ok(address);
        }
        let mut all = Vec::new();
        if op == Op::VectorShuffle {
            all.extend(values.first().and_then(|&(operand, _)| self.vector_length(operand)));
        }
        all.extend_from_slice(literals);
        let operands: Vec<&Value> = values.iter().map(|(_, value)| value).collect();
        compute::evaluate(&Operation { op, ty, literals: &all, types: &self.types }, &operands)
    }

    /// The value of a constant, or a pointer to a variable that has the same address for all lanes.
    pub(crate) fn constant_value(&self, inst: Inst) -> Result<Value, Fault> {
        match self.source_at_module_level(inst)? {
            Source::Constant(number) => self.constants[number as usize].clone(),
            Source::Global(number) if self.globals[number as usize].sharing != Sharing::Lane => {
                Ok(Value::Pointer(self.globals[number as usize].pointer(0)))
            }
            Source::Global(_) => Err(Fault::unsupported("constants with pointers to variables of one lane")),
        }
    }

    /// The operand for a constant or a module-level variable.
    pub(crate) fn operand_at_module_level(&self, inst: Inst) -> Result<Operand, Fault> {
        match self.source_at_module_level(inst)? {
            Source::Constant(number) => match &self.constants[number as usize] {
                Ok(_) => Ok(Operand::constant(number)),
                Err(fault) => Err(fault.clone()),
            },
            Source::Global(number) => Ok(Operand::global(number)),
        }
    }

    fn source_at_module_level(&self, inst: Inst) -> Result<Source, Fault> {
        let (op, number) = (self.module.op(inst), self.number(inst));
        match number {
            Some(number) if op.is_constant() || op == Op::Undef => Ok(Source::Constant(number)),
            Some(number) if op == Op::Variable => Ok(Source::Global(number)),
            _ => Err(Fault::unsupported(format!("{} as a value", op.name()))),
        }
    }

    fn number_body(&mut self, function: Function) {
        let (module, numbers) = (self.module, &mut self.numbers);
        let mut register = 0;
        let mut number = |inst: Inst, numbers: &mut Vec<u32>| {
            numbers[inst.index()] = register;
            register += 1;
        };
        module.parameters(function).for_each(|parameter| number(parameter.inst(), numbers));
        for (index, block) in module.blocks(function).enumerate() {
            numbers[block.index()] = index as u32;
            module.children(block).filter(|&inst| module.op(inst).has_type()).for_each(|inst| number(inst, numbers));
        }
    }

    /// The number of an instruction among those of its kind.
    pub(crate) fn number(&self, inst: Inst) -> Option<u32> {
        self.numbers.get(inst.index()).copied().filter(|&number| number != NO_NUMBER)
    }

    /// The number of a type.
    pub(crate) fn ty(&self, inst: Inst) -> Option<TypeId> {
        self.number(inst).filter(|_| self.module.op(inst).is_type())
    }

    /// The type of a value.
    pub(crate) fn type_of(&self, value: Inst) -> Option<TypeId> {
        self.module.ty(value).and_then(|ty| self.ty(ty))
    }

    /// The pointee type of a pointer type.
    pub(crate) fn pointee(&self, pointer_type: Inst) -> Option<TypeId> {
        match self.types.kind(self.ty(pointer_type)?)? {
            TypeKind::Pointer { pointee, .. } => self.ty(*pointee),
            _ => None,
        }
    }

    /// The variable of a shared object, and the type of its contents.
    pub(crate) fn shared_variable(&self, object: u32) -> Option<(TypeId, Inst)> {
        let is_it = |global: &&Global| global.sharing == Sharing::All && global.object == object;
        self.globals.iter().find(is_it).map(|global| (global.ty, global.variable))
    }

    /// The variables with a built-in decoration.
    pub(crate) fn built_in_variables(&self, wanted: BuiltIn) -> impl Iterator<Item = &Global> {
        let is_it = move |global: &&Global| built_in(self.module, global.variable) == Some(wanted);
        self.globals.iter().filter(is_it)
    }

    /// Descriptor sets and bindings of the variables that have both.
    pub(crate) fn bindings(&self) -> Bindings {
        let binding = |global: &Global| {
            let notes = self.module.decorated(global.variable);
            let (DescriptorSet(set), Binding(binding)) = (notes.find()?, notes.find()?);
            Some((global.variable, (set, binding)))
        };
        self.globals.iter().filter_map(binding).collect()
    }

    /// The number of components of a vector value.
    pub(crate) fn vector_length(&self, value: Inst) -> Option<u32> {
        self.type_of(value).and_then(|ty| composite::vector_length(&self.types, ty))
    }

    /// The place of an instruction in a function.
    pub(crate) fn place_of(&self, inst: Inst) -> InstructionPlace {
        let function = self.module.function_of(inst).expect("invariant: what was executed stands in a function");
        let block = self.module.block_of(inst).expect("invariant: what was executed stands in a block");
        InstructionPlace { function, block, inst }
    }

    /// The function of that number, decoded.
    pub(crate) fn code(&self, number: u32) -> &Code {
        let (function, code) = &self.functions[number as usize];
        code.get_or_init(|| decode(self, *function))
    }

    pub(crate) fn function_number(&self, function: Function) -> Option<u32> {
        self.number(function.inst()).filter(|_| self.module.op(function) == Op::Function)
    }
}

/// The operand for a module-level value.
enum Source {
    Constant(u32),
    Global(u32),
}
