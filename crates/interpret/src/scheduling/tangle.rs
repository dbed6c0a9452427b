//! Tangles: lanes that execute the same instructions together, and where they split and reconverge.
//!
//! The rules are those of `SPV_KHR_maximal_reconvergence`; `docs/interpreter.md` lists them one by one. In short: lanes diverge only where
//! a branch or switch sends them to different blocks; they reconverge only at merge blocks, at continue blocks in every iteration, and
//! after calls. No lane waits for one that has passed such a point without arriving at it.
//!
//! ```text
//! {0 1 2 3}  if %c ^a ^b merge ^m            opens a rejoin at ^m for four lanes
//!   {0 2}    ^a: … branch ^m                 two arrive and wait
//!   {1 3}    ^b: branch_if %d ^out ^e        lane 1 jumps to the break block of a loop around: it leaves the rejoin
//!     {3}    edge ^e: branch ^m              the last one comes
//! {0 2 3}    ^m: …
//! ```
//!
//! Only the target of a jump matters: if it is the target of an open rejoin of the same call, the lanes arrive there and leave all inner
//! rejoins. A function at stage Graph has no reconvergence points: each lane executes alone.

use std::cmp::Reverse;

use crate::code::structure::LoopPlaces;
use crate::scheduling::observer::Outside;
use crate::scheduling::rejoin::{Freed, RejoinId, RejoinKind, Stands};
use crate::scheduling::work_group::{LaneState, WorkGroup};

/// Lanes that execute the same instructions together. All are at the same place.
#[derive(Debug)]
pub(crate) struct Tangle {
    /// Ascending; at least one.
    pub(crate) lanes: Vec<usize>,
    /// The innermost point where it reconverges with other lanes.
    pub(crate) rejoin: RejoinId,
    /// The number of open calls when its only lane began to execute alone.
    walks_from: u32,
}

const WALKS_NOT: u32 = u32::MAX;

impl Tangle {
    /// Converged lanes.
    pub(crate) fn new(lanes: Vec<usize>, rejoin: RejoinId) -> Tangle {
        Tangle { lanes, rejoin, walks_from: WALKS_NOT }
    }

    /// A lane that executes alone from a call on that has this number of calls around it.
    pub(super) fn walker(lane: usize, rejoin: RejoinId, depth: usize) -> Tangle {
        Tangle { lanes: vec![lane], rejoin, walks_from: depth as u32 }
    }

    /// Returns whether its lane executes alone: it is in a function at stage Graph, or in a callee of one.
    pub(super) fn is_walking(&self) -> bool {
        self.walks_from != WALKS_NOT
    }

    /// Returns whether a lane that returns to a call with this number of calls around it still executes alone.
    pub(super) fn walks_at(&self, depth: usize) -> bool {
        self.is_walking() && depth >= self.walks_from as usize
    }

    /// Returns whether its jumps may lead to a point where lanes wait for others.
    pub(super) fn may_land(&self) -> bool {
        !self.is_walking() && self.rejoin != RejoinId::NONE
    }
}

/// The next state of a tangle at the start of a block.
enum Landing {
    /// It continues.
    Goes,
    /// It has arrived at a rejoin.
    Arrives(RejoinId),
    /// It enters a loop.
    Enters(LoopPlaces),
    /// It begins an iteration of the loop of that rejoin, with that continue block.
    Iterates(RejoinId, u32),
}

