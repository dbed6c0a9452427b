//! Pointer arithmetic: on addresses, and on indices into an array of cells.
//!
//! ```text
//! %p = ptr_access_chain %f32* %base, %i        %s = shift_left_logical %i, 2
//! %q = in_bounds_ptr_access_chain %p, 3   ⇒    %a = i_add %base, %s            %p is %a + 0, %q is %a + 12
//! load %f32 %q                                 %b = i_add %a, 12               load through %b
//! ```
//!
//! Constants are summed on the path and added at the memory access, so that a chain of them is one addition. Dynamic parts are computed at
//! the pointer's instruction. Indices have 32 bits and wrap, as pointers into one array may.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op, view};
use spirv::StorageClass;

use super::cells::Start;
use super::chain::{compute_chain, integer_constant};
use super::classes::Class;
use super::constants::constant_pointer;
use super::lowering::{Form, Lowering, PointerTarget, Spot};

/// The maximal number of operations that [`Lowering::scaled_units`] looks through.
const LOOK_THROUGH: usize = 8;

impl Lowering<'_> {
    /// The place that a pointer points to.
    ///
    /// # Errors
    /// Constants without a known place.
    pub(super) fn place(&mut self, pointer: Inst) -> Result<PointerTarget, Diagnostic> {
        if let Some(&place) = self.places.get(&pointer) {
            return Ok(place);
        }
        match self.module.op(pointer) {
            Op::ConstantNull | Op::Undef => Ok(PointerTarget::default()),
            Op::Variable | Op::SpecConstantOp => {
                let (variable, offset) = constant_pointer(self.module, &mut self.layouts, pointer)?;
                match variable {
                    Some(variable) => Ok(self.variable_place(variable)?.moved(offset)),
                    None => Ok(PointerTarget::default().moved(offset)),
                }
            }
            // Only unreachable code uses pointers that were not computed before.
            _ => Ok(PointerTarget::default()),
        }
    }

    fn variable_place(&mut self, variable: Inst) -> Result<PointerTarget, Diagnostic> {
        let Some((class, form)) = self.lowered_class(variable) else { return Ok(PointerTarget::default()) };
        if form == Form::Address {
            let base = self.program_data_address()?;
            return Ok(PointerTarget { base: Some(base), offset: self.data.start(variable) });
        }
        Ok(match self.cells[&class].start(variable) {
            Start::Byte(offset) => PointerTarget { base: None, offset: i64::from(offset) },
            Start::Unit(base) => PointerTarget { base: Some(base), offset: 0 },
        })
    }

    /// The place of a pointer with its class; null has the class of the other pointer.
    pub(super) fn spot(&mut self, pointer: Inst) -> Result<Option<Spot>, Diagnostic> {
        let Some((class, _)) = self.lowered_class(pointer) else { return Ok(None) };
        Ok(Some(Spot { class, place: self.place(pointer)? }))
    }

    /// The number of bytes of one unit of the class's pointers.
    pub(super) fn unit(&self, class: Class) -> u32 {
        self.cells.get(&class).map_or(1, |cells| cells.unit)
    }

    /// The address or the number of units of a place.
    pub(super) fn value(&mut self, spot: Spot) -> Inst {
        let unit = i64::from(self.unit(spot.class));
        let ty = self.value_type(spot.class);
        let PointerTarget { base, offset } = spot.place;
        match base {
            Some(base) if offset == 0 => base,
            Some(base) => {
                let offset = self.constant(ty, offset / unit);
                self.binary(Op::IAdd, base, offset)
            }
            None => self.constant(ty, offset / unit),
        }
    }

    /// The type that replaces the pointers of a class.
    pub(super) fn value_type(&mut self, class: Class) -> Inst {
        match self.form(class) {
            Form::Address | Form::Kept => self.uint(8),
            Form::Cells => self.uint(4),
        }
    }

    /// Pointer arithmetic.
    pub(super) fn lower_chain(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some((class, form)) = self.lowered_class(inst) else { return Ok(()) };
        let operands: Vec<Inst> = self.module.operands(inst).collect();
        let chain = compute_chain(self.module, &mut self.layouts, self.module.op(inst), &operands, inst)?;
        let mut place = self.place(operands[0])?.moved(chain.constant);
        for (index, scale) in chain.indices {
            let added = match form {
                Form::Cells => self.scaled_units(index, scale, self.unit(class)),
                Form::Address | Form::Kept => {
                    let index = self.extended(index);
                    self.multiplied(index, scale)
                }
            };
            place.base = Some(match place.base {
                Some(base) => self.binary(Op::IAdd, base, added),
                None => added,
            });
        }
        self.places.insert(inst, place);
        self.retire(inst);
        Ok(())
    }

    /// A value times a constant.
    pub(super) fn multiplied(&mut self, value: Inst, factor: u64) -> Inst {
        let ty = self.module.ty(value).expect("invariant: an index has a type");
        if factor == 1 {
            return value;
        }
        if factor.is_power_of_two() {
            let amount = self.constant(ty, i64::from(factor.trailing_zeros()));
            return self.binary(Op::ShiftLeftLogical, value, amount);
        }
        let factor = self.constant(ty, factor.cast_signed());
        self.binary(Op::IMul, value, factor)
    }

    /// An index as a signed 64-bit integer.
    fn extended(&mut self, index: Inst) -> Inst {
        match self.width_of(index) {
            64 => index,
            _ => {
                let ty = self.uint(8);
                self.unary(Op::SConvert, ty, index)
            }
        }
    }

    /// The low 32 bits of an integer; sign-extended if it has fewer.
    pub(super) fn narrowed(&mut self, index: Inst) -> Inst {
        let ty = self.uint(4);
        match self.width_of(index) {
            32 => index,
            64 => {
                let op = self.module.op(index);
                if matches!(op, Op::UConvert | Op::SConvert)
                    && let Some(view::Unary { operand: inner }) = view::Unary::of(self.module, index)
                {
                    return match self.width_of(inner) {
                        32 => inner,
                        8 | 16 => self.unary(op, ty, inner),
                        _ => self.unary(Op::UConvert, ty, index),
                    };
                }
                match integer_constant(self.module, index) {
                    Some(value) => self.constant(ty, value),
                    None => self.unary(Op::UConvert, ty, index),
                }
            }
            _ => self.unary(Op::SConvert, ty, index),
        }
    }

    pub(super) fn width_of(&self, value: Inst) -> u32 {
        self.module.ty(value).and_then(|ty| self.module.width(ty)).unwrap_or(0)
    }

    /// The product of an index and a number of bytes, in units. It is known to be a multiple of the unit.
    ///
    /// A factor in the index itself (`%i << 2` bytes) is removed if possible, so that no right shift is needed.
    fn scaled_units(&mut self, mut index: Inst, mut scale: u64, unit: u32) -> Inst {
        let unit = u64::from(unit);
        for _ in 0..LOOK_THROUGH {
            if scale.is_multiple_of(unit) || self.width_of(index) < 32 {
                break;
            }
            let op = self.module.op(index);
            let binary = view::Binary::of(self.module, index);
            let scaled = binary.and_then(|binary| Some((binary.left, integer_constant(self.module, binary.right)?)));
            (index, scale) = match (op, scaled) {
                (Op::ShiftLeftLogical, Some((left, amount @ 0..32))) => (left, scale.wrapping_shl(amount as u32)),
                (Op::IMul, Some((left, factor))) => (left, scale.wrapping_mul(factor.cast_unsigned())),
                (Op::SConvert | Op::UConvert, _)
                    if let Some(view::Unary { operand }) = view::Unary::of(self.module, index)
                        && self.width_of(operand) >= 32 =>
                {
                    (operand, scale)
                }
                _ => break,
            };
        }
        let narrow = self.narrowed(index);
        if scale.is_multiple_of(unit) {
            return self.multiplied(narrow, (scale / unit) & u64::from(u32::MAX));
        }
        let whole = scale >> scale.trailing_zeros();
        let shift = unit.trailing_zeros() - scale.trailing_zeros();
        let bytes = self.multiplied(narrow, whole & u64::from(u32::MAX));
        let shift = self.word(shift);
        self.binary(Op::ShiftRightArithmetic, bytes, shift)
    }

    /// A pointer as data, and as an integer: 64 bits, an address or a number of bytes.
    pub(super) fn pointer_bits(&mut self, spot: Spot) -> Inst {
        if let PointerTarget { base: Some(base), offset: 0 } = spot.place
            && let Some(&bits) = self.origins.get(&base)
        {
            return bits;
        }
        let value = self.value(spot);
        if self.form(spot.class) == Form::Address {
            return value;
        }
        let unit = u64::from(self.unit(spot.class));
        let wide = self.uint(8);
        if let Some(units) = integer_constant(self.module, value) {
            return self.constant(wide, (units & i64::from(u32::MAX)).wrapping_mul(unit.cast_signed()));
        }
        let bytes = self.multiplied(value, unit);
        self.unary(Op::UConvert, wide, bytes)
    }

    /// The place of a pointer of the class, given the bits of [`Lowering::pointer_bits`].
    pub(super) fn place_of_bits(&mut self, class: Class, bits: Inst) -> PointerTarget {
        if let Some(constant) = integer_constant(self.module, bits) {
            return PointerTarget { base: None, offset: constant };
        }
        if self.form(class) == Form::Address {
            let ty = self.uint(8);
            let base = if self.width_of(bits) == 64 { bits } else { self.unary(Op::UConvert, ty, bits) };
            return PointerTarget { base: Some(base), offset: 0 };
        }
        let bytes = self.narrowed(bits);
        let unit = self.unit(class);
        let base = match unit {
            1 => bytes,
            _ => {
                let shift = self.word(unit.trailing_zeros());
                self.binary(Op::ShiftRightLogical, bytes, shift)
            }
        };
        if self.width_of(bits) == 64 && !matches!(self.module.op(bits), Op::UConvert | Op::SConvert) {
            self.origins.insert(base, bits);
        }
        PointerTarget { base: Some(base), offset: 0 }
    }

    /// The typed pointer to an address.
    pub(super) fn physical_pointer(&mut self, address: Inst, ty: Inst) -> Inst {
        let pointer = Builder::new(self.module).pointer_type(StorageClass::PhysicalStorageBuffer, ty);
        self.unary(Op::ConvertUToPtr, pointer, address)
    }
}
