//! Casts and comparisons of pointers, and values that contain pointers.
//!
//! ```text
//! bitcast, ptr_cast_to_generic, …      the same place
//! convert_ptr_to_u %p            ⇒     the address, or the byte offset in 64 bits
//! ptr_equal %p, %q                     i_equal of addresses or offsets
//! ptr_diff %p, %q                      i_sub, and a division by the size of what they point to
//! struct { %ptr, u32 } as a value      struct { u64, u32 }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op, Slot, view};
use spirv::MemorySemantics;

use super::chain::integer_constant;
use super::lowering::{Form, Lowering, PointerTarget, Spot};
use super::points_to::Memory;
use super::space::{Carries, operand_of, parts, space_of, space_of_type};
use crate::error;

impl Lowering<'_> {
    /// A cast from a pointer, to a pointer, or both.
    pub(super) fn lower_conversion(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(operand) = operand_of(self.module, inst) else { return Ok(()) };
        let ty = self.module.ty(inst).expect("invariant: a cast has a type");
        let (from, to) = (space_of(self.module, operand), space_of(self.module, inst));
        if let (Some(_), None) = (from, to) {
            let bits = match self.spot(operand)? {
                Some(spot) if self.points_to.is_bound(spot.class) && !self.is_position(inst, spot.class) => {
                    return Err(self.unsupported("a cast of a pointer to an integer, with bindings for pointers"));
                }
                Some(spot) => self.pointer_bits(spot),
                None => {
                    let wide = self.uint(8);
                    self.constant(wide, 0)
                }
            };
            let is_narrow = self.module.op(ty) == Op::TypeInt && self.width_of(inst) != 64;
            let value = if is_narrow { self.unary(Op::UConvert, ty, bits) } else { self.bitcast(ty, bits) };
            self.points_to.pass_on(inst, value);
            self.replace(inst, value);
            return Ok(());
        }
        let Some((class, _)) = self.lowered_class(inst) else { return Ok(()) };
        let place = match from {
            Some(_) => self.place(operand)?,
            None if self.points_to.is_bound(class) && self.is_only_tested(inst) => PointerTarget::default(),
            None if self.points_to.is_bound(class) && !self.is_zero(operand) && !self.points_to.is_pointer(operand) => {
                return Err(self.unsupported("a cast of an integer to a pointer, with bindings for pointers"));
            }
            None => {
                let is_integer = self.module.ty(operand).is_some_and(|ty| self.module.op(ty) == Op::TypeInt);
                let wide = self.uint(8);
                let bits = if is_integer { operand } else { self.bitcast(wide, operand) };
                self.place_of_bits(class, bits)
            }
        };
        self.places.insert(inst, place);
        self.retire(inst);
        Ok(())
    }

    /// A cast from Generic that returns null if the pointer points elsewhere.
    pub(super) fn lower_explicit_cast(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::GenericCastToPtrExplicit { operand, .. }) =
            view::GenericCastToPtrExplicit::of(self.module, inst)
        else {
            return Ok(());
        };
        let fits = self.points_to.class(operand) == self.points_to.class(inst);
        let place = if fits { self.place(operand)? } else { PointerTarget::default() };
        self.places.insert(inst, place);
        self.retire(inst);
        Ok(())
    }

    /// The memory semantics of the target of a Generic pointer.
    pub(super) fn lower_semantics(&mut self, inst: Inst) {
        let pointer = view::GenericPtrMemSemantics::of(self.module, inst).map(|asked| asked.pointer);
        let class = pointer.and_then(|pointer| self.points_to.class(pointer));
        let semantics = match class.map(|class| self.points_to.memory(class)) {
            Some(Memory::Workgroup) => MemorySemantics::WORKGROUP_MEMORY,
            Some(Memory::Outside | Memory::Bindings) => MemorySemantics::CROSS_WORKGROUP_MEMORY,
            _ => MemorySemantics::empty(),
        };
        let ty = self.module.ty(inst).expect("invariant: memory semantics have a type");
        let value = self.constant(ty, i64::from(semantics.bits()));
        self.replace(inst, value);
    }

    /// The size of the pointee.
    pub(super) fn lower_size(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::SizeOf { pointer }) = view::SizeOf::of(self.module, inst) else { return Ok(()) };
        if space_of(self.module, pointer).is_none() {
            return Ok(());
        }
        let pointee = self.module.pointee(pointer).expect("invariant: a pointer points to something");
        let size = self.layouts.of(self.module, pointee).map_err(|error| self.unsupported(error.to_string()))?.size;
        let ty = self.module.ty(inst).expect("invariant: a size has a type");
        let value = self.constant(ty, size.cast_signed());
        self.replace(inst, value);
        Ok(())
    }

    /// A select of pointers.
    pub(super) fn lower_select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some((class, _)) = self.lowered_class(inst) else { return Ok(()) };
        let Some(select) = view::Select::of(self.module, inst) else { return Ok(()) };
        let first = Spot { class, place: self.place(select.true_value)? };
        let second = Spot { class, place: self.place(select.false_value)? };
        let (first, second) = (self.value(first), self.value(second));
        let ty = self.value_type(class);
        let chosen = self.emit(Op::Select, ty, &[select.condition, first, second]);
        self.places.insert(inst, PointerTarget { base: Some(chosen), offset: 0 });
        self.retire(inst);
        Ok(())
    }

    /// `ptr_equal` and `ptr_not_equal`.
    pub(super) fn lower_comparison(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Binary { left: a, right: b }) = view::Binary::of(self.module, inst) else { return Ok(()) };
        if space_of(self.module, a).is_none() {
            return Ok(());
        }
        let ty = self.module.ty(inst).expect("invariant: a comparison has a type");
        let is_equal = self.module.op(inst) == Op::PtrEqual;
        let op = if is_equal { Op::IEqual } else { Op::INotEqual };
        if let Some(value) = self.tested_integer(inst, op) {
            self.replace(inst, value);
            return Ok(());
        }
        let value = match (self.lowered_class(a), self.lowered_class(b)) {
            (Some((first, _)), Some((second, _))) if first != second => {
                let (first, second) = (self.compared_to_null(a, op, ty)?, self.compared_to_null(b, op, ty)?);
                let both = if is_equal { Op::LogicalAnd } else { Op::LogicalOr };
                self.emit(both, ty, &[first, second])
            }
            (Some((class, _)), _) | (None, Some((class, _))) => {
                let (a, b) = (self.place(a)?, self.place(b)?);
                let (a, b) = (self.value(Spot { class, place: a }), self.value(Spot { class, place: b }));
                self.emit(op, ty, &[a, b])
            }
            (None, None) => Builder::new(self.module).constant_bool(is_equal),
        };
        self.replace(inst, value);
        Ok(())
    }

    fn compared_to_null(&mut self, pointer: Inst, op: Op, ty: Inst) -> Result<Inst, Diagnostic> {
        let spot = self.spot(pointer)?.expect("invariant: the pointer has a class that is lowered");
        let value = self.value(spot);
        let null = self.value(Spot { place: PointerTarget::default(), ..spot });
        Ok(self.emit(op, ty, &[value, null]))
    }

    /// `ptr_diff`: the difference as a number of elements.
    pub(super) fn lower_difference(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Binary { left: a, right: b }) = view::Binary::of(self.module, inst) else { return Ok(()) };
        let Some((class, form)) = self.lowered_class(a).or_else(|| self.lowered_class(b)) else { return Ok(()) };
        let element = self.module.pointee(a).expect("invariant: a pointer points to something");
        let layout = self.layouts.of(self.module, element).map_err(|error| self.unsupported(error.to_string()))?;
        let ty = self.module.ty(inst).expect("invariant: a difference has a type");
        let (a, b) = (self.place(a)?, self.place(b)?);
        let (a, b) = (self.value(Spot { class, place: a }), self.value(Spot { class, place: b }));
        let mut difference = self.binary(Op::ISub, a, b);
        let (mut unit, mut size) = (u64::from(self.unit(class)), layout.size.max(1));
        let common = 1 << unit.trailing_zeros().min(size.trailing_zeros());
        (unit, size) = (unit / common, size / common);
        if form == Form::Cells && self.width_of(inst) == 64 {
            difference = self.unary(Op::SConvert, ty, difference);
        }
        difference = self.multiplied(difference, unit);
        let own = self.module.ty(difference).expect("invariant: a difference has a type");
        if size > 1 && size.is_power_of_two() {
            let amount = self.constant(own, i64::from(size.trailing_zeros()));
            difference = self.emit(Op::ShiftRightArithmetic, own, &[difference, amount]);
        } else if size > 1 {
            let size = self.constant(own, size.cast_signed());
            difference = self.emit(Op::SDiv, own, &[difference, size]);
        }
        if own != ty {
            difference = self.unary(Op::SConvert, ty, difference);
        }
        self.replace(inst, difference);
        Ok(())
    }

    /// Composite instructions: pointers in the composite are their bits.
    pub(super) fn lower_composite(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        if op == Op::CompositeExtract {
            let Some((class, _)) = self.lowered_class(inst) else { return Ok(()) };
            let operands: Vec<Inst> = self.module.operands(inst).collect();
            let wide = self.uint(8);
            let bits = self.emit(Op::CompositeExtract, wide, &operands);
            let place = self.place_of_bits(class, bits);
            self.places.insert(inst, place);
            self.retire(inst);
            return Ok(());
        }
        let parts = if op == Op::CompositeInsert { 1 } else { self.module.operand_count(inst) };
        for index in 0..parts {
            let part = self.module.operand(inst, index);
            if space_of(self.module, part).is_some() {
                let data = self.as_data(part)?;
                self.module.edit().set_operand(inst, index, data);
                self.changed = true;
            }
        }
        Ok(())
    }

    /// The type with the bits of pointers in place of pointers.
    pub(super) fn data_type(&mut self, ty: Inst) -> Inst {
        let mut stack = vec![ty];
        while let Some(&current) = stack.last() {
            let is_done = self.data_types.contains_key(&current)
                || self.points_to.carriers.of(self.module, current) != Carries::Pointers;
            if is_done {
                stack.pop();
                continue;
            }
            if space_of_type(self.module, current).is_some() {
                let bits = self.uint(8);
                self.data_types.insert(current, bits);
                continue;
            }
            let parts = parts(self.module, current);
            let known = |part: &Inst| self.data_types.get(part).copied();
            let carriers = &mut self.points_to.carriers;
            let module = &*self.module;
            let open: Vec<Inst> = parts
                .iter()
                .copied()
                .filter(|part| known(part).is_none() && carriers.of(module, *part) == Carries::Pointers)
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let mut operands: Vec<Inst> = parts.iter().map(|part| known(part).unwrap_or(*part)).collect();
            operands.extend(self.module.operands(current).skip(parts.len()));
            let op = self.module.op(current);
            let data = match op {
                Op::TypeStruct => self.module.edit().append_global(op, None, &operands),
                _ => self.module.edit().unique(op, None, &operands),
            };
            self.data_types.insert(current, data);
        }
        self.data_types.get(&ty).copied().unwrap_or(ty)
    }

    /// Changes the type of every value with pointers in it to the type with their bits.
    pub(super) fn change_data_types(&mut self) -> Result<(), Diagnostic> {
        let mut values = Vec::new();
        for inst in self.module.functions().flat_map(|function| self.module.descendants(function)) {
            let Some(ty) = self.module.ty(inst).filter(|&ty| self.module.op(ty) != Op::TypePointer) else { continue };
            if self.points_to.carriers.of(self.module, ty) == Carries::Pointers {
                values.push((inst, ty));
            }
        }
        for (inst, ty) in values {
            let data = self.data_type(ty);
            self.module.edit().set_type(inst, data);
            self.changed = true;
        }
        let mut types: Vec<(Inst, Inst)> = self.data_types.iter().map(|(&old, &new)| (old, new)).collect();
        types.sort_unstable();
        for (old, new) in types {
            let uses = self.module.uses(old).filter(|used| used.slot == Slot::Type);
            let constants: Vec<Inst> = uses.map(|used| used.user).filter(|&user| self.is_used_by_code(user)).collect();
            for constant in constants {
                if matches!(self.module.op(constant), Op::ConstantNull | Op::Undef) {
                    self.module.edit().set_type(constant, new);
                } else if self.module.op(old) != Op::TypePointer {
                    return Err(error::unsupported(constant, "a constant value that contains pointers"));
                }
            }
        }
        Ok(())
    }

    /// Returns whether an instruction in a block uses a module-level instruction.
    fn is_used_by_code(&self, value: Inst) -> bool {
        self.module.parent(value) == Some(self.module.root())
            && self.module.uses(value).any(|used| self.module.block_of(used.user).is_some())
    }

    /// Returns whether a pointer is known to be null.
    pub(super) fn is_zero(&self, value: Inst) -> bool {
        self.module.op(value) == Op::ConstantNull || integer_constant(self.module, value) == Some(0)
    }
}
