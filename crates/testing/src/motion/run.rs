//! The behaviour of a program with added operations, and whether another version behaves the same.

use reconverge_interpret::{Contents, End, InstructionPlace, Interpreter, Launch, Races, UndefinedBehaviour, Value};
use reconverge_ir::{Function, Module};

use super::stock::{contents, observed};
use super::subject::Built;
use crate::generators::lanes::INPUT;
use crate::lanes::Inputs;
use crate::program_from_graph::ORACLE;
use crate::random::mix;

/// The maximal number of calls of a lane.
const CALLS: usize = 120;
/// The maximal number of instructions of a lane.
const FUEL: u64 = 12_000;

/// The behaviour of the lanes.
pub(super) struct Ran {
    /// By lane: the words of each call.
    calls: Vec<Vec<Vec<Value>>>,
    /// By lane: the number of calls of all lanes before each of its calls.
    made_before: Vec<Vec<usize>>,
    ends: Vec<End>,
    variables: Vec<Contents>,
    executed: u64,
    /// True if lanes raced, if requested.
    has_races: bool,
}

impl Ran {
    /// The first undefined behaviour, with its place.
    pub(super) fn undefined(&self) -> Option<(UndefinedBehaviour, InstructionPlace)> {
        self.ends.iter().find_map(|end| match end {
            End::Undefined { behaviour, place } => Some((*behaviour, *place)),
            _ => None,
        })
    }

    /// The reason why the interpreter could not run it.
    pub(super) fn trouble(&self) -> Option<String> {
        let mut ends = self.ends.iter();
        ends.find(|end| matches!(end, End::Unsupported { .. } | End::Malformed { .. } | End::TooDeep(_)))
            .map(End::to_string)
    }

    /// Returns whether a lane was cut off by its fuel.
    pub(super) fn is_cut(&self) -> bool {
        self.ends.iter().any(|end| matches!(end, End::OutOfFuel(_)))
    }

    /// The number of calls that a lane had certainly made when the first lane ran out of fuel; the others continue without it.
    fn calls_of_all(&self, lane: usize) -> usize {
        let is_cut = |other: &usize| matches!(self.ends[*other], End::OutOfFuel(_));
        let last = |other: usize| self.made_before[other].last().map_or(0, |made| made + 1);
        match (0..self.ends.len()).filter(is_cut).map(last).min() {
            Some(made) => self.made_before[lane].partition_point(|&before| before < made),
            None => self.calls[lane].len(),
        }
    }

    /// The number of calls of the lanes.
    pub(super) fn calls(&self) -> usize {
        self.calls.iter().map(Vec::len).sum()
    }
}

/// Runs a version of a program.
///
/// # Errors
/// It cannot be launched.
pub(super) fn run(built: &Built, module: &Module, inputs: &Inputs, fuel: Option<u64>) -> Result<Ran, String> {
    run_watched(built, module, inputs, fuel.unwrap_or(FUEL), Races::Ignore)
}

/// Returns whether a program has undefined behaviour on inputs, although its run ended or was cut off: its lanes race, or a longer run has
/// it. Another version may reach it earlier.
///
/// # Errors
/// It cannot be launched.
pub(super) fn is_undefined_after_all(built: &Built, inputs: &Inputs) -> Result<bool, String> {
    const FURTHER: u64 = 8;
    let ran = run_watched(built, &built.module, inputs, FURTHER * FUEL, Races::Report)?;
    Ok(ran.has_races || ran.undefined().is_some())
}

fn run_watched(built: &Built, module: &Module, inputs: &Inputs, fuel: u64, races: Races) -> Result<Ran, String> {
    let mut calls: Vec<Vec<Vec<Value>>> = vec![Vec::new(); inputs.lanes];
    let (mut made, mut made_before) = (0, vec![Vec::new(); inputs.lanes]);
    let named = |name: &str| module.functions().find(|&function| module.name(function).is_some_and(|own| own == name));
    let (input, oracle) = (named(INPUT), named(ORACLE));
    let mut external = |lane: usize, function: Function, arguments: &[Value]| {
        let number = calls[lane].len();
        if number >= CALLS {
            return Err("enough calls".to_owned());
        }
        calls[lane].push(arguments.to_vec());
        made_before[lane].push(made);
        made += 1;
        if Some(function) == input {
            let word = arguments.first().and_then(Value::as_u32);
            return Ok(Some(word.map_or(Value::Undefined, |word| Value::u32(inputs.per_lane(lane, word as usize)))));
        }
        let answer = mix(inputs.seed ^ mix((lane as u64) << 32 | number as u64)) as u32 & 3;
        Ok((Some(function) == oracle).then(|| Value::u32(answer)))
    };
    let mut launch = launch(built, module, inputs);
    (launch.fuel, launch.races) = (fuel, races);
    let outcome =
        Interpreter::new(module).run(built.start, &launch, &mut external).map_err(|error| error.to_string())?;
    let executed = outcome.lanes.iter().map(|lane| lane.executed).max().unwrap_or(0);
    let ends = outcome.lanes.into_iter().map(|lane| lane.end).collect();
    let has_races = !outcome.races.is_empty();
    Ok(Ran { calls, made_before, ends, variables: outcome.variables, executed, has_races })
}

