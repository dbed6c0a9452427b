//! One `undef` a type, at module level.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;

/// Undefined values made so far.
#[derive(Debug, Default)]
pub struct Undefs {
    by_type: FxHashMap<Inst, Inst>,
}

impl Undefs {
    /// The undefined value of a type.
    pub fn undef(&mut self, module: &mut Module, ty: Inst) -> Inst {
        *self.by_type.entry(ty).or_insert_with(|| {
            module.undef(ty).unwrap_or_else(|| module.edit().append_global(Op::Undef, Some(ty), &[]))
        })
    }
}
