//! Other orders of blocks: any that the verifier accepts.
//!
//! ```text
//! ^entry  ^a  ^b  ^c  ^dead        ⇒        ^entry  ^b  ^dead  ^c  ^a          dominators: entry before a, b; b before c
//! ```
//!
//! A block is after its immediate dominator (R3), and an unreachable block after whatever it uses (R4). A bare edge block that is removed
//! in SPIR-V may be anywhere; the verifier decides which ones are.

use reconverge_analysis::FlowGraph;
use reconverge_ir::terminator::first_argument;
use reconverge_ir::{Block, Function, Module, Position};
use reconverge_verify::verify;

use crate::random::Random;

/// So many edge blocks are moved from their places, each at the price of a verification.
const MOVED_EDGES: usize = 4;

/// Which of the blocks whose dominators stand already comes next.
#[derive(Clone, Copy)]
enum Next {
    Any,
    /// The one that became ready last: what a block dominates is right after it.
    Last,
}

/// Puts the blocks of a structured function that has no finding in a random order in which it has none either.
pub fn shuffle_blocks(module: &mut Module, function: Function, random: &mut Random) {
    let mut order = reached_blocks(module, function, random);
    let unreached: Vec<Block> = module.blocks(function).filter(|block| !order.contains(block)).collect();
    for block in unreached {
        let low = first_place(module, block, &order);
        order.insert(random.between(low, order.len()), block);
    }
    for &block in &order {
        module.edit().move_to(block, Position::AtEnd(function.into()));
    }
    move_edges(module, &order, random);
}

/// The blocks that control reaches, each behind its immediate dominator.
fn reached_blocks(module: &Module, function: Function, random: &mut Random) -> Vec<Block> {
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let mut dominated: Vec<Vec<usize>> = vec![Vec::new(); flow.blocks().len()];
    for &node in order.sequence() {
        if let Some(idom) = dominators.idom(node) {
            dominated[idom.index()].push(node.index());
        }
    }
    let next = *random.choose(&[Next::Any, Next::Any, Next::Last]);
    let mut ready: Vec<usize> = order.sequence().first().map(|entry| entry.index()).into_iter().collect();
    let mut placed = Vec::new();
    while !ready.is_empty() {
        let node = match next {
            Next::Any => ready.swap_remove(random.below(ready.len())),
            Next::Last => ready.remove(ready.len() - 1),
        };
        placed.push(flow.blocks()[node]);
        let mut behind = std::mem::take(&mut dominated[node]);
        while !behind.is_empty() {
            ready.push(behind.swap_remove(random.below(behind.len())));
        }
    }
    placed
}

/// The first place for a block that control does not reach: behind the entry and all blocks whose values it uses.
fn first_place(module: &Module, block: Block, order: &[Block]) -> usize {
    let values = module.children(block).flat_map(|inst| {
        let fixed = first_argument(module.op(inst)).unwrap_or(usize::MAX);
        module.operands(inst).take(fixed)
    });
    let blocks = values.filter_map(|value| module.block_of(value));
    let places = blocks.filter_map(|used| order.iter().position(|&other| other == used && used != block));
    places.max().unwrap_or(0) + 1
}

/// Moves some edge blocks anywhere, where they may be there.
fn move_edges(module: &mut Module, order: &[Block], random: &mut Random) {
    let mut edges: Vec<Block> = order.iter().copied().filter(|&block| module.is_bare_edge(block)).collect();
    for _ in 0..MOVED_EDGES.min(edges.len()) {
        let edge = edges.swap_remove(random.below(edges.len()));
        let before = module.previous(edge).expect("invariant: an edge block is no entry");
        let beside = *random.choose(order);
        if beside == edge {
            continue;
        }
        module.edit().move_to(edge, Position::After(beside.into()));
        if !verify(module).is_empty() {
            module.edit().move_to(edge, Position::After(before));
        }
    }
}
