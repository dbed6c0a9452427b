//! Queries of the placement about the loops of a graph, computed once.

use reconverge_graph::{Cycle, CycleForest, DeadEnds, DominatorTree, Graph, Order};

use crate::input::Convergence;
use crate::work::{Analyses, NONE, Node, NodeKind, WorkGraph};

/// An exit after this many jumps from the header counts as an exit from the header.
const JUMPS_FOLLOWED: usize = 4;

pub(crate) fn graph_node(node: Node) -> reconverge_graph::Node {
    reconverge_graph::Node::new(node as usize)
}

/// The back edges to a header.
#[derive(Clone, Copy)]
pub(super) struct BackEdges {
    /// The number of nodes that have one.
    pub(super) count: u32,
    /// One of them.
    pub(super) source: Node,
    /// The target of the last edge that was visited, of any kind.
    last_source: Node,
}

/// The analyses for the placement.
pub(crate) struct Loops<'a> {
    graph: &'a Graph,
    pub(crate) order: &'a Order,
    pub(crate) dominators: &'a DominatorTree,
    pub(crate) cycles: &'a CycleForest,
    /// Nodes from which every path ends in unreachable code: not exits of a loop.
    dead_ends: DeadEnds,
    pub(crate) indegree: Vec<u32>,
    /// By node, whether it has one successor.
    jumps: Vec<bool>,
    pub(super) back_edges: Vec<BackEdges>,
    /// Skew-binary jump pointers over the loop forest (Myers 1983).
    jump: Vec<u32>,
    pub(crate) list: Vec<Cycle>,
    /// By node, the lanes that the code that it dominates depends on.
    pub(crate) convergence: Vec<Convergence>,
}

impl<'a> Loops<'a> {
    pub(super) fn compute(work: &WorkGraph, analyses: &'a Analyses, cycles: &'a CycleForest) -> Self {
        let Analyses { graph, order, dominators } = analyses;
        let is_unreachable = |node: reconverge_graph::Node| work.kinds[node.index()] == NodeKind::InputUnreachable;
        let dead_ends = DeadEnds::compute(graph, is_unreachable, |_| true);
        let mut indegree = vec![0; work.len()];
        let mut back_edges = vec![BackEdges { count: 0, source: NONE, last_source: NONE }; work.len()];
        for source in order.sequence().iter().map(|node| node.index() as Node) {
            for edge in work.edges_of(source) {
                let target = edge.target as usize;
                if std::mem::replace(&mut back_edges[target].last_source, source) == source {
                    continue;
                }
                // In a reducible graph exactly the edges that lead back to a dominator.
                if order.is_retreating(graph_node(source), graph_node(edge.target)) {
                    let found = &mut back_edges[target];
                    (found.count, found.source) = (found.count + 1, source);
                } else {
                    indegree[target] += 1;
                }
            }
        }
        let list: Vec<Cycle> = cycles.cycles().collect();
        let mut jump: Vec<u32> = Vec::with_capacity(list.len());
        for &cycle in &list {
            let own = cycle.index() as u32;
            jump.push(cycles.parent(cycle).map_or(own, |parent| {
                let over = jump[parent.index()] as usize;
                let depth = |index: usize| cycles.depth(list[index]);
                let far = jump[over] as usize;
                if depth(parent.index()) - depth(over) == depth(over) - depth(far) {
                    far as u32
                } else {
                    parent.index() as u32
                }
            }));
        }
        let mut convergence = work.convergence.clone();
        for &node in dominators.preorder().iter().rev() {
            if let Some(idom) = dominators.idom(node) {
                convergence[idom.index()] = convergence[idom.index()].max(convergence[node.index()]);
            }
        }
        let jumps = work.nodes().map(|node| work.edges_of(node).len() == 1).collect();
        Self { graph, order, dominators, cycles, dead_ends, indegree, jumps, back_edges, jump, list, convergence }
    }

    /// Returns whether no path from the node reaches an end of the function.
    pub(super) fn is_dead_end(&self, node: Node) -> bool {
        self.dead_ends.contains(graph_node(node))
    }

    /// Returns whether the node has several predecessors, not counting back edges.
    pub(super) fn is_join(&self, node: Node) -> bool {
        self.indegree[node as usize] >= 2
    }

