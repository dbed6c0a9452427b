//! Places where lanes reconverge, while some of them have not arrived yet.
//!
//! A *rejoin* is opened where a tangle enters a construct or a call: it knows the place behind it, how many lanes may still come, and
//! who has come already. Those that are open around a tangle form a stack; tangles that were one share its lower part, so the stacks
//! are a tree, kept in one array and freed when no lane is missing any more.
//!
//! ```text
//! loop merge (missing 4) ◀── continue (missing 3) ◀── selection (missing 1; arrived 5) ◀── tangle {2}
//!                                      ▲
//!                                      └── tangle {0, 3}                                            lane 1 has left the loop
//! ```
//!
//! A lane that jumps past a rejoin, returns past it or ends *leaves* it: one lane less is missing. When none is, those who arrived form
//! one tangle. Lanes in a rejoin further in are missing in all further out: so no rejoin is freed before those in it are.
//!
//! Linear in the number of rejoins that are left, which is bounded by the depth of nesting.

use crate::scheduling::tangle::Tangle;

/// A rejoin, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RejoinId(u32);

impl RejoinId {
    /// Around everything: no rejoin.
    pub(super) const NONE: RejoinId = RejoinId(u32::MAX);
}

/// What a rejoin is at the end of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RejoinKind {
    /// A selection or switch.
    Selection,
    /// A loop: its header and its continue block, by their first instructions.
    Loop { header: u32, next: u32 },
    /// The part of an iteration that is before the continue block.
    Iteration,
    /// A call.
    Call,
}

/// A rejoin.
#[derive(Debug)]
pub(super) struct Rejoin {
    pub(crate) kind: RejoinKind,
    /// The instruction that follows.
    pub(crate) target: u32,
    /// How many calls are open inside.
    pub(crate) depth: u32,
    /// The next one further out.
    pub(super) outer: RejoinId,
    /// How many lanes may still come.
    missing: usize,
    arrived: Vec<usize>,
}

/// All rejoins of a run.
#[derive(Debug, Default)]
pub(super) struct Rejoins {
    all: Vec<Rejoin>,
    free: Vec<RejoinId>,
}

impl Rejoins {
    /// The rejoin of a number.
    pub(crate) fn at(&self, id: RejoinId) -> Option<&Rejoin> {
        self.all.get(id.0 as usize)
    }

    /// Opens a rejoin inside those of a tangle, and puts the tangle into it.
    pub(crate) fn open(&mut self, tangle: &mut Tangle, kind: RejoinKind, target: u32, depth: u32) {
        let (outer, missing) = (tangle.rejoin, tangle.lanes.len());
        let rejoin = Rejoin { kind, target, depth, outer, missing, arrived: Vec::new() };
        tangle.rejoin = match self.free.pop() {
            Some(id) => {
                self.all[id.0 as usize] = rejoin;
                id
            }
            None => {
                self.all.push(rejoin);
                RejoinId(self.all.len() as u32 - 1)
            }
        };
    }

    /// That many lanes leave all rejoins from `inner` on up to `until`, which they stay in. The tangles that need to wait no longer are
    /// put on the list, the innermost first.
    pub(crate) fn leave(&mut self, inner: RejoinId, until: RejoinId, count: usize, freed: &mut Vec<Freed>) {
        let mut id = inner;
        while id != until {
            let rejoin = &mut self.all[id.0 as usize];
            let outer = rejoin.outer;
            rejoin.missing -= count;
            if rejoin.missing == 0 {
                freed.extend(self.close(id));
            }
            id = outer;
        }
    }

    /// Lanes arrive at a rejoin; the tangle that goes on behind it, if nothing is missing any more.
    pub(super) fn arrive(&mut self, id: RejoinId, lanes: Vec<usize>) -> Option<Freed> {
        let rejoin = &mut self.all[id.0 as usize];
        rejoin.missing -= lanes.len();
        match rejoin.arrived.is_empty() {
            true => rejoin.arrived = lanes,
            false => rejoin.arrived.extend_from_slice(&lanes),
        }
        if rejoin.missing == 0 { self.close(id) } else { None }
    }

    /// So many lanes arrive at a rejoin. If no other lane was expected, they need not wait: the next rejoin further out.
    pub(crate) fn pass(&mut self, id: RejoinId, count: usize) -> Option<RejoinId> {
        let rejoin = &self.all[id.0 as usize];
        let is_alone = rejoin.missing == count && rejoin.arrived.is_empty();
        is_alone.then(|| {
            self.free.push(id);
            rejoin.outer
        })
    }

    /// Frees a rejoin at which no lane is missing; returns the lanes that arrived, if any.
    fn close(&mut self, id: RejoinId) -> Option<Freed> {
        self.free.push(id);
        let rejoin = &mut self.all[id.0 as usize];
        if rejoin.arrived.is_empty() {
            return None;
        }
        let mut lanes = std::mem::take(&mut rejoin.arrived);
        lanes.sort_unstable();
        let stands = if rejoin.kind == RejoinKind::Call { Stands::BehindCall } else { Stands::AtBlock };
        Some(Freed { tangle: Tangle::new(lanes, rejoin.outer), stands })
    }
}

/// A tangle that waits no longer, or has just come to where it stands.
#[derive(Debug)]
pub(super) struct Freed {
    pub(crate) tangle: Tangle,
    pub(crate) stands: Stands,
}

/// Where a tangle stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// At the start of a block.
    AtBlock,
    /// Behind a call.
    BehindCall,
}
