//! What single instructions allow a pass that merges or moves them.

use reconverge_ir::{Class, Inst, Module, Op, Shape};

use crate::effects;

/// What an instruction allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mobility {
    /// It stays where it is.
    Pinned,
    /// A function of its operands, defined for all of them.
    Free,
    /// A function of its operands that is not defined for all of them: it must not run where it would not have run.
    MayTrap,
    /// Takes differences to neighbouring lanes: it must run with the lanes it ran with, or with more.
    Derivative,
}

/// What an instruction allows.
pub(crate) fn mobility(module: &Module, inst: Inst, op: Op) -> Mobility {
    if op == Op::ExtInst {
        return if is_pure_extended(module, inst) { Mobility::Free } else { Mobility::Pinned };
    }
    let is_value = op.shape() == Shape::Typed
        && !matches!(op.class(), Class::Structure | Class::Constant | Class::Terminator | Class::Opaque)
        && !matches!(op, Op::SampledImage | Op::ImageTexelPointer);
    let effects = op.effects();
    match () {
        () if !is_value => Mobility::Pinned,
        () if effects.is_pure() && holds_plain_values(module, inst, op) => Mobility::Free,
        () if effects == reconverge_ir::Effects::TRAPS => Mobility::MayTrap,
        () if op.class() == Class::Derivative => Mobility::Derivative,
        () => Mobility::Pinned,
    }
}

/// Whether an op that takes values of any type apart or hands them on has a result that may stand anywhere: no image or sampler,
/// and nothing that lanes hold together.
fn holds_plain_values(module: &Module, inst: Inst, op: Op) -> bool {
    let takes_any = op.class() == Class::Composite || matches!(op, Op::Select | Op::Undef | Op::ExpectKHR | Op::Image);
    !takes_any || module.ty(inst).is_some_and(|ty| is_plain_type(module, ty))
}

/// Whether values of a type are plain data or addresses: no handles, and nothing that lanes hold together.
fn is_plain_type(module: &Module, ty: Inst) -> bool {
    let mut pending: smallvec::SmallVec<[Inst; 8]> = smallvec::smallvec![ty];
    while let Some(ty) = pending.pop() {
        match module.op(ty) {
            Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer | Op::TypeVector | Op::TypeMatrix => {}
            Op::TypeArray => pending.push(module.operand(ty, 0)),
            Op::TypeStruct => pending.extend(module.operands(ty)),
            _ => return false,
        }
    }
    true
}

/// Whether an extended instruction is a function of its operands: of a set that is known, without a pointer among them.
fn is_pure_extended(module: &Module, inst: Inst) -> bool {
    let set = module.operand(inst, 0);
    let is_known = module.op(set) == Op::ExtInstImport
        && matches!(module.literal_text(module.operand(set, 0)).as_str(), "GLSL.std.450" | "OpenCL.std");
    let mut types = module.operands(inst).skip(2).filter_map(|operand| module.ty(operand));
    is_known && !effects::has_effect(module, inst) && !types.any(|ty| module.op(ty) == Op::TypePointer)
}
