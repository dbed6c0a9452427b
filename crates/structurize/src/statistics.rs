//! Figures and explanations of a plan.

use std::collections::BTreeMap;
use std::fmt;

use crate::assemble::is_input;
use crate::plan::{Origin, Plan, PlanBlock};

/// Figures of a [`Plan`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Input blocks in the plan: the reachable ones.
    pub input_blocks: usize,
    /// All blocks of the plan.
    pub plan_blocks: usize,
    /// How many blocks were added for each kind of reason, by [`Reason::name`](crate::Reason::name).
    pub added: BTreeMap<&'static str, usize>,
    /// Blocks that take a selector.
    pub selectors: usize,
    /// Constructs nested at the deepest point.
    pub nesting_depth: u32,
    /// Whether the whole function went through the flat form because an argument failed.
    pub fell_back: bool,
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} → {} blocks, {} selectors, nesting {}",
            self.input_blocks, self.plan_blocks, self.selectors, self.nesting_depth
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
            nesting_depth: self.nesting_depth,
            fell_back: self.fell_back.is_some(),
        }
    }

    /// One line for each added block, then one for each assumption and for a fallback: what was done
    /// and what forced it.
    pub fn explain(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, block) in self.blocks.iter().enumerate() {
            if let Origin::Added(reason) = &block.origin {
                lines.push(format!("{}: {reason}", PlanBlock::new(index)));
            }
        }
        lines.extend(self.assumptions.iter().map(|assumption| format!("assumed: {assumption}")));
        lines.extend(self.fell_back.iter().map(|fallback| fallback.to_string()));
        lines
    }
}
