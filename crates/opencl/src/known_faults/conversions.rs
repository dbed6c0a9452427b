//! Conversions between floats of one width become copies (SPIR-V section 3.3.11: `OpFConvert` changes the width), and conversions between
//! integers lose their rounding mode, which they cannot have (section 3.20, `FPRoundingMode`).

use reconverge_ir::decoration::{self, Note};
use reconverge_ir::{Inst, Module, Op, Position, view};
use spirv::Decoration;

use crate::repairs::FrontEndFault;

/// Repairs a conversion.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    match module.op(inst) {
        Op::FConvert => copy_idle(module, inst),
        Op::SConvert | Op::UConvert | Op::SatConvertSToU | Op::SatConvertUToS => drop_rounding(module, inst),
        _ => None,
    }
}

fn drop_rounding(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    module.decorated(inst).find::<decoration::FPRoundingMode>()?;
    let is_mode = |note: Note<'_>| note.is(Decoration::FPRoundingMode);
    module.edit().retain_decorations(inst, |module, note| !Note::of(module, note).is_some_and(is_mode));
    Some(FrontEndFault::RoundingOfIntegers)
}

/// Replaces a conversion between equal types.
fn copy_idle(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    let view::Unary { operand } = view::Unary::of(module, inst)?;
    let ty = module.ty(inst).filter(|&ty| module.ty(operand) == Some(ty))?;
    let location = module.explicit_location(inst);
    let mut editor = module.edit();
    let copy = editor.insert(Position::Before(inst), Op::CopyObject, Some(ty), &[operand]);
    editor.set_location(copy, location);
    editor.replace_all_uses(inst, copy);
    editor.delete(inst);
    Some(FrontEndFault::IdleConversion)
}
