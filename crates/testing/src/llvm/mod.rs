//! Functions as textual LLVM IR, optimized by LLVM's tools, and counted like ours.
//!
//! ```text
//! Module ──▶ write.rs ──▶ .ll ──▶ opt, clang ──▶ .ll ──▶ count.rs: a call in each block that counts ──▶ run
//! ```
//!
//! For benches: tests need no LLVM. The tools are Debian's `clang-22` and `llvm-22`.

mod count;
mod write;

pub use count::instrument;
pub use write::write;

use std::path::Path;
use std::process::Command;

use reconverge_interpret::Value;

use crate::filetest::Kernel;
use crate::optimum::Cost;

/// A pipeline of LLVM.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Its name in tables.
    pub name: &'static str,
    /// The command, without input and output.
    command: &'static [&'static str],
}

/// The pipelines that are compared.
pub const PIPELINES: &[Pipeline] = &[
    Pipeline { name: "mem2reg, simplifycfg", command: &["opt-22", "-S", "-passes=function(mem2reg,simplifycfg)"] },
    Pipeline {
        name: "the same, early-cse, licm",
        command: &["opt-22", "-S", "-passes=function(mem2reg,simplifycfg,early-cse,loop-mssa(licm))"],
    },
    Pipeline {
        name: "gvn, rotate, licm, sink",
        command: &["opt-22", "-S", "-passes=function(mem2reg,simplifycfg,gvn,loop-mssa(loop-rotate,licm),sink)"],
    },
    Pipeline {
        name: "gvn-hoist, gvn, licm, gvn-sink, sink",
        command: &[
            "opt-22",
            "-S",
            "-passes=function(mem2reg,simplifycfg,gvn-hoist,gvn,loop-mssa(licm),gvn-sink,sink,instcombine)",
        ],
    },
    Pipeline { name: "clang -O1, no unroll, no vectors", command: &clang("-O1") },
    Pipeline { name: "clang -O2, no unroll, no vectors", command: &clang("-O2") },
];

const fn clang(level: &'static str) -> [&'static str; 8] {
    [
        "clang-22",
        level,
        "-fno-unroll-loops",
        "-fno-vectorize",
        "-fno-slp-vectorize",
        "-Wno-override-module",
        "-S",
        "-emit-llvm",
    ]
}

/// The cost of a kernel after a pipeline, and its result, in files of a folder.
///
/// # Errors
/// An instruction that the writer does not support; a tool that is not installed or fails.
pub fn cost(kernel: &Kernel, pipeline: &Pipeline, folder: &Path) -> Result<(Cost, Option<u32>), String> {
    let [source, optimized, counted, driver, program] =
        ["in.ll", "out.ll", "counted.ll", "driver.c", "program"].map(|name| folder.join(name));
    let store = |path: &Path, text: String| std::fs::write(path, text).map_err(|error| error.to_string());
    store(&source, write(&kernel.module, kernel.function)?)?;
    let mut command = Command::new(pipeline.command[0]);
    run(command.args(&pipeline.command[1..]).arg(&source).arg("-o").arg(&optimized))?;
    let text = std::fs::read_to_string(&optimized).map_err(|error| error.to_string())?;
    store(&counted, instrument(&text))?;
    store(&driver, write::driver(&kernel.module, kernel.function, &kernel.arguments)?)?;
    run(Command::new("clang-22").args(["-O0", "-w"]).args([&counted, &driver]).arg("-o").arg(&program))?;
    let output = run(&mut Command::new(&program))?;
    let numbers: Vec<u64> = output.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [instructions, terminators, ref result @ ..] => {
            let result = result.first().map(|&result| result as u32);
            Ok((Cost { instructions, terminators }, result))
        }
        _ => Err(format!("no count in `{output}`")),
    }
}

/// Returns whether the result of a kernel is that of our run.
pub fn is_same(result: Option<u32>, ours: Option<&Value>) -> bool {
    result == ours.and_then(Value::as_u32)
}

fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
