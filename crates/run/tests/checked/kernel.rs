//! A kernel of the folder: its launch and what is expected are comments of its source.
//!
//! ```text
//! // What it shows.
//! // run: --global 8 --local 4 --arg 'out:u32[8]=zero'
//! kernel void k(global uint *out) {
//!   out[get_global_id(0) + 1] = 1; // expect: U08
//! }
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use reconverge::Format;
use reconverge::ir::{Inst, Module};
use reconverge_diagnose::Sources;
use reconverge_run::{Argument, End, Interpretation, InterpreterOptions, KernelFailure, Launch, interpret};

/// A kernel.
pub(super) struct Checked {
    pub(super) name: String,
    pub(super) launch: Launch,
    pub(super) options: InterpreterOptions,
    /// Codes and lines; none for a right kernel.
    pub(super) expected: Vec<(String, u32)>,
}

/// What the interpreter found.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) code: String,
    /// The line, or those of both accesses of a race; none without debug information.
    pub(super) lines: Vec<u32>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels/checked")
}

/// All kernels, by name.
pub(super) fn all() -> Vec<Checked> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder is read").path());
    let mut sources: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|name| name == "cl")).collect();
    sources.sort();
    sources.iter().map(|path| Checked::read(path)).collect()
}

impl Checked {
    fn read(path: &Path) -> Checked {
        let name = path.file_stem().expect("a file").to_str().expect("a name of letters").to_owned();
        let source = fs::read_to_string(path).expect("the source is read");
        let flags = source.lines().find_map(|line| line.strip_prefix("// run: ")).expect("a launch");
        let (launch, options) = launch(flags);
        let expected = source.lines().zip(1..).filter_map(|(line, number)| {
            line.split_once("// expect: ").map(|(_, code)| (code.trim().to_owned(), number))
        });
        Checked { name, launch, options, expected: expected.collect() }
    }

    /// A module of the kernel.
    pub(super) fn module(&self, extension: &str) -> Module {
        let path = folder().join(format!("{}.{extension}", self.name));
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut module =
            reconverge::read(&bytes, Format::SPIRV).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        reconverge::repair(&mut module).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        module
    }

    /// What the interpreter finds in a module.
    pub(super) fn findings(&self, module: &Module) -> Vec<Finding> {
        let outcome = interpret(module, &self.launch, self.options);
        findings(module, &outcome.unwrap_or_else(|error| panic!("{}: {error}", self.name)))
    }
}

fn findings(module: &Module, outcome: &Interpretation) -> Vec<Finding> {
    let sources = Sources::new(module);
    let finding = |code: &str, places: &[Inst]| {
        let lines = places.iter().filter_map(|&place| sources.place(place)).map(|place| place.line);
        Finding { code: code.to_owned(), lines: lines.collect() }
    };
    let races = outcome.races.iter().map(|race| finding("run-race", &[race.first.place.inst, race.second.place.inst]));
    let writes = outcome.undefined.iter().map(|write| finding("U15", &[write.place.inst]));
    let failure = outcome.failure.iter().map(|KernelFailure { end, .. }| match end {
        End::Undefined { behaviour, place } => finding(behaviour.name(), &[place.inst]),
        End::OutOfFuel(place) => finding("run-fuel", &[place.inst]),
        End::TooDeep(place) => finding("run-depth", &[place.inst]),
        other => finding(&other.to_string(), &[]),
    });
    races.chain(writes).chain(failure).collect()
}

/// The launch that flags of the command line state.
fn launch(flags: &str) -> (Launch, InterpreterOptions) {
    let (mut launch, mut options) = (Launch::default(), InterpreterOptions::default());
    let mut words = flags.split_whitespace().map(|word| word.trim_matches('\''));
    while let Some(flag) = words.next() {
        let value = words.next().expect("a flag has a value");
        let numbers: Vec<u64> = value.split(',').filter_map(|number| number.parse().ok()).collect();
        let axis = |index: usize| numbers.get(index).copied().unwrap_or(1);
        match flag {
            "--global" => (launch.global, launch.dimensions) = ([axis(0), axis(1), axis(2)], numbers.len() as u32),
            "--local" => launch.local = Some([axis(0) as u32, axis(1) as u32, axis(2) as u32]),
            "--arg" => launch.arguments.push(Argument::from_flag(value).expect("an argument")),
            "--fuel" => options.fuel = axis(0),
            other => panic!("{other}"),
        }
    }
    (launch, options)
}
