//! Reconvergence in a function without structure: anywhere that structurizing may allow it.
//!
//! Reconvergence is not specified, so the results hold for every choice of the structurizer. It executes each block once for all lanes that
//! reach it in the same iteration, except for three kinds of places, which are treated as unknown: cycles with several entries, cases with
//! fall-through, and code that nests so deep that it may be flattened.
//!
//! The dominator tree shows where lanes that diverged at a branch reconverge. Lanes that leave the subtree of a block only through one
//! child have reconverged there; otherwise the search continues at the block's dominator:
//!
//! ```text
//! climb from a divergent branch b:        b          children with several predecessors: joins
//!                                       ╱ │ ╲        one child m that leads out of b's subtree: all meet in m, done
//!                                      x  y  m       several: the same one level up, for the children behind b
//!                                            │       at the header of a loop: lanes leave it in different iterations
//! ```
//!
//! This is coarser than propagating labels from the branch (Rosemann, Moll and Hack 2021; LLVM's sync dependence), which costs a traversal
//! per branch; here every level is visited once, and the end of a search is found again by path compression. Near-linear in blocks and
//! edges for all branches together.

mod climb;
mod falls;
mod shape;
mod together;

use std::sync::OnceLock;

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Node, PostDominatorTree};

use super::body::{Body, NONE};
use super::event::Event;
use super::regions::Regions;
use falls::Falls;
use shape::Levels;

/// A function without structure.
#[derive(Clone, Debug)]
pub(super) struct Bare {
    dominators: DominatorTree,
    /// Computed when lanes diverge.
    post_dominators: OnceLock<PostDominatorTree>,
    cycles: CycleForest,
    positions: Vec<u32>,
    levels: Levels,
    falls: Falls,
    /// By node, the region that contains it alone. By cycle, its region.
    leaves: Vec<u32>,
    loops: Vec<u32>,
    /// By node, the zone in which convergence is unknown.
    zones: Vec<u32>,
    /// By zone, its blocks, until a branch in it diverges.
    zone_blocks: Vec<Vec<u32>>,
    /// By node, the state of its climb.
    climbed: Vec<Climbed>,
    /// By cycle: itself while lanes leave it in one iteration, as far as is known; else a cycle around it, or none, such that they leave
    /// all cycles inside that one in different iterations.
    kept: Vec<Option<Cycle>>,
    is_loose: Vec<bool>,
    /// Blocks after this index in reverse post-order may miss lanes that ended in a callee, called in this block.
    ended_from: u32,
    ender: u32,
    /// The divergent branches, in the order in which they were reported.
    branches: Vec<u32>,
    /// Blocks whose subtree several groups of lanes leave, where the climb has to continue.
    unfinished: Vec<u32>,
    /// The number of blocks that loosening may still process before it treats everything as loose.
    budget: usize,
    is_everything_loose: bool,
}

/// The state of the climb at a block.
#[derive(Clone, Copy, Debug)]
struct Climbed {
    /// A level above that was reached on the path from this one, itself at first; [`NONE`] if this one was not left.
    above: u32,
    /// The number of cycles that contain everything that lanes can reach on the path from here to that level.
    escape: u32,
    /// The number of joins that were reported.
    joins: u32,
}

impl Climbed {
    const NOT_YET: Climbed = Climbed { above: NONE, escape: NONE, joins: 0 };
}

impl Bare {
    /// The shape of a function, and its regions: one for each loop, and one for each block. With [`Reconverges::Anywhere`] nothing is known
    /// about convergence.
    pub(super) fn compute(body: &Body, reconverges: Reconverges) -> (Bare, Regions) {
        let graph = body.graph();
        let dominators = DominatorTree::compute(graph, body.order());
        let cycles = CycleForest::compute(graph, body.order(), &dominators);
        let position = |node| body.order().position(node).map_or(NONE, |position| position as u32);
        let positions: Vec<u32> = graph.nodes().map(position).collect();
        let levels = Levels::compute(body, &dominators, &cycles, &positions);
        let falls = Falls::compute(body, &dominators, &levels.is_join, &positions);
        let (regions, leaves, loops) = lay_out_regions(graph.len(), &cycles);
        let count = graph.len();
        let mut bare = Bare {
            zones: vec![NONE; count],
            zone_blocks: Vec::new(),
            climbed: vec![Climbed::NOT_YET; count],
            kept: cycles.cycles().map(Some).collect(),
            is_loose: vec![false; count],
            ended_from: NONE,
            ender: NONE,
            branches: Vec::new(),
            unfinished: Vec::new(),
            budget: 8 * count,
            is_everything_loose: false,
            dominators,
            post_dominators: OnceLock::new(),
            cycles,
            positions,
            levels,
            falls,
            leaves,
            loops,
        };
        bare.find_zones(body, reconverges);
        (bare, regions)
    }

