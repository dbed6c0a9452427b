//! Blocks of functions at stage Graph.

use reconverge_ir::{Block, Inst, Module, Op, Position};

/// Moves the instructions after an instruction to a new block. Edges to the block still lead to its first part, which has no terminator.
pub(crate) fn split_behind(module: &mut Module, inst: Inst) -> Block {
    let block = module.parent(inst).expect("invariant: the instruction is placed");
    let location = module.location(inst);
    let behind: Vec<Inst> = std::iter::successors(module.next(inst), |&next| module.next(next)).collect();
    let mut editor = module.edit();
    let rest = editor.insert(Position::After(block), Op::Block, None, &[]);
    if let Some(&first) = behind.first()
        && editor.module().explicit_location(first).is_none()
    {
        editor.set_location(first, location);
    }
    for moved in behind {
        editor.move_to(moved, Position::AtEnd(rest));
    }
    editor.module().cast(rest).expect("a block is a block")
}
