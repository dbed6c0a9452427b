//! Dominators, from semidominators and jump pointers.
//!
//! The semidominator of a block is the first block, in the order of a depth-first search, from which a path leads to it that has only
//! later blocks in between. The immediate dominator is the nearest ancestor of the block's parent, in the dominator tree so far, that
//! does not come after the semidominator (Georgiadis and Tarjan 2004, "Finding dominators revisited", algorithm SNCA). Semidominators
//! come from the last block to the first, over paths of the search's tree that are compressed on the way (Tarjan 1979, "Applications of
//! path compression on balanced trees"). The walk up the dominator tree is linear in its depth, which makes ladders of shared exits
//! quadratic; here every node also has a jump pointer to a far ancestor, chosen when the node is added (Myers 1983, "An applicative
//! random-access stack"), and the walk is logarithmic.
//!
//! Invariants: of the blocks behind the one that is looked at, `least` is the smallest semidominator on the compressed part of the way
//! up; nodes are added to the dominator tree after all that could dominate them.
//!
//! O(edges · log nodes) on any graph: reverse graphs of nested loops are as irreducible as any, so nothing that iterates will do.
//! Written for this crate alone.

use crate::graph::Graph;

const NONE: u32 = u32::MAX;

/// Which nodes dominate which, from a root.
pub(crate) struct Dominance {
    /// Reachable nodes in reverse post-order.
    order: Vec<u32>,
    /// Place of each node in `order`.
    numbers: Vec<u32>,
    /// By place: place of the immediate dominator; the root's is itself.
    parents: Vec<u32>,
    /// By place: the nodes below it in the tree are those with `first` in this range.
    first: Vec<u32>,
    size: Vec<u32>,
}

impl Dominance {
    /// Dominance in a graph from a root.
    pub(crate) fn compute(graph: &Graph, root: u32) -> Dominance {
        let search = Search::run(graph, root);
        let tree = dominator_tree(&search, &find_semidominators(graph, &search));
        let mut numbers = vec![NONE; graph.count()];
        search.order.iter().zip(0..).for_each(|(&node, place)| numbers[node as usize] = place);
        let place = |found: u32| numbers[search.found[found as usize] as usize];
        let mut parents = vec![0; search.found.len()];
        for (found, &idom) in (0u32..).zip(&tree.parents) {
            parents[place(found) as usize] = place(idom);
        }
        let (first, size) = number_subtrees(&parents);
        Dominance { order: search.order, numbers, parents, first, size }
    }

    /// The reachable nodes in reverse post-order: dominators before what they dominate.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn is_reachable(&self, node: u32) -> bool {
        self.numbers[node as usize] != NONE
    }

    /// The immediate dominator of a reachable node other than the root.
    pub(crate) fn idom(&self, node: u32) -> Option<u32> {
        let place = self.numbers[node as usize];
        (place != NONE && place != 0).then(|| self.order[self.parents[place as usize] as usize])
    }

    /// Whether every path from the root to `b` passes `a`. False if either cannot be reached.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.numbers[a as usize], self.numbers[b as usize]);
        if a == NONE || b == NONE {
            return false;
        }
        let (a, b) = (a as usize, b as usize);
        self.first[a] <= self.first[b] && self.first[b] < self.first[a] + self.size[a]
    }
}

/// A dominator tree under construction, by places in the order of the search.
struct Tree {
    parents: Vec<u32>,
    jumps: Vec<u32>,
    depths: Vec<u32>,
}

impl Tree {
    fn new(capacity: usize) -> Tree {
        Tree {
            parents: Vec::with_capacity(capacity),
            jumps: Vec::with_capacity(capacity),
            depths: Vec::with_capacity(capacity),
        }
    }

