//! Dominator tree.
//!
//! `a` dominates `b` when every path from the entry to `b` passes `a`. The idea: the *semidominator* of
//! a node is the earliest node (in depth-first numbers) from which a path leads to it whose inner nodes
//! all come later than it; it is found from the predecessors alone, in decreasing order of numbers, and
//! the immediate dominator follows from the semidominators met on the tree path in between.
//!
//! Invariant: when number `w` is processed, all numbers above it are in a forest of tree edges, and `evaluate` finds the smallest
//! semidominator on the path up to the forest's root; path compression keeps that cheap. The simple form of Lengauer and Tarjan 1979,
//! sections 3 and 4: O(edges · log nodes) on any graph. (Semi-NCA and the iterative method are faster on small graphs, but quadratic on
//! some inputs of structurizers.) `forward_dominance` is tried first: it is faster and works for every graph without irreducible cycles.
//!
//! Queries go through preorder and post-order numbers of the tree and take constant time.

use std::sync::OnceLock;

use crate::NONE;
use crate::ancestors::AncestorTable;
use crate::forward_dominance::compute_forward_idoms;
use crate::graph::{Graph, Node};
use crate::grouped::Grouped;
use crate::order::Order;

/// The dominator tree of the reachable nodes. Unreachable nodes are in no relation, not even with
/// themselves.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// Reachable nodes in preorder of the tree.
    preorder: Vec<Node>,
    /// Place in `preorder` of each node, [`NONE`] when unreachable.
    numbers: Vec<u32>,
    /// Per preorder number: the number of strict dominators.
    depths: Vec<u32>,
    /// By preorder number; computed on demand.
    children: OnceLock<Grouped<Node>>,
    ancestors: AncestorTable,
    is_reducible: bool,
}

impl DominatorTree {
    /// Computes the tree. `order` must be the order of `graph`. O(edges · log nodes).
    pub fn compute(graph: &Graph, order: &Order) -> Self {
        Self::compute_if_reducible(graph, order)
            .unwrap_or_else(|| Self { is_reducible: false, ..Self::from_idoms(order, &compute_idoms(graph, order)) })
    }

    /// Computes the tree if every cycle of the reachable nodes has one entry; faster than the general method. O(edges · log nodes).
    pub fn compute_if_reducible(graph: &Graph, order: &Order) -> Option<Self> {
        let idoms = compute_forward_idoms(graph, order)?;
        Some(Self { is_reducible: true, ..Self::from_idoms(order, &idoms) })
    }

    /// The tree in which each rpo position has the given parent.
    fn from_idoms(order: &Order, idoms: &[u32]) -> Self {
        let (preorder, by_position) = number_tree(order, idoms);
        let mut numbers = vec![NONE; order.positions().len()];
        let mut parents = vec![0; preorder.len()];
        for (position, &number) in by_position.iter().enumerate() {
            numbers[order.sequence()[position].index()] = number;
            let idom = idoms[position];
            parents[number as usize] = if idom == NONE { 0 } else { by_position[idom as usize] };
        }
        let mut depths = vec![0; preorder.len()];
        for number in 1..preorder.len() {
            depths[number] = depths[parents[number] as usize] + 1;
        }
        let ancestors = AncestorTable::compute(parents);
        Self { children: OnceLock::new(), ancestors, preorder, numbers, depths, is_reducible: false }
    }

    /// Returns whether every edge that retreats in the order leads to a dominator of its source: every cycle of the reachable nodes has one
    /// entry.
    pub fn is_reducible_graph(&self) -> bool {
        self.is_reducible
    }

    /// The immediate dominator; `None` for the entry and for unreachable nodes.
    #[inline]
    pub fn idom(&self, node: Node) -> Option<Node> {
        let number = self.number(node)?;
        let parent = self.ancestors.parent(number)?;
        Some(self.preorder[parent as usize])
    }

    /// Returns whether the entry reaches `node`.
    #[inline]
    pub fn is_reachable(&self, node: Node) -> bool {
        self.number(node).is_some()
    }

