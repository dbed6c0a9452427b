//! Step 5: the place of code that leaves a loop.
//!
//! A *root* of a loop is a node outside whose immediate dominator is inside:
//!
//! - with several predecessors it is a join and goes after a loop: the innermost one around its immediate dominator, so that exits that
//!   share it need one selector, not one for each loop that they leave; but after one further out if one of its predecessors is after that
//!   one, or at the place of a break block (if it is large, or nothing else is after the loop), and after the outermost if it is
//!   convergent;
//! - with one predecessor it is a break block (`if (c) { found = i; break; }`) and stays inside as an arm, unless it is the exit of a
//!   chosen latch, or larger than half of what the header dominates, or nothing else is after the loop; then one such root goes after the
//!   loop: one that is entered from the header or the latch if there is one, else one that leaves the fewest loops, else the last one
//!   unless another is much larger.
//!
//! A convergent break block is moved only if it is the regular exit of the loop: the only block that edges out of the loop lead to, or
//! entered from the header or the latch ([`BreakBlocks`] can override this). Lanes that leave in different iterations then execute it
//! together, and the plan reports this assumption.
//!
//! Hints of the input take precedence (`levels.rs`).
//!
//! A path that leads only to [`Branch::Unreachable`](crate::Branch::Unreachable) is not an exit: control never goes there. With one
//! predecessor it stays where it is entered, unless the latch leads to it; it is not counted, and the placement of other code ignores it:
//!
//! ```text
//! h ◀───────╮        switch of h: d, its default, is said to be unreachable
//! ├──▶ d    │        m is the only block that the loop is left to
//! ├──▶ c1 ──┤
//! ╰──▶ c2 ──┴─▶ m
//! ```
//!
//! ```text
//! h1 {                         h1 {                                  and not   h1 {
//!   h2 { a ─▶ found              h2 { a, b: break }                             h2 { a, b: break }
//!        b ─▶ found }     ⇒      if %left_early { found; break }                if %left_early { break }
//!   c                            c                                              c
//! }                            }                                              }
//! rest                         rest                                           if %left_early { found }  rest
//! ```
//!
//! Code after a loop never branches to a root that is kept inside: a break block has one predecessor, and a join is kept inside only if
//! each of its predecessors is. Near-linear; a root is tried for at most 64 loops around it, and a join that leaves more goes after the
//! outermost.

use reconverge_graph::Cycle;

use super::Role;
use super::loops::{Loops, graph_node};
use super::tree::Builder;
use crate::reason::Assumption;
use crate::work::{NONE, Node};
use crate::{BreakBlocks, cost};

/// A root is tried for at most this many of the outermost loops that it leaves.
const LOOPS_TRIED: usize = 64;

/// The facts about the outside of a loop.
#[derive(Clone, Copy, Default)]
struct Outside {
    /// True if code goes after the loop.
    has_after: bool,
    /// The number of exit blocks that the loop has.
    left_to: i64,
}

