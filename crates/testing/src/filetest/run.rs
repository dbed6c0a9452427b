//! `; test run`: the results of functions for arguments.
//!
//! A line `; run %f(1, -2, true, 0.5) = 3` runs the function named `f`. Integers, `true`, `false` and numbers with a point are read in the
//! parameter's type. After `=` is the value, or how else the run ended: `kill`, `U03` for undefined behaviour.
//!
//! A line `; lanes 4 %f(lane, 2 0 2 1) = 1:0b1010 2:0b1111` runs it in four lanes. An argument is the same for all lanes, or has a value
//! for each; `lane` is the lane's number. After `=` is, in the order of execution, each call of a function without a body: its first
//! argument, and a bit for each lane that makes it, lane 0 lowest. Lanes that end otherwise than by a return follow, as `0=kill`.

use reconverge_interpret::{Argument, End, Interpreter, Launch, Value, run as interpret};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Function, Inst, Module};

use super::case::Case;
use crate::call_observer::CallObserver;

const DIRECTIVE: &str = "; run %";
const LANES: &str = "; lanes ";
/// The maximal number of instructions of a lane.
const LANE_FUEL: u64 = 100_000;

/// The file with the results after `=` in each directive.
pub(super) fn run(case: &Case) -> Result<String, String> {
    match with_results(&case.input, &case.module()?)? {
        (_, 0) => Err(format!("no line starts with `{DIRECTIVE}` or `{LANES}`")),
        (text, _) => Ok(text),
    }
}

/// The text with the results of functions of a module after `=` in each directive, and the number of directives.
pub(super) fn with_results(input: &str, module: &Module) -> Result<(String, usize), String> {
    let mut out = String::new();
    let mut count = 0;
    type Show = fn(&Module, &str) -> Result<String, String>;
    let directives: [(&str, Show); 2] = [(DIRECTIVE, result), (LANES, calls_of_lanes)];
    for line in input.lines() {
        let found = directives.iter().find_map(|&(name, show)| Some((name, show, line.strip_prefix(name)?)));
        match found {
            Some((name, show, directive)) => {
                let (call, _) = directive.split_once('=').unwrap_or((directive, ""));
                out.push_str(&format!("{name}{} = {}\n", call.trim(), show(module, call.trim())?));
                count += 1;
            }
            None => out.extend([line, "\n"]),
        }
    }
    Ok((out, count))
}

fn result(module: &Module, call: &str) -> Result<String, String> {
    let (function, arguments) = called(module, call)?;
    let mut outside = |_: usize, _: Function, _: &[Value]| Err("there is no outside".to_owned());
    let outcome =
        interpret(module, function, &Launch::new(arguments), &mut outside).map_err(|error| error.to_string())?;
    show_end(&outcome.only().end)
}

fn show_end(end: &End) -> Result<String, String> {
    Ok(match end {
        End::Returned(None) => "nothing".to_owned(),
        End::Returned(Some(value)) => show(value),
        End::Terminated(op) => op.name().to_owned(),
        End::Undefined { behaviour, .. } => behaviour.name().to_owned(),
        End::OutOfFuel(_) => "out of fuel".to_owned(),
        other => return Err(other.to_string()),
    })
}

