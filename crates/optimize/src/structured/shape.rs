//! Small shapes that several passes need: arms of a selection that only jump.

use reconverge_ir::{Block, Module, Op, OpGroup, Terminator, view};

/// Where one way of a two-way terminator leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// To a block that others name or go to as well.
    Direct(Block),
    /// To a block that only this way names, and that holds nothing but its terminator, which goes to one block or to none.
    Jump {
        /// The block.
        block: Block,
        /// Its terminator.
        jump: Terminator,
    },
    /// To a block that only this way names, and that does more.
    Other(Block),
}

/// Where the way at operand `index` of a terminator leads.
pub(super) fn arm(module: &Module, terminator: Terminator, index: usize) -> Arm {
    let target: Block = module.cast(module.operand(terminator, index)).expect("invariant: a way leads to a block");
    let mut uses = module.uses(target);
    if uses.next().is_none() || uses.next().is_some() {
        return Arm::Direct(target);
    }
    match module.terminator(target).filter(|&last| module.first_child(target) == Some(last.into())) {
        Some(jump) if is_single(module.op(jump)) => Arm::Jump { block: target, jump },
        _ => Arm::Other(target),
    }
}

/// Whether a terminator goes to one block, opening nothing, or ends the function or the lane.
pub(super) fn is_single(op: Op) -> bool {
    op.is_terminator() && op != Op::Loop && op.group() != OpGroup::Branch
}

/// Whether two jumps do the same: same op, same target, same arguments.
pub(super) fn is_same_jump(module: &Module, left: Terminator, right: Terminator) -> bool {
    module.op(left) == module.op(right) && module.operands(left).eq(module.operands(right))
}

/// The version of SPIR-V that a module names, as the word of its header; 0 if it names none.
pub(super) fn spirv_version(module: &Module) -> u32 {
    module.globals().find_map(|global| view::SpirvHeader::of(module, global)).map_or(0, |header| header.version)
}
