//! Dominance before a function was rewritten, which bounds the blocks where a value may still be used.
//!
//! If `d` dominated a use, it dominated every block on the paths from `d` to that use: if such a block were reached around `d`, then so
//! would be the use. So at a block of the original function that `d` did not dominate, no value of `d` is used later, wherever the
//! rewritten edges lead. A repair stops at such blocks with `undef`. Without this rule, every value of a flattened loop body would be
//! passed around all outer loops, for paths that no execution takes.
//!
//! *Requires* that a block of the original is executed in the rewritten function exactly when it was executed before, and that its uses are
//! still in it, or in added blocks on the paths to it.

use reconverge_analysis::FlowGraph;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// The dominators of a function at the time this was computed.
#[derive(Debug)]
pub struct OriginalDominance {
    known: Option<(FlowGraph, DominatorTree)>,
    /// For each block of the rewritten function that ends in a jump through added blocks: the blocks of the original that it leads to.
    bound: FxHashMap<Block, Vec<Block>>,
    /// For each added block: the block of the original at whose end it is executed.
    homes: FxHashMap<Block, Block>,
}

/// The blocks of the original in which a value is still used later. `None` if there are more than `LIFE`.
#[derive(Debug, Default)]
pub struct Life {
    live: Option<FxHashSet<Block>>,
}

/// The maximum number of blocks of a life.
const LIFE: usize = 256;

impl OriginalDominance {
    /// Records the current dominance. Near-linear.
    pub fn compute(module: &Module, function: Function) -> OriginalDominance {
        let flow = FlowGraph::compute(module, function);
        let (_, dominators) = flow.dominators();
        OriginalDominance { known: Some((flow, dominators)), ..OriginalDominance::unknown() }
    }

    /// For a function whose original is unknown: every value may be used everywhere.
    pub fn unknown() -> OriginalDominance {
        OriginalDominance { known: None, bound: FxHashMap::default(), homes: FxHashMap::default() }
    }

    /// Records that control goes from the end of `block` to one of `targets`, blocks of the original, through added blocks alone.
    pub fn bind(&mut self, block: Block, targets: Vec<Block>) {
        self.bound.insert(block, targets);
    }

    /// Records that an added `block` is executed at the end of `home`, a block of the original, so that its uses count there.
    pub fn settle(&mut self, block: Block, home: Block) {
        self.homes.insert(block, home);
    }

    /// Computes the blocks in which a value of `definition` is still used by users in these blocks. Linear in the blocks, which are
    /// limited.
    pub fn life(&self, definition: Block, users: impl Iterator<Item = Option<Block>>) -> Life {
        let Some((flow, _)) = &self.known else { return Life::default() };
        let Some(defining) = flow.find(definition) else { return Life::default() };
        let (mut live, mut pending) = (FxHashSet::default(), Vec::new());
        for user in users {
            let at_home = user.and_then(|user| flow.find(*self.homes.get(&user).unwrap_or(&user)));
            let Some(node) = at_home else { return Life::default() };
            pending.push(node);
        }
        while let Some(node) = pending.pop() {
            if node == defining || !live.insert(flow.block(node)) {
                continue;
            }
            if live.len() > LIFE {
                return Life::default();
            }
            pending.extend(flow.graph().predecessors(node));
        }
        Life { live: Some(live) }
    }

    /// Returns whether a value of `definition` is not used after the jump of `block`.
    pub fn is_dead_behind(&self, definition: Block, life: &Life, block: Block) -> bool {
        let Some(targets) = self.bound.get(&block) else { return false };
        targets.iter().all(|&target| self.is_dead_at(definition, life, target))
    }

    /// Returns whether a value of `definition` is not used at or after `block` before `definition` is executed again. Constant time.
    pub fn is_dead_at(&self, definition: Block, life: &Life, block: Block) -> bool {
        let Some((flow, dominators)) = &self.known else { return false };
        match (flow.find(definition), flow.find(block)) {
            (Some(_), Some(_)) if life.live.as_ref().is_some_and(|live| !live.contains(&block)) => true,
            (Some(definition), Some(block)) => !dominators.dominates(definition, block),
            _ => false,
        }
    }
}
