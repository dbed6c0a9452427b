//! Forest of nested cycles, irreducible ones included.
//!
//! # Definition
//!
//! - The outermost cycles are the maximal strongly connected sets of reachable nodes that have an edge
//!   inside (a single node needs a self loop).
//! - The *header* of a cycle is its first node in rpo. It is always an entry of the cycle.
//! - The cycles inside a cycle are those of the cycle's nodes without the header, and so on inwards.
//!
//! So a node heads at most one cycle, and cycles are nested or disjoint. Equivalently, the cycle of a
//! header is its strongly connected component among the nodes that are not before it in rpo. For
//! reducible graphs these are the natural loops, those with a common header joined into one; else the
//! nesting is Havlak's and depends on the order, since it is the order that chooses headers.
//!
//! An entry is a node of the cycle that is the graph's entry or has a reachable predecessor outside
//! the cycle; the header of an enclosing cycle is outside too. A cycle is reducible when it has one
//! entry, and exactly then its header dominates the sources of the edges that return to it: with one
//! entry nothing inside is reached but through the header; with a second one such a source is reached
//! from there around the header, and the second one is reached without the header, since what only the
//! header leads to, and what leads back to the header, would be inside.
//!
//! ```text
//!        n0              outermost  {n1 n2 n3 n4}  header n1, entries n1 n2: irreducible
//!      1↙  ↘0            nested     {n2 n3}        header n2, entry n2: a loop
//!     n1 ⇄ n2 ⇄ n3       back edges n2 → n1, n4 → n1, n3 → n2
//!      ↑    ↓
//!      └── n4
//! ```
//!
//! (The traversal takes the last successor first, so it enters that cycle at n1.)
//!
//! # Algorithm
//!
//! `cycle_search` finds the headers, or `loops` if no cycle is irreducible; here they become a forest whose cycles and blocks are ranges,
//! so that containment is two comparisons. Near-linear: see there.
//!
//! Havlak 1997; Ramalingam 1999 and 2002, section 3.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::NONE;
use crate::ancestors::AncestorTable;
use crate::cycle_entries::EntryDepths;
use crate::cycle_search::{CycleHeaders, compute_cycle_headers};
use crate::dominance::DominatorTree;
use crate::graph::{Graph, Node};
use crate::grouped::Grouped;
use crate::loops::compute_loop_headers;
use crate::order::Order;

/// A cycle of a [`CycleForest`]. Prints as `c2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cycle(u32);

impl Cycle {
    /// The place of this cycle in [`CycleForest::cycles`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "c{}", self.0)
    }
}

/// All cycles of a graph, nested. The definition is at the top of this crate's `cycles.rs`: outermost
/// cycles are maximal strongly connected sets, a header is the cycle's first node in rpo, and what is
/// strongly connected without the header is nested inside.
#[derive(Clone, Debug)]
pub struct CycleForest {
    headers: Vec<Node>,
    parents: Vec<Option<Cycle>>,
    /// Key 0: the outermost cycles; key `c + 1`: the cycles right inside `c`.
    children: Grouped<Cycle>,
    depths: Vec<u32>,
    /// Empty where every cycle is.
    reducible: Vec<bool>,
    /// Innermost cycle of each node, or [`NONE`].
    innermost: Vec<u32>,
    /// Preorder place of each cycle in the forest below a virtual root, which has place 0.
    places: Vec<u32>,
    by_place: Vec<Cycle>,
    ancestors: AncestorTable,
    /// Blocks by the place of their innermost cycle, then in rpo; computed on demand.
    blocks: OnceLock<Grouped<Node>>,
    entry_depths: EntryDepths,
    /// Entries of irreducible cycles, computed on demand: see `cycle_entries`. Empty like `reducible`.
    entries: Vec<OnceLock<Box<[Node]>>>,
    /// Rpo position of each node.
    positions: Vec<u32>,
}

impl CycleForest {
    /// Computes the forest. `order` and `dominators` must be those of `graph`. Near-linear.
    pub fn compute(graph: &Graph, order: &Order, dominators: &DominatorTree) -> Self {
        if dominators.is_reducible_graph() {
            Self::from_nesting(Nesting::compute_reducible(graph, order), order)
        } else {
            Self::compute_irreducible(graph, order)
        }
    }

