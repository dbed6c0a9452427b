//! Step 4: the continue target of each loop.
//!
//! A loop with one back edge, from a separate block that ends in `jump header` or `if c header else exit`, keeps this block, its *latch*,
//! as its continue target, and the code that the latch leads to outside goes after the loop. Otherwise a continue target is added.

use reconverge_graph::Cycle;

use super::loops::{BackEdges, Loops, graph_node};
use super::tree::Builder;
use crate::BreakBlocks;
use crate::work::{NONE, Node, NodeKind};

impl Builder<'_> {
    /// Step 4: a block that can itself be the continue target of its loop. Returns for each node
    /// the header that it must come after, as the exit of such a latch.
    pub(super) fn choose_latches(&mut self, loops: &Loops<'_>) -> Vec<Node> {
        let mut forced = vec![NONE; self.work.len()];
        for &cycle in &loops.list {
            let header = loops.cycles.header(cycle).index() as Node;
            let BackEdges { count: 1, source: latch, .. } = loops.back_edges[header as usize] else { continue };
            if latch == header
                || loops.cycles.innermost(graph_node(latch)) != Some(cycle)
                || self.work.kinds[latch as usize] != NodeKind::Input
                || self.is_kept_before_break(loops, latch, cycle)
            {
                continue;
            }
            let exit = self.work.edges_of(latch).iter().find(|edge| edge.target != header);
            let exit = exit.map(|edge| edge.target);
            if exit.is_some_and(|exit| loops.cycles.contains(cycle, graph_node(exit)))
                || self.keeps_chains_flat && exit.is_some() && self.ends_a_chain(loops, latch, cycle)
            {
                continue;
            }
            let below = loops.dominators.subtree_size(graph_node(latch)) - 1;
            if below > 0 {
                // The latch dominates its exit and what that dominates, and nothing else.
                let is_only = |exit: &Node| {
                    loops.indegree[*exit as usize] == 1 && loops.dominators.subtree_size(graph_node(*exit)) == below
                };
                let Some(only) = exit.filter(is_only) else { continue };
                forced[only as usize] = header;
            }
            self.latch[header as usize] = latch;
            self.header_of_latch[latch as usize] = header;
        }
        forced
    }

    /// Returns whether a latch that leaves the loop comes directly after another block that does: `if c break; …; if d break`. As continue
    /// target it would end the chain with a `continue`, and a printer would nest it.
    fn ends_a_chain(&self, loops: &Loops<'_>, latch: Node, cycle: Cycle) -> bool {
        let before = loops.dominators.idom(graph_node(latch)).filter(|_| loops.indegree[latch as usize] == 1);
        before.is_some_and(|before| {
            let edges = self.work.edges_of(before.index() as Node);
            edges.iter().any(|edge| !loops.cycles.contains(cycle, graph_node(edge.target)))
        })
    }

    /// Returns whether the latch of `cycle` is a convergent break block of an inner loop that must stay there.
    fn is_kept_before_break(&self, loops: &Loops<'_>, latch: Node, cycle: Cycle) -> bool {
        if !loops.is_convergent(latch) || loops.indegree[latch as usize] != 1 {
            return false;
        }
        let idom = loops.dominators.idom(graph_node(latch));
        let inner = idom.and_then(|idom| loops.cycles.innermost(idom)).filter(|&inner| inner != cycle);
        let Some(inner) = inner else { return false };
        let is_regular = loops.cycles.parent(inner) == Some(cycle)
            && loops.is_regular_exit(latch, loops.cycles.header(inner).index() as Node);
        self.break_blocks != BreakBlocks::Outside && !(is_regular && self.break_blocks == BreakBlocks::Ordinary)
    }
}
