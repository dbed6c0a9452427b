//! A line `; launch --global 8 --local 4 --arg out:u32[8] --arg u32=3 = 0 3 6 …`: a kernel that must have the same outputs before and after
//! a pass.
//!
//! The flags are those of `reconverge run`. After `=` are the outputs of the kernel before the pass: the elements of the output buffers,
//! with the buffers separated by `|`. A line `; launch-compiled …` is for a kernel that the interpreter cannot run before the pass; its
//! outputs are those after the pass.

use reconverge::ir::Module;
use reconverge::opencl::Reflection;
use reconverge_run::{
    Argument, Interpretation, InterpreterOptions, Launch, RunError, compare, interpret, interpret_compiled,
};

use super::case::Case;

const DIRECTIVE: &str = "; launch ";
const COMPILED: &str = "; launch-compiled ";

/// The result of a pass: the module, and the launch of kernels from now on.
#[derive(Clone, Copy)]
pub(super) struct After<'m> {
    pub(super) module: &'m Module,
    pub(super) reflection: &'m Reflection,
}

/// Checks that every launch gives the same after a pass as before, and writes down what that is. Once a pass made entry points without
/// parameters of the kernels, the launch is bound by what the reflection says.
pub(super) fn check_same(case: &Case, before: &Module, after: After<'_>) -> Result<Case, String> {
    let mut input = String::new();
    for line in case.input.lines() {
        let directives = [(DIRECTIVE, Some(before)), (COMPILED, None)].into_iter();
        let mut found = directives.filter_map(|(name, before)| Some((name, before, line.strip_prefix(name)?)));
        match found.next() {
            None => input.push_str(line),
            Some((name, before, rest)) => {
                let flags = rest.split_once(" = ").map_or(rest, |(flags, _)| flags).trim();
                let outputs = outputs(flags, before, after).map_err(|message| format!("launch {flags}: {message}"))?;
                input.push_str(&format!("{name}{flags} = {outputs}"));
            }
        }
        input.push('\n');
    }
    Ok(Case { command: case.command.clone(), input })
}

fn outputs(flags: &str, before: Option<&Module>, after: After<'_>) -> Result<String, String> {
    let After { module: after, reflection } = after;
    let launch = launch(flags)?;
    let options = InterpreterOptions::default();
    let right = before.map(|before| finished(interpret(before, &launch, options), &launch)).transpose();
    let right = right.map_err(|error| format!("before: {error}"))?;
    let run = match reflection.kernels.is_empty() {
        true => interpret(after, &launch, options),
        false => interpret_compiled(after, reflection, &launch, options),
    };
    let found = finished(run, &launch).map_err(|error| format!("after: {error}"))?;
    if let Some(right) = &right {
        compare(&launch, &right.concat(), &found).map_err(|mismatch| mismatch.to_string())?;
    }
    let right = right.unwrap_or(found);
    let shown = launch.outputs().zip(&right).map(|(output, bytes)| {
        let buffer = output.buffer;
        let elements = bytes.chunks(buffer.element.size()).map(|element| buffer.element.text(element));
        elements.collect::<Vec<_>>().join(" ")
    });
    Ok(shown.collect::<Vec<_>>().join(" | "))
}

/// The output buffers of a run that ended without an error and without a race.
fn finished(run: Result<Interpretation, RunError>, launch: &Launch) -> Result<Vec<Vec<u8>>, String> {
    let run = run.map_err(|error| error.to_string())?;
    match (run.failure, run.races.first()) {
        (Some(failure), _) => Err(failure.to_string()),
        (None, Some(race)) => Err(race.to_string()),
        (None, None) => Ok(launch.outputs().map(|output| run.buffers[output.index].clone()).collect()),
    }
}

fn launch(flags: &str) -> Result<Launch, String> {
    let mut launch = Launch::default();
    let words: Vec<&str> = flags.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["--kernel", name] => launch.kernel = Some(name.to_owned()),
            ["--global", sizes] => {
                launch.global = three(sizes, 1)?;
                launch.dimensions = sizes.split(',').count() as u32;
            }
            ["--local", sizes] => launch.local = Some(three(sizes, 1)?.map(|size| size as u32)),
            ["--offset", sizes] => launch.offset = three(sizes, 0)?,
            ["--arg", argument] => {
                launch.arguments.push(Argument::from_flag(argument).map_err(|error| error.to_string())?);
            }
            _ => return Err(format!("unknown flag {}", pair.join(" "))),
        }
    }
    Ok(launch)
}

fn three(sizes: &str, missing: u64) -> Result<[u64; 3], String> {
    let mut three = [missing; 3];
    for (index, size) in sizes.split(',').enumerate() {
        let place = three.get_mut(index).ok_or_else(|| format!("`{sizes}` are more than three sizes"))?;
        *place = size.parse().map_err(|_| format!("`{size}` is no size"))?;
    }
    Ok(three)
}
