//! Steps 3 to 5: where each node goes. Analyses, choice of latches, placement tree.
//!
//! The *placement tree* is the dominator tree, except that code which belongs after a loop hangs
//! from the loop's header instead of from the block that leaves the loop. The children of a node
//! come in four groups, each in reverse post-order:
//!
//! ```text
//!            header                 arms    entered from this node alone
//!     ┌─────┬──┴──┬───────┐         own     joins that stay inside
//!   arms   own   latch  after       latch   the chosen continue block (headers only)
//!                                   after   behind the loop (headers only)
//! ```
//!
//! Preorder numbers of this tree (`pos`) order everything that waits to be placed: what waits
//! further out has the greater number. A *root* of a loop is a node outside whose immediate
//! dominator is inside:
//!
//! - with several predecessors it goes after the outermost loop that it leaves;
//! - with one predecessor it is a break block (`if (c) { found = i; break; }`) and stays inside as
//!   an arm, unless it is the exit of a chosen latch, or larger than half of what the header
//!   dominates, or nothing else is behind the loop, where one such root goes after: one that is entered
//!   from the header or the latch where there is one, else one that leaves the fewest loops, else
//!   the last one unless another is much larger.
//!
//! A convergent break block is moved only where the loop ends in the ordinary way: it is the only
//! block that the loop is left to, or is entered from the header or the latch
//! ([`BreakBlocks`] says otherwise). Lanes that leave in different iterations then run it together,
//! and the plan says that this was assumed.
//!
//! Where the input carries hints, they decide instead (`levels.rs`).
//!
//! Nothing after a loop branches to a root that is kept inside, since only single-predecessor
//! roots are. Near-linear; a single-predecessor root is tried for at most 64 loops around it.

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Order};

use crate::cost;
use crate::input::{Convergence, InputBlock};
use crate::levels;
use crate::plan::{Block, Origin};
use crate::reason::{Assumption, Reason};
use crate::work::{Analyses, Kind, NONE, Node, WorkGraph};
use crate::{BreakBlocks, Options};

/// A break block is tried for the outermost so many loops it leaves.
const LOOPS_TRIED: usize = 64;

/// A loop that is left behind so many jumps from its header is left from the header.
const JUMPS_FOLLOWED: usize = 4;

/// Where a node hangs below its parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    Arm,
    Own,
    Latch,
    After,
}

/// How many roles there are.
pub(crate) const ROLES: usize = 4;

/// Where a node is placed. One record of 32 bytes: who asks for one field of a target asks for the next, and a target may lie anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Parent in the placement tree; [`NONE`] for the entry and for unreachable nodes.
    pub(crate) parent: Node,
    /// Preorder number and one past the greatest number in the subtree.
    pub(crate) pos: u32,
    pub(crate) end: u32,
    /// Of a header: the number at which its back edges and its latch are ordered; [`NONE`] otherwise.
    pub(crate) slot: u32,
    /// Of a header: the chosen continue block.
    pub(crate) latch: Node,
    /// Of a chosen continue block: its header.
    pub(crate) header_of_latch: Node,
    /// Number of distinct forward predecessors.
    pub(crate) indegree: u32,
    pub(crate) role: Role,
    pub(crate) is_header: bool,
    /// Which lanes that come by different edges must meet at the node: where any must, it is no case that
    /// another case falls into (which brings nobody together).
    pub(crate) meeting: Convergence,
}

/// See the top of the file. All tables are indexed by node.
#[derive(Debug)]
pub(crate) struct Placement {
    spots: Vec<Spot>,
    children: Vec<Node>,
    /// First child of each node in each role.
    first_child: Vec<u32>,
    /// Positions of the forward predecessors, ascending.
    predecessor_pos: Vec<u32>,
    first_predecessor: Vec<u32>,
    /// Reachable nodes by `pos`; slots without a latch hold [`NONE`].
    pub(crate) by_pos: Vec<Node>,
    /// Weight of each placement subtree.
    pub(crate) weight: Vec<u64>,
    pub(crate) assumptions: Vec<Assumption>,
}

impl std::ops::Index<Node> for Placement {
    type Output = Spot;

    fn index(&self, node: Node) -> &Spot {
        &self.spots[node as usize]
    }
}

