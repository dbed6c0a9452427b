//! Execution of a kernel launch: one work-group after another.

mod images;
pub(crate) mod outcome;
pub(crate) mod setup;
pub(crate) mod start;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Function;

use crate::fault::Fault;
use crate::lanes::frame::{Lane, Limits};
use crate::lanes::machine::Machine;
use crate::launch::error::{misfit, no_body};
use crate::launch::kernel::setup::{Input, Prepared, inputs};
use crate::launch::names::Names;
use crate::memory::printed::PrintedText;
use crate::origins::FoundWrite;
use crate::races::Watch;
use crate::races::shadow::Past;
use crate::scheduling::observer::Outside;
use crate::scheduling::work_group::{Failure, Layout, WorkGroup};
use crate::value::Owner;
use crate::{
    Interpreter, KernelArgument, KernelFailure, KernelLaunch, KernelOutcome, LaneId, MemoryObject, Observer, OtherLane,
    Printed, Race, Races, Trace, UndefinedBehaviour, UndefinedValues, UndefinedWrite, code::specialization,
    no_externals,
};

/// The maximal call depth of a lane.
const DEPTH: usize = 10_000;

/// The environment of the kernel, and the receiver of its progress.
struct Watching<'a, 'o> {
    outside: &'a mut Outside<'o>,
    /// Gets the number of finished work-groups and of all.
    progress: &'a mut dyn FnMut(u32, u32),
}

impl Interpreter<'_> {
    /// Runs a kernel for a grid of work-groups, until all lanes have returned or one cannot.
    ///
    /// The function is the entry point itself: an OpenCL kernel with its parameters, or the `main` of a Vulkan compute shader. Lanes
    /// are scheduled in a fixed order, so equal launches have equal outcomes; `schedule.rs` and `rendezvous.rs` in `scheduling/` have the rules. A
    /// launch that specializes constants decodes the module once more, unless this is [`Interpreter::specialized`] in the same way.
    ///
    /// Time and memory are bounded by the grid, the fuel, and 1 GiB of memory.
    pub fn launch_kernel(&self, function: Function, launch: &KernelLaunch) -> Result<KernelOutcome, Diagnostic> {
        self.launch_kernel_reporting(function, launch, &mut |_, _| {})
    }

    /// Runs a kernel as [`Interpreter::launch_kernel`] does; after each work-group, `progress` gets the number of finished work-groups and
    /// of all.
    pub fn launch_kernel_reporting(
        &self,
        function: Function,
        launch: &KernelLaunch,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<KernelOutcome, Diagnostic> {
        let outside = &mut Outside { external: &mut no_externals, observer: None };
        self.launch_with(function, launch, Watching { outside, progress })
    }

    /// Runs a kernel as [`Interpreter::launch_kernel`] does, with an observer. The outcome is the same, unless the observer ends the launch
    /// early ([`Observer::begins_group`]).
    pub fn launch_kernel_observed(
        &self,
        function: Function,
        launch: &KernelLaunch,
        observer: &mut dyn Observer,
    ) -> Result<KernelOutcome, Diagnostic> {
        let outside = &mut Outside { external: &mut no_externals, observer: Some(observer) };
        self.launch_with(function, launch, Watching { outside, progress: &mut |_, _| {} })
    }

    fn launch_with(
        &self,
        function: Function,
        launch: &KernelLaunch,
        watching: Watching<'_, '_>,
    ) -> Result<KernelOutcome, Diagnostic> {
        if launch.specialization != self.specialization {
            let specialized = Interpreter::specialized(self.module, &launch.specialization);
            return launch_specialized(&specialized, function, launch, watching);
        }
        launch_specialized(self, function, launch, watching)
    }
}

