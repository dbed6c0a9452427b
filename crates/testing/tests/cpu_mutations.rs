//! Kernels with a mutation, on this CPU in guarded and in checked machine code: whatever the verifier accepts may end in an error, but not the
//! process.
//!
//! ```text
//! kernel ─ mutation ─▶ compile ──────────┐
//! kernel ─ compile ─▶ shader ─ mutation ─┴─▶ verifier accepts ─▶ machine code ─▶ launch, ended if it hangs
//! ```
//!
//! Mutations run in other processes, so that a crash is a verdict on one of them.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_ir::Module;
use reconverge_opencl::Reflection;
use reconverge_run::{CpuKernel, CpuOptions, Launch, RunCode, bind};
use reconverge_testing::agreement::mutate;
use reconverge_testing::is_deep;

/// Says to a process that it is the worker, and for what: the first seed and the one behind the last.
const WORKER: &str = "RECONVERGE_CPU_MUTATIONS_WORKER";
/// What ends a launch, since a mutation may loop forever. Nothing is asserted about the launches that it ends.
const HANG: Duration = Duration::from_millis(20);

/// A kernel with a launch.
struct Kernel {
    source: Vec<u8>,
    launch: Launch,
}

fn kernels() -> Vec<Kernel> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let entries = std::fs::read_dir(&folder).expect("the kernels are there");
    let mut launches: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    launches.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    launches.sort();
    let kernel = |path: PathBuf| {
        let source = std::fs::read(path.with_extension("spv")).ok()?;
        let mut launch = Launch::from_json(&std::fs::read_to_string(&path).ok()?).ok()?;
        launch.resolve_files(|name| std::fs::read(folder.join(name)).map_err(|error| error.to_string())).ok()?;
        Some(Kernel { source, launch })
    };
    launches.into_iter().filter_map(kernel).collect()
}

/// A kernel as a shader for Vulkan.
fn compiled(source: &[u8], launch: &Launch, level: Level) -> Option<(Module, Reflection)> {
    let mut module = reconverge::read(source, Format::SPIRV).ok()?;
    let mut options = CompileOptions::new().level(level);
    options.kernel.kernels = launch.kernel.iter().cloned().collect();
    let run = reconverge::run(&mut module, &options, &mut |_, _| ()).ok()?;
    Some((module, run.reflection?))
}

/// A mutated kernel that the verifier accepts.
fn mutated(kernel: &Kernel, seed: u64) -> Option<(Module, Reflection)> {
    let level = [Level::None, Level::Speed, Level::Size][(seed / 2) as usize % 3];
    if seed.is_multiple_of(2) {
        return compiled(&mutate(&kernel.source, seed), &kernel.launch, level);
    }
    let (shader, reflection) = compiled(&kernel.source, &kernel.launch, level)?;
    let bytes = reconverge::write(&shader, Format::SPIRV).ok()?;
    let mut module = reconverge::read(&mutate(&bytes, seed), Format::SPIRV).ok()?;
    let is_accepted = reconverge::findings(&mut module, Format::SPIRV).is_empty();
    is_accepted.then_some((module, reflection))
}

/// Runs a mutation: what came of it.
fn run(kernel: &Kernel, seed: u64) -> &'static str {
    let Some((module, reflection)) = mutated(kernel, seed) else { return "rejected" };
    let Ok(binding) = bind(&kernel.launch, &reflection) else { return "unfit" };
    let (width, vectors) =
        [(Some(1), Some(1)), (Some(8), Some(2)), (Some(16), Some(1)), (None, None)][(seed / 6) as usize % 4];
    let is_checked = (seed / 24).is_multiple_of(2);
    let options = CpuOptions { width, vectors, threads: 1, is_checked, limit: Some(HANG) };
    let Ok(kernel) = CpuKernel::compile_bound(&module, &binding, options) else { return "refused" };
    match kernel.launch_bound(&binding, 1, || ()) {
        Ok(_) => "ran",
        Err(error) if error.is(RunCode::Time) => "hung",
        Err(_) => "ended",
    }
}

#[test]
fn worker() {
    let Ok(order) = std::env::var(WORKER) else { return };
    let numbers: Vec<u64> = order.split(' ').map(|word| word.parse().expect("seeds are numbers")).collect();
    let kernels = kernels();
    for seed in numbers[0]..numbers[1] {
        println!("\nseed {seed}");
        println!("{}", run(&kernels[seed as usize % kernels.len()], seed));
    }
}

#[derive(Default, Debug)]
struct Tally {
    rejected: usize,
    refused: usize,
    ran: usize,
    hung: usize,
    ended: usize,
    crashed: Vec<String>,
}

/// Runs mutations from a seed on, until all are done or the process ends. Returns the seed behind the last.
fn run_batch(first: u64, end: u64, tally: &mut Tally) -> u64 {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its program"));
    command.args(["--exact", "cpu_mutations::worker", "--nocapture"]).env(WORKER, format!("{first} {end}"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("the test program starts again");
    let (mut seed, mut is_open) = (first, false);
    for line in BufReader::new(child.stdout.take().expect("its output is piped")).lines().map_while(Result::ok) {
        let count = match line.as_str() {
            "rejected" | "unfit" => &mut tally.rejected,
            "refused" => &mut tally.refused,
            "ran" => &mut tally.ran,
            "hung" => &mut tally.hung,
            "ended" => &mut tally.ended,
            line => {
                if let Some(number) = line.strip_prefix("seed ") {
                    (seed, is_open) = (number.parse().expect("seeds are numbers"), true);
                }
                continue;
            }
        };
        *count += 1;
        is_open = false;
    }
    let status = child.wait().expect("it ends");
    if is_open {
        tally.crashed.push(format!("seed {seed}: the process ended: {status}"));
    }
    seed + 1
}

#[test]
fn what_the_verifier_accepts_does_not_end_the_process() {
    let accepted = if is_deep() { 20_000 } else { 150 };
    let mut tally = Tally::default();
    let mut next = 0;
    while tally.refused + tally.ran + tally.hung + tally.ended < accepted {
        next = run_batch(next, next + 500, &mut tally);
    }
    println!("{next} mutations: {tally:?}");
    assert!(tally.crashed.is_empty(), "{:#?}", tally.crashed);
    // On a machine that is busy enough, any launch may be ended.
    assert!(tally.ran + tally.hung + tally.ended > 0, "no mutation was launched: {tally:?}");
}