impl Builder<'_> {
    /// Step 5: parents and roles.
    pub(super) fn place_exits(&mut self, loops: &Loops<'_>, forced: &[Node]) {
        let mut roots: Vec<(Node, Cycle, usize)> = Vec::new();
        let mut sides = vec![Outside::default(); loops.list.len()];
        for node in loops.order.sequence().iter().skip(1).map(|node| node.index() as Node) {
            let idom = loops.dominators.idom(graph_node(node));
            let idom = idom.expect("invariant: a reachable node but the entry has a dominator");
            let at = node as usize;
            self.parent[at] = idom.index() as Node;
            self.role[at] = if loops.indegree[at] >= 2 { Role::Own } else { Role::Arm };
            let is_latch = self.header_of_latch[at] != NONE;
            if is_latch {
                self.parent[at] = self.header_of_latch[at];
                self.role[at] = Role::Latch;
            }
            let Some(inner) = loops.cycles.innermost(idom) else { continue };
            let common = loops.common_depth(node);
            if common == loops.depth(Some(inner)) {
                continue;
            }
            let left = loops.at_depth(inner, common + 1);
            if loops.is_dead_end(node) {
                if loops.indegree[at] >= 2 {
                    self.put_behind(node, loops, left);
                } else if forced[at] != NONE {
                    roots.push((node, inner, common));
                }
                continue;
            }
            sides[inner.index()].left_to += 1;
            if let Some(outside) = loops.cycles.parent(left) {
                sides[outside.index()].left_to -= 1;
            }
            if is_latch {
                continue;
            }
            let is_join = loops.is_join(node);
            let is_far = loops.depth(Some(inner)) - common > LOOPS_TRIED;
            if is_join && (loops.is_convergent(node) || is_far) {
                self.put_behind(node, loops, left);
                sides[left.index()].has_after = true;
            } else if is_join {
                roots.push((node, inner, common));
            } else {
                roots.push((node, inner, common));
                let header = forced[at];
                if header != NONE {
                    let left = loops.cycles.headed_by(graph_node(header));
                    sides[left.expect("invariant: the header of a latch").index()].has_after = true;
                }
            }
        }
        for &cycle in loops.list.iter().rev() {
            if let Some(outside) = loops.cycles.parent(cycle) {
                sides[outside.index()].left_to += sides[cycle.index()].left_to;
            }
        }
        self.place_roots(loops, forced, &roots, &sides);
    }

    fn put_behind(&mut self, node: Node, loops: &Loops<'_>, left: Cycle) {
        self.parent[node as usize] = loops.cycles.header(left).index() as Node;
        self.role[node as usize] = Role::After;
    }

    /// Decides for roots, which come in reverse post-order, from outer loops to inner ones.
    fn place_roots(&mut self, loops: &Loops<'_>, forced: &[Node], roots: &[(Node, Cycle, usize)], sides: &[Outside]) {
        let mut tried: Vec<Vec<Node>> = vec![Vec::new(); loops.list.len()];
        for &(node, inner, common) in roots {
            let deepest = loops.depth(Some(inner)).min(common + LOOPS_TRIED);
            let mut at = Some(loops.at_depth(inner, deepest));
            while let Some(cycle) = at.filter(|&cycle| loops.cycles.depth(cycle) > common) {
                tried[cycle.index()].push(node);
                at = loops.cycles.parent(cycle);
            }
            if forced[node as usize] != NONE && deepest < loops.depth(Some(inner)) {
                tried[inner.index()].push(node);
            }
        }
        let size = |node: Node| loops.dominators.subtree_size(graph_node(node));
        for &cycle in &loops.list {
            let header = loops.cycles.header(cycle).index() as Node;
            let roots = &mut tried[cycle.index()];
            roots.retain(|&node| self.role[node as usize] != Role::After);
            let is_only = sides[cycle.index()].left_to == 1;
            let may_move = |node: Node| match self.break_blocks {
                _ if is_only => true,
                BreakBlocks::Ordinary => loops.is_regular_exit(node, header),
                BreakBlocks::Inside => loops.is_latch_exit(node, header),
                BreakBlocks::Outside => true,
            };
            let must_move = |node: Node| match () {
                () if forced[node as usize] == header => true,
                // A join is not an arm of one block: the innermost loop is the last that it can be after.
                () if loops.is_join(node) && loops.innermost_above(node) == Some(cycle) => true,
                () if loops.is_convergent(node) => may_move(node),
                () => size(node) * cost::PART_BEHIND_LOOP > size(header),
            };
            let mut moved: Vec<Node> = roots.iter().copied().filter(|&node| must_move(node)).collect();
            let is_behind = |&node: &Node| !loops.is_dead_end(node);
            if !sides[cycle.index()].has_after && !moved.iter().any(is_behind) {
                moved.extend(self.end_of(header, roots, loops));
            }
            for &node in &moved {
                self.put_behind(node, loops, cycle);
            }
            for &node in roots.iter().filter(|&&node| loops.is_join(node)) {
                let mut sources = loops.sources(node);
                if !sources.all(|source| self.is_inside(source, loops, cycle)) {
                    self.put_behind(node, loops, cycle);
                }
            }
            self.note_assumptions(header, roots, loops);
        }
    }

    /// The node to place after a loop that has no other: the regular exit, else the one that leaves the fewest loops, else the last root
    /// that is not small.
    fn end_of(&self, header: Node, roots: &[Node], loops: &Loops<'_>) -> Option<Node> {
        let is_plain = |&node: &Node| !loops.is_convergent(node) && !loops.is_dead_end(node);
        let mut plain: Vec<Node> = roots.iter().copied().filter(is_plain).collect();
        let depth = |node: Node| loops.depth(loops.cycles.innermost(graph_node(node)));
        let is_end = |node: Node| loops.is_regular_exit(node, header) || loops.is_behind_jumps(node, header);
        let best = plain.iter().map(|&node| (is_end(node), depth(node))).max();
        plain.retain(|&node| Some((is_end(node), depth(node))) == best);
        plain.sort_unstable_by_key(|&node| self.work.number(node));
        cost::last_or_heaviest(plain.into_iter(), |node| loops.dominators.subtree_size(graph_node(node)) as u64)
    }

    /// Returns whether a node is in the body of a loop, or is a root that stays there.
    fn is_inside(&self, node: Node, loops: &Loops<'_>, cycle: Cycle) -> bool {
        if self.header_of_latch[node as usize] == loops.cycles.header(cycle).index() as Node {
            return false;
        }
        let is_root = || loops.dominators.idom(graph_node(node)).is_some_and(|idom| loops.cycles.contains(cycle, idom));
        loops.cycles.contains(cycle, graph_node(node)) || self.role[node as usize] != Role::After && is_root()
    }

    /// Records each cycle with a dispatch that has convergent code in it or after it.
    pub(super) fn note_dispatches(&mut self, loops: &Loops<'_>) {
        for node in self.work.nodes().skip(self.work.blocks.len()) {
            if self.work.is_dispatch(node) && loops.is_convergent(node) {
                self.assumptions.push(Assumption::Irreducible { entry: self.work.input_near(node) });
            }
        }
    }

    fn note_assumptions(&mut self, header: Node, roots: &[Node], loops: &Loops<'_>) {
        let number = |node: Node| self.work.number(node);
        let hints = self.work.hints.binary_search_by_key(&number(header), |&(header, _)| number(header));
        let is_told = hints.is_ok_and(|place| self.work.hints[place].1.repeats.is_some());
        if !self.work.is_input(header) || is_told {
            return;
        }
        for &node in roots {
            if !loops.is_convergent(node) || !self.work.is_input(node) {
                continue;
            }
            let (block, header) = (self.work.block(node), self.work.block(header));
            self.assumptions.push(if self.role[node as usize] == Role::After {
                Assumption::AfterLoop { block, header }
            } else {
                Assumption::BeforeBreak { block, header }
            });
        }
    }
}
