//! Gives operations on signed numbers operands and results of signed types.
//!
//! ```text
//! %f = convert_s_to_f %x: u32            %s: i32 = bitcast %x;  %f = convert_s_to_f %s
//! %n: u32 = convert_f_to_s %f       ⇒    %s: i32 = convert_f_to_s %f;  %n: u32 = bitcast %s
//! %m: u32 = s_max %x, %y                 %m: u32 = bitcast (s_max (bitcast %x), (bitcast %y))
//! ```
//!
//! Reason: the operation determines the result, not the signedness of the type; kernels have only unsigned types. But the optimizer of
//! SPIRV-Tools, which some drivers run, folds these operations on constants by the signedness of the type: −2 is then converted as
//! 4294967294. The casts cost nothing on devices.
//!
//! *Requires* nothing. *Preserves* every value. Operations with signed types stay. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Inst, Module, Op, Position, Signedness};
use spirv::GlslStd450Op as Glsl;

use super::Context;
use super::scalars::vector_type;

/// Gives operations on signed numbers signed types. Returns whether anything changed.
///
/// # Errors
/// None.
pub fn signed_operands(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let all: Vec<Inst> = instructions.filter(|&inst| first_operand(module, inst).is_some()).collect();
    let mut changed = false;
    for inst in all {
        changed |= sign_operands(module, inst);
        changed |= sign_result(module, inst);
    }
    Ok(changed)
}

/// The index of the first integer operand, if the operation treats its operands or its result as signed.
fn first_operand(module: &Module, inst: Inst) -> Option<usize> {
    match module.op(inst) {
        Op::ConvertSToF | Op::ConvertFToS => Some(view::ConvertSToF::SLOT.operand),
        _ => match module.glsl_op(inst)? {
            Glsl::SMin | Glsl::SMax | Glsl::SClamp => Some(view::ExtInst::SLOT.operands),
            _ => None,
        },
    }
}

fn sign_operands(module: &mut Module, inst: Inst) -> bool {
    let first = first_operand(module, inst).expect("invariant: only such operations were gathered");
    let mut changed = false;
    for index in first..module.operand_count(inst) {
        let value = module.operand(inst, index);
        let mut build = Builder::new(module);
        build.before(inst);
        if let Some(ty) = signed_type(&mut build, value) {
            let signed = build.bitcast(ty, &[value]);
            build.editor().set_operand(inst, index, signed);
            changed = true;
        }
    }
    changed
}

fn sign_result(module: &mut Module, inst: Inst) -> bool {
    let ty = module.ty(inst);
    let mut build = Builder::new(module);
    build.before(inst);
    let Some(signed) = signed_type(&mut build, inst) else { return false };
    let uses: Vec<_> = build.module().uses(inst).collect();
    let mut editor = module.edit();
    editor.set_type(inst, signed);
    let cast = editor.insert(Position::After(inst), Op::Bitcast, ty, &[inst]);
    for used in uses {
        if let reconverge_ir::Slot::Operand(index) = used.slot {
            editor.set_operand(used.user, index, cast);
        }
    }
    true
}

/// The signed type for a value of unsigned type; `None` for all others.
fn signed_type(build: &mut Builder<'_>, value: Inst) -> Option<Inst> {
    let module = build.module();
    let (component, count) = module.components(module.ty(value)?);
    let TypeView::Int { width, is_signed: false } = module.type_view(component)? else { return None };
    let signed = build.int_type_of(width, Signedness::Signed);
    Some(vector_type(build, signed, count))
}
