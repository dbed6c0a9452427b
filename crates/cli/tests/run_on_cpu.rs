//! `reconverge run --on cpu`: outputs, forms, times, what the engine does not support, kernels that end early.

use std::path::Path;

use crate::common::Scratch;

/// A file among the kernels of the project.
fn kernel(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels").join(name);
    path.to_str().expect("the path is text").to_owned()
}

/// Whether this machine has the engine.
fn has_engine() -> bool {
    cfg!(target_arch = "x86_64")
}

/// A kernel whose first work-item alone comes to a barrier.
const LONELY: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %f, \"f\", %id
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%v3u64 = type_vector %u64, 3
%zero: %u64 = constant words(0, 0)
%two: %u32 = constant 2
%order: %u32 = constant 272
%buffer = type_pointer CrossWorkgroup, %u32
%input = type_pointer Input, %v3u64
%id: %input = variable Input {decorate BuiltIn 27}
func %f: %void (%out: %buffer) {
block ^entry:
  %ids: %v3u64 = load %id, 2, 32
  %i: %u64 = composite_extract %ids, 0
  %first: %bool = i_equal %i, %zero
  branch_if %first ^wait ^on
block ^wait:
  control_barrier %two, %two, %order
  branch ^end
block ^on:
  branch ^end
block ^end:
  %p: %buffer = in_bounds_ptr_access_chain %out, %i
  store %p, %two, 2, 4
  return
}
";

#[test]
fn outputs_are_as_expected_in_every_form() {
    let scratch = Scratch::new();
    let (module, launch) = (kernel("ranges.spv"), kernel("ranges.json"));
    let forms: [&[&str]; 4] = [&[], &["--width", "1"], &["--threads", "2"], &["--width", "1", "--threads", "3"]];
    for form in forms {
        let arguments = [&["run", &module, "--launch", &launch, "--on", "cpu"], form].concat();
        if has_engine() {
            let ran = scratch.run(&arguments).ended(0);
            assert_eq!(ran.stderr(), "the outputs are as expected (2304 bytes)\n", "{form:?}");
        } else {
            let said = scratch.run(&arguments).ended(3).stderr();
            assert!(said.contains("run-cpu-unsupported") && said.contains("x86-64"), "{said}");
        }
    }
}

#[test]
fn times_have_the_step_of_machine_code() {
    if !has_engine() {
        return;
    }
    let scratch = Scratch::new();
    let (module, launch) = (kernel("ranges.spv"), kernel("ranges.json"));
    let flags = ["run", &module, "--launch", &launch, "--on", "cpu", "--time", "--error-format=json"];
    let lines = scratch.run(&flags).ended(0).json();
    let times = lines.iter().filter(|line| line["kind"] == "time");
    let steps: Vec<&str> = times.map(|line| line["step"].as_str().unwrap_or_default()).collect();
    assert_eq!(steps, ["compile", "machine code", "execute"]);
}

#[test]
fn a_barrier_that_not_all_come_to_is_reported_as_by_the_interpreter() {
    if !has_engine() {
        return;
    }
    let scratch = Scratch::new();
    scratch.file("lonely.ir", LONELY);
    let launch = ["run", "lonely.ir", "--global", "64", "--local", "64", "--arg", "out:u32[64]", "--error-format=json"];
    for engine in ["interpreter", "cpu"] {
        let said = scratch.run(&[&launch[..], &["--on", engine]].concat()).ended(1).json();
        assert!(said.iter().any(|line| line["code"] == "U12"), "{engine}: {said:?}");
    }
}
