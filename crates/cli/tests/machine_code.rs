//! Targets with machine code: the passes of their back ends are inspected as all others are.

use std::path::Path;

use serde_json::Value;

use crate::common::{Scratch, content, module};

fn kernel(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels").join(name);
    path.to_str().expect("the path is text").to_owned()
}

/// The passes of a compilation, in order, each with its index among the optimizations.
fn passes(scratch: &Scratch, flags: &[&str]) -> Vec<(String, Option<u64>)> {
    let module = kernel("ranges.spv");
    let base = ["compile", &module, "-o", "k.out", "-v", "--error-format=json", "--time-passes"];
    let lines = scratch.run(&[&base, flags].concat()).ended(0).json();
    let index = |name: &Value| {
        let pass = lines.iter().find(|line| line["kind"] == "pass" && line["pass"] == *name);
        pass.and_then(|line| line["optimization"].as_u64())
    };
    let times = lines.iter().filter(|line| line["kind"] == "time");
    times.map(|line| (line["step"].as_str().unwrap_or_default().to_owned(), index(&line["step"]))).collect()
}

fn has(passes: &[(String, Option<u64>)], name: &str) -> bool {
    passes.iter().any(|(pass, _)| pass == name)
}

#[test]
#[cfg(target_arch = "x86_64")]
fn code_of_this_cpu_is_text() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let compile = |output: &str| {
        scratch.run(&["compile", &module, "--target", "cpu", "-o", output, "--reflection", "k.json"]).ended(0);
        String::from_utf8(content(&scratch.path(output))).expect("text is UTF-8")
    };
    let text = compile("k.cpuasm");
    assert!(text.contains("ret"), "{text}");
    assert_eq!(compile("again.cpuasm"), text);
    let object: Value = serde_json::from_slice(&content(&scratch.path("k.json"))).expect("the interface is JSON");
    scratch.run(&["compile", &module, "--target", "cpu", "-o", "k.cpu"]).ended(0);
    assert_eq!(object["image"]["bytes"], content(&scratch.path("k.cpu")).len());
    assert_eq!((&object["target"], &object["kernel"]), (&"cpu".into(), &"ranges".into()));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn passes_of_a_back_end_are_timed_verified_and_limited() {
    let scratch = Scratch::new();
    let of_cpu = passes(&scratch, &["--target", "cpu", "--to", "cpuasm", "--verify-each"]);
    for name in ["specialize", "scalarize", "loop_closed_ssa", "mask"] {
        assert!(has(&of_cpu, name), "{name}: {of_cpu:?}");
    }
    let of_vc4 = passes(&scratch, &["--target", "vc4", "--to", "qpu", "--verify-each"]);
    assert!(has(&of_vc4, "loop_closed_ssa") && !has(&of_vc4, "mask"), "{of_vc4:?}");
    let count = |passes: &[(String, Option<u64>)]| passes.iter().filter(|(name, _)| name == "gvn").count();
    let limited = passes(&scratch, &["--target", "cpu", "--to", "cpuasm", "--opt-bisect-limit", "1"]);
    assert!(count(&of_cpu) > count(&limited) && has(&limited, "mask"), "{limited:?}");
    let bare = passes(&scratch, &["--target", "cpu", "--to", "cpuasm", "-O0"]);
    assert!(count(&bare) == 0 && has(&bare, "mask"), "{bare:?}");
}

#[test]
fn a_compilation_stops_at_masks() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let flags = ["--target", "cpu", "--stop-after", "mask", "-o", "k.ir"];
    scratch.run(&[&["compile", &module], &flags[..]].concat()).ended(0);
    let text = String::from_utf8(content(&scratch.path("k.ir"))).expect("text is UTF-8");
    assert!(text.contains("stage masked"), "{text}");
    let printed = ["--target", "vc4", "--print-after", "scalarize", "-o", "k.qpu"];
    let said = scratch.run(&[&["compile", &module], &printed[..]].concat()).ended(0).stderr();
    assert!(said.contains("; after scalarize"), "{said}");
    // What stops early has no code.
    let flags = ["--target", "vc4", "--stop-after", "scalarize", "-o", "k2.qpu"];
    let said = scratch.run(&[&["compile", &module], &flags[..]].concat()).ended(2).stderr();
    assert!(said.contains("--stop-after") && !scratch.path("k2.qpu").exists(), "{said}");
}

