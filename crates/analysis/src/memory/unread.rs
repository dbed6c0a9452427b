//! Writes that are never read: on every path their memory is overwritten before it is read, or never read again.
//!
//! ```text
//! ^a: store %v, %x           unread: both paths overwrite it
//!     branch_if %c ^b ^c
//! ^b: store %v, %y           read in ^d
//! ^c: store %v, %z           unread by ^c's own end, and overwritten in ^d
//!     store %v, %w           read in ^d
//! ^d: %r = load %v
//! ```
//!
//! All writes to one place are processed together. A forward traversal finds the blocks that they reach without being overwritten, and
//! their reads, and whether they outlive the function; a backward traversal over the same blocks finds the writes that are read (liveness
//! of memory, restricted to the relevant part). Memory states would not suffice: they distinguish what readers of one place see, and this
//! analysis concerns writes, mostly those without any reader. Bit sets by block would not suffice either, as they take blocks times places.
//!
//! A place is overwritten by a plain store, a copy or the end of its lifetime at this place or one that contains it; and, for a computed
//! address, through the same pointer, from the definition of the pointer on. It is read by anything that may read in it (`touches.rs`), and
//! memory that lanes share by anything that orders memory.
//!
//! Other readers: variables of the function are deleted when it returns, and private ones when an entry point returns. Later code may read
//! all other memory, and a loop may read shared memory, because it may be infinite: a write that is overwritten only after the start of a
//! cycle is kept.
//!
//! All such writes may be removed at once: a reader sees the last write, and that write is read.
//!
//! Each place costs the blocks that its writes reach. Altogether at most [`EFFORT`] blocks for each instruction are visited; writes to
//! places that come after that count as read.

use reconverge_graph::{CycleForest, DominatorTree, Node};
use reconverge_ir::{Function, Inst, Module, Op};
use smallvec::SmallVec;

use super::groups::Groups;
use super::touches::{Target, Touches};
use crate::FlowGraph;
use crate::effects::is_local_variable;

/// The number of blocks that are visited for each instruction, on average.
const EFFORT: usize = 16;
/// The minimum limit of steps, for small functions.
const LEAST_EFFORT: usize = 4096;

/// The plain stores and copies of a function whose content is never read, in preorder of the dominator tree. Dominators and cycles must be
/// those of the graph. Near-linear.
pub fn compute_unread_writes(
    module: &Module,
    function: Function,
    flow: &FlowGraph,
    dominators: &DominatorTree,
    cycles: &CycleForest,
) -> Vec<Inst> {
    let touches = Touches::compute(module, flow, dominators);
    let mut writes: Vec<(Target, u32)> = touches.writes.iter().map(|&(position, target)| (target, position)).collect();
    writes.sort_unstable();
    let mut search = UnreadSearch {
        flow,
        dominators,
        cycles,
        touches: &touches,
        forgotten: find_forgotten(module, function, &touches),
        visits: vec![Visit::default(); dominators.preorder().len()],
        time: 0,
        steps_left: EFFORT * touches.order.len() + LEAST_EFFORT,
        module,
    };
    let mut unread: Vec<u32> = Vec::new();
    for group in writes.chunk_by(|left, right| left.0 == right.0) {
        search.add_unread(group, &mut unread);
    }
    unread.sort_unstable();
    unread.into_iter().map(|position| touches.order[position as usize]).collect()
}

/// By object, whether it cannot be read after the function has ended.
fn find_forgotten(module: &Module, function: Function, touches: &Touches<'_>) -> Vec<bool> {
    let users = module.uses(function).map(|used| module.op(used.user));
    let is_outermost = users.clone().any(|op| op == Op::EntryPoint)
        && users.clone().all(|op| matches!(op, Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId));
    let mut forgotten = vec![false; touches.locations.objects.len()];
    for (root, object) in touches.locations.roots() {
        let is_private = touches.locations.objects[object as usize].groups == Groups::PRIVATE;
        let is_variable = module.op(root) == Op::Variable;
        forgotten[object as usize] = is_local_variable(module, root) || is_variable && is_private && is_outermost;
    }
    forgotten
}

/// The first event on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    Read,
    Overwritten,
    Neither,
}

/// The results of the walk over a block for a place.
#[derive(Clone, Copy, Default, Debug)]
struct Visit {
    /// The time of the walk, if a path through the block neither reads nor overwrites.
    entered: u32,
    is_clear: bool,
    /// The time at which the content at its start was found to be read.
    read: u32,
    /// The time at which a write was found to reach its end, and the write.
    left: u32,
    writer: u32,
}

struct UnreadSearch<'a> {
    module: &'a Module,
    flow: &'a FlowGraph,
    dominators: &'a DominatorTree,
    cycles: &'a CycleForest,
    touches: &'a Touches<'a>,
    forgotten: Vec<bool>,
    visits: Vec<Visit>,
    /// The number of the current place; no visit has a later one.
    time: u32,
    steps_left: usize,
}

/// The memory that is examined.
struct Subject<'a> {
    reads: SmallVec<[&'a [u32]; 8]>,
    overwrites: SmallVec<[&'a [u32]; 8]>,
    /// The definition of the pointer: before it, the pointer had another value.
    definition: Option<u32>,
    is_forgotten: bool,
    /// True if other lanes may read it while a loop runs.
    is_shared: bool,
}

impl Subject<'_> {
    fn first(&self, from: u32, end: u32) -> First {
        let first = |lists: &[&[u32]]| {
            let of_list = |list: &&[u32]| list.get(list.partition_point(|&position| position < from)).copied();
            lists.iter().filter_map(of_list).min().filter(|&position| position < end).unwrap_or(u32::MAX)
        };
        let definition = self.definition.filter(|&position| (from..end).contains(&position)).unwrap_or(u32::MAX);
        let (read, overwritten) = (first(&self.reads).min(definition), first(&self.overwrites));
        match () {
            () if read == u32::MAX && overwritten == u32::MAX => First::Neither,
            () if read <= overwritten => First::Read,
            () => First::Overwritten,
        }
    }
}

