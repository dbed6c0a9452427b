//! Constructs whose merge block is the break block of a removed loop.
//!
//! ```text
//! ^p: branch ^h.0                     ^p: structured_switch 0 default ^h.0 merge ^m
//! ^h.0: … branch ^m(%x)        ⇒      ^h.0: … branch ^m(%x)
//! ^h.1: … branch ^m(%y)               ^h.1: … branch ^m(%y)
//! ```

use reconverge_ir::{Block, Builder, Copies, Inst, Module, Op, Position, terminator::operand};
use spirv::{LoopControl, SelectionControl};

use rustc_hash::FxHashSet;

use super::super::blocks::{jump_with, new_block, open_scope, split_before_terminator, split_off_header};
use super::copy::Written;
use super::{Copied, Joins, LoopShape, Rest};

/// Adds the construct for reconvergence at the break block, for lanes that leave the copies or the remaining loop. `last` is the end of the
/// copies.
pub(super) fn wrap_exits(module: &mut Module, shape: &LoopShape, copied: &Copied<'_>, written: &Written, last: Block) {
    let reached = reached_copies(module, shape, written);
    let mut leaving = leaving_copies(module, shape, written);
    leaving.retain(|block| reached.contains(block));
    match copied.rest {
        Rest::Nothing => {
            if reached.contains(&last) {
                // Never executed, but reachable through a merge block. An `unreachable` is not allowed: a continue list of an enclosing
                // loop may not end in one (R22).
                jump_with(module, last, shape.exit, &[]);
                leaving.push(last);
            }
            let is_plain =
                leaving.is_empty() || (leaving.len() == 1 && is_straight(module, shape, written, leaving[0]));
            if !is_plain {
                wrap(module, shape);
            }
        }
        Rest::Loop if leaving.is_empty() => {}
        Rest::Loop => {
            split_break_block(module, shape);
            if !close_by_if(module, shape, copied, written, &leaving) {
                wrap(module, shape);
            }
        }
    }
}

/// Returns whether a jump leaves the list of a copy's body outside all constructs.
fn is_straight(module: &Module, shape: &LoopShape, written: &Written, leaving: Block) -> bool {
    let level = |copies: &Copies, block: Block| shape.level.contains(&block).then(|| copies.image(block));
    let images =
        written.images.iter().flat_map(|copies| shape.blocks.iter().filter_map(move |&block| level(copies, block)));
    let images: FxHashSet<Inst> = images.collect();
    let mut block = leaving;
    // Upwards over plain jumps, which replace folded tests.
    while !images.contains(&block.into()) {
        let mut edges = module.in_edges(block);
        let (Some(edge), None) = (edges.next(), edges.next()) else { return false };
        match module.block_of(edge.terminator).filter(|_| module.op(edge.terminator) == Op::Branch) {
            Some(source) => block = source,
            None => return false,
        }
    }
    true
}

/// The blocks of copies that are reachable or that a merge instruction names. A folded test has lost one of its edges.
fn reached_copies(module: &Module, shape: &LoopShape, written: &Written) -> FxHashSet<Block> {
    let image = |copies: &Copies, block: Block| module.cast::<Block>(copies.image(block));
    let inside =
        written.images.iter().flat_map(|copies| shape.blocks.iter().filter_map(move |&block| image(copies, block)));
    let inside: FxHashSet<Block> = inside.chain(written.openers.iter().copied()).collect();
    let mut reached: FxHashSet<Block> = FxHashSet::default();
    let mut pending: Vec<Block> = vec![shape.opener];
    while let Some(block) = pending.pop() {
        let terminator = module.terminator(block);
        let named = terminator.into_iter().flat_map(|terminator| module.operands(terminator));
        let next = named.filter_map(|operand| module.cast::<Block>(operand)).filter(|next| inside.contains(next));
        pending.extend(next.filter(|&next| reached.insert(next)));
    }
    reached
}