impl Placement {
    /// All children: by role, each role in reverse post-order.
    pub(crate) fn children(&self, node: Node) -> &[Node] {
        let first = ROLES * node as usize;
        &self.children[self.first_child[first] as usize..self.first_child[first + ROLES] as usize]
    }

    /// The children in one role, in reverse post-order.
    pub(crate) fn children_in(&self, node: Node, role: Role) -> &[Node] {
        let first = ROLES * node as usize + role as usize;
        &self.children[self.first_child[first] as usize..self.first_child[first + 1] as usize]
    }

    /// Positions of the forward predecessors of `node`, ascending.
    pub(crate) fn predecessor_pos(&self, node: Node) -> &[u32] {
        let node = node as usize;
        let range = self.first_predecessor[node] as usize..self.first_predecessor[node + 1] as usize;
        &self.predecessor_pos[range]
    }

    /// Whether `below` is in the placement subtree of `above`.
    pub(crate) fn contains(&self, above: Node, below: Node) -> bool {
        let at = self[below].pos;
        let Spot { pos, end, .. } = self[above];
        pos <= at && at < end
    }

    /// One for each flattened part that is convergent.
    pub(crate) fn flat_assumptions(&self, blocks: &[Block], work: &WorkGraph) -> Vec<Assumption> {
        let roots = blocks.iter().filter_map(|block| match block.origin {
            Origin::Added(Reason::FlatHeader { root }) => Some(root),
            _ => None,
        });
        let is_convergent = |root: &InputBlock| {
            let Spot { pos, end, .. } = self[work.node_of[root.index()]];
            let range = pos as usize..end as usize;
            self.by_pos[range].iter().any(|&node| node != NONE && work.convergence[node as usize].is_convergent())
        };
        roots.filter(is_convergent).map(|root| Assumption::Flat { root }).collect()
    }

    /// Places every node right below the input's entry: what the flat form of a whole function needs.
    pub(crate) fn compute_star(work: &WorkGraph) -> Self {
        let order = Order::compute_reverse_post_order(&work.to_graph());
        let mut builder = Builder::new(work);
        let mut root = work.entry;
        for node in order.sequence().iter().skip(1) {
            builder.parent[node.index()] = root;
            if work.kinds[root as usize] == Kind::Entry {
                root = node.index() as Node;
            }
        }
        builder.finish(&order, vec![false; work.len()], vec![0; work.len()])
    }

    /// Computes the placement.
    pub(crate) fn compute(work: &WorkGraph, analyses: &Analyses, options: &Options) -> Self {
        let Analyses { graph, order, dominators } = analyses;
        let cycles = CycleForest::compute(graph, order, dominators);
        let loops = Loops::compute(work, order, dominators, &cycles);
        let mut builder = Builder::new(work);
        builder.break_blocks = options.break_blocks;
        builder.meeting.clone_from(&loops.convergence);
        let forced = builder.choose_latches(&loops);
        builder.place_exits(&loops, &forced);
        builder.note_dispatches(&loops);
        if !work.hints.is_empty() {
            levels::place_by_hints(&mut builder, &loops);
        }
        let is_header = loops.is_header();
        builder.finish(order, is_header, loops.indegree)
    }
}

pub(crate) fn graph_node(node: Node) -> reconverge_graph::Node {
    reconverge_graph::Node::new(node as usize)
}

/// The back edges to a header.
#[derive(Clone, Copy)]
struct BackEdges {
    /// How many nodes have one.
    count: u32,
    /// One of them.
    source: Node,
    /// The node of which an edge was met last, of whatever kind.
    last_source: Node,
}

/// The analyses that the placement reads.
pub(crate) struct Loops<'a> {
    pub(crate) order: &'a Order,
    pub(crate) dominators: &'a DominatorTree,
    pub(crate) cycles: &'a CycleForest,
    pub(crate) indegree: Vec<u32>,
    /// Whether each node has one way on.
    jumps: Vec<bool>,
    back_edges: Vec<BackEdges>,
    /// Skew-binary jump pointers over the loop forest (Myers 1983).
    jump: Vec<u32>,
    pub(crate) list: Vec<Cycle>,
    /// Which lanes the code sees that the node dominates.
    pub(crate) convergence: Vec<Convergence>,
}

