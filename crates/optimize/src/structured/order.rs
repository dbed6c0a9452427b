//! Orders the blocks of a function so that dominators come first (R3).
//!
//! ```text
//! if %true ^a ^b merge ^m                  branch ^a                        branch ^a
//! ^m: …                                    ^m: …                            ^a: return
//! ^a: return                       ⇒       ^a: return …            ⇒        ^m: …
//! ^b: branch ^m
//! ```
//!
//! A block may be anywhere after its dominators. If a pass removes edges, a block may get a new dominator that comes after it. Blocks keep
//! their order as far as possible: each waits for its immediate dominator, and comes right after it. Unreachable blocks come at the end,
//! after the definitions that they use. A function that is in order does not change.
//!
//! *Requires* nothing. *Preserves* everything but the order of blocks. O(blocks + edges · log blocks).

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Module, Position, terminator};

/// Moves each reachable block after its dominators, and the others after the definitions that they use. Returns whether the order changed.
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
    let unreached = in_order_of_uses(module, &flow, &unreached, &mut is_in_order);
    if !is_in_order {
        for block in ordered.into_iter().chain(unreached) {
            module.edit().move_to(block, Position::AtEnd(function.into()));
        }
    }
    !is_in_order
}

/// Unreachable blocks, each after the blocks whose values it uses; `is_in_order` becomes false if one comes before.
fn in_order_of_uses(module: &Module, flow: &FlowGraph, unreached: &[Block], is_in_order: &mut bool) -> Vec<Block> {
    let mut ordered = Vec::with_capacity(unreached.len());
    let mut is_waiting = vec![false; flow.blocks().len()];
    unreached.iter().for_each(|&block| is_waiting[flow.node(block).index()] = true);
    for &block in unreached {
        let mut stack = vec![(block, false)];
        while let Some((block, is_ready)) = stack.pop() {
            let node = flow.node(block).index();
            if is_ready {
                ordered.push(block);
                continue;
            }
            if !std::mem::take(&mut is_waiting[node]) {
                continue;
            }
            stack.push((block, true));
            for used in used_blocks(module, block).filter_map(|used| flow.find(used)) {
                *is_in_order &= used.index() <= node;
                if is_waiting[used.index()] {
                    stack.push((flow.block(used), false));
                }
            }
        }
    }
    ordered
}

/// The blocks whose values a block uses, except as arguments.
fn used_blocks(module: &Module, block: Block) -> impl Iterator<Item = Block> + '_ {
    module.children(block).flat_map(move |user| {
        let count = terminator::first_argument(module.op(user)).unwrap_or(usize::MAX);
        let values = module.operands(user).take(count).filter(|&operand| module.cast::<Block>(operand).is_none());
        values.filter_map(|value| module.block_of(value))
    })
}