fn launch_specialized(
    program: &Interpreter<'_>,
    function: Function,
    launch: &KernelLaunch,
    watching: Watching<'_, '_>,
) -> Result<KernelOutcome, Diagnostic> {
    let number = program.function_number(function).filter(|_| program.module.entry(function).is_some());
    let number = number.ok_or_else(|| no_body(function))?;
    if let Some(required) = specialization::required_size(program, function)
        && required != launch.local
    {
        let ([x, y, z], [a, b, c]) = (required, launch.local);
        return Err(misfit(format!(
            "the kernel requires work-groups of {x} × {y} × {z} lanes, the launch has {a} × {b} × {c}"
        )));
    }
    let groups = launch.group_count().ok_or_else(|| misfit("a grid has fewer than 2^32 lanes"))?;
    if !launch.is_covered() {
        return Err(misfit("the number of work-groups is not that of the lanes along each axis"));
    }
    let mut machine = Machine::for_kernel(program, function, launch)?;
    machine.memory.watch = (launch.races == Races::Report).then(|| Box::new(Watch::new()));
    machine.memory.origins = (launch.undefined == UndefinedValues::Report).then(Box::default);
    machine.memory.printed = Some(Box::new(PrintedText::new(launch.printed_limit)));
    let arguments = machine.prepare(function, launch)?;
    let kernel = Kernel { number, launch, arguments, inputs: inputs(program) };
    let mut outcome = KernelOutcome {
        buffers: Vec::new(),
        images: Vec::new(),
        failure: None,
        races: Vec::new(),
        undefined: Vec::new(),
        printed: Vec::new(),
        lost: 0,
        executed: 0,
        loop_iterations: 0,
    };
    for index in 0..groups {
        machine.memory.begins_group(index, kernel.stride() as usize);
        let place = position(u64::from(index), launch.groups);
        if watching.outside.observer.as_mut().is_some_and(|observer| !observer.begins_group(place)) {
            break;
        }
        let mut group = kernel.group(&mut machine, place)?;
        let result = group.run(&mut machine, watching.outside);
        outcome.executed += group.instructions(launch.fuel);
        outcome.loop_iterations = outcome.loop_iterations.max(group.loop_iterations());
        if let Err(failure) = result.and_then(|()| ends_complete(&machine)) {
            outcome.failure = Some(kernel.failure(&machine, *failure, place));
            break;
        }
        (watching.progress)(index + 1, groups);
    }
    outcome.buffers = machine.final_buffers();
    outcome.images = machine.final_texels();
    outcome.races = kernel.races(&machine);
    outcome.undefined = kernel.undefined_writes(&machine);
    outcome.lost = machine.memory.printed.as_ref().map_or(0, |printed| printed.lost);
    outcome.printed = kernel.printed(&mut machine);
    Ok(outcome)
}

/// The failure of a work-group that has ended before a copy that it began.
fn ends_complete(machine: &Machine<'_>) -> Result<(), Box<Failure>> {
    let Some(inst) = machine.memory.copies.first_awaited() else { return Ok(()) };
    let end = Fault::from(UndefinedBehaviour::CopyNotAwaited).at(machine.program.place_of(inst));
    Err(Box::new(Failure::new(0, end)))
}

/// The data that all work-groups of a launch share.
pub(crate) struct Kernel<'a> {
    /// The number of the function.
    pub(crate) number: u32,
    pub(crate) launch: &'a KernelLaunch,
    pub(crate) arguments: Vec<Prepared>,
    pub(crate) inputs: Vec<Input<'a>>,
}

