//! Register pressure before and after code motion.

use std::collections::HashMap;

use reconverge::Step;
use reconverge::ir::{Function, Module};
use reconverge_analysis::FlowGraph;
use reconverge_analysis::liveness::Liveness;

/// The most values that live at once, before and after, of each function and time that code was moved in it.
#[derive(Default)]
pub(super) struct Pressures {
    last: HashMap<Function, u32>,
    pairs: Vec<(u32, u32)>,
}

impl Pressures {
    /// Looks at a module behind a pass.
    pub(super) fn observe(&mut self, step: &Step, module: &Module) {
        let highest: HashMap<Function, u32> = module
            .functions()
            .filter(|&function| module.entry(function).is_some())
            .map(|function| (function, highest(module, function)))
            .collect();
        if step.pass == "gcm" {
            let both = highest.iter().filter_map(|(function, &after)| Some((*self.last.get(function)?, after)));
            self.pairs.extend(both);
        }
        self.last = highest;
    }

    /// The pressures before and after.
    pub(super) fn pairs(self) -> Vec<(u32, u32)> {
        self.pairs
    }
}

fn highest(module: &Module, function: Function) -> u32 {
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    Liveness::compute(module, &flow, &dominators, |_| false).highest().total()
}

/// A line on how pressure is distributed.
pub(super) fn distribution(pairs: &[(u32, u32)]) -> String {
    let count =
        |is_it: &dyn Fn(u32, u32) -> bool| pairs.iter().filter(|&&(before, after)| is_it(before, after)).count();
    let more = |before: u32, after: u32| after * 10 > before * 11;
    let worst = pairs.iter().filter(|&&(before, after)| more(before, after)).map(|&(_, after)| after).max();
    format!(
        "values that live at once, {} functions: fewer in {}, as many in {}, up to a tenth more in {}, more in {} (at most {} values there)",
        pairs.len(),
        count(&|before, after| after < before),
        count(&|before, after| after == before),
        count(&|before, after| after > before && !more(before, after)),
        count(&more),
        worst.unwrap_or(0),
    )
}
