//! `cargo xtask hunt debug DIR...`: every source below the folders, compiled by the front ends that read it, with each of their kinds of
//! debug information; the results are compiled at every level, with their merges and without.
//!
//! ```text
//! source ─ front end, flags ─▶ SPIR-V ─ reconverge, level ─▶ valid? stores of the lines that there were?
//! ```
//!
//! A store of the output has a line that a store of its input has, and at `-O0` no line has more stores than before. The code is that of a
//! build without debug information: stripping the output gives what compiling the stripped input gives, instruction for instruction.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use reconverge::ir::{Inst, Module, Op, compare};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Merges, Source};
use reconverge_optimize::{Interface, remove_unused_globals, strip_debug};

use super::case::validate;
use super::judge::{Outcome, guarded, refused};
use crate::table::Table;
use xtask_setup::workspace;

/// The arguments of `cargo xtask hunt debug`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders of sources in GLSL and OpenCL C, as deep as they lie
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// On how many threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Begin no source after so many minutes
    #[arg(long, default_value_t = 600)]
    minutes: u64,
}

/// A front end, its inputs, and its arguments.
struct FrontEnd {
    program: &'static str,
    /// The program that makes SPIR-V of what it writes, if it does not itself; the flags for debug information are for this one then.
    translator: Option<&'static str>,
    extensions: &'static [&'static str],
    arguments: &'static [&'static str],
    /// Ways to ask for debug information.
    debug: &'static [&'static [&'static str]],
    /// The further arguments, and the environment for which the validator checks the output.
    targets: &'static [(&'static [&'static str], &'static str)],
}

const GLSL: &[&str] = &["comp", "vert", "frag", "geom", "tesc", "tese", "mesh", "task", "rgen", "rchit", "rahit"];

const FRONT_ENDS: [FrontEnd; 4] = [
    FrontEnd {
        program: "glslangValidator",
        translator: None,
        extensions: GLSL,
        arguments: &["-V", "--auto-map-locations", "--auto-map-bindings"],
        debug: &[&["-g"], &["-gV"], &["-gVS"]],
        targets: &[
            (&["--target-env", "vulkan1.1"], "vulkan1.1"),
            (&["--target-env", "vulkan1.3"], "vulkan1.3"),
            (&["--target-env", "vulkan1.3", "-Os"], "vulkan1.3"),
        ],
    },
    FrontEnd {
        program: "glslc",
        translator: None,
        extensions: GLSL,
        arguments: &["-fauto-map-locations", "-fauto-bind-uniforms"],
        debug: &[&["-g"]],
        targets: &[
            (&["--target-env=vulkan1.1", "-O0"], "vulkan1.1"),
            (&["--target-env=vulkan1.3", "-O"], "vulkan1.3"),
            (&["--target-env=vulkan1.3", "-Os"], "vulkan1.3"),
        ],
    },
    FrontEnd {
        program: "clang-22",
        translator: None,
        extensions: &["cl"],
        arguments: &["-cl-std=CL2.0", "--target=spirv64", "-Xclang", "-finclude-default-header", "-w", "-c"],
        debug: &[&["-g"], &["-gline-tables-only"], &["-g", "-mllvm", "--spv-emit-nonsemantic-debug-info"]],
        targets: &[(&["-O0"], "spv1.6"), (&["-O1"], "spv1.6"), (&["-O3"], "spv1.6")],
    },
    FrontEnd {
        program: "clang-15",
        translator: Some("llvm-spirv-15"),
        extensions: &["cl"],
        arguments: &[
            "-cl-std=CL2.0",
            "--target=spir64-unknown-unknown",
            "-Xclang",
            "-finclude-default-header",
            "-w",
            "-c",
            "-emit-llvm",
            "-g",
        ],
        debug: &[&["--spirv-debug-info-version=ocl-100"], &["--spirv-debug-info-version=legacy"]],
        targets: &[(&["-O0"], "spv1.6"), (&["-O1"], "spv1.6"), (&["-O3"], "spv1.6")],
    },
];

/// The outcomes of the builds of a source: their counts, by front end and flags, and remarks.
#[derive(Default)]
struct BuildTally {
    counts: BTreeMap<(String, Outcome), u64>,
    remarks: Vec<String>,
    sources: usize,
}

