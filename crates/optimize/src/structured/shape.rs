//! Common shapes: arms of a selection that only jump.

use reconverge_ir::{Block, Module, Op, OpGroup, Terminator, view};

/// The target of one edge of a two-way terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// A block that has other predecessors or that a construct names.
    Direct(Block),
    /// A block that only this edge leads to, and that contains only a terminator with at most one target.
    Jump {
        /// The block.
        block: Block,
        /// Its terminator.
        jump: Terminator,
    },
    /// A block that only this edge leads to, with other contents.
    Other(Block),
}

/// The target of operand `index` of a terminator.
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

/// Returns whether a terminator has one target and opens nothing, or ends the function or the lane.
pub(super) fn is_single(op: Op) -> bool {
    op.is_terminator() && op != Op::Loop && op.group() != OpGroup::Branch
}

/// Returns whether two jumps are equal: same op, same target, same arguments.
pub(super) fn is_same_jump(module: &Module, left: Terminator, right: Terminator) -> bool {
    module.op(left) == module.op(right) && module.operands(left).eq(module.operands(right))
}

/// The version of SPIR-V that a module declares, as a word of the header; 0 if it declares none.
pub(super) fn spirv_version(module: &Module) -> u32 {
    module.globals().find_map(|global| view::SpirvHeader::of(module, global)).map_or(0, |header| header.version)
}