impl<'a> Loops<'a> {
    fn compute(work: &WorkGraph, order: &'a Order, dominators: &'a DominatorTree, cycles: &'a CycleForest) -> Self {
        let mut indegree = vec![0; work.len()];
        let mut back_edges = vec![BackEdges { count: 0, source: NONE, last_source: NONE }; work.len()];
        for source in order.sequence().iter().map(|node| node.index() as Node) {
            for edge in work.edges_of(source) {
                let target = edge.target as usize;
                if std::mem::replace(&mut back_edges[target].last_source, source) == source {
                    continue;
                }
                // In a reducible graph exactly the edges that lead back to a dominator.
                if order.is_retreating(graph_node(source), graph_node(edge.target)) {
                    let found = &mut back_edges[target];
                    (found.count, found.source) = (found.count + 1, source);
                } else {
                    indegree[target] += 1;
                }
            }
        }
        let list: Vec<Cycle> = cycles.cycles().collect();
        let mut jump: Vec<u32> = Vec::with_capacity(list.len());
        for &cycle in &list {
            let own = cycle.index() as u32;
            jump.push(cycles.parent(cycle).map_or(own, |parent| {
                let over = jump[parent.index()] as usize;
                let depth = |index: usize| cycles.depth(list[index]);
                let far = jump[over] as usize;
                if depth(parent.index()) - depth(over) == depth(over) - depth(far) {
                    far as u32
                } else {
                    parent.index() as u32
                }
            }));
        }
        let mut convergence = work.convergence.clone();
        for &node in dominators.preorder().iter().rev() {
            if let Some(idom) = dominators.idom(node) {
                convergence[idom.index()] = convergence[idom.index()].max(convergence[node.index()]);
            }
        }
        let jumps = work.nodes().map(|node| work.edges_of(node).len() == 1).collect();
        Self { order, dominators, cycles, indegree, jumps, back_edges, jump, list, convergence }
    }

    /// Whether anything that the node dominates is convergent.
    fn is_convergent(&self, node: Node) -> bool {
        self.convergence[node as usize].is_convergent()
    }

    fn is_header(&self) -> Vec<bool> {
        self.back_edges.iter().map(|found| found.count > 0).collect()
    }

    /// Whether the single-predecessor `node` is entered from the header of the loop, or from the only
    /// source of its back edge: the loop ends there in the ordinary way.
    fn is_regular_exit(&self, node: Node, header: Node) -> bool {
        let source = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node);
        source == Some(header) || self.is_latch_exit(node, header)
    }

    /// Whether the single-predecessor `node` is entered from the only source of the back edge.
    fn is_latch_exit(&self, node: Node, header: Node) -> bool {
        let source = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node);
        let BackEdges { count, source: latch, .. } = self.back_edges[header as usize];
        count == 1 && source == Some(latch)
    }

    /// Whether the single-predecessor `node` is entered from the header, or from where only jumps lead from the header.
    fn is_behind_jumps(&self, node: Node, header: Node) -> bool {
        let Some(mut at) = self.dominators.idom(graph_node(node)).map(|idom| idom.index() as Node) else {
            return false;
        };
        for _ in 0..JUMPS_FOLLOWED {
            let before = self.dominators.idom(graph_node(at)).map(|idom| idom.index() as Node);
            match before {
                Some(before) if at != header && self.jumps[before as usize] && self.indegree[at as usize] == 1 => {
                    at = before
                }
                _ => break,
            }
        }
        at == header
    }

    fn depth(&self, cycle: Option<Cycle>) -> usize {
        cycle.map_or(0, |cycle| self.cycles.depth(cycle))
    }

    /// The loop around `cycle`, itself included, at the given depth ≥ 1.
    fn at_depth(&self, cycle: Cycle, depth: usize) -> Cycle {
        let mut at = cycle;
        while self.cycles.depth(at) > depth {
            let over = self.list[self.jump[at.index()] as usize];
            at = if self.cycles.depth(over) >= depth && over != at {
                over
            } else {
                self.cycles.parent(at).expect("invariant: a loop deeper than 1 has a parent")
            };
        }
        at
    }

    /// The depth of the innermost loop that holds both the node and its immediate dominator: the
    /// dominator is in every loop around the node that the node does not head.
    fn common_depth(&self, node: Node) -> usize {
        let own = self.cycles.innermost(graph_node(node));
        own.map_or(0, |own| self.cycles.depth(own) - usize::from(self.cycles.header(own) == graph_node(node)))
    }
}

