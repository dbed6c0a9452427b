//! Reconvergence points at which not all lanes have arrived yet.
//!
//! A *rejoin* is opened when a tangle enters a construct or a call: it stores the position after it, the number of lanes that may still
//! arrive, and the lanes that have arrived. The open rejoins of a tangle form a stack; tangles that were one share its lower part, so the
//! stacks form a tree, which is stored in one array. A rejoin is freed when all its lanes have arrived or left.
//!
//! ```text
//! loop merge (missing 4) ◀── continue (missing 3) ◀── selection (missing 1; arrived 5) ◀── tangle {2}
//!                                      ▲
//!                                      └── tangle {0, 3}                                            lane 1 has left the loop
//! ```
//!
//! A lane that jumps past a rejoin, returns past it or ends *leaves* it: the number of expected lanes decreases by one. When it is zero,
//! the lanes that arrived form one tangle. A lane that is expected at an inner rejoin is also expected at all outer ones, so no rejoin is
//! freed before the inner ones.
//!
//! Linear in the number of rejoins that are left, which is bounded by the nesting depth.

use crate::scheduling::tangle::Tangle;

/// A rejoin, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RejoinId(u32);

impl RejoinId {
    /// No rejoin.
    pub(super) const NONE: RejoinId = RejoinId(u32::MAX);
}

/// The construct of a rejoin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RejoinKind {
    /// A selection or switch.
    Selection,
    /// A loop: its header and its continue block, by their first instructions.
    Loop { header: u32, next: u32 },
    /// The part of an iteration before the continue block.
    Iteration,
    /// A call.
    Call,
}

/// A rejoin.
#[derive(Debug)]
pub(super) struct Rejoin {
    pub(crate) kind: RejoinKind,
    /// The instruction after the construct.
    pub(crate) target: u32,
    /// The number of open calls inside.
    pub(crate) depth: u32,
    /// The next outer rejoin.
    pub(super) outer: RejoinId,
    /// The number of lanes that may still arrive.
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
    /// The rejoin with a number.
    pub(crate) fn at(&self, id: RejoinId) -> Option<&Rejoin> {
        self.all.get(id.0 as usize)
    }

    /// Opens a rejoin inside those of a tangle, and makes it the innermost rejoin of the tangle.
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

    /// This number of lanes leaves all rejoins from `inner` outwards to `until`, which is excluded. Tangles that need not wait any longer
    /// are added to the list, the innermost first.
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

    /// Lanes arrive at a rejoin. Returns the tangle that continues after it, if no lane is missing.
    pub(super) fn arrive(&mut self, id: RejoinId, lanes: Vec<usize>) -> Option<Freed> {
        let rejoin = &mut self.all[id.0 as usize];
        rejoin.missing -= lanes.len();
        match rejoin.arrived.is_empty() {
            true => rejoin.arrived = lanes,
            false => rejoin.arrived.extend_from_slice(&lanes),
        }
        if rejoin.missing == 0 { self.close(id) } else { None }
    }

    /// This number of lanes arrives at a rejoin. If no other lane was expected, they do not wait: returns the next outer rejoin.
    pub(crate) fn pass(&mut self, id: RejoinId, count: usize) -> Option<RejoinId> {
        let rejoin = &self.all[id.0 as usize];
        let is_alone = rejoin.missing == count && rejoin.arrived.is_empty();
        is_alone.then(|| {
            self.free.push(id);
            rejoin.outer
        })
    }

    /// Frees a rejoin at which no lane is missing. Returns the lanes that arrived, if any.
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

/// A tangle that does not wait any longer, or has just reached its position.
#[derive(Debug)]
pub(super) struct Freed {
    pub(crate) tangle: Tangle,
    pub(crate) stands: Stands,
}

/// The position of a tangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// At the start of a block.
    AtBlock,
    /// After a call.
    BehindCall,
}
