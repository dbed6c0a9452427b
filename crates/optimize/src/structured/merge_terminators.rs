//! Combines two consecutive conditional exits with the same target.
//!
//! ```text
//! ^a: x                                     ^a: x
//!     branch_if %c ^e1 ^b                       y
//! edge ^e1: branch ^done(%v)                    %o = logical_or %c, %d
//! ^b: y                            ⇒            branch_if %o ^e2 ^rest
//!     branch_if %d ^e2 ^rest                edge ^e2: branch ^done(%v)
//! edge ^e2: branch ^done(%v)                ^rest: …
//! ^rest: …
//! ```
//!
//! An exit is a `branch_if`, or an `if` with one arm that only leaves and an empty other arm. Leaving is a jump with its arguments, or the
//! end of the function or the lane; both exits must have equal jumps.
//!
//! If the second condition may be undefined for lanes that leave at the first exit (`definedness.rs`), `select %c, true, %d` replaces
//! `logical_or`: a select does not depend on the operand that it does not choose.
//!
//! *Requires* a structured function. *Preserves* stage Structured and every value. *Breaks* nothing: code between the exits then also runs
//! for lanes that would have left before it, so it must be speculatable (`speculation.rs`), always defined, and cheap. Lanes that leave
//! execute nothing else, and wait at the same block for the same lanes as before (M5 to M8); the same lanes stay.
//!
//! From the last block to the first, so that the code after an exit is merged completely before the exit is processed: a second run changes
//! nothing. The cost of the code that is hoisted to one exit is limited; combined conditions count.
//!
//! The edge of the first exit is removed, so the block of the second exit may dominate blocks that come before it. Then blocks are
//! reordered (`order.rs`).
//!
//! The measure is the number of exits: each change reduces it. Linear, except for the order of blocks: an instruction moves at most as
//! often as conditions may be combined.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Terminator};

use super::definedness::is_defined;
use super::inverse::negate;
use super::order::put_dominators_first;
use super::shape::{Arm, arm, is_same_jump};
use super::speculation::{cost, hoist, may_be_undefined, pin_locations};
use reconverge_rewrite::jumps::bind_parameters;

/// The maximal cost of the code between two exits.
const LIMIT: u32 = 8;

/// Merges exits as long as possible. Returns whether there were any to merge.
///
/// # Errors
/// None.
pub fn merge_terminators(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut changed = false;
    for &block in blocks.iter().rev() {
        while module.is_live(block)
            && let Some(pair) = Pair::find(module, block)
        {
            pair.merge(module);
            changed = true;
        }
    }
    if changed {
        put_dominators_first(module, function);
    }
    Ok(changed)
}

/// An exit, and the block that decides it.
#[derive(Clone, Copy)]
struct Exit {
    terminator: Terminator,
    /// The block that leaves, and its jump.
    leaving: Block,
    jump: Terminator,
    /// [`operand::TRUE`] or [`operand::FALSE`].
    way: usize,
}

impl Exit {
    /// The exit at one edge of a terminator, if there is one.
    fn at(module: &Module, terminator: Terminator, way: usize) -> Option<Exit> {
        match arm(module, terminator, way) {
            Arm::Jump { block, jump } => Some(Exit { terminator, leaving: block, jump, way }),
            Arm::Direct(_) | Arm::Other(_) => None,
        }
    }

    fn other_way(self) -> usize {
        operand::TRUE + operand::FALSE - self.way
    }
}

/// Two consecutive exits.
struct Pair {
    first: Exit,
    second: Exit,
    /// The block of the second exit, and an edge block before it.
    next: Block,
    passing: Option<Block>,
}

impl Pair {
    fn find(module: &Module, block: Block) -> Option<Pair> {
        let terminator = module.terminator(block).filter(|&last| matches!(module.op(last), Op::If | Op::BranchIf))?;
        [operand::TRUE, operand::FALSE].into_iter().find_map(|way| {
            let first = Exit::at(module, terminator, way)?;
            let (next, passing) = staying(module, first)?;
            let last = module.terminator(next).filter(|&last| matches!(module.op(last), Op::If | Op::BranchIf))?;
            let is_header = || module.in_edges(block).any(|edge| module.op(edge.terminator) == Op::Loop);
            if module.op(last) == Op::If && is_header() {
                return None;
            }
            let mut exits = [operand::TRUE, operand::FALSE].into_iter().filter_map(|way| Exit::at(module, last, way));
            let second = exits.find(|second| is_same_jump(module, first.jump, second.jump))?;
            is_cheap(module, next).then_some(Pair { first, second, next, passing })
        })
    }

