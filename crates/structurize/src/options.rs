//! Options of the structurizer.

use crate::Policy;

/// Options of the structurizer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The maximal nesting depth of constructs. Code that would nest deeper is flattened. SPIR-V allows 1023 and WGSL 127; drivers and
    /// validators slow down superlinearly with depth, hence the default of 64. The limit is exact from 3 on, which a flat function with
    /// switches needs; less is treated as 3, and 0 flattens every function that branches.
    pub nesting_limit: u32,
    /// The maximal depth of a ladder of two-way branches to one join; deeper ladders get a scope, which makes them flat.
    pub chain_limit: u32,
    /// The maximal number of blocks, in the input and in the plan.
    pub block_limit: usize,
    /// The rule that determines where lanes reconverge.
    pub merges: MergeRule,
    /// The place of a convergent block before a break, if no hint determines it.
    pub break_blocks: BreakBlocks,
    /// The exits that constructs may have, for the consumer of the output.
    pub policy: Policy,
    /// The maximal number of instructions of a block that may be copied to avoid the dispatch of an irreducible cycle; 0 copies nothing.
    /// This is for the owner of the blocks: [`structurize()`](crate::structurize()) itself copies none, [`split_nodes`](crate::split_nodes) is a step before it.
    pub split_blocks: u32,
}

/// The rule that determines where lanes reconverge.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum MergeRule {
    /// The hints of the input ([`ControlFlow::hints`](crate::ControlFlow::hints)), and the rule for bare graphs for blocks without hints.
    #[default]
    Hints,
    /// Only the rule for bare graphs: lanes that are in the same iterations of the enclosing loops reconverge at every join, so that each
    /// nearest common post-dominator is a merge.
    PostDominators,
}

/// The place of a convergent block that is entered from inside a loop, by one edge, and from which control does not return: before the
/// break, or after the loop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum BreakBlocks {
    /// After the loop if this is the regular exit: the block is the only one that edges out of the loop lead to, or is entered from the
    /// header or the only latch. Before the break otherwise.
    #[default]
    Ordinary,
    /// Before the break, unless it is the only block that edges out of the loop lead to, or the exit of its only latch (`do … while`).
    Inside,
    /// After the loop.
    Outside,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nesting_limit: 64,
            chain_limit: 6,
            block_limit: 4_194_303,
            merges: MergeRule::default(),
            break_blocks: BreakBlocks::default(),
            policy: Policy::default(),
            split_blocks: 0,
        }
    }
}

impl Options {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`nesting_limit`](Self#structfield.nesting_limit).
    #[must_use]
    pub const fn nesting_limit(mut self, nesting_limit: u32) -> Self {
        self.nesting_limit = nesting_limit;
        self
    }

    /// Sets [`chain_limit`](Self#structfield.chain_limit).
    #[must_use]
    pub const fn chain_limit(mut self, chain_limit: u32) -> Self {
        self.chain_limit = chain_limit;
        self
    }

    /// Sets [`block_limit`](Self#structfield.block_limit).
    #[must_use]
    pub const fn block_limit(mut self, block_limit: usize) -> Self {
        self.block_limit = block_limit;
        self
    }

    /// Sets [`merges`](Self#structfield.merges).
    #[must_use]
    pub const fn merges(mut self, merges: MergeRule) -> Self {
        self.merges = merges;
        self
    }

    /// Sets [`break_blocks`](Self#structfield.break_blocks).
    #[must_use]
    pub const fn break_blocks(mut self, break_blocks: BreakBlocks) -> Self {
        self.break_blocks = break_blocks;
        self
    }

    /// Sets [`policy`](Self#structfield.policy).
    #[must_use]
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets [`split_blocks`](Self#structfield.split_blocks).
    #[must_use]
    pub const fn split_blocks(mut self, split_blocks: u32) -> Self {
        self.split_blocks = split_blocks;
        self
    }
}
