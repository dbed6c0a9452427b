//! `cargo xtask instructions`: how many machine instructions the structurizer runs for each block, and how that grows.
//!
//! Time is noisy because of caches and other processes; instruction counts are not. Each family of graphs of the example `measure` is
//! structurized under valgrind at two sizes, and checked against the table [`RECORDED`]: more than the tolerance above it is an error, and
//! so is an exponent above [`GREATEST_EXPONENT`].
//!
//! ```text
//! exponent = log (instructions after / before) / log (blocks and edges after / before)
//! ```
//!
//! Memory is the growth of the process's resident peak, at sizes where pages count little. With `--modules` the functions of SPIR-V
//! modules, merges forgotten, are one more row; with `--times` all rows are run natively up to a million blocks instead, twice: as
//! the system's allocator has it, which hands large parts back to the kernel and has them cleared again each time, and with what was
//! given free kept (`mallopt`'s `M_MMAP_MAX` and `M_TRIM_THRESHOLD`), as it keeps small parts anyway. The exponent of time is that of
//! the line through all sizes, by least squares of the logarithms.
//!
//! With `--compile` whole modules are compiled instead (`compile.rs`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge_testing::torture::scaling;

use crate::programs::{self, Profile, Program};
use crate::table::Table;
use xtask_setup::workspace;

mod compile;
mod modules;

/// The recorded figures, relative to the workspace.
const RECORDED: &str = "crates/structurize/instructions.tsv";
/// So many per cent above the record are let pass.
const TOLERANCE: u64 = 5;
/// The limit for every family. At sizes this small a graph may still become more nested with its size, and from some size on it passes the
/// nesting limit, where the emission starts again: random reducible graphs do so between the two sizes.
const GREATEST_EXPONENT: f64 = 1.2;
/// Blocks asked for under valgrind.
const SIZES: [usize; 2] = [1_000, 8_000];
/// Below so many blocks, whole pages are what is counted for memory.
const MEMORY_FROM: usize = 100_000;
/// Blocks asked for natively.
const TIME_SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Makes glibc's allocator keep what was given free.
const KEEPS_MEMORY: (&str, &str) =
    ("GLIBC_TUNABLES", "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1000000000000");

/// The arguments of `cargo xtask instructions`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only families whose name holds this
    family: Option<String>,
    /// Write the table again
    #[arg(long)]
    bless: bool,
    /// Run natively and print processor time up to a million blocks, and memory; nothing is compared
    #[arg(long, conflicts_with = "bless")]
    times: bool,
    /// Also the functions of all SPIR-V modules below this folder
    #[arg(long)]
    modules: Vec<PathBuf>,
    /// Compile whole modules that grow instead, and hold how the instructions of that grow
    #[arg(long, conflicts_with_all = ["bless", "times", "modules"])]
    compile: bool,
    /// Only these ways to compile: O0, O1, Os, split, lavapipe
    #[arg(long, requires = "compile", value_delimiter = ',')]
    ways: Vec<String>,
}

/// The ways that every change is held to; the others take the same passes, or fewer.
const WAYS_OF_CI: [&str; 2] = ["O1", "split"];

/// Holds how compiling grows, in the ways that every change is held to.
pub(crate) fn growth() -> Result<(), String> {
    compile::compile(None, &WAYS_OF_CI.map(str::to_owned))
}

/// The output of one run of `measure`, and the instructions that valgrind counted.
#[derive(Clone, Copy)]
struct Run {
    blocks: u64,
    edges: u64,
    bytes: u64,
    nanoseconds: u64,
    /// The same with memory kept.
    kept_nanoseconds: u64,
    instructions: u64,
}

impl Run {
    fn size(self) -> f64 {
        (self.blocks + self.edges) as f64
    }

    fn time(self) -> u64 {
        self.nanoseconds
    }

    fn kept_time(self) -> u64 {
        self.kept_nanoseconds
    }

