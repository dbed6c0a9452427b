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
//! 1. **Early** (`early.rs`): the first legal block of an instruction. This is the deepest of: the early blocks of its operands, the block
//!    from where it is anticipated if it may trap, and the block where the memory state that it reads begins.
//! 2. **Late** (`late.rs`), users before operands: the last legal block. This is the lowest common dominator of the users as placed (an
//!    argument is used in the block of the jump), bounded by the next write to the memory that it reads, by uniform branches for
//!    derivatives, and by loops that lanes leave in different iterations for uniform values.
//! 3. **Placement** (`placement.rs`): on the path between the two, the block that the subgroup runs least often. At equal cost an
//!    instruction stays; if it cannot stay, it goes as far down as possible.
//! 4. **Pressure** (`pressure.rs`, counted by `live.rs` along walks, `live_walk.rs`): if too many values would be live at once, moves are
//!    undone, the least useful first.
//!
//! An instruction that moved down is placed at the top of its new block, one that moved up at the end, both in their original order; no
//! other instruction moves. This order is always legal: an instruction that moves down was before all instructions of the block, as were
//! its operands; one that moves up was after them, as were its users.
//!
//! Invariant: the early block, the old block and the bounds of the late block lie on one path of the dominator tree, so each block between
//! them dominates all uses and is dominated by all operands. Near-linear, no recursion. Click 1995, "Global code motion, global value
//! numbering", sections 2.1 to 2.3; memory, traps and lanes are not in the paper.

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

pub use explain::{Bound, Kept, Move, Reason};
pub use pressure::PressureReport;

pub(crate) use held_up::HeldUp;

use crate::analyses::Analyses;
use facts::MotionFacts;
use placement::Plan;

/// The choice among legal blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// The blocks that run least often.
    Cheapest,
    /// Random legal blocks, by this seed: to test that each legal block is correct.
    AnyLegal(u64),
}

/// Options of code motion.
#[derive(Clone, Copy, Debug)]
pub struct MotionOptions {
    /// The choice among legal blocks.
    pub placement: Placement,
    /// The lanes of a subgroup in the cost model: 1 counts how often a lane runs a block, any other value how often a subgroup of 32 does.
    pub lanes: u32,
}

impl Default for MotionOptions {
    fn default() -> Self {
        MotionOptions { placement: Placement::Cheapest, lanes: 32 }
    }
}

/// The result of code motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Each instruction that moved to another block, in their original order.
    pub moves: Vec<Move>,
    /// Each instruction that stays in a loop, although its operands are the same in every iteration, in their order.
    pub kept: Vec<Kept>,
    /// The number of values that are live at once.
    pub pressure: PressureReport,
}

/// Moves each instruction to the cheapest legal block. Near-linear in the instructions of the module, since the uniformity of all is
/// computed.
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
    let kept: Vec<Kept> = plan.kept(&facts).collect();
    analyses.keep(function, body);
    Moves { moves, kept, pressure }
}