    /// The same without dominators, for graphs that are known to have, or may have, irreducible cycles.
    pub fn compute_irreducible(graph: &Graph, order: &Order) -> Self {
        let mut forest = Self::from_nesting(Nesting::compute(graph, order), order);
        let blocks = forest.arranged_blocks().items().iter();
        let keys: Vec<u32> = blocks.map(|&block| forest.entry_depth(graph, block)).collect();
        forest.reducible = forest.one_entry_cycles(&keys);
        forest.entry_depths = EntryDepths::compute(&keys);
        forest.entries = vec![OnceLock::new(); forest.headers.len()];
        forest
    }

    /// The forest in which all cycles are reducible.
    fn from_nesting(nesting: Nesting, order: &Order) -> Self {
        let numbering = Numbering::compute(&nesting);
        Self {
            reducible: Vec::new(),
            entries: Vec::new(),
            entry_depths: EntryDepths::compute(&[]),
            headers: nesting.headers,
            parents: nesting.parents,
            children: nesting.children,
            depths: nesting.depths,
            innermost: nesting.innermost,
            places: numbering.places,
            by_place: numbering.by_place,
            ancestors: numbering.ancestors,
            blocks: OnceLock::new(),
            positions: order.positions().to_vec(),
        }
    }

    /// All cycles: parents before children, by the rpo of their headers.
    pub fn cycles(&self) -> impl DoubleEndedIterator<Item = Cycle> + ExactSizeIterator + Clone + use<> {
        (0..Node::new(self.headers.len()).raw()).map(Cycle)
    }

    /// The cycles that are in no other, by the rpo of their headers.
    pub fn outermost(&self) -> &[Cycle] {
        self.children.list(0)
    }

    /// The innermost cycle that contains `node`, also as its header.
    #[inline]
    pub fn innermost(&self, node: Node) -> Option<Cycle> {
        let cycle = self.innermost[node.index()];
        (cycle != NONE).then_some(Cycle(cycle))
    }

    /// The first node of the cycle in rpo, which is one of its entries.
    #[inline]
    pub fn header(&self, cycle: Cycle) -> Node {
        self.headers[cycle.index()]
    }

    /// The cycle whose header is `node`.
    #[inline]
    pub fn headed_by(&self, node: Node) -> Option<Cycle> {
        self.innermost(node).filter(|&cycle| self.header(cycle) == node)
    }

    /// The nodes through which the cycle is entered from outside, in rpo; the header is the first.
    ///
    /// Constant time for a reducible cycle. The list of an irreducible one is computed on demand, in O(entries · log blocks): all lists
    /// together can be quadratic.
    pub fn entries(&self, cycle: Cycle) -> &[Node] {
        if self.is_reducible(cycle) {
            return &self.headers[cycle.index()..=cycle.index()];
        }
        self.entries[cycle.index()].get_or_init(|| {
            let bound = self.depths[cycle.index()];
            let mut entries = self.entry_depths.below(bound, self.range(cycle), self.arranged_blocks().items());
            entries.sort_unstable_by_key(|entry| self.positions[entry.index()]);
            entries.into_boxed_slice()
        })
    }

    /// Returns whether the cycle has one entry, so that it is a loop.
    pub fn is_reducible(&self, cycle: Cycle) -> bool {
        self.reducible.is_empty() || self.reducible[cycle.index()]
    }

    /// Returns whether every cycle is reducible.
    pub fn is_reducible_graph(&self) -> bool {
        self.reducible.iter().all(|&reducible| reducible)
    }

    /// The innermost cycle around this one.
    #[inline]
    pub fn parent(&self, cycle: Cycle) -> Option<Cycle> {
        self.parents[cycle.index()]
    }

    /// The cycles right inside this one, by the rpo of their headers.
    pub fn children(&self, cycle: Cycle) -> &[Cycle] {
        self.children.list(cycle.index() + 1)
    }

