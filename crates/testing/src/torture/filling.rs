//! T1: random graphs of 10 to 200 blocks, every other one mutated so that it is mostly irreducible.
//!
//! All of them as plans; one in `APPLIED` also as a program, which is structurized, verified, compared with the original under walks that
//! take every edge, and validated by spirv-val if it is installed. One in eight has unusual limits; one in five has random hints and
//! convergent blocks, which may change the plan but not its correctness.

use reconverge_structurize::{BreakBlocks, Options};

use super::plan::{Verdict, judge_hinted, judge_plan};
use super::pool::{Effort, Worker, in_parallel};
use super::tally::{Fault, FaultKind, Tally};
use crate::generators::tortured::tortured;
use crate::judge::Validator;
use crate::plain_graph::PlainGraph;
use crate::random::mix;
use crate::trial::trial;

/// Graphs in one unit of work.
const PIECE: u64 = 200;
/// One graph in this number becomes a program.
const APPLIED: u64 = 400;

/// Checks the graphs of seeds from the effort's seed times 2³² on.
pub fn run(effort: &Effort, validator: Option<&Validator>) -> Tally {
    let pieces = usize::try_from(effort.tries.div_ceil(PIECE)).unwrap_or(usize::MAX);
    in_parallel(pieces, effort, |piece, worker| {
        let first = (effort.seed << 32) + piece as u64 * PIECE;
        let seeds = first..first + PIECE.min(effort.tries - piece as u64 * PIECE);
        for seed in seeds.clone() {
            let (graph, options) = (graph(seed), options(seed));
            let describe = || format!("seed {seed}, {options:?}\n  {graph}");
            if seed % 5 == 4 {
                worker.tally.count("with hints", 1);
                worker.attempt(describe, || judge_hinted(&graph, seed, &options));
            } else {
                worker.attempt(describe, || judge_plan(&graph, &options));
            }
        }
        apply(worker, seeds.filter(|seed| mix(!seed).is_multiple_of(APPLIED)), validator);
    })
}

/// The graph of a seed.
pub fn graph(seed: u64) -> PlainGraph {
    let spread = mix(seed) % 1_000;
    tortured(seed, (10 + spread * spread * 190 / 1_000_000) as usize)
}

/// The options of a seed: one in eight unusual.
fn options(seed: u64) -> Options {
    let odd = [(0, 6), (3, 2), (7, 0), (64, 0)];
    let break_blocks = [BreakBlocks::Ordinary, BreakBlocks::Inside, BreakBlocks::Outside];
    let break_blocks = break_blocks[if seed % 5 == 4 { mix(seed ^ 0xB4EA) as usize % 3 } else { 0 }];
    match mix(seed ^ 0x0DD) % 8 {
        0 => {
            let (nesting_limit, chain_limit) = odd[mix(seed ^ 0x0DDD) as usize % odd.len()];
            Options::new().nesting_limit(nesting_limit).chain_limit(chain_limit).break_blocks(break_blocks)
        }
        _ => Options::new().break_blocks(break_blocks),
    }
}

/// Structurizes the graphs of these seeds as programs.
fn apply(worker: &mut Worker<'_>, seeds: impl Iterator<Item = u64>, validator: Option<&Validator>) {
    for seed in seeds {
        let (graph, options) = (graph(seed), options(seed));
        worker.tally.count("structurized as programs", 1);
        worker.attempt(
            || format!("seed {seed} as a program, {options:?}\n  {graph}"),
            || judge_program(&graph, seed, &options, validator),
        );
    }
}

/// Structurizes a graph as a program and makes the checks of [`trial`].
pub fn judge_program(graph: &PlainGraph, seed: u64, options: &Options, validator: Option<&Validator>) -> Verdict {
    match trial(std::slice::from_ref(graph), seed, options, validator) {
        Ok(measures) => {
            let measure = measures[0];
            Verdict::Fine { before: measure.blocks_before, after: measure.blocks_after, is_complete: true }
        }
        // A difference in behaviour is reported with a walk.
        Err(message) if message.contains("walk ") => Verdict::Fault(Fault::new(FaultKind::Unequal, message)),
        Err(message) => Verdict::Fault(Fault::new(FaultKind::Invalid, message)),
    }
}
