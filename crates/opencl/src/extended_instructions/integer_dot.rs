//! Dot products of integers (SPV_KHR_integer_dot_product), which Vulkan 1.2 lacks, as products and sums.
//!
//! Operands are vectors, or words with four bytes. The components are extended to the width of the result, each by the sign that the
//! instruction gives its operand. A sum that is added to an accumulator with saturation must be exact: the result needs enough bits.

use reconverge_ir::{Inst, Module, Op, Signedness};

use super::integer::{add_saturated, signed_add_saturated};
use crate::formula::{FormulaWriter, Shape, Shared, Value};

/// Returns whether an instruction is a dot product of integers.
pub(super) fn is_integer_dot(op: Op) -> bool {
    Op::SDot <= op && op <= Op::SUDotAccSat
}

/// Emits a dot product before its instruction; `None` if its operands are not those of one, or the sum may not fit.
pub(super) fn write(module: &mut Module, shared: &mut Shared, inst: Inst) -> Option<Inst> {
    let op = module.op(inst);
    let result = Shape::of(module, module.ty(inst)?).filter(|shape| shape.count == 1 && !shape.is_float())?;
    let accumulates = matches!(op, Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat);
    let operands: Vec<Inst> = module.operands(inst).take(if accumulates { 3 } else { 2 }).collect();
    let writer = FormulaWriter::before(module, shared, inst);
    let values: Vec<Value<'_>> = operands.iter().map(|&operand| writer.existing(operand)).collect::<Option<_>>()?;
    let width = result.width();
    let (first, second) = match op {
        Op::UDot | Op::UDotAccSat => (Signedness::Unsigned, Signedness::Unsigned),
        Op::SUDot | Op::SUDotAccSat => (Signedness::Signed, Signedness::Unsigned),
        _ => (Signedness::Signed, Signedness::Signed),
    };
    let left = components(*values.first()?, width, first);
    let right = components(*values.get(1)?, width, second);
    let bits = if values[0].shape().count == 1 { 8 } else { values[0].shape().width() };
    let is_exact = 2 * bits + left.len().next_power_of_two().trailing_zeros() <= width;
    if left.len() != right.len() || accumulates && !is_exact {
        return None;
    }
    let products = left.into_iter().zip(right).map(|(left, right)| left * right);
    let sum = products.reduce(|sum, product| sum + product)?;
    let value = match values.get(2) {
        None => sum,
        Some(&accumulator) if first == Signedness::Unsigned => add_saturated(&[sum, accumulator]),
        Some(&accumulator) => signed_add_saturated(&[sum, accumulator]),
    };
    (value.shape() == result).then(|| value.inst())
}

/// The components of a vector, or the bytes of a word, extended to a width.
fn components(value: Value<'_>, width: u32, signedness: Signedness) -> Vec<Value<'_>> {
    match value.shape().count {
        1 => (0..4).map(|index| extend_byte(value >> (8 * index), width, signedness)).collect(),
        count => (0..count).map(|index| extend(value.component(index), width, signedness)).collect(),
    }
}

fn extend(part: Value<'_>, width: u32, signedness: Signedness) -> Value<'_> {
    match signedness {
        Signedness::Unsigned => part.to_width(width),
        Signedness::Signed => part.to_signed_width(width),
    }
}

fn extend_byte(word: Value<'_>, width: u32, signedness: Signedness) -> Value<'_> {
    let above = u64::from(word.shape().width() - 8);
    match signedness {
        Signedness::Unsigned => (word & 0xff).to_width(width),
        Signedness::Signed => (word << above).shift_right_signed(above).to_signed_width(width),
    }
}
