//! Every exit code, and every way to each of them that a user is likely to find.

use std::fs;

use crate::common::{Scratch, binary, content, invalid_module};

#[test]
fn zero_for_what_went_well() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "out.spv"]).ended(0);
    scratch.run(&["check", "out.spv"]).ended(0);
    scratch.run(&["compile", "module.ir", "-o", "out.ir", "-O0", "--verify-each"]).ended(0);
    scratch.run(&["passes"]).ended(0);
    scratch.run(&["--help"]).ended(0);
    scratch.run(&["compile", "--help"]).ended(0);
    scratch.run(&["--version"]).ended(0);
}

#[test]
fn one_for_a_wrong_text() {
    let scratch = Scratch::new();
    scratch.file("wrong.ir", "%u32 = type_int 32 0\n%x: %u32 = no_such_op\n");
    let ran = scratch.run(&["compile", "wrong.ir", "-o", "out.spv"]).ended(1);
    assert!(ran.stderr().contains("wrong.ir:2:"), "{}", ran.stderr());
    assert!(ran.stderr().contains("no_such_op"), "{}", ran.stderr());
    assert_eq!(scratch.names(), ["wrong.ir"]);
}

#[test]
fn one_for_a_broken_rule() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    scratch.run(&["compile", "invalid.ir", "-o", "out.spv"]).ended(1);
    scratch.run(&["check", "invalid.ir"]).ended(1);
}

#[test]
fn one_for_a_cut_spirv_file() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "whole.spv"]).ended(0);
    let whole = content(&scratch.path("whole.spv"));
    for length in [3, 4, 19, 20, 20 + 6, 20 + 8, whole.len() - 4, whole.len() - 1] {
        scratch.file("cut.spv", &whole[..length]);
        let ran = scratch.run(&["check", "cut.spv", "--error-format=json"]).ended(1);
        let said = ran.json();
        assert!(said[0]["place"]["word"].is_u64(), "cut to {length}: {said:?}");
        assert!(said[0]["code"].as_str().unwrap().starts_with("spirv-"), "cut to {length}: {said:?}");
    }
}

#[test]
fn one_for_an_empty_input() {
    let scratch = Scratch::new();
    scratch.file("empty.ir", "");
    scratch.file("blank.ir", "\n \n");
    scratch.file("empty.spv", "");
    scratch.file("empty", "");
    for input in ["empty.ir", "blank.ir", "empty.spv", "empty", "-", "/dev/null"] {
        let commands: [&[&str]; 3] =
            [&["check", input], &["compile", input, "-o", "out.ir"], &["run", input, "--global", "4"]];
        for command in commands {
            let said = scratch.run(&[command, &["--error-format=json"]].concat()).ended(1).json();
            assert_eq!((said.len(), &said[0]["code"]), (1, &"empty-input".into()), "{command:?}: {said:?}");
            assert_eq!(said[0]["message"], "the input is empty");
        }
    }
    assert_eq!(scratch.names(), ["blank.ir", "empty", "empty.ir", "empty.spv"]);
}

#[test]
fn one_for_spirv_without_a_memory_model() {
    let scratch = Scratch::new();
    scratch.file("header.spv", binary(&[0x0723_0203, 0x0001_0000, 0, 1, 0]));
    for command in [&["check", "header.spv"][..], &["compile", "header.spv", "-o", "out.spv"]] {
        let said = scratch.run(&[command, &["--error-format=json"]].concat()).ended(1).json();
        assert_eq!((&said[0]["code"], &said[0]["place"]["word"]), (&"spirv-layout".into(), &5.into()), "{said:?}");
        assert!(said[0]["message"].as_str().unwrap().contains("OpMemoryModel"), "{said:?}");
    }
    scratch.file("void.ir", "%void = type_void\n");
    scratch.run(&["check", "void.ir"]).ended(0);
    let said = scratch.run(&["compile", "void.ir", "-o", "out.spv", "--error-format=json"]).ended(1).json();
    assert_eq!(said[0]["code"], "write-layout", "{said:?}");
    assert_eq!(scratch.names(), ["header.spv", "void.ir"]);
}

