//! Undefined values at module level, by type.
//!
//! `undef` is not hoistable: two of one type in the input stay two. So a pass that needs one would search all globals, for each function
//! that it runs on: quadratic in modules of many functions. This table has them.
//!
//! *Invariant*: every `undef` at module level is in the list of its type. A list may also contain instructions that are no longer `undef`;
//! lookups check that.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Inst, Module, Op};

/// Undefined values by type, each list in the order in which they came.
pub(crate) type Undefs = FxHashMap<Inst, SmallVec<[Inst; 1]>>;

/// Adds an instruction to the list of its type, if it is an undefined value at module level.
pub(crate) fn note(module: &mut Module, inst: Inst) {
    if module.op(inst) != Op::Undef || module.parent(inst) != Some(module.root()) {
        return;
    }
    let Some(ty) = module.ty(inst) else { return };
    let mut list = module.undefs.remove(&ty).unwrap_or_default();
    list.retain(|&mut other| other != inst && is_of(module, other, ty));
    list.push(inst);
    module.undefs.insert(ty, list);
}

fn is_of(module: &Module, inst: Inst, ty: Inst) -> bool {
    module.is_live(inst)
        && module.op(inst) == Op::Undef
        && module.ty(inst) == Some(ty)
        && module.parent(inst) == Some(module.root())
}

impl Module {
    /// The first undefined value of a type at module level. Constant time.
    pub fn undef(&self, ty: Inst) -> Option<Inst> {
        self.undefs.get(&ty)?.iter().copied().find(|&inst| is_of(self, inst, ty))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Builder, Module, Op};

    #[test]
    fn an_undefined_value_is_found_by_its_type_as_long_as_it_is_there() {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let [narrow, wide] = [32, 64].map(|width| build.int_type(width));
        let first = build.editor().append_global(Op::Undef, Some(narrow), &[]);
        let second = build.editor().append_global(Op::Undef, Some(narrow), &[]);
        assert_eq!((module.undef(narrow), module.undef(wide)), (Some(first), None));
        module.edit().set_type(first, wide);
        assert_eq!((module.undef(narrow), module.undef(wide)), (Some(second), Some(first)));
        module.edit().delete(first);
        assert_eq!((module.undef(narrow), module.undef(wide)), (Some(second), None));
    }
}
