//! Files and streams: formats, `-`, outputs whole or not at all, the same bytes every time.

use std::fs;
use std::process::Stdio;

use crate::common::{Scratch, content, invalid_module, module};

#[test]
fn formats_go_by_extension() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "out.spv"]).ended(0);
    assert_eq!(content(&scratch.path("out.spv"))[..4], 0x0723_0203_u32.to_le_bytes());
    scratch.run(&["compile", "out.spv", "-o", "back.ir"]).ended(0);
    let text = fs::read_to_string(scratch.path("back.ir")).unwrap();
    assert!(text.contains("stage structured") && text.contains("^left"), "{text}");
}

#[test]
fn the_binary_form_is_a_format_like_the_others() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "out.rcv"]).ended(0);
    let bytes = content(&scratch.path("out.rcv"));
    assert_eq!(bytes[..4], *b"\x89RCV");
    let piped = scratch.run(&["compile", "module.ir", "-o", "-", "--to", "binary"]).ended(0);
    assert_eq!(piped.0.stdout, bytes);
    scratch.run(&["check", "out.rcv"]).ended(0);
    // The same module, whatever it went through; without an extension, by the first bytes.
    scratch.run(&["compile", "module.ir", "-o", "straight.ir"]).ended(0);
    scratch.run(&["compile", "out.rcv", "-O0", "-o", "back.ir"]).ended(0);
    assert_eq!(content(&scratch.path("back.ir")), content(&scratch.path("straight.ir")));
    assert!(content(&scratch.path("back.ir")).starts_with(b"version 1\n"));
    fs::copy(scratch.path("out.rcv"), scratch.path("nameless")).unwrap();
    scratch.run(&["compile", "nameless", "-O0", "-o", "again"]).ended(0);
    assert_eq!(content(&scratch.path("again")), bytes);
    scratch.file("wrong.spv", &bytes);
    let said = scratch.run(&["check", "wrong.spv"]).ended(1).stderr();
    assert!(said.contains("error[wrong-kind]") && said.contains("--from binary"), "{said}");
    scratch.file("cut.rcv", &bytes[..bytes.len() / 2]);
    let said = scratch.run(&["check", "cut.rcv"]).ended(1).stderr();
    assert!(said.contains("error[binary-length]") && said.contains("cut.rcv, byte "), "{said}");
    let newer: Vec<u8> = [&bytes[..4], &[9, 9], &bytes[6..]].concat();
    scratch.file("newer.rcv", newer);
    let said = scratch.run(&["check", "newer.rcv"]).ended(3).stderr();
    assert!(said.contains("error[binary-version]") && said.contains("from 1 to 1, found 9 to 9"), "{said}");
    scratch.file("newer.ir", "version 9\n");
    assert!(scratch.run(&["check", "newer.ir"]).ended(1).stderr().contains("error[text-version]"));
}

#[test]
fn without_an_extension_the_output_is_what_the_input_is() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "text_out"]).ended(0);
    assert!(fs::read_to_string(scratch.path("text_out")).unwrap().contains("stage structured"));
    scratch.run(&["compile", "text_out", "-o", "out.spv"]).ended(0);
    fs::rename(scratch.path("out.spv"), scratch.path("binary.in")).unwrap();
    scratch.run(&["compile", "binary.in", "-o", "binary_out"]).ended(0);
    assert_eq!(content(&scratch.path("binary_out"))[..4], 0x0723_0203_u32.to_le_bytes());
}

#[test]
fn the_flags_win_over_the_extensions() {
    let scratch = Scratch::new();
    scratch.file("module.spv", module());
    scratch.run(&["check", "module.spv"]).ended(1);
    scratch.run(&["compile", "module.spv", "-o", "out.spv", "--from", "text", "--to", "text"]).ended(0);
    assert!(fs::read_to_string(scratch.path("out.spv")).unwrap().contains("stage structured"));
}

#[test]
fn stdin_and_stdout() {
    let scratch = Scratch::new();
    let binary = scratch.feed(&["compile", "-", "-o", "-", "--to", "spirv"], module().as_bytes()).ended(0);
    assert!(binary.stderr().is_empty());
    let text = scratch.feed(&["compile", "-", "-o", "-", "--to", "text"], &binary.0.stdout).ended(0);
    assert!(text.stdout().contains("stage structured"));
    scratch.feed(&["check", "-"], &binary.0.stdout).ended(0);
    let refused = scratch.feed(&["check", "-"], invalid_module().as_bytes()).ended(1);
    assert!(refused.stderr().contains("<stdin>:"), "{}", refused.stderr());
    assert!(scratch.names().is_empty());
}

#[test]
fn messages_never_mix_with_the_output() {
    let scratch = Scratch::new();
    let plain = scratch.feed(&["compile", "-", "-o", "-"], module().as_bytes()).ended(0);
    let flags = ["compile", "-", "-o", "-", "--why", "--time-passes", "--print-after", "structurize"];
    let loud = scratch.feed(&flags, module().as_bytes()).ended(0);
    assert_eq!(plain.0.stdout, loud.0.stdout);
    assert!(loud.stderr().contains("; after structurize"), "{}", loud.stderr());
}