    /// By which power of the size a figure grew since `before`.
    fn exponent(self, before: Run, figure: impl Fn(Run) -> u64) -> f64 {
        let point = |run: Run| (run.size(), figure(run).max(1) as f64);
        scaling::exponent(&[point(before), point(self)])
    }
}

/// The slope of the line through the logarithms of the sizes and of the figures, by least squares.
fn fitted_exponent(runs: &[Run], figure: impl Fn(Run) -> u64) -> f64 {
    let points: Vec<(f64, f64)> = runs.iter().map(|&run| (run.size().ln(), (figure(run).max(1) as f64).ln())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (over, under) = points
        .iter()
        .fold((0.0, 0.0), |(over, under), point| (over + (point.0 - x) * (point.1 - y), under + (point.0 - x).powi(2)));
    over / under
}

/// Counts, prints and compares.
pub(crate) fn instructions(arguments: &Arguments) -> Result<(), String> {
    if arguments.compile {
        return compile::compile(arguments.family.as_deref(), &arguments.ways);
    }
    let program = programs::build(Program::Example("measure"), Profile::Release)?;
    let names = workspace::output(Command::new(&program).arg("list"))?;
    let is_wanted = |name: &&str| arguments.family.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let names: Vec<&str> = names.lines().filter(is_wanted).collect();
    if arguments.times {
        return times(&program, &names, &arguments.modules);
    }
    let recorded = read_recorded()?;
    let mut table = Table::new(&["family", "blocks", "edges", "instructions a block", "exponent", "recorded"]);
    let mut complaints = Vec::new();
    let mut record = String::from("family\tblocks\tedges\tinstructions\n");
    for name in names {
        let mut before: Option<Run> = None;
        for size in SIZES {
            let run = counted(&program, &[name, &size.to_string()])?;
            let exponent = before.map(|before| run.exponent(before, |run| run.instructions));
            let known = recorded.iter().find(|(family, blocks, _)| family == name && *blocks == run.blocks);
            table.push(row(name, run, exponent, known.map(|&(_, _, count)| count)));
            if exponent.is_some_and(|exponent| exponent > GREATEST_EXPONENT) {
                complaints.push(format!("{name}: the exponent is above {GREATEST_EXPONENT}"));
            }
            if let Some(&(_, _, count)) = known.filter(|known| run.instructions * 100 > known.2 * (100 + TOLERANCE)) {
                complaints.push(format!(
                    "{name}, {} blocks: {} instructions, {count} recorded",
                    run.blocks, run.instructions
                ));
            }
            writeln!(record, "{name}\t{}\t{}\t{}", run.blocks, run.edges, run.instructions)
                .expect("a string takes all");
            before = Some(run);
        }
    }
    if let Some(file) = modules::write_graphs(&arguments.modules)? {
        let run = counted(&program, &["graphs", &file.to_string_lossy()])?;
        table.push(row("modules", run, None, None));
    }
    print!("{table}");
    if arguments.bless {
        let path = workspace::root().join(RECORDED);
        return std::fs::write(&path, record).map_err(|error| format!("{}: {error}", path.display()));
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} figures are above what is recorded in {RECORDED} or allowed")),
    }
}

fn row(name: &str, run: Run, exponent: Option<f64>, recorded: Option<u64>) -> [String; 6] {
    let each = |count: u64| (count / run.blocks.max(1)).to_string();
    [
        name.to_owned(),
        run.blocks.to_string(),
        run.edges.to_string(),
        each(run.instructions),
        exponent.map_or_else(String::new, |exponent| format!("{exponent:.3}")),
        recorded.map_or_else(|| "–".to_owned(), each),
    ]
}

