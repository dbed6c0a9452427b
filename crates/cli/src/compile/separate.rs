//! `compile --separate`: each input alone, to a file of its own in a folder.
//!
//! ```text
//! compile a.spv lib/b.cl -o out/ --separate      a.spv ──▶ out/a.spv
//!                                                lib/b.cl ──▶ out/b.spv
//! ```
//!
//! An input that fails does not keep the others from their outputs.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use reconverge::Format;
use serde_json::json;

use super::{Arguments, run_one};
use crate::diagnostics::{Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::input::is_standard_stream;
use crate::output;
use crate::output_format::OutputFormat;

/// Compiles each input.
pub(super) fn run(arguments: &Arguments, reporter: Reporter) -> Result<(), Exit> {
    let parts = parts(arguments).map_err(|message| reporter.wrong_usage(message))?;
    for folder in folders(arguments) {
        fs::create_dir_all(folder).map_err(|error| {
            let name = folder.display().to_string();
            reporter.report(&[io_diagnostic("cannot create the folder", &error, Some(&name))]);
            Exit::Io
        })?;
    }
    let name = |part: &Arguments| part.inputs[0].display().to_string();
    let failed: Vec<(Exit, String)> =
        parts.iter().filter_map(|part| Some((run_one(part, reporter).err()?, name(part)))).collect();
    let Some(&(first, _)) = failed.first() else { return Ok(()) };
    let names: Vec<&str> = failed.iter().map(|(_, name)| &**name).collect();
    let (failed, all) = (failed.len(), parts.len());
    let others = if failed < all { "; the others are compiled" } else { "" };
    let more = if failed > NAMED { format!(" and {} more", failed - NAMED) } else { String::new() };
    let named = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let text = format!("{failed} of {all} inputs failed: {named}{more}{others}");
    reporter.remark(&text, &json!({ "kind": "separate", "failed": failed, "inputs": all, "names": names }));
    Err(first)
}

/// The most inputs that the last line names.
const NAMED: usize = 10;

/// The folders of the outputs.
fn folders(arguments: &Arguments) -> impl Iterator<Item = &Path> {
    [Some(&arguments.output), arguments.reflection.as_ref(), arguments.report.as_ref()]
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
}

/// The command of each input.
fn parts(arguments: &Arguments) -> Result<Vec<Arguments>, String> {
    if arguments.dependencies.has_one_file() {
        return Err(
            "-MF names the rule of one output: with --separate, leave it out, and each rule is beside its output"
                .to_owned(),
        );
    }
    let is_file = |path: &Path| match path.exists() {
        true => !path.is_dir(),
        false => is_standard_stream(path) || path.extension().is_some(),
    };
    if let Some(file) = folders(arguments).find(|folder| is_file(folder)) {
        return Err(format!("--separate writes files into a folder, and {} is none", file.display()));
    }
    // Some systems do not distinguish letters by their case.
    let mut names = HashSet::new();
    let mut parts = Vec::with_capacity(arguments.inputs.len());
    for input in &arguments.inputs {
        let part = part(arguments, input)?;
        if let Some(read) = arguments.inputs.iter().find(|read| output::is_same(read, &part.output)) {
            return Err(format!("--separate would overwrite the input {}: choose another folder", read.display()));
        }
        if !names.insert(part.output.to_string_lossy().to_lowercase()) {
            return Err(format!("two inputs would be written to {}: give them different names", part.output.display()));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn part(arguments: &Arguments, input: &Path) -> Result<Arguments, String> {
    let stem = input.file_stem().filter(|_| !is_standard_stream(input));
    let stem = stem.ok_or_else(|| "--separate names outputs after their inputs, and stdin has no name".to_owned())?;
    let file = |folder: &Path, extension: &str| {
        let mut name = OsString::from(stem);
        name.push(".");
        name.push(extension);
        folder.join(name)
    };
    Ok(Arguments {
        inputs: vec![input.to_owned()],
        output: file(&arguments.output, extension(arguments, input)),
        reflection: arguments.reflection.as_deref().map(|folder| file(folder, "json")),
        report: arguments.report.as_deref().map(|folder| file(folder, "html")),
        ..arguments.clone()
    })
}

/// The extension of an output: that of the format that is asked for, of the machine code of the target, of the input, or `.spv`.
fn extension(arguments: &Arguments, input: &Path) -> &'static str {
    let of_target = || OutputFormat::of_target(arguments.target).next();
    let of_input = || {
        let format = OutputFormat::from_path(input).ok().flatten().and_then(OutputFormat::module_format)?;
        (!format.is_shading_language() && format != Format::DXIL).then(|| OutputFormat::of_module(format))
    };
    let format = arguments.to.or_else(of_target).or_else(of_input);
    format.unwrap_or_else(|| OutputFormat::of_module(Format::SPIRV)).extension()
}
