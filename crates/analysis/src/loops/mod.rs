//! Loops for code motion: the depth of a block, the trip count of a loop, the frequency of a block.
//!
//! The frequency of a block is the product of the trip counts of its loops, times the part of each iteration that reaches it:
//!
//! ```text
//! ^a                     1
//! ^h ◄──────┐            8       the loop repeats 8 times, as far as is known
//!  ├─▶ ^b ──┤            4       one of two successors
//!  ├─▶ ^c ──┘            4
//!  └─▶ ^out              1       exits and edges inside the loop are distributed separately
//! ```
//!
//! So the *part* of a block is the sum over its incoming edges without back edges, and never more than that of its immediate dominator; an
//! exit of the loop has the whole part, because it is taken once in all iterations. The block's frequency is its part, times the trip
//! counts of all loops around it. Parts are distributed by branch weights, by `expect`, away from dead ends, and otherwise evenly. (Wu and
//! Larus 1994, "Static branch frequency and program profile analysis", without their equations: the trip count replaces the sum over the
//! back edges.)
//!
//! The frequency counts executions by the *subgroup*. If lanes diverge, a side is executed if at least one lane takes it: with a part `p`
//! for a lane the side has `1 − (1 − p)³²`, as if lanes decided independently.
//!
//! Linear in blocks and edges. Deterministic; frequencies do not overflow ([`Frequency`]).

mod frequency;
mod shares;

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Module};

use crate::FlowGraph;
use crate::trip_count::{TripCount, TripCounts};

pub use frequency::Frequency;

/// The assumed trip count of a loop if nothing is known.
const USUAL: u64 = 8;
/// The assumed trip count of an infinite loop.
const ENDLESS: u64 = 1 << 16;

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// By cycle, the number of times that its blocks are executed for each entry, together with all cycles around it.
    iterations: Vec<u64>,
    weights: Vec<Frequency>,
    /// By node; `None` for unreachable blocks.
    frequencies: Vec<Option<Frequency>>,
    depths: Vec<u32>,
}

/// The input of the estimate for a function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionFacts<'f> {
    /// Its control flow graph.
    pub flow: &'f FlowGraph,
    /// The order of that graph.
    pub order: &'f Order,
    /// Its dominators.
    pub dominators: &'f DominatorTree,
    /// Its cycles.
    pub cycles: &'f CycleForest,
    /// Its known trip counts.
    pub counts: Option<&'f TripCounts>,
}

impl Loops {
    /// Computes the estimates; `is_divergent` returns whether lanes may diverge at the end of a block.
    pub fn compute(module: &Module, facts: FunctionFacts<'_>, is_divergent: impl Fn(Block) -> bool) -> Loops {
        let FunctionFacts { flow, cycles, counts, .. } = facts;
        let mut loops =
            Loops { iterations: Vec::new(), weights: Vec::new(), frequencies: Vec::new(), depths: Vec::new() };
        // Parents come before children.
        for cycle in cycles.cycles() {
            let count = counts.map(|counts| counts.trip_count(flow.block(cycles.header(cycle))));
            let iterations = count.map_or(USUAL, iterations_of);
            let around = cycles.parent(cycle).map_or(Frequency::ONE, |parent| loops.weights[parent.index()]);
            loops.iterations.push(iterations);
            loops.weights.push(around.scaled(Frequency::times(iterations)));
        }
        let parts = shares::compute_parts(module, facts, is_divergent);
        let weight = |node| cycles.innermost(node).map_or(Frequency::ONE, |cycle| loops.weights[cycle.index()]);
        let nodes = flow.graph().nodes();
        loops.frequencies = nodes.clone().zip(parts).map(|(node, part)| Some(part?.scaled(weight(node)))).collect();
        loops.depths = nodes.map(|node| cycles.node_depth(node) as u32).collect();
        loops
    }

    /// The number of cycles that a block is in.
    pub fn depth(&self, node: Node) -> u32 {
        self.depths[node.index()]
    }

    /// The number of times that a cycle's header is estimated to run for each entry.
    pub fn iterations(&self, cycle: Cycle) -> u64 {
        self.iterations[cycle.index()]
    }

    /// The number of times that a block is estimated to run for each run of the function; `None` for unreachable blocks.
    pub fn frequency(&self, node: Node) -> Option<Frequency> {
        self.frequencies[node.index()]
    }
}

fn iterations_of(count: &TripCount) -> u64 {
    match count {
        TripCount::NeverRepeats => 1,
        TripCount::Exact(counted) => counted.repeats.saturating_add(1),
        TripCount::AtMost(counted) => counted.repeats.saturating_add(1).min(USUAL),
        TripCount::Infinite => ENDLESS,
        TripCount::Unknown => USUAL,
    }
}
