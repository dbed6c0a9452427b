//! The main job: read, run the pipeline, write.

use std::time::{Duration, Instant};

use reconverge_ir::{Function, Module, text};
use reconverge_passes::{Options, StructurizeReport, forget_structure};
use reconverge_spirv::{Merges, ReadOptions, WriteOptions};
use reconverge_verify::{Finding, verify};

use crate::pipeline::{PASSES, Pass};
use crate::{Error, Format};

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Forget the structure that the input has, and find it again.
    pub strip_merges: bool,
    /// Hold the rules after every pass, not only at the end.
    pub verify_each: bool,
    /// Stop after the pass of this name.
    pub stop_after: Option<String>,
    /// Limits and style of the structurizer.
    pub structurize: Options,
}

/// What compiling gave.
#[derive(Debug)]
pub struct Output {
    /// The module in the format asked for.
    pub bytes: Vec<u8>,
    /// The module itself.
    pub module: Module,
    /// What the structurizer did, function by function; functions that were structured already are not in it.
    pub structurized: Vec<(Function, StructurizeReport)>,
    /// The passes that ran, with the time that each took over all functions.
    pub steps: Vec<Step>,
}

/// One pass that ran.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The pass.
    pub pass: &'static str,
    /// In how many functions it changed something.
    pub functions_changed: usize,
    /// How long it took.
    pub time: Duration,
}

/// Reads a module.
///
/// # Errors
/// [`Error::Text`] or [`Error::Spirv`], with the place.
pub fn read(bytes: &[u8], format: Format, strip_merges: bool) -> Result<Module, Error> {
    match format {
        Format::Spirv => {
            let merges = if strip_merges { Merges::Strip } else { Merges::Keep };
            reconverge_spirv::read(bytes, &ReadOptions { merges }).map_err(Error::Spirv)
        }
        Format::Text => {
            let text = String::from_utf8_lossy(bytes);
            let mut module = text::parse(&text).map_err(Error::Text)?;
            if strip_merges {
                let functions: Vec<Function> = module.functions().collect();
                functions.into_iter().for_each(|function| forget_structure(&mut module, function));
            }
            Ok(module)
        }
    }
}

/// Writes a module.
///
/// # Errors
/// [`Error::Write`] if the format cannot express it.
pub fn write(module: &Module, format: Format) -> Result<Vec<u8>, Error> {
    match format {
        Format::Spirv => reconverge_spirv::write(module, &WriteOptions::default()).map_err(Error::Write),
        Format::Text => Ok(text::print(module).into_bytes()),
    }
}

/// Reads a module and holds the rules against it. Every finding comes back, with the module to print them from.
///
/// # Errors
/// Those of [`read`].
pub fn check(bytes: &[u8], format: Format) -> Result<(Module, Vec<Finding>), Error> {
    let module = read(bytes, format, false)?;
    let findings = verify(&module);
    Ok((module, findings))
}

/// Reads a module, runs the pipeline over it, and writes it. The rules are held before the first pass and after the last.
///
/// # Errors
/// See [`Error`]; [`Error::Internal`] is a bug of ours.
pub fn compile(bytes: &[u8], from: Format, to: Format, options: &CompileOptions) -> Result<Output, Error> {
    let mut module = read(bytes, from, options.strip_merges)?;
    let findings = verify(&module);
    if !findings.is_empty() {
        return Err(Error::Invalid(findings));
    }
    let mut structurized = Vec::new();
    let mut steps = Vec::new();
    for (index, pass) in PASSES.iter().enumerate() {
        steps.push(run_pass(&mut module, pass, options, &mut structurized)?);
        let is_last = index + 1 == PASSES.len() || options.stop_after.as_deref() == Some(pass.name);
        if is_last || options.verify_each {
            let findings = verify(&module);
            if !findings.is_empty() {
                return Err(Error::Internal { pass: pass.name, findings });
            }
        }
        if is_last {
            break;
        }
    }
    let bytes = write(&module, to)?;
    Ok(Output { bytes, module, structurized, steps })
}

fn run_pass(
    module: &mut Module,
    pass: &Pass,
    options: &CompileOptions,
    structurized: &mut Vec<(Function, StructurizeReport)>,
) -> Result<Step, Error> {
    let start = Instant::now();
    let functions: Vec<Function> = module.functions().collect();
    let mut functions_changed = 0;
    for function in functions {
        let changes = (pass.run)(module, function, &options.structurize).map_err(|error| Error::Structurize {
            function: module.name(function).unwrap_or_else(|| format!("%{}", function.index())),
            error,
        })?;
        functions_changed += usize::from(changes.changed);
        structurized.extend(changes.structurized.map(|report| (function, report)));
    }
    Ok(Step { pass: pass.name, functions_changed, time: start.elapsed() })
}
