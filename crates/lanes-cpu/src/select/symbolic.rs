//! Values that stay symbolic: wide integers as a gather takes them, and pointers into what has a place.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup};
use reconverge_lanes::Variation;

use smallvec::SmallVec;

use super::checks::CheckedIndex;
use super::frame::Root;
use super::selector::Selector;
use super::value::{ScalarType, Value};
use super::values::{Selected, Values};
use crate::machine::VReg;

/// The extension of a 32-bit index to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extension {
    /// Its sign is kept.
    Sign,
    /// It is not negative.
    Zero,
}

/// `base + scale · index + displacement`, in 64 bits.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    /// A uniform 64-bit integer.
    pub(super) base: Option<VReg>,
    /// A varying 32-bit integer.
    pub(super) index: Value,
    /// The extension of the index.
    pub(super) extension: Extension,
    /// A constant factor.
    pub(super) scale: i64,
    /// A constant that is added.
    pub(super) displacement: i64,
}

/// A pointer into something that has a place in the frame, in the memory of the work-group or among the arguments.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    /// The object that it points into.
    pub(super) root: Root,
    /// An offset as a 32-bit integer, if it is not constant.
    pub(super) offset: Option<Value>,
    /// The shape of the offset.
    pub(super) shape: Variation,
    /// The bytes that the offset counts.
    pub(super) unit: u64,
    /// The bytes that offsets are kept within, a power of two: at least those of the variable.
    pub(super) room: u64,
    /// A constant byte offset.
    pub(super) displacement: u64,
    /// A constant byte offset that was taken from the offset.
    pub(super) peeled: u64,
    /// True if it is known that the offset does not leave the variable.
    pub(super) is_inside: bool,
    /// The offset that accesses use if that is not known.
    pub(super) confined: Option<Confined>,
    /// In checked code, the indexes that may lie outside of an array.
    pub(super) indexes: SmallVec<[CheckedIndex; 1]>,
}

/// An offset that is confined to the room of a variable, of the same shape and in the same units.
#[derive(Clone, Debug)]
pub(super) struct Confined {
    pub(super) offset: Value,
    /// The bytes by which it is greater.
    pub(super) slack: u64,
}

impl Pointer {
    /// The byte of the variable that it points to where the offset that accesses take is zero; it may be negative.
    pub(super) fn first(&self) -> u64 {
        let slack = self.confined.as_ref().map_or(0, |confined| confined.slack);
        self.displacement.wrapping_add(self.peeled).wrapping_sub(slack)
    }

    /// The offset that accesses take.
    pub(super) fn used_offset(&self) -> Option<&Value> {
        self.confined.as_ref().map(|confined| &confined.offset).or(self.offset.as_ref())
    }
}

