//! Random orders of blocks that the verifier accepts.
//!
//! ```text
//! ^entry  ^a  ^b  ^c  ^dead        ⇒        ^entry  ^b  ^dead  ^c  ^a          dominators: entry before a, b; b before c
//! ```
//!
//! A block comes after its immediate dominator (R3), and an unreachable block after the definitions that it uses (R4). An edge block that
//! disappears in SPIR-V may be anywhere; the verifier decides which ones do.

use reconverge_analysis::FlowGraph;
use reconverge_ir::terminator::first_argument;
use reconverge_ir::{Block, Function, Module, Position};
use reconverge_verify::verify;

use crate::random::Random;

/// The maximal number of edge blocks that are moved; each costs a verification.
const MOVED_EDGES: usize = 4;

/// The choice of the next block among those whose dominators are placed.
#[derive(Clone, Copy)]
enum Next {
    Any,
    /// The one that became ready last: dominated blocks come right after it.
    Last,
}

/// Puts the blocks of a valid structured function in another valid, random order.
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

/// The reachable blocks, each after its immediate dominator.
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

/// The first place for an unreachable block: after the entry and all blocks whose values it uses.
fn first_place(module: &Module, block: Block, order: &[Block]) -> usize {
    let values = module.children(block).flat_map(|inst| {
        let fixed = first_argument(module.op(inst)).unwrap_or(usize::MAX);
        module.operands(inst).take(fixed)
    });
    let blocks = values.filter_map(|value| module.block_of(value));
    let places = blocks.filter_map(|used| order.iter().position(|&other| other == used && used != block));
    places.max().unwrap_or(0) + 1
}

/// Moves some edge blocks to other valid places.
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
