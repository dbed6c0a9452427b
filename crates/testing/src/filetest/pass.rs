//! `; test pass NAME [option=value …]`: what a pass makes of a module.
//!
//! Besides the expectation: the verifier has no finding before and none after, every function does the same before and after, what
//! was printed reads back, and the pass run again changes nothing.

use reconverge_ir::{Function, Module, text};
use reconverge_passes as passes;
use reconverge_verify::verify;

use super::case::{Case, difference};
use super::print::round_trip;
use crate::behaviour::Version;
use crate::equivalence::compare_versions;

/// The file with the module after the pass.
pub(super) fn run(case: &Case, words: &[&str]) -> Result<String, String> {
    let before = case.module()?;
    hold_valid("before", &before)?;
    let mut after = before.clone();
    apply(&mut after, words)?;
    let printed = text::print(&after);
    let right = case.with_output(&printed);
    let with_output = |message: String| format!("{message}\n{printed}");
    hold_valid("after", &after).map_err(with_output)?;
    round_trip(&printed)?;
    let versions = (Version::new(&before), Version::new(&after));
    for function in functions(&before) {
        compare_versions(&versions.0, &versions.1, function, 1).map_err(|message| {
            with_output(format!("function {}: {message}", before.name(function).unwrap_or_default()))
        })?;
    }
    let mut again = after.clone();
    apply(&mut again, words)?;
    let twice = text::print(&again);
    match twice == printed {
        true => Ok(right),
        false => Err(format!("a second run changes it again: {}", difference(&printed, &twice))),
    }
}

fn hold_valid(version: &str, module: &Module) -> Result<(), String> {
    let findings = verify(module);
    match findings.is_empty() {
        true => Ok(()),
        false => {
            let lines = findings
                .iter()
                .map(|finding| format!("  {}: {}\n    {}", finding.code, finding.message, finding.context));
            Err(format!("the verifier objects {version}:\n{}", lines.collect::<Vec<_>>().join("\n")))
        }
    }
}

/// Functions with a body.
fn functions(module: &Module) -> Vec<Function> {
    module.functions().filter(|&function| module.entry(function).is_some()).collect()
}

fn apply(module: &mut Module, words: &[&str]) -> Result<(), String> {
    let (name, settings) = words.split_first().ok_or("no pass is named")?;
    let options = options(settings)?;
    for function in functions(module) {
        match *name {
            "structurize" => {
                passes::structurize(module, function, &options).map_err(|error| error.to_string())?;
            }
            "forget_structure" => {
                passes::forget_structure(module, function);
            }
            "remove_unreachable" => {
                passes::remove_unreachable(module, function);
            }
            _ => return Err(format!("unknown pass {name}")),
        }
    }
    Ok(())
}

fn options(settings: &[&str]) -> Result<passes::Options, String> {
    let mut options = passes::Options::default();
    for setting in settings {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| format!("`{setting}` does not read `option=value`"))?;
        let number = value.parse().map_err(|_| format!("`{value}` is no number"))?;
        match name {
            "nesting_limit" => options.nesting_limit = number,
            "chain_limit" => options.chain_limit = number,
            "block_limit" => options.block_limit = number as usize,
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(options)
}