pub(crate) struct Builder<'a> {
    pub(crate) work: &'a WorkGraph,
    pub(crate) parent: Vec<Node>,
    pub(crate) role: Vec<Role>,
    pub(crate) latch: Vec<Node>,
    pub(crate) header_of_latch: Vec<Node>,
    pub(crate) meeting: Vec<Convergence>,
    pub(crate) assumptions: Vec<Assumption>,
    break_blocks: BreakBlocks,
    /// The children by role, where hints say in which order.
    pub(crate) grouped: Option<Children>,
}

/// The first child of each node in each role, and the children.
pub(crate) type Children = (Vec<u32>, Vec<Node>);

impl<'a> Builder<'a> {
    fn new(work: &'a WorkGraph) -> Self {
        let none = vec![NONE; work.len()];
        Self {
            work,
            parent: none.clone(),
            role: vec![Role::Arm; work.len()],
            latch: none.clone(),
            header_of_latch: none,
            meeting: vec![Convergence::None; work.len()],
            assumptions: Vec::new(),
            break_blocks: BreakBlocks::default(),
            grouped: None,
        }
    }

    /// Step 4: a block that can itself be the continue target of its loop. Returns for each node
    /// the header that it must come after, as the exit of such a latch.
    fn choose_latches(&mut self, loops: &Loops<'_>) -> Vec<Node> {
        let mut forced = vec![NONE; self.work.len()];
        for &cycle in &loops.list {
            let header = loops.cycles.header(cycle).index() as Node;
            let BackEdges { count: 1, source: latch, .. } = loops.back_edges[header as usize] else { continue };
            if latch == header
                || loops.cycles.innermost(graph_node(latch)) != Some(cycle)
                || self.work.kinds[latch as usize] != Kind::Input
                || self.is_kept_before_break(loops, latch, cycle)
            {
                continue;
            }
            let exit = self.work.edges_of(latch).iter().find(|edge| edge.target != header);
            let exit = exit.map(|edge| edge.target);
            if exit.is_some_and(|exit| loops.cycles.contains(cycle, graph_node(exit))) {
                continue;
            }
            let below = loops.dominators.subtree_size(graph_node(latch)) - 1;
            if below > 0 {
                // The latch dominates its exit and what that dominates, and nothing else.
                let is_only = |exit: &Node| {
                    loops.indegree[*exit as usize] == 1 && loops.dominators.subtree_size(graph_node(*exit)) == below
                };
                let Some(only) = exit.filter(is_only) else { continue };
                forced[only as usize] = header;
            }
            self.latch[header as usize] = latch;
            self.header_of_latch[latch as usize] = header;
        }
        forced
    }

    /// Whether the latch of `cycle` is a convergent break block of a loop inside that has to stay there.
    fn is_kept_before_break(&self, loops: &Loops<'_>, latch: Node, cycle: Cycle) -> bool {
        if !loops.is_convergent(latch) || loops.indegree[latch as usize] != 1 {
            return false;
        }
        let idom = loops.dominators.idom(graph_node(latch));
        let inner = idom.and_then(|idom| loops.cycles.innermost(idom)).filter(|&inner| inner != cycle);
        let Some(inner) = inner else { return false };
        let is_regular = loops.cycles.parent(inner) == Some(cycle)
            && loops.is_regular_exit(latch, loops.cycles.header(inner).index() as Node);
        self.break_blocks != BreakBlocks::Outside && !(is_regular && self.break_blocks == BreakBlocks::Ordinary)
    }

