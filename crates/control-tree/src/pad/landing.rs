//! Merge and continue blocks that are loop headers.
//!
//! ```text
//! if … merge ^h; ^b: loop ^h(%x)          if … merge ^p; ^b: branch ^p(%x)
//!                                    ⇒    edge ^p(%q): loop ^h(%q)
//! ```
//!
//! SPIR-V allows such headers. Here a loop begins at its preheader, so the paths before it join there.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Slot, Terminator};

/// Replaces a merge or continue block that is a loop header by that loop's preheader.
pub(super) fn give_landing_places(module: &mut Module, function: Function) -> bool {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut is_changed = false;
    for block in blocks {
        let Some(open) = module.terminator(block).filter(|&open| module.op(open) == Op::Loop) else { continue };
        let Some(header) = module.cast::<Block>(module.operand(open, operand::TARGET)) else { continue };
        let names: Vec<(Inst, usize)> = module
            .uses(header)
            .filter_map(|used| match used.slot {
                Slot::Operand(index) if used.user != open.inst() => Some((used.user, index)),
                _ => None,
            })
            .filter(|&(user, index)| names_landing(module, user, index))
            .collect();
        if names.is_empty() {
            continue;
        }
        let landing = if module.is_bare_edge(block) { block } else { add_preheader(module, block, open, header) };
        for (user, index) in names {
            module.edit().set_operand(user, index, landing);
        }
        is_changed = true;
    }
    is_changed
}

/// Returns whether an operand of a terminator in a block is a merge, break or continue block.
fn names_landing(module: &Module, user: Inst, index: usize) -> bool {
    let is_placed = module.parent(user).is_some();
    is_placed
        && match module.op(user) {
            Op::If => index == operand::IF_MERGE,
            Op::StructuredSwitch => index == operand::SWITCH_MERGE,
            Op::Loop => index == operand::BREAK || index == operand::CONTINUE,
            _ => false,
        }
}

/// Moves a `loop` into an edge block of its own.
fn add_preheader(module: &mut Module, block: Block, open: Terminator, header: Block) -> Block {
    let types: Vec<Inst> = module.parameters(header).filter_map(|parameter| module.ty(parameter)).collect();
    let arguments: Vec<Inst> = module.arguments(open).collect();
    let mut named: Vec<Inst> = module.operands(open).take(operand::LOOP_ARGUMENTS).collect();
    let mut edit = module.edit();
    let preheader = edit.insert(Position::After(block.into()), Op::EdgeBlock, None, &[]);
    named.extend(types.into_iter().map(|ty| edit.append(preheader, Op::BlockParameter, Some(ty), &[])));
    edit.append(preheader, Op::Loop, None, &named);
    let operands: Vec<Inst> = std::iter::once(preheader).chain(arguments).collect();
    edit.replace_terminator(block, Op::Branch, &operands);
    module.cast(preheader).expect("invariant: an edge block is a block")
}