fn launch(built: &Built, module: &Module, inputs: &Inputs) -> Launch {
    let mut contents = contents(module);
    if let Some(variable) = built.uniforms.filter(|&variable| module.is_live(variable)) {
        let words = Value::composite(inputs.uniforms.iter().map(|&word| Value::u32(word)).collect());
        contents.push(Contents { variable, lane: None, value: Value::composite(vec![words]) });
    }
    if module.is_live(built.lane) {
        let of_lane = |lane| Contents { variable: built.lane, lane: Some(lane), value: Value::u32(lane as u32) };
        contents.extend((0..inputs.lanes).map(of_lane));
    }
    let observed = observed(module).into_iter().map(|(variable, _)| variable).collect();
    Launch { lanes: inputs.lanes, contents, observed, ..Launch::default() }
}

/// Runs another version and checks that it has the behaviour of the first one, up to where either is cut off. Only undefined results may
/// differ.
///
/// # Errors
/// The first difference.
pub(super) fn check_same(built: &Built, old: &Ran, after: &Module, inputs: &Inputs) -> Result<(), String> {
    let fuel = if old.is_cut() { FUEL } else { 4 * old.executed + 4_000 };
    let new = run(built, after, inputs, Some(fuel))?;
    if let Some(trouble) = new.trouble() {
        return Err(trouble);
    }
    // Lanes continue without one that was cut off, and their later behaviour is not compared.
    let goes_on = old.is_cut() && new.is_cut();
    if let Some((behaviour, place)) = new.undefined().filter(|_| !goes_on) {
        return Err(format!("now {behaviour} at {place:?}"));
    }
    let is_cut = old.is_cut();
    for lane in 0..inputs.lanes {
        let (calls, now) = (&old.calls[lane][..old.calls_of_all(lane)], &new.calls[lane][..new.calls_of_all(lane)]);
        if let Some(index) = calls.iter().zip(now).position(|(old, new)| !are_refined(old, new)) {
            return Err(format!("lane {lane}, call {index}: was {:?}, is {:?}", calls[index], now[index]));
        }
        if is_cut {
            continue;
        }
        if calls.len() != now.len() {
            return Err(format!("lane {lane}: made {} calls, makes {}", calls.len(), now.len()));
        }
        if !is_same_end(&old.ends[lane], &new.ends[lane]) {
            return Err(format!("lane {lane}: {}, now {}", old.ends[lane], new.ends[lane]));
        }
    }
    if is_cut { Ok(()) } else { check_memory(old, &new) }
}

fn check_memory(old: &Ran, new: &Ran) -> Result<(), String> {
    for contents in &old.variables {
        let same = |other: &&Contents| (other.variable, other.lane) == (contents.variable, contents.lane);
        let now = new.variables.iter().find(same);
        if now.is_none_or(|now| !is_refined(&contents.value, &now.value)) {
            return Err(format!(
                "variable {} of lane {:?} holds something else",
                contents.variable.index(),
                contents.lane
            ));
        }
    }
    Ok(())
}

fn is_same_end(old: &End, new: &End) -> bool {
    match (old, new) {
        (End::Returned(Some(old)), End::Returned(Some(new))) => is_refined(old, new),
        (End::Refused { .. }, End::Refused { .. }) => true,
        (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

fn are_refined(old: &[Value], new: &[Value]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_refined(old, new))
}

/// Returns whether one value may replace another. The depth of the recursion is that of the type.
fn is_refined(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Undefined, _) => true,
        (Value::Composite(old), Value::Composite(new)) => are_refined(old, new),
        _ => old == new,
    }
}
