//! What decorations say about an instruction that takes the place of others.
//!
//! | kind | examples | on the instruction that stays |
//! |---|---|---|
//! | promise or permission | `NoSignedWrap`, `RelaxedPrecision`, `FPFastMathMode` | only if all had it |
//! | anything else | `NoContraction`, `NonUniform`, alignments | all must have the same, or they are not merged |
//! | name | | that of the instruction that stays |

use reconverge_ir::{Inst, Module, Op};

/// Decorations that only ever allow more: leaving one out is always right.
const PERMISSIONS: [u32; 4] = [
    spirv::Decoration::RelaxedPrecision as u32,
    spirv::Decoration::FPFastMathMode as u32,
    spirv::Decoration::NoSignedWrap as u32,
    spirv::Decoration::NoUnsignedWrap as u32,
];

/// Whether the decorations of two instructions allow one of them to take the place of both.
pub(super) fn agree(module: &Module, left: Inst, right: Inst) -> bool {
    let (left, right) = (module.decorations(left), module.decorations(right));
    if left.is_empty() && right.is_empty() {
        return true;
    }
    let binds = |list: &[Inst], other: &[Inst]| {
        list.iter().all(|decoration| is_optional(module, *decoration) || other.contains(decoration))
    };
    binds(left, right) && binds(right, left)
}

/// Takes from an instruction the permissions that another one, which it replaces, does not have.
pub(super) fn intersect(module: &mut Module, stays: Inst, goes: Inst) {
    let is_shared = |module: &Module, decoration: Inst| {
        module.op(decoration) == Op::Name || module.decorations(goes).contains(&decoration)
    };
    if module.decorations(stays).iter().all(|&decoration| is_shared(module, decoration)) {
        return;
    }
    module.edit().retain_decorations(stays, |module, decoration| is_shared(module, decoration));
}

/// Whether a decoration is a name or a permission.
fn is_optional(module: &Module, decoration: Inst) -> bool {
    match module.op(decoration) {
        Op::Name => true,
        Op::Decorate => {
            let word = module.operands(decoration).next().and_then(|word| module.literal_word(word));
            word.is_some_and(|word| PERMISSIONS.contains(&word))
        }
        _ => false,
    }
}
