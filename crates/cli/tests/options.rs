//! Options are never ignored: each has an effect on the output, or is refused for the input or beside other options.

mod common;

use common::{NESTED, PREAMBLE, Scratch, content};

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{NESTED}"));
    scratch.module();
    scratch.file("nested.ir", format!("{PREAMBLE}{NESTED}"));
    scratch.file("graph.cfg", "a condbr b c | b ret | c ret\n");
    scratch
}

#[test]
fn policy_and_nesting_limit_hold_for_functions_that_come_structured() {
    let scratch = scratch();
    let compiled = |flags: &[&str]| {
        let arguments = [&["compile", "-O0", "nested.ir", "-o", "out.spv"], flags].concat();
        scratch.run(&arguments).ended(0);
        scratch.run(&["check", "out.spv"]).ended(0);
        content(&scratch.path("out.spv"))
    };
    let plain = compiled(&[]);
    assert_ne!(compiled(&["--policy", "wgsl"]), plain);
    assert_ne!(compiled(&["--policy", "flat"]), plain);
    assert_ne!(compiled(&["--nesting-limit", "0"]), plain, "what branches is flat then");
    assert_eq!(compiled(&["--policy", "spirv"]), plain);
    assert_eq!(compiled(&["--nesting-limit", "3"]), plain, "no deeper than that, it stays as it is");
}

#[test]
fn outputs_go_by_extension_or_are_refused() {
    let scratch = scratch();
    scratch.run(&["compile", "module.ir", "-o", "out.spvasm"]).ended(0);
    assert!(content(&scratch.path("out.spvasm")).starts_with(b"; SPIR-V"));
    let asm = scratch.run(&["compile", "module.ir", "-o", "-", "--to", "asm"]).ended(0);
    assert_eq!(asm.0.stdout, content(&scratch.path("out.spvasm")));
    for name in ["x.wgsl", "x.dot", "x.txt", "x.json"] {
        let said = scratch.run(&["compile", "module.ir", "-o", name]).ended(2).stderr();
        assert!(said.contains(".spvasm"), "{said}");
        assert!(!scratch.names().contains(&name.to_owned()));
        scratch.run(&["compile", "module.ir", "-o", name, "--to", "spirv"]).ended(0);
    }
    scratch.run(&["graph", "graph.cfg", "-o", "plan.wgsl"]).ended(2);
    scratch.run(&["graph", "graph.cfg", "-o", "plan.txt"]).ended(0);
}

#[test]
fn what_nothing_would_come_of_is_an_error_of_usage() {
    let scratch = scratch();
    let compile = |flags: &[&str]| {
        let arguments = [&["compile", "nested.ir", "-o", "out.spv"], flags].concat();
        let ran = scratch.run(&arguments).ended(2);
        assert!(!scratch.names().contains(&"out.spv".to_owned()), "{flags:?}");
        ran.stderr()
    };
    for flags in [
        &["--reflection", "out.json"][..],
        &["--kernel", "f"],
        &["--global-offset"],
        &["--int64", "split"],
        &["--fma", "exact"],
        &["--driver", "lavapipe"],
        &["--target", "input", "--driver", "lavapipe"],
    ] {
        let said = compile(flags);
        assert!(said.contains("OpenCL kernels"), "{flags:?}: {said}");
    }
    for flags in [
        &["--strip-merges", "--assume", "merges=hints"][..],
        &["--strip-merges", "--strict"],
        &["-O0", "--print-after", "simplify"],
        &["-O0", "--stop-after", "simplify"],
        &["--print-after", "memory"],
    ] {
        compile(flags);
    }
    scratch.run(&["check", "--explain", "F03", "nested.ir"]).ended(2);
    let run = |flags: &[&str]| {
        let arguments = [&["run", "nested.ir", "--global", "1"], flags].concat();
        scratch.run(&arguments).ended(2);
    };
    run(&["--device", "0"]);
    run(&["--validation"]);
    run(&["--timeout", "1"]);
    run(&["--fma", "exact"]);
    run(&["--on", "vulkan", "--fuel", "9"]);
    run(&["--on", "vulkan", "--compiled"]);
    run(&["--on", "vulkan", "--races", "deny"]);
    run(&["--on", "vulkan", "--subgroup-size", "4"]);
}

#[cfg(unix)]
#[test]
fn outputs_are_written_all_or_none() {
    let scratch = Scratch::new();
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels");
    let mut files = std::fs::read_dir(kernel).expect("the kernels").filter_map(Result::ok).map(|entry| entry.path());
    let kernel = files.find(|path| path.extension().is_some_and(|extension| extension == "spv")).expect("a kernel");
    let kernel = kernel.to_string_lossy().into_owned();
    for reflection in ["missing/r.json", "/dev/full", "."] {
        scratch.run(&["compile", &kernel, "-o", "out.spv", "--reflection", reflection]).ended(75);
        assert!(scratch.names().is_empty(), "{reflection}: {:?}", scratch.names());
    }
    scratch.run(&["compile", &kernel, "-o", "out.spv", "--reflection", "r.json"]).ended(0);
    assert_eq!(scratch.names(), ["out.spv", "r.json"]);
}

#[test]
fn inputs_that_are_none() {
    let scratch = scratch();
    scratch.file("empty.spv", "");
    scratch.file("cut.spv", &0x0723_0203_u32.to_le_bytes()[..]);
    std::fs::create_dir(scratch.path("folder")).expect("a folder");
    for (input, code) in [("empty.spv", 1), ("cut.spv", 1), ("graph.cfg", 1), ("folder", 75), ("missing.spv", 75)] {
        scratch.run(&["compile", input, "-o", "out.spv"]).ended(code);
        scratch.run(&["check", input]).ended(code);
        scratch.run(&["run", input, "--global", "1"]).ended(code);
    }
    assert!(!scratch.names().contains(&"out.spv".to_owned()));
}
