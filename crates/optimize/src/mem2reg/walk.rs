//! The traversal of the dominator tree, and the current values of variables.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node};

/// A step of the traversal.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Enter(Node),
    /// The end of the subtree of a block.
    Leave,
}

/// The traversal of all blocks: unreachable blocks first, each by itself.
pub(super) fn steps(flow: &FlowGraph, dominators: &DominatorTree) -> Vec<Step> {
    let mut steps = Vec::with_capacity(2 * flow.graph().len());
    let mut pending = vec![Step::Enter(flow.graph().entry())];
    pending.extend(flow.graph().nodes().filter(|&node| !dominators.is_reachable(node)).map(Step::Enter));
    while let Some(step) = pending.pop() {
        steps.push(step);
        if let Step::Enter(node) = step {
            pending.push(Step::Leave);
            pending.extend(dominators.children(node).iter().rev().copied().map(Step::Enter));
        }
    }
    steps
}

/// The current value of each variable in the traversal, and the previous ones.
pub(super) struct Held<T> {
    current: Vec<T>,
    before: Vec<(usize, T)>,
    /// The number of recorded values when each open block was entered.
    marks: Vec<usize>,
}

impl<T: Copy> Held<T> {
    /// The value of each variable at the entry.
    pub(super) fn new(current: Vec<T>) -> Held<T> {
        Held { current, before: Vec::new(), marks: Vec::new() }
    }

    pub(super) fn of(&self, variable: usize) -> T {
        self.current[variable]
    }

    pub(super) fn hold(&mut self, variable: usize, value: T) {
        let held = std::mem::replace(&mut self.current[variable], value);
        self.before.push((variable, held));
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.before.len());
    }

    /// Restores the values from before the block was entered.
    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().expect("invariant: what is left was entered");
        for (variable, held) in self.before.drain(mark..).rev() {
            self.current[variable] = held;
        }
    }
}
