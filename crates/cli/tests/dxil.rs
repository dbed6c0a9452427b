//! Direct3D's shaders in: bindings, reflection, notes, what is refused.

use serde_json::{Value, json};

use crate::common::{Scratch, content};

const CONTAINERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dxil/");

fn container(name: &str) -> String {
    format!("{CONTAINERS}{name}.dxil")
}

#[test]
fn containers_become_spirv_and_text() {
    let scratch = Scratch::new();
    let shifts = ["--shift", "t=100", "--shift", "u=200", "--shift", "s=300"];
    for name in ["sort_and_count.O3", "sort_and_count.Od", "surface.O3", "surface.Zi", "points.O3", "numbers.O3"] {
        for level in ["-O0", "-O1", "-Os"] {
            let input = container(name);
            let arguments = [&["compile", &input, level, "-o", "out.spv"][..], &shifts].concat();
            scratch.run(&arguments).ended(0);
            scratch.run(&["check", "out.spv", "--allow", "F04"]).ended(0);
        }
    }
    for language in ["glsl", "hlsl", "metal"] {
        let (input, output) = (container("surface.O3"), format!("out.{language}"));
        scratch.run(&[&["compile", &input, "-o", &output][..], &shifts].concat()).ended(0);
        assert!(!content(&scratch.path(&output)).is_empty(), "{language}");
    }
}

#[test]
fn the_container_is_told_from_its_first_bytes() {
    let scratch = Scratch::new();
    scratch.file("shader", std::fs::read(container("points.O3")).expect("the container is there"));
    scratch.run(&["compile", "shader", "--shift", "t=100", "-o", "out.spv"]).ended(0);
    assert_eq!(content(&scratch.path("out.spv")).len() % 4, 0);
}

