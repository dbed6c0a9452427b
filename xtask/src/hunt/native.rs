//! Kernels on this machine: clang compiles the same source for it, and a small runner executes work-items as contexts.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::case::Source;
use xtask_setup::workspace;

/// The compiler that makes SPIR-V and code of this machine.
pub(super) const CLANG: &str = "clang-22";

/// The arguments of both compilations.
const LANGUAGE: [&str; 7] =
    ["-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins"];

/// The level at which clang compiles for this machine: the least, since what it shares with the other compilation is trusted blindly.
const LEVEL: &str = "-O0";

/// The runner, compiled.
pub(super) struct Native {
    runner: PathBuf,
}

/// The final contents of a kernel's buffers, one after another.
pub(super) type Expected = Result<Vec<u8>, Fault>;

/// The reason why a kernel leaves nothing to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Work-items part at a barrier.
    Parted,
    /// It goes on and on.
    TooLong,
}

impl Native {
    /// Compiles the runner into a folder.
    pub(super) fn new(folder: &Path) -> Result<Native, String> {
        let sources = workspace::root().join("xtask/src/hunt");
        let (builtins, runner) = (folder.join("builtins.o"), folder.join("runner"));
        let mut command = clang();
        command.args(["-O1", "-x", "cl", "-cl-std=CL2.0", "--target=x86_64-linux-gnu", "-fPIC", "-c"]);
        workspace::output(command.arg(sources.join("builtins.cl")).arg("-o").arg(&builtins))?;
        let mut command = clang();
        command.arg("-O1").arg(sources.join("runner.c")).arg(&builtins).args(["-rdynamic", "-ldl", "-o"]).arg(&runner);
        workspace::output(&mut command)?;
        Ok(Native { runner })
    }

    /// Runs the kernels of a source, each with its number.
    pub(super) fn run(&self, source: &Path, kernels: &[Source]) -> Result<Vec<Expected>, String> {
        let library = source.with_extension("so");
        let mut command = clang();
        command.args(LANGUAGE).args([LEVEL, "--target=x86_64-linux-gnu", "-fPIC", "-shared", "-nostdlib", "-w"]);
        workspace::output(command.arg(source).arg("-o").arg(&library))?;
        let mut launches = String::new();
        for Source { number, local: [x, y], groups, .. } in kernels {
            let _ = writeln!(launches, "k{number} {x} {y} {groups}");
        }
        let mut command = Command::new(&self.runner);
        let child = command.arg(&library).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("the runner does not start: {error}"))?;
        let mut input = child.stdin.take().expect("invariant: the input is a pipe");
        input.write_all(launches.as_bytes()).map_err(|error| error.to_string())?;
        drop(input);
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let found = text.lines().map(parse).collect::<Result<Vec<Expected>, String>>()?;
        match output.status.success() && found.len() == kernels.len() {
            true => Ok(found),
            false => Err(format!("{}: the runner ended with {} at {}", source.display(), output.status, found.len())),
        }
    }
}

fn clang() -> Command {
    Command::new(CLANG)
}

fn parse(line: &str) -> Result<Expected, String> {
    let mut words = line.split(' ');
    match words.next() {
        Some("words") => (),
        Some("long") => return Ok(Err(Fault::TooLong)),
        _ => return Ok(Err(Fault::Parted)),
    }
    let words = words.map(|word| u32::from_str_radix(word, 16).map_err(|error| error.to_string()));
    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
    Ok(Ok(words.into_iter().flat_map(u32::to_le_bytes).collect()))
}

/// Returns whether clang keeps integers of odd widths in wider ones at a level: it forgets to mask them, so that the module is wrong as it
/// comes. Its own optimizer makes them, so its IR has them.
pub(super) fn has_odd_widths(source: &Path, level: &str) -> bool {
    let mut command = clang();
    command.args(LANGUAGE).args([level, "--target=spirv64", "-w", "-S", "-emit-llvm"]);
    let code = workspace::output(command.arg(source).args(["-o", "-"])).unwrap_or_default();
    let mut words = code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.any(is_odd_integer)
}

/// Returns whether a word of LLVM's IR names a type of integers that no machine has, such as `i3`.
fn is_odd_integer(word: &str) -> bool {
    let bits = word.strip_prefix('i').and_then(|bits| bits.parse().ok());
    bits.is_some_and(|bits: u32| ![1, 8, 16, 32, 64].contains(&bits))
}

/// Compiles a source to SPIR-V at a level of clang's.
pub(super) fn to_spirv(source: &Path, level: &str) -> Result<Vec<u8>, String> {
    let module = source.with_extension("spv");
    let mut command = clang();
    command.args(LANGUAGE).args([level, "--target=spirv64", "-w", "-c"]).arg(source).arg("-o").arg(&module);
    // Loop strength reduction makes integers of odd widths after the IR was looked at.
    workspace::output(command.args(["-mllvm", "-disable-lsr"]))?;
    fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))
}
