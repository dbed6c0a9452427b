//! Instructions of SPIR-V itself that Vulkan does not have, or not for every width.

use reconverge_ir::{Inst, Module, Op};

use super::shape::Shape;
use super::table::Formula;
use super::{integer, relational};

/// The formula for an instruction that Vulkan does not have; `None` for one that it has.
pub(super) fn formula(module: &Module, inst: Inst) -> Option<Formula> {
    Some(match module.op(inst) {
        Op::IsFinite => relational::is_finite,
        Op::IsNormal => relational::is_normal,
        Op::SignBitSet => relational::has_sign,
        Op::LessOrGreater => relational::is_less_or_greater,
        Op::Ordered => relational::is_ordered,
        Op::Unordered => relational::is_unordered,
        Op::BitCount if !is_word(module, inst) => count_ones_to_result(module, inst)?,
        Op::BitReverse if !is_word(module, inst) => integer::reverse_bits,
        Op::ExpectKHR => integer::same,
        _ => return None,
    })
}

/// Whether the operand is of 32 bits.
fn is_word(module: &Module, inst: Inst) -> bool {
    operand_shape(module, inst).is_none_or(|shape| shape.width() == 32)
}

fn operand_shape(module: &Module, inst: Inst) -> Option<Shape> {
    let operand = module.operands(inst).next()?;
    Shape::of(module, module.ty(operand)?)
}

/// The count has the width of the result, which may be another than that of the operand.
fn count_ones_to_result(module: &Module, inst: Inst) -> Option<Formula> {
    let result = Shape::of(module, module.ty(inst)?)?;
    (operand_shape(module, inst)?.width() == result.width()).then_some(integer::count_ones)
}