    /// Returns whether every path from the entry to `below` passes `above`; true for a reachable node and itself, false when either is
    /// unreachable.
    #[inline]
    pub fn dominates(&self, above: Node, below: Node) -> bool {
        match (self.number(above), self.number(below)) {
            (Some(above), Some(below)) => self.ancestors.is_ancestor(above, below),
            _ => false,
        }
    }

    /// [`DominatorTree::dominates`] for two different nodes.
    #[inline]
    pub fn strictly_dominates(&self, above: Node, below: Node) -> bool {
        above != below && self.dominates(above, below)
    }

    /// The deepest node that dominates both; `None` when either is unreachable. Constant time.
    pub fn lowest_common_ancestor(&self, left: Node, right: Node) -> Option<Node> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let number = self.ancestors.lowest_common_ancestor(left, right);
        Some(self.preorder[number as usize])
    }

    /// The nodes that `node` immediately dominates, in rpo; none for an unreachable node.
    #[inline]
    pub fn children(&self, node: Node) -> &[Node] {
        let Some(number) = self.number(node) else { return &[] };
        let children = self.children.get_or_init(|| {
            // Preorder visits siblings in rpo, and so does this.
            let numbers = 1..Node::new(self.preorder.len()).raw();
            let parent = |number| self.ancestors.parent(number).expect("only the root has no parent");
            let pairs = numbers.map(|number| (parent(number), self.preorder[number as usize]));
            Grouped::compute(self.preorder.len(), pairs)
        });
        children.list(number as usize)
    }

    /// The number of strict dominators: 0 for the entry.
    ///
    /// # Panics
    /// `node` is unreachable.
    #[inline]
    pub fn depth(&self, node: Node) -> usize {
        self.depths[self.pre(node)] as usize
    }

    /// The reachable nodes in preorder of the tree, children in rpo. The nodes that `node` dominates
    /// are the [`DominatorTree::subtree_size`] ones from [`DominatorTree::pre`] on.
    pub fn preorder(&self) -> &[Node] {
        &self.preorder
    }

    /// The place of `node` in [`DominatorTree::preorder`].
    ///
    /// # Panics
    /// `node` is unreachable.
    #[inline]
    pub fn pre(&self, node: Node) -> usize {
        let number = self.number(node);
        number.expect("only reachable nodes are in the dominator tree") as usize
    }

    /// The place of `node` in the post-order of the tree, children in rpo.
    ///
    /// # Panics
    /// `node` is unreachable.
    pub fn post(&self, node: Node) -> usize {
        // Before it come all that come before it in preorder or below it, save its ancestors.
        self.pre(node) + self.subtree_size(node) - 1 - self.depth(node)
    }

    /// The number of nodes that `node` dominates, itself included.
    ///
    /// # Panics
    /// `node` is unreachable.
    #[inline]
    pub fn subtree_size(&self, node: Node) -> usize {
        let number = self.pre(node);
        let end = self.ancestors.end(Node::new(number).raw());
        end as usize - number
    }

    #[inline]
    fn number(&self, node: Node) -> Option<u32> {
        let number = self.numbers[node.index()];
        (number != NONE).then_some(number)
    }
}

/// The rpo position of the immediate dominator of each rpo position; [`NONE`] for the entry.
fn compute_idoms(graph: &Graph, order: &Order) -> Vec<u32> {
    let tree = order.tree();
    let mut search = DominatorSearch::new(tree.len());
    for number in (1..tree.len()).rev() {
        let number = Node::new(number).raw();
        let parent = tree.parents[number as usize];
        for source in tree.predecessors(graph, number) {
            let candidate = search.evaluate(source);
            let semi = search.semis[candidate as usize];
            search.lower(number, semi);
        }
        search.wait(number);
        search.forest[number as usize] = parent;
        search.settle(parent);
    }
    let position = |number: usize| order.positions()[tree.preorder[number].index()];
    let mut idoms = vec![NONE; tree.len()];
    for number in 1..tree.len() {
        // The deputy has the same immediate dominator and comes earlier.
        if search.idoms[number] != search.semis[number] {
            search.idoms[number] = search.idoms[search.idoms[number] as usize];
        }
        idoms[position(number) as usize] = position(search.idoms[number] as usize);
    }
    idoms
}