#[test]
fn resources_go_where_the_options_say() {
    let scratch = Scratch::new();
    let input = container("sort_and_count.O3");
    let said = scratch.run(&["compile", &input, "-o", "out.spv"]).ended(2).stderr();
    assert!(said.contains("error[dxil-binding]") && said.contains("t0 and u0 both go to set 0, binding 0"), "{said}");
    // What the message gives is a command line that works.
    let (_, shifts) = said.split_once(": --shift ").expect("the message has the shifts");
    let (shifts, _) = shifts.split_once(" (in place of other shifts)").expect("and what they replace");
    let shifts: Vec<&str> = ["--shift"].into_iter().chain(shifts.split(' ')).collect();
    scratch.run(&[&["compile", &input, "-o", "out.spv"][..], &shifts].concat()).ended(0);
    let reflected = |arguments: &[&str]| -> Value {
        let all = [&["compile", &input, "-o", "out.spv", "--reflection", "r.json"], arguments].concat();
        scratch.run(&all).ended(0);
        serde_json::from_slice(&content(&scratch.path("r.json"))).expect("the reflection is JSON")
    };
    let interface = reflected(&["--shift", "u=100"]);
    assert_eq!(interface["stage"], "compute");
    assert_eq!(interface["thread_group"], json!([32, 1, 1]));
    assert_eq!(interface["resources"][1]["register"], "u0");
    assert_eq!((&interface["resources"][1]["set"], &interface["resources"][1]["binding"]), (&json!(0), &json!(100)));
    scratch.file("b.json", r#"{ "u0": { "set": 1, "binding": 7 } }"#);
    let interface = reflected(&["--bindings", "b.json"]);
    assert_eq!((&interface["resources"][1]["set"], &interface["resources"][1]["binding"]), (&json!(1), &json!(7)));
}

#[test]
fn bindings_that_are_wrong_are_refused() {
    let scratch = Scratch::new();
    let input = container("sort_and_count.O3");
    let cases = [
        (r#"{ "x0": { "set": 1, "binding": 7 } }"#, "found x0"),
        (r#"{ "t0.counter": { "set": 1, "binding": 7 } }"#, "found t0.counter"),
        (r#"{ "u0": { "set": 1, "binding": 7 }, "u0": { "set": 1, "binding": 8 } }"#, "u0 has two places"),
        (r#"{ "u0": { "set": 1 } }"#, "missing field `binding`"),
        (r#"{ "u0": { "set": -1, "binding": 7 } }"#, "line 1"),
        ("[]", "expected an object"),
    ];
    for (text, expected) in cases {
        scratch.file("b.json", text);
        let said = scratch.run(&["compile", &input, "--bindings", "b.json", "-o", "out.spv"]).ended(1).stderr();
        assert!(said.contains("error[dxil-bindings-file]") && said.contains(expected), "{text}: {said}");
    }
    for shift in ["t", "t=", "t=x", "x=1", "tt=1", "t=4294967296"] {
        scratch.run(&["compile", &input, "--shift", shift, "-o", "out.spv"]).ended(2);
    }
    scratch.run(&["compile", &input, "--shift", "t=1", "--shift", "t=2", "-o", "out.spv"]).ended(2);
    let said = scratch
        .run(&["compile", &input, "--shift", "u=4294967295", "--bindings", "missing.json", "-o", "o.spv"])
        .ended(75);
    assert!(said.stderr().contains("missing.json"));
}

#[test]
fn options_of_dxil_are_for_dxil() {
    let scratch = Scratch::new();
    scratch.file("a.ir", "capability Shader\ncapability Linkage\nmemory_model Logical, GLSL450\n");
    let said = scratch.run(&["compile", "a.ir", "--shift", "t=1", "-o", "out.spv"]).ended(2).stderr();
    assert!(said.contains("--shift is for DXIL, and the input is the text form of the IR"), "{said}");
    let said = scratch.run(&["check", "a.ir", "--dump", "dxil"]).ended(2).stderr();
    assert!(said.contains("--dump dxil is for DXIL"), "{said}");
    let said = scratch.run(&["compile", "a.ir", "-o", "out.dxil"]).ended(3).stderr();
    assert!(said.contains("DXIL is read and not written"), "{said}");
}

#[test]
fn what_is_not_supported_is_named() {
    let scratch = Scratch::new();
    let said = scratch.run(&["compile", &container("rays.O3"), "-o", "out.spv"]).ended(3).stderr();
    assert!(said.contains("error[dxil-unsupported]: libraries of shaders are not supported"), "{said}");
    scratch.file("old.dxil", b"DXBC");
    let said = scratch.run(&["compile", "old.dxil", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.contains("error[dxil-truncated]"), "{said}");
}

#[test]
fn what_is_assumed_is_noted() {
    let scratch = Scratch::new();
    let input = container("points.O3");
    let arguments = ["compile", &input, "--shift", "t=100", "-o", "out.spv"];
    let said = scratch.run(&arguments).ended(0).stderr();
    assert!(said.contains("note[dxil-clip-space]"), "{said}");
    assert_eq!(scratch.run(&[&arguments[..], &["-q"]].concat()).ended(0).stderr(), "");
}

#[test]
fn a_report_notes_what_is_assumed() {
    let scratch = Scratch::new();
    let input = container("points.O3");
    let said = scratch.run(&["report", &input, "--shift", "t=100", "-o", "out.html"]).ended(0).stderr();
    assert!(said.contains("note[dxil-clip-space]"), "{said}");
}

#[test]
fn findings_name_lines_of_the_source() {
    let scratch = Scratch::new();
    let said = scratch.run(&["check", &container("barrier.Zi")]).ended(0).stderr();
    for expected in ["warning[W01]", "from barrier.hlsl:10:9", "whether control reaches", "(barrier.hlsl:9:9)"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    scratch.run(&["check", &container("barrier.Zi"), "--deny", "warnings"]).ended(1);
}

#[test]
fn shaders_are_neither_linked_nor_launched() {
    let scratch = Scratch::new();
    let (one, other) = (container("points.O3"), container("sort_and_count.O3"));
    let expected = format!("DXIL is not linked, and {one} is DXIL");
    for arguments in [
        &["compile", &one, &other, "-o", "out.spv"][..],
        &["link", &one, &other, "-o", "out.spv"],
        &["link", &one, "--list"],
    ] {
        let said = scratch.run(arguments).ended(2).stderr();
        assert!(said.contains(&expected), "{arguments:?}: {said}");
    }
    let said = scratch.run(&["run", &other, "--global", "32"]).ended(1).stderr();
    assert!(said.contains("error[run-no-kernel]"), "{said}");
}

#[test]
fn bitcode_is_told_from_that_of_other_targets() {
    let scratch = Scratch::new();
    let container = std::fs::read(container("points.O3")).expect("the container is there");
    let start = container.windows(4).position(|bytes| bytes == b"BC\xc0\xde").expect("a container has bitcode");
    scratch.file("shader", &container[start..]);
    scratch.run(&["compile", "shader", "--shift", "t=100", "-o", "out.spv"]).ended(0);
    let said = scratch.run(&["compile", "shader", "--from", "spirv", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.contains("error[wrong-kind]: not SPIR-V: the input is DXIL"), "{said}");
}

#[test]
fn check_prints_a_container() {
    let scratch = Scratch::new();
    let printed = scratch.run(&["check", &container("rays.O3"), "--dump", "dxil"]).ended(0).stdout();
    assert!(printed.contains("target triple = \"dxil-ms-dx\""), "{printed}");
    for unheard in [&["--shift", "t=1"][..], &["--bindings", "b.json"], &["--robust"]] {
        let input = container("points.O3");
        scratch.run(&[&["check", &input, "--dump", "dxil"][..], unheard].concat()).ended(2);
    }
}