    /// The number of cycles that contain this one, itself included: 1 for an outermost cycle.
    #[inline]
    pub fn depth(&self, cycle: Cycle) -> usize {
        self.depths[cycle.index()] as usize
    }

    /// The number of cycles that contain `node`.
    pub fn node_depth(&self, node: Node) -> usize {
        self.innermost(node).map_or(0, |cycle| self.depth(cycle))
    }

    /// Returns whether `node` is in the cycle or in one nested in it. Constant time.
    #[inline]
    pub fn contains(&self, cycle: Cycle, node: Node) -> bool {
        self.innermost(node).is_some_and(|inner| self.encloses(cycle, inner))
    }

    /// Returns whether `inner` is `outer` or nested in it. Constant time.
    #[inline]
    pub fn encloses(&self, outer: Cycle, inner: Cycle) -> bool {
        let (outer, inner) = (self.places[outer.index()], self.places[inner.index()]);
        self.ancestors.is_ancestor(outer, inner)
    }

    /// The innermost cycle that contains both. Constant time.
    pub fn lowest_common_ancestor(&self, left: Cycle, right: Cycle) -> Option<Cycle> {
        let (left, right) = (self.places[left.index()], self.places[right.index()]);
        let place = self.ancestors.lowest_common_ancestor(left, right) as usize;
        place.checked_sub(1).map(|place| self.by_place[place])
    }

    /// All blocks of the cycle: those in no nested cycle first (in rpo, so the header leads), then
    /// those of the nested cycles, each in the same manner.
    #[inline]
    pub fn blocks(&self, cycle: Cycle) -> &[Node] {
        &self.arranged_blocks().items()[self.range(cycle)]
    }

    /// Returns whether an edge `source → target` leads to the header of a cycle that contains its source.
    pub fn is_back_edge(&self, source: Node, target: Node) -> bool {
        self.headed_by(target).is_some_and(|cycle| self.contains(cycle, source))
    }

    /// The range of the cycle's blocks among all blocks.
    fn range(&self, cycle: Cycle) -> Range<usize> {
        let first = self.places[cycle.index()];
        self.arranged_blocks().span(first as usize..self.ancestors.end(first) as usize)
    }

    /// The reachable blocks that are in a cycle, by the place of their innermost cycle, then in rpo.
    fn arranged_blocks(&self) -> &Grouped<Node> {
        self.blocks.get_or_init(|| {
            let reachable = self.positions.iter().filter(|&&position| position != NONE).count();
            let mut sequence = vec![Node::new(0); reachable];
            for (node, &position) in self.positions.iter().enumerate() {
                if position != NONE {
                    sequence[position as usize] = Node::new(node);
                }
            }
            let pairs = sequence.iter().filter_map(|&node| match self.innermost[node.index()] {
                NONE => None,
                cycle => Some((self.places[cycle as usize], node)),
            });
            Grouped::compute(self.places.len() + 1, pairs)
        })
    }

    /// The depth of the innermost cycle that contains `block` and all its reachable predecessors, 0 if none does.
    ///
    /// The graph's entry needs no special case: it dominates its cycle, and entries are computed only for irreducible ones.
    fn entry_depth(&self, graph: &Graph, block: Node) -> u32 {
        let sources = graph.predecessors(block).iter();
        let reachable = sources.filter(|source| self.positions[source.index()] != NONE);
        let shared = reachable.map(|&source| {
            let cycles = self.innermost(source).zip(self.innermost(block));
            let shared = cycles.and_then(|(left, right)| self.lowest_common_ancestor(left, right));
            shared.map_or(0, |cycle| self.depths[cycle.index()])
        });
        shared.min().expect("a block of a cycle has a reachable predecessor")
    }

