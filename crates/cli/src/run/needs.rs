//! What the flags of `run` need, and what they exclude. The launch answers what the arguments leave open.

use std::path::{Path, PathBuf};

use reconverge_run::{Launch, OutputBuffer, THREADS_LIMIT, is_named_npy, is_named_png};

use super::{Arguments, Engine};
use crate::input::is_standard_stream;
use crate::needs;
use crate::output;

type Flag = needs::Flag<Arguments, Launch>;
type Need = needs::Need<Arguments, Launch>;

/// All rows, in the order of their errors.
pub(super) const TABLES: [&[Flag]; 3] = [OF_OUTPUTS, OF_INTERPRETER, OF_ENGINES];

/// The flags that choose the interpreter if no engine is named.
pub(super) const OF_INTERPRETER: &[Flag] = &[
    Flag::new("--compiled", |given| given.compiled, &[INTERPRETER]),
    Flag::new("--subgroup-size", |given| given.subgroup_size.is_some(), &[INTERPRETER]),
    Flag::new("--fuel", |given| given.fuel.is_some(), &[INTERPRETER]),
    Flag::new("--races", |given| given.races.is_some(), &[INTERPRETER]),
];

/// The other flags that some engines have. None of them is for the interpreter alone.
pub(super) const OF_ENGINES: &[Flag] = &[
    Flag::new("--width", |given| given.width.is_some(), &[CPU, WIDTHS]),
    Flag::new("--vectors", |given| given.vectors.is_some(), &[CPU, VECTORS]),
    Flag::new("--threads", |given| given.threads.is_some(), &[CPU, THREADS]),
    Flag::new("--checked", |given| given.checked, &[CPU]),
    Flag::new("--why", |given| given.why, &[CPU]),
    Flag::new("--assembly", |given| given.assembly.is_some(), &[MACHINE_CODE]),
    Flag::new("--device", |given| given.device.is_some(), &[VULKAN]),
    Flag::new("--validation", |given| given.validation, &[VULKAN]),
    Flag::new("--timeout", |given| given.timeout.is_some(), &[CPU_OR_VULKAN]),
    Flag::new("--pointers", |given| given.pointers.is_some(), &[COMPILED_FOR_VULKAN]),
    Flag::new("--fma", |given| given.fma.is_some(), &[COMPILED, FUSED]),
];

/// The flags of inputs and outputs.
pub(super) const OF_OUTPUTS: &[Flag] = &[
    Flag::new("--tolerance", |given| !given.outcome.tolerance.is_empty(), &[ONE_OR_TWO, NOT_NEGATIVE, COMPARED]),
    Flag::new("--all", |given| given.outcome.all, &[PRINTED]),
    Flag::new(
        "--dump",
        |given| given.outcome.dump.is_some(),
        &[NO_TERMINAL, SOME_OUTPUT, ONE_ARRAY, ONE_PICTURE, DUMP_OF_ITS_OWN],
    ),
    Flag::new("--assembly", |given| given.assembly.is_some(), &[ASSEMBLY_OF_ITS_OWN]),
    Flag::always(&[Need::of(|given, _, _| given.reading().unmet_need(&given.inputs, &given.source))]),
];

const INTERPRETER: Need = Need::new("Interpreter", |given, _, flag| given.lacks(&[Engine::Interpreter], flag));
const CPU: Need = Need::new("CPU", |given, _, flag| given.lacks(&[Engine::Cpu], flag));
const VULKAN: Need = Need::new("Vulkan", |given, _, flag| given.lacks(&[Engine::Vulkan], flag));
const CPU_OR_VULKAN: Need =
    Need::new("CPU, Vulkan", |given, _, flag| given.lacks(&[Engine::Cpu, Engine::Vulkan], flag));
const MACHINE_CODE: Need =
    Need::new("CPU, emulator of the VC4", |given, _, flag| given.lacks(&[Engine::Cpu, Engine::Vc4Emulator], flag));

const COMPILED_FOR_VULKAN: Need = Need::new("Compiled kernels", |given, _, flag| {
    let has_bindings = given.engine() == Engine::Vulkan || given.engine() == Engine::Interpreter && given.compiled;
    (!has_bindings).then(|| format!("{flag} is for compiled kernels: add --compiled or --on vulkan"))
});

const COMPILED: Need = Need::new("Compiled kernels", |given, _, flag| {
    let is_source = given.engine() == Engine::Interpreter && !given.compiled;
    is_source
        .then(|| format!("{flag} is for compiled kernels: add --compiled, --on cpu, --on vulkan or --on vc4-emulator"))
});

/// A machine that has what `--fma` asks for.
const FUSED: Need = Need::of(|given, _, flag| given.fma?.unmet_need(given.engine().back_end()?, flag));

const WIDTHS: Need = Need::of(|given, _, flag| {
    let width = given.width.filter(|width| ![1, 8, 16].contains(width))?;
    Some(format!("{flag} is 1, 8 or 16, not {width}"))
});

const VECTORS: Need = Need::of(|given, _, flag| match given.vectors? {
    vectors if ![1, 2, 4].contains(&vectors) => Some(format!("{flag} is 1, 2 or 4, not {vectors}")),
    2.. if given.width == Some(1) => Some(format!("--width 1 has one lane and needs no {flag}")),
    _ => None,
});