/// Hunts in the folders; a fault makes the command fail.
pub(super) fn debug(arguments: &Arguments) -> Result<(), String> {
    for program in FRONT_ENDS.iter().flat_map(|it| std::iter::once(it.program).chain(it.translator)) {
        workspace::find_program(program)
            .ok_or_else(|| format!("{program} is not there: {}", how_to_install(program)))?;
    }
    let sources = sources_under(&arguments.folders)?;
    std::panic::set_hook(Box::new(|_| ()));
    let until = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let threads = arguments.threads.max(1);
    let part = |first: usize| {
        let scratch = workspace::root().join(format!("target/hunt/{}-{first}", std::process::id()));
        fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let mut found = BuildTally::default();
        for source in sources.iter().skip(first).step_by(threads).take_while(|_| Instant::now() < until) {
            judge_source(source, &scratch, &mut found);
        }
        let _ = fs::remove_dir_all(&scratch);
        Ok(found)
    };
    let parts: Vec<Result<BuildTally, String>> = thread::scope(|scope| {
        let part = &part;
        let running: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        running.into_iter().map(|thread| thread.join().expect("a panic is an outcome")).collect()
    });
    let _ = std::panic::take_hook();
    let mut all = BuildTally::default();
    for found in parts {
        let found = found?;
        found.counts.into_iter().for_each(|(key, count)| *all.counts.entry(key).or_default() += count);
        all.remarks.extend(found.remarks);
        all.sources += found.sources;
    }
    all.remarks.iter().for_each(|remark| println!("{remark}"));
    print!("{}", table(&all.counts));
    let faults: u64 = all.counts.iter().filter(|((_, outcome), _)| outcome.is_fault()).map(|(_, count)| count).sum();
    println!("{} of {} sources", all.sources, sources.len());
    if faults == 0 { Ok(()) } else { Err(format!("{faults} faults")) }
}

fn how_to_install(program: &str) -> String {
    let package = if program == "glslangValidator" { "glslang-tools" } else { program };
    format!("`apt-get install {package}` installs it")
}

fn sources_under(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let is_read = |extension: &OsStr| FRONT_ENDS.iter().any(|it| it.extensions.iter().any(|&known| extension == known));
    let (mut stack, mut sources) = (folders.to_vec(), Vec::new());
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            stack.extend(entries.filter_map(Result::ok).map(|entry| entry.path()));
        } else if path.extension().is_some_and(is_read) {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

fn judge_source(source: &Path, scratch: &Path, found: &mut BuildTally) {
    found.sources += 1;
    let extension = source.extension().unwrap_or_default();
    for front_end in FRONT_ENDS.iter().filter(|it| it.extensions.iter().any(|&known| extension == known)) {
        for &debug in front_end.debug {
            for &(target, environment) in front_end.targets {
                let words = [debug, target].concat().join(" ");
                // A source that a front end refuses makes no module.
                let Ok(spirv) = built(front_end, source, debug, target, scratch) else { continue };
                let name = format!("{} {}", front_end.program, debug.join(" "));
                for (mode, outcome, message) in judge_build(&spirv, environment, scratch) {
                    *found.counts.entry((name.clone(), outcome)).or_default() += 1;
                    if outcome.is_fault() {
                        let line = message.lines().next().unwrap_or_default();
                        let remark = format!("{} {words}, {mode}: {outcome:?}: {line}", source.display());
                        found.remarks.push(remark);
                    }
                }
            }
        }
    }
}

fn built(
    front_end: &FrontEnd,
    source: &Path,
    debug: &[&str],
    target: &[&str],
    scratch: &Path,
) -> Result<Vec<u8>, String> {
    let module = scratch.join("built.spv");
    let mut command = Command::new(front_end.program);
    command.args(front_end.arguments).args(target).arg(source).arg("-o");
    match front_end.translator {
        None => _ = workspace::output(command.arg(&module).args(debug))?,
        Some(translator) => {
            let bitcode = scratch.join("built.bc");
            workspace::output(command.arg(&bitcode))?;
            workspace::output(Command::new(translator).args(debug).arg(&bitcode).arg("-o").arg(&module))?;
        }
    }
    fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))
}

/// The outcomes of a module in each mode.
fn judge_build(spirv: &[u8], environment: &str, scratch: &Path) -> Vec<(String, Outcome, String)> {
    let file = scratch.join("judged.spv");
    // What clang leaves out is repaired.
    let is_kernel = environment == "spv1.6";
    if let (Err(complaint), false) = (validate(spirv, &file, environment), is_kernel) {
        return vec![("before".to_owned(), Outcome::NotValidBefore, complaint)];
    }
    let mut judged = Vec::new();
    for level in [Level::None, Level::Speed, Level::Size] {
        for strip_merges in [false, true] {
            let mode = format!("-O{}{}", level.name(), if strip_merges { " --strip-merges" } else { "" });
            let options = CompileOptions::new().level(level).strip_merges(strip_merges);
            let environment = if is_kernel { "vulkan1.2" } else { environment };
            let outcome = guarded(|| compiled(spirv, &options, &file, environment));
            let (outcome, message) = outcome.unwrap_or_else(|fall| fall);
            judged.push((mode, outcome, message));
        }
    }
    judged
}

