//! Instructions of SPIR-V that Vulkan lacks, or lacks for some widths.

use reconverge_ir::{Inst, Module, Op};

use super::table::{Form, Formula};
use super::{bit_field, integer, relational, remainder};
use crate::formula::Shape;

/// The formula for an instruction that Vulkan or drivers lack, and where it is emitted; `None` for every other instruction.
pub(super) fn formula(module: &Module, inst: Inst) -> Option<(Form, Formula)> {
    let formula: Formula = match module.op(inst) {
        Op::IsFinite => relational::is_finite,
        Op::IsNormal => relational::is_normal,
        Op::SignBitSet => relational::has_sign,
        Op::LessOrGreater => relational::is_less_or_greater,
        Op::Ordered => relational::is_ordered,
        Op::Unordered => relational::is_unordered,
        Op::BitCount if !is_word(module, inst) => integer::count_ones,
        Op::BitReverse if !is_word(module, inst) => integer::reverse_bits,
        Op::BitFieldInsert if !is_word(module, inst) => bit_field::insert,
        Op::BitFieldUExtract if !is_word(module, inst) => bit_field::extract,
        Op::BitFieldSExtract if !is_word(module, inst) => bit_field::signed_extract,
        Op::ExpectKHR => integer::same,
        // clang emits conversions to the same width.
        Op::SConvert | Op::UConvert if is_idle(module, inst) => integer::same,
        Op::SMod => integer::signed_modulo,
        Op::FRem => return Some((Form::Function, remainder::of_truncated)),
        Op::FMod => return Some((Form::Function, remainder::of_floored)),
        _ => return None,
    };
    Some((Form::InPlace, formula))
}

/// Returns whether the operand of a conversion already has the result type.
fn is_idle(module: &Module, inst: Inst) -> bool {
    module.operands(inst).next().is_some_and(|operand| module.ty(operand) == module.ty(inst))
}

/// Returns whether the operand has 32 bits.
fn is_word(module: &Module, inst: Inst) -> bool {
    let operand = module.operands(inst).next();
    let shape = operand.and_then(|operand| module.ty(operand)).and_then(|ty| Shape::of(module, ty));
    shape.is_none_or(|shape| shape.width() == 32)
}
