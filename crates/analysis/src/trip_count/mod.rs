//! Trip counts of loops.
//!
//! ```text
//! loop ^header(%zero) …
//! ^header(%i):                              the test in ^header lets 10 iterations through and leaves in the 11th:
//!   %more = u_less_than %i, %ten       ⇒    Exact { repeats: 10, test: ^header, operand 2, counters: %i = 0, 1, … 10 }
//!   branch_if %more ^next ^exit
//! ^next: branch ^header(%i + 1)
//! ```
//!
//! A *test* is a two-way branch that runs once in every iteration (it dominates the latch and is in no inner loop) and has one edge that
//! never returns to the header (`search.rs`). Its condition is followed through pure operations to the loop's state and constants
//! (`recurrence.rs`), and then counted (`count.rs`): exactly, by simulation or in closed form. If that fails the condition is weakened:
//! from `i < min(x, 4)` and from `i < 4 && x` follows `i < 4`, so that the test lets at most as many iterations through.
//!
//! The state consists of the header's parameters and of variables of the function, as in unoptimized modules, if they are used only by
//! plain loads and stores (`facts.rs`). Values from two sides of a branch are selected at their join: so a counter that a pass moved to the
//! top of the next iteration, under a flag, is still recognized.
//!
//! The test with the smallest count determines the trip count; among equals the first in reverse post-order. Near-linear in the function,
//! plus a bounded number of steps for each test. `full_unroll.rs` decides whether loops can be unrolled as their controls require.

mod count;
mod ends;
mod facts;
mod full_unroll;
mod recurrence;
mod scalar;
mod search;
mod weaker;

use std::sync::Arc;

use reconverge_ir::{Block, Function, Inst, Module, Op, terminator::operand};
use rustc_hash::FxHashMap;

pub use full_unroll::{FullUnroll, FullUnrolls, TestVerdict};
use search::TripCountSearch;

/// The treatment of specialization constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specialization {
    /// They may have any value.
    Open,
    /// They have their defaults.
    Default,
}

/// The trip count of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TripCount {
    /// Control never returns to the header.
    NeverRepeats,
    /// The test leaves the loop after this many repeats, unless another exit is taken before.
    Exact(Counted),
    /// The test leaves the loop after at most this many repeats.
    AtMost(Counted),
    /// No exit of the loop is ever taken, and nothing in it ends the function or the invocation.
    Infinite,
    /// Nothing is known.
    Unknown,
}

/// A test and its count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The number of times that the test keeps control in the loop before it leaves: the test runs once more than that.
    pub repeats: u64,
    /// The test.
    pub test: ExitTest,
    /// The number of paths to the break block: 1 if the test's is the only one. One more if the test leads elsewhere.
    pub exits: usize,
    /// Values that determine the test, if they are known and not too many: parameters, and values loaded from variables.
    pub counters: Vec<Counter>,
}

/// A two-way branch that leaves a loop one way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExitTest {
    /// The block that ends in the branch.
    pub block: Block,
    /// The index of the branch's operand that names the exit.
    pub leaving: usize,
}

/// A parameter of a block in the loop, or a load in it, and its value in each iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The parameter or load, of a scalar type.
    pub value: Inst,
    /// The bits of its value, one entry for each execution of the test: `repeats + 1` of them.
    pub values: Arc<[u64]>,
}

/// The trip count of each loop of a function.
#[derive(Clone, Debug)]
pub struct TripCounts {
    by_header: FxHashMap<Block, TripCount>,
}

impl TripCounts {
    /// Computes it for every `loop` of a function at stage Structured.
    pub fn compute(module: &Module, function: Function) -> TripCounts {
        let search = TripCountSearch::compute(module, function, Specialization::Open);
        let mut by_header = FxHashMap::default();
        for &block in search.facts.flow.blocks() {
            let Some(entry) = module.terminator(block).filter(|&last| module.op(last) == Op::Loop) else { continue };
            if let Some(header) = module.cast::<Block>(module.operand(entry, operand::TARGET)) {
                by_header.insert(header, search.trip_count(entry, header).count);
            }
        }
        TripCounts { by_header }
    }

    /// The trip count of the loop with that header; [`TripCount::Unknown`] for a block that is not a header.
    pub fn trip_count(&self, header: Block) -> &TripCount {
        self.by_header.get(&header).unwrap_or(&TripCount::Unknown)
    }
}
