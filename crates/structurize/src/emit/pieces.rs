//! The parts of a flat form that stay structured: its *pieces*.
//!
//! ```text
//! H1 { H2 { H3 { H4 { a if b { c } d } } } }      too deep from H2 on, with space for two levels
//!
//! H1 { flat: case H2: ▶ H3                        a piece is one case
//!            case H3: H3 { H4 { a if b { c } d } }    loops that are whole in it are loops
//!            case rest of H2: ▶ H2 }                  other loops go through the switch
//! ```
//!
//! The placement subtree that is cut is split into connected pieces, bottom-up: a child whose nesting would exceed the budget together with
//! the path to it becomes a *root*, a case of its own. For a path this is the minimal number of roots. The contents of a piece follow from
//! the guarantees of its regions:
//!
//! - a join needs all of its edges to come from its piece, in order: it is kept if everything that is placed before it below the same node
//!   is kept whole, and is a root otherwise;
//! - a loop needs all of its back edges to come from its piece: a header is *broken*, and a root, if anything before its latch is cut;
//! - an arm needs nothing; but the cases of a switch are kept all together or not at all, since an edge that leaves one of them needs the
//!   merge of the switch and a number there.
//!
//! So everything that is cut is placed further out than what is kept and reached from the same place, and the order of positions is
//! preserved.
//!
//! Then straight-line sequences are combined: a root with a single incoming edge, at whose source neither a join is pending nor a loop is
//! open, is an arm there instead of a case (*adopted*).
//!
//! The depths come from an emission without a cut. Inside a flat form some choices differ, so the result is measured again: see [`Cut`].
//! Linear.

use super::Emitter;
use crate::cost;
use crate::placement::{Placement, Role};
use crate::work::{NONE, Node, NodeKind};

/// The nodes where the emission flattens parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut<'a> {
    /// Nowhere; it stops at the nesting limit.
    Nowhere,
    /// Nowhere, and depths are recorded.
    Measured,
    /// Code that is too deep according to the recorded depths, in pieces that nest as deep as the limit allows, divided by a number.
    Pieces { depths: &'a Depths, divisor: u32 },
    /// Everything that begins at this depth or deeper, block by block.
    Blocks { from: u32 },
}

/// The role of a node in a flat form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// In none.
    Outside,
    /// In the piece of its parent in the placement tree.
    Kept,
    /// A case.
    Root,
    /// A case that is the header of a loop through the switch.
    Broken,
    /// An arm of its only predecessor, not below its parent in the placement tree.
    Adopted,
}

impl Piece {
    /// Returns whether the node is not placed below its parent.
    fn is_cut(self) -> bool {
        self.is_case() || self == Self::Adopted
    }

    fn is_case(self) -> bool {
        matches!(self, Self::Root | Self::Broken)
    }
}

/// The depth of an emission, by node.
#[derive(Debug)]
pub(crate) struct Depths {
    /// The number of constructs around the node.
    at: Vec<u32>,
    /// The same, with the constructs that its heads opened.
    opened: Vec<u32>,
    /// The maximum in its placement subtree.
    reached: Vec<u32>,
}

impl Depths {
    pub(super) fn new(count: usize) -> Self {
        Self { at: vec![0; count], opened: vec![0; count], reached: Vec::new() }
    }

    pub(super) fn note_place(&mut self, node: Node, depth: u32) {
        self.at[node as usize] = depth;
        self.note_opened(node, depth);
    }

    pub(super) fn note_opened(&mut self, near: Node, depth: u32) {
        let opened = &mut self.opened[near as usize];
        *opened = depth.max(*opened);
    }

    pub(super) fn sum_up(&mut self, placement: &Placement) {
        self.reached = self.opened.clone();
        for &node in placement.by_pos.iter().rev().filter(|&&node| node != NONE) {
            let parent = placement[node].parent;
            if parent != NONE {
                self.reached[parent as usize] = self.reached[parent as usize].max(self.reached[node as usize]);
            }
        }
    }

    /// The number of levels of the node's subtree.
    fn height(&self, node: Node) -> u32 {
        self.reached[node as usize].saturating_sub(self.at[node as usize])
    }
}

/// The nodes of a flat form while pieces are formed. Tables are indexed by position relative to its root.
struct Cutting<'a> {
    depths: &'a Depths,
    /// The maximal number of levels of a piece.
    budget: u32,
    base: u32,
    /// The number of levels of the piece of each node, from the node on.
    heights: Vec<u32>,
    /// By node, whether everything below it is kept.
    is_whole: Vec<bool>,
    /// The number of levels of its piece around each node.
    levels: Vec<u32>,
    /// By node, whether a node of its piece is placed after it, or loops around it.
    is_awaited: Vec<bool>,
}

