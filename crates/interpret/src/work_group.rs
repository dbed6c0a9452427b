//! A work-group: its lanes, and how far each of them is.

use crate::frame::{Lane, Limits};
use crate::kernel::Kernel;
use crate::outcome::Fault;
use crate::run::Machine;
use crate::{KernelFailure, KernelLaunch, LaneId, LaunchError, OtherLane, Trace, UndefinedBehaviour};

/// How many calls may be open at once in a lane.
const DEPTH: usize = 10_000;

/// A work-group.
pub(crate) struct WorkGroup<'a> {
    pub(crate) launch: &'a KernelLaunch,
    position: [u32; 3],
    /// By their linear number.
    pub(crate) lanes: Vec<Lane<'a>>,
    pub(crate) states: Vec<State>,
}

/// How far a lane is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// It can go on.
    Ready,
    /// It waits at an instruction that it executes with others.
    Waiting(Meeting),
    /// It has returned.
    Returned,
}

/// Whom a lane waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// All lanes of the work-group.
    Group,
    /// All lanes of the subgroup.
    Subgroup,
    /// Those lanes of the subgroup that come to the same place.
    Some,
}

impl<'a> WorkGroup<'a> {
    /// A work-group whose lanes are about to begin.
    pub(crate) fn new(
        machine: &mut Machine<'a>,
        kernel: &Kernel<'a>,
        position: [u32; 3],
    ) -> Result<WorkGroup<'a>, LaunchError> {
        let program = machine.program;
        machine.begin_group()?;
        let arguments = machine.group_arguments(&kernel.arguments)?;
        let limits = Limits { fuel: kernel.launch.fuel, depth: DEPTH, trace: Trace::Off };
        let mut lanes = Vec::with_capacity(machine.lanes);
        for index in 0..machine.lanes {
            machine.fill_built_ins(&kernel.inputs, kernel.launch, (kernel.launch.lane(position, index), index as u32));
            let values = machine.lane_arguments(&arguments, index)?;
            let mut lane = Lane::new(program, index, program.code(kernel.number), limits);
            lane.start(values.into_iter(), &machine.memory);
            lanes.push(lane);
        }
        let states = vec![State::Ready; lanes.len()];
        Ok(WorkGroup { launch: kernel.launch, position, lanes, states })
    }

    /// The lanes of the subgroup of that number.
    pub(crate) fn subgroup(&self, number: usize) -> std::ops::Range<usize> {
        let size = self.launch.subgroup_size as usize;
        number * size..((number + 1) * size).min(self.lanes.len())
    }

    pub(crate) fn subgroups(&self) -> usize {
        self.lanes.len().div_ceil(self.launch.subgroup_size as usize)
    }

    /// How many instructions the lanes have executed.
    pub(crate) fn executed(&self) -> u64 {
        self.lanes.iter().map(|lane| self.launch.fuel - lane.fuel).sum()
    }

    /// The most jumps back that one of the lanes took.
    pub(crate) fn loop_iterations(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.backward_jumps).max().unwrap_or(0)
    }

    pub(crate) fn id(&self, lane: usize) -> LaneId {
        self.launch.lane(self.position, lane)
    }

    /// The failure of a lane at the instruction that it stands at.
    #[cold]
    pub(crate) fn failure(&self, machine: &Machine<'_>, lane: usize, fault: Fault) -> Box<KernelFailure> {
        let end = fault.at(machine.place(&self.lanes[lane]));
        Box::new(KernelFailure { end, lane: self.id(lane), other: None })
    }

    /// The failure of a lane that waits for another in vain.
    #[cold]
    pub(crate) fn divergence(&self, machine: &Machine<'_>, lane: usize, other: usize) -> Box<KernelFailure> {
        let place = (self.states[other] != State::Returned).then(|| machine.place(&self.lanes[other]));
        let other = Some(OtherLane { lane: self.id(other), place });
        let failure = self.failure(machine, lane, UndefinedBehaviour::BarrierDivergence.into());
        Box::new(KernelFailure { other, ..*failure })
    }
}
