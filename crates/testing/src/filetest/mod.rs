//! Filetests: input, expectation and description in one file.
//!
//! A file is IR text. Its first line selects the test, `;;` comments describe it, and the expectation is in the same file:
//!
//! | first line | expectation |
//! |---|---|
//! | `; test cat` | after `; ----`: the module as it prints |
//! | `; test parse` | below the line at fault: `; ^ column 5: text-syntax: message` |
//! | `; test verify [VERDICT]` | below each line that a finding concerns: `; ^ R18: message`; lines without are right |
//! | `; test check [CHECK=level …]` | below each line that a diagnosis concerns: `; ^ warning[F03]: message`; below each line that its path goes through: `; ^ F03, step 1: text` |
//! | `; test pass NAME [option=value …]` | after `; ----`: the module after the pass; or below the line that a kernel pass refuses: `; ^ unsupported: message` |
//! | the same, and lines `; launch FLAGS = 1 2 3` | also what comes after `=`: what the kernel writes, before and after |
//! | the same, and lines `; launch-compiled FLAGS = 1 2 3` | also what comes after `=`: what the kernel writes after the pass |
//! | `; test specialize` | after `; ----`: the module without generics; or below the line at fault: `; ^ generics-limit: message`; and what comes after `=` in lines `; run %f(1, 2) = 3` |
//! | `; test lower_generics` | the same, without values of interface type as well |
//! | `; test run` | each line `; run %f(1, 2) = 3`: what comes after `=` |
//! | the same, and lines `; lanes 4 %f(lane, 1) = 7:0b0011` | what comes after `=`: which lanes make each call of a function without a body |
//! | `; test qpu` | after `; ----`: the code of the first function for the QPUs of the VC4, before allocation, for work-groups of 16, or what is refused |
//! | `; test write LANGUAGE [ENTRY]` | after `; ----`: the module as WGSL, GLSL, HLSL or MSL, or what is refused |
//! | `; test write LANGUAGE version VERSION` | the same in a version of the language |
//! | `; test optimum` | each line `; cost %f(1, 2) = 4+2 of 5+2, optimum 4`: what comes after `=`, instructions and terminators executed after `-O1` and before |
//!
//! Each command computes the complete file; a test fails if it differs from the file, so expectations are complete in both directions.
//! `RECONVERGE_BLESS=1` writes the file instead (whole or not at all).
//!
//! In addition, a test of a pass verifies the module before and after, compares the behaviour before and after on many inputs (of kernels:
//! in the launches of the file), reads the printed module back, and runs the pass again, which must change nothing.
//!
//! `NAME` may also be one of the steps that only this runner has (`steps.rs`), such as `mem2reg`.
//!
//! | option of a pass | meaning |
//! |---|---|
//! | `after=NAME,NAME` | passes that run first, so that a test of a late pass may begin with a kernel as it came |
//! | `kernel=NAME`, `global_offset=passed`, `int64=split`, `pointers=bindings`, `buffer_offsets=passed`, `fma=exact`, `driver=NAME`, `push_constant_limit=N`, `inline_limit=N` | as in `KernelOptions` |
//! | `image=0:rgba8`, `sampler=1:BITS` | the format or the sampler of an argument in every launch |
//! | `nesting_limit=N`, `chain_limit=N`, `block_limit=N`, `split_blocks=N` | as in the options of the structurizer |

mod case;
mod check;
mod generics;
mod launch;
mod optimum;
mod parse;
mod pass;
mod print;
mod qpu;
mod run;
mod setting;
mod steps;
mod verify;
mod write;

use std::path::{Path, PathBuf};

use case::Case;
pub use optimum::{Kernel, kernels_below};
use reconverge_ir::Module;

/// The environment variable that makes the runner rewrite expectations.
pub const BLESS: &str = "RECONVERGE_BLESS";

/// Runs a file, or every `.ir` file below a folder, sorted by path. Returns the number of files.
///
/// # Errors
/// One message for each file that failed, or that there is no file at all.
pub fn run_all(path: &Path) -> Result<usize, String> {
    let files = if path.is_dir() { files_below(path)? } else { vec![path.to_owned()] };
    let failures: Vec<String> = files.iter().filter_map(|file| run_file(file).err()).collect();
    if files.is_empty() {
        return Err(format!("no .ir file below {}", path.display()));
    }
    match failures.is_empty() {
        true => Ok(files.len()),
        false => Err(format!("{} of {} filetests failed\n\n{}", failures.len(), files.len(), failures.join("\n\n"))),
    }
}

/// The modules of the files below a folder, sorted by path: those that can be read and are valid.
///
/// # Errors
/// A folder or file that cannot be opened.
pub fn modules_below(folder: &Path) -> Result<Vec<(PathBuf, Module)>, String> {
    let mut modules = Vec::new();
    for path in files_below(folder)? {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let module = Case::parse(&text).and_then(|case| case.module());
        if let Ok(module) = module
            && reconverge_verify::verify(&module).is_empty()
        {
            modules.push((path, module));
        }
    }
    Ok(modules)
}

/// The folder of all filetests.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests")
}

/// The input module of a filetest, by its path below `tests/filetests`, for tests that count or measure.
///
/// # Panics
/// If there is no such file, or the parser rejects it.
pub fn input(path: &str) -> Module {
    let text = std::fs::read_to_string(folder().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let module = Case::parse(&text).and_then(|case| case.module());
    module.unwrap_or_else(|message| panic!("{path}: {message}"))
}

/// Runs one file, or rewrites its expectation.
///
/// # Errors
/// The error, with the path and the first line that differs.
pub fn run_file(path: &Path) -> Result<(), String> {
    let place = |message: String| format!("{}: {message}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| place(error.to_string()))?;
    let case = Case::parse(&text).map_err(place)?;
    let right = run_case(&case).map_err(place)?;
    if right == text {
        return Ok(());
    }
    if std::env::var_os(BLESS).is_some_and(|value| value == "1") {
        return replace_file(path, &right).map_err(|error| place(error.to_string()));
    }
    Err(place(case::difference(&text, &right)))
}

/// The expected file.
fn run_case(case: &Case) -> Result<String, String> {
    let words: Vec<&str> = case.command.split_whitespace().collect();
    match words[..] {
        ["cat"] => print::run(case),
        ["parse"] => parse::run(case),
        ["verify", ref verdict @ ..] => verify::run(case, verdict),
        ["check", ref levels @ ..] => check::run(case, levels),
        ["optimum"] => optimum::run(case),
        ["qpu"] => qpu::run(case),
        ["specialize"] => generics::specialized(case),
        ["lower_generics"] => generics::lowered(case),
        ["run"] => run::run(case),
        ["write", language] => write::run(case, language, write::Choice::All),
        ["write", language, "with", ref options @ ..] => write::run_with(case, language, options),
        ["write", language, "version", ref version @ ..] => {
            write::run(case, language, write::Choice::Version(version.join(" ")))
        }
        ["write", language, entry] => write::run(case, language, write::Choice::Entry(entry.to_owned())),
        ["pass", ref words @ ..] => pass::run(case, words),
        _ => Err(format!("unknown test `{}`", case.command)),
    }
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ir") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a temporary file and renames it, so that the file is never incomplete.
fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}
