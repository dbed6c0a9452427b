//! `cargo xtask hosts`: the examples of host programs, in Rust and in C, on lavapipe: what their README says, and then every launch of
//! `tests/kernels`, with neither program changed for any of them.
//!
//! ```text
//! K.spv, K.json (the launch) ─ compile ─▶ shader, reflection ─┬─▶ host in Rust: reads the launch, compares by itself
//!                                                             └─▶ host in C: gets the launch in words, its outputs are compared here
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use reconverge::opencl::{Driver, KernelOptions};
use reconverge::{CompileOptions, Format, Level, reflection_json};
use reconverge_run::{Argument, Launch, OutputBuffer, Role, compare};

use crate::kernels::{self, Case};
use crate::programs::{Profile, Program, build};
use crate::table::Table;
use xtask_setup::workspace::{executable, output, root, run};

/// The output of both programs for `saxpy.cl`.
const SAXPY: &str = "[1.0, 3.0, 5.0, 7.0] ... [2045.0, 2047.0]\n";

/// The two programs.
struct Hosts {
    rust: PathBuf,
    c: PathBuf,
    /// The folder of the files that they read and write.
    folder: PathBuf,
}

/// Builds both programs and runs all of it.
pub(crate) fn hosts() -> Result<(), String> {
    let folder = root().join("target/vulkan_host");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let rust = build(Program::Binary("vulkan_host"), Profile::Tests)?;
    let hosts = Hosts { rust, c: build_c(&folder)?, folder };
    saxpy(&hosts)?;
    let mut cases = kernels::cases_of(&root().join("tests/kernels"))?;
    cases.dedup_by(|later, earlier| later.file == earlier.file);
    let complaints = judge_all(&hosts, &cases);
    let mut table = Table::new(&["host", "launches", "as expected"]);
    let of_c = cases.iter().filter(|case| !has_images(&case.launch)).count();
    for (host, count) in [("rust", cases.len()), ("c", of_c)] {
        let wrong = complaints.iter().filter(|(of, _)| *of == host).count();
        table.push([host.to_owned(), count.to_string(), (count - wrong).to_string()]);
    }
    print!("{table}");
    let complaints: Vec<String> = complaints.iter().map(|(host, message)| format!("\n  {host}: {message}")).collect();
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} launches of the example hosts are not as expected{}", complaints.concat())),
    }
}

fn build_c(folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join(executable("host"));
    let sources = ["main.c", "device.c", "kernel.c"].map(|name| root().join("examples/vulkan_host/c").join(name));
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O2", "-Wall", "-o"]).arg(&program).args(sources).arg("-ldl");
    let hint = "it takes a C compiler as `cc`, and the headers of Vulkan, which `cargo xtask setup` installs";
    output(&mut compiler).map_err(|error| format!("{error}\n{hint}"))?;
    Ok(program)
}

/// Runs the commands of the README.
fn saxpy(hosts: &Hosts) -> Result<(), String> {
    let [shader, reflection] = ["kernel.spv", "kernel.json"].map(|name| hosts.folder.join(name));
    let mut compile = Command::new(build(Program::Binary("reconverge"), Profile::Tests)?);
    compile
        .current_dir(root())
        .arg("compile")
        .arg("examples/vulkan_host/saxpy.spv")
        .arg("-o")
        .arg(&shader)
        .arg("--reflection")
        .arg(&reflection);
    run(&mut compile)?;
    [&hosts.rust, &hosts.c].into_iter().try_for_each(|host| {
        let printed = run_host(host, [&shader, &reflection], &[])?;
        match printed == SAXPY {
            true => Ok(()),
            false => Err(format!("{} printed {printed}", host.display())),
        }
    })
}

fn run_host(host: &Path, files: [&PathBuf; 2], words: &[String]) -> Result<String, String> {
    let mut command = Command::new(host);
    command.args(files).args(words);
    kernels::prepare_for_lavapipe(&mut command)?;
    output(&mut command)
}

/// Runs the cases in as many threads as there are cores. Returns the failures: the host, and the case with the reason.
fn judge_all(hosts: &Hosts, cases: &[Case]) -> Vec<(&'static str, String)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let complaints = Mutex::new(Vec::new());
    let work = |first: usize| {
        for case in cases.iter().skip(first).step_by(threads) {
            let mut wrong = judge(hosts, case, first);
            complaints.lock().expect("invariant: no thread panics while it holds the lock").append(&mut wrong);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|first| drop(scope.spawn(move || work(first)))));
    let mut complaints = complaints.into_inner().expect("invariant: no thread panicked");
    complaints.sort();
    complaints
}

