//! Puts the blocks of a function in an order in which dominators come first (R3).
//!
//! ```text
//! if %true ^a ^b merge ^m                  branch ^a                        branch ^a
//! ^m: …                                    ^m: …                            ^a: return
//! ^a: return                       ⇒       ^a: return …            ⇒        ^m: …
//! ^b: branch ^m
//! ```
//!
//! A block may stand anywhere behind its dominators; so where a pass takes ways away, what came to dominate a block may stand behind it.
//! Blocks keep their order as far as that can be: each waits for its immediate dominator, and comes right behind it. What control never
//! reaches then stands at the end, behind whatever it uses. A function that is in order stays as it is.
//!
//! *Requires* nothing. *Preserves* everything but the order of blocks. O(blocks + edges · log blocks).

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Module, Position};

/// Puts each block that is reached behind its dominators. Whether one stood before.
pub(super) fn put_dominators_first(module: &mut Module, function: Function) -> bool {
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let mut is_placed = vec![false; flow.blocks().len()];
    let mut waiting: Vec<Vec<Block>> = vec![Vec::new(); flow.blocks().len()];
    let (mut ordered, mut unreached) = (Vec::new(), Vec::new());
    let mut is_in_order = true;
    for &block in flow.blocks() {
        if !dominators.is_reachable(flow.node(block)) {
            unreached.push(block);
            continue;
        }
        let idom = dominators.idom(flow.node(block)).map(|idom| idom.index());
        if let Some(idom) = idom.filter(|&idom| !is_placed[idom]) {
            is_in_order = false;
            waiting[idom].push(block);
            continue;
        }
        let mut stack = vec![block];
        while let Some(next) = stack.pop() {
            let node = flow.node(next).index();
            is_placed[node] = true;
            ordered.push(next);
            stack.extend(std::mem::take(&mut waiting[node]).into_iter().rev());
        }
    }
    if !is_in_order {
        for block in ordered.into_iter().chain(unreached) {
            module.edit().move_to(block, Position::AtEnd(function.into()));
        }
    }
    !is_in_order
}