const THREADS: Need = Need::of(|given, _, flag| {
    let is_possible = given.threads.is_none_or(|threads| (1..=THREADS_LIMIT).contains(&threads));
    (!is_possible).then(|| format!("{flag} is 1 to {THREADS_LIMIT}"))
});

const ONE_OR_TWO: Need = Need::of(|given, _, flag| {
    (given.outcome.tolerance.len() > 2).then(|| format!("{flag} takes one or two numbers, ABS[,REL]"))
});

const NOT_NEGATIVE: Need = Need::of(|given, _, flag| {
    let is_wrong = given.outcome.tolerance.iter().any(|part| !part.is_finite() || *part < 0.0);
    is_wrong.then(|| format!("{flag} takes numbers that are finite and not negative"))
});

const COMPARED: Need = Need::of(|given, launch, flag| {
    let launch = launch?;
    (!given.compares(launch))
        .then(|| format!("{flag} needs outputs that are compared: add --expect, or a launch with `expected`"))
});

const PRINTED: Need = Need::of(|given, launch, flag| {
    let launch = launch?;
    let is_printed = !given.compares(launch) && given.outcome.dump.is_none();
    (!is_printed).then(|| format!("{flag} is for printed outputs, but these are compared or written to a file"))
});

const NO_TERMINAL: Need = Need::of(|given, _, flag| {
    output::binary_for_terminal(given.outcome.dump.as_deref()?)?;
    Some(format!("the bytes of outputs are binary, and stdout is a terminal: {flag} to a file, or `{flag} - > FILE`"))
});

const SOME_OUTPUT: Need = Need::of(|_, launch, flag| {
    let message =
        || format!("{flag} writes outputs, and no argument is one: write out:TYPE[COUNT]=CONTENTS for a buffer");
    launch?.outputs().next().is_none().then(message)
});

const ONE_ARRAY: Need = Need::of(|given, launch, flag| {
    let launch = launch?;
    let outputs = launch.outputs().count();
    given.outcome.dump.as_deref().filter(|dump| outputs != 1 && is_named_npy(dump))?;
    Some(format!(
        "a file .npy has one array, and the launch has {outputs} outputs: {flag} to a file of another name writes the bytes of all"
    ))
});

const ONE_PICTURE: Need = Need::of(|given, launch, flag| {
    let launch = launch?;
    given.outcome.dump.as_deref().filter(|dump| is_named_png(dump))?;
    let count = launch.outputs().count();
    let why = match launch.outputs().next().filter(|_| count == 1) {
        Some(OutputBuffer { image: Some(image), .. }) => image.png_misfit()?,
        Some(_) => "a file .png has a picture, and the output is a buffer".to_owned(),
        None => format!("a file .png has one picture, and the launch has {count} outputs"),
    };
    let other = if count == 1 { "an array to a file .npy" } else { "the bytes of all to a file of another name" };
    Some(format!("{why}: {flag} writes {other}"))
});

/// A file that is not the module, the launch, or the expected outputs.
const DUMP_OF_ITS_OWN: Need = Need::of(|given, launch, flag| {
    let launch = launch?;
    let dump = given.outcome.dump.as_deref()?;
    let expected = [given.outcome.expect.as_deref(), launch.expected.as_deref().map(Path::new)];
    overwritten(dump, expected.into_iter().flatten().chain(given.read()), flag)
});

/// A file that is neither read nor another output.
const ASSEMBLY_OF_ITS_OWN: Need = Need::of(|given, _, flag| {
    let assembly = given.assembly.as_deref()?;
    let overwritten = overwritten(assembly, given.read(), flag);
    if overwritten.is_some() {
        return overwritten;
    }
    if given.outcome.dump.as_deref().is_some_and(|dump| output::is_same(assembly, dump)) {
        return Some(format!("{flag} and --dump would both write to {}", assembly.display()));
    }
    let is_mixed = output::is_stdout(assembly) && given.outcome.json;
    is_mixed.then(|| format!("--json is the whole of stdout: {flag} to a file"))
});

fn overwritten<'a>(own: &Path, mut read: impl Iterator<Item = &'a Path>, flag: &str) -> Option<String> {
    let path = read.find(|path| output::is_same(own, path) && !is_standard_stream(path))?;
    Some(format!("{flag} would overwrite {}, which this run reads", path.display()))
}

impl Arguments {
    /// The files of the module, of the launch and of its arguments.
    fn read(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path).chain(self.launch.path()).chain(self.launch.argument_files())
    }

    fn compares(&self, launch: &Launch) -> bool {
        self.outcome.expect.is_some() || launch.expected.is_some()
    }

    /// The error of a flag if the engine that runs is none of those that have it.
    fn lacks(&self, engines: &[Engine], flag: &str) -> Option<String> {
        let engine = self.engine();
        if engines.contains(&engine) {
            return None;
        }
        let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
        let because = match self.on {
            None if engine == Engine::Interpreter => ", but another flag selects the interpreter",
            _ => "",
        };
        Some(format!("{flag} requires --on {}{because}", names.join(" or --on ")))
    }
}
