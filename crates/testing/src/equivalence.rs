//! Equivalence of two versions of a function.
//!
//! - [`compare_walks`]: for filled functions. Both versions run with the answers of walks that take every edge of the plain graph; both
//!   must record the blocks of the walk, with the same values.
//! - [`compare_versions`]: for any function. Both versions run with random arguments and random answers.

use reconverge_interpret::{Argument, Launch, Value};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Function, Inst, Module, Op};

use crate::behaviour::{Behaviour, Call, Ended, Version, compare};
use crate::plain_graph::PlainGraph;
use crate::program_from_graph::{ORACLE, RECORD};
use crate::random::{Random, mix};
use crate::walk::{Walk, compute_walks};

/// The minimal number of walks or starts.
pub const TRIES: usize = 32;
/// The maximal number of calls of a run.
const CALLS: usize = 500;

/// Checks that a filled function follows its graph, before and after, with equal values.
///
/// # Errors
/// The first difference, with its walk.
pub fn compare_walks(
    before: &Version<'_>,
    after: &Version<'_>,
    function: Function,
    graph: &PlainGraph,
    seed: u64,
) -> Result<(), String> {
    for (index, walk) in compute_walks(graph, seed, TRIES).iter().enumerate() {
        let place =
            |version: &str, message: String| format!("seed {seed}, walk {index}, {version}: {message}\n  {walk:?}");
        let old = follow(before, function, walk).map_err(|message| place("before", message))?;
        let new = follow(after, function, walk).map_err(|message| place("after", message))?;
        compare(&old, &new).map_err(|message| place("values", message))?;
    }
    Ok(())
}

/// Runs a filled function with the answers of a walk and checks that it follows the walk.
///
/// # Errors
/// The first wrong block.
pub fn follow(version: &Version<'_>, function: Function, walk: &Walk) -> Result<Behaviour, String> {
    let mut answers = walk.answers.iter();
    let mut wrong_turn = None;
    let mut next = 0;
    let mut outside = |call: &Call, _: Function| {
        let block = call.arguments.first().and_then(Value::as_u64);
        match &*call.name {
            RECORD => {
                if block != walk.blocks.get(next).map(|&block| block as u64) {
                    wrong_turn =
                        Some(format!("block {next} of the walk is {:?}, not {block:?}", walk.blocks.get(next)));
                    return Err("wrong turn".to_owned());
                }
                next += 1;
                match next == walk.blocks.len() && !walk.is_finished {
                    true => Err("end of the walk".to_owned()),
                    false => Ok(None),
                }
            }
            ORACLE => answers.next().map(|&answer| Some(Value::u32(answer))).ok_or("no answer left".to_owned()),
            other => Err(format!("unknown function {other}")),
        }
    };
    let launch = Launch::default().with_fuel(100_000 + 1_000 * walk.blocks.len() as u64);
    let behaviour = version.observe(function, &launch, &mut outside)?;
    if let Some(message) = wrong_turn {
        return Err(message);
    }
    if next != walk.blocks.len() {
        return Err(format!("{} after {next} of {} blocks", behaviour.ended, walk.blocks.len()));
    }
    match (&behaviour.ended, walk.is_finished) {
        (Ended::Returned(_), true) | (Ended::Cut, false) => Ok(behaviour),
        (ended, _) => Err(format!("{ended} at the end of the walk")),
    }
}

/// Checks that a function has the same behaviour before and after, from [`TRIES`] starts. Returns the number of starts that could be run:
/// zero if the function has parameters of unsupported types.
///
/// # Errors
/// The first difference, with its start.
pub fn compare_versions(
    before: &Version<'_>,
    after: &Version<'_>,
    function: Function,
    seed: u64,
) -> Result<usize, String> {
    let module = before.module();
    if module.entry(function).is_none() {
        return Ok(0);
    }
    let mut compared = 0;
    for index in 0..TRIES {
        let seed = mix(seed) ^ index as u64;
        let place = |version: &str, message: String| format!("start {index}, {version}: {message}");
        let Some(launch) = start(module, function, seed) else { return Ok(0) };
        let old =
            before.observe(function, &launch, &mut answers(module, seed)).map_err(|error| place("before", error))?;
        let new =
            after.observe(function, &launch, &mut answers(module, seed)).map_err(|error| place("after", error))?;
        compare(&old, &new)
            .map_err(|message| place("behaviour", format!("{message}\n  from {:?}", launch.arguments)))?;
        compared += 1;
    }
    Ok(compared)
}

fn start(module: &Module, function: Function, seed: u64) -> Option<Launch> {
    let mut random = Random::new(seed);
    let mut launch = Launch::default().with_fuel(50_000);
    for parameter in module.parameters(function) {
        let ty = module.ty(parameter)?;
        let argument = match module.op(ty) {
            Op::TypePointer => {
                launch.buffers.push((0..4096).map(|_| random.word() as u8).collect());
                Argument::Buffer(launch.buffers.len() - 1)
            }
            _ => Argument::Same(random_value(module, ty, &mut random)?),
        };
        launch.arguments.push(argument);
    }
    Some(launch)
}

/// Answers calls by random values, which depend only on the seed and the number of the call.
fn answers(module: &Module, seed: u64) -> impl FnMut(&Call, Function) -> Result<Option<Value>, String> {
    let mut random = Random::new(seed);
    let mut count = 0;
    move |_: &Call, callee: Function| {
        count += 1;
        let ty = module.ty(callee).filter(|&ty| module.op(ty) != Op::TypeVoid);
        match ty {
            _ if count > CALLS => Err("enough calls".to_owned()),
            None => Ok(None),
            Some(ty) => {
                random_value(module, ty, &mut random).map(Some).ok_or("no value of that type is known".to_owned())
            }
        }
    }
}

/// A value of a type: mostly small integers, since programs branch on these.
fn random_value(module: &Module, ty: Inst, random: &mut Random) -> Option<Value> {
    match module.type_view(ty)? {
        TypeView::Bool => Some(Value::Bool(random.chance(50))),
        TypeView::Int { width, .. } => {
            let bits = if random.chance(70) { random.below(5) as u64 } else { random.word() };
            Some(Value::int(width as u8, bits))
        }
        TypeView::Float { width, .. } => Some(Value::float(width as u8, random.below(17) as f64 / 4.0 - 2.0)),
        TypeView::Vector { component, count } => {
            let elements: Option<Vec<Value>> = (0..count).map(|_| random_value(module, component, random)).collect();
            elements.map(Value::composite)
        }
        _ => None,
    }
}
