//! A kernel launch, run: one work-group after another.

use reconverge_ir::{Function, Inst};

use crate::kernel_setup::{Input, Prepared, inputs};
use crate::program::Sharing;
use crate::races::{Found, Watch};
use crate::run::Machine;
use crate::shadow::Past;
use crate::value::Owner;
use crate::work_group::WorkGroup;
use crate::{
    Interpreter, KernelArgument, KernelLaunch, KernelOutcome, LaneId, LaunchError, MemoryObject, Race, RaceAccess,
    Races, specialization,
};

impl Interpreter<'_> {
    /// Runs a kernel for a grid of work-groups, until all lanes have returned or one cannot.
    ///
    /// The function is the entry point itself: an OpenCL kernel with its parameters, or the `main` of a Vulkan compute shader. Lanes
    /// are scheduled in a fixed order, so equal launches have equal outcomes; `schedule.rs` and `rendezvous.rs` have the rules. A
    /// launch that specializes constants decodes the module once more, unless this is [`Interpreter::specialized`] in the same way.
    ///
    /// Time and memory are bounded by the grid, the fuel, and 1 GiB of memory.
    pub fn launch_kernel(&self, function: Function, launch: &KernelLaunch) -> Result<KernelOutcome, LaunchError> {
        if launch.specialization != self.specialization {
            let specialized = Interpreter::specialized(self.module, &launch.specialization);
            return launch_specialized(&specialized, function, launch);
        }
        launch_specialized(self, function, launch)
    }
}

fn launch_specialized(
    program: &Interpreter<'_>,
    function: Function,
    launch: &KernelLaunch,
) -> Result<KernelOutcome, LaunchError> {
    let number = program.function_number(function).filter(|_| program.module.entry(function).is_some());
    let number = number.ok_or(LaunchError::NoBody(function))?;
    if let Some(required) = specialization::required_size(program, function)
        && required != launch.local
    {
        return Err(LaunchError::RequiredSize { required, found: launch.local });
    }
    let groups = launch.group_count().ok_or(LaunchError::Shape("a grid has fewer than 2^32 lanes"))?;
    let mut machine = Machine::for_kernel(program, launch)?;
    machine.memory.watch = (launch.races == Races::Report).then(|| Box::new(Watch::new()));
    let arguments = machine.prepare(function, launch)?;
    let kernel = Kernel { number, launch, arguments, inputs: inputs(program) };
    let mut outcome =
        KernelOutcome { buffers: Vec::new(), failure: None, races: Vec::new(), executed: 0, loop_iterations: 0 };
    for index in 0..groups {
        if let Some(watch) = &machine.memory.watch {
            watch.begin_group(index, machine.lanes);
        }
        let mut group = WorkGroup::new(&mut machine, &kernel, position(u64::from(index), launch.groups))?;
        let result = group.run(&mut machine);
        outcome.executed += group.executed();
        outcome.loop_iterations = outcome.loop_iterations.max(group.loop_iterations());
        if let Err(failure) = result {
            outcome.failure = Some(*failure);
            break;
        }
    }
    outcome.buffers = machine.final_buffers();
    outcome.races =
        machine.memory.watch.iter().flat_map(|watch| watch.found()).map(|found| kernel.race(program, &found)).collect();
    Ok(outcome)
}

/// What all work-groups of a launch have in common.
pub(crate) struct Kernel<'a> {
    /// The number of the function.
    pub(crate) number: u32,
    pub(crate) launch: &'a KernelLaunch,
    pub(crate) arguments: Vec<Prepared>,
    pub(crate) inputs: Vec<Input<'a>>,
}

impl Kernel<'_> {
    /// A race, as the caller of a launch knows lanes and memory.
    fn race(&self, program: &Interpreter<'_>, found: &Found) -> Race {
        let access = |past: &Past| {
            let index = past.lane - past.group * self.launch.local.iter().product::<u32>();
            RaceAccess {
                lane: self.launch.lane(position(u64::from(past.group), self.launch.groups), index as usize),
                place: program.place_of(past.inst),
                access: past.access,
            }
        };
        let object = self.object(program, found).unwrap_or(MemoryObject::Other);
        Race { first: access(&found.first), second: access(&found.second), object, offset: found.offset }
    }

    /// Objects are numbered in the order in which they are made: variables first, then buffers or local arguments.
    fn object(&self, program: &Interpreter<'_>, found: &Found) -> Option<MemoryObject> {
        let number = found.object as usize;
        let sharing = if found.owner == Owner::Shared { Sharing::All } else { Sharing::Group };
        let variables: Vec<Inst> =
            program.globals.iter().filter(|global| global.sharing == sharing).map(|global| global.variable).collect();
        if let Some(&variable) = variables.get(number) {
            return Some(MemoryObject::Variable(variable));
        }
        let number = number - variables.len();
        if sharing == Sharing::All {
            return (number < self.launch.buffers.len()).then_some(MemoryObject::Buffer(number));
        }
        let is_local = |(index, argument): (usize, &KernelArgument)| {
            matches!(argument, KernelArgument::Local { .. }).then_some(MemoryObject::LocalArgument(index))
        };
        self.launch.arguments.iter().enumerate().filter_map(is_local).nth(number)
    }
}

/// Where the one of a linear number is, counted along x first.
pub(crate) fn position(index: u64, sizes: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = sizes.map(|size| u64::from(size.max(1)));
    [(index % x) as u32, (index / x % y) as u32, (index / (x * y)) as u32]
}

impl KernelLaunch {
    /// The lane of a linear number in a work-group.
    pub(crate) fn lane(&self, group: [u32; 3], index: usize) -> LaneId {
        let local = position(index as u64, self.local);
        let global = std::array::from_fn(|axis| {
            let first = u64::from(group[axis]) * u64::from(self.local[axis]);
            (first + u64::from(local[axis])).wrapping_add(self.offset[axis])
        });
        LaneId { group, local, global }
    }
}
