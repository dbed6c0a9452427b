//! Runs a module in the interpreter and returns its behaviour.

use std::cell::RefCell;

use reconverge_interpret::{Contents, End, Interpreter, Launch, Observer, Step, Value};
use reconverge_ir::{Function, Inst, Module, Op};

use super::run::{Ended, Inputs, Record, Run};
use crate::generators::lanes::{INPUT, LaneModule, RECORD};

/// The maximal number of instructions of a lane.
const FUEL: u64 = 20_000_000;

/// A run with its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The behaviour of the lanes.
    pub run: Run,
    /// The number of barriers that each lane passed.
    pub barriers: Vec<usize>,
    /// The maximal number of executed instructions of a lane.
    pub executed: u64,
}

/// A lowered program, prepared for runs, unchanged or after a pass.
pub struct Machine<'m> {
    module: &'m Module,
    interpreter: Interpreter<'m>,
    fuel: u64,
    start: Function,
    lane: Inst,
    uniforms: Inst,
    record: Option<Function>,
    input: Option<Function>,
}

/// Runs a lowered program once.
///
/// # Errors
/// The interpreter cannot run it.
pub fn interpret(lowered: &LaneModule, inputs: &Inputs) -> Result<Run, String> {
    Machine::new(lowered, &lowered.module).run(inputs)
}

impl<'m> Machine<'m> {
    /// Prepares a version of a program: `module` is that of `lowered`, or the result of passes. Linear.
    pub fn new(lowered: &LaneModule, module: &'m Module) -> Machine<'m> {
        let named =
            |name: &str| module.functions().find(|&function| module.name(function).is_some_and(|own| own == name));
        Machine {
            module,
            interpreter: Interpreter::new(module),
            fuel: FUEL,
            start: lowered.start,
            lane: lowered.lane,
            uniforms: lowered.uniforms,
            record: named(RECORD),
            input: named(INPUT),
        }
    }

    /// The same, with this maximal number of instructions of a lane.
    pub fn with_fuel(self, fuel: u64) -> Machine<'m> {
        Machine { fuel, ..self }
    }

    /// Runs it.
    ///
    /// # Errors
    /// The interpreter cannot run it.
    pub fn run(&self, inputs: &Inputs) -> Result<Run, String> {
        self.run_counted(inputs).map(|counted| counted.run)
    }

    /// Runs it, and counts barriers and instructions.
    ///
    /// # Errors
    /// The interpreter cannot run it.
    pub fn run_counted(&self, inputs: &Inputs) -> Result<Counted, String> {
        let records = RefCell::new(vec![Vec::new(); inputs.lanes]);
        let mut external = |lane: usize, function: Function, arguments: &[Value]| {
            let word = |index: usize| arguments.get(index).and_then(Value::as_u32).ok_or("an argument is undefined");
            if Some(function) == self.record {
                let ballot = u64::from(word(1)?) | u64::from(word(2)?) << 32;
                records.borrow_mut()[lane].push(Record { point: word(0)?, ballot, value: word(3)? });
                Ok(None)
            } else if Some(function) == self.input {
                Ok(Some(Value::u32(inputs.per_lane(lane, word(0)? as usize))))
            } else {
                Err("a function that nobody knows".to_owned())
            }
        };
        let launch = self.launch(inputs);
        let mut barriers = Barriers { module: self.module, counts: vec![0; inputs.lanes] };
        let outcome = self.interpreter.run_observed(self.start, &launch, &mut external, &mut barriers);
        let outcome = outcome.map_err(|error| error.to_string())?;
        let end = |end: &End| match end {
            End::Returned(Some(value)) if value.as_u32().is_some() => Ended::Returned(value.as_u32().unwrap_or(0)),
            End::Terminated(Op::Kill | Op::TerminateInvocation) => Ended::Killed,
            other => Ended::Otherwise(other.to_string()),
        };
        let ends = outcome.lanes.iter().map(|lane| end(&lane.end)).collect();
        let executed = outcome.lanes.iter().map(|lane| lane.executed).max().unwrap_or(0);
        Ok(Counted { run: Run { records: records.into_inner(), ends }, barriers: barriers.counts, executed })
    }

    /// The launch for inputs: the number of each lane, and the uniform inputs.
    pub fn launch(&self, inputs: &Inputs) -> Launch {
        let uniforms = Value::composite(inputs.uniforms.iter().map(|&word| Value::u32(word)).collect());
        let mut contents = Vec::new();
        if self.module.is_live(self.uniforms) {
            let value = Value::composite(vec![uniforms]);
            contents.push(Contents { variable: self.uniforms, lane: None, value });
        }
        if self.module.is_live(self.lane) {
            contents.extend((0..inputs.lanes).map(|lane| Contents {
                variable: self.lane,
                lane: Some(lane),
                value: Value::u32(lane as u32),
            }));
        }
        Launch { lanes: inputs.lanes, contents, fuel: self.fuel, ..Launch::default() }
    }
}

/// Counts barriers, lane by lane.
struct Barriers<'m> {
    module: &'m Module,
    counts: Vec<usize>,
}

impl Observer for Barriers<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        if self.module.op(step.inst()) == Op::ControlBarrier {
            step.lanes().iter().for_each(|&lane| self.counts[lane] += 1);
        }
    }
}
