//! Addressing modes of loads and stores: one address, contiguous lanes, an index for each lane, or an address for each lane.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::Variation;

use spirv::GlslStd450Op;

use super::arithmetic::Emitter;
use super::bounds::Bounds;
use super::checks::{CheckedIndex, Extent};
use super::frame::{Root, SLACK};
use super::memory::{ScaledStep, Step};
use super::selector::Selector;
use super::symbolic::{Confined, Extension, Pointer, Wide};
use super::value::{Isa, ScalarType, Value};
use super::values::{Selected, Values, truncated};
use crate::call_memory::header;
use crate::machine::{Address, Base, Class, Inst as MachineInst, Operand, VReg};

const INT: ScalarType = ScalarType::Int(32);
const LONG: ScalarType = ScalarType::Int(64);

/// The addresses of an access.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// One for all lanes.
    Uniform(Address),
    /// Lane after lane from here, without gaps.
    Contiguous(Address),
    /// `base + scale · index`, the index of each lane sign-extended from 32 bits.
    Indexed {
        /// The address that all lanes have in common, without index.
        base: Address,
        /// A varying 32-bit integer.
        index: Value,
        /// 1, 2, 4 or 8.
        scale: u8,
    },
    /// A varying 64-bit integer.
    Addresses(Value),
}

