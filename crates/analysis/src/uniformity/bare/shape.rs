//! Levels of the dominator tree: the edges that leave the subtree of a block, and the children that they leave through.

use reconverge_graph::{CycleForest, DominatorTree, Node};

use crate::uniformity::body::{Body, NONE};

/// The nesting of branches and loops that may make the structurizer, which opens up to three constructs for one, reach its limit of 64.
const DEEP: u32 = 20;
/// If the limit is reached, the structurizer may flatten code that begins in this nesting: half of its limit.
const CUT: u32 = 10;

/// The facts about each block as the root of its dominator subtree.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The outermost level that an edge from the block, or from its subtree, leads to; see [`scale`].
    own_low: Vec<u32>,
    low: Vec<u32>,
    /// The level of the block's children.
    own_level: Vec<u32>,
    /// The number of children that lead out of the block's subtree, and the last of them; with and without back edges to the block itself.
    leaving: [Vec<(u32, u32)>; 2],
    /// Children with several predecessors, by descending index in reverse post-order.
    pub(super) joins: Lists,
    /// The number of cycles around a block's dominator that hold all of the block's subtree; and the least such number of the block and its
    /// later siblings, without the one that alone leads out of the dominator's subtree.
    escapes: Vec<u32>,
    escapes_behind: Vec<u32>,
    /// True if a block has several predecessors, not counting back edges.
    pub(super) is_join: Vec<bool>,
    /// True if a block dominates an adjacent block outside its innermost cycle.
    pub(super) is_exiting: Vec<bool>,
    /// The number of back edges that a block has.
    pub(super) back_edges: Vec<u32>,
    /// The number of edges that leave each cycle, at least; the header of the outermost cycle of several entries around each cycle.
    pub(super) exits: Vec<i32>,
    pub(super) irreducible: Vec<u32>,
    /// The block from which on it nests deep.
    pub(super) deep_root: Vec<u32>,
}