/// The blocks of copies that jump to the break block.
fn leaving_copies(module: &Module, shape: &LoopShape, written: &Written) -> Vec<Block> {
    let image = |copies: &Copies, block: Block| module.cast::<Block>(copies.image(block));
    written
        .images
        .iter()
        .flat_map(|copies| shape.leaving.iter().filter_map(move |&block| image(copies, block)))
        .collect()
}

/// Opens a scope, or a loop of one trip if an edge has to leave a switch, before the copies.
fn wrap(module: &mut Module, shape: &LoopShape) {
    if shape.leaving_crosses_switch || shape.joins != Joins::Nothing {
        let body = split_before_terminator(module, shape.opener);
        let _ = open_one_trip(module, shape.opener, body, shape.exit);
    } else {
        let opener = split_off_header(module, shape.opener);
        let body = split_before_terminator(module, opener);
        open_scope(module, opener, body, shape.exit);
    }
}

/// Ends a block by a one-trip loop. Returns its header.
pub(super) fn open_one_trip(module: &mut Module, opener: Block, body: Block, exit: Block) -> Block {
    let header = new_block(module, Op::Block, Position::After(opener.into()));
    module.edit().append(header, Op::Branch, None, &[body.into()]);
    let latch = new_block(module, Op::Block, Position::Before(exit.into()));
    module.edit().append(latch, Op::Branch, None, &[header.into()]);
    let control = module.edit().enumerant(LoopControl::NONE);
    let operands: [Inst; 4] = [header.into(), exit.into(), latch.into(), control];
    module.edit().replace_terminator(opener, Op::Loop, &operands);
    header
}

/// Gives the remaining loop its own break block, which jumps to the one of the copies.
fn split_break_block(module: &mut Module, shape: &LoopShape) {
    let own = new_block(module, Op::Block, Position::Before(shape.exit.into()));
    let types: Vec<Inst> = module.parameters(shape.exit).filter_map(|parameter| module.ty(parameter)).collect();
    let mut operands: Vec<Inst> = vec![shape.exit.into()];
    for &ty in &types {
        operands.push(Builder::new(module).add_parameter(own, ty).into());
    }
    let edges: Vec<reconverge_ir::Edge> = module.in_edges(shape.exit).collect();
    for edge in edges {
        let source = module.block_of(edge.terminator);
        if shape.leaving.iter().any(|&block| Some(block) == source) {
            module.edit().set_operand(edge.terminator, edge.operand, own);
        }
    }
    module.edit().append(own, Op::Branch, None, &operands);
    let opening = module.in_edges(shape.header).map(|edge| edge.terminator).find(|&last| module.op(last) == Op::Loop);
    let opening = opening.expect("invariant: the loop is entered behind the copies");
    module.edit().set_operand(opening, operand::BREAK, own);
}

/// If one copy leaves at one place outside all constructs, its branch becomes an `if` around the loop.
fn close_by_if(
    module: &mut Module,
    shape: &LoopShape,
    copied: &Copied<'_>,
    written: &Written,
    leaving: &[Block],
) -> bool {
    let (&[only], 1, Joins::Nothing) = (leaving, copied.count, shape.joins) else { return false };
    let Some(source) = module.predecessors(only).next().filter(|_| module.is_bare_edge(only)) else { return false };
    let Some(copies) = written.images.first() else { return false };
    let is_level = shape.level.iter().any(|&block| copies.image(block) == source.into());
    let Some(branch) = module.terminator(source).filter(|&last| is_level && module.op(last) == Op::BranchIf) else {
        return false;
    };
    let mut operands: Vec<Inst> = module.operands(branch).collect();
    let control = module.edit().enumerant(SelectionControl::NONE);
    operands.splice(operand::IF_MERGE..operand::IF_MERGE, [shape.exit.into(), control]);
    module.edit().replace_terminator(source, Op::If, &operands);
    true
}