impl<'k> Kernel<'k> {
    /// A work-group at its start.
    fn group(&self, machine: &mut Machine<'k>, position: [u32; 3]) -> Result<WorkGroup<'k>, Diagnostic> {
        let program = machine.program;
        let shape = self.launch.shape(position);
        machine.lanes = shape.iter().product::<u32>() as usize;
        machine.begin_group()?;
        let arguments = machine.group_arguments(&self.arguments)?;
        let limits = Limits { fuel: self.launch.fuel, depth: DEPTH, trace: Trace::Off };
        let mut lanes = Vec::with_capacity(machine.lanes);
        for index in 0..machine.lanes {
            machine.fill_built_ins(&self.inputs, self.launch, self.launch.lane(position, index), index as u32);
            let values = machine.lane_arguments(&arguments, index)?;
            let mut lane = Lane::new(program, index, program.code(self.number), limits);
            lane.start(values.into_iter(), &machine.memory);
            lanes.push(lane);
        }
        let size = self.launch.subgroup_size as usize;
        Ok(WorkGroup::new(Layout { shape, subgroup_size: size, tangle_size: size }, lanes))
    }

    /// A failure, in terms of the caller's lanes.
    fn failure(&self, machine: &Machine<'_>, failure: Failure, group: [u32; 3]) -> KernelFailure {
        let origin = failure.origin.map(|origin| self.names().origin(machine.program, &origin));
        let access = failure.access.map(|access| self.names().access(machine.program, &access));
        let other =
            failure.missed.map(|other| OtherLane { lane: self.launch.lane(group, other.lane), place: other.place });
        let lane = self.launch.lane(group, failure.lane);
        KernelFailure { end: failure.end, lane, other, origin, access, texel: failure.texel }
    }

    /// The distance of the first lanes of two work-groups in the numbers of the race detector: a copy counts as one more lane.
    fn stride(&self) -> u32 {
        self.launch.local.iter().product::<u32>() + 1
    }

    fn names(&self) -> Names {
        let is_local = |(index, argument): (usize, &KernelArgument)| {
            matches!(argument, KernelArgument::Local { .. }).then_some(index)
        };
        let local_arguments = self.launch.arguments.iter().enumerate().filter_map(is_local).collect();
        Names { buffers: self.launch.buffers.len(), local_arguments }
    }

    /// A lane by the number of its work-group and its own in it.
    fn lane_of(&self, group: u32, index: usize) -> LaneId {
        self.launch.lane(position(u64::from(group), self.launch.groups), index)
    }

    /// The detected races.
    fn races(&self, machine: &Machine<'_>) -> Vec<Race> {
        let lane = |past: &Past| {
            let index = (past.lane - past.group * self.stride()) as usize;
            let is_copy = index + 1 == self.stride() as usize;
            (self.lane_of(past.group, if is_copy { 0 } else { index }), is_copy)
        };
        let names = self.names();
        let found = machine.memory.watch.iter().flat_map(|watch| watch.found());
        found.map(|found| names.race(machine.program, &found, &lane)).collect()
    }

    /// The stores that wrote undefined values to buffers.
    fn undefined_writes(&self, machine: &Machine<'_>) -> Vec<UndefinedWrite> {
        let (names, program) = (self.names(), machine.program);
        let found = machine.memory.origins.iter().flat_map(|origins| origins.found());
        let write = |found: &FoundWrite| UndefinedWrite {
            lane: self.lane_of(found.group, found.lane),
            place: program.place_of(found.inst),
            object: names.object(program, Owner::Shared, found.object).unwrap_or(MemoryObject::Other),
            offset: found.offset,
            origin: found.origin.map(|origin| names.origin(program, &origin)),
        };
        found.map(write).collect()
    }

    /// The output of the lanes.
    fn printed(&self, machine: &mut Machine<'_>) -> Vec<Printed> {
        let calls = machine.memory.printed.take().map(|printed| printed.calls).unwrap_or_default();
        calls.into_iter().map(|(group, lane, bytes)| Printed { lane: self.lane_of(group, lane), bytes }).collect()
    }
}

/// The position with a linear number, counted along x first.
pub(crate) fn position(index: u64, sizes: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = sizes.map(|size| u64::from(size.max(1)));
    [(index % x) as u32, (index / x % y) as u32, (index / (x * y)) as u32]
}

impl KernelLaunch {
    /// The lane with a linear number in a work-group.
    pub(crate) fn lane(&self, group: [u32; 3], index: usize) -> LaneId {
        let local = position(index as u64, self.shape(group));
        let global = std::array::from_fn(|axis| {
            let first = u64::from(group[axis]) * u64::from(self.local[axis]);
            (first + u64::from(local[axis])).wrapping_add(self.offset[axis])
        });
        LaneId { group, local, global }
    }
}