#[test]
fn a_report_goes_on_to_machine_code() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    scratch.run(&["compile", &module, "--target", "vc4", "-o", "k.qpu", "--report", "r.json"]).ended(0);
    let report: Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("the report is JSON");
    let passes = report["passes"].as_array().expect("it has passes");
    assert!(passes.iter().any(|pass| pass["name"] == "loop_closed_ssa"), "{passes:?}");
    let lines = report["output"]["lines"].as_array().expect("it has an output");
    assert!(lines.iter().any(|line| line.as_str().is_some_and(|line| line.contains("thrend"))), "{lines:?}");
    check_code(&report);
}

/// Checks that the last state of a report is machine code: that each line of the output is beside one block.
fn check_code(report: &Value) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let passes = list(&report["passes"]);
    let last = &passes[passes.len() - 1];
    assert_eq!((&last["name"], list(&last["functions"]).len()), (&"machine code".into(), 1));
    let at = |list: &Value, index: &Value| list[index.as_u64().expect("an index") as usize].clone();
    let function = at(&report["functions"], &last["functions"][0]);
    let blocks = list(&function["nodes"]).into_iter().map(|node| at(&report["blocks"], &node["block"]));
    let parts = blocks.flat_map(|block| list(&block["code"]));
    let mut beside: Vec<String> = parts
        .flat_map(|part| list(&part["lines"]))
        .map(|line| at(&report["lines"], &line).as_str().expect("a line is text").to_owned())
        .collect();
    let lines = list(&report["output"]["lines"]);
    let mut output: Vec<String> = lines.iter().map(|line| line.as_str().expect("a line is text").to_owned()).collect();
    beside.sort();
    output.sort();
    assert!(!output.is_empty());
    assert_eq!(beside, output);
    let states = list(&report["lanes"]["launches"][0]["states"]);
    assert_eq!(states.len(), passes.len());
}

/// The report of a target with code has it too, for the launches that `compile` takes without flags.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_command_report_goes_on_to_machine_code() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    for (target, format) in [("cpu", "cpuasm"), ("vc4", "qpuasm")] {
        let flags = ["report", &module, "--target", target, "-o", "r.html", "--emit", "r.json"];
        scratch.run(&flags).ended(0);
        let report: Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("the report is JSON");
        check_code(&report);
        scratch.run(&["compile", &module, "--target", target, "--to", format, "-o", "k.text"]).ended(0);
        let text = String::from_utf8(content(&scratch.path("k.text"))).expect("text is UTF-8");
        let lines: Vec<Value> = text.lines().map(Value::from).collect();
        assert_eq!(report["output"]["lines"], Value::from(lines), "{target}");
    }
}

/// A module without a single kernel has a report without machine code, and a note says so.
#[test]
fn a_report_of_a_shader_or_of_several_kernels_has_no_machine_code() {
    let scratch = Scratch::new();
    scratch.file("shader.ir", module());
    let cases = [
        (kernel("two_kernels.spv"), "--target vc4 compiles one kernel: choose one of "),
        (kernel("align_mask.spv"), "needs --local-memory with the bytes of its argument"),
        ("shader.ir".to_owned(), "--target vc4 compiles OpenCL kernels, and the module has none"),
    ];
    for (module, reason) in cases {
        let module = module.as_str();
        let flags = ["report", module, "--target", "vc4", "-o", "r.html", "--emit", "r.json"];
        let said = scratch.run(&flags).ended(0).stderr();
        assert!(said.contains("note: the report has no machine code: ") && said.contains(reason), "{said}");
        let report: Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("the report is JSON");
        let passes = report["passes"].as_array().expect("it has passes");
        assert!(passes.iter().all(|pass| pass["name"] != "machine code"), "{passes:?}");
    }
    let said = scratch.run(&["report", "shader.ir", "-o", "r.html"]).ended(0).stderr();
    assert!(!said.contains("machine code"), "{said}");
}

#[test]
fn masks_are_no_module_of_other_formats() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let flags = ["--target", "cpu", "--stop-after", "mask", "-o", "k.spv"];
    let ran = scratch.run(&[&["compile", &module], &flags[..]].concat());
    assert_eq!(ran.0.status.code(), Some(3), "{}", ran.stderr());
    assert!(ran.stderr().contains("end before the pass mask, or write .ir") && !scratch.path("k.spv").exists());
    for name in ["k.wgsl", "k.glsl", "k.hlsl", "k.metal"] {
        let flags = ["--target", "cpu", "--stop-after", "mask", "-o", name];
        let said = scratch.run(&[&["compile", &module], &flags[..]].concat()).ended(2).stderr();
        assert!(said.contains("stage masked") && said.contains("or write .ir"), "{name}: {said}");
        assert!(!scratch.path(name).exists(), "{name}");
    }
}
