//! Guarantees of decorations, and which of them remain when an instruction replaces others or moves.
//!
//! | kind | examples | on the instruction that stays |
//! |---|---|---|
//! | promise or permission | `NoSignedWrap`, `RelaxedPrecision`, `FPFastMathMode` | only if all had it |
//! | anything else | `NoContraction`, `NonUniform`, alignments | all must have the same, or they are not merged |
//! | name | | that of the instruction that stays |
//!
//! A guarantee about the operands applies where the instruction runs; where it did not run before, it may not hold.

use reconverge_ir::decoration::Note;
use reconverge_ir::{Enumerant, Inst, Module, Op};
use spirv::Decoration;

/// Decorations that guarantee something about the operands of an instruction.
const PROMISES: [Decoration; 2] = [Decoration::NoSignedWrap, Decoration::NoUnsignedWrap];
/// Decorations that only permit more: removing one is always valid.
const PERMISSIONS: [Decoration; 4] =
    [Decoration::RelaxedPrecision, Decoration::FPFastMathMode, Decoration::NoSignedWrap, Decoration::NoUnsignedWrap];

/// Returns whether one of two instructions may replace both, as far as decorations are concerned.
pub fn agree(module: &Module, left: Inst, right: Inst) -> bool {
    let (left, right) = (module.decorations(left), module.decorations(right));
    if left.is_empty() && right.is_empty() {
        return true;
    }
    let binds = |list: &[Inst], other: &[Inst]| {
        list.iter().all(|decoration| is_optional(module, *decoration) || other.contains(decoration))
    };
    binds(left, right) && binds(right, left)
}

/// Returns whether a value without decorations may replace an instruction.
pub fn is_free(module: &Module, inst: Inst) -> bool {
    module.decorations(inst).iter().all(|&decoration| is_optional(module, decoration))
}

/// Removes the permissions of an instruction that another one, which it replaces, does not have.
pub fn intersect(module: &mut Module, stays: Inst, goes: Inst) {
    let is_shared = |module: &Module, decoration: Inst| {
        module.op(decoration) == Op::Name || module.decorations(goes).contains(&decoration)
    };
    if module.decorations(stays).iter().all(|&decoration| is_shared(module, decoration)) {
        return;
    }
    module.edit().retain_decorations(stays, |module, decoration| is_shared(module, decoration));
}

/// Returns whether any instruction of a module may guarantee something about its operands: whether the literals for it exist. Constant
/// time, while a query for each instruction reads all its decorations.
pub fn may_be_made(module: &Module) -> bool {
    PROMISES.iter().any(|kind| module.find_word(kind.word()).is_some())
}

/// Removes what an instruction guarantees about its operands, since it will be executed where it was not executed before.
pub fn forget(module: &mut Module, inst: Inst) {
    let is_promise =
        |module: &Module, decoration| kind(module, decoration).is_some_and(|kind| PROMISES.contains(&kind));
    if module.decorations(inst).iter().any(|&decoration| is_promise(module, decoration)) {
        module.edit().retain_decorations(inst, |module, decoration| !is_promise(module, decoration));
    }
}

/// Returns whether a decoration is a name or a permission.
fn is_optional(module: &Module, decoration: Inst) -> bool {
    module.op(decoration) == Op::Name || kind(module, decoration).is_some_and(|kind| PERMISSIONS.contains(&kind))
}

fn kind(module: &Module, decoration: Inst) -> Option<Decoration> {
    Note::of(module, decoration)?.kind()
}
