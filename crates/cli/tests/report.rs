//! The report: lanes from a launch, from a generated one, or from none.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use serde_json::Value;

use crate::common::{PREAMBLE, Scratch};

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels/");

/// A kernel of this project, or a launch of it.
fn kernel(name: &str) -> String {
    format!("{KERNELS}{name}")
}

fn json(scratch: &Scratch, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(scratch.path(name)).unwrap()).unwrap()
}

/// The first and the last state of the only launch.
fn ends(report: &Value) -> [&Value; 2] {
    let launches = report["lanes"]["launches"].as_array().unwrap();
    assert_eq!(launches.len(), 1, "{launches:?}");
    let states = launches[0]["states"].as_array().unwrap();
    assert_eq!(states.len(), report["passes"].as_array().unwrap().len());
    let run = |state: &Value| &launches[0]["runs"][state["run"].as_u64().unwrap() as usize];
    [run(&states[0]), run(&states[states.len() - 1])]
}

#[test]
fn lanes_run_from_the_launch_that_is_given() {
    let scratch = Scratch::new();
    let [module, launch] = ["barrier_break.spv", "barrier_break.json"].map(kernel);
    let words = ["report", &module, "--launch", &launch, "-o", "out.html", "--emit", "out.json"];
    scratch.run(&words).ended(0);
    let report = json(&scratch, "out.json");
    assert!(report["lanes"]["launches"][0]["inputs"].as_str().unwrap().contains("barrier_break.json"));
    let [first, last] = ends(&report);
    for run in [first, last] {
        assert_eq!(run["lanes"], 8);
        assert!(run["ends"].as_array().unwrap().iter().all(|end| end["text"] == "returned"), "{}", run["ends"]);
    }
    // The barriers of the input are executed alone, lane by lane until then; those of the output by lanes that go together.
    assert!(first["operations"].as_array().unwrap().iter().all(|one| one["op"] == "control_barrier"));
    let pairs = report["lanes"]["launches"][0]["comparisons"][0]["pairs"].as_array().unwrap();
    assert!(pairs.len() > 10 && pairs.iter().all(|pair| pair["verdict"] == "agree"), "{pairs:?}");
    let again = Scratch::new();
    again.run(&words).ended(0);
    assert_eq!(fs::read(scratch.path("out.html")).unwrap(), fs::read(again.path("out.html")).unwrap());
}

#[test]
fn a_generated_launch_is_one_that_run_takes() {
    let scratch = Scratch::new();
    let module = kernel("group_scans.spv");
    scratch.run(&["report", &module, "-o", "out.html", "--emit", "out.json"]).ended(0);
    let report = json(&scratch, "out.json");
    let flags = report["lanes"]["launches"][0]["inputs"].as_str().unwrap().replace('\'', "");
    let words: Vec<&str> = ["run", &module, "--on", "interpreter"].into_iter().chain(flags.split(' ')).collect();
    scratch.run(&words).ended(0);
    let [first, last] = ends(&report);
    for run in [first, last] {
        assert_eq!(run["ends"][0]["text"], "returned");
    }
    let operations = first["operations"].as_array().unwrap();
    let result = operations.iter().find(|one| !one["values"].as_array().unwrap().is_empty());
    assert!(result.is_some(), "{operations:?}");
}

#[test]
fn a_kernel_that_no_launch_can_be_generated_for_says_so() {
    let scratch = Scratch::new();
    let module = kernel("struct_by_value.O0.spv");
    scratch.run(&["report", &module, "-o", "out.html", "--emit", "out.json"]).ended(0);
    let report = json(&scratch, "out.json");
    let launch = &report["lanes"]["launches"][0];
    assert!(launch["runs"].as_array().unwrap().is_empty());
    assert!(launch["states"][0]["reason"].as_str().unwrap().contains("give a launch"), "{launch}");
}

#[test]
fn shaders_and_libraries_run_with_generated_inputs() {
    let scratch = Scratch::new();
    scratch.file(
        "shader.wgsl",
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
  if words[lane] > 4u { words[lane] = words[lane] + 1u; }
  workgroupBarrier();
}
",
    );
    scratch.run(&["compile", "shader.wgsl", "-o", "out.spv", "--report", "report.json"]).ended(0);
    let report = json(&scratch, "report.json");
    let [first, last] = ends(&report);
    for run in [first, last] {
        assert_eq!((&run["lanes"], &run["ends"][7]["text"]), (&8.into(), &"returned".into()));
        assert_eq!(run["operations"][0]["lanes"], 0xff);
    }
    scratch.file("empty.ir", PREAMBLE);
    scratch.run(&["report", "empty.ir", "-o", "out.html", "--emit", "out.json"]).ended(0);
    let report = json(&scratch, "out.json");
    assert_eq!(report["lanes"]["absent"], "No function has a body.");
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let scratch = Scratch::new();
    let [module, launch, other] = ["bit_fields.spv", "bit_fields.json", "barrier_break.json"].map(kernel);
    scratch.module();
    let said = scratch.run(&["report", "module.ir", "--launch", &launch, "-o", "out.html"]).ended(1).stderr();
    assert!(said.contains("run-no-kernel") || said.contains("run-launch"), "{said}");
    let said = scratch.run(&["report", &module, "--launch", &other, "-o", "out.html"]).ended(1).stderr();
    assert!(said.contains("error[run-launch]"), "{said}");
    scratch.file("broken.json", "{");
    let said = scratch.run(&["report", &module, "--launch", "broken.json", "-o", "out.html"]).ended(1).stderr();
    assert!(said.contains("error[run-launch]") && said.contains("broken.json"), "{said}");
    scratch.run(&["report", &module, "--launch", "none.json", "-o", "out.html"]).ended(75);
    assert!(!scratch.path("out.html").exists());
}

#[test]
fn dxil_without_lines_shows_its_assembly() {
    let scratch = Scratch::new();
    let source = |name: &str| {
        let input = format!("{}/../../tests/dxil/{name}", env!("CARGO_MANIFEST_DIR"));
        let shifts = ["--shift", "t=100", "--shift", "u=200"];
        scratch.run(&[&["report", &input, "-o", "out.html", "--emit", "out.json"][..], &shifts].concat()).ended(0);
        json(&scratch, "out.json")["source"].clone()
    };
    let assembly = source("numbers.O3.dxil");
    assert_eq!(assembly["name"], "LLVM assembly");
    let lines = assembly["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line.as_str().unwrap().contains("define void @main()")), "{lines:?}");
    // With debug information, lines are those of a source that is elsewhere.
    assert_eq!(source("barrier.Zi.dxil")["lines"].as_array().unwrap().len(), 0);
}
