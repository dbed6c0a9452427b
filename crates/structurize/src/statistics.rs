//! Figures and explanations of a plan.

use std::collections::BTreeMap;
use std::fmt;

use crate::assemble::is_input;
use crate::plan::{Block, Merge, Origin, Plan, PlanBlock, Terminator, Test};

/// Figures of a [`Plan`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Input blocks in the plan: the reachable ones.
    pub input_blocks: usize,
    /// All blocks of the plan.
    pub plan_blocks: usize,
    /// The number of added blocks for each kind of reason, by [`Reason::name`](crate::Reason::name).
    pub added: BTreeMap<&'static str, usize>,
    /// Blocks that take a selector.
    pub selectors: usize,
    /// Switches that serve only as scopes.
    pub one_trip: usize,
    /// The nesting depth, counting only constructs of branches and loops of the input.
    pub input_nesting: u32,
    /// The nesting depth.
    pub nesting_depth: u32,
    /// True if the whole function is in flat form because an argument failed.
    pub fell_back: bool,
}

/// `20 → 23 blocks, 1 selector, 1 one-trip construct, nesting 2 → 3, 1 latch, 2 merge dispatch`
impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} → {} blocks, {} selector{}, {} one-trip construct{}, nesting {} → {}",
            self.input_blocks,
            self.plan_blocks,
            self.selectors,
            if self.selectors == 1 { "" } else { "s" },
            self.one_trip,
            if self.one_trip == 1 { "" } else { "s" },
            self.input_nesting,
            self.nesting_depth
        )?;
        for (name, count) in &self.added {
            write!(formatter, ", {count} {name}")?;
        }
        Ok(())
    }
}

impl Plan {
    /// Counts the plan. Linear.
    pub fn statistics(&self) -> Statistics {
        let mut added = BTreeMap::new();
        for block in &self.blocks {
            if let Origin::Added(reason) = &block.origin {
                *added.entry(reason.name()).or_insert(0) += 1;
            }
        }
        Statistics {
            input_blocks: self.blocks.iter().filter(|block| is_input(block)).count(),
            plan_blocks: self.blocks.len(),
            added,
            selectors: self.blocks.iter().filter(|block| block.has_selector).count(),
            one_trip: self.blocks.iter().filter(|block| is_scope(block)).count(),
            input_nesting: self.deepest(|block| is_input(block) && !is_scope(block)),
            nesting_depth: self.nesting_depth,
            fell_back: self.fell_back.is_some(),
        }
    }

    /// The maximal number of constructs around a block, counting those whose headers satisfy `counts`. A construct extends from its header
    /// to before its merge.
    fn deepest(&self, counts: impl Fn(&Block) -> bool) -> u32 {
        let mut ends = vec![0; self.blocks.len()];
        let (mut depth, mut deepest) = (0_u32, 0);
        for (index, block) in self.blocks.iter().enumerate() {
            depth -= ends[index];
            let (Merge::Selection { merge } | Merge::Loop { merge, .. }) = block.merge else { continue };
            if counts(block) {
                depth += 1;
                ends[merge.index()] += 1;
                deepest = deepest.max(depth);
            }
        }
        deepest
    }

    /// The reason for an added block or a scope: its name, and a sentence. `None` for blocks of the input, except for those that open a
    /// scope.
    pub fn reason(&self, block: PlanBlock) -> Option<(&'static str, String)> {
        let planned = &self.blocks[block.index()];
        match (&planned.origin, planned.merge) {
            (Origin::Added(reason), _) => Some((reason.name(), reason.to_string())),
            (Origin::Input(input), Merge::Selection { merge }) if is_scope(planned) => Some((
                "scope",
                format!("scope on {input}: edges inside it leave several selections at once to {merge}"),
            )),
            _ => None,
        }
    }

    /// One line for each added block and each scope on a block of the input, then one for each assumption and for a fallback, with the
    /// reason.
    pub fn explain(&self) -> Vec<String> {
        let blocks = (0..self.blocks.len()).map(PlanBlock::new);
        let told = blocks.filter_map(|block| Some(format!("{block}: {}", self.reason(block)?.1)));
        let mut lines: Vec<String> = told.collect();
        lines.extend(self.assumptions.iter().map(|assumption| format!("assumed: {assumption}")));
        lines.extend(self.fell_back.iter().map(|fallback| fallback.to_string()));
        lines
    }
}

fn is_scope(block: &Block) -> bool {
    matches!(block.terminator, Terminator::Switch { test: Test::Zero, .. })
}