#[test]
fn two_for_wrong_usage() {
    let scratch = Scratch::new();
    scratch.module();
    let wrong: [&[&str]; 12] = [
        &[],
        &["frobnicate"],
        &["compile"],
        &["compile", "module.ir"],
        &["compile", "module.ir", "-o", "out.ir", "--no-such-flag"],
        &["compile", "module.ir", "-o", "out.ir", "-O9"],
        &["compile", "module.ir", "-o", "out.ir", "--to", "xyz"],
        &["compile", "module.ir", "-o", "out.ir", "--nesting-limit", "many"],
        &["compile", "module.ir", "-o", "out.ir", "--passes", "if_conversion", "--stop-after", "loop_peel"],
        &["compile", "module.ir", "-o", "out.ir", "--passes", "if_conversion", "--stop-after", "structurize"],
        &["compile", "module.ir", "-o", "out.ir", "--crash-after", "loop_peel"],
        &["check", "module.ir", "module.ir"],
    ];
    for arguments in wrong {
        let ran = scratch.run(arguments).ended(2);
        assert!(ran.stdout().is_empty() && !ran.stderr().is_empty(), "{arguments:?}");
    }
    assert_eq!(scratch.names(), ["module.ir"]);
}

#[test]
fn an_unknown_pass_names_the_nearest_and_says_where_all_are() {
    let scratch = Scratch::new();
    scratch.module();
    for flag in ["--stop-after", "--print-after", "--passes"] {
        let ran = scratch.run(&["compile", "module.ir", "-o", "out.ir", flag, "structurise"]).ended(2);
        assert!(ran.stderr().contains("'structurise'"), "{}", ran.stderr());
        assert!(ran.stderr().contains("a similar value exists: 'structurize'"), "{}", ran.stderr());
        assert!(ran.stderr().contains("`reconverge passes` lists all passes"), "{}", ran.stderr());
        assert!(!ran.stderr().contains("remove_unreachable"), "not all: {}", ran.stderr());
        let ran = scratch.run(&["compile", "module.ir", "-o", "out.ir", flag, "zzz"]).ended(2);
        assert!(!ran.stderr().contains("similar"), "{}", ran.stderr());
    }
}

#[test]
fn a_pass_that_is_nearly_named_is_suggested() {
    let scratch = Scratch::new();
    scratch.module();
    let ran = scratch.run(&["compile", "module.ir", "-o", "out.ir", "--passes", "if_conversion,lower_return"]).ended(2);
    assert!(ran.stderr().contains("similar values exist: 'lower_returns'"), "{}", ran.stderr());
    scratch.run(&["compile", "module.ir", "-o", "out.ir", "--passes", "lower_returns,lower_returns"]).ended(0);
}

#[test]
fn two_outputs_that_would_be_one_are_wrong_usage() {
    let scratch = Scratch::new();
    scratch.module();
    for [output, reflection] in [["out.ir", "out.ir"], ["out.ir", "./out.ir"], ["-", "-"], ["-", "/dev/stdout"]] {
        let ran = scratch.run(&["compile", "module.ir", "-o", output, "--reflection", reflection]).ended(2);
        assert!(ran.stdout().is_empty() && ran.stderr().contains("cannot both be written"), "{}", ran.stderr());
    }
    assert_eq!(scratch.names(), ["module.ir"]);
    let both = scratch.run(&["compile", "module.ir", "-o", "/dev/null", "--reflection", "/dev/null"]).ended(2);
    assert!(both.stderr().contains("no OpenCL kernel"), "what is written to it twice is no loss: {}", both.stderr());
}

#[test]
fn three_for_a_version_that_is_not_supported() {
    let scratch = Scratch::new();
    let header: [u32; 5] = [0x0723_0203, 0x0009_0900, 0, 1, 0];
    let bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
    scratch.file("future.spv", bytes);
    let ran = scratch.run(&["check", "future.spv"]).ended(3);
    assert!(ran.stderr().contains("00090900"), "names the version: {}", ran.stderr());
}