    /// Step 5: parents and roles.
    fn place_exits(&mut self, loops: &Loops<'_>, forced: &[Node]) {
        let mut break_blocks: Vec<(Node, Cycle, usize)> = Vec::new();
        let mut has_after = vec![false; loops.list.len()];
        let mut left_to = vec![0_i64; loops.list.len()];
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
            left_to[inner.index()] += 1;
            if let Some(outside) = loops.cycles.parent(loops.at_depth(inner, common + 1)) {
                left_to[outside.index()] -= 1;
            }
            if is_latch {
                continue;
            }
            if loops.indegree[at] >= 2 {
                let left = loops.at_depth(inner, common + 1);
                self.put_after(node, loops, left, &mut has_after);
            } else {
                break_blocks.push((node, inner, common));
                let header = forced[at];
                if header != NONE {
                    let left = loops.cycles.headed_by(graph_node(header));
                    has_after[left.expect("invariant: the header of a latch").index()] = true;
                }
            }
        }
        for &cycle in loops.list.iter().rev() {
            if let Some(outside) = loops.cycles.parent(cycle) {
                left_to[outside.index()] += left_to[cycle.index()];
            }
        }
        self.place_break_blocks((loops, forced), &break_blocks, &mut has_after, &left_to);
    }

    fn put_after(&mut self, node: Node, loops: &Loops<'_>, left: Cycle, has_after: &mut [bool]) {
        self.parent[node as usize] = loops.cycles.header(left).index() as Node;
        self.role[node as usize] = Role::After;
        has_after[left.index()] = true;
    }

    /// Decides for single-predecessor roots, from outer loops to inner ones. `left_to` holds to how
    /// many blocks each loop is left.
    fn place_break_blocks(
        &mut self,
        (loops, forced): (&Loops<'_>, &[Node]),
        break_blocks: &[(Node, Cycle, usize)],
        has_after: &mut [bool],
        left_to: &[i64],
    ) {
        let mut tried: Vec<Vec<Node>> = vec![Vec::new(); loops.list.len()];
        for &(node, inner, common) in break_blocks {
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
            roots.retain(|&node| self.role[node as usize] == Role::Arm);
            let is_only = left_to[cycle.index()] == 1;
            let may_move = |node: Node| match self.break_blocks {
                _ if is_only => true,
                BreakBlocks::Ordinary => loops.is_regular_exit(node, header),
                BreakBlocks::Inside => loops.is_latch_exit(node, header),
                BreakBlocks::Outside => true,
            };
            let must_move = |node: Node| {
                let is_large = size(node) * cost::PART_BEHIND_LOOP > size(header);
                forced[node as usize] == header || if loops.is_convergent(node) { may_move(node) } else { is_large }
            };
            let mut moved: Vec<Node> = roots.iter().copied().filter(|&node| must_move(node)).collect();
            if moved.is_empty() && !has_after[cycle.index()] {
                // Where the loop ends in the ordinary way, else what leaves the fewest loops, else the last that is not small.
                let mut plain: Vec<Node> = roots.iter().copied().filter(|&node| !loops.is_convergent(node)).collect();
                let depth = |node: Node| loops.depth(loops.cycles.innermost(graph_node(node)));
                let is_end = |node: Node| loops.is_regular_exit(node, header) || loops.is_behind_jumps(node, header);
                let best = plain.iter().map(|&node| (is_end(node), depth(node))).max();
                plain.retain(|&node| Some((is_end(node), depth(node))) == best);
                plain.sort_unstable_by_key(|&node| self.work.number(node));
                moved.extend(cost::last_or_heaviest(plain.into_iter(), |node| size(node) as u64));
            }
            for &node in &moved {
                self.put_after(node, loops, cycle, has_after);
            }
            self.note_assumptions(header, roots, loops);
        }
    }

    /// Notes each cycle that got a dispatch and has convergent code in it or behind it.
    fn note_dispatches(&mut self, loops: &Loops<'_>) {
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

    /// Numbers the tree.
    fn finish(mut self, order: &Order, is_header: Vec<bool>, indegree: Vec<u32>) -> Placement {
        let work = self.work;
        let (first_child, children) = self.grouped.take().unwrap_or_else(|| self.group_children(order));
        let assumptions = std::mem::take(&mut self.assumptions);
        let mut placement = Placement {
            spots: self.into_spots(&is_header, &indegree),
            children,
            first_child,
            predecessor_pos: Vec::new(),
            first_predecessor: Vec::new(),
            by_pos: Vec::with_capacity(work.len()),
            weight: work.weights.iter().map(|&weight| u64::from(weight)).collect(),
            assumptions,
        };
        drop((is_header, indegree));
        number(&mut placement, work.entry);
        for index in (0..placement.by_pos.len()).rev() {
            let node = placement.by_pos[index];
            if node == NONE {
                continue;
            }
            let Spot { parent, .. } = placement[node];
            if parent != NONE {
                let weight = placement.weight[node as usize];
                placement.weight[parent as usize] += weight;
            }
        }
        collect_predecessors(&mut placement, work);
        placement
    }

    /// One record a node.
    fn into_spots(self, is_header: &[bool], indegree: &[u32]) -> Vec<Spot> {
        let spot = |at: usize| Spot {
            parent: self.parent[at],
            pos: NONE,
            end: NONE,
            slot: NONE,
            latch: self.latch[at],
            header_of_latch: self.header_of_latch[at],
            indegree: indegree[at],
            role: self.role[at],
            is_header: is_header[at],
            meeting: self.meeting[at],
        };
        (0..self.work.len()).map(spot).collect()
    }

    /// Children of each node by role, then in reverse post-order: a counting sort of the order.
    pub(crate) fn group_children(&self, order: &Order) -> Children {
        let below = order.sequence().get(1..).unwrap_or_default();
        let group_of = |node: usize| ROLES * self.parent[node] as usize + self.role[node] as usize;
        // Counted two places further on: filling moves each start to where the next group starts.
        let mut first = vec![0_u32; ROLES * self.work.len() + 2];
        for node in below {
            first[group_of(node.index()) + 2] += 1;
        }
        accumulate(&mut first);
        let mut children = vec![NONE; below.len()];
        for node in below {
            let next = &mut first[group_of(node.index()) + 1];
            children[*next as usize] = node.index() as Node;
            *next += 1;
        }
        (first, children)
    }
}

/// Makes counts into starts.
fn accumulate(counts: &mut [u32]) {
    let mut total = 0;
    for count in counts {
        total += *count;
        *count = total;
    }
}

/// Preorder numbers, with one number for the latch slot of every header.
fn number(placement: &mut Placement, entry: Node) {
    let mut stack = vec![(entry, 0)];
    placement.spots[entry as usize].pos = 0;
    placement.by_pos.push(entry);
    while let Some((node, next)) = stack.last_mut() {
        let (node, index) = (*node, *next);
        *next += 1;
        let at = node as usize;
        let children = placement.children(node);
        let child = children.get(index).copied();
        let before_latch = |child: Node| placement[child].role < Role::Latch;
        let Spot { is_header, slot, latch, .. } = placement[node];
        let slot_is_due = is_header && slot == NONE && !child.is_some_and(before_latch);
        if slot_is_due {
            placement.spots[at].slot = placement.by_pos.len() as u32;
            if latch == NONE {
                placement.by_pos.push(NONE);
            }
        }
        match child {
            Some(child) => {
                placement.spots[child as usize].pos = placement.by_pos.len() as u32;
                placement.by_pos.push(child);
                stack.push((child, 0));
            }
            None => {
                placement.spots[at].end = placement.by_pos.len() as u32;
                stack.pop();
            }
        }
    }
}

/// Positions of the forward predecessors of each node, by a counting sort: sources come by ascending
/// position, so several edges of one source stand next to each other.
fn collect_predecessors(placement: &mut Placement, work: &WorkGraph) {
    let mut first = Vec::with_capacity(work.len() + 2);
    first.extend([0, 0]);
    first.extend(placement.spots.iter().map(|spot| spot.indegree));
    accumulate(&mut first);
    let total = first.last().map_or(0, |&total| total as usize);
    let mut predecessors = vec![NONE; total];
    // Nothing is counted for the flat form of a whole function, which asks for no predecessors.
    let sources = if total == 0 { &[] } else { &placement.by_pos[..] };
    for (pos, &node) in (0..).zip(sources) {
        if node == NONE {
            continue;
        }
        for edge in work.edges_of(node) {
            let target = edge.target as usize;
            let Spot { is_header, pos: start, end, .. } = placement.spots[target];
            let is_back = is_header && start <= pos && pos < end;
            let next = first[target + 1] as usize;
            let is_repeated = next > 0 && next > first[target] as usize && predecessors[next - 1] == pos;
            if !is_back && !is_repeated {
                predecessors[next] = pos;
                first[target + 1] += 1;
            }
        }
    }
    placement.predecessor_pos = predecessors;
    placement.first_predecessor = first;
}
