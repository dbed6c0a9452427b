//! Dominators, from semidominators and jump pointers.
//!
//! The semidominator of a block is the first block, in the order of a depth-first search, from which a path leads to it that has only
//! later blocks in between. The immediate dominator is the nearest ancestor of the block's parent, in the dominator tree so far, that
//! Semidominators are computed from the last block to the first, over paths of the search tree with path compression (Tarjan 1979,
//! "Applications of path compression on balanced trees"). In SNCA, the walk up the dominator tree is linear in its depth, which makes
//! chains of shared exits quadratic. Here every node also has a jump pointer to a distant ancestor, chosen when the node is added (Myers
//! 1983, "An applicative random-access stack"), and the walk is logarithmic.
//!
//! Invariants: for the blocks after the current one, `least` is the smallest semidominator on the compressed part of the path upwards;
//! nodes are added to the dominator tree after all nodes that could dominate them.
//!
//! O(edges · log nodes) on any graph: reverse graphs of nested loops can be irreducible, so iterative algorithms are too slow. This crate
//! shares no code with `graph`.

use crate::graph::Graph;

const NONE: u32 = u32::MAX;

/// The dominance relation of a graph from a root.
pub(crate) struct Dominance {
    /// Reachable nodes in reverse post-order.
    order: Vec<u32>,
    /// By node: its immediate dominator. `None` for the root and unreachable nodes.
    idoms: Vec<u32>,
    /// By node: the range of itself and the nodes that it dominates, in a pre-order of the dominator tree.
    ranges: Vec<(u32, u32)>,
}

/// The range of an unreachable node: it contains no node, and no range contains it.
const NOWHERE: (u32, u32) = (NONE, 0);

impl Dominance {
    /// Dominance in a graph from a root.
    pub(crate) fn compute(graph: &Graph, root: u32) -> Dominance {
        let search = DominatorSearch::run(graph, root);
        let tree = dominator_tree(&search, &find_semidominators(graph, &search));
        let mut idoms = vec![NONE; graph.count()];
        for (&node, link) in search.found.iter().zip(&tree).skip(1) {
            idoms[node as usize] = search.found[link.parent as usize];
        }
        Dominance { ranges: number_subtrees(&search.found, &idoms), order: search.order, idoms }
    }

    /// The reachable nodes in reverse post-order: each after its dominators.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn is_reachable(&self, node: u32) -> bool {
        self.ranges[node as usize] != NOWHERE
    }

    /// The immediate dominator of a reachable node other than the root.
    pub(crate) fn idom(&self, node: u32) -> Option<u32> {
        Some(self.idoms[node as usize]).filter(|&idom| idom != NONE)
    }

    /// Returns whether every path from the root to `b` passes `a`. False if either is unreachable.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        let ((start, end), (place, _)) = (self.ranges[a as usize], self.ranges[b as usize]);
        start <= place && place < end
    }
}

/// A node of a dominator tree under construction. Nodes are numbered in the order of the search.
struct Link {
    parent: u32,
    jump: u32,
    depth: u32,
}

/// A depth-first search.
struct DominatorSearch {
    /// Reachable nodes in the order in which they were found.
    found: Vec<u32>,
    /// Place of each node in `found`.
    numbers: Vec<u32>,
    /// By place in `found`: place of its parent in the search tree (the root is its own parent).
    parents: Vec<u32>,
    /// Reachable nodes in reverse post-order.
    order: Vec<u32>,
}

impl DominatorSearch {
    fn run(graph: &Graph, root: u32) -> DominatorSearch {
        let (count, numbers) = (graph.count(), vec![NONE; graph.count()]);
        let room = || Vec::with_capacity(count);
        let mut search = DominatorSearch { found: room(), numbers, parents: room(), order: room() };
        search.find(root, 0);
        let mut stack = Vec::with_capacity(count);
        stack.push((0, root, graph.out_edges(root).iter()));
        while let Some((place, node, ways)) = stack.last_mut() {
            let Some(&way) = ways.next() else {
                search.order.push(*node);
                stack.pop();
                continue;
            };
            let target = graph.edge(way).1;
            if search.numbers[target as usize] == NONE {
                let parent = *place;
                stack.push((search.found.len() as u32, target, graph.out_edges(target).iter()));
                search.find(target, parent);
            }
        }
        search.order.reverse();
        search
    }