/// Processor time natively, the best of some runs, and memory.
fn times(program: &Path, names: &[&str], folders: &[PathBuf]) -> Result<(), String> {
    let headings = ["family", "blocks", "edges", "ms", "ms, memory kept", "million blocks a second", "bytes a block"];
    let mut table = Table::new(&headings);
    let mut exponents = Table::new(&["family", "exponent of time", "memory kept"]);
    for name in names {
        let mut runs = Vec::new();
        for size in TIME_SIZES {
            let samples = if size < MEMORY_FROM { "8" } else { "3" };
            let run = native(program, &[name, &size.to_string(), samples])?;
            table.push(time_row(name, run));
            runs.push(run);
        }
        let exponents_of = [Run::time, Run::kept_time].map(|time| format!("{:.2}", fitted_exponent(&runs, time)));
        let [exponent, kept] = exponents_of;
        exponents.push([(*name).to_owned(), exponent, kept]);
    }
    if let Some(file) = modules::write_graphs(folders)? {
        table.push(time_row("modules", native(program, &["graphs", &file.to_string_lossy(), "20"])?));
    }
    print!("{table}\n{exponents}");
    Ok(())
}

fn time_row(name: &str, run: Run) -> [String; 7] {
    let milliseconds = |nanoseconds: u64| format!("{:.2}", nanoseconds as f64 / 1e6);
    let speed = run.blocks as f64 / 1e6 / (run.kept_nanoseconds.max(1) as f64 / 1e9);
    let is_large = run.blocks as usize >= MEMORY_FROM / 2;
    [
        name.to_owned(),
        run.blocks.to_string(),
        run.edges.to_string(),
        milliseconds(run.nanoseconds),
        milliseconds(run.kept_nanoseconds),
        format!("{speed:.2}"),
        if is_large { (run.bytes / run.blocks.max(1)).to_string() } else { String::new() },
    ]
}

/// A run of `measure` under valgrind.
fn counted(program: &Path, arguments: &[&str]) -> Result<Run, String> {
    let (instructions, said) = collected(program, arguments, "measure::measured*")?;
    Ok(Run { instructions, ..parse(&said)? })
}

/// The machine instructions inside a function of a program, and what the program prints.
fn collected(program: &Path, arguments: &[&str], function: &str) -> Result<(u64, String), String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", &format!("--toggle-collect={function}")]);
    let output = command.arg(program).args(arguments).output();
    let output = output.map_err(|error| format!("valgrind: {error}; `apt-get install valgrind` installs it"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{} {}: {said}", program.display(), arguments.join(" ")));
    }
    let count =
        said.lines().find_map(|line| line.split("Collected : ").nth(1)).and_then(|count| count.trim().parse().ok());
    let instructions = count.ok_or_else(|| format!("valgrind names no count: {said}"))?;
    Ok((instructions, String::from_utf8_lossy(&output.stdout).into_owned()))
}

fn native(program: &Path, arguments: &[&str]) -> Result<Run, String> {
    let run = parse(&workspace::output(Command::new(program).args(arguments))?)?;
    let kept = workspace::output(Command::new(program).args(arguments).env(KEEPS_MEMORY.0, KEEPS_MEMORY.1))?;
    Ok(Run { kept_nanoseconds: parse(&kept)?.nanoseconds, ..run })
}

/// The line that `measure` prints.
fn parse(line: &str) -> Result<Run, String> {
    let numbers: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    match numbers[..] {
        [blocks, edges, _, bytes, nanoseconds, _] => {
            Ok(Run { blocks, edges, bytes, nanoseconds, kept_nanoseconds: nanoseconds, instructions: 0 })
        }
        _ => Err(format!("measure printed {line}")),
    }
}

/// Family, blocks and instructions of each row; nothing when there is no table yet.
fn read_recorded() -> Result<Vec<(String, u64, u64)>, String> {
    let path = workspace::root().join(RECORDED);
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(Vec::new()) };
    let parse = |line: &str| {
        let mut fields = line.split('\t');
        let (name, blocks, instructions) = (fields.next()?, fields.next()?, fields.nth(1)?);
        Some((name.to_owned(), blocks.parse().ok()?, instructions.parse().ok()?))
    };
    let rows = text.lines().skip(1).map(|line| parse(line).ok_or_else(|| format!("{}: {line}", path.display())));
    rows.collect()
}