fn compiled(spirv: &[u8], options: &CompileOptions, file: &Path, environment: &str) -> (Outcome, String) {
    let output = match reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, options) {
        Ok(output) => output,
        Err(error) => return refused(error),
    };
    if let Err(complaint) = validate(&output.bytes, file, environment) {
        return (Outcome::Invalid, complaint);
    }
    if let Some(message) = code_of_debug_information(spirv, options, &output.module) {
        return (Outcome::Different, message);
    }
    // Memory of kernels is created again.
    if environment == "vulkan1.2" {
        return (Outcome::Equal, String::new());
    }
    let lines = [spirv, &output.bytes].map(|bytes| reconverge::read(bytes, Format::SPIRV).map(|it| stores(&it)));
    match lines {
        [Ok(before), Ok(after)] => match strayed(&before, &after, options.level) {
            None => (Outcome::Equal, String::new()),
            Some(message) => (Outcome::Different, message),
        },
        _ => (Outcome::Invalid, "a module that was valid cannot be read".to_owned()),
    }
}

/// The difference between the code of a module with debug information and that of the same module without, if there is one.
fn code_of_debug_information(spirv: &[u8], options: &CompileOptions, compiled: &Module) -> Option<String> {
    let merges = if options.strip_merges { Merges::Strip } else { Merges::Keep };
    let source = Source::new(spirv).merges(merges);
    let mut without = match reconverge::read_repaired(Format::SPIRV, source) {
        Ok((read, _)) => code_alone(read.module),
        Err(error) => return Some(error.to_string()),
    };
    match reconverge::run(&mut without, options, &mut |_, _| ()) {
        Ok(_) => {
            let difference = compare::compare(&code_alone(without), &code_alone(compiled.clone())).err()?;
            Some(format!("the code is not that without debug information: {difference}").replace('\n', " "))
        }
        Err(error) => Some(format!("compiles only with debug information: {error}")),
    }
}

/// A module without debug information, and without what that alone needs.
fn code_alone(mut module: Module) -> Module {
    strip_debug(&mut module);
    remove_unused_globals(&mut module, Interface::Kept);
    module
}

/// The number of stores of each line; of none, where nothing is said. A variable with an initial value becomes a store where its function
/// is inlined.
fn stores(module: &Module) -> BTreeMap<Option<u32>, usize> {
    let mut lines = BTreeMap::new();
    let stores = |&inst: &Inst| match module.op(inst) {
        Op::Store => true,
        Op::Variable => module.operand_count(inst) > 1,
        _ => false,
    };
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    for store in blocks.flat_map(|block| module.children(block)).filter(stores) {
        *lines.entry(line_of(module, store)).or_default() += 1;
    }
    lines
}

fn line_of(module: &Module, inst: Inst) -> Option<u32> {
    let location = module.location(inst)?;
    let of_range = || {
        let first = module.operand(location.range?, 2);
        module.literal_word(first).or_else(|| module.operands(first).next().and_then(|word| module.literal_word(word)))
    };
    location.line.map(|line| line.line).or_else(of_range)
}

/// What is wrong with the lines of the stores behind, if anything is. Level 0 copies no store.
fn strayed(
    before: &BTreeMap<Option<u32>, usize>,
    after: &BTreeMap<Option<u32>, usize>,
    level: Level,
) -> Option<String> {
    let strange = after.iter().find(|(line, count)| match before.get(line) {
        None => true,
        Some(known) => level == Level::None && known < count,
    });
    let named = |line: &Option<u32>| line.map_or_else(|| "no line".to_owned(), |line| format!("line {line}"));
    strange.map(|(line, count)| {
        format!("{count} stores of {}, of {} before", named(line), before.get(line).copied().unwrap_or_default())
    })
}

fn table(counts: &BTreeMap<(String, Outcome), u64>) -> Table {
    let mut table = Table::new(&[
        "front end",
        "not valid before",
        "valid, lines true",
        "refused",
        "other lines or code",
        "invalid",
        "crashed",
    ]);
    let mut names: Vec<&String> = counts.keys().map(|(name, _)| name).collect();
    names.dedup();
    for name in names {
        let count = |outcome: Outcome| counts.get(&(name.clone(), outcome)).copied().unwrap_or_default().to_string();
        table.push([
            name.clone(),
            count(Outcome::NotValidBefore),
            count(Outcome::Equal),
            count(Outcome::Refused),
            count(Outcome::Different),
            count(Outcome::Invalid),
            count(Outcome::Crashed),
        ]);
    }
    table
}