    fn find(&mut self, node: u32, parent: u32) {
        self.numbers[node as usize] = self.found.len() as u32;
        self.found.push(node);
        self.parents.push(parent);
    }
}

/// The semidominator of each node, by place in the order of the search; the root is its own.
fn find_semidominators(graph: &Graph, search: &DominatorSearch) -> Vec<u32> {
    let mut semidominators: Vec<u32> = (0..search.found.len() as u32).collect();
    // By place: the ancestor up to which the path is compressed, and the smallest semidominator on the compressed path.
    let mut ways: Vec<(u32, u32)> = search.parents.iter().copied().zip(0..).collect();
    let mut path = Vec::new();
    for place in (1..search.found.len() as u32).rev() {
        let mut least = place;
        for source in graph.predecessors(search.found[place as usize]) {
            let source = search.numbers[source as usize];
            if source <= place || source == NONE {
                least = least.min(source);
                continue;
            }
            // Paths from later nodes pass later nodes only.
            let mut top = source;
            while top > place && ways[top as usize].0 > place {
                path.push(top);
                top = ways[top as usize].0;
            }
            while let Some(below) = path.pop() {
                let (ancestor, above) = ways[ways[below as usize].0 as usize];
                let way = &mut ways[below as usize];
                *way = (ancestor, way.1.min(above));
            }
            least = least.min(ways[source as usize].1);
        }
        ways[place as usize].1 = least;
        semidominators[place as usize] = least;
    }
    semidominators
}

/// The dominator tree, by place in the order of the search. The root is its own parent.
fn dominator_tree(search: &DominatorSearch, semidominators: &[u32]) -> Vec<Link> {
    let mut tree = Vec::with_capacity(search.found.len());
    tree.push(Link { parent: 0, jump: 0, depth: 0 });
    for (&parent, &semidominator) in search.parents.iter().zip(semidominators).skip(1) {
        let parent = climb(&tree, parent, semidominator);
        tree.push(link_below(&tree, parent));
    }
    tree
}

/// Adds the next node as a child of a node in the tree.
fn link_below(tree: &[Link], parent: u32) -> Link {
    let above = &tree[parent as usize];
    let far = &tree[above.jump as usize];
    let is_even = above.depth - far.depth == far.depth - tree[far.jump as usize].depth;
    Link { parent, jump: if is_even { far.jump } else { parent }, depth: above.depth + 1 }
}

/// The nearest ancestor of a node, itself included, that does not come after `bound`.
fn climb(tree: &[Link], mut node: u32, bound: u32) -> u32 {
    while node > bound {
        let link = &tree[node as usize];
        node = if link.jump > bound { link.jump } else { link.parent };
    }
    node
}

/// For each node the range of the nodes that it dominates in a pre-order of the tree.
fn number_subtrees(found: &[u32], idoms: &[u32]) -> Vec<(u32, u32)> {
    let mut ranges = vec![NOWHERE; idoms.len()];
    // Sizes first, from the leaves to the root.
    let mut sizes = vec![1u32; idoms.len()];
    for &node in found[1..].iter().rev() {
        sizes[idoms[node as usize] as usize] += sizes[node as usize];
    }
    // A range ends at the place of the next child, until all children are placed.
    ranges[found[0] as usize] = (0, 1);
    for &node in &found[1..] {
        let end = &mut ranges[idoms[node as usize] as usize].1;
        let start = *end;
        *end += sizes[node as usize];
        ranges[node as usize] = (start, start + 1);
    }
    ranges
}

#[cfg(test)]
mod tests;
