//! Places where the values of one block may need parameters: its iterated dominance frontier, as a forest under dominance.
//!
//! ```text
//!    entry ─▶ h ─▶ d ─▶ l        sites of d: d, then what is in its frontier, and in the frontier of that:
//!             ▲         │                    h   (l ─▶ h, and d does not dominate h)
//!             └─────────┘        nearest(l) = d, nearest(h) = h, nearest(entry) = none
//! ```
//!
//! (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991, sections 4.2 and 5.1.) The frontiers of all blocks are computed at the first query: their
//! size is at most blocks times nesting depth in structured control flow. Sites by preorder number form nested intervals, so the nearest
//! one above a block is found by bisection and a climb through the surrounding intervals.

use reconverge_graph::{DominanceFrontiers, DominatorTree, Graph, Node};
use rustc_hash::FxHashSet;

/// The frontiers of a graph, computed at the first query.
pub struct Frontiers<'g> {
    graph: &'g Graph,
    dominators: &'g DominatorTree,
    all: Option<DominanceFrontiers>,
}

/// The sites of one block.
pub struct Sites<'g> {
    dominators: &'g DominatorTree,
    definition: Node,
    /// In ascending order of first preorder numbers. Empty if the definition is unreachable.
    intervals: Vec<Interval>,
}

/// A site and the blocks that it dominates.
struct Interval {
    site: Node,
    first: usize,
    last: usize,
    /// The next interval that contains this one.
    outer: Option<usize>,
}

impl<'g> Frontiers<'g> {
    /// The frontiers of a graph with these dominators. They are computed at the first query.
    pub fn new(graph: &'g Graph, dominators: &'g DominatorTree) -> Frontiers<'g> {
        Frontiers { graph, dominators, all: None }
    }

    /// The sites of a block. Linear in their frontiers, times the logarithm of their number.
    pub fn sites(&mut self, definition: Node) -> Sites<'g> {
        self.sites_of_all(&[definition])
    }

    /// The sites of several blocks that define one value together; the first counts as its definition.
    pub fn sites_of_all(&mut self, definitions: &[Node]) -> Sites<'g> {
        let (graph, dominators) = (self.graph, self.dominators);
        let definition = definitions[0];
        let mut sites: Vec<Node> = definitions.iter().copied().filter(|&node| dominators.is_reachable(node)).collect();
        if sites.is_empty() {
            return Sites { dominators, definition, intervals: Vec::new() };
        }
        let frontiers = self.all.get_or_insert_with(|| DominanceFrontiers::compute(graph, dominators));
        let mut known: FxHashSet<Node> = sites.iter().copied().collect();
        let mut next = 0;
        while next < sites.len() {
            sites.extend(frontiers.frontier(sites[next]).iter().copied().filter(|&site| known.insert(site)));
            next += 1;
        }
        sites.sort_unstable_by_key(|&site| dominators.pre(site));
        Sites { dominators, definition, intervals: nest(dominators, &sites) }
    }
}

fn nest(dominators: &DominatorTree, sites: &[Node]) -> Vec<Interval> {
    let mut intervals: Vec<Interval> = Vec::with_capacity(sites.len());
    let mut open: Vec<usize> = Vec::new();
    for (index, &site) in sites.iter().enumerate() {
        let first = dominators.pre(site);
        while open.last().is_some_and(|&outer| intervals[outer].last < first) {
            open.pop();
        }
        let last = first + dominators.subtree_size(site) - 1;
        intervals.push(Interval { site, first, last, outer: open.last().copied() });
        open.push(index);
    }
    intervals
}

impl Sites<'_> {
    /// The block that defines the values of these sites.
    pub fn definition(&self) -> Node {
        self.definition
    }

    /// The nearest site that dominates a block, which may be the block itself.
    pub fn nearest(&self, node: Node) -> Option<Node> {
        if !self.dominators.is_reachable(node) {
            return None;
        }
        let number = self.dominators.pre(node);
        let mut candidate = self.intervals.partition_point(|interval| interval.first <= number).checked_sub(1);
        while let Some(index) = candidate {
            let interval = &self.intervals[index];
            if number <= interval.last {
                return Some(interval.site);
            }
            candidate = interval.outer;
        }
        None
    }
}
