//! Hints: the loop of each node, according to the merges of the input.
//!
//! In a structured graph every block with several predecessors is a merge block, a continue target, a header or a case with fall-through.
//! So lanes that are in the same iterations of the loops around a block always execute it together, and the only information of a merge
//! beyond the edges is which code still belongs to a loop:
//!
//! ```text
//!        h ◀──────┐          loop h: merge m, continue c         level 1 (loop h):  h a b c
//!       ╱ ╲       │                                              level 0:           m
//!      a   b      │          b runs before the break, with the lanes that leave in this iteration;
//!     ╱ ╲   ╲     │          m runs with all lanes that entered the loop together
//!    ╱   c ──╲────┘
//!    ╲        ╲
//!     ╲──▶ m ◀─╱
//! ```
//!
//! A *level* is a loop with everything that belongs to it, including break blocks and code before returns; level 0 is the function. Each
//! node is placed, in reverse post-order, at a level at or above that of its immediate dominator:
//!
//! - not deeper than any predecessor (code after a loop does not return into it);
//! - if a hint names it, at the level of the hint: that of a selection's header (M6), that around a loop for its merge (M7), that of the
//!   loop for its continue target (M8);
//! - else in the innermost loop that has a hint, since nothing that its merge does not dominate is after it; or, if no loop around has a
//!   hint, as in a bare graph.
//!
//! A node that moves up a level becomes a child of the header of the outermost loop that it leaves, after the loop. *Postcondition*: each
//! forward edge goes to the level of its source or to one around it, or enters a loop by its header; so the placement tree keeps its order.
//! A hint that would break this is ignored and reported ([`Assumption::HintIgnored`]).
//!
//! Levels form a tree that grows while headers are placed, with jump pointers (Myers 1983), so a
//! common level is found in O(log). O((V + E + hints) log V).

use std::collections::BTreeMap;

use crate::input::{Convergence, InputBlock};
use crate::placement::{Builder, Loops, ROLES, Role, graph_node};
use crate::reason::{Assumption, HintFault};
use crate::work::{NONE, Node, NodeKind};

/// A loop with everything that belongs to it: its number in the forest plus one; 0 is the function.
type Level = u32;

/// The hint that names a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Says {
    SelectionMerge,
    LoopMerge,
    ContinueTarget,
}

/// A node that a hint names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Named {
    node: Node,
    header: Node,
    says: Says,
}

/// The tree of levels, for the headers that are placed so far.
struct Levels {
    parent: Vec<Level>,
    depth: Vec<u32>,
    jump: Vec<Level>,
    /// The innermost level at or around this one whose loop has a hint.
    hinted: Vec<Level>,
    header: Vec<Node>,
    of: Vec<Level>,
}

impl Levels {
    fn add(&mut self, level: Level, around: Level, hinted: Level) {
        let (at, over) = (level as usize, self.jump[around as usize]);
        self.parent[at] = around;
        self.depth[at] = self.depth[around as usize] + 1;
        let depth = |level: Level| self.depth[level as usize];
        let is_even = depth(around) - depth(over) == depth(over) - depth(self.jump[over as usize]);
        self.jump[at] = if is_even { self.jump[over as usize] } else { around };
        self.hinted[at] = hinted;
    }

    /// The level at or around `level` of the given depth.
    fn at_depth(&self, level: Level, depth: u32) -> Level {
        let mut at = level;
        while self.depth[at as usize] > depth {
            let over = self.jump[at as usize];
            at = if self.depth[over as usize] >= depth { over } else { self.parent[at as usize] };
        }
        at
    }

    /// Returns whether `above` is `below` or around it.
    fn is_around(&self, above: Level, below: Level) -> bool {
        let depth = self.depth[above as usize];
        depth <= self.depth[below as usize] && self.at_depth(below, depth) == above
    }

    /// The innermost level around both.
    fn common(&self, left: Level, right: Level) -> Level {
        let depth = self.depth[left as usize].min(self.depth[right as usize]);
        let (mut left, mut right) = (self.at_depth(left, depth), self.at_depth(right, depth));
        while left != right {
            let jumps = (self.jump[left as usize], self.jump[right as usize]);
            (left, right) =
                if jumps.0 == jumps.1 { (self.parent[left as usize], self.parent[right as usize]) } else { jumps };
        }
        left
    }
}