impl Selector<'_> {
    /// A variable: a pointer to its beginning.
    pub(super) fn select_variable(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let pointer = self.memory.root_pointer(&self.values, inst)?;
        self.values.set(inst, Selected::Pointer(pointer));
        self.initialize(inst)
    }

    fn pointer(&self, inst: Inst) -> Result<Option<Pointer>, Diagnostic> {
        match self.values.get(inst) {
            Some(Selected::Pointer(pointer)) => Ok(Some(pointer.clone())),
            Some(_) => Ok(None),
            None if self.values.module.op(inst) == Op::Variable => {
                self.memory.root_pointer(&self.values, inst).map(Some)
            }
            None => Ok(None),
        }
    }

    /// An access chain: into what has a place, or from an address.
    pub(super) fn select_access_chain(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let mut operands = self.values.module.operands(inst);
        let base = operands.next().ok_or_else(|| self.values.unsupported(inst, "an access chain without a base"))?;
        if !matches!(self.values.module.op(inst), Op::AccessChain | Op::InBoundsAccessChain) {
            return Err(self.values.unsupported(inst, "an access chain from an element"));
        }
        let indexes: Vec<Inst> = operands.collect();
        if let Some(pointer) = self.pointer(base)? {
            let pointer = self.chain(pointer, base, &indexes, inst)?;
            self.values.set(inst, Selected::Pointer(pointer));
            return Ok(());
        }
        self.chain_from_address(inst, base, &indexes)
    }

    /// Follows indexes from a pointer with a place. If any of them may lie outside of its array, the offset is confined.
    fn chain(&mut self, mut pointer: Pointer, base: Inst, indexes: &[Inst], at: Inst) -> Result<Pointer, Diagnostic> {
        let mut ty = self
            .values
            .module
            .pointee(base)
            .ok_or_else(|| self.values.unsupported(at, "an access chain of this type"))?;
        let mut scaled = Vec::new();
        for &index in indexes {
            let (part, offset) = self.memory.step(&self.values, ty, index, at)?;
            ty = part;
            match offset {
                Step::Constant(bytes) => pointer.displacement += bytes,
                Step::Scaled(step) => scaled.push((index, step)),
            }
        }
        for &(index, step) in &scaled {
            if !self.values.is_inside(index, step) {
                pointer.is_inside = false;
                let checked = step.length.filter(|_| self.values.specialization.bounds == Bounds::Checked);
                pointer.indexes.extend(checked.map(|length| CheckedIndex { index, length }));
            }
        }
        let failed = |selector: &Self| selector.values.unsupported(at, "an index of this type");
        if !pointer.is_inside {
            self.unpeel(&mut pointer).ok_or_else(|| failed(self))?;
        }
        for (index, step) in scaled {
            self.add_index(&mut pointer, index, step.stride, at)?;
        }
        if !pointer.is_inside {
            self.confine(&mut pointer).ok_or_else(|| failed(self))?;
        }
        Ok(pointer)
    }

    /// Adds an index that is not constant to the offset of a pointer.
    fn add_index(&mut self, pointer: &mut Pointer, index: Inst, stride: u64, at: Inst) -> Result<(), Diagnostic> {
        let index = if pointer.is_inside { self.peel(index, stride, pointer) } else { index };
        let mut shape = self.values.shape(index);
        if !pointer.is_inside && !self.values.has_slack(pointer.root, shape, stride) {
            shape = if shape == Variation::Uniform { shape } else { Variation::Divergent };
        }
        let value = if matches!(shape, Variation::Affine { .. }) { self.base(index)? } else { self.value(index)? };
        let ty = self.values.scalar_type(index)?;
        let failed = |selector: &Self| selector.values.unsupported(at, "an index of this type");
        let narrowed = if ty == INT { Some(value) } else { self.emit.convert(Op::UConvert, ty, INT, &value) };
        let value = narrowed.ok_or_else(|| failed(self))?;
        let is_positive = pointer.is_inside && self.values.shapes.range(index).is_some_and(|(low, _)| low >= 0);
        if is_positive {
            self.emit.note_small(&value);
        }
        let Some(before) = pointer.offset.take() else {
            (pointer.offset, pointer.shape, pointer.unit) = (Some(value), shape, stride);
            return Ok(());
        };
        let before = self.emit.in_bytes(&before, pointer.unit).ok_or_else(|| failed(self))?;
        let value = self.emit.in_bytes(&value, stride).ok_or_else(|| failed(self))?;
        let (one, other) = (in_units(pointer.shape, pointer.unit), in_units(shape, stride));
        let (before, value, shape) = match (one, other) {
            (Variation::Uniform, other) => (before, value, other),
            (one, Variation::Uniform) => (before, value, one),
            (one, other) => {
                (self.offset_vector(&before, one, at)?, self.offset_vector(&value, other, at)?, Variation::Divergent)
            }
        };
        let sum = self.emit.binary(Op::IAdd, INT, &before, &value).ok_or_else(|| failed(self))?;
        if self.emit.is_small(&before) && self.emit.is_small(&value) {
            self.emit.note_small(&sum);
        }
        (pointer.offset, pointer.shape, pointer.unit) = (Some(sum), shape, 1);
        Ok(())
    }

    /// Confines the offset of a pointer to the room of the variable, so that no access reaches anything else. An offset in the variable stays
    /// as it is.
    ///
    /// Of an affine offset, lane 0 may lie outside while a lane that executes is inside. So it is confined to the room and to as much in front
    /// of it as the lanes differ.
    fn confine(&mut self, pointer: &mut Pointer) -> Option<()> {
        let Some(offset) = pointer.offset.clone() else { return Some(()) };
        let (unit, room) = (pointer.unit, pointer.room);
        // The sum of an affine offset and another one may be too wide.
        if matches!(pointer.shape, Variation::Affine { .. })
            && !self.values.has_slack(pointer.root, pointer.shape, unit)
        {
            let Variation::Affine { stride } = pointer.shape else { return None };
            let Value::Uniform(base) = offset else { return None };
            let stride = self.emit.constant(INT, truncated(stride, 32));
            let vector = self.emit.affine(32, &Value::Uniform(base), &stride)?;
            pointer.shape = Variation::Divergent;
            pointer.confined = Some(Confined { offset: self.emit.keep_inside(&vector, unit, room)?, slack: 0 });
            pointer.offset = Some(vector);
            return Some(());
        }
        let confined = match self.values.slack(pointer.shape) {
            None => Confined { offset: self.emit.keep_inside(&offset, unit, room)?, slack: 0 },
            Some(slack) => {
                let size = (room.div_ceil(unit) + slack).next_power_of_two();
                let moved = self.emit.constant(INT, slack);
                let moved = self.emit.binary(Op::IAdd, INT, &offset, &moved)?;
                let last = self.emit.constant(INT, truncated(size as i64 - 1, 32));
                Confined { offset: self.emit.binary(Op::BitwiseAnd, INT, &moved, &last)?, slack: slack * unit }
            }
        };
        pointer.confined = Some(confined);
        Some(())
    }

    /// An index without the constant that is added to it, which goes into the displacement. The sum is inside of a variable, so that it does
    /// not wrap.
    fn peel(&mut self, index: Inst, stride: u64, pointer: &mut Pointer) -> Inst {
        if self.values.module.op(index) != Op::IAdd || self.values.scalar_type(index).ok() != Some(INT) {
            return index;
        }
        let [left, right] = [0, 1].map(|place| self.values.module.operand(index, place));
        let constant = self.values.module.constant_word(right).filter(|_| self.values.module.op(right) == Op::Constant);
        let Some(constant) = constant.map(u32::cast_signed).filter(|constant| constant.unsigned_abs() < 1 << 20) else {
            return index;
        };
        pointer.peeled = pointer.peeled.wrapping_add((i64::from(constant) * stride as i64) as u64);
        left
    }

    /// Adds to the offset what was taken from it.
    fn unpeel(&mut self, pointer: &mut Pointer) -> Option<()> {
        let peeled = std::mem::take(&mut pointer.peeled);
        if let Some(offset) = pointer.offset.clone().filter(|_| peeled != 0) {
            let offset = self.emit.in_bytes(&offset, pointer.unit)?;
            let peeled = self.emit.constant(INT, truncated(peeled.cast_signed(), 32));
            pointer.offset = Some(self.emit.binary(Op::IAdd, INT, &offset, &peeled)?);
            (pointer.shape, pointer.unit) = (in_units(pointer.shape, pointer.unit), 1);
        }
        Some(())
    }

    /// An offset of a shape in vectors.
    fn offset_vector(&mut self, offset: &Value, shape: Variation, at: Inst) -> Result<Value, Diagnostic> {
        match (shape, offset) {
            (Variation::Affine { stride }, &Value::Uniform(base)) => self.affine_vector(INT, base, stride, at),
            _ => Ok(self.emit.broadcast(INT, offset)),
        }
    }

    /// An access chain from a 64-bit address.
    fn chain_from_address(&mut self, inst: Inst, base: Inst, indexes: &[Inst]) -> Result<(), Diagnostic> {
        let mut ty = self
            .values
            .module
            .pointee(base)
            .ok_or_else(|| self.values.unsupported(inst, "an access chain of this type"))?;
        let (mut displacement, mut scaled) = (0_u64, Vec::new());
        for &index in indexes {
            let (part, step) = self.memory.step(&self.values, ty, index, inst)?;
            ty = part;
            match step {
                Step::Constant(bytes) => displacement = displacement.wrapping_add(bytes),
                Step::Scaled(step) => scaled.push((index, step.stride)),
            }
        }
        if !scaled.is_empty() {
            return self.sum_of_indexes(inst, base, &scaled, displacement);
        }
        let selected = match self.values.get(base).cloned() {
            Some(Selected::Wide(mut wide)) => {
                wide.displacement = wide.displacement.wrapping_add(displacement.cast_signed());
                Selected::Wide(wide)
            }
            _ => {
                // The sum has the shape of the base.
                let value = self.operand_of(base, base)?;
                let sum = self.emit.plus(&value, displacement);
                let sum = sum.ok_or_else(|| self.values.unsupported(inst, "an address of this type"))?;
                match (self.values.shape(base), sum) {
                    (Variation::Affine { stride }, Value::Uniform(base)) => Selected::Affine { base, stride },
                    (_, sum) => Selected::Value(sum),
                }
            }
        };
        self.values.set(inst, selected);
        Ok(())
    }

    /// An address with indexes, which have signs, times their strides.
    fn sum_of_indexes(
        &mut self,
        inst: Inst,
        base: Inst,
        scaled: &[(Inst, u64)],
        displacement: u64,
    ) -> Result<(), Diagnostic> {
        let refused = |selector: &Self| selector.values.unsupported(inst, "an address of this type");
        let value = self.operand_of(inst, base)?;
        let mut sum = self.emit.plus(&value, displacement).ok_or_else(|| refused(self))?;
        for &(index, stride) in scaled {
            let (ty, value) = (self.values.scalar_type(index)?, self.operand_of(inst, index)?);
            let wide = if ty == LONG { Some(value) } else { self.emit.convert(Op::SConvert, ty, LONG, &value) };
            let wide = wide.ok_or_else(|| refused(self))?;
            let stride = self.emit.constant(LONG, stride);
            let bytes = self.emit.binary(Op::IMul, LONG, &wide, &stride).ok_or_else(|| refused(self))?;
            sum = self.emit.binary(Op::IAdd, LONG, &sum, &bytes).ok_or_else(|| refused(self))?;
        }
        self.set(inst, sum);
        Ok(())
    }

    /// The addresses of an access by an instruction. In checked code, they are checked; in guarded code, those that
    /// are not proved.
    pub(super) fn access(&mut self, pointer: Inst, extent: Extent, at: Inst) -> Result<Access, Diagnostic> {
        let bytes = extent.bytes;
        let access = match self.pointer(pointer)? {
            Some(place) => {
                self.check_indexes(&place.indexes, at)?;
                self.access_place(&place, bytes, pointer)?
            }
            None => {
                let access = self.access_address(pointer, bytes)?;
                match self.values.specialization.bounds {
                    Bounds::Trusted => {}
                    Bounds::Guarded(_) => {
                        if !self.memory.stays_in_arena(pointer, bytes) {
                            self.guard(&access, extent, at)?;
                        }
                    }
                    Bounds::Checked => self.check_addresses(&access, extent, at),
                }
                access
            }
        };
        self.emit.divergence.gathers += usize::from(matches!(access, Access::Indexed { .. } | Access::Addresses(_)));
        Ok(access)
    }

    fn access_address(&mut self, pointer: Inst, bytes: u32) -> Result<Access, Diagnostic> {
        match self.values.get(pointer).cloned() {
            Some(Selected::Affine { stride, .. }) if stride == i64::from(bytes) => {
                Ok(Access::Contiguous(self.flat_address(pointer)?))
            }
            Some(Selected::Affine { stride, .. }) if self.values.is_narrow_stride(stride) => {
                let base = self.flat_address(pointer)?;
                let base = Address::of(self.emit.address_register(base));
                let index = self.emit.lane_offsets(stride as i32);
                Ok(Access::Indexed { base, index, scale: 1 })
            }
            Some(Selected::Wide(wide)) => self.access_wide(&wide, pointer),
            _ => match self.value(pointer)? {
                Value::Uniform(_) => Ok(Access::Uniform(self.flat_address(pointer)?)),
                varying => Ok(Access::Addresses(varying)),
            },
        }
    }

    /// The address of lane 0 of a uniform or affine pointer: constants that are added to it are displacements, and of a sum of two one is
    /// the index, scaled if it is shifted.
    fn flat_address(&mut self, pointer: Inst) -> Result<Address, Diagnostic> {
        let mut inst = pointer;
        let mut displacement: i32 = 0;
        let is_here = |selector: &Self, inst: Inst| {
            selector.values.module.block_of(inst).is_some()
                && !matches!(selector.values.get(inst), None | Some(Selected::Wide(_)))
        };
        while is_here(self, inst) {
            let [left, right] = match self.values.module.op(inst) {
                Op::ConvertUToPtr | Op::Bitcast
                    if self.values.scalar_type(self.values.module.operand(inst, 0)).ok() == Some(LONG) =>
                {
                    inst = self.values.module.operand(inst, 0);
                    continue;
                }
                Op::IAdd => [0, 1].map(|place| self.values.module.operand(inst, place)),
                _ => break,
            };
            let constant =
                self.values.module.constant_bits(right).filter(|_| self.values.module.op(right) == Op::Constant);
            let sum = constant.and_then(|bits| i32::try_from(bits.cast_signed()).ok()?.checked_add(displacement));
            match sum {
                Some(sum) => (inst, displacement) = (left, sum),
                None => return self.sum_address(left, right, displacement),
            }
        }
        let base = self.base(inst)?;
        let base = base.uniform().ok_or_else(|| self.values.unsupported(pointer, "an address of this form"))?;
        Ok(Address::of(base).plus(displacement))
    }

    fn sum_address(&mut self, left: Inst, right: Inst, displacement: i32) -> Result<Address, Diagnostic> {
        let (mut index, mut scale) = (right, 1);
        if self.values.module.op(right) == Op::ShiftLeftLogical
            && let Some(amount @ 1..=3) = self.values.module.constant_bits(self.values.module.operand(right, 1))
        {
            (index, scale) = (self.values.module.operand(right, 0), 1 << amount);
        }
        let (base, index) = (self.base(left)?, self.base(index)?);
        match (base, index) {
            (Value::Uniform(base), Value::Uniform(index)) => {
                Ok(Address { base: Base::Register(base), index: Some(index), scale, displacement })
            }
            _ => Err(self.values.unsupported(left, "an address of this form")),
        }
    }

    pub(super) fn access_place(&mut self, place: &Pointer, bytes: u32, at: Inst) -> Result<Access, Diagnostic> {
        let displacement = place.first();
        let base = match place.root {
            Root::Private(offset) => return self.access_private(place, offset, bytes, at),
            Root::Workgroup(offset) => {
                let memory = self.emit.frame_address(header::WORKGROUP_MEMORY);
                Address::of(memory).plus(offset as i32 + displacement as i32)
            }
            Root::Table(offset) => {
                let table = Address { base: Base::Constants, index: None, scale: 1, displacement: offset as i32 };
                Address::of(self.emit.address_register(table)).plus(displacement as i32)
            }
            Root::PushConstants => {
                let memory = self.emit.frame_address(header::PUSH_CONSTANTS);
                Address::of(memory).plus(displacement as i32)
            }
            Root::Input => return Err(self.values.unsupported(at, "an input that is not a built-in one")),
        };
        let Some(offset) = place.used_offset() else { return Ok(Access::Uniform(base)) };
        let failed = |selector: &Self| selector.values.unsupported(at, "an offset of this type");
        let (offset, scale) = self.emit.scaled(offset, place.unit).ok_or_else(|| failed(self))?;
        let shape = in_units(place.shape, place.unit);
        match (&offset, shape) {
            (Value::Uniform(offset), Variation::Uniform) => {
                Ok(Access::Uniform(self.emit.indexed(base, *offset, scale)))
            }
            (Value::Uniform(offset), Variation::Affine { stride }) if stride == i64::from(bytes) => {
                Ok(Access::Contiguous(self.emit.indexed(base, *offset, scale)))
            }
            (_, shape) => {
                let unit = i64::from(scale);
                let shape = if let Variation::Affine { stride } = shape {
                    Variation::Affine { stride: stride / unit }
                } else {
                    shape
                };
                let index = self.offset_vector(&offset, shape, at)?;
                Ok(Access::Indexed { base, index, scale })
            }
        }
    }

    /// A variable of the lanes: what is at a byte of one lane's variable is there for all lanes, side by side.
    fn access_private(&mut self, place: &Pointer, offset: u32, bytes: u32, at: Inst) -> Result<Access, Diagnostic> {
        let lanes = self.emit.pack.lanes();
        let first = (i64::from(offset) + (place.first() * u64::from(lanes)).cast_signed()) as i32;
        let base = Address::in_frame(first);
        let Some(value) = place.used_offset() else { return Ok(self.emit.of_all_lanes(base)) };
        let failed = |selector: &Self| selector.values.unsupported(at, "an offset of this type");
        let unit = place.unit * u64::from(lanes);
        if let (Value::Uniform(_), Variation::Uniform) = (value, place.shape) {
            let (scaled, scale) = self.emit.scaled(value, unit).ok_or_else(|| failed(self))?;
            let scaled = scaled.uniform().ok_or_else(|| failed(self))?;
            let address = self.emit.indexed(base, scaled, scale);
            return Ok(self.emit.of_all_lanes(address));
        }
        let vector = self.offset_vector(value, place.shape, at)?;
        let scaled = self.emit.in_bytes(&vector, unit).ok_or_else(|| failed(self))?;
        let own = self.emit.lane_offsets(bytes as i32);
        let index = self.emit.binary(Op::IAdd, INT, &scaled, &own).ok_or_else(|| failed(self))?;
        Ok(Access::Indexed { base, index, scale: 1 })
    }

    /// A symbolic integer as the addresses of a gather.
    fn access_wide(&mut self, wide: &Wide, at: Inst) -> Result<Access, Diagnostic> {
        let scale = match wide.scale {
            1 | 2 | 4 | 8 => wide.scale as u8,
            _ => return Ok(Access::Addresses(self.wide_vector(wide, at)?)),
        };
        let failed = |selector: &Self| selector.values.unsupported(at, "an address of this form");
        let (mut index, mut displacement) = (wide.index.clone(), wide.displacement);
        if wide.extension == Extension::Zero {
            // zext(i) = sext(i − 2³¹) + 2³¹.
            let sign = self.emit.constant(INT, 1 << 31);
            index = self.emit.binary(Op::BitwiseXor, INT, &index, &sign).ok_or_else(|| failed(self))?;
            displacement = displacement.wrapping_add(i64::from(scale) << 31);
        }
        let base = match (wide.base, i32::try_from(displacement)) {
            (Some(base), Ok(displacement)) => Address::of(base).plus(displacement),
            (base, _) => {
                let constant = self.emit.constant(LONG, displacement as u64);
                let sum = match base {
                    Some(base) => self.emit.binary(Op::IAdd, LONG, &Value::Uniform(base), &constant),
                    None => Some(constant),
                };
                let register = sum.and_then(|sum| sum.uniform()).ok_or_else(|| failed(self))?;
                Address::of(register)
            }
        };
        Ok(Access::Indexed { base, index, scale })
    }
}

