//! The placement tree from parents and roles: children by counting sorts, preorder numbers, predecessors in the order of those. Linear.

use reconverge_graph::Order;

use super::{Placement, ROLES, Role, Spot};
use crate::BreakBlocks;
use crate::input::Convergence;
use crate::reason::Assumption;
use crate::work::{NONE, Node, WorkGraph};

/// Parents and roles while they are decided.
pub(crate) struct Builder<'a> {
    pub(crate) work: &'a WorkGraph,
    pub(crate) parent: Vec<Node>,
    pub(crate) role: Vec<Role>,
    pub(crate) latch: Vec<Node>,
    pub(crate) header_of_latch: Vec<Node>,
    pub(crate) meeting: Vec<Convergence>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(super) break_blocks: BreakBlocks,
    /// True if the exits of a chain are consecutive, including the last one.
    pub(super) keeps_chains_flat: bool,
    /// The children by role, if hints determine their order.
    pub(crate) grouped: Option<Children>,
}

/// The first child of each node in each role, and the children.
pub(super) type Children = (Vec<u32>, Vec<Node>);

impl<'a> Builder<'a> {
    pub(super) fn new(work: &'a WorkGraph) -> Self {
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
            keeps_chains_flat: false,
            grouped: None,
        }
    }

    /// Numbers the tree.
    pub(super) fn finish(mut self, order: &Order, is_header: Vec<bool>, indegree: Vec<u32>) -> Placement {
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
            inner_exits: 0,
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
/// position, so several edges of one source are next to each other.
fn collect_predecessors(placement: &mut Placement, work: &WorkGraph) {
    let mut first = Vec::with_capacity(work.len() + 2);
    first.extend([0, 0]);
    first.extend(placement.spots.iter().map(|spot| spot.indegree));
    accumulate(&mut first);
    let total = first.last().map_or(0, |&total| total as usize);
    let mut predecessors = vec![NONE; total];
    // Nothing is counted for the flat form of a whole function, which needs no predecessors.
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