impl<'a> Cutting<'a> {
    fn new(depths: &'a Depths, budget: u32, base: u32, count: usize) -> Self {
        let [heights, levels] = [vec![0; count], vec![0; count]];
        let [is_whole, is_awaited] = [vec![true; count], vec![false; count]];
        Self { depths, budget, base, heights, is_whole, levels, is_awaited }
    }

    /// The number of levels between two nodes.
    fn between(&self, above: Node, below: Node) -> u32 {
        self.depths.at[below as usize].saturating_sub(self.depths.at[above as usize])
    }
}

impl Emitter<'_> {
    /// Returns whether the subtree of the node must become flat.
    pub(super) fn is_too_deep(&mut self, node: Node) -> bool {
        let at = node as usize;
        if self.pieces.get(at) != Some(&Piece::Outside) {
            return false;
        }
        let is_trivial =
            self.placement[node].end - self.placement[node].pos <= 1 || self.work.kinds[at] == NodeKind::Entry;
        let depth = self.frame().context.depth;
        !is_trivial
            && match self.cut {
                Cut::Nowhere | Cut::Measured => false,
                Cut::Blocks { from } => depth >= from,
                Cut::Pieces { depths, .. } => {
                    let limit = self.options.nesting_limit;
                    depth >= cost::depth_of_pieces(limit) && depth + depths.height(node) > limit
                }
            }
    }

    /// Returns whether the emission is useless once the nesting exceeds the limit.
    pub(super) fn ends_at_limit(&self) -> bool {
        matches!(self.cut, Cut::Nowhere | Cut::Pieces { .. })
    }

    /// Returns whether the node is the header of a loop through the switch.
    pub(super) fn is_broken(&self, node: Node) -> bool {
        self.pieces.get(node as usize) == Some(&Piece::Broken)
    }

    /// Returns whether an edge from below the node, in its piece, leads to a case.
    pub(super) fn leads_to_case(&self, node: Node) -> bool {
        self.leads_to_case.get(node as usize) == Some(&true)
    }

    /// Those of the joins of a node that are placed in its piece.
    pub(super) fn kept<'n>(&self, joins: &'n [Node]) -> &'n [Node] {
        if self.pieces.is_empty() {
            return joins;
        }
        &joins[..joins.partition_point(|&join| !self.pieces[join as usize].is_cut())]
    }

    /// Splits the subtree of `root`, whose flat form is opened at `depth`. Returns the cases, `root` first.
    pub(super) fn cut_into_pieces(&mut self, root: Node, depth: u32) -> Vec<Node> {
        let range = self.placement[root].pos as usize..self.placement[root].end as usize;
        let placement = self.placement;
        let nodes = placement.by_pos[range].iter().copied().filter(|&node| node != NONE);
        match self.cut {
            Cut::Pieces { depths, divisor } => {
                let room = self.options.nesting_limit.saturating_sub(depth + cost::OPENED_BY_FLAT - 1);
                let [base, end] = [placement[root].pos, placement[root].end];
                let mut cutting = Cutting::new(depths, room / divisor, base, (end - base) as usize);
                nodes.clone().rev().for_each(|node| self.grow(node, &mut cutting));
                nodes.clone().skip(1).for_each(|node| self.join_runs(node, &mut cutting));
                nodes.clone().rev().for_each(|node| self.note_ways_to_cases(node));
            }
            Cut::Nowhere | Cut::Measured | Cut::Blocks { .. } => nodes.clone().for_each(|node| {
                let is_header = placement[node].is_header;
                self.pieces[node as usize] = if is_header { Piece::Broken } else { Piece::Root };
            }),
        }
        if self.pieces[root as usize] != Piece::Broken {
            self.pieces[root as usize] = Piece::Root;
        }
        nodes.filter(|&node| self.pieces[node as usize].is_case()).collect()
    }

    /// Decides which children of the node are kept in its piece; the same must be decided for the nodes below.
    fn grow(&mut self, node: Node, cutting: &mut Cutting<'_>) {
        let placement = self.placement;
        let at = node as usize;
        let place = |node: Node| (placement[node].pos - cutting.base) as usize;
        let below = |child: Node| cutting.between(node, child) + cutting.heights[place(child)];
        let opened = cutting.depths.opened[at].saturating_sub(cutting.depths.at[at]);
        let arms = placement.children_in(node, Role::Arm);
        let is_whole_arm = |&arm: &Node| cutting.is_whole[place(arm)] && below(arm) <= cutting.budget;
        let cuts_all = opened > cutting.budget || self.becomes_switch(node) && !arms.iter().all(is_whole_arm);
        let (mut height, mut is_whole) = (opened, true);
        let mut is_broken = false;
        for role in [Role::Arm, Role::Own, Role::Latch, Role::After] {
            is_broken |= role == Role::After && placement[node].is_header && !is_whole;
            for &child in placement.children_in(node, role) {
                let may_be_kept = !cuts_all && (role == Role::Arm || is_whole);
                let piece = &mut self.pieces[child as usize];
                if may_be_kept && *piece != Piece::Broken && below(child) <= cutting.budget {
                    height = height.max(below(child));
                    *piece = Piece::Kept;
                    is_whole &= cutting.is_whole[place(child)];
                } else {
                    if *piece != Piece::Broken {
                        *piece = Piece::Root;
                    }
                    is_whole = false;
                }
            }
        }
        cutting.heights[place(node)] = if opened <= cutting.budget { height } else { 0 };
        cutting.is_whole[place(node)] = is_whole;
        if is_broken {
            self.pieces[at] = Piece::Broken;
        }
    }

    /// Records the surroundings of the node in its piece; those of the nodes before it must be known. Makes it an arm of its only
    /// predecessor if possible.
    fn join_runs(&mut self, node: Node, cutting: &mut Cutting<'_>) {
        let placement = self.placement;
        let place = |node: Node| (placement[node].pos - cutting.base) as usize;
        let at = place(node);
        match self.pieces[node as usize] {
            Piece::Kept => {
                let parent = placement[node].parent;
                cutting.levels[at] = cutting.levels[place(parent)] + cutting.between(parent, node);
                let role = placement[node].role;
                let waits = match role {
                    Role::Arm | Role::Own => self.kept(placement.children_in(parent, Role::Own)).last(),
                    Role::Latch | Role::After => self.kept(placement.children_in(parent, Role::After)).last(),
                };
                let is_in_loop = role != Role::After && self.is_whole_loop(parent);
                cutting.is_awaited[at] =
                    cutting.is_awaited[place(parent)] || is_in_loop || waits.is_some_and(|&last| last != node);
            }
            Piece::Root if placement[node].indegree == 1 => {
                let Some(&source) = placement.predecessor_pos(node).first().filter(|&&pos| pos >= cutting.base) else {
                    return;
                };
                let source = placement.by_pos[source as usize];
                let from = place(source);
                let ways = self.work.edges_of(source).len();
                let level = cutting.levels[from] + u32::from(ways > 1);
                let is_free = !cutting.is_awaited[from]
                    && !self.is_whole_loop(source)
                    && self.kept(placement.children_in(source, Role::Own)).is_empty();
                if is_free && !self.becomes_switch(source) && level + cutting.heights[at] <= cutting.budget {
                    self.pieces[node as usize] = Piece::Adopted;
                    cutting.levels[at] = level;
                }
            }
            Piece::Root | Piece::Broken | Piece::Adopted | Piece::Outside => {}
        }
    }

    fn becomes_switch(&self, node: Node) -> bool {
        self.work.kinds[node as usize] == NodeKind::InputSwitch || self.work.edges_of(node).len() > 2
    }

    /// Returns whether the node is the header of a loop that is kept.
    fn is_whole_loop(&self, node: Node) -> bool {
        self.placement[node].is_header && !self.is_broken(node)
    }

    /// Records whether the node or a node below it in its piece leads to a case; this must be known for the nodes after it.
    fn note_ways_to_cases(&mut self, node: Node) {
        let at = node as usize;
        let leads = self.leads_to_case[at]
            || self.work.edges_of(node).iter().any(|edge| self.pieces[edge.target as usize].is_cut());
        self.leads_to_case[at] = leads;
        if leads && self.pieces[at] == Piece::Kept {
            self.leads_to_case[self.placement[node].parent as usize] = true;
        }
    }

    /// Returns whether the node is an arm of its only predecessor, wherever it is placed.
    pub(super) fn is_adopted(&self, node: Node) -> bool {
        self.pieces.get(node as usize) == Some(&Piece::Adopted)
    }
}
