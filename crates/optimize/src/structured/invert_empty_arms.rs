//! Inverts selections whose true arm is empty.
//!
//! ```text
//!     if %c ^m ^else merge ^m             if %d ^else ^m merge ^m        %d holds where %c does not
//!        ╱    ╲                              ╱    ╲
//!       │      ^else              ⇒      ^else     │
//!        ╲    ╱                              ╲    ╱
//!          ^m                                  ^m
//! ```
//!
//! *Requires* a structured function. *Preserves* stage Structured and convergence: the selection splits the lanes into the same two sets.
//! *Breaks* nothing. The opposite of the condition is exact, also for NaN (`inverse.rs`). An arm is empty if it leads directly to the merge
//! block or only passes arguments to it.
//!
//! One round: the measure is the number of selections whose true arm is empty and whose false arm is not; each change reduces it and
//! nothing increases it, so a second run changes nothing. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator};

use super::inverse::negate;
use super::shape::{Arm, arm};

/// Inverts every selection whose true arm is empty and whose false arm is not. Returns whether there was one.
///
/// # Errors
/// None.
pub fn invert_empty_arms(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let due: Vec<Terminator> = terminators.filter(|&terminator| is_due(module, terminator)).collect();
    for &terminator in &due {
        invert(module, terminator);
    }
    Ok(!due.is_empty())
}

fn is_due(module: &Module, terminator: Terminator) -> bool {
    if module.op(terminator) != Op::If {
        return false;
    }
    let Some(merge) = module.merge_block(terminator) else { return false };
    let is_empty = |index: usize| match arm(module, terminator, index) {
        Arm::Direct(target) => target == merge,
        Arm::Jump { jump, .. } => module.op(jump) == Op::Branch && is_target(module, jump, merge),
        Arm::Other(_) => false,
    };
    is_empty(operand::TRUE) && !is_empty(operand::FALSE)
}

fn is_target(module: &Module, jump: Terminator, block: Block) -> bool {
    module.operand(jump, operand::TARGET) == block.inst()
}

fn invert(module: &mut Module, terminator: Terminator) {
    let condition = module.operand(terminator, operand::CONDITION);
    let opposite = negate(module, terminator.into(), condition);
    let mut operands: Vec<Inst> = module.operands(terminator).collect();
    operands[operand::CONDITION] = opposite;
    operands.swap(operand::TRUE, operand::FALSE);
    if operands.len() > operand::IF_WEIGHTS + 1 {
        operands.swap(operand::IF_WEIGHTS, operand::IF_WEIGHTS + 1);
    }
    module.edit().set_operands(terminator, &operands);
    if module.is_live(condition) && module.op(condition) == Op::LogicalNot && !module.is_used(condition) {
        reconverge_rewrite::removal::remove(module, condition);
    }
}
