//! T0: every canonical graph up to a number of blocks, as a plan; a sample of them as programs.
//!
//! For each graph the structurizer terminates, the plan obeys every rule, its number of blocks is within the bound, and it follows the
//! graph in every state that decisions of any length lead to.

use reconverge_structurize::Options;

use super::plan::judge_plan;
use super::pool::{Effort, in_parallel};
use super::tally::Tally;
use crate::generators::exhaustive::beginnings;

/// The number of canonical graphs of 0, 1, … blocks with at most two successors.
pub const TWO_WAY: [u64; 7] = [0, 1, 2, 40, 1_000, 31_263, 1_169_194];

/// Checks every graph of exactly `count` blocks with at most `arity` successors, or one in `every`.
pub fn run(count: usize, arity: usize, every: usize, effort: &Effort) -> Tally {
    let parts = beginnings(count, arity, count / 2);
    let options = Options::default();
    in_parallel(parts.len(), effort, |part, worker| {
        let mut number = part;
        parts[part].for_each(|graph| {
            number += 1;
            if number.is_multiple_of(every) {
                worker.attempt(|| graph.to_string(), || judge_plan(&graph, &options));
            }
        });
    })
}
