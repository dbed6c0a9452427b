//! A run of any function, in one or several lanes that start together.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Function;

use crate::lanes::frame::{Lane, Limits};
use crate::lanes::machine::{External, Flow, Machine};
use crate::launch::error::no_body;
use crate::races::Watch;
use crate::scheduling::observer::Outside;
use crate::scheduling::work_group::{Failure, Layout, WorkGroup};
use crate::{End, Interpreter, LaneOutcome, Launch, Observer, Outcome, Races};

/// Runs a function of a module. To run several times, create one [`Interpreter`].
pub fn run(
    module: &reconverge_ir::Module,
    function: Function,
    launch: &Launch,
    external: &mut External<'_>,
) -> Result<Outcome, Diagnostic> {
    Interpreter::new(module).run(function, launch, external)
}

impl Interpreter<'_> {
    /// Runs a function until every lane has ended.
    ///
    /// The lanes begin as one tangle and execute together as the structure of the functions specifies; a single lane is a group of one.
    /// Time and memory are bounded by the fuel, the depth and the size of the launch; deep calls do not use the native stack.
    pub fn run(&self, function: Function, launch: &Launch, external: &mut External<'_>) -> Result<Outcome, Diagnostic> {
        self.run_with(function, launch, Outside { external, observer: None })
    }

    /// Runs a function as [`Interpreter::run`] does, with an observer. The outcome is the same.
    pub fn run_observed(
        &self,
        function: Function,
        launch: &Launch,
        external: &mut External<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Diagnostic> {
        self.run_with(function, launch, Outside { external, observer: Some(observer) })
    }

    fn run_with(&self, function: Function, launch: &Launch, mut outside: Outside<'_>) -> Result<Outcome, Diagnostic> {
        let mut machine = Machine::new(self, function, launch)?;
        let number = self.function_number(function).ok_or_else(|| no_body(function))?;
        if launch.races == Races::Report {
            let watch = Watch::new();
            watch.begin_group(0, launch.lanes + 1);
            machine.memory.watch = Some(Box::new(watch));
        }
        let mut lanes: Vec<Lane<'_>> = (0..launch.lanes).map(|index| machine.lane(number, launch, index)).collect();
        let ended = match (&mut lanes[..], &outside.observer) {
            ([lane], None) => vec![(machine.run(lane, outside.external), None)],
            _ => {
                let subgroup_size = launch.subgroup_size.unwrap_or(launch.lanes);
                let shape = [launch.lanes as u32, 1, 1];
                let layout = Layout { shape, subgroup_size, tangle_size: launch.lanes };
                let mut group = WorkGroup::new(layout, lanes);
                let result = group.run(&mut machine, &mut outside);
                result.expect("invariant: lanes that fail do not stop the others");
                lanes = group.lanes;
                let ends = group.ends.into_iter();
                let end = |end: Option<Failure>| end.expect("invariant: the run is over when all lanes have ended");
                ends.map(end).map(|failure| (failure.end, failure.missed)).collect()
            }
        };
        let outcome = |(lane, (end, missed)): (Lane<'_>, _)| LaneOutcome {
            end,
            missed,
            executed: launch.fuel - lane.fuel,
            trace: lane.trace,
        };
        Ok(Outcome {
            lanes: lanes.into_iter().zip(ended).map(outcome).collect(),
            buffers: machine.final_buffers(),
            variables: machine.final_variables(launch),
            images: machine.final_texels(),
            races: machine.races(launch),
        })
    }
}

impl<'a> Machine<'a> {
    fn run(&mut self, lane: &mut Lane<'a>, external: &mut External<'_>) -> End {
        loop {
            match self.step(lane, external) {
                Ok(Flow::On | Flow::Jumped | Flow::Called | Flow::Back) => {}
                Ok(Flow::Ended) => return End::Returned(lane.returned.take()),
                Ok(Flow::Meeting) => unreachable!("a lane alone meets nobody"),
                Err(fault) => return fault.at(self.place(lane)),
            }
        }
    }

    /// A lane at its start, of a run that is not a kernel launch.
    fn lane(&self, number: u32, launch: &Launch, index: usize) -> Lane<'a> {
        let limits = Limits { fuel: launch.fuel, depth: launch.depth, trace: launch.trace };
        let mut lane = Lane::new(self.program, index, self.program.code(number), limits);
        lane.is_helper = launch.demoted.contains(&index);
        lane.start(launch.arguments.iter().map(|argument| self.argument(argument, index)), &self.memory);
        lane
    }
}
