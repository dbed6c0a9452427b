//! Compares the behaviour of a function in several lanes before and after a pass: any function, in generated environments.
//!
//! Arguments, inputs, uniforms, storage buffers and push constants contain small random numbers; images return arbitrary values; calls of
//! functions without a body are answered by lane and number of the call. Compared are, lane by lane, these calls with the lanes that make
//! them together, the end, and the contents of outputs, buffers and images. If a lane has undefined behaviour before the pass, or is cut
//! off, the run has no result.

use std::collections::HashMap;
use std::sync::Arc;

use reconverge_interpret::{Argument, Contents, End, Images, Interpreter, LaneOutcome, Launch, Outcome, Value};
use reconverge_ir::{Function, Inst, Module, Op};
use spirv::{Decoration, StorageClass};

use super::contents::{held_by, random_value};
use crate::call_observer::CallObserver;
use crate::random::{Random, mix};

/// The default maximal number of instructions of a lane.
const FUEL: u64 = 300_000;
/// The maximal number of calls of a lane.
const CALLS: usize = 1_000;

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// All lanes had the same behaviour.
    Equal,
    /// The run has no result, for this reason.
    Open(String),
}

/// A module that is ready to run.
struct Ready<'m> {
    module: &'m Module,
    interpreter: Interpreter<'m>,
}

impl<'m> Ready<'m> {
    fn new(module: &'m Module) -> Ready<'m> {
        Ready { module, interpreter: Interpreter::new(module) }
    }
}

/// A module before and after, ready to run.
pub struct Versions<'m> {
    fuel: u64,
    before: Ready<'m>,
    after: Ready<'m>,
}

/// A call of a function without a body.
#[derive(Clone, Debug)]
struct Call {
    name: Arc<str>,
    arguments: Vec<Value>,
    /// The lanes that make the call together.
    lanes: Vec<usize>,
}

/// The outcome of a run, and by lane the calls.
type Ran = (Outcome, Vec<Vec<Call>>);

impl<'m> Versions<'m> {
    /// Prepares a module and the result of a pass. Functions and variables are identified by their handles. Linear.
    pub fn new(before: &'m Module, after: &'m Module) -> Versions<'m> {
        Versions { fuel: FUEL, before: Ready::new(before), after: Ready::new(after) }
    }

    /// The same, with this maximal number of instructions of a lane.
    pub fn with_fuel(self, fuel: u64) -> Versions<'m> {
        Versions { fuel, ..self }
    }

    /// Runs a function in this number of lanes, before and after, in environments that the seed determines.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, function: Function, lanes: usize, seed: u64) -> Result<Compared, String> {
        let Some(launch) = launch(self.before.module, function, lanes, seed) else {
            return Ok(Compared::Open("a parameter that no value is known for".to_owned()));
        };
        let launch = Launch { fuel: self.fuel, ..launch };
        let (old, old_calls) = match run(&self.before, function, &launch, seed) {
            Ok(ran) => ran,
            Err(message) => return Ok(Compared::Open(message)),
        };
        let open = old.lanes.iter().find(|lane| !matches!(lane.end, End::Returned(_) | End::Terminated(_)));
        if let Some(lane) = open {
            return Ok(Compared::Open(lane.end.to_string()));
        }
        let mut launch = Launch { fuel: launch.fuel.saturating_mul(8), ..launch };
        let is_live = |inst: Inst| self.after.module.is_live(inst);
        launch.contents.retain(|contents| is_live(contents.variable));
        launch.observed.retain(|&variable| is_live(variable));
        let (new, new_calls) = run(&self.after, function, &launch, seed)?;
        for (lane, (old, new)) in old.lanes.iter().zip(&new.lanes).enumerate() {
            compare_calls(&old_calls[lane], &new_calls[lane]).map_err(|message| format!("lane {lane}: {message}"))?;
            compare_ends(old, new).map_err(|message| format!("lane {lane}: {message}"))?;
        }
        compare_memory(&old, &new)?;
        Ok(Compared::Equal)
    }
}

fn compare_calls(old: &[Call], new: &[Call]) -> Result<(), String> {
    let are_same = |old: &Call, new: &Call| {
        let arguments = (&old.arguments, &new.arguments);
        old.name == new.name
            && old.lanes == new.lanes
            && arguments.0.len() == arguments.1.len()
            && arguments.0.iter().zip(arguments.1).all(|(old, new)| is_refined(old, new))
    };
    match old.iter().zip(new).position(|(old, new)| !are_same(old, new)) {
        Some(index) => Err(format!("call {index} was {:?}, is {:?}", old[index], new[index])),
        None if old.len() != new.len() => Err(format!("made {} calls, makes {}", old.len(), new.len())),
        None => Ok(()),
    }
}

fn compare_ends(old: &LaneOutcome, new: &LaneOutcome) -> Result<(), String> {
    let are_same = match (&old.end, &new.end) {
        (End::Returned(Some(old)), End::Returned(Some(new))) => is_refined(old, new),
        (old, new) => old == new,
    };
    if are_same { Ok(()) } else { Err(format!("{}, now {}", old.end, new.end)) }
}

fn compare_memory(old: &Outcome, new: &Outcome) -> Result<(), String> {
    for contents in &old.variables {
        let found =
            new.variables.iter().find(|other| (other.variable, other.lane) == (contents.variable, contents.lane));
        if found.is_some_and(|found| !is_refined(&contents.value, &found.value)) {
            return Err(format!("variable {:?} of lane {:?} holds something else", contents.variable, contents.lane));
        }
    }
    if old.buffers.iter().zip(&new.buffers).any(|(old, new)| old.defined == new.defined && old.bytes != new.bytes) {
        return Err("a buffer holds something else".to_owned());
    }
    match old.images == new.images {
        true => Ok(()),
        false => Err("an image holds something else".to_owned()),
    }
}