/// Lists by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn compute(count: usize, mut pairs: Vec<(u32, u32)>, positions: &[u32]) -> Lists {
        pairs.sort_unstable_by_key(|&(key, item)| (key, std::cmp::Reverse(positions[item as usize])));
        let mut starts = vec![0; count + 1];
        for &(key, _) in &pairs {
            starts[key as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Lists { starts, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    pub(super) fn of(&self, node: u32) -> &[u32] {
        &self.items[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// Levels are twice the depth, so that there is one between a block and its dominator: that of a back edge to the block.
fn scale(depth: usize) -> u32 {
    2 * (depth as u32 + 1)
}

impl Levels {
    pub(super) fn compute(body: &Body, dominators: &DominatorTree, cycles: &CycleForest, positions: &[u32]) -> Levels {
        let count = body.graph().len();
        let mut levels = Levels {
            own_low: vec![u32::MAX; count],
            own_level: vec![u32::MAX; count],
            leaving: [vec![(0, NONE); count], vec![(0, NONE); count]],
            back_edges: vec![0; count],
            is_exiting: vec![false; count],
            deep_root: vec![NONE; count],
            ..Levels::default()
        };
        for &block in dominators.preorder() {
            levels.own_level[block.index()] = scale(dominators.depth(block));
        }
        levels.read_edges(body, dominators);
        levels.low.clone_from(&levels.own_low);
        let mut joins = Vec::new();
        for &block in dominators.preorder().iter().rev() {
            let Some(above) = dominators.idom(block) else { continue };
            let (child, parent, level) = (block.index(), above.index(), scale(dominators.depth(above)));
            let low = levels.low[child];
            levels.low[parent] = levels.low[parent].min(low);
            let around = cycles.innermost(above);
            levels.is_exiting[parent] |= around.is_some_and(|cycle| !cycles.contains(cycle, block));
            for (list, bound) in levels.leaving.iter_mut().zip([level, level - 1]) {
                if low < bound {
                    list[parent] = (list[parent].0 + 1, child as u32);
                }
            }
            if body.predecessors(child as u32).count() as u32 > levels.back_edges[child] + 1 {
                joins.push((parent as u32, child as u32));
            }
        }
        levels.is_join = vec![false; count];
        joins.iter().for_each(|&(_, join)| levels.is_join[join as usize] = true);
        levels.joins = Lists::compute(count, joins, positions);
        levels.find_escapes(dominators, cycles);
        levels.read_cycles(body, cycles);
        levels.find_depth(dominators, cycles);
        levels
    }

    fn read_edges(&mut self, body: &Body, dominators: &DominatorTree) {
        for &source in body.order().sequence() {
            for &target in body.graph().successors(source) {
                let level = if dominators.dominates(target, source) {
                    self.back_edges[target.index()] += 1;
                    scale(dominators.depth(target)) - 1
                } else {
                    let above = dominators.idom(target).expect("invariant: only the entry has no dominator");
                    // An edge to a child leaves no subtree.
                    if above == source { u32::MAX } else { scale(dominators.depth(above)) }
                };
                let low = &mut self.own_low[source.index()];
                *low = level.min(*low);
            }
        }
    }

    /// The number of cycles around each block that contain all blocks of its subtree, or of the rest of it from some child on.
    fn find_escapes(&mut self, dominators: &DominatorTree, cycles: &CycleForest) {
        let count = self.low.len();
        (self.escapes, self.escapes_behind) = (vec![NONE; count], vec![NONE; count]);
        for &block in dominators.preorder().iter().rev() {
            let around = cycles.innermost(block).map_or(0, |cycle| cycles.depth(cycle) as u32);
            let is_header = u32::from(cycles.headed_by(block).is_some());
            let gather = self.leaving[0][block.index()];
            let (mut all, mut behind) = (around, NONE);
            for &child in dominators.children(block).iter().rev() {
                let escape = self.escapes[child.index()];
                all = all.min(escape);
                if gather != (1, child.index() as u32) {
                    behind = behind.min(escape);
                }
                self.escapes_behind[child.index()] = behind;
            }
            self.escapes[block.index()] = all.min(around - is_header);
        }
    }

    fn read_cycles(&mut self, body: &Body, cycles: &CycleForest) {
        self.exits = vec![0; cycles.cycles().len()];
        for &source in body.order().sequence() {
            let Some(inner) = cycles.innermost(source) else { continue };
            for &target in body.graph().successors(source) {
                let shared = cycles.innermost(target).and_then(|other| cycles.lowest_common_ancestor(inner, other));
                self.exits[inner.index()] += 1;
                if let Some(shared) = shared {
                    self.exits[shared.index()] -= 1;
                }
            }
        }
        self.irreducible = vec![NONE; cycles.cycles().len()];
        for cycle in cycles.cycles() {
            let around = cycles.parent(cycle).map_or(NONE, |parent| self.irreducible[parent.index()]);
            let own = if cycles.is_reducible(cycle) { NONE } else { cycles.header(cycle).index() as u32 };
            self.irreducible[cycle.index()] = if around == NONE { own } else { around };
        }
        for cycle in cycles.cycles().rev() {
            if let Some(parent) = cycles.parent(cycle) {
                self.exits[parent.index()] += self.exits[cycle.index()];
            }
        }
    }

    /// Finds the blocks that may nest deep: counts branches whose arms contain the block, and loops.
    fn find_depth(&mut self, dominators: &DominatorTree, cycles: &CycleForest) {
        let mut nesting = vec![0_u32; self.low.len()];
        for &block in dominators.preorder() {
            let Some(above) = dominators.idom(block) else { continue };
            let is_arm = dominators.children(above).len() > 1 && self.gather(above) != Some(block.index() as u32);
            let is_header = cycles.headed_by(block).is_some();
            nesting[block.index()] = nesting[above.index()] + u32::from(is_arm) + u32::from(is_header);
        }
        let mut reached = nesting.clone();
        for &block in dominators.preorder().iter().rev() {
            let Some(above) = dominators.idom(block) else { continue };
            reached[above.index()] = reached[above.index()].max(reached[block.index()]);
        }
        for &block in dominators.preorder() {
            let Some(above) = dominators.idom(block) else { continue };
            let deep = self.deep_root[above.index()];
            let is_deep = nesting[block.index()] >= CUT && reached[block.index()] >= DEEP;
            self.deep_root[block.index()] = if deep == NONE && is_deep { block.index() as u32 } else { deep };
        }
    }

    /// The child where all lanes that continue from a block reconverge, if there is one.
    pub(super) fn gather(&self, block: Node) -> Option<u32> {
        let node = block.index() as u32;
        match self.leaving[0][block.index()] {
            (1, child) if !self.leaves_itself(node, 0) => Some(child),
            (0, _) if !self.leaves_itself(node, 0) => match *self.joins.of(node) {
                [join] => Some(join),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether all lanes that continue from a block reach this child of it, the last one where they reconverge.
    pub(super) fn is_merge(&self, node: u32, join: u32) -> bool {
        let goes_there = match self.leaving[0][node as usize] {
            (0, _) => true,
            (1, child) => child == join,
            _ => false,
        };
        goes_there && !self.leaves_itself(node, 0) && self.joins.of(node).first() == Some(&join)
    }

    /// Returns whether an edge leads out of the subtree of a block, and not back to it.
    pub(super) fn leads_out(&self, node: u32) -> bool {
        self.low[node as usize] < self.own_level[node as usize] - 1
    }

    /// The only child through which lanes leave the subtree of a block; `kind` as for [`Levels::is_open`].
    pub(super) fn way_out(&self, node: u32, kind: usize) -> Option<u32> {
        let (count, child) = self.leaving[kind][node as usize];
        (count == 1).then_some(child)
    }

    /// The number of cycles around the dominator of a child that hold all that lanes can come to from that child or one behind it, the one
    /// that alone leads on left out.
    pub(super) fn escape_from(&self, child: u32) -> u32 {
        self.escapes_behind[child as usize]
    }

    /// Returns whether an edge leads from the block itself out of its subtree (0), or out of it and not back to the block (1).
    fn leaves_itself(&self, node: u32, kind: usize) -> bool {
        self.own_low[node as usize] < self.own_level[node as usize] - kind as u32
    }

    /// Returns whether lanes that leave the subtree of a block, coming from this child of it or from the block's own branch, may still be
    /// diverged. `kind` 0: an edge back to the block counts as leaving.
    pub(super) fn is_open(&self, node: u32, from: u32, kind: usize) -> bool {
        let (count, child) = self.leaving[kind][node as usize];
        self.leaves_itself(node, kind) || count > 1 || (count == 1 && child == from)
    }
}