#[test]
fn a_failure_leaves_the_output_as_it_was() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    let old = scratch.file("out.spv", "old");
    scratch.run(&["compile", "invalid.ir", "-o", "out.spv"]).ended(1);
    assert_eq!(content(&old), b"old");
    assert_eq!(scratch.names(), ["invalid.ir", "out.spv"]);
}

#[test]
fn an_output_may_be_its_own_input() {
    let scratch = Scratch::new();
    let module = scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "module.ir"]).ended(0);
    assert!(fs::read_to_string(module).unwrap().contains("stage structured"));
    assert_eq!(scratch.names(), ["module.ir"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new();
    scratch.module();
    let real = scratch.file("real.ir", "old");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.ir", scratch.path("link.ir")).unwrap();
    symlink("fresh.ir", scratch.path("dangling.ir")).unwrap();
    scratch.run(&["compile", "module.ir", "-o", "link.ir"]).ended(0);
    scratch.run(&["compile", "module.ir", "-o", "dangling.ir"]).ended(0);
    assert!(fs::symlink_metadata(scratch.path("link.ir")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(content(&real), content(&scratch.path("fresh.ir")));
    let fresh = fs::metadata(scratch.path("fresh.ir")).unwrap().permissions().mode() & 0o777;
    let usual = fs::metadata(scratch.path("module.ir")).unwrap().permissions().mode() & 0o777;
    assert_eq!(fresh, usual);
}

#[cfg(unix)]
#[test]
fn devices_are_written_straight() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "/dev/null"]).ended(0);
    let ran = scratch.run(&["compile", "module.ir", "-o", "/dev/stdout"]).ended(0);
    assert!(ran.stdout().contains("stage structured"));
    let ran = scratch.feed(&["compile", "/dev/stdin", "-o", "-"], module().as_bytes()).ended(0);
    assert!(ran.stdout().contains("stage structured"));
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let scratch = Scratch::new();
    scratch.module();
    for arguments in [&["compile", "module.ir", "-o", "-"][..], &["passes"], &["--version"], &["--help"]] {
        let mut command = scratch.command(arguments);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(75), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_same_bytes_every_time_and_everywhere() {
    let (here, there) = (Scratch::new(), Scratch::new());
    for scratch in [&here, &there] {
        scratch.module();
    }
    for name in ["out.spv", "out.ir"] {
        here.run(&["compile", "module.ir", "-o", name]).ended(0);
        let status = there.command(&["compile", "module.ir", "-o", name]).env_clear().status().unwrap();
        assert!(status.success());
        assert_eq!(content(&here.path(name)), content(&there.path(name)), "{name}");
    }
}

#[test]
fn stopping_early_writes_what_there_is() {
    let scratch = Scratch::new();
    scratch.module();
    let ran = scratch.run(&["compile", "module.ir", "-o", "-", "--stop-after", "remove_unreachable"]).ended(0);
    assert!(ran.stdout().contains("stage graph"), "{}", ran.stdout());
}

#[test]
fn stripping_finds_the_structure_anew() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "once.spv"]).ended(0);
    scratch.run(&["compile", "once.spv", "-o", "again.spv", "--strip-merges"]).ended(0);
    scratch.run(&["check", "again.spv"]).ended(0);
    scratch.run(&["check", "again.spv", "--strip-merges"]).ended(0);
}

#[test]
#[cfg(unix)]
fn names_of_files_do_not_reach_the_terminal_as_they_are() {
    let scratch = Scratch::new();
    let name = "a\n\u{1b}[31mb.ir";
    scratch.file(name, "%x = no_such_op\n");
    let said = scratch.run(&["check", name]).ended(1).stderr();
    assert!(said.contains(r"a\n\u{1b}[31mb.ir:1:6"), "{said:?}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    let said = scratch.run(&["check", name, "--error-format=json"]).ended(1).json();
    assert_eq!(said[0]["file"], name);
}

#[test]
fn extensions_in_capitals_are_those_in_small_letters() {
    let scratch = Scratch::new();
    fs::write(scratch.path("MODULE.IR"), module()).unwrap();
    scratch.run(&["compile", "MODULE.IR", "-o", "OUT.SPV"]).ended(0);
    assert_eq!(content(&scratch.path("OUT.SPV"))[..4], 0x0723_0203_u32.to_le_bytes());
    scratch.run(&["compile", "OUT.SPV", "-o", "BACK.Ir"]).ended(0);
    assert!(content(&scratch.path("BACK.Ir")).starts_with(b"version 1\n"));
    scratch.run(&["compile", "OUT.SPV", "-o", "OUT.DOT", "--report", "REPORT.JSON"]).ended(0);
    assert!(content(&scratch.path("OUT.DOT")).starts_with(b"digraph"));
    assert!(content(&scratch.path("REPORT.JSON")).starts_with(b"{"));
    scratch.run(&["link", "OUT.SPV", "-o", "LINKED.SPVASM", "--library"]).ended(0);
    assert!(content(&scratch.path("LINKED.SPVASM")).starts_with(b";"));
    scratch.file("GRAPH.CFG", "a br b\nb ret\n");
    scratch.run(&["graph", "GRAPH.CFG", "-o", "GRAPH.SVG"]).ended(0);
    assert!(content(&scratch.path("GRAPH.SVG")).starts_with(b"<svg"));
}