impl<'a> UnreadSearch<'a> {
    /// Adds the positions of the writes to one target that are not read.
    fn add_unread(&mut self, writes: &[(Target, u32)], unread: &mut Vec<u32>) {
        let subject = self.subject(writes[0].0);
        let positions = writes.iter().map(|&(_, position)| position);
        if subject.is_forgotten && subject.reads.iter().all(|list| list.is_empty()) {
            return unread.extend(positions);
        }
        self.time += 1;
        let mut leaving: Vec<u32> = Vec::new();
        for position in positions {
            match subject.first(position + 1, self.touches.starts[self.pre_at(position) + 1]) {
                First::Read => {}
                First::Overwritten => unread.push(position),
                First::Neither => leaving.push(position),
            }
        }
        if let Some(read) = self.find_read(&subject, &leaving) {
            unread.extend(leaving.into_iter().zip(read).filter(|&(_, is_read)| !is_read).map(|(position, _)| position));
        }
    }

    fn subject(&self, target: Target) -> Subject<'a> {
        let touches = self.touches;
        let place = touches.locations.places[target.place() as usize];
        let definition = match target {
            Target::Pointer(_, pointer) => touches.positions.number(pointer),
            Target::Place(_) | Target::Part(_) => None,
        };
        Subject {
            reads: touches.reads_of(target),
            overwrites: touches.overwrites_of(target),
            definition,
            is_forgotten: self.forgotten[place.object as usize],
            is_shared: touches.locations.objects[place.object as usize].groups.meets(Groups::SHARED),
        }
    }

    /// Finds which of some writes are read, whose blocks neither read nor overwrite them later; `None` if that exceeds the step limit.
    fn find_read(&mut self, subject: &Subject<'_>, writes: &[u32]) -> Option<Vec<bool>> {
        let mut is_read = vec![false; writes.len()];
        // Blocks that the written content reaches, and those from whose start it is read.
        let (mut pending, mut reading): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for (number, &position) in (0..).zip(writes) {
            let pre = self.pre_at(position);
            self.visits[pre].left = self.time;
            self.visits[pre].writer = number;
            if self.outlives(subject, pre) {
                is_read[number as usize] = true;
            }
            self.enter_successors(pre, &mut pending)?;
        }
        while let Some(pre) = pending.pop() {
            match self.first_in(subject, pre) {
                First::Overwritten => {}
                First::Read => self.mark(pre, &mut reading),
                First::Neither if self.outlives(subject, pre) => self.mark(pre, &mut reading),
                First::Neither => {
                    self.visits[pre].is_clear = true;
                    self.enter_successors(pre, &mut pending)?;
                }
            }
        }
        while let Some(pre) = reading.pop() {
            let flow = self.flow;
            for &source in flow.graph().predecessors(self.node(pre)) {
                if !self.dominators.is_reachable(source) {
                    continue;
                }
                let source = self.dominators.pre(source);
                let Visit { entered, is_clear, left, writer, .. } = self.visits[source];
                if left == self.time {
                    is_read[writer as usize] = true;
                }
                if entered == self.time && is_clear {
                    self.mark(source, &mut reading);
                }
            }
            self.steps_left = self.steps_left.checked_sub(flow.graph().predecessors(self.node(pre)).len())?;
        }
        Some(is_read)
    }

    /// The first event in a block. Other lanes may read shared memory as soon as a cycle begins, which may never end.
    fn first_in(&self, subject: &Subject<'_>, pre: usize) -> First {
        if subject.is_shared && self.cycles.headed_by(self.node(pre)).is_some() {
            return First::Read;
        }
        subject.first(self.touches.starts[pre] + 1, self.touches.starts[pre + 1])
    }

    /// Returns whether a block ends the function and the content can be read later.
    fn outlives(&self, subject: &Subject<'_>, pre: usize) -> bool {
        let last = self.touches.order[self.touches.starts[pre + 1] as usize - 1];
        let is_end = self.flow.graph().successors(self.node(pre)).is_empty();
        is_end && !subject.is_forgotten && self.module.op(last) != Op::Unreachable
    }

    fn enter_successors(&mut self, pre: usize, pending: &mut Vec<usize>) -> Option<()> {
        let targets = self.flow.graph().successors(self.node(pre));
        self.steps_left = self.steps_left.checked_sub(targets.len() + 1)?;
        for &target in targets {
            let target = self.dominators.pre(target);
            let visit = &mut self.visits[target];
            if visit.entered != self.time {
                visit.entered = self.time;
                visit.is_clear = false;
                pending.push(target);
            }
        }
        Some(())
    }

    fn mark(&mut self, pre: usize, reading: &mut Vec<usize>) {
        if self.visits[pre].read != self.time {
            self.visits[pre].read = self.time;
            reading.push(pre);
        }
    }

    fn node(&self, pre: usize) -> Node {
        self.dominators.preorder()[pre]
    }

    /// The place in preorder of the block that a position is in.
    fn pre_at(&self, position: u32) -> usize {
        self.touches.starts.partition_point(|&start| start <= position) - 1
    }
}