#[test]
fn three_for_a_masked_function_in_spirv() {
    let scratch = Scratch::new();
    let head = "capability Shader\ncapability Linkage\nmemory_model Logical, GLSL450\n%void = type_void\n";
    let function = "func %f: %void () stage masked {\nblock ^entry:\n  return\n}\n";
    scratch.file("masked.ir", [head, function].concat());
    scratch.run(&["compile", "masked.ir", "-o", "out.ir"]).ended(0);
    let ran = scratch.run(&["compile", "masked.ir", "-o", "out.spv"]).ended(3);
    assert!(ran.stderr().contains("write-op") && ran.stderr().contains("stage masked"), "{}", ran.stderr());
}

#[test]
fn four_for_a_declared_limit() {
    let scratch = Scratch::new();
    scratch.module();
    let arguments = ["compile", "module.ir", "-o", "out.ir", "--block-limit", "2", "--error-format=json"];
    let ran = scratch.run(&arguments).ended(4);
    let said = &ran.json()[0];
    assert_eq!(said["code"], "structurize-limit");
    assert_eq!(said["function"], "%main");
    assert_eq!(scratch.names(), ["module.ir"]);
}

#[test]
fn seventy_for_a_bug_with_a_reproducer_next_to_the_output() {
    let scratch = Scratch::new();
    let module = scratch.module();
    let old = scratch.file("out.spv", "old");
    let ran = scratch.run(&["compile", "module.ir", "-o", "out.spv", "--crash-after", "structurize"]).ended(70);
    assert!(ran.stderr().contains("out.spv.crash"), "{}", ran.stderr());
    assert!(!ran.stderr().contains("RUST_BACKTRACE"), "{}", ran.stderr());
    assert_eq!(content(&old), b"old");
    assert_eq!(content(&scratch.path("out.spv.crash/input.ir")), content(&module));
    let report = fs::read_to_string(scratch.path("out.spv.crash/report.txt")).unwrap();
    assert!(report.contains("compile module.ir -o out.spv --crash-after structurize"), "{report}");
    assert!(report.contains("remove_unreachable, structurize"), "{report}");
    assert_eq!(scratch.names(), ["module.ir", "out.spv", "out.spv.crash"]);
    scratch.run(&["compile", "module.ir", "-o", "out.spv", "--crash-after", "structurize"]).ended(70);
}

#[test]
fn seventy_with_the_reproducer_in_the_temporary_folder_if_the_output_is_a_stream() {
    let scratch = Scratch::new();
    scratch.module();
    let ran = scratch.run(&["compile", "module.ir", "-o", "-", "--crash-after", "structurize"]).ended(70);
    assert!(ran.stdout().is_empty());
    let folder = scratch.names().into_iter().find(|name| name.starts_with("reconverge-crash-")).unwrap();
    assert!(ran.stderr().contains(&folder), "{}", ran.stderr());
    assert!(scratch.path(&folder).join("input.ir").is_file());
}

#[test]
fn seventy_five_for_files_that_cannot_be_read_or_written() {
    let scratch = Scratch::new();
    scratch.module();
    fs::create_dir(scratch.path("folder")).unwrap();
    let wrong: [&[&str]; 6] = [
        &["check", "missing.spv"],
        &["check", "folder"],
        &["compile", "missing.spv", "-o", "out.spv"],
        &["compile", "module.ir", "-o", "folder"],
        &["compile", "module.ir", "-o", "no/such/folder/out.ir"],
        &["compile", "module.ir", "-o", "module.ir/out.ir"],
    ];
    for arguments in wrong {
        let ran = scratch.run(arguments).ended(75);
        assert!(ran.stderr().contains("error[io]"), "{arguments:?}: {}", ran.stderr());
        assert!(!ran.stderr().contains(".reconverge-"), "no temporary file is named: {}", ran.stderr());
    }
    assert_eq!(scratch.names(), ["folder", "module.ir"]);
}