/// The result of a directive `4 %f(lane, 2 0 2 1)`.
fn calls_of_lanes(module: &Module, directive: &str) -> Result<String, String> {
    let wrong = || format!("`{directive}` does not read `LANES %name(arguments)`");
    let (count, call) = directive.split_once(" %").ok_or_else(wrong)?;
    let count: usize = count.parse().map_err(|_| wrong())?;
    let (function, words) = function_and_words(module, call)?;
    let values = |word: &&str| lane_words(word, count);
    let columns: Vec<Vec<String>> = words.iter().map(values).collect::<Result<_, _>>()?;
    let row = |lane: usize| columns.iter().map(|column| column[lane].as_str()).collect::<Vec<_>>();
    let rows: Vec<Vec<Value>> =
        (0..count).map(|lane| arguments(module, function, &row(lane))).collect::<Result<_, _>>()?;
    let per_lane = |index: usize| Argument::PerLane(rows.iter().map(|row| row[index].clone()).collect());
    let mut launch = Launch::default().with_lanes(count).with_fuel(LANE_FUEL);
    launch.arguments = (0..columns.len()).map(per_lane).collect();
    let mut points = Vec::new();
    let mut outside = |_: usize, _: Function, arguments: &[Value]| {
        points.push(arguments.first().map_or_else(|| "-".to_owned(), show));
        Ok(None)
    };
    let mut observer = CallObserver::new(module);
    let outcome = Interpreter::new(module).run_observed(function, &launch, &mut outside, &mut observer);
    let outcome = outcome.map_err(|error| error.to_string())?;
    let mut points = points.into_iter();
    let mut shown = Vec::new();
    for lanes in observer.calls {
        // The lanes of a call are consecutive.
        let mut of_call = points.by_ref().take(lanes.len());
        let point = of_call.next().ok_or("a call that nobody answered")?;
        of_call.for_each(drop);
        let bits: String = (0..count).rev().map(|lane| if lanes.contains(&lane) { '1' } else { '0' }).collect();
        shown.push(format!("{point}:0b{bits}"));
    }
    for (lane, outcome) in outcome.lanes.iter().enumerate() {
        if outcome.end != End::Returned(None) {
            shown.push(format!("{lane}={}", show_end(&outcome.end)?));
        }
    }
    Ok(shown.join(" "))
}

/// The values of an argument, one for each lane, as words.
fn lane_words(argument: &str, count: usize) -> Result<Vec<String>, String> {
    let words: Vec<&str> = argument.split_whitespace().collect();
    match words[..] {
        ["lane"] => Ok((0..count).map(|lane| lane.to_string()).collect()),
        [word] => Ok(vec![word.to_owned(); count]),
        _ if words.len() == count => Ok(words.into_iter().map(str::to_owned).collect()),
        _ => Err(format!("{} values for {count} lanes", words.len())),
    }
}

/// The function and the arguments of a call like `name(1, 2)`.
pub(super) fn called(module: &Module, call: &str) -> Result<(Function, Vec<Value>), String> {
    let (function, words) = function_and_words(module, call)?;
    Ok((function, arguments(module, function, &words)?))
}

fn function_and_words<'a>(module: &Module, call: &'a str) -> Result<(Function, Vec<&'a str>), String> {
    let wrong = || format!("`{call}` does not read `name(arguments)`");
    let (name, rest) = call.split_once('(').ok_or_else(wrong)?;
    let words = rest.strip_suffix(')').ok_or_else(wrong)?.split(',').map(str::trim).filter(|word| !word.is_empty());
    let function = module.functions().find(|&function| module.name(function).as_deref() == Some(name));
    let function = function.ok_or_else(|| format!("no function is named {name}"))?;
    Ok((function, words.collect()))
}

fn arguments(module: &Module, function: Function, words: &[&str]) -> Result<Vec<Value>, String> {
    let types: Vec<Inst> = module.parameters(function).filter_map(|parameter| module.ty(parameter)).collect();
    if types.len() != words.len() {
        return Err(format!("{} parameters, {} arguments", types.len(), words.len()));
    }
    types.into_iter().zip(words).map(|(ty, word)| argument(module, ty, word)).collect()
}

fn argument(module: &Module, ty: Inst, word: &str) -> Result<Value, String> {
    let wrong = || format!("`{word}` is no value of the parameter's type");
    match module.type_view(ty).ok_or_else(wrong)? {
        TypeView::Bool => word.parse().map(Value::Bool).map_err(|_| wrong()),
        TypeView::Int { width, .. } => Ok(Value::int(width as u8, word.parse::<i128>().map_err(|_| wrong())? as u64)),
        TypeView::Float { width, .. } => Ok(Value::float(width as u8, word.parse().map_err(|_| wrong())?)),
        _ => Err(wrong()),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int { bits, .. } => bits.to_string(),
        Value::Float { .. } => format!("{:?}", value.as_f64().unwrap_or(f64::NAN)),
        other => format!("{other:?}"),
    }
}
