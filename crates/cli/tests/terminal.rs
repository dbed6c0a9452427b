//! Binary outputs and terminals. `script` runs a command with a terminal as stdout.

use std::process::Command;

use crate::common::{IRREDUCIBLE, PREAMBLE, Scratch};

/// The exit code of a command that writes to a terminal, and what the terminal shows.
fn on_a_terminal(scratch: &Scratch, arguments: &str) -> (Option<i32>, String) {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_reconverge"));
    let mut script = Command::new("script");
    script.current_dir(scratch.path("")).args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let output = script.stdin(std::process::Stdio::null()).output();
    let output = output.expect("there is no `script`: install the package bsdutils, or run `cargo xtask setup`");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_gets_no_binary_output() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.file("graph.cfg", "a condbr b c | b ret | c ret\n");
    scratch.file("loop.ir", format!("{PREAMBLE}{IRREDUCIBLE}"));
    for arguments in [
        "compile module.ir --to spirv -o -",
        "compile loop.ir --to binary -o /dev/stdout",
        "link module.ir --to spirv --library -o -",
        "graph graph.cfg --to spirv -o -",
    ] {
        let (code, shown) = on_a_terminal(&scratch, arguments);
        assert_eq!(code, Some(2), "{arguments}: {shown}");
        assert!(shown.contains("the output is binary, and stdout is a terminal"), "{arguments}: {shown}");
        assert!(shown.contains("-o FILE") && shown.contains("> FILE"), "{arguments}: {shown}");
    }
    for arguments in ["compile module.ir --to asm -o -", "compile module.ir -o -", "link module.ir --library -o -"] {
        let (code, shown) = on_a_terminal(&scratch, arguments);
        assert_eq!(code, Some(0), "{arguments}: {shown}");
    }
    // A pipe gets everything.
    let piped = scratch.run(&["compile", "module.ir", "--to", "spirv", "-o", "-"]).ended(0);
    assert_eq!(piped.0.stdout[..4], 0x0723_0203_u32.to_le_bytes());
}
