//! Removes the blocks of a function that control cannot reach.
//!
//! *Requires* nothing. *Preserves* what the function does. *Breaks* nothing: edges from removed blocks go with them, and a merge
//! or continue block of a construct stays even where control never gets there, since the construct names it.
//!
//! Values of removed blocks that something still uses become `undef`: such a use is itself never reached or never looked at.
//! Linear.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Editor, Function, Inst, Module, Op, Position};
use rustc_hash::FxHashSet;

/// Removes unreachable blocks. The number of blocks removed.
pub fn remove_unreachable(module: &mut Module, function: Function) -> usize {
    let doomed = unreachable_blocks(module, function);
    for &block in &doomed {
        let inside: Vec<Inst> = module.children(block).collect();
        let mut editor = module.edit();
        for inst in inside {
            replace_by_undef(&mut editor, inst);
        }
    }
    for &block in &doomed {
        module.edit().delete(block);
    }
    doomed.len()
}

fn unreachable_blocks(module: &Module, function: Function) -> Vec<Block> {
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    let mut kept: FxHashSet<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    // A construct keeps the blocks that it names, and they keep what they reach.
    let mut pending: Vec<Block> = kept.iter().copied().collect();
    pending.sort_unstable();
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

fn replace_by_undef(editor: &mut Editor<'_>, inst: Inst) {
    let Some(ty) = editor.module().ty(inst) else { return };
    let home = editor.module().parent(inst);
    let outside = editor.module().uses(inst).any(|used| editor.module().parent(used.user) != home);
    if outside {
        let first = editor.module().functions().next().expect("invariant: the instruction stands in a function");
        let undef = editor.insert(Position::Before(first.into()), Op::Undef, Some(ty), &[]);
        editor.replace_all_uses(inst, undef);
    }
}