/// Returns whether one value may replace another: they are equal where that is defined. The depth of the recursion is that of the type.
fn is_refined(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Undefined, _) => true,
        (Value::Composite(old), Value::Composite(new)) => {
            old.len() == new.len() && old.iter().zip(new.iter()).all(|(old, new)| is_refined(old, new))
        }
        // Pointers of different runs are not comparable.
        (Value::Pointer(_), Value::Pointer(_)) => true,
        _ => old == new,
    }
}

fn run(ready: &Ready<'_>, function: Function, launch: &Launch, seed: u64) -> Result<Ran, String> {
    let module = ready.module;
    let mut calls: Vec<Vec<Call>> = vec![Vec::new(); launch.lanes];
    let mut names: HashMap<Function, Arc<str>> = HashMap::new();
    let mut external = |lane: usize, callee: Function, arguments: &[Value]| {
        let number = calls[lane].len();
        if number >= CALLS {
            return Err("enough calls".to_owned());
        }
        let name = names.entry(callee).or_insert_with(|| Arc::from(module.name(callee).unwrap_or_default())).clone();
        calls[lane].push(Call { name, arguments: arguments.to_vec(), lanes: Vec::new() });
        let mut random = Random::new(seed ^ mix((lane as u64) << 32 | number as u64));
        match module.ty(callee) {
            Some(ty) if module.op(ty) != Op::TypeVoid => {
                random_value(module, ty, &mut random).map(Some).ok_or("no value of that type is known".to_owned())
            }
            _ => Ok(None),
        }
    };
    let mut observer = CallObserver::new(module);
    let outcome = ready.interpreter.run_observed(function, launch, &mut external, &mut observer);
    let outcome = outcome.map_err(|error| error.to_string())?;
    let mut of_lane: Vec<_> = calls.iter_mut().map(|calls| calls.iter_mut()).collect();
    for lanes in observer.calls {
        for &lane in &lanes {
            of_lane[lane].next().into_iter().for_each(|call| call.lanes.clone_from(&lanes));
        }
    }
    Ok((outcome, calls))
}

/// A launch in a generated environment; `None` if a parameter has an unsupported type.
fn launch(module: &Module, function: Function, lanes: usize, seed: u64) -> Option<Launch> {
    let mut random = Random::new(mix(seed) ^ lanes as u64);
    let mut launch = Launch { lanes, images: Some(Images::arbitrary(seed)), ..Launch::default() };
    for parameter in module.parameters(function) {
        let ty = module.ty(parameter)?;
        let argument = if module.op(ty) == Op::TypePointer {
            launch.buffers.push((0..4096).map(|_| random.below(9) as u8).collect());
            Argument::Buffer(launch.buffers.len() - 1)
        } else if random.chance(50) {
            Argument::Same(random_value(module, ty, &mut random)?)
        } else {
            let values: Option<Vec<Value>> = (0..lanes).map(|_| random_value(module, ty, &mut random)).collect();
            Argument::PerLane(values?)
        };
        launch.arguments.push(argument);
    }
    for variable in module.globals().filter(|&inst| module.op(inst) == Op::Variable) {
        fill(module, variable, &mut launch, &mut random);
    }
    Some(launch)
}

/// Gives a variable its contents, or has it observed.
fn fill(module: &Module, variable: Inst, launch: &mut Launch, random: &mut Random) {
    let Some((class, ty)) = held_by(module, variable) else { return };
    match class {
        StorageClass::Input if !module.decorated(variable).has(Decoration::BuiltIn) => {
            for lane in 0..launch.lanes {
                if let Some(value) = random_value(module, ty, random) {
                    launch.contents.push(Contents { variable, lane: Some(lane), value });
                }
            }
        }
        StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::PushConstant => {
            if let Some(value) = random_value(module, ty, random) {
                launch.contents.push(Contents { variable, lane: None, value });
                launch.observed.push(variable);
            }
        }
        StorageClass::Output => launch.observed.push(variable),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use reconverge_ir::{Op, text};

    use super::Versions;

    /// Both arms make the same call, so that only the lanes that make it together distinguish a divergent branch from a uniform one.
    #[test]
    fn calls_are_compared_with_the_lanes_that_make_them_together() {
        let source = "%void = type_void
            %bool = type_bool
            %true: %bool = constant_true
            func %record: %void (%x: %bool)
            func %f: %void (%c: %bool) stage structured {
            block ^entry:
              if %c ^a ^b merge ^m
            block ^a:
              %left: %void = function_call %record, %true
              branch ^m
            block ^b:
              %right: %void = function_call %record, %true
              branch ^m
            block ^m:
              return
            }";
        let before = text::parse(source).expect("it parses");
        let function = before.functions().last().expect("a function");
        let block = before.entry(function).expect("a body");
        let selection = before.terminator(block).expect("it is complete");
        let mut after = before.clone();
        let constant = before.globals().find(|&global| before.op(global) == Op::ConstantTrue).expect("a constant");
        after.edit().set_operand(selection, 0, constant);
        let is_same = |left, right| (0..8).all(|seed| Versions::new(left, right).compare(function, 8, seed).is_ok());
        assert!(is_same(&before, &before) && !is_same(&before, &after));
    }
}
