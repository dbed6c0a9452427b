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

/// A graph of so many blocks whose page takes longer than a second.
fn long_graph(blocks: usize) -> String {
    let mut text = String::new();
    for block in 0..blocks {
        let line = match block % 4 {
            0 => format!("b{block} condbr b{} b{}\n", block + 1, block + 2),
            2 if block > 4 => format!("b{block} condbr b{} b{}\n", block - 2, block + 1),
            _ => format!("b{block} br b{}\n", block + 1),
        };
        text.push_str(&line);
    }
    text + &format!("b{blocks} ret\n")
}

/// A terminal shows which step of a long page is finished, and the line is erased at the end. A pipe gets nothing.
#[test]
fn a_terminal_shows_the_steps_of_a_long_page() {
    let scratch = Scratch::new();
    scratch.file("long.cfg", long_graph(40_000));
    let (code, shown) = on_a_terminal(&scratch, "graph long.cfg -o long.html");
    assert_eq!(code, Some(0), "{shown}");
    let lines: Vec<&str> = shown.split("\r\x1b[K").collect();
    let steps = ["plan as text, ", "picture of the graph, ", "structurize, ", "picture of the plan, ", "reasons, "];
    let named = lines.iter().filter(|line| steps.iter().any(|step| line.starts_with(step)) && line.ends_with(" s"));
    assert!(named.count() > 0, "{shown:?}");
    assert_eq!(lines.last(), Some(&""), "{shown:?}");
    let piped = scratch.run(&["graph", "long.cfg", "-o", "long.html"]).ended(0);
    assert_eq!(piped.stderr(), "");
}
