//! Conversions between floats of one width become copies (SPIR-V section 3.3.11: `OpFConvert` changes the width).

use reconverge_ir::{Inst, Module, Op, Position, view};

use crate::repairs::FrontEndFault;

/// Repairs a conversion between equal types.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    if module.op(inst) != Op::FConvert {
        return None;
    }
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
