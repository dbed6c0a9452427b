//! A work-group: its lanes, their states, and their tangles.

use crate::fault::Fault;
use crate::lanes::frame::Lane;
use crate::lanes::machine::{Machine, Mode};
use crate::lanes::trace;
use crate::origins::{FoundAccess, FoundOrigin};
use crate::scheduling::rejoin::{RejoinId, Rejoins};
use crate::scheduling::tangle::Tangle;
use crate::{End, FailedTexel, InstructionPlace, UndefinedBehaviour};

/// The lanes that can wait for each other: those of a work-group, or of a run that is not a kernel launch.
pub(crate) struct WorkGroup<'a> {
    pub(crate) layout: Layout,
    /// By their linear number.
    pub(crate) lanes: Vec<Lane<'a>>,
    pub(crate) states: Vec<LaneState>,
    /// The outcomes of lanes that ended while others continue.
    pub(crate) ends: Vec<Option<Failure>>,
    /// The tangles that have a turn in the next round.
    pub(crate) ready: Vec<Tangle>,
    /// The tangles that continue in the same turn, the next one last.
    pub(crate) next: Vec<Tangle>,
    /// The waiting tangles, by their first lane.
    pub(super) waiting: Vec<Option<Tangle>>,
    /// For each waiting lane, the first one of its tangle.
    pub(super) leaders: Vec<usize>,
    pub(super) rejoins: Rejoins,
}

/// The numbering of lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The size along each axis.
    pub(crate) shape: [u32; 3],
    /// This number of lanes with consecutive numbers forms a subgroup.
    pub(crate) subgroup_size: usize,
    /// This number of lanes with consecutive numbers starts as one tangle.
    pub(crate) tangle_size: usize,
}

/// The state of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaneState {
    /// It can continue.
    Ready,
    /// It waits at an instruction that it executes with others.
    Waiting(Meeting),
    /// It waits at the end of a construct or call for the lanes that entered it with it.
    Arrived,
    /// It has returned, or ended otherwise.
    Ended,
}

/// The lanes that a lane waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// All lanes of the work-group.
    Group,
    /// All lanes of the subgroup.
    Subgroup,
    /// The lanes of the subgroup that reach the same place.
    Some,
}

/// A lane that another waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missed {
    /// The lane.
    pub lane: usize,
    /// Its place; `None` if it has ended.
    pub place: Option<InstructionPlace>,
}

/// The end of a lane.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) lane: usize,
    pub(crate) end: End,
    /// The lane that it waited for without success.
    pub(crate) missed: Option<Missed>,
    /// The origin of the undefined value that made it fail.
    pub(crate) origin: Option<FoundOrigin>,
    /// The memory that it accessed, if the reason is the access.
    pub(crate) access: Option<FoundAccess>,
    /// The texel that it accessed, if that is the reason.
    pub(crate) texel: Option<FailedTexel>,
}

impl Failure {
    /// The end of a lane, whose reason is known from its state alone.
    pub(crate) fn new(lane: usize, end: End) -> Failure {
        Failure { lane, end, missed: None, origin: None, access: None, texel: None }
    }
}

impl<'a> WorkGroup<'a> {
    /// Lanes at their start: one tangle for each `layout.tangle_size` lanes, or one for each lane if the function is not structured.
    pub(crate) fn new(layout: Layout, lanes: Vec<Lane<'a>>) -> WorkGroup<'a> {
        let count = lanes.len();
        let is_structured = lanes.first().is_some_and(|lane| lane.frame.code.structure.is_some());
        let ready = match is_structured {
            true => {
                let firsts = (0..count).step_by(layout.tangle_size);
                let tangle = |first: usize| (first..(first + layout.tangle_size).min(count)).collect();
                firsts.map(|first| Tangle::new(tangle(first), RejoinId::NONE)).collect()
            }
            false => (0..count).map(|lane| Tangle::walker(lane, RejoinId::NONE, 0)).collect(),
        };
        WorkGroup {
            layout,
            lanes,
            states: vec![LaneState::Ready; count],
            ends: (0..count).map(|_| None).collect(),
            ready,
            next: Vec::new(),
            waiting: (0..count).map(|_| None).collect(),
            leaders: vec![0; count],
            rejoins: Rejoins::default(),
        }
    }

    /// The lanes of the subgroup of that number.
    pub(crate) fn subgroup(&self, number: usize) -> std::ops::Range<usize> {
        let size = self.layout.subgroup_size;
        number * size..((number + 1) * size).min(self.lanes.len())
    }

    pub(crate) fn subgroups(&self) -> usize {
        self.lanes.len().div_ceil(self.layout.subgroup_size)
    }

    /// The number of instructions that the lanes have executed, given their fuel.
    pub(crate) fn instructions(&self, fuel: u64) -> u64 {
        self.lanes.iter().map(|lane| fuel - lane.fuel).sum()
    }

    /// The maximal number of back edges that a lane took.
    pub(crate) fn loop_iterations(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.backward_jumps).max().unwrap_or(0)
    }

    /// A lane fails at its current instruction. This ends a kernel launch; in another run the other lanes continue.
    #[cold]
    pub(crate) fn fail(&mut self, machine: &Machine<'_>, lane: usize, fault: Fault) -> Result<(), Box<Failure>> {
        let origin = match fault {
            Fault::Undefined(behaviour) if behaviour.is_of_undefined_value() => {
                trace::of_failure(&machine.memory, &self.lanes[lane])
            }
            _ => None,
        };
        let access = match fault {
            Fault::Undefined(UndefinedBehaviour::OutOfBounds | UndefinedBehaviour::Misaligned) => {
                trace::accessed(&machine.memory, &self.lanes[lane])
            }
            _ => None,
        };
        let texel = match fault {
            Fault::Undefined(UndefinedBehaviour::OutOfBounds) => machine.missed_texel(&self.lanes[lane]),
            _ => None,
        };
        let end = fault.at(machine.place(&self.lanes[lane]));
        self.end(machine, Failure { origin, access, texel, ..Failure::new(lane, end) })
    }

    /// A lane ends. A kernel may only return.
    pub(crate) fn end(&mut self, machine: &Machine<'_>, failure: Failure) -> Result<(), Box<Failure>> {
        if machine.mode == Mode::Kernel && failure.end != End::Returned(None) {
            return Err(Box::new(failure));
        }
        let lane = failure.lane;
        self.states[lane] = LaneState::Ended;
        self.ends[lane] = Some(failure);
        Ok(())
    }

    /// The failure of a lane that waits for another without success.
    #[cold]
    pub(super) fn divergence(&self, machine: &Machine<'_>, lane: usize, other: usize) -> Failure {
        let place = (self.states[other] != LaneState::Ended).then(|| machine.place(&self.lanes[other]));
        let end = Fault::from(UndefinedBehaviour::BarrierDivergence).at(machine.place(&self.lanes[lane]));
        Failure { missed: Some(Missed { lane: other, place }), ..Failure::new(lane, end) }
    }
}
