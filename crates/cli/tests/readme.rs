//! README.md, the guides and the reference pages show what the command does. Every block of the first two that begins with a command is run, and
//! prints what is below it; every command of the others is run, with files of the tests under the names of the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Scratch, content};

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
    let samples = samples(page);
    for Sample { command, printed } in &samples {
        let (_, found) = shell(&scratch, command);
        assert_eq!(found.trim_end(), printed.trim_end(), "$ {command}");
    }
    samples.len()
}

/// Runs a command line, which finds the command `reconverge`; whether it succeeds, and what it prints.
#[cfg(unix)]
fn shell(scratch: &Scratch, command: &str) -> (bool, String) {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_reconverge"));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.parent().expect("a program is in a folder").to_owned())
        .chain(std::env::split_paths(&folders));
    let folders = std::env::join_paths(folders).expect("folders have no separator");
    let mut shell = Command::new("sh");
    let command_line = format!("{{ {command} ; }} 2>&1");
    shell.current_dir(scratch.path("")).env("PATH", &folders).env("TMPDIR", scratch.path(""));
    let ran = shell.args(["-c", &command_line]).output().expect("there is a shell");
    (ran.status.success(), String::from_utf8(ran.stdout).expect("it prints UTF-8"))
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

/// A file that the commands of a page are about: its name, and where it is in the project.
type InputFile = (&'static str, &'static str);

/// The pages of `docs` that show commands, and the files that these are about. Names are examples there, so that the files are those of tests.
const REFERENCE: [(&str, &[InputFile]); 9] = [
    ("dxil", &[("blur.dxil", "tests/dxil/points.O3.dxil")]),
    ("front-ends", &[("saxpy.cl", "examples/vulkan_host/saxpy.cl"), ("library.spv", "tests/link/two_functions/b.spv")]),
    ("graph", &[]),
    (
        "lanes",
        &[
            ("collatz.spv", "tests/kernels/fixed_point_mandelbrot.spv"),
            ("collatz.json", "tests/kernels/fixed_point_mandelbrot.json"),
            ("fixed_point_mandelbrot.expected", "tests/kernels/fixed_point_mandelbrot.expected"),
        ],
    ),
    ("launch", &[("scale.spv", "examples/vulkan_host/saxpy.spv")]),
    (
        "linking",
        &[
            ("kernel.spv", "tests/link/two_functions/a.spv"),
            ("library.spv", "tests/link/two_functions/b.spv"),
            ("one.spv", "tests/link/two_functions/a.spv"),
            ("two.spv", "tests/link/two_functions/b.spv"),
            ("launch.json", "tests/link/two_functions/launch.json"),
            ("expected", "tests/link/two_functions/expected"),
        ],
    ),
    ("machine-code", &[("kernel.spv", "examples/vulkan_host/saxpy.spv")]),
    (
        "qpu",
        &[
            ("kernel.spv", "tests/kernels/uniform_branches.spv"),
            ("launch.json", "tests/kernels/uniform_branches.json"),
            ("uniform_branches.expected", "tests/kernels/uniform_branches.expected"),
        ],
    ),
    ("shading", &[("shader.spv", "tests/kernels/uniform_branches.spv")]),
];

/// Sources that the commands of a page are about.
const SOURCES: [(&str, &str); 4] = [
    ("kernel.cl", "kernel void one(global float *out) { out[get_global_id(0)] = 1.0f; }\n"),
    (
        "shader.comp",
        "#version 450\nlayout(local_size_x = SIZE) in;\nlayout(set = 0, binding = 0) buffer B { uint b[]; };\nvoid main() { b[gl_LocalInvocationIndex] = 1; }\n",
    ),
    ("shader.frag", "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n"),
    (
        "search.cfg",
        "entry condbr step test\nstep condbr test missing\ntest condbr found step\nfound br done\nmissing br done\ndone ret\n",
    ),
];

/// The lines of the blocks of a page that run this command, without comments, each with whether it is to succeed.
fn commands(page: &str) -> Vec<(&str, bool)> {
    let mut commands = Vec::new();
    let mut is_code = false;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        is_code ^= line.starts_with("```");
        let line = line.strip_prefix("```text ").or(line.strip_prefix("$ ")).unwrap_or(line);
        let command = line.split("  #").next().unwrap_or(line).trim();
        let is_ours = command.starts_with("reconverge ") || command.contains("| reconverge ");
        if is_code && is_ours {
            commands.push((command, !lines.peek().is_some_and(|next| next.starts_with("error["))));
        }
    }
    commands
}

/// An array of NumPy with 64 numbers (`numpy.save`).
fn sixty_four_floats() -> Vec<u8> {
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }");
    [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &[0; 256]].concat()
}

#[cfg(unix)]
#[test]
fn the_commands_of_reference_pages_run() {
    let mut shown: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let page = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let commands = commands(&page);
            if !commands.is_empty() {
                let inputs = REFERENCE.iter().find(|(page, _)| *page == name);
                let (_, inputs) = inputs.unwrap_or_else(|| panic!("{name}: no inputs for its commands"));
                run_all(&name, &commands, inputs);
                shown.push(name);
            }
        }
    }
    assert_eq!(shown.len(), REFERENCE.len(), "{shown:?}");
}

#[cfg(unix)]
fn run_all(page: &str, commands: &[(&str, bool)], inputs: &[InputFile]) {
    let scratch = Scratch::new();
    for (name, place) in inputs {
        scratch.file(name, content(&Path::new(ROOT).join(place)));
    }
    for (name, text) in SOURCES {
        scratch.file(name, text);
    }
    scratch.file("x.npy", sixty_four_floats());
    scratch.file("library.ir", "");
    std::fs::create_dir(scratch.path("include")).expect("the folder is new");
    if scratch.path("library.spv").exists() {
        scratch.run(&["link", "library.spv", "--library", "--allow-undefined", "-o", "library.ir"]).ended(0);
    }
    for (command, succeeds) in commands {
        let (found, said) = shell(&scratch, command);
        assert_eq!(found, *succeeds, "docs/{page}.md: {command}\n{said}");
    }
}

#[test]
fn what_is_not_supported_is_listed() {
    let not_supported = README.split_once("*Not supported*").expect("the list is there").1;
    for word in ["pipes", "enqueue", "recursion", "spirv32", "generic", "does not define"] {
        assert!(not_supported.split("\n\n").next().unwrap().contains(word), "{word}");
    }
}