impl Values<'_> {
    fn is_inside(&self, index: Inst, step: ScaledStep) -> bool {
        step.length.is_some_and(|length| {
            self.shapes.range(index).is_some_and(|(low, high)| low >= 0 && high < i128::from(length))
        })
    }

    /// Returns whether an affine offset into a variable can be confined as it is: there is memory before the variable, and the lanes of a
    /// pack are so close that it is enough.
    fn has_slack(&self, root: Root, shape: Variation, unit: u64) -> bool {
        let bytes = self.slack(shape).and_then(|slack| slack.checked_mul(unit));
        matches!(root, Root::Workgroup(_)) && bytes.is_some_and(|bytes| bytes <= SLACK.into())
    }

    /// The distance of the last lane from the first one, in the units of an affine offset.
    fn slack(&self, shape: Variation) -> Option<u64> {
        let last = u64::from(self.specialization.pack.lanes()) - 1;
        match shape {
            Variation::Affine { stride } => Some(stride.unsigned_abs().saturating_mul(last)),
            _ => None,
        }
    }

    /// Returns whether `stride · lane` is a 32-bit integer for all lanes.
    fn is_narrow_stride(&self, stride: i64) -> bool {
        let last = i64::from(self.specialization.pack.lanes()) - 1;
        stride.checked_mul(last).is_some_and(|offset| i32::try_from(offset).is_ok())
    }
}

