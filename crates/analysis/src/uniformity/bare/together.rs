//! Finds the blocks where all lanes are converged in a function without structure.
//!
//! Lanes that diverged at a branch are converged again in its immediate post-dominator, and not before: the blocks between are executed by
//! some of them. A branch there may send none of those to a block, uniform or not, so it counts as well:
//!
//! ```text
//! b ──▶ a ──▶ m      b diverges: a is not converged, m, the post-dominator of b, is
//!  ╲──────────▶      b leads to a return: no block post-dominates it, and nothing after it is converged
//! ```
//!
//! These are the blocks on the path up the post-dominator tree from each successor to the post-dominator of the branch (Ferrante,
//! Ottenstein and Warren 1987, section 3.1), each visited at most once. A back edge passes lanes to the next iteration, where they do not
//! meet those of this one: if its header is not converged, the whole loop is not. The same holds for zones. Near-linear in blocks and
//! edges.

use reconverge_graph::{Graph, PostDominatorTree};

use super::{Bare, node};
use crate::uniformity::body::NONE;

/// The blocks that not all lanes execute together.
struct Separation<'a> {
    bare: &'a Bare,
    graph: &'a Graph,
    post_dominators: &'a PostDominatorTree,
    /// By node, the branch that separates its lanes from others.
    causes: Vec<u32>,
    /// By node, itself or a post-dominator, such that all blocks between are separated; compressed by queries.
    above: Vec<u32>,
    pending: Vec<u32>,
    /// The blocks on the path that is being compressed.
    way: Vec<u32>,
    /// The zones by block, while they are not separated.
    zone_blocks: Vec<Vec<u32>>,
}

/// By node, a branch that separates lanes in the block from others, or [`NONE`] if all are together.
pub(super) fn separations(bare: &Bare, graph: &Graph, post_dominators: &PostDominatorTree) -> Vec<u32> {
    let zones = bare.zones.iter().copied().filter(|&zone| zone != NONE).max().map_or(0, |last| last as usize + 1);
    let mut zone_blocks = vec![Vec::new(); zones];
    for (block, &zone) in (0..).zip(&bare.zones).filter(|&(_, &zone)| zone != NONE) {
        zone_blocks[zone as usize].push(block);
    }
    let causes = vec![NONE; graph.len()];
    let above = (0..graph.len() as u32).collect();
    let (pending, way) = (Vec::new(), Vec::new());
    let mut separation = Separation { bare, graph, post_dominators, causes, above, pending, way, zone_blocks };
    for &branch in &bare.branches {
        separation.spread(branch, branch);
        separation.widen_zone(branch, branch);
        while let Some(block) = separation.pending.pop() {
            separation.widen_zone(block, branch);
            separation.widen_loop(block, branch);
            separation.spread(block, branch);
        }
    }
    separation.causes
}

impl Separation<'_> {
    /// Marks the successors of a block up to its post-dominator as separated.
    fn spread(&mut self, block: u32, branch: u32) {
        let depth = self.post_dominators.ipdom(node(block)).map_or(0, |stop| self.post_dominators.depth(stop));
        for &target in self.graph.successors(node(block)) {
            let mut runner = self.first_together(target.index() as u32);
            while let Some(found) = runner.filter(|&found| self.post_dominators.depth(node(found)) > depth) {
                self.separate(found, branch);
                runner = self.first_together(found);
            }
        }
    }

    /// The first block that is not separated on the path from a block up the post-dominator tree.
    fn first_together(&mut self, block: u32) -> Option<u32> {
        let mut found = Some(block);
        while let Some(block) = found.filter(|&block| self.causes[block as usize] != NONE) {
            self.way.push(block);
            let next = self.above[block as usize];
            found = match next == block {
                true => self.post_dominators.ipdom(node(block)).map(|above| above.index() as u32),
                false => Some(next),
            };
        }
        if let Some(end) = found.or(self.way.last().copied()) {
            self.way.drain(..).for_each(|block| self.above[block as usize] = end);
        }
        found
    }

    fn separate(&mut self, block: u32, branch: u32) {
        if self.causes[block as usize] == NONE {
            self.causes[block as usize] = branch;
            self.pending.push(block);
        }
    }

    /// Marks a loop with a separated header as separated as a whole. If its enclosing loop is separated, that one is marked instead.
    fn widen_loop(&mut self, block: u32, branch: u32) {
        let cycles = &self.bare.cycles;
        let Some(cycle) = cycles.headed_by(node(block)) else { return };
        let around = cycles.parent(cycle).map(|around| cycles.header(around));
        if around.is_none_or(|header| self.causes[header.index()] == NONE) {
            cycles.blocks(cycle).iter().for_each(|inside| self.separate(inside.index() as u32, branch));
        }
    }

    fn widen_zone(&mut self, block: u32, branch: u32) {
        let zone = self.bare.zones[block as usize];
        let Some(blocks) = self.zone_blocks.get_mut(zone as usize) else { return };
        std::mem::take(blocks).into_iter().for_each(|block| self.separate(block, branch));
    }
}
