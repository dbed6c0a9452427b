//! The call graph.

use reconverge_ir::{Inst, Module, view};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::{Extent, Layout};

/// The functions that each function calls.
pub(crate) struct Calls(FxHashMap<Inst, Vec<Inst>>);

impl Calls {
    /// The call graph of functions whose operands were checked. Linear in their instructions.
    pub(crate) fn of<'l>(module: &Module, layout: &'l Layout, functions: impl Iterator<Item = &'l Extent>) -> Calls {
        let callees = |extent: &Extent| {
            let calls = layout.lines(extent).iter().filter_map(|line| view::FunctionCall::of(module, line.inst));
            calls.map(|call| call.function).collect()
        };
        Calls(functions.map(|extent| (extent.function.inst(), callees(extent))).collect())
    }

    /// These functions, and all functions that they reach by calls.
    pub(crate) fn reached_from(&self, mut roots: Vec<Inst>) -> FxHashSet<Inst> {
        let mut reached = FxHashSet::default();
        while let Some(function) = roots.pop() {
            if reached.insert(function) {
                roots.extend(self.0.get(&function).into_iter().flatten());
            }
        }
        reached
    }
}
