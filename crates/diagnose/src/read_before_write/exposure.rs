//! Reads that may have no write before them, according to the graph.
//!
//! A read is safe if a write precedes it in its block or in a block that dominates it: one sweep over the dominator tree finds nearly all.
//! From the other reads a backward search goes through blocks without a write; if it reaches the entry, there is a path without a write,
//! and the visited blocks are on such paths.
//!
//! ```text
//!        ^entry                  the sweep cannot tell that the read is safe;
//!        ╱     ╲                 the search from ^use stops at both writes:
//!   ^a: write  ^b: write         the region is {^use}, without the entry
//!        ╲     ╱
//!       ^use: read
//! ```
//!
//! Elements of an array that are selected at run time are mostly written in loops that cannot be followed: a read after such a write is
//! treated as safe.
//!
//! O(accesses · log accesses + region), and the graph if elements are selected at run time.

use reconverge_graph::Node;
use reconverge_ir::Inst;
use rustc_hash::FxHashSet;

use super::accesses::AccessKind;
use crate::flow::Flow;
use crate::program::Program;

/// An access in a block that control reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// The block.
    pub(super) node: Node,
    /// The position of the instruction in the function.
    pub(super) position: u32,
    /// The kind of the access. A read comes before a write of the same instruction.
    pub(super) kind: AccessKind,
    /// The instruction.
    pub(super) inst: Inst,
    /// True if it is a write of an element that is selected at run time.
    pub(super) is_indexed: bool,
}

impl Event {
    /// The event of an instruction; `None` where control does not come.
    pub(super) fn new(program: &Program<'_>, flow: &Flow, inst: Inst, kind: AccessKind) -> Option<Event> {
        let node = program.module.block_of(inst).and_then(|block| flow.whole.find(block))?;
        let position = program.position(inst);
        flow.is_reachable(node).then_some(Event { node, position, kind, inst, is_indexed: false })
    }
}

/// Reads with a path from the entry without a write.
#[derive(Debug)]
pub(super) struct Exposure {
    /// The blocks on such paths, those with the reads among them.
    pub(super) region: FxHashSet<Node>,
}

impl Exposure {
    /// Returns whether a write precedes each read, so that there are no such reads. Near-linear in the accesses, however large the graph
    /// is.
    pub(super) fn is_excluded(flow: &Flow, events: &mut [Event]) -> bool {
        undominated(flow, events).is_empty()
    }

    /// Searches for them. `None` if there are none.
    pub(super) fn compute(flow: &Flow, events: &mut [Event]) -> Option<Exposure> {
        let mut reads = undominated(flow, events);
        if !reads.is_empty() && events.iter().any(|event| event.is_indexed) {
            let reached = reached_by_indexed(flow, events);
            reads.retain(|node| !reached.contains(node));
        }
        if reads.is_empty() {
            return None;
        }
        let writes: FxHashSet<Node> =
            events.iter().filter(|event| event.kind == AccessKind::Write).map(|event| event.node).collect();
        let mut pending: Vec<Node> = reads.iter().copied().collect();
        let mut region: FxHashSet<Node> = pending.iter().copied().collect();
        while let Some(node) = pending.pop() {
            for &source in flow.feasible.predecessors(node) {
                if flow.is_reachable(source) && !writes.contains(&source) && region.insert(source) {
                    pending.push(source);
                }
            }
        }
        region.contains(&flow.feasible.entry()).then_some(Exposure { region })
    }
}

/// The blocks that control can reach after a write of an element selected at run time.
fn reached_by_indexed(flow: &Flow, events: &[Event]) -> FxHashSet<Node> {
    let mut reached: FxHashSet<Node> = FxHashSet::default();
    let mut pending: Vec<Node> = events.iter().filter(|event| event.is_indexed).map(|event| event.node).collect();
    while let Some(node) = pending.pop() {
        let successors = flow.feasible.successors(node).iter().copied();
        pending.extend(successors.filter(|&target| reached.insert(target)));
    }
    reached
}

/// The blocks with reads that have no write before them in the block or in a dominator.
fn undominated(flow: &Flow, events: &mut [Event]) -> FxHashSet<Node> {
    events.sort_by_key(|event| (flow.dominators.pre(event.node), event.position, event.kind));
    let mut reads: FxHashSet<Node> = FxHashSet::default();
    let mut writes: Vec<Node> = Vec::new();
    for event in events.iter() {
        while writes.last().is_some_and(|&write| !flow.dominators.dominates(write, event.node)) {
            writes.pop();
        }
        match event.kind {
            AccessKind::Write => writes.push(event.node),
            AccessKind::Read if writes.is_empty() => {
                reads.insert(event.node);
            }
            AccessKind::Read => {}
        }
    }
    reads
}
