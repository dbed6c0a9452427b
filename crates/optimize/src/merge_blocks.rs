//! Merges a block with its only successor, if the block is the only predecessor of that successor.
//!
//! ```text
//! ^a: x                                ^a: x
//!     branch ^b(%v)                        y with %v for %p
//! ^b(%p): y; branch ^c         ⇒           branch ^c
//! ```
//!
//! *Requires* nothing. *Preserves* stage Structured and every value. *Breaks* nothing: a block that is the merge block, break block,
//! continue target or header of a construct stays, and so does a selection after a loop header, which must not open another construct
//! (R11). Source locations hold for the same instructions as before.
//!
//! The instructions of the shorter block move. So merging a list of blocks in any order moves each instruction O(log n) times. Whether a
//! source location holds at the start of a block is computed once. A block that is merged with an edge block stays an ordinary block.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Location, Module, Op, Position, Terminator};

use reconverge_rewrite::jumps::bind_parameters;

/// Merges each block of a function with its successor where possible. Returns the number of removed blocks.
pub fn merge_blocks(module: &mut Module, function: Function) -> usize {
    let blocks: Vec<Block> = module.blocks(function).collect();
    for &block in &blocks {
        if module.is_live(block) {
            join_following(module, block);
        }
    }
    blocks.len() - module.blocks(function).count()
}

/// Merges a block with its successors as long as possible. Returns the block that contains all instructions.
pub(crate) fn join_following(module: &mut Module, block: Block) -> Block {
    let mut joined = block;
    let mut is_located = None;
    while let Some((jump, next)) = following(module, joined) {
        bind_parameters(module, next);
        is_located = Some(keep_location(module, jump, is_located, next));
        if let Some(first) = module.first_child(next) {
            module.edit().hand_on_records(jump, first);
        }
        module.edit().delete(jump);
        joined = match moves_into_next(module, joined, next) {
            true => prepend(module, joined, next),
            false => append(module, joined, next),
        };
    }
    joined
}

/// The jump of a block, and its successor, if the two can be merged.
fn following(module: &Module, block: Block) -> Option<(Terminator, Block)> {
    let jump = module.terminator(block).filter(|&jump| module.op(jump) == Op::Branch)?;
    let next: Block = module.cast(module.operand(jump, operand::TARGET))?;
    let is_only_use = module.uses(next).take(2).map(|used| used.user).eq([jump.inst()]);
    let is_header = || module.in_edges(block).any(|edge| module.op(edge.terminator) == Op::Loop);
    let may_end_header = || {
        let last = module.terminator(next).map(|last| module.op(last));
        matches!(last, Some(Op::Branch | Op::BranchIf | Op::Loop))
    };
    (next != block && is_only_use && (may_end_header() || !is_header())).then_some((jump, next))
}

/// Ends the source location at the end of a block if the next block begins without one. Returns whether a location holds before the
/// terminator of the next block. Linear in the next block, and in the first one if it is not known whether a location holds at its end.
fn keep_location(module: &mut Module, jump: Terminator, known: Option<bool>, next: Block) -> bool {
    let at_end = |module: &Module| module.previous(jump).is_some_and(|last| module.location(last).is_some());
    let is_located = known.unwrap_or_else(|| at_end(module));
    if let Some(first) =
        module.first_child(next).filter(|&first| is_located && module.explicit_location(first).is_none())
    {
        module.edit().set_location(first, Some(Location::NONE));
    }
    let last = module.terminator(next).map(Inst::from);
    let before = std::iter::successors(last.and_then(|last| module.previous(last)), |&inst| module.previous(inst));
    let mut written = before.filter_map(|inst| module.explicit_location(inst));
    written.next().map_or(is_located, |location| location != Location::NONE)
}

/// Returns whether the instructions of the first block move, instead of those of the second. Linear in the shorter block.
fn moves_into_next(module: &Module, block: Block, next: Block) -> bool {
    if module.op(block) != module.op(next) {
        return module.op(block) == Op::EdgeBlock;
    }
    let (mut first, mut second) = (module.children(block), module.children(next));
    loop {
        match (first.next(), second.next()) {
            (_, None) => return false,
            (None, Some(_)) => return true,
            _ => {}
        }
    }
}

fn append(module: &mut Module, block: Block, next: Block) -> Block {
    let moved: Vec<Inst> = module.children(next).collect();
    let mut editor = module.edit();
    moved.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(block.into())));
    editor.delete(next);
    block
}

/// Moves the instructions and the name of the first block to the second one, which replaces it.
fn prepend(module: &mut Module, block: Block, next: Block) -> Block {
    let moved: Vec<Inst> = module.children(block).collect();
    let decorations = module.decorations(block).to_vec();
    let mut editor = module.edit();
    for inst in moved.into_iter().rev() {
        editor.move_to(inst, Position::AtStart(next.into()));
    }
    if !decorations.is_empty() {
        editor.retain_decorations(next, |_, _| false);
        decorations.into_iter().for_each(|decoration| editor.decorate(next, decoration));
    }
    if editor.module().op(block) == Op::Block {
        editor.move_to(next, Position::Before(block.into()));
    }
    editor.replace_all_uses(block, next);
    editor.delete(block);
    next
}