/// Places every node again according to the hints of the graph. `builder` contains the placement without them.
pub(crate) fn place_by_hints(builder: &mut Builder<'_>, loops: &Loops<'_>) {
    let count = builder.work.len();
    let (named, is_hinted) = collect(builder, loops);
    let levels = loops.list.len() + 1;
    let mut placing = Placing {
        loops,
        is_hinted,
        levels: Levels {
            parent: vec![0; levels],
            depth: vec![0; levels],
            jump: vec![0; levels],
            hinted: vec![0; levels],
            header: vec![NONE; levels],
            of: vec![0; count],
        },
        merge_of: vec![NONE; count],
        is_named: vec![false; count],
        predecessors: collect_predecessors(builder, loops),
    };
    for &cycle in &loops.list {
        placing.levels.header[cycle.index() + 1] = loops.cycles.header(cycle).index() as Node;
    }
    for node in loops.order.sequence().iter().skip(1).map(|node| node.index() as Node) {
        let begin = named.partition_point(|named| named.node < node);
        let end = named.partition_point(|named| named.node <= node);
        placing.place(builder, node, &named[begin..end]);
    }
    placing.settle_latches(builder);
    placing.settle_meetings(builder);
    placing.put_merges_last(builder);
}

/// Sorted forward predecessors of all nodes, as a list of pairs.
fn collect_predecessors(builder: &Builder<'_>, loops: &Loops<'_>) -> Vec<(Node, Node)> {
    let dominates = |above: Node, below: Node| loops.dominators.dominates(graph_node(above), graph_node(below));
    let edges =
        builder.work.edges.iter().filter(|edge| {
            loops.dominators.is_reachable(graph_node(edge.source)) && !dominates(edge.target, edge.source)
        });
    let mut pairs: Vec<(Node, Node)> = edges.map(|edge| (edge.target, edge.source)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The nodes that hints name, sorted, and which loops have a hint. Hints that are invalid for any placement are reported here.
fn collect(builder: &mut Builder<'_>, loops: &Loops<'_>) -> (Vec<Named>, Vec<bool>) {
    let mut named = Vec::new();
    let mut is_hinted = vec![false; loops.list.len() + 1];
    let work = builder.work;
    let node_of = |block: InputBlock| Some(work.node_of[block.index()]).filter(|&node| node != NONE);
    for &(header, hints) in &work.hints {
        let mut add = |block: Option<InputBlock>, says: Says| {
            if let Some(node) = block.and_then(node_of) {
                named.push(Named { node, header, says });
            }
        };
        add(hints.selection_merge, Says::SelectionMerge);
        let Some(repeats) = hints.repeats else { continue };
        let Some(cycle) = loops.cycles.headed_by(graph_node(header)) else {
            // The loop never repeats: lanes that enter it together reconverge at its merge.
            add(repeats.merge, Says::SelectionMerge);
            continue;
        };
        let is_inside =
            |&block: &InputBlock| node_of(block).is_some_and(|node| loops.cycles.contains(cycle, graph_node(node)));
        if let Some(block) = repeats.merge.filter(is_inside) {
            let header = work.block(header);
            builder.assumptions.push(Assumption::HintIgnored { header, block, fault: HintFault::InsideLoop });
            continue;
        }
        is_hinted[cycle.index() + 1] = true;
        add(repeats.merge, Says::LoopMerge);
        // An iteration that ends at the header itself needs no hint.
        let is_header = |&block: &InputBlock| block == work.block(header);
        add(repeats.continue_target.filter(|block| !is_header(block)), Says::ContinueTarget);
    }
    named.sort_unstable_by_key(|named: &Named| (named.node, work.number(named.header), named.says));
    (named, is_hinted)
}

struct Placing<'a> {
    loops: &'a Loops<'a>,
    is_hinted: Vec<bool>,
    levels: Levels,
    /// The selection merge of each header, if the hint holds.
    merge_of: Vec<Node>,
    /// By node, whether a hint names it and holds.
    is_named: Vec<bool>,
    predecessors: Vec<(Node, Node)>,
}

impl Placing<'_> {
    fn place(&mut self, builder: &mut Builder<'_>, node: Node, named: &[Named]) {
        let at = node as usize;
        let idom = self.loops.dominators.idom(graph_node(node)).expect("invariant: only the entry has no dominator");
        let from = self.levels.of[idom.index()];
        let wanted = self.wanted(builder, node, from);
        let begin = self.predecessors.partition_point(|&(target, _)| target < node);
        let sources = self.predecessors[begin..].iter().take_while(|&&(target, _)| target == node);
        let reach =
            sources.fold(from, |level, &(_, source)| self.levels.common(level, self.levels.of[source as usize]));
        let by_hint = self.by_hint(builder, node, reach, named);
        let level = by_hint.unwrap_or_else(|| self.levels.common(wanted, reach));

        builder.parent[at] = idom.index() as Node;
        builder.role[at] = if self.loops.indegree[at] >= 2 { Role::Own } else { Role::Arm };
        if level != from {
            let left = self.levels.at_depth(from, self.levels.depth[level as usize] + 1);
            builder.parent[at] = self.levels.header[left as usize];
            builder.role[at] = Role::After;
        }
        self.levels.of[at] = level;
        if let Some(cycle) = self.loops.cycles.headed_by(graph_node(node)) {
            let own = cycle.index() as Level + 1;
            let hinted = if self.is_hinted[own as usize] { own } else { self.levels.hinted[level as usize] };
            self.levels.add(own, level, hinted);
            self.levels.of[at] = own;
        }
    }

    /// The place of the node if no hint names it: as in a bare graph, but in the innermost loop that has a hint.
    fn wanted(&self, builder: &Builder<'_>, node: Node, from: Level) -> Level {
        let levels = &self.levels;
        let header = builder.parent[node as usize];
        let around = match builder.role[node as usize] {
            Role::Arm | Role::Own => from,
            Role::Latch => levels.of[header as usize],
            Role::After => levels.parent[levels.of[header as usize] as usize],
        };
        let around = if levels.is_around(around, from) { around } else { from };
        let hinted = levels.hinted[from as usize];
        if levels.depth[hinted as usize] > levels.depth[around as usize] { hinted } else { around }
    }

    /// The outermost level that a hint gives the node. `reach` is the innermost one that control can reach from all predecessors.
    fn by_hint(&mut self, builder: &mut Builder<'_>, node: Node, reach: Level, named: &[Named]) -> Option<Level> {
        let mut found: Option<Level> = None;
        let mut ignored: Vec<(Named, HintFault)> = Vec::new();
        for &hint in named {
            match self.level_of_hint(hint, reach) {
                Ok(level) => {
                    self.is_named[node as usize] = true;
                    if hint.says == Says::SelectionMerge {
                        self.merge_of[hint.header as usize] = node;
                    }
                    let is_outer = |other: Level| self.levels.depth[level as usize] < self.levels.depth[other as usize];
                    if found.is_none_or(is_outer) {
                        found = Some(level);
                    }
                }
                Err(fault) => ignored.push((hint, fault)),
            }
        }
        for (hint, fault) in ignored {
            // Lanes of a construct inside another one with the same merge reconverge there with those of the outer one.
            let is_met = fault == HintFault::OthersCome && found.is_some();
            let is_told = builder.work.is_input(hint.header) && !is_met;
            if is_told {
                let [header, block] = [hint.header, node].map(|node| builder.work.block(node));
                builder.assumptions.push(Assumption::HintIgnored { header, block, fault });
            }
        }
        found
    }

    /// The level that one hint gives the node that it names.
    fn level_of_hint(&self, hint: Named, reach: Level) -> Result<Level, HintFault> {
        let (node, header) = (graph_node(hint.node), graph_node(hint.header));
        let cycles = self.loops.cycles;
        let own = self.levels.of[hint.header as usize];
        let level = match hint.says {
            Says::SelectionMerge | Says::ContinueTarget => own,
            Says::LoopMerge => self.levels.parent[own as usize],
        };
        if hint.says == Says::ContinueTarget {
            let cycle = cycles.headed_by(header).filter(|&cycle| cycles.contains(cycle, node));
            cycle.ok_or(HintFault::OutsideLoop)?;
        } else if !self.loops.dominators.strictly_dominates(header, node) {
            return Err(HintFault::OthersCome);
        }
        // The contents of a loop stay in it, although a header is outside until its loop begins.
        let around = match cycles.innermost(node) {
            Some(cycle) if cycles.header(cycle) == node => cycles.parent(cycle),
            around => around,
        };
        let innermost = around.map_or(0, |cycle| cycle.index() as Level + 1);
        match self.levels.is_around(level, reach) && self.levels.is_around(innermost, level) {
            true => Ok(level),
            false => Err(HintFault::Crossing),
        }
    }

    /// A latch stays the continue target only if it is in its loop, has no children in the placement tree, and leaves the loop finally if
    /// it leaves it.
    fn settle_latches(&self, builder: &mut Builder<'_>) {
        let mut has_children = vec![false; builder.work.len()];
        for node in self.loops.order.sequence().iter().skip(1) {
            has_children[builder.parent[node.index()] as usize] = true;
        }
        for &cycle in &self.loops.list {
            let header = self.loops.cycles.header(cycle).index() as Node;
            let latch = builder.latch[header as usize];
            if latch == NONE {
                continue;
            }
            let own = cycle.index() as Level + 1;
            let stays = |target: Node| target != header && self.levels.is_around(own, self.levels.of[target as usize]);
            let is_fit = self.levels.of[latch as usize] == own
                && !has_children[latch as usize]
                && !builder.work.edges_of(latch).iter().any(|edge| stays(edge.target));
            if is_fit {
                builder.parent[latch as usize] = header;
                builder.role[latch as usize] = Role::Latch;
            } else {
                builder.latch[header as usize] = NONE;
                builder.header_of_latch[latch as usize] = NONE;
            }
        }
    }

    /// A join that is reached from a header, and not through its merge, is in the construct: it comes before the merge, although reverse
    /// post-order may have it after.
    fn put_merges_last(&self, builder: &mut Builder<'_>) {
        let (first, mut children) = builder.group_children(self.loops.order);
        let preorder = self.loops.dominators.preorder();
        let mut number = vec![0; builder.work.len()];
        for (index, node) in preorder.iter().enumerate() {
            number[node.index()] = index;
        }
        // At most one merge for each group of joins: those of its own header.
        for (header, &merge) in self.merge_of.iter().enumerate() {
            if merge == NONE
                || (builder.parent[merge as usize], builder.role[merge as usize]) != (header as Node, Role::Own)
            {
                continue;
            }
            let group = ROLES * header + Role::Own as usize;
            let group = &mut children[first[group] as usize..first[group + 1] as usize];
            let Some(place) = group.iter().position(|&child| child == merge) else { continue };
            let behind = self.behind(&group[place..], &number);
            group[place..].sort_by_key(|child| behind.binary_search(child).is_ok());
        }
        builder.grouped = Some((first, children));
    }

    /// Of joins in topological order the first one and those that are reached through it, sorted. `number` is the position of each node in
    /// a preorder of the dominator tree.
    fn behind(&self, joins: &[Node], number: &[usize]) -> Vec<Node> {
        let mut behind = Vec::new();
        // Parts of the preorder that are reached through the first join: the begin and end of each.
        let mut parts: BTreeMap<usize, usize> = BTreeMap::new();
        let is_in = |parts: &BTreeMap<usize, usize>, node: Node| {
            let at = number[node as usize];
            parts.range(..=at).next_back().is_some_and(|(_, &end)| at < end)
        };
        for &join in joins {
            let begin = self.predecessors.partition_point(|&(target, _)| target < join);
            let mut sources = self.predecessors[begin..].iter().take_while(|&&(target, _)| target == join);
            if !parts.is_empty() && !sources.any(|&(_, source)| is_in(&parts, source)) {
                continue;
            }
            behind.push(join);
            if !is_in(&parts, join) {
                let begin = number[join as usize];
                parts.insert(begin, begin + self.loops.dominators.subtree_size(graph_node(join)));
            }
        }
        behind.sort_unstable();
        behind
    }

    /// A case of a switch with a merge hint does not reconverge lanes, unless it is a merge itself, or that merge is reached only through
    /// it. A join that no hint names is reported if it is observable which lanes reconverge.
    fn settle_meetings(&self, builder: &mut Builder<'_>) {
        let mut shows: Vec<bool> = builder.work.convergence.iter().map(|seen| seen.is_convergent()).collect();
        for &node in self.loops.dominators.preorder().iter().rev() {
            let above = self.loops.dominators.idom(node).filter(|_| !self.is_named[node.index()]);
            if let Some(above) = above {
                shows[above.index()] |= shows[node.index()];
            }
        }
        for node in self.loops.order.sequence().iter().skip(1) {
            let at = node.index();
            let idom = self.loops.dominators.idom(*node).expect("invariant: only the entry has no dominator").index();
            let merge = self.merge_of[idom];
            let is_case = builder.work.kinds[idom] == NodeKind::InputSwitch && merge != NONE;
            let is_open = is_case && !self.loops.dominators.dominates(*node, graph_node(merge));
            builder.meeting[at] = match (self.is_named[at], is_open) {
                (true, _) => Convergence::Lanes,
                (false, true) => Convergence::None,
                (false, false) => builder.meeting[at],
            };
            let is_bare = !is_open && !self.is_named[at] && self.loops.indegree[at] >= 2;
            if is_bare && shows[at] && builder.work.is_input(at as Node) {
                builder.assumptions.push(Assumption::Meets { block: builder.work.block(at as Node) });
            }
        }
    }
}