/// State of the search, all in depth-first numbers.
struct DominatorSearch {
    semis: Vec<u32>,
    idoms: Vec<u32>,
    /// Parent in the compressed forest of the processed numbers; [`NONE`] for roots.
    forest: Vec<u32>,
    /// The number with the smallest semidominator on the compressed path up.
    labels: Vec<u32>,
    /// Per number: the first of the numbers it semidominates that are pending …
    waiting: Vec<u32>,
    /// … and the next one that is pending at the same number.
    next_waiting: Vec<u32>,
    /// The path up, while it is compressed.
    way: Vec<u32>,
}

impl DominatorSearch {
    fn new(len: usize) -> Self {
        let numbers: Vec<u32> = (0..).take(len).collect();
        Self {
            semis: numbers.clone(),
            idoms: vec![0; len],
            forest: vec![NONE; len],
            labels: numbers,
            waiting: vec![NONE; len],
            next_waiting: vec![NONE; len],
            way: Vec::new(),
        }
    }

    fn lower(&mut self, number: u32, semi: u32) {
        let own = &mut self.semis[number as usize];
        *own = semi.min(*own);
    }

    /// Adds `number` to the pending numbers of its semidominator.
    fn wait(&mut self, number: u32) {
        let semi = self.semis[number as usize] as usize;
        self.next_waiting[number as usize] = self.waiting[semi];
        self.waiting[semi] = number;
    }

    /// Processes the numbers pending at `semi`: everything up to its child is in the forest now.
    fn settle(&mut self, semi: u32) {
        let mut number = self.waiting[semi as usize];
        self.waiting[semi as usize] = NONE;
        while number != NONE {
            let deputy = self.evaluate(number);
            let earlier = self.semis[deputy as usize] < self.semis[number as usize];
            self.idoms[number as usize] = if earlier { deputy } else { semi };
            number = self.next_waiting[number as usize];
        }
    }

    /// The number with the smallest semidominator on the path from `number` up to, but without, the root of its tree in the forest; a root
    /// itself. Compresses the path.
    fn evaluate(&mut self, number: u32) -> u32 {
        let mut above = self.forest[number as usize];
        if above == NONE {
            return number;
        }
        let mut below = number;
        while self.forest[above as usize] != NONE {
            self.way.push(below);
            below = above;
            above = self.forest[above as usize];
        }
        while let Some(below) = self.way.pop() {
            let above = self.forest[below as usize] as usize;
            let (own, other) = (self.labels[below as usize], self.labels[above]);
            if self.semis[other as usize] < self.semis[own as usize] {
                self.labels[below as usize] = other;
            }
            self.forest[below as usize] = self.forest[above];
        }
        self.labels[number as usize]
    }
}

/// Preorder of the dominator tree, and the place of each rpo position in it.
///
/// A dominator comes before what it dominates in rpo, so sizes need one pass backwards, and places one
/// pass forwards in which each node takes the next free range of its parent.
fn number_tree(order: &Order, idoms: &[u32]) -> (Vec<Node>, Vec<u32>) {
    let len = idoms.len();
    let mut sizes = vec![1_u32; len];
    for position in (1..len).rev() {
        let size = sizes[position];
        sizes[idoms[position] as usize] += size;
    }
    let mut numbers = vec![0_u32; len];
    let mut free = vec![1_u32; len];
    let mut preorder = order.sequence().to_vec();
    for position in 1..len {
        let slot = &mut free[idoms[position] as usize];
        let number = *slot;
        *slot += sizes[position];
        numbers[position] = number;
        free[position] = number + 1;
        preorder[number as usize] = order.sequence()[position];
    }
    (preorder, numbers)
}
