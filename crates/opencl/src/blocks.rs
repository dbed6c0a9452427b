//! Blocks of functions at stage Graph.

use reconverge_ir::{Block, Builder, Inst, Module, Op, Position, Slot, view};

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
    keep_loop_hints(module, block, rest);
    module.cast(rest).expect("a block is a block")
}

/// A `loop` that named the block as its latch gets the new latch. Linear in the uses of the block.
pub(crate) fn keep_loop_hints(module: &mut Module, block: Inst, rest: Inst) {
    let continue_target = view::Loop::SLOT.continue_target;
    let hints = module.uses(block).filter(|used| {
        used.slot == Slot::Operand(continue_target)
            && view::Loop::of(module, used.user).is_some_and(|hint| hint.header == block)
    });
    for used in hints.collect::<Vec<_>>() {
        module.edit().set_operand(used.user, continue_target, rest);
    }
}

/// New blocks behind a block, in order.
pub(crate) fn add_blocks<const N: usize>(build: &mut Builder<'_>, before: Block) -> [Block; N] {
    let mut last = Inst::from(before);
    [(); N].map(|()| {
        last = build.editor().insert(Position::After(last), Op::Block, None, &[]);
        build.module().cast(last).expect("a block is a block")
    })
}