    /// Adds the next node below a node that is in the tree; the first one is the root.
    fn add(&mut self, parent: u32) {
        if self.parents.is_empty() {
            self.parents.push(0);
            self.jumps.push(0);
            self.depths.push(0);
            return;
        }
        let jump = self.jumps[parent as usize];
        let far = self.jumps[jump as usize];
        let depth = |node: u32| self.depths[node as usize];
        let is_even = depth(parent) - depth(jump) == depth(jump) - depth(far);
        let (jump, depth) = (if is_even { far } else { parent }, depth(parent) + 1);
        self.parents.push(parent);
        self.jumps.push(jump);
        self.depths.push(depth);
    }

    /// The nearest ancestor of a node, itself included, that does not come after `bound`.
    fn climb(&self, mut node: u32, bound: u32) -> u32 {
        while node > bound {
            let far = self.jumps[node as usize];
            node = if far > bound { far } else { self.parents[node as usize] };
        }
        node
    }
}

/// A depth-first search.
struct Search {
    /// Reachable nodes in the order in which they were found.
    found: Vec<u32>,
    /// Place of each node in `found`.
    numbers: Vec<u32>,
    /// By place in `found`: place of the node from which it was found; the root's is itself.
    parents: Vec<u32>,
    /// Reachable nodes in reverse post-order.
    order: Vec<u32>,
}

impl Search {
    fn run(graph: &Graph, root: u32) -> Search {
        let (count, numbers) = (graph.count(), vec![NONE; graph.count()]);
        let room = || Vec::with_capacity(count);
        let mut search = Search { found: room(), numbers, parents: room(), order: room() };
        search.find(root, 0);
        let mut stack = vec![(root, 0usize)];
        while let Some((node, next)) = stack.pop() {
            let Some(&edge) = graph.out_edges(node).get(next) else {
                search.order.push(node);
                continue;
            };
            stack.push((node, next + 1));
            let target = graph.edge(edge).1;
            if search.numbers[target as usize] == NONE {
                search.find(target, search.numbers[node as usize]);
                stack.push((target, 0));
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

/// The semidominator of each node, by places in the order of the search; the root's is itself.
fn find_semidominators(graph: &Graph, search: &Search) -> Vec<u32> {
    let mut least: Vec<u32> = (0..search.found.len() as u32).collect();
    let mut semidominators = least.clone();
    let mut ancestors = search.parents.clone();
    let mut path = Vec::new();
    for place in (1..search.found.len() as u32).rev() {
        let sources = graph.predecessors(search.found[place as usize]).map(|source| search.numbers[source as usize]);
        for source in sources.filter(|&source| source != NONE) {
            // Ways from later nodes go up the tree as far as the nodes are later.
            let mut top = source;
            while top > place && ancestors[top as usize] > place {
                path.push(top);
                top = ancestors[top as usize];
            }
            while let Some(below) = path.pop() {
                let above = ancestors[below as usize] as usize;
                least[below as usize] = least[below as usize].min(least[above]);
                ancestors[below as usize] = ancestors[above];
            }
            least[place as usize] = least[place as usize].min(least[source as usize]);
        }
        semidominators[place as usize] = least[place as usize];
    }
    semidominators
}

fn dominator_tree(search: &Search, semidominators: &[u32]) -> Tree {
    let mut tree = Tree::new(search.found.len());
    for (&parent, &semidominator) in search.parents.iter().zip(semidominators) {
        tree.add(if tree.parents.is_empty() { 0 } else { tree.climb(parent, semidominator) });
    }
    tree
}

/// For each node its place in a pre-order of the tree, and how many nodes are below it, itself included.
fn number_subtrees(parents: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut size = vec![1u32; parents.len()];
    for node in (1..parents.len()).rev() {
        size[parents[node] as usize] += size[node];
    }
    let mut first = vec![0u32; parents.len()];
    let mut cursors = vec![1u32; parents.len()];
    for node in 1..parents.len() {
        let parent = parents[node] as usize;
        first[node] = cursors[parent];
        cursors[parent] += size[node];
        cursors[node] = first[node] + 1;
    }
    (first, size)
}

#[cfg(test)]
mod tests;