impl Selector<'_> {
    /// A computation on wide integers that keeps them symbolic, if it is one. Only varying results come here.
    pub(super) fn select_wide(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.values.module.op(inst);
        let result = match op.group() {
            OpGroup::NumberConversion => self.extend(inst)?,
            OpGroup::PointerConversion | OpGroup::Bitcast => self.values.wide_operand(inst, 0)?,
            OpGroup::Shift | OpGroup::IntegerArithmetic => self.combine(inst, op)?,
            _ => None,
        };
        let Some(wide) = result else { return Ok(false) };
        self.values.set(inst, Selected::Wide(wide));
        Ok(true)
    }

    /// A 32-bit integer extended to 64 bits.
    fn extend(&mut self, inst: Inst) -> Result<Option<Wide>, Diagnostic> {
        let op = self.values.module.op(inst);
        let source = self.values.module.operand(inst, 0);
        let types = (self.values.scalar_type(source)?, self.values.scalar_type(inst)?);
        let extension = match (op, types) {
            (Op::UConvert, (ScalarType::Int(8 | 16 | 32), ScalarType::Int(64))) => Extension::Zero,
            (Op::SConvert, (ScalarType::Int(32), ScalarType::Int(64))) => Extension::Sign,
            _ => return Ok(None),
        };
        let index = self.value(source)?;
        let index = self.emit.broadcast(types.0, &index);
        let is_small = self.values.shapes.range(source).is_some_and(|(low, high)| low >= 0 && high < 1 << 31);
        let is_narrow = types.0 != ScalarType::Int(32);
        let extension = if is_small || is_narrow { Extension::Sign } else { extension };
        Ok(Some(Wide { base: None, index, extension, scale: 1, displacement: 0 }))
    }

    /// A sum with something uniform, a product with a constant.
    fn combine(&mut self, inst: Inst, op: Op) -> Result<Option<Wide>, Diagnostic> {
        if self.values.scalar_type(inst)? != ScalarType::Int(64) || self.values.module.operand_count(inst) != 2 {
            return Ok(None);
        }
        let operands = [0, 1].map(|place| self.values.module.operand(inst, place));
        let is_wide = |selector: &Self, operand: Inst| matches!(selector.values.get(operand), Some(Selected::Wide(_)));
        let place = match (is_wide(self, operands[0]), is_wide(self, operands[1])) {
            (true, false) => 0,
            (false, true) if op != Op::ISub && op != Op::ShiftLeftLogical => 1,
            _ => return Ok(None),
        };
        let Some(Selected::Wide(mut wide)) = self.values.get(operands[place]).cloned() else { return Ok(None) };
        let other = operands[1 - place];
        if self.values.shape(other) != Variation::Uniform {
            return Ok(None);
        }
        let constant = self.values.module.constant_bits(other).filter(|_| self.values.module.op(other) == Op::Constant);
        match (op, constant) {
            (Op::IAdd, Some(bits)) => wide.displacement = wide.displacement.wrapping_add(bits.cast_signed()),
            (Op::ISub, Some(bits)) => wide.displacement = wide.displacement.wrapping_sub(bits.cast_signed()),
            (Op::IAdd | Op::ISub, None) => match self.add_base(op, wide.base, other)? {
                Some(base) => wide.base = Some(base),
                None => return Ok(None),
            },
            (Op::IMul, Some(factor)) => return self.scale(wide, factor.cast_signed()),
            (Op::ShiftLeftLogical, Some(amount)) if amount < 63 => return self.scale(wide, 1 << amount),
            _ => return Ok(None),
        }
        Ok(Some(wide))
    }

    fn add_base(&mut self, op: Op, base: Option<VReg>, other: Inst) -> Result<Option<VReg>, Diagnostic> {
        let value = self.value(other)?;
        let ty = ScalarType::Int(64);
        let sum = match (base, op) {
            (None, Op::IAdd) => Some(value),
            (None, _) => self.emit.unary(Op::SNegate, ty, &value),
            (Some(base), _) => self.emit.binary(op, ty, &Value::Uniform(base), &value),
        };
        Ok(sum.and_then(|sum| sum.uniform()))
    }

    fn scale(&mut self, mut wide: Wide, factor: i64) -> Result<Option<Wide>, Diagnostic> {
        let Some(scale) = wide.scale.checked_mul(factor) else { return Ok(None) };
        wide.scale = scale;
        wide.displacement = wide.displacement.wrapping_mul(factor);
        if let Some(base) = wide.base {
            let factor = self.emit.constant(ScalarType::Int(64), factor as u64);
            let product = self.emit.binary(Op::IMul, ScalarType::Int(64), &Value::Uniform(base), &factor);
            wide.base = product.and_then(|product| product.uniform());
        }
        Ok(Some(wide))
    }

    /// A symbolic integer in vectors.
    pub(super) fn wide_vector(&mut self, wide: &Wide, at: Inst) -> Result<Value, Diagnostic> {
        let ty = ScalarType::Int(64);
        let op = if wide.extension == Extension::Sign { Op::SConvert } else { Op::UConvert };
        let mut value = self.emit.convert(op, ScalarType::Int(32), ty, &wide.index);
        if wide.scale != 1 {
            let scale = self.emit.constant(ty, wide.scale as u64);
            value = value.and_then(|value| self.emit.binary(Op::IMul, ty, &value, &scale));
        }
        if let Some(base) = wide.base {
            value = value.and_then(|value| self.emit.binary(Op::IAdd, ty, &value, &Value::Uniform(base)));
        }
        if wide.displacement != 0 {
            let displacement = self.emit.constant(ty, wide.displacement as u64);
            value = value.and_then(|value| self.emit.binary(Op::IAdd, ty, &value, &displacement));
        }
        value.ok_or_else(|| self.values.unsupported(at, "a 64-bit integer of this form"))
    }
}

impl Values<'_> {
    fn wide_operand(&self, inst: Inst, place: usize) -> Result<Option<Wide>, Diagnostic> {
        let operand = self.module.operand(inst, place);
        let is_wide = self.scalar_type(inst).ok() == Some(ScalarType::Int(64));
        Ok(match self.get(operand) {
            Some(Selected::Wide(wide)) if is_wide => Some(wide.clone()),
            _ => None,
        })
    }
}
