//! The first block in which each instruction may be placed.
//!
//! One forward sweep: the blocks of an instruction's bounds all dominate its block, so they are on one path of the tree, and the deepest is
//! the one with the greatest number.

use reconverge_analysis::effects::{Direction, Motion, Occasion};
use reconverge_analysis::memory::MemoryStates;

use super::facts::MotionFacts;
use crate::body::{Body, OUTSIDE};

/// Returns whether an instruction could be in another block as far as its own effects allow.
pub(super) fn is_mobile(motion: Motion) -> bool {
    matches!(motion.direction, Direction::Both | Direction::Earlier)
}

/// The first block of each instruction. An instruction that must not be speculated may go up as far as it is anticipated, and a reader of
/// memory to where its memory state begins. An instruction that compares lanes does not move into a loop before it that lanes leave in
/// different iterations.
pub(super) fn compute_early(facts: &MotionFacts<'_>) -> Vec<u32> {
    let body = facts.body;
    let mut early: Vec<u32> = Vec::with_capacity(facts.motions.len());
    for (inst, &motion) in (0..).zip(&facts.motions) {
        let block = body.block_of(inst);
        if !is_mobile(motion) {
            early.push(block);
            continue;
        }
        let mut first = first_with_inputs(body, facts.memory, &early, inst, motion);
        if motion.direction == Direction::Earlier {
            first = first.max(MotionFacts::head(facts.unparted.as_ref(), block));
        }
        if motion.occasion == Occasion::Anticipated && first < block {
            first = first.max(MotionFacts::head(facts.anticipated(), block));
        }
        early.push(first);
    }
    early
}

/// The first block in which the operands of an instruction, whose own first blocks are known, and the memory state that it reads are
/// available.
pub(super) fn first_with_inputs(
    body: &Body,
    memory: Option<&MemoryStates>,
    firsts: &[u32],
    inst: u32,
    motion: Motion,
) -> u32 {
    let first = first_of_operands(body, firsts, inst);
    if motion.reads_memory { first.max(begin_of_state(body, memory, inst)) } else { first }
}

/// The first block in which the operands of an instruction, whose own first blocks are known, are available.
pub(super) fn first_of_operands(body: &Body, firsts: &[u32], inst: u32) -> u32 {
    let of_operands = body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0);
    of_operands.map(|&operand| firsts[operand as usize]).max().unwrap_or(0)
}

/// The block where the state begins that a reader sees.
pub(super) fn begin_of_state(body: &Body, memory: Option<&MemoryStates>, inst: u32) -> u32 {
    let node = memory.and_then(|memory| memory.node_of(memory.state_of(body.inst(inst))?));
    node.map_or(0, |node| body.place(node))
}
