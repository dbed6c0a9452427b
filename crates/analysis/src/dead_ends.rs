//! Blocks that only lead to `unreachable`.
//!
//! Reaching an `unreachable` is undefined behaviour, so control never reaches one, nor a block from which every path ends at one: the
//! default of a complete switch, a case that the author excludes, an impossible path that optimizers left. Such a block is not an exit of a
//! loop, and lanes do not diverge from lanes that go there.
//!
//! ```text
//! ^d: store …; unreachable       a dead end, whatever it does before
//! ^e: branch ^d                  one too
//! ^f: call %stop; unreachable    not one: the call need not return, for example if it ends the invocation
//! ^g: branch ^g                  not one: lanes may loop forever
//! ```
//!
//! Code that has no access to instructions gets only the ends, and computes the blocks that lead only to them: [`compute_dead_blocks`]
//! omits ends for which that would be wrong, such as that of `^h: call %stop; branch ^e` above. Linear.

use reconverge_graph::{DeadEnds, Graph, Node};
use reconverge_ir::{Block, Module, Op};

use crate::effects::may_end;

/// The dead ends among the blocks of a graph, which are given by node.
pub fn compute_dead_ends(module: &Module, graph: &Graph, blocks: &[Block]) -> DeadEnds {
    let comes_through = |node: Node| !module.children(blocks[node.index()]).any(|inst| may_end(module.op(inst)));
    let is_end = |node: Node| is_unreachable(module, blocks[node.index()]) && comes_through(node);
    DeadEnds::compute(graph, is_end, comes_through)
}

/// For each node, whether the block is a dead end: it ends in `unreachable`, or every block that it can reach is one.
pub fn compute_dead_blocks(module: &Module, graph: &Graph, blocks: &[Block]) -> Vec<bool> {
    let is_end = |node: Node| is_unreachable(module, blocks[node.index()]);
    let dead_ends = compute_dead_ends(module, graph, blocks);
    let by_edges = DeadEnds::compute(graph, is_end, |_| true);
    let mut comes_to: Vec<bool> = vec![false; graph.len()];
    let mut pending: Vec<Node> =
        graph.nodes().filter(|&node| by_edges.contains(node) && !dead_ends.contains(node)).collect();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut comes_to[node.index()], true) {
            pending.extend(graph.successors(node));
        }
    }
    graph.nodes().map(|node| is_end(node) && !comes_to[node.index()]).collect()
}

fn is_unreachable(module: &Module, block: Block) -> bool {
    module.terminator(block).is_some_and(|last| module.op(last) == Op::Unreachable)
}
