//! The tree of definitions of each chain, and the first definition below a state on the path to a block.
//!
//! A state's children are the states whose definitions have its own as the nearest that dominates them. Neither of two children dominates
//! the other, so the subtrees of the dominator tree below them are disjoint, and adjacent in its preorder: at most one child is above a
//! block, and bisection finds it.

use reconverge_graph::Grouped;

use super::joins::Beginning;

/// The trees of all chains.
#[derive(Debug)]
pub(super) struct Reach {
    children: Grouped<u32>,
    /// By chain, the states that begin with a write or a join, by position.
    by_chain: Grouped<u32>,
}

impl Reach {
    /// Sorts states under their parents. O(states · log states).
    pub(super) fn compute(beginnings: &[Beginning], chains: u32) -> Reach {
        let is_first = |state: u32| beginnings[state as usize].parent == state;
        let mut states: Vec<u32> = (0..beginnings.len() as u32).filter(|&state| !is_first(state)).collect();
        states.sort_by_key(|&state| beginnings[state as usize].position);
        let pairs = states.iter().map(|&state| (beginnings[state as usize].parent, state));
        let children = Grouped::compute(beginnings.len(), pairs);
        let chained = states.iter().filter_map(|&state| Some((beginnings[state as usize].chain?, state)));
        Reach { children, by_chain: Grouped::compute(chains as usize, chained) }
    }

    /// The states that begin directly below a state, by position.
    pub(super) fn children(&self, state: u32) -> &[u32] {
        self.children.list(state as usize)
    }

    /// The states of a chain that begin with a write or a join, by position.
    pub(super) fn of_chain(&self, chain: u32) -> &[u32] {
        self.by_chain.list(chain as usize)
    }
}