    /// The innermost loop around the immediate dominator of the node.
    pub(super) fn innermost_above(&self, node: Node) -> Option<Cycle> {
        self.dominators.idom(graph_node(node)).and_then(|idom| self.cycles.innermost(idom))
    }

    /// Reachable predecessors of the node, without sources of back edges.
    pub(super) fn sources(&self, node: Node) -> impl Iterator<Item = Node> {
        let sources = self.graph.predecessors(graph_node(node)).iter().copied();
        let is_forward = move |&source: &reconverge_graph::Node| {
            self.dominators.is_reachable(source) && !self.order.is_retreating(source, graph_node(node))
        };
        sources.filter(is_forward).map(|source| source.index() as Node)
    }

    /// Returns whether anything that the node dominates is convergent.
    pub(super) fn is_convergent(&self, node: Node) -> bool {
        self.convergence[node as usize].is_convergent()
    }

    pub(super) fn is_header(&self) -> Vec<bool> {
        self.back_edges.iter().map(|found| found.count > 0).collect()
    }

    /// For each block that leaves its loop, except the first branch of the loop, the header. A path that reaches no end leaves nothing.
    pub(super) fn left_inside(&self, work: &WorkGraph) -> Vec<Node> {
        let left = work.nodes().filter_map(|node| {
            let cycle = self.cycles.innermost(graph_node(node))?;
            let is_out = |target: Node| !self.cycles.contains(cycle, graph_node(target)) && !self.is_dead_end(target);
            let header = self.cycles.header(cycle).index() as Node;
            let leaves = work.edges_of(node).iter().any(|edge| is_out(edge.target));
            (leaves && node != self.first_decision(work, header)).then_some(header)
        });
        left.collect()
    }

    /// The header, or the block that jumps lead to from there and nothing else.
    fn first_decision(&self, work: &WorkGraph, header: Node) -> Node {
        let mut at = header;
        for _ in 0..JUMPS_FOLLOWED {
            match work.edges_of(at) {
                [edge] if self.indegree[edge.target as usize] == 1 => at = edge.target,
                _ => break,
            }
        }
        at
    }

    /// Returns whether the single-predecessor `node` is entered from the header of the loop, or from the only source of its back edge: the
    /// regular exit of the loop.
    pub(super) fn is_regular_exit(&self, node: Node, header: Node) -> bool {
        let source = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node);
        source == Some(header) || self.is_latch_exit(node, header)
    }

    /// Returns whether the single-predecessor `node` is entered from the only source of the back edge.
    pub(super) fn is_latch_exit(&self, node: Node, header: Node) -> bool {
        let source = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node);
        let BackEdges { count, source: latch, .. } = self.back_edges[header as usize];
        count == 1 && source == Some(latch)
    }

    /// Returns whether the single-predecessor `node` is entered from the header, or from where only jumps lead from the header.
    pub(super) fn is_behind_jumps(&self, node: Node, header: Node) -> bool {
        let Some(mut at) = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node) else {
            return false;
        };
        for _ in 0..JUMPS_FOLLOWED {
            let before = self.dominators.idom(graph_node(at)).map(|idom| idom.index() as Node);
            match before {
                Some(before) if at != header && self.jumps[before as usize] && self.indegree[at as usize] == 1 => {
                    at = before
                }
                _ => break,
            }
        }
        at == header
    }

    pub(super) fn depth(&self, cycle: Option<Cycle>) -> usize {
        cycle.map_or(0, |cycle| self.cycles.depth(cycle))
    }

    /// The loop around `cycle`, itself included, at the given depth ≥ 1.
    pub(super) fn at_depth(&self, cycle: Cycle, depth: usize) -> Cycle {
        let mut at = cycle;
        while self.cycles.depth(at) > depth {
            let over = self.list[self.jump[at.index()] as usize];
            at = if self.cycles.depth(over) >= depth && over != at {
                over
            } else {
                self.cycles.parent(at).expect("invariant: a loop deeper than 1 has a parent")
            };
        }
        at
    }

    /// The depth of the innermost loop that holds both the node and its immediate dominator: the
    /// dominator is in every loop around the node that the node does not head.
    pub(super) fn common_depth(&self, node: Node) -> usize {
        let own = self.cycles.innermost(graph_node(node));
        own.map_or(0, |own| self.cycles.depth(own) - usize::from(self.cycles.header(own) == graph_node(node)))
    }
}