fn judge(hosts: &Hosts, case: &Case, thread: usize) -> Vec<(&'static str, String)> {
    let file = |name: &str| hosts.folder.join(format!("{thread}.{name}"));
    let (shader, reflection) = (file("spv"), file("json"));
    let complaint = |host, reason: String| (host, format!("{}: {reason}", case.name));
    if let Err(reason) = compile(case, &shader, &reflection) {
        return ["rust", "c"].map(|host| complaint(host, reason.clone())).into();
    }
    let launch = [case.file.to_string_lossy().into_owned()];
    let by_rust = run_host(&hosts.rust, [&shader, &reflection], &launch);
    let by_rust = by_rust.and_then(|printed| match printed.ends_with("as expected\n") {
        true => Ok(()),
        false => Err(format!("it printed {printed}")),
    });
    let run_c = || {
        run_host(&hosts.c, [&shader, &reflection], &words(&case.launch, &file)?)?;
        compare_outputs(case, &file("outputs"))
    };
    let by_c = if has_images(&case.launch) { Ok(()) } else { run_c() };
    let outcomes = [("rust", by_rust), ("c", by_c)].into_iter();
    outcomes.filter_map(|(host, outcome)| outcome.err().map(|reason| complaint(host, reason))).collect()
}

fn compile(case: &Case, shader: &Path, reflection: &Path) -> Result<(), String> {
    let bytes = fs::read(&case.module).map_err(|error| error.to_string())?;
    let kernel = KernelOptions::new().fma(case.fma).driver(Driver::LAVAPIPE);
    let options = CompileOptions::new().kernel(kernel).level(Level::None);
    let compiled = reconverge::compile(&bytes, Format::SPIRV, Format::SPIRV, &options);
    let compiled = compiled.map_err(|error| error.to_string())?;
    let json = compiled.run.reflection.as_ref().map(reflection_json).ok_or("no kernel in it")?;
    fs::write(shader, &compiled.bytes).map_err(|error| error.to_string())?;
    fs::write(reflection, json).map_err(|error| error.to_string())
}

/// Returns whether a launch has images or samplers, which the host in C does not know.
fn has_images(launch: &Launch) -> bool {
    launch.arguments.iter().any(|argument| matches!(argument, Argument::Image(_) | Argument::Sampler(_)))
}

/// A launch in the words that the host in C takes. Buffers come from files.
fn words(launch: &Launch, file: &impl Fn(&str) -> PathBuf) -> Result<Vec<String>, String> {
    let listed = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let outputs = file("outputs").to_string_lossy().into_owned();
    let mut words = vec!["--output".to_owned(), outputs];
    words.extend(launch.kernel.iter().flat_map(|name| ["--kernel".to_owned(), name.clone()]));
    words.extend(["--global".to_owned(), listed(&launch.global[..launch.dimensions as usize])]);
    words.extend(launch.local.iter().flat_map(|local| ["--local".to_owned(), listed(&local.map(u64::from))]));
    if launch.offset != [0; 3] {
        words.extend(["--offset".to_owned(), listed(&launch.offset)]);
    }
    let mut contents = launch.buffers().map_err(|error| error.to_string())?.into_iter();
    for (index, argument) in launch.arguments.iter().enumerate() {
        let word = match argument {
            Argument::Buffer(buffer) => {
                let path = file(&format!("{index}.bytes"));
                let bytes = contents.next().expect("invariant: every buffer has contents");
                fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
                let direction = if buffer.role == Role::Output { "out" } else { "in" };
                format!("{direction}:{}[{}]=@{}", buffer.element.name(), buffer.count, path.display())
            }
            Argument::Value(value) => {
                format!("hex={}", value.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
            }
            Argument::Local(bytes) => format!("local={bytes}"),
            Argument::Image(_) | Argument::Sampler(_) => {
                return Err(format!("argument {index}: the host in C has no images and no samplers"));
            }
        };
        words.extend(["--arg".to_owned(), word]);
    }
    Ok(words)
}

/// Checks a file of all outputs against what the launch expects.
fn compare_outputs(case: &Case, written: &Path) -> Result<(), String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (bytes, expected) = (read(written)?, read(&case.expected)?);
    let mut rest = &bytes[..];
    let mut outputs = Vec::new();
    for OutputBuffer { buffer, .. } in case.launch.outputs() {
        let size = buffer.count * buffer.element.size();
        let (output, after) = rest.split_at_checked(size).ok_or("fewer outputs than the launch has")?;
        outputs.push(output.to_vec());
        rest = after;
    }
    compare(&case.launch, &expected, &outputs).map_err(|mismatch| mismatch.to_string())
}
