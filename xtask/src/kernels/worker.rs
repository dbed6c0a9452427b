//! Runs cases in separate processes.
//!
//! ```text
//! judge_all ─┬─ worker 0: cases 0, 2, 4, …   a verdict a line on stdout
//!            └─ worker 1: cases 1, 3, 5, …   a worker that dies is started again after the case at which it died
//! ```

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use reconverge::opencl::{Driver, Int64, KernelOptions, Pointers, Reflection};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Kind};
use reconverge_run::vulkan::VulkanCode;
use reconverge_run::{
    Interpretation, InterpreterOptions, Races, RunError, VulkanOptions, compare, interpret, interpret_compiled,
    options_for,
};
use reconverge_testing::device;

use super::case::Case;
use super::engine::Engine;
use super::verdict::Verdict;
use xtask_setup::workspace;

/// The time after which a launch on a device is ended. It is no measure of speed: a launch takes seconds, on a busy machine a minute.
const HANG: Duration = Duration::from_secs(1200);

/// The options for running cases.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) engine: Engine,
    pub(crate) level: Level,
}

/// Judges all cases of a folder, in as many processes as there are cores.
pub(crate) fn judge_all(job: Job, folder: &Path, only: Option<&str>, count: usize) -> Result<Vec<Verdict>, String> {
    let stride = std::thread::available_parallelism().map_or(1, usize::from);
    let mut verdicts: Vec<Option<Verdict>> = vec![None; count];
    let columns = std::thread::scope(|scope| {
        let start = |first| scope.spawn(move || judge_column(job, folder, only, Column { first, stride, count }));
        let threads: Vec<_> = (0..stride).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker thread panics")).collect::<Result<Vec<_>, _>>()
    })?;
    for (first, column) in columns.into_iter().enumerate() {
        for (row, verdict) in column.into_iter().enumerate() {
            verdicts[first + row * stride] = Some(verdict);
        }
    }
    Ok(verdicts.into_iter().map(|verdict| verdict.expect("invariant: every case is in a column")).collect())
}

/// The cases `first`, `first + stride`, … below `count`.
#[derive(Clone, Copy)]
struct Column {
    first: usize,
    stride: usize,
    count: usize,
}

/// Judges the cases of a column.
fn judge_column(job: Job, folder: &Path, only: Option<&str>, column: Column) -> Result<Vec<Verdict>, String> {
    let Column { first, stride, count } = column;
    let mut verdicts = Vec::new();
    loop {
        let next = first + verdicts.len() * stride;
        if next >= count {
            return Ok(verdicts);
        }
        let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
        let mut command = Command::new(program);
        command.arg("kernels").arg(folder).args(["--on", job.engine.name(), "--level", job.level.name()]);
        command.args(["--worker-from", &next.to_string(), "--stride", &stride.to_string()]);
        if let Some(only) = only {
            command.args(["--only", only]);
        }
        job.engine.prepare(&mut command);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|error| format!("cannot start a worker: {error}"))?;
        let stdout = child.stdout.take().expect("invariant: stdout is a pipe");
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        verdicts.extend(lines.filter_map(|line| Verdict::parse(&line)));
        let status = child.wait().map_err(|error| format!("a worker cannot be waited for: {error}"))?;
        if first + verdicts.len() * stride < count {
            verdicts.push(Verdict::Wrong(format!("the process ended: {status}")));
        }
    }
}

/// Judges cases in this process, a verdict a line.
pub(crate) fn work<'c>(job: Job, cases: impl Iterator<Item = (usize, &'c Case)>) -> Result<(), String> {
    for (index, case) in cases {
        let verdict = judge(job, case, index);
        let mut stdout = std::io::stdout().lock();
        let written = writeln!(stdout, "{}", verdict.line()).and_then(|()| stdout.flush());
        written.map_err(|error| error.to_string())?;
        // After a timeout or a lost device this process is of no use.
        if matches!(&verdict, Verdict::Wrong(message) if message.contains("did not end within")) {
            std::process::exit(1);
        }
    }
    Ok(())
}

fn judge(job: Job, case: &Case, index: usize) -> Verdict {
    match outputs(job, case, index) {
        Err(Stop::Lacks(feature)) => Verdict::Lacks(feature),
        Err(Stop::Wrong(message)) => Verdict::Wrong(message),
        Ok((buffers, race)) => {
            let outputs: Vec<Vec<u8>> = case.launch.outputs().map(|output| buffers[output.index].clone()).collect();
            match fs::read(&case.expected) {
                Err(error) => Verdict::Wrong(format!("{}: {error}", case.expected.display())),
                Ok(expected) => match compare(&case.launch, &expected, &outputs) {
                    Ok(()) => race.map_or(Verdict::AsExpected, Verdict::Racy),
                    Err(mismatch) => within_limits(job, case).unwrap_or_else(|| Verdict::Wrong(mismatch.to_string())),
                },
            }
        }
    }
}

/// The lanes that lavapipe runs as one vector of 256 bits.
const LANES: u64 = 8;