impl Emitter<'_> {
    /// An offset that is not affine, in the room.
    fn keep_inside(&mut self, offset: &Value, unit: u64, room: u64) -> Option<Value> {
        let elements = (room / unit).max(1);
        if elements.is_power_of_two() {
            let last = self.constant(INT, truncated(elements as i64 - 1, 32));
            return self.binary(Op::BitwiseAnd, INT, offset, &last);
        }
        let last = self.constant(INT, truncated(elements as i64 - 1, 32));
        let confined = self.extended(GlslStd450Op::UMin as u32, INT, &[offset.clone(), last])?;
        self.note_small(&confined);
        Some(confined)
    }

    /// An offset in bytes, from one in larger units.
    fn in_bytes(&mut self, offset: &Value, unit: u64) -> Option<Value> {
        if unit == 1 {
            return Some(offset.clone());
        }
        let unit = self.constant(INT, unit);
        let bytes = self.binary(Op::IMul, INT, offset, &unit)?;
        // What is inside of a variable is less than 2³¹ bytes from its beginning.
        if self.is_small(offset) {
            self.note_small(&bytes);
        }
        Some(bytes)
    }

    fn plus(&mut self, value: &Value, displacement: u64) -> Option<Value> {
        if displacement == 0 {
            return Some(value.clone());
        }
        let displacement = self.constant(LONG, displacement);
        self.binary(Op::IAdd, LONG, value, &displacement)
    }

    /// `stride · lane` as 32-bit integers.
    fn lane_offsets(&mut self, stride: i32) -> Value {
        if self.pack.isa == Isa::Scalar {
            return self.constant(INT, 0);
        }
        let lanes = 0..self.pack.lanes();
        let offsets: Vec<u32> = lanes.map(|lane| stride.cast_unsigned().wrapping_mul(lane)).collect();
        self.lane_words(&offsets)
    }

    /// An offset as an index of an address and its scale: multiplied if there is no scale of that size.
    fn scaled(&mut self, offset: &Value, unit: u64) -> Option<(Value, u8)> {
        match unit {
            1 | 2 | 4 | 8 => Some((offset.clone(), unit as u8)),
            _ => Some((self.in_bytes(offset, unit)?, 1)),
        }
    }

    fn of_all_lanes(&self, address: Address) -> Access {
        match self.pack.isa {
            Isa::Scalar => Access::Uniform(address),
            _ => Access::Contiguous(address),
        }
    }

    pub(super) fn frame_address(&mut self, offset: i32) -> VReg {
        let address = Operand::Memory(Address::in_frame(offset));
        self.define(Class::General, Code::Mov_r64_rm64, [address])
    }

    /// An address with an offset of 32 bits added, sign-extended.
    pub(super) fn indexed(&mut self, base: Address, offset: VReg, scale: u8) -> Address {
        let wide = self.extended_index(offset);
        Address { index: Some(wide), scale, ..base }
    }

    /// An address in a register.
    pub(super) fn address_register(&mut self, address: Address) -> VReg {
        match address {
            Address { base: Base::Register(register), index: None, displacement: 0, .. } => register,
            _ => {
                let to = self.function.register(Class::General);
                self.push(MachineInst::new(Code::Lea_r64_m, [Operand::Def(to), Operand::Memory(address)]));
                to
            }
        }
    }
}

/// The shape of an offset in bytes.
fn in_units(shape: Variation, unit: u64) -> Variation {
    match shape {
        Variation::Affine { stride } => Variation::Affine { stride: stride.wrapping_mul(unit as i64) },
        other => other,
    }
}
