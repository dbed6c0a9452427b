//! Decorations that are given twice are given once.
//!
//! llvm-spirv writes `NoSignedWrap` and `NoUnsignedWrap` of some instructions twice, one time for the flag in LLVM's IR and one for its
//! metadata. Equal decorations are the same instruction here. Linear in the decorations.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;

use crate::repairs::{FrontEndFault, Repair};

/// Repairs the decorations of an instruction.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<Repair> {
    let notes = module.decorations(inst);
    let is_plain = |module: &Module, note: Inst| module.op(note) == Op::Decorate;
    let mut seen = FxHashSet::default();
    if notes.len() < 2 || notes.iter().all(|&note| !is_plain(module, note) || seen.insert(note)) {
        return None;
    }
    seen.clear();
    module.edit().retain_decorations(inst, |module, note| !is_plain(module, note) || seen.insert(note));
    Some(Repair { at: inst, fault: FrontEndFault::RepeatedDecoration })
}
