//! Removes the blocks of a function that control cannot reach.
//!
//! ```text
//! entry ─▶ a ─▶ m(%x)     entry ─▶ a ─▶ m(%x)
//!          b ─▶ m      ⇒
//! ```
//!
//! *Requires* nothing. *Preserves* the behaviour of the function. Edges from removed blocks are removed too. The merge or continue block of
//! a construct stays even if it is unreachable, since the construct names it.
//!
//! A value of a removed block becomes `undef` where a block that stays uses it: such a use is never reached. There is one `undef` for each
//! type. Linear.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Inst, Module, Slot, Use};
use rustc_hash::FxHashSet;

use crate::undef::Undefs;

/// Removes unreachable blocks. Returns the number of blocks removed.
pub fn remove_unreachable(module: &mut Module, function: Function) -> usize {
    let doomed = unreachable_blocks(module, function);
    let gone: FxHashSet<Inst> = doomed.iter().copied().map(Inst::from).collect();
    let mut undefs = Undefs::default();
    for &block in &doomed {
        let inside: Vec<Inst> = module.children(block).filter(|&inst| module.ty(inst).is_some()).collect();
        for inst in inside {
            replace_by_undef(module, &mut undefs, &gone, inst);
        }
    }
    for &block in &doomed {
        module.edit().delete(block);
    }
    doomed.len()
}

fn unreachable_blocks(module: &Module, function: Function) -> Vec<Block> {
    let flow = FlowGraph::compute(module, function);
    let order = flow.order();
    let mut kept: FxHashSet<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    // A construct keeps the blocks that it names, and those keep the blocks that they reach.
    let mut pending: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    while let Some(block) = pending.pop() {
        let terminator = module.terminator(block);
        let named = terminator.into_iter().flat_map(|terminator| module.operands(terminator));
        for operand in named.filter_map(|operand| module.cast::<Block>(operand)) {
            if kept.insert(operand) {
                pending.push(operand);
            }
        }
    }
    flow.blocks().iter().copied().filter(|block| !kept.contains(block)).collect()
}

fn replace_by_undef(module: &mut Module, undefs: &mut Undefs, gone: &FxHashSet<Inst>, inst: Inst) {
    let stays = |used: &Use| module.parent(used.user).is_some_and(|block| !gone.contains(&block));
    let staying: Vec<Use> = module.uses(inst).filter(stays).collect();
    let Some(ty) = module.ty(inst).filter(|_| !staying.is_empty()) else { return };
    let undef = undefs.undef(module, ty);
    for used in staying {
        let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type here") };
        module.edit().set_operand(used.user, index, undef);
    }
}