impl WorkGroup<'_> {
    /// A tangle has executed the terminator at `from`, and each lane is at the start of a block. Returns the tangle if it continues.
    pub(super) fn jumped(&mut self, outside: &mut Outside<'_>, mut tangle: Tangle, from: usize) -> Option<Tangle> {
        self.open_selection(&mut tangle, from);
        let mut parts = self.split(&mut tangle);
        if parts.is_empty() && self.goes_through(&mut tangle) {
            self.entered(outside, &tangle);
            return Some(tangle);
        }
        parts.push(Freed { tangle, stands: Stands::AtBlock });
        self.bundle(&mut parts, from);
        self.go_on(outside, parts);
        None
    }

    /// Opens a rejoin for the parts of a tangle that a switch sends along edges that are one in SPIR-V.
    fn bundle(&mut self, parts: &mut [Freed], switch: usize) {
        let lane = &self.lanes[parts[0].tangle.lanes[0]];
        let Some(structure) = lane.frame.code.structure.as_ref().filter(|_| parts.len() > 1) else { return };
        let depth = lane.depth() as u32;
        for bundle in structure.bundles(switch) {
            let is_in = |part: &&mut Freed| {
                let place = self.lanes[part.tangle.lanes[0]].frame.current as u32;
                bundle.edges.contains(&place)
            };
            let mut inside: Vec<&mut Freed> = parts.iter_mut().filter(is_in).collect();
            if inside.len() > 1 {
                let lanes = inside.iter().flat_map(|part| part.tangle.lanes.iter().copied()).collect();
                let mut all = Tangle::new(lanes, inside[0].tangle.rejoin);
                self.rejoins.open(&mut all, RejoinKind::Selection, bundle.target, depth);
                inside.iter_mut().for_each(|part| part.tangle.rejoin = all.rejoin);
            }
        }
    }

    /// Returns whether a tangle at the start of a block continues unchanged: a fast path of [`WorkGroup::go_on`] for the many cases without
    /// waiting.
    fn goes_through(&mut self, tangle: &mut Tangle) -> bool {
        let count = tangle.lanes.len();
        loop {
            match self.landing(tangle) {
                Landing::Goes => return true,
                Landing::Enters(places) => {
                    self.enter_loop(tangle, places);
                    return true;
                }
                Landing::Arrives(id) if tangle.rejoin == id => match self.rejoins.pass(id, count) {
                    Some(outer) => tangle.rejoin = outer,
                    None => return false,
                },
                Landing::Iterates(id, next) if tangle.rejoin == id => {
                    self.iterate(tangle, next);
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// A tangle begins an iteration of its loop. A single lane does not wait.
    fn iterate(&mut self, tangle: &mut Tangle, next: u32) {
        if tangle.lanes.len() > 1 {
            let depth = self.lanes[tangle.lanes[0]].depth() as u32;
            self.rejoins.open(tangle, RejoinKind::Iteration, next, depth);
        }
    }

    /// A tangle enters a loop, and begins its first iteration.
    fn enter_loop(&mut self, tangle: &mut Tangle, LoopPlaces { merge, header, next }: LoopPlaces) {
        let depth = self.lanes[tangle.lanes[0]].depth() as u32;
        self.rejoins.open(tangle, RejoinKind::Loop { header, next }, merge, depth);
        self.rejoins.open(tangle, RejoinKind::Iteration, next, depth);
    }

    /// Opens the selection or switch of a terminator. A single lane does not wait.
    fn open_selection(&mut self, tangle: &mut Tangle, terminator: usize) {
        let lane = &self.lanes[tangle.lanes[0]];
        let structure = lane.frame.code.structure.as_ref().filter(|_| tangle.lanes.len() > 1);
        if let Some(merge) = structure.and_then(|structure| structure.selection_at(terminator)) {
            let depth = lane.depth() as u32;
            self.rejoins.open(tangle, RejoinKind::Selection, merge, depth);
        }
    }

    /// Keeps the lanes in the tangle that are at the position of the first one; returns the others, by position.
    fn split(&self, tangle: &mut Tangle) -> Vec<Freed> {
        let place = |lane: usize| self.lanes[lane].frame.current;
        let first = place(tangle.lanes[0]);
        if tangle.lanes.iter().all(|&lane| place(lane) == first) {
            return Vec::new();
        }
        let mut others: Vec<usize> = tangle.lanes.extract_if(.., |lane| place(*lane) != first).collect();
        others.sort_by_key(|&lane| place(lane));
        let part =
            |lanes: &[usize]| Freed { tangle: Tangle::new(lanes.to_vec(), tangle.rejoin), stands: Stands::AtBlock };
        others.chunk_by(|&a, &b| place(a) == place(b)).map(part).collect()
    }

    /// The next state of a tangle that has just reached the start of a block.
    fn landing(&self, tangle: &Tangle) -> Landing {
        let lane = &self.lanes[tangle.lanes[0]];
        if tangle.is_walking() || !lane.frame.lands() {
            return Landing::Goes;
        }
        let (depth, here) = (lane.depth() as u32, lane.frame.current as u32);
        let mut id = tangle.rejoin;
        while let Some(rejoin) = self.rejoins.at(id)
            && rejoin.depth == depth
            && rejoin.kind != RejoinKind::Call
        {
            match rejoin.kind {
                _ if rejoin.target == here => return Landing::Arrives(id),
                RejoinKind::Loop { header, next } if header == here => return Landing::Iterates(id, next),
                _ => id = rejoin.outer,
            }
        }
        let structure = lane.frame.code.structure.as_ref().filter(|_| tangle.lanes.len() > 1);
        let entered = structure.and_then(|structure| structure.loop_at(lane.frame.current));
        entered.map_or(Landing::Goes, Landing::Enters)
    }

    /// Determines the next states of tangles that have just reached their positions; those that continue are next, the lowest lane first.
    fn go_on(&mut self, outside: &mut Outside<'_>, mut work: Vec<Freed>) {
        let first = self.next.len();
        while let Some(Freed { mut tangle, stands }) = work.pop() {
            let landing = match stands {
                Stands::AtBlock => self.landing(&tangle),
                Stands::BehindCall => Landing::Goes,
            };
            match landing {
                Landing::Arrives(id) => {
                    self.arrive_at(tangle, id, &mut work);
                    continue;
                }
                Landing::Iterates(id, next) => {
                    self.rejoins.leave(tangle.rejoin, id, tangle.lanes.len(), &mut work);
                    tangle.rejoin = id;
                    self.iterate(&mut tangle, next);
                }
                Landing::Enters(places) => self.enter_loop(&mut tangle, places),
                Landing::Goes => {}
            }
            tangle.lanes.iter().for_each(|&lane| self.states[lane] = LaneState::Ready);
            match stands {
                Stands::AtBlock => self.entered(outside, &tangle),
                Stands::BehindCall => self.called_back(outside, &tangle),
            }
            self.next.push(tangle);
        }
        self.next[first..].sort_unstable_by_key(|tangle| Reverse(tangle.lanes[0]));
    }

    /// The lanes of a tangle wait at a rejoin for missing lanes, and leave the inner rejoins.
    fn arrive_at(&mut self, tangle: Tangle, id: RejoinId, work: &mut Vec<Freed>) {
        self.rejoins.leave(tangle.rejoin, id, tangle.lanes.len(), work);
        tangle.lanes.iter().for_each(|&lane| self.states[lane] = LaneState::Arrived);
        work.extend(self.rejoins.arrive(id, tangle.lanes));
    }

    /// The lanes of a tangle have begun a call. Returns the tangle if it continues.
    pub(crate) fn called(&mut self, outside: &mut Outside<'_>, mut tangle: Tangle) -> Option<Tangle> {
        let lane = &self.lanes[tangle.lanes[0]];
        let (depth, is_structured) = (lane.depth(), lane.frame.code.structure.is_some());
        if tangle.lanes.len() > 1 {
            let behind = lane.frames().nth(depth - 1).map_or(0, |caller| caller.current as u32);
            self.rejoins.open(&mut tangle, RejoinKind::Call, behind, depth as u32);
        }
        if is_structured || tangle.is_walking() {
            self.entered(outside, &tangle);
            return Some(tangle);
        }
        for &lane in tangle.lanes.iter().rev() {
            self.next.push(Tangle::walker(lane, tangle.rejoin, depth));
        }
        for lane in tangle.lanes {
            self.entered(outside, &Tangle::walker(lane, tangle.rejoin, depth));
        }
        None
    }

    /// The lanes of a tangle have returned to their callers. Returns the tangle if it continues.
    pub(crate) fn returned(&mut self, outside: &mut Outside<'_>, mut tangle: Tangle) -> Option<Tangle> {
        let depth = self.lanes[tangle.lanes[0]].depth();
        if tangle.walks_at(depth) {
            self.called_back(outside, &tangle);
            return Some(tangle);
        }
        tangle.walks_from = WALKS_NOT;
        let mut id = tangle.rejoin;
        let mut work = Vec::new();
        while let Some(rejoin) = self.rejoins.at(id)
            && rejoin.depth as usize > depth
        {
            if rejoin.kind == RejoinKind::Call && rejoin.depth as usize == depth + 1 {
                if tangle.rejoin == id
                    && let Some(outer) = self.rejoins.pass(id, tangle.lanes.len())
                {
                    tangle.rejoin = outer;
                    self.called_back(outside, &tangle);
                    return Some(tangle);
                }
                self.arrive_at(tangle, id, &mut work);
                self.go_on(outside, work);
                return None;
            }
            id = rejoin.outer;
        }
        self.rejoins.leave(tangle.rejoin, id, tangle.lanes.len(), &mut work);
        tangle.rejoin = id;
        if work.is_empty() {
            self.called_back(outside, &tangle);
            return Some(tangle);
        }
        work.push(Freed { tangle, stands: Stands::BehindCall });
        self.go_on(outside, work);
        None
    }

    /// This number of lanes of a tangle has ended, and no lane waits for them.
    pub(crate) fn gone(&mut self, outside: &mut Outside<'_>, rejoin: RejoinId, count: usize) {
        let mut work = Vec::new();
        self.rejoins.leave(rejoin, RejoinId::NONE, count, &mut work);
        if !work.is_empty() {
            self.go_on(outside, work);
        }
    }
}