    fn merge(self, module: &mut Module) {
        let Pair { first, second, next, passing, .. } = self;
        let place: Inst = first.terminator.into();
        bind_parameters(module, next);
        let between: Vec<Inst> = module.children(next).filter(|&inst| inst != second.terminator.inst()).collect();
        let pinned: Vec<Inst> = module.children(next).collect();
        if needs_pins(module, first.terminator, &pinned) {
            pin_locations(module, &pinned);
        }
        between.into_iter().for_each(|inst| hoist(module, inst, place));
        let condition = join_conditions(module, first, second);
        let kept = match module.op(second.terminator) {
            Op::If => operand::IF_WEIGHTS,
            _ => operand::BRANCH_IF_WEIGHTS,
        };
        let mut operands: Vec<Inst> = module.operands(second.terminator).take(kept).collect();
        operands[operand::CONDITION] = condition;
        let mut editor = module.edit();
        editor.set_operands(second.terminator, &operands);
        editor.move_to(second.terminator, Position::Before(place));
        editor.delete(place);
        editor.delete(first.leaving);
        passing.into_iter().for_each(|edge| editor.delete(edge));
        editor.delete(next);
    }
}

/// The block after an exit for the lanes that stay, if it has no other predecessor, and the edge block before it.
fn staying(module: &Module, exit: Exit) -> Option<(Block, Option<Block>)> {
    let names = if module.op(exit.terminator) == Op::If { 2 } else { 1 };
    let merge = module.merge_block(exit.terminator);
    let (next, passing) = match arm(module, exit.terminator, exit.other_way()) {
        Arm::Direct(next) | Arm::Other(next) => (next, None),
        Arm::Jump { block, jump } if module.op(jump) == Op::Branch => {
            (module.cast(module.operand(jump, operand::TARGET))?, Some(block))
        }
        Arm::Jump { .. } => return None,
    };
    let is_expected = merge.is_none_or(|merge| merge == next);
    let is_alone = module.uses(next).take(names + 1).count() == names && module.in_edges(next).take(2).count() == 1;
    (is_expected && is_alone).then_some((next, passing))
}

/// Returns whether the code before a block's terminator may be speculated, is always defined, and costs no more than the limit.
fn is_cheap(module: &Module, block: Block) -> bool {
    let mut inside = module.children(block).filter(|&inst| {
        let op = module.op(inst);
        op != Op::BlockParameter && !op.is_terminator()
    });
    let price = inside.try_fold(0, |price, inst| {
        let all = price + cost(module, inst).filter(|_| !may_be_undefined(module, inst))?;
        (all <= LIMIT).then_some(all)
    });
    price.is_some()
}

/// Returns whether moved code would get or lose a source location.
fn needs_pins(module: &Module, first: Terminator, moved: &[Inst]) -> bool {
    moved.iter().any(|&inst| module.explicit_location(inst).is_some()) || module.location(first).is_some()
}

/// The condition under which the terminator of the second exit replaces both. It is inserted before the first exit's terminator.
fn join_conditions(module: &mut Module, first: Exit, second: Exit) -> Inst {
    let place: Inst = first.terminator.into();
    let own = module.operand(second.terminator, operand::CONDITION);
    let earlier = module.operand(place, operand::CONDITION);
    let earlier = if first.way == second.way { earlier } else { negate(module, place, earlier) };
    let leaves_when = second.way == operand::TRUE;
    let ty = module.ty(own);
    let (op, operands) = if is_defined(module, own) {
        (if leaves_when { Op::LogicalOr } else { Op::LogicalAnd }, vec![earlier, own])
    } else {
        let decided = if leaves_when { Op::ConstantTrue } else { Op::ConstantFalse };
        let decided = module.edit().unique(decided, ty, &[]);
        (Op::Select, if leaves_when { vec![earlier, decided, own] } else { vec![earlier, own, decided] })
    };
    let location = module.explicit_location(second.terminator);
    let mut editor = module.edit();
    let both = editor.insert(Position::Before(place), op, ty, &operands);
    if location.is_some() {
        editor.set_location(both, location);
    }
    both
}
