//! Global code motion: places each instruction where it runs least often, among its legal blocks.
//!
//! ```text
//! ^pre:  loop ^head …                       ^pre:  %k = i_mul %a, %b          invariant: out of the loop
//! ^head: branch_if %c ^body ^done                  loop ^head …
//! ^body: %k = i_mul %a, %b              ⇒   ^body: branch_if %rare ^cold ^next
//!        %p = i_mul %k, %i                  ^cold: %p = i_mul %k, %i          needed on one way only
//!        branch_if %rare ^cold ^next               store %out, %p
//! ^cold: store %out, %p
//! ```
//!
//! *Requires* a valid function, at either stage. *Preserves* control flow, every effect in its order, and the handle of each
//! instruction. *Breaks* nothing. Dead instructions stay where they are.
//!
//! 1. **Early** (`early.rs`): the first block in which an instruction may stand: the deepest one of its operands' early blocks, of
//!    where it is anticipated if it may trap, and of where the state of memory begins that it reads.
//! 2. **Late** (`late.rs`), users before operands: the last block: the lowest common dominator of the users as placed (an argument is
//!    used in the block of the jump), bounded by the next write to what it reads, by uniform branches for derivatives, and by loops
//!    that lanes leave at different times for uniform values.
//! 3. **Placement** (`placement.rs`): on the path between the two, the block that the subgroup runs least often. At equal cost an
//!    instruction stays; if it cannot stay, it goes as far down as possible.
//! 4. **Pressure** (`pressure.rs`, counted by `live.rs` along walks, `live_walk.rs`): if too many values would be live at once, moves are
//!    undone, the least useful first.
//!
//! In its new block an instruction that came down is at the top, one that came up at the end, both in the order that they had;
//! so nothing else changes places. That is always right: what comes down was above everything of the block, and so were its
//! operands; what comes up was below everything of it, and so were its users.
//!
//! Invariant: early, the old block and late's limits lie on one way of the dominator tree, so each block between them dominates all
//! uses and is dominated by all operands. Near-linear, no recursion. Click 1995, "Global code motion, global value numbering",
//! sections 2.1 to 2.3; memory, traps and lanes are not in the paper.

mod early;
mod explain;
mod facts;
mod held_up;
mod late;
mod live;
mod live_walk;
mod placement;
mod pressure;
mod ways;
mod write;

use reconverge_ir::{Function, Module};

pub use explain::{Bound, Move, Reason};
pub use pressure::PressureReport;

pub(crate) use held_up::HeldUp;

use crate::analyses::Analyses;
use facts::MotionFacts;
use placement::Plan;

/// Where instructions go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Where they run least often.
    Cheapest,
    /// To any place that is allowed, drawn by this seed: to test that what is allowed is right.
    AnyLegal(u64),
}

/// How code is moved.
#[derive(Clone, Copy, Debug)]
pub struct MotionOptions {
    /// Where instructions go.
    pub placement: Placement,
    /// How many lanes a wave has: 1 counts how often a lane runs a block, and anything else how often a wave of 32 does.
    pub lanes: u32,
}

impl Default for MotionOptions {
    fn default() -> Self {
        MotionOptions { placement: Placement::Cheapest, lanes: 32 }
    }
}

/// What was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Each instruction that is in another block now, in the order in which they stood.
    pub moves: Vec<Move>,
    /// How many values live at once.
    pub pressure: PressureReport,
}

/// Moves what is cheaper elsewhere. Near-linear in the instructions of the module, all of whose uniformity is asked for.
pub fn gcm(module: &mut Module, function: Function, options: &MotionOptions, analyses: &mut Analyses) -> Moves {
    if module.entry(function).is_none() {
        return Moves::default();
    }
    let uniformity = analyses.uniformity(module, function);
    let Some(uniformity) = uniformity.function(function) else { return Moves::default() };
    let body = analyses.take(module, function);
    let mut facts = MotionFacts::compute(module, &body, uniformity, options.lanes);
    let (plan, pressure) = match options.placement {
        Placement::Cheapest => pressure::plan_within_limit(module, function, &mut facts),
        drawn => (Plan::compute(&facts, drawn), PressureReport::default()),
    };
    write::write(module, &facts, &plan);
    write::forget_promises(module, &facts, &plan);
    let moved = plan.moved(&body);
    let moves: Vec<Move> = moved.map(|inst| plan.record(&facts, inst, options.placement)).collect();
    analyses.keep(function, body);
    Moves { moves, pressure }
}
