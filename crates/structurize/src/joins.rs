//! Joins that are not placed yet, level by level: the list *K* of every region.
//!
//! A list is in topological order, which is the order of positions. It has two special operations: any member may be removed when all edges
//! into it have been emitted, and the region needs the first member that an edge reaches *past* the member before it (a scope must end
//! there). Both are amortized O(1): the lists are linked, and each keeps a stack of members that were reached past their predecessor when
//! the predecessor was inserted. Such a member can only lose this property, until it is first again, so stale entries are dropped when they
//! reach the top.

use crate::placement::Placement;
use crate::work::{NONE, Node};

/// The links of all lists, by node.
#[derive(Debug)]
pub(crate) struct Joins {
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: Node,
    previous: Node,
    /// The region (its index on the stack of frames) whose list contains the node.
    owner: u32,
}

/// One list.
#[derive(Debug)]
pub(crate) struct JoinList {
    first: Node,
    skipped_to: Vec<Node>,
}

impl JoinList {
    pub(crate) fn new() -> Self {
        Self { first: NONE, skipped_to: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first == NONE
    }

    pub(crate) fn first(&self) -> Option<Node> {
        (self.first != NONE).then_some(self.first)
    }
}

impl Joins {
    pub(crate) fn new(count: usize) -> Self {
        Self { links: vec![Link { next: NONE, previous: NONE, owner: NONE }; count] }
    }

    /// The region whose list contains `node`, or [`NONE`].
    pub(crate) fn owner(&self, node: Node) -> u32 {
        self.links[node as usize].owner
    }

    /// Returns whether `node` is the last of its list.
    pub(crate) fn is_last(&self, node: Node) -> bool {
        self.links[node as usize].next == NONE
    }

    /// The member before `node` in its list.
    pub(crate) fn previous(&self, node: Node) -> Option<Node> {
        let previous = self.links[node as usize].previous;
        (previous != NONE).then_some(previous)
    }

    /// Inserts `nodes`, which are in order, at the front of the list of region `owner`.
    pub(crate) fn prepend(&mut self, list: &mut JoinList, nodes: &[Node], owner: u32, placement: &Placement) {
        for &node in nodes.iter().rev() {
            let old = list.first;
            self.links[node as usize] = Link { next: old, previous: NONE, owner };
            list.first = node;
            if old != NONE {
                self.links[old as usize].previous = node;
                if Self::is_reached_past(old, node, placement) {
                    list.skipped_to.push(old);
                }
            }
        }
    }

    /// Removes `node` from its list.
    pub(crate) fn remove(&mut self, list: &mut JoinList, node: Node) {
        let Link { previous, next, .. } = self.links[node as usize];
        if previous == NONE {
            list.first = next;
        } else {
            self.links[previous as usize].next = next;
        }
        if next != NONE {
            self.links[next as usize].previous = previous;
        }
        self.links[node as usize].owner = NONE;
    }

    /// The first member after the first that some edge reaches past the member before it.
    pub(crate) fn first_skipped_to(&self, list: &mut JoinList, owner: u32, placement: &Placement) -> Option<Node> {
        while let Some(&node) = list.skipped_to.last() {
            let previous = self.links[node as usize].previous;
            let waits = self.links[node as usize].owner == owner && previous != NONE;
            if waits && Self::is_reached_past(node, previous, placement) {
                return Some(node);
            }
            list.skipped_to.pop();
        }
        None
    }

    /// Removes everything before `end` (everything if `None`) and gives it to region `owner`. Returns the members too.
    pub(crate) fn split_before(&mut self, list: &mut JoinList, end: Option<Node>, owner: u32) -> (JoinList, Vec<Node>) {
        let mut members = Vec::new();
        let mut at = list.first;
        while at != NONE && Some(at) != end {
            self.links[at as usize].owner = owner;
            members.push(at);
            at = self.links[at as usize].next;
        }
        let Some(&last) = members.last() else { return (JoinList::new(), members) };
        self.links[last as usize].next = NONE;
        if at != NONE {
            self.links[at as usize].previous = NONE;
        }
        let first = std::mem::replace(&mut list.first, at);
        (JoinList { first, skipped_to: Vec::new() }, members)
    }

    fn is_reached_past(node: Node, previous: Node, placement: &Placement) -> bool {
        let first = placement.predecessor_pos(node).first();
        first.is_some_and(|&first| first < placement[previous].pos)
    }
}
