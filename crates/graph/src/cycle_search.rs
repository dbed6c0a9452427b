//! Finds the headers of all cycles and the contents of each header's cycle.
//!
//! The definition (see [`crate::CycleForest`]) says: the cycle of `h` is the strongly connected
//! component of `h` among the nodes that the depth-first traversal discovered no earlier than `h`.
//! Each such component is in the subtree of `h`, so headers are processed in decreasing discovery order; the nodes found for one are
//! collapsed into it, and an outer search treats the inner cycle as one node.
//!
//! ```text
//!     h ←──┐                h ←──┐
//!     ↓    │                ↓    │         a ⇄ b was found for a and is one node by now;
//!     a ⇄ b│        ⇒      {a b} │         the body of h is searched backwards from c, the
//!     ↓    │                ↓    │         source of the edge that returns to h: c, {a b}
//!     c ───┘                c ───┘
//! ```
//!
//! An edge that is neither in the tree nor goes back to an ancestor matters only to headers at or above the lowest common ancestor of its
//! ends. It is deferred to that ancestor and then becomes an edge between what its ends were collapsed into. So each edge is entered once
//! and searched once, unlike in Havlak 1997, where it moves from header to header.
//!
//! Invariant: when `h` is processed, the entered edges are those inside subtrees of numbers ≥ `h`. Near-linear: O((nodes + edges) · log
//! nodes) by path compression alone, less in practice (Ramalingam 1999, section 3, for Havlak's nesting; Tarjan 1974 for the collapsing).

use crate::NONE;
use crate::ancestors::AncestorTable;
use crate::depth_first::DepthFirstTree;
use crate::graph::{Graph, Node};
use crate::grouped::Grouped;

/// The outcome, in the numbers of the search: depth-first numbers here, rpo positions in `loops`.
pub(crate) struct CycleHeaders {
    /// By number, whether it is the header of a cycle.
    pub(crate) is_header: Vec<bool>,
    /// The header of the innermost cycle that contains a number without being headed by it, or [`NONE`].
    pub(crate) enclosing: Vec<u32>,
}

pub(crate) fn compute_cycle_headers(graph: &Graph, tree: &DepthFirstTree) -> CycleHeaders {
    let ancestors = AncestorTable::compute(tree.parents.clone());
    let mut search = CycleSearch::new(tree, &ancestors);
    let postponed = postpone_edges(graph, tree, &ancestors);
    for header in (0..tree.len()).rev() {
        for &(source, target) in postponed.list(header) {
            search.enter(source, target);
        }
        let header = Node::new(header).raw();
        search.collect_body(graph, header);
        search.collapse(header);
    }
    CycleHeaders { is_header: search.is_header, enclosing: search.enclosing }
}

/// The edges that are not of the tree and do not lead to an ancestor, by lowest common ancestor.
fn postpone_edges(graph: &Graph, tree: &DepthFirstTree, ancestors: &AncestorTable) -> Grouped<(u32, u32)> {
    let mut edges = Vec::new();
    for target in (0..).take(tree.len()) {
        for source in tree.predecessors(graph, target) {
            let is_tree = target != 0 && tree.parents[target as usize] == source;
            if !is_tree && !ancestors.is_ancestor(target, source) {
                let place = ancestors.lowest_common_ancestor(source, target);
                edges.push((place, (source, target)));
            }
        }
    }
    Grouped::compute(tree.len(), edges.into_iter())
}

struct CycleSearch<'t> {
    tree: &'t DepthFirstTree,
    ancestors: &'t AncestorTable,
    /// By number, the one that it was collapsed into, towards the representative, which is its own.
    collapsed: Vec<u32>,
    is_header: Vec<bool>,
    enclosing: Vec<u32>,
    /// Per representative: the first of its entered edges, an index into `entered`.
    first_entered: Vec<u32>,
    /// Source of each entered edge, and the next edge with the same target.
    entered: Vec<(u32, u32)>,
    /// Representatives in the cycle that is being searched.
    body: Vec<u32>,
    /// The last header whose body took a representative.
    taken_by: Vec<u32>,
}

impl<'t> CycleSearch<'t> {
    fn new(tree: &'t DepthFirstTree, ancestors: &'t AncestorTable) -> Self {
        let len = tree.len();
        Self {
            tree,
            ancestors,
            collapsed: (0..).take(len).collect(),
            is_header: vec![false; len],
            enclosing: vec![NONE; len],
            first_entered: vec![NONE; len],
            entered: Vec::new(),
            body: Vec::new(),
            taken_by: vec![NONE; len],
        }
    }

    fn enter(&mut self, source: u32, target: u32) {
        let target = self.representative(target) as usize;
        let edge = Node::new(self.entered.len()).raw();
        self.entered.push((source, self.first_entered[target]));
        self.first_entered[target] = edge;
    }

    /// Searches backwards from the edges that return to `header` for all that reaches it below it.
    fn collect_body(&mut self, graph: &Graph, header: u32) {
        self.body.clear();
        for source in self.tree.predecessors(graph, header) {
            if source == header {
                self.is_header[header as usize] = true;
            } else if self.ancestors.is_ancestor(header, source) {
                self.take(header, source);
            }
        }
        let mut searched = 0;
        while searched < self.body.len() {
            let member = self.body[searched] as usize;
            searched += 1;
            self.take(header, self.tree.parents[member]);
            let mut edge = self.first_entered[member];
            while edge != NONE {
                let (source, next) = self.entered[edge as usize];
                self.take(header, source);
                edge = next;
            }
        }
    }

    fn take(&mut self, header: u32, source: u32) {
        let source = self.representative(source);
        if source != header && self.taken_by[source as usize] != header {
            self.taken_by[source as usize] = header;
            self.body.push(source);
        }
    }

    fn collapse(&mut self, header: u32) {
        for &member in &self.body {
            self.enclosing[member as usize] = header;
            self.collapsed[member as usize] = header;
        }
        self.is_header[header as usize] |= !self.body.is_empty();
    }

    /// The representative of `number`; halves the path for the next lookup.
    fn representative(&mut self, mut number: u32) -> u32 {
        loop {
            let above = self.collapsed[number as usize];
            if above == number {
                return number;
            }
            let further = self.collapsed[above as usize];
            self.collapsed[number as usize] = further;
            number = further;
        }
    }
}
