//! Step 6: the deepest exit of every placement subtree.
//!
//! Of all edges that leave the subtree of a node (except back edges and edges to chosen latches), it is the target that is placed
//! innermost: the one with the deepest placement parent, and among equals the one with the smallest position. A target further out always
//! has the greater position, so this is simply the smallest position.
//!
//! Whether control *falls through* from an arm into the code after it is then one comparison: the deepest exit exists and its parent is the
//! current level.
//!
//! Edges are processed by ascending target; each goes up from its source to the parent of its target and claims the nodes that no earlier
//! edge has claimed, skipping claimed ones by union-find. O(E α(E)) after a counting sort.

use crate::placement::Placement;
use crate::work::{NONE, Node, WorkGraph};

/// The deepest exit of each node's placement subtree, [`NONE`] if no edge leaves it.
pub(crate) fn compute_deepest_exits(work: &WorkGraph, placement: &Placement) -> Vec<Node> {
    let mut exits = vec![NONE; work.len()];
    let mut above: Vec<Node> = work.nodes().collect();
    for &target in placement.by_pos.iter().filter(|&&target| target != NONE) {
        let parent = placement[target].parent;
        if parent == NONE || placement[target].header_of_latch != NONE {
            continue;
        }
        for &pos in placement.predecessor_pos(target) {
            let source = placement.by_pos[pos as usize];
            let mut at = find(&mut above, source);
            while at != parent && placement.contains(parent, at) {
                exits[at as usize] = target;
                above[at as usize] = placement[at].parent;
                at = find(&mut above, at);
            }
        }
    }
    exits
}

/// The nearest unclaimed node at or above `node`, with path halving.
fn find(above: &mut [Node], node: Node) -> Node {
    let mut at = node;
    while above[at as usize] != at {
        let next = above[at as usize];
        above[at as usize] = above[next as usize];
        at = above[at as usize];
    }
    at
}