/// The verdict on a kernel that is wrong because it goes past what the driver can do. How many iterations its loops have, the interpreter
/// counts, for each work-item. The driver counts those of a vector of lanes, which is in an iteration of a nested loop as long as one of them is:
/// up to the sum of its lanes.
fn within_limits(job: Job, case: &Case) -> Option<Verdict> {
    if !job.engine.is_lavapipe() {
        return None;
    }
    if let Some(limit) = &case.beyond_lavapipe {
        return Some(Verdict::Lacks(limit.clone()));
    }
    let bytes = fs::read(&case.module).ok()?;
    let options = KernelOptions::new().pointers(job.engine.pointers());
    let (spirv, reflection) = compile(&bytes, case, job.level, options).ok()?;
    let module = reconverge::read(&spirv, Format::SPIRV).ok()?;
    let options = InterpreterOptions { races: Races::Ignore, ..InterpreterOptions::default() };
    let iterations = interpret_compiled(&module, &reflection, &case.launch, options).ok()?.loop_iterations;
    let limit = Driver::LAVAPIPE.iteration_limit()?;
    let of_vector = iterations.saturating_mul(LANES);
    (of_vector > limit).then(|| Verdict::Lacks(format!("{iterations} loop iterations in a work-item")))
}

/// The reason why there are no outputs.
enum Stop {
    Lacks(String),
    Wrong(String),
}

fn wrong(error: impl ToString) -> Stop {
    Stop::Wrong(error.to_string())
}

/// All buffers as the kernel left them, and a data race, if the engine saw one.
type Outputs = (Vec<Vec<u8>>, Option<String>);

fn outputs(job: Job, case: &Case, index: usize) -> Result<Outputs, Stop> {
    let engine = job.engine;
    let bytes = fs::read(&case.module).map_err(wrong)?;
    let launch = &case.launch;
    if engine == Engine::Interpreter {
        let mut module = reconverge::read(&bytes, Format::SPIRV).map_err(wrong)?;
        reconverge::repair(&mut module).map_err(wrong)?;
        return settled(interpret(&module, launch, InterpreterOptions::default()));
    }
    let pointers = engine.pointers();
    if matches!(engine, Engine::Compiled | Engine::CompiledSplit | Engine::Bindings) {
        let int64 = if engine == Engine::CompiledSplit { Int64::Split } else { Int64::Native };
        let (spirv, reflection) =
            compile(&bytes, case, job.level, KernelOptions::new().int64(int64).pointers(pointers))?;
        let environment = if pointers == Pointers::Bindings { "vulkan1.1" } else { "vulkan1.2" };
        validate(&spirv, index, environment)?;
        // What is written is what runs: the module is read back.
        let module = reconverge::read(&spirv, Format::SPIRV).map_err(wrong)?;
        return settled(interpret_compiled(&module, &reflection, launch, InterpreterOptions::default()));
    }
    let options = VulkanOptions { timeout: HANG, ..VulkanOptions::default() };
    let device = options_for(&options).map_err(wrong)?;
    let (spirv, reflection) = compile(&bytes, case, job.level, device.pointers(pointers))?;
    let ran = device::run(&spirv, &reflection, launch, &options);
    match ran {
        Ok(run) => Ok((run.buffers, None)),
        // The last word of the message is the feature.
        Err(error) if error.is(VulkanCode::MissingFeature) => {
            Err(Stop::Lacks(error.to_string().rsplit(' ').next().unwrap_or_default().to_owned()))
        }
        Err(error) if error.is(VulkanCode::Limit) => Err(Stop::Lacks(error.to_string())),
        Err(error) => Err(wrong(error)),
    }
}

fn compile(bytes: &[u8], case: &Case, level: Level, options: KernelOptions) -> Result<(Vec<u8>, Reflection), Stop> {
    let may_lack = options.int64 == Int64::Split || options.pointers == Pointers::Bindings;
    let kernel = options.kernels(case.launch.kernel.clone()).fma(case.fma);
    let options = CompileOptions::new().verify_each(true).kernel(kernel).level(level);
    let output = reconverge::compile(bytes, Format::SPIRV, Format::SPIRV, &options);
    let output = output.map_err(|error| match (error.kind(), may_lack) {
        (Kind::Unsupported, true) => Stop::Lacks(error.to_string()),
        _ => wrong(error),
    })?;
    let reflection = output.run.reflection.ok_or_else(|| wrong("no kernel in it"))?;
    Ok((output.bytes, reflection))
}

fn settled(interpretation: Result<Interpretation, RunError>) -> Result<Outputs, Stop> {
    let interpretation = interpretation.map_err(wrong)?;
    match interpretation.failure {
        Some(failure) => Err(wrong(failure)),
        None => Ok((interpretation.buffers, interpretation.races.first().map(ToString::to_string))),
    }
}

/// Has the validator judge a module for a version of Vulkan.
fn validate(spirv: &[u8], index: usize, environment: &str) -> Result<(), Stop> {
    let scratch = workspace::root().join("target/kernels");
    fs::create_dir_all(&scratch).map_err(wrong)?;
    let path = scratch.join(format!("{}-{index}.spv", std::process::id()));
    fs::write(&path, spirv).map_err(wrong)?;
    let output = Command::new(workspace::spirv_val()).args(["--target-env", environment]).arg(&path).output();
    let output = output.map_err(wrong)?;
    let _ = fs::remove_file(&path);
    let complaint = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(wrong(format!("spirv-val: {}", complaint.lines().next().unwrap_or("refused without a word")))),
    }
}
