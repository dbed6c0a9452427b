//! T4: the results of other tools for the output.
//!
//! Random graphs become Vulkan shaders, are structurized and passed to every installed consumer. spirv-val must accept every one. Other
//! tools reject some or crash on them for reasons of their own: each result is counted by its message, without numbers and names.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge_ir::{Function, Module};
use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{WriteOptions, write};

use super::plan::Verdict;
use super::pool::{Effort, in_parallel};
use super::tally::{Fault, FaultKind, Tally};
use crate::generators::structured::{Form, structured};
use crate::generators::tortured::tortured;
use crate::judge::{Environment, Validator};
use crate::plain_graph::PlainGraph;
use crate::program_from_graph::as_shader;
use crate::random::mix;

/// A program that takes SPIR-V.
struct Consumer {
    name: &'static str,
    /// Its possible paths.
    places: [&'static str; 2],
    /// Its arguments after the file.
    arguments: &'static [&'static str],
}

const CONSUMERS: [Consumer; 3] = [
    Consumer { name: "naga", places: ["/usr/local/bin/naga", "naga"], arguments: &[] },
    Consumer {
        name: "spirv-cross glsl",
        places: ["/usr/bin/spirv-cross", "spirv-cross"],
        arguments: &["--vulkan-semantics"],
    },
    Consumer { name: "spirv-cross msl", places: ["/usr/bin/spirv-cross", "spirv-cross"], arguments: &["--msl"] },
];

impl Consumer {
    fn path(&self) -> Option<PathBuf> {
        self.places.iter().map(PathBuf::from).find(|path| path.exists())
    }

    /// Its result, in a few words.
    fn ask(&self, path: &Path, file: &Path) -> String {
        let output = match Command::new(path).arg(file).args(self.arguments).output() {
            Ok(output) => output,
            Err(error) => return format!("cannot be started: {error}"),
        };
        match output.status.code() {
            Some(0) => "accepts".to_owned(),
            None => format!("falls over: {}", output.status),
            Some(_) => format!("refuses: {}", words(&String::from_utf8_lossy(&output.stderr))),
        }
    }
}

/// The first relevant line of a message, without its numbers.
fn words(message: &str) -> String {
    let line = message.lines().map(str::trim).rfind(|line| line.chars().any(char::is_alphabetic)).unwrap_or_default();
    let mut found = String::new();
    for character in line.chars().take(120) {
        match character {
            '0'..='9' if found.ends_with('#') => {}
            '0'..='9' => found.push('#'),
            other => found.push(other),
        }
    }
    found
}

/// The consumers that are not installed.
pub fn missing() -> Vec<&'static str> {
    CONSUMERS.iter().filter(|consumer| consumer.path().is_none()).map(|consumer| consumer.name).collect()
}

/// The graph of a seed: half of them from structured statements, half mutated.
fn graph(seed: u64) -> PlainGraph {
    match seed.is_multiple_of(2) {
        true => structured(seed, 4 + (mix(seed) % 20) as usize, Form::Optimized),
        false => tortured(seed, 6 + (mix(seed) % 30) as usize),
    }
}

/// Passes the shaders of seeds from the effort's seed times 2³² on to all consumers.
pub fn run(effort: &Effort, validator: Option<&Validator>) -> Tally {
    let pieces = usize::try_from(effort.tries).unwrap_or(usize::MAX);
    in_parallel(pieces, effort, |piece, worker| {
        let seed = (effort.seed << 32) + piece as u64;
        let graph = graph(seed);
        let mut said = Vec::new();
        worker.attempt(
            || format!("seed {seed}\n  {graph}"),
            || match hand_around(&graph, seed, validator, &mut said) {
                Ok(()) => Verdict::Fine { before: 1, after: 1, is_complete: true },
                Err(message) => {
                    Verdict::Fault(Fault::new(FaultKind::Invalid, format!("seed {seed}: {message}\n  {graph}")))
                }
            },
        );
        let kind = if seed.is_multiple_of(2) { "structured" } else { "spoiled" };
        said.into_iter().for_each(|(name, answer)| worker.tally.count(&format!("{kind}: {name} {answer}"), 1));
    })
}

fn hand_around(
    graph: &PlainGraph,
    seed: u64,
    validator: Option<&Validator>,
    said: &mut Vec<(&'static str, String)>,
) -> Result<(), String> {
    let mut module: Module = as_shader(std::slice::from_ref(graph), seed).module;
    for function in module.functions().collect::<Vec<Function>>() {
        structurize(&mut module, function, &Options::default()).map_err(|error| error.to_string())?;
    }
    let bytes = write(&module, &WriteOptions::default()).map_err(|error| error.to_string())?;
    if let Some(validator) = validator {
        validator.validate(&bytes, Environment::Vulkan1_3).map_err(|message| format!("spirv-val: {message}"))?;
        said.push(("spirv-val", "accepts".to_owned()));
    }
    let file = tempfile::Builder::new().suffix(".spv").tempfile().map_err(|error| error.to_string())?;
    std::fs::write(file.path(), &bytes).map_err(|error| error.to_string())?;
    for consumer in &CONSUMERS {
        if let Some(path) = consumer.path() {
            said.push((consumer.name, consumer.ask(&path, file.path())));
        }
    }
    Ok(())
}
