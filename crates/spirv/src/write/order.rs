//! The order of blocks: each after its dominator (SPIR-V section 2.16.1), and the module's own order if possible.

use reconverge_graph::{DominatorTree, Graph, Node, Order};
use reconverge_ir::{Block, Inst, Module};
use rustc_hash::FxHashMap;

use super::contract::Contracted;

/// Orders the blocks of a function so that each comes after its dominator: in their own order if it is valid, otherwise in reverse
/// post-order with unreachable blocks at the end.
pub(super) fn blocks_in_order(module: &Module, mut contracted: Contracted) -> Contracted {
    let blocks = contracted.blocks().to_vec();
    let Some(entry) = contracted.entry() else { return contracted };
    let index: FxHashMap<Inst, usize> =
        blocks.iter().enumerate().map(|(place, &block)| (block.into(), place)).collect();
    let lists: Vec<Vec<Node>> = blocks
        .iter()
        .map(|&block| contracted.successors(module, block).map(|target| Node::new(index[&target])).collect())
        .collect();
    let entry = index[&entry];
    if entry == 0 && is_plainly_in_order(&lists) {
        return contracted;
    }
    let graph = Graph::from_successors(Node::new(entry), lists);
    let order = Order::compute_reverse_post_order(&graph);
    if entry == 0 {
        let tree = DominatorTree::compute(&graph, &order);
        if graph.nodes().all(|node| tree.idom(node).is_none_or(|idom| idom.index() < node.index())) {
            return contracted;
        }
    }
    let reached = order.sequence().iter().map(|node| blocks[node.index()]);
    let unreached = graph.nodes().filter(|&node| order.position(node).is_none()).map(|node| blocks[node.index()]);
    let sorted: Vec<Block> = reached.chain(unreached).collect();
    contracted.set_blocks(sorted);
    contracted
}

/// Returns whether every reachable block has an earlier predecessor. Then a path of earlier blocks leads to it from the entry, and its
/// dominators, which are on every path, come before it.
fn is_plainly_in_order(lists: &[Vec<Node>]) -> bool {
    let mut is_entered = vec![false; lists.len()];
    let mut is_target = vec![false; lists.len()];
    for (source, targets) in lists.iter().enumerate() {
        for target in targets {
            is_target[target.index()] = true;
            is_entered[target.index()] |= source < target.index();
        }
    }
    (1..lists.len()).all(|block| is_entered[block] || !is_target[block])
}
