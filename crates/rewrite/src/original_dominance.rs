//! Dominance before a function was rewritten: where a value may still be needed.
//!
//! If `d` dominated a use, then so it did every block on the path from `d` to that use: a block on it that is reached around `d`
//! would let the use be reached around `d` too. So at a block of the original function that `d` did not dominate, nothing of what
//! `d` computes is ever asked for again, however the rewritten edges lead there. A repair that knows this stops at such blocks
//! with `undef`; without it, every value of a flattened loop body would be handed around all the loops outside, for paths that no
//! execution takes.
//!
//! *Requires* that a block of the original runs in the rewritten function exactly when it ran before, and that its uses still stand
//! in it or are reached from it through added blocks alone.

use reconverge_analysis::FlowGraph;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// The dominators of a function at the time this was computed.
#[derive(Debug)]
pub struct OriginalDominance {
    known: Option<(FlowGraph, DominatorTree)>,
    /// For blocks of the rewritten function that end in a jump on the path to blocks of the original: which those are.
    bound: FxHashMap<Block, Vec<Block>>,
    /// For blocks of the rewritten function that were none: the block of the original to whose end they belong.
    homes: FxHashMap<Block, Block>,
}

/// Where a value is still asked for, in blocks of the original. Nothing is known where that would take long.
#[derive(Debug, Default)]
pub struct Life {
    live: Option<FxHashSet<Block>>,
}

/// Most blocks that a value's life is followed through.
const LIFE: usize = 256;

impl OriginalDominance {
    /// Remembers dominance as it is now. Near-linear.
    pub fn compute(module: &Module, function: Function) -> OriginalDominance {
        let flow = FlowGraph::compute(module, function);
        let (_, dominators) = flow.dominators();
        OriginalDominance { known: Some((flow, dominators)), ..OriginalDominance::unknown() }
    }

    /// For a function of whose past nothing is known: every value may be asked for everywhere.
    pub fn unknown() -> OriginalDominance {
        OriginalDominance { known: None, bound: FxHashMap::default(), homes: FxHashMap::default() }
    }

    /// Says that from the end of `block` control goes to one of `targets`, blocks of the original, through added blocks alone.
    pub fn bind(&mut self, block: Block, targets: Vec<Block>) {
        self.bound.insert(block, targets);
    }

    /// Says that what an added `block` uses is used at the end of `home`, a block of the original.
    pub fn settle(&mut self, block: Block, home: Block) {
        self.homes.insert(block, home);
    }

    /// Where a value of `definition` is still asked for by users in these blocks. Linear in the blocks of its life, which are limited.
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

    /// Returns whether a value of `definition` is not asked for behind the jump of `block`.
    pub fn is_dead_behind(&self, definition: Block, life: &Life, block: Block) -> bool {
        let Some(targets) = self.bound.get(&block) else { return false };
        targets.iter().all(|&target| self.is_dead_at(definition, life, target))
    }

    /// Returns whether a value of `definition` is not asked for at `block` or behind it, until `definition` runs again. Constant time.
    pub fn is_dead_at(&self, definition: Block, life: &Life, block: Block) -> bool {
        let Some((flow, dominators)) = &self.known else { return false };
        match (flow.find(definition), flow.find(block)) {
            (Some(_), Some(_)) if life.live.as_ref().is_some_and(|live| !live.contains(&block)) => true,
            (Some(definition), Some(block)) => !dominators.dominates(definition, block),
            _ => false,
        }
    }
}
