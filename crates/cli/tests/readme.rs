//! README.md and the guides show what the command does: every block that begins with a command is run, and prints what is below it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Scratch;

const README: &str = include_str!("../../../README.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A command and what it prints.
struct Sample {
    command: String,
    printed: String,
}

/// The commands of the blocks of kind `text` of a page that begin with one.
fn samples(page: &str) -> Vec<Sample> {
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    let mut samples: Vec<Sample> = Vec::new();
    for block in blocks.filter(|block| block.starts_with("$ ")) {
        for line in block.lines() {
            match (line.strip_prefix("$ "), samples.last_mut()) {
                (Some(command), _) => samples.push(Sample { command: command.to_owned(), printed: String::new() }),
                (None, Some(sample)) => sample.printed += &format!("{line}\n"),
                (None, None) => panic!("a block begins with a command"),
            }
        }
    }
    samples
}

/// Runs the commands of a page in a folder of its own, with the examples and the tests of the project.
#[cfg(unix)]
fn check(page: &str) -> usize {
    let scratch = Scratch::new();
    for folder in ["examples", "tests"] {
        std::os::unix::fs::symlink(Path::new(ROOT).join(folder), scratch.path(folder)).expect("the folder is empty");
    }
    let program = PathBuf::from(env!("CARGO_BIN_EXE_reconverge"));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.parent().expect("a program is in a folder").to_owned())
        .chain(std::env::split_paths(&folders));
    let folders = std::env::join_paths(folders).expect("folders have no separator");
    let samples = samples(page);
    for Sample { command, printed } in &samples {
        let mut shell = Command::new("sh");
        let command_line = format!("{{ {command} ; }} 2>&1");
        shell.current_dir(scratch.path("")).env("PATH", &folders).env("TMPDIR", scratch.path(""));
        let ran = shell.args(["-c", &command_line]).output().expect("there is a shell");
        let found = String::from_utf8(ran.stdout).expect("it prints UTF-8");
        assert_eq!(found.trim_end(), printed.trim_end(), "$ {command}");
    }
    samples.len()
}

#[cfg(unix)]
#[test]
fn every_command_prints_what_is_below_it() {
    assert!(check(README) >= 8);
}

#[cfg(unix)]
#[test]
fn the_guides_print_what_they_show() {
    let guides: Vec<PathBuf> =
        std::fs::read_dir(Path::new(ROOT).join("docs/guide")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(guides.len(), 7);
    for guide in guides {
        assert!(check(&std::fs::read_to_string(&guide).unwrap()) >= 2, "{}", guide.display());
    }
}

#[test]
fn what_is_not_supported_is_listed() {
    let not_supported = README.split_once("*Not supported*").expect("the list is there").1;
    for word in
        ["images", "samplers", "pipes", "printf", "enqueue", "recursion", "spirv32", "generic", "does not define"]
    {
        assert!(not_supported.split("\n\n").next().unwrap().contains(word), "{word}");
    }
}
