//! Comparisons of 64-bit integers in 32 bits.
//!
//! Ids are 64 bits wide in OpenCL, and below 2³¹ in a launch that is not gigantic. A comparison of 64-bit vectors takes twice as many
//! registers and joins the halves of its mask. Let `a` be a value that is known to lie in 0 ≤ a < 2³¹, and `b` uniform. Then for unsigned
//! comparisons, and for equality,
//!
//! ```text
//! a ⋛ b   ⟺   a ⋛ min(b, 2³¹)
//! ```
//!
//! because `a` is less than 2³¹, and both sides have 32 bits. The minimum is computed once for all lanes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::Variation;
use spirv::GlslStd450Op;

use super::selector::Selector;
use super::symbolic::Wide;
use super::value::{ScalarType, Value};
use super::values::{Selected, Values};

const INT: ScalarType = ScalarType::Int(32);
const LONG: ScalarType = ScalarType::Int(64);
/// The bound of small integers.
const LIMIT: u64 = 1 << 31;

impl Selector<'_> {
    /// A varying comparison of 64-bit integers, if it can be done in 32 bits.
    pub(super) fn compare_narrowed(&mut self, inst: Inst) -> Result<Option<Value>, Diagnostic> {
        let operands = [0, 1].map(|place| self.values.module.operand(inst, place));
        let is_long = self.values.scalar_type(operands[0])? == LONG;
        let is_small = operands.map(|operand| self.values.is_small(operand));
        let op = self.values.module.op(inst);
        let Some(unsigned) = unsigned(op) else { return Ok(None) };
        if unsigned != op && is_small != [true; 2] {
            return Ok(None);
        }
        if !is_long || self.values.shape(inst) != Variation::Divergent || is_small == [false; 2] {
            return Ok(None);
        }
        let Some(left) = self.narrowed(operands[0])? else { return Ok(None) };
        let Some(right) = self.narrowed(operands[1])? else { return Ok(None) };
        Ok(self.emit.compare(unsigned, INT, &left, &right))
    }

    /// A value in 32 bits; of a large uniform one the minimum with the limit.
    fn narrowed(&mut self, value: Inst) -> Result<Option<Value>, Diagnostic> {
        let is_small = self.values.is_small(value);
        match self.values.get(value).cloned() {
            Some(Selected::Affine { base, stride }) if is_small => {
                self.affine_vector(INT, base, stride, value).map(Some)
            }
            Some(Selected::Wide(Wide { base: None, index, scale: 1, displacement: 0, .. })) if is_small => {
                Ok(Some(index))
            }
            Some(Selected::Value(Value::Uniform(register))) if is_small => Ok(Some(Value::Uniform(register))),
            None if is_small => {
                let bits = self.values.module.constant_bits(value).unwrap_or(0);
                Ok(Some(self.emit.constant(INT, bits)))
            }
            _ if self.values.shape(value) == Variation::Uniform => {
                let (value, limit) = (self.value(value)?, self.emit.constant(LONG, LIMIT));
                Ok(self.emit.extended(GlslStd450Op::UMin as u32, LONG, &[value, limit]))
            }
            _ => Ok(None),
        }
    }
}

impl Values<'_> {
    fn is_small(&self, value: Inst) -> bool {
        let constant = self.module.constant_bits(value).filter(|_| self.module.op(value) == Op::Constant);
        let is_constant = constant.is_some_and(|bits| bits < LIMIT) || self.module.op(value) == Op::ConstantNull;
        is_constant || self.shapes.range(value).is_some_and(|(low, high)| low >= 0 && high < i128::from(LIMIT))
    }
}

/// The comparison of unsigned integers that does the same for small ones.
fn unsigned(op: Op) -> Option<Op> {
    Some(match op {
        Op::IEqual | Op::INotEqual | Op::ULessThan | Op::ULessThanEqual | Op::UGreaterThan | Op::UGreaterThanEqual => {
            op
        }
        Op::SLessThan => Op::ULessThan,
        Op::SLessThanEqual => Op::ULessThanEqual,
        Op::SGreaterThan => Op::UGreaterThan,
        Op::SGreaterThanEqual => Op::UGreaterThanEqual,
        _ => return None,
    })
}