    /// The region of a block.
    pub(super) fn region(&self, node: u32) -> u32 {
        self.leaves[node as usize]
    }

    /// Returns whether a block is in a loop whose header is the other one, or is that block, so that lanes which arrive over an edge
    /// between them do not meet lanes from outside. In a zone they may.
    pub(super) fn is_back_edge(&self, source: u32, target: u32) -> bool {
        self.zones[target as usize] == NONE && self.dominators.dominates(node(target), node(source))
    }

    /// By node, a branch that separates lanes in the block from others that entered the function with them, or [`NONE`] if they are all
    /// there. All divergent branches must have been reported. Near-linear.
    pub(super) fn separations(&self, body: &Body) -> Vec<u32> {
        let Some(&first) = self.branches.first() else { return vec![NONE; self.positions.len()] };
        let mut separations = together::separations(
            self,
            body.graph(),
            self.post_dominators.get_or_init(|| PostDominatorTree::compute(body.graph())),
        );
        for (separation, &is_loose) in separations.iter_mut().zip(&self.is_loose) {
            if is_loose && *separation == NONE {
                *separation = first;
            }
        }
        separations
    }

    /// Records that lanes may end in a callee that is called in the block: later blocks may miss some.
    pub(super) fn note_ending(&mut self, block: u32) {
        let mut outermost = self.cycles.innermost(node(block));
        while let Some(parent) = outermost.and_then(|cycle| self.cycles.parent(cycle)) {
            outermost = Some(parent);
        }
        let first = outermost.map_or(block, |cycle| self.cycles.header(cycle).index() as u32);
        let position = self.positions[first as usize];
        if position < self.ended_from {
            (self.ended_from, self.ender) = (position, block);
        }
    }

    /// The block of a call in which lanes may have ended before this block, while others continue.
    pub(super) fn ender(&self, block: u32) -> Option<u32> {
        (self.positions[block as usize] >= self.ended_from).then_some(self.ender)
    }

    /// Finds the code that structurizing may split: cycles of several entries, and deep nesting.
    fn find_zones(&mut self, body: &Body, reconverges: Reconverges) {
        let is_unknown = matches!(reconverges, Reconverges::Anywhere);
        let mut zone_of_root: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
        for &block in body.order().sequence() {
            let number = block.index() as u32;
            let irreducible = self.outermost_irreducible(block);
            let root = match (is_unknown, self.levels.deep_root[block.index()], irreducible) {
                (true, ..) => 0,
                (_, NONE, None) => continue,
                (_, NONE, Some(header)) => header,
                (_, deep, None) => deep,
                (_, deep, Some(header)) => match self.positions[header as usize] < self.positions[deep as usize] {
                    true => header,
                    false => deep,
                },
            };
            let zone = *zone_of_root.entry(root).or_insert(self.zone_blocks.len() as u32);
            if zone as usize == self.zone_blocks.len() {
                self.zone_blocks.push(Vec::new());
            }
            self.zones[block.index()] = zone;
            self.zone_blocks[zone as usize].push(number);
        }
    }

    /// The header of the outermost cycle of several entries around a block.
    fn outermost_irreducible(&self, block: Node) -> Option<u32> {
        let cycle = self.cycles.innermost(block)?;
        let root = self.levels.irreducible[cycle.index()];
        (root != NONE).then_some(root)
    }
}

/// The knowledge about reconvergence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reconverges {
    /// Lanes reconverge as our structurizer lets them.
    AsStructurized,
    /// Lanes may reconverge anywhere.
    Anywhere,
}

fn node(index: u32) -> Node {
    Node::new(index as usize)
}

/// A region for each cycle, and in it one for each of its blocks.
fn lay_out_regions(count: usize, cycles: &CycleForest) -> (Regions, Vec<u32>, Vec<u32>) {
    let mut parents = vec![0];
    let number = |cycle: Cycle| cycle.index() as u32 + 1;
    parents.extend(cycles.cycles().map(|cycle| cycles.parent(cycle).map_or(0, number)));
    parents.extend((0..count).map(|index| cycles.innermost(Node::new(index)).map_or(0, number)));
    let (regions, numbers) = Regions::compute(&parents);
    let loops = numbers[1..=cycles.cycles().len()].to_vec();
    let leaves = numbers[cycles.cycles().len() + 1..].to_vec();
    (regions, leaves, loops)
}

/// A branch that events name as their cause.
type Events = Vec<Event>;
