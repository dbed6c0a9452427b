//! Blocks that only lead to `unreachable`.
//!
//! To come to an `unreachable` is undefined behaviour, so nobody does, nor to a block from which every way ends at one: the default of a
//! switch whose cases are all there are, what an author rules out, what optimizers leave of an impossible way. Such a block is no way out
//! of a loop, and nobody parts from those who go there.
//!
//! ```text
//! ^d: store …; unreachable       a dead end, whatever it does before
//! ^e: branch ^d                  one too
//! ^f: call %stop; unreachable    none: the call need not come back, as where it ends the invocation
//! ^g: branch ^g                  none: lanes may go round for ever
//! ```
//!
//! Who sees no instructions is told of ends alone, and finds out itself what only leads to them: [`compute_dead_blocks`] leaves out ends
//! for which that would be wrong, as that of `^h: call %stop; branch ^e` above. Linear.

use reconverge_graph::{DeadEnds, Graph, Node};
use reconverge_ir::{Block, Module, Op};

use crate::effects::may_end;

/// The dead ends among the blocks of a graph, which are given by node.
pub fn compute_dead_ends(module: &Module, graph: &Graph, blocks: &[Block]) -> DeadEnds {
    let comes_through = |node: Node| !module.children(blocks[node.index()]).any(|inst| may_end(module.op(inst)));
    let is_end = |node: Node| is_unreachable(module, blocks[node.index()]) && comes_through(node);
    DeadEnds::compute(graph, is_end, comes_through)
}

/// By node: whether the block ends in `unreachable`, is a dead end, and so is every block from which control comes nowhere but to such
/// blocks.
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