    /// For each cycle, whether its header is its only entry: no other block in it has an entry depth below the cycle's depth. `keys` are
    /// the entry depths of the arranged blocks.
    fn one_entry_cycles(&self, keys: &[u32]) -> Vec<bool> {
        let mut lowest = vec![u32::MAX; self.headers.len()];
        for (&block, &key) in self.arranged_blocks().items().iter().zip(keys) {
            // A header counts for the cycles around its own.
            let inner = self.innermost(block).expect("only blocks of cycles are arranged");
            let around = if self.header(inner) == block { self.parent(inner) } else { Some(inner) };
            if let Some(around) = around {
                lowest[around.index()] = lowest[around.index()].min(key);
            }
        }
        for cycle in self.cycles().rev() {
            if let Some(parent) = self.parent(cycle) {
                lowest[parent.index()] = lowest[parent.index()].min(lowest[cycle.index()]);
            }
        }
        lowest.iter().zip(&self.depths).map(|(lowest, depth)| lowest >= depth).collect()
    }
}

/// The nesting of cycles, which are numbered by the rpo of their headers.
struct Nesting {
    headers: Vec<Node>,
    parents: Vec<Option<Cycle>>,
    children: Grouped<Cycle>,
    depths: Vec<u32>,
    innermost: Vec<u32>,
}

impl Nesting {
    fn compute(graph: &Graph, order: &Order) -> Self {
        let tree = order.tree();
        let found = compute_cycle_headers(graph, tree);
        Self::from_headers(order, &found, &tree.preorder, &tree.numbers)
    }

    fn compute_reducible(graph: &Graph, order: &Order) -> Self {
        let found = compute_loop_headers(graph, order);
        Self::from_headers(order, &found, order.sequence(), order.positions())
    }

    /// From headers given as numbers.
    fn from_headers(order: &Order, found: &CycleHeaders, node_of: &[Node], number_of: &[u32]) -> Self {
        let mut nesting = Self {
            headers: Vec::with_capacity(8),
            parents: Vec::with_capacity(8),
            children: Grouped::compute(1, std::iter::empty()),
            depths: Vec::with_capacity(8),
            innermost: vec![NONE; number_of.len()],
        };
        // A header comes before its cycle in rpo, so the cycle around a node is known when the node is visited.
        for &node in order.sequence() {
            let number = number_of[node.index()] as usize;
            let around = match found.enclosing[number] {
                NONE => NONE,
                header => nesting.innermost[node_of[header as usize].index()],
            };
            nesting.innermost[node.index()] = around;
            if found.is_header[number] {
                let parent = (around != NONE).then_some(Cycle(around));
                nesting.innermost[node.index()] = Node::new(nesting.headers.len()).raw();
                let outside = parent.map_or(0, |parent| nesting.depths[parent.index()]);
                nesting.depths.push(outside + 1);
                nesting.headers.push(node);
                nesting.parents.push(parent);
            }
        }
        let pairs = (0..).zip(&nesting.parents);
        let pairs = pairs.map(|(cycle, parent)| (parent.map_or(0, |p| p.0 + 1), Cycle(cycle)));
        nesting.children = Grouped::compute(nesting.headers.len() + 1, pairs);
        nesting
    }
}

/// Preorder of the forest below a virtual root.
struct Numbering {
    places: Vec<u32>,
    by_place: Vec<Cycle>,
    ancestors: AncestorTable,
}

impl Numbering {
    fn compute(nesting: &Nesting) -> Self {
        let count = nesting.headers.len();
        let mut sizes = vec![1_u32; count];
        for cycle in (0..count).rev() {
            if let Some(parent) = nesting.parents[cycle] {
                sizes[parent.index()] += sizes[cycle];
            }
        }
        let mut places = vec![0_u32; count];
        let mut by_place = vec![Cycle(0); count];
        let mut above = vec![0_u32; count + 1];
        let mut free_outermost = 1_u32;
        let mut free = vec![0_u32; count];
        for (cycle, parent) in (0..).map(Cycle).zip(&nesting.parents) {
            let slot = match parent {
                Some(parent) => &mut free[parent.index()],
                None => &mut free_outermost,
            };
            let place = *slot;
            *slot += sizes[cycle.index()];
            places[cycle.index()] = place;
            by_place[place as usize - 1] = cycle;
            above[place as usize] = parent.map_or(0, |parent| places[parent.index()]);
            free[cycle.index()] = place + 1;
        }
        Self { places, by_place, ancestors: AncestorTable::compute(above) }
    }
}
