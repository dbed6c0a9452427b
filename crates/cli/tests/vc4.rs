//! `reconverge compile --target vc4` and `run --on vc4-emulator`: words, text, the interface, what is refused, wrong flags.

use std::path::Path;

use serde_json::Value;

use crate::common::{Scratch, content};

/// A file among the kernels of the project.
fn kernel(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels").join(name);
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn outputs_on_the_emulator_are_as_expected() {
    let scratch = Scratch::new();
    for name in ["ranges", "local_queue", "barrier_break"] {
        let (module, launch) = (kernel(&format!("{name}.spv")), kernel(&format!("{name}.json")));
        let ran = scratch.run(&["run", &module, "--launch", &launch, "--on", "vc4-emulator"]).ended(0);
        assert!(ran.stderr().contains("the outputs are as expected"), "{name}: {}", ran.stderr());
    }
}

#[test]
fn words_and_cycles_are_counted() {
    let scratch = Scratch::new();
    let (module, launch) = (kernel("ranges.spv"), kernel("ranges.json"));
    let flags = ["run", &module, "--launch", &launch, "--on", "vc4-emulator", "--time", "--error-format=json"];
    let lines = scratch.run(&flags).ended(0).json();
    let counts = lines.iter().find(|line| line["kind"] == "vc4").expect("a line has the counts");
    let [words, cycles] = ["words", "cycles"].map(|key| counts[key].as_u64().unwrap_or(0));
    assert!(words > 50 && cycles > words, "{counts}");
}

#[test]
fn code_is_words_or_text_and_the_interface_says_what_it_reads() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let interface = ["--reflection", "k.json", "--local-size", "32"];
    scratch.run(&[&["compile", &module, "--target", "vc4", "-o", "k.qpu"], &interface[..]].concat()).ended(0);
    let words = content(&scratch.path("k.qpu"));
    assert!(words.len() > 400 && words.len().is_multiple_of(8), "{}", words.len());
    let object: Value = serde_json::from_slice(&content(&scratch.path("k.json"))).expect("the interface is JSON");
    assert_eq!(object["target"], "vc4");
    assert_eq!(object["local_size"], serde_json::json!([32, 1, 1]));
    assert_eq!(object["words"], words.len() / 8);
    let uniforms = object["uniforms"].as_array().expect("uniforms are a list");
    assert!(uniforms.iter().any(|uniform| uniform["kind"] == "argument_address"), "{object}");
    scratch.run(&["compile", &module, "--target", "vc4", "-o", "k.qpuasm", "--local-size", "32"]).ended(0);
    let text = String::from_utf8(content(&scratch.path("k.qpuasm"))).expect("text is UTF-8");
    assert!(text.contains("unif") && text.contains("thrend"), "{text}");
    // The same again is the same bytes.
    scratch.run(&["compile", &module, "--target", "vc4", "-o", "again.qpu", "--local-size", "32"]).ended(0);
    assert_eq!(content(&scratch.path("again.qpu")), words);
}

#[test]
fn what_the_chip_lacks_is_named_with_its_place() {
    let scratch = Scratch::new();
    let said =
        scratch.run(&["compile", &kernel("double_roots.spv"), "--target", "vc4", "-o", "k.qpu"]).ended(3).stderr();
    assert!(said.contains("vc4-unsupported") && said.contains("64-bit floats") && said.contains("block"), "{said}");
    assert!(!scratch.path("k.qpu").exists());
}

#[test]
fn limits_name_the_kernel() {
    let scratch = Scratch::new();
    let compiled = |name: &str, size: &str| {
        let flags = ["--target", "vc4", "-o", "k.qpu", "--local-size", size];
        scratch.run(&[&["compile", &kernel(name)], &flags[..]].concat()).ended(4).stderr()
    };
    let said = compiled("ranges.spv", "65536,65536,65536");
    assert!(said.contains("vc4-limit") && said.contains("the kernel ranges: a work-group has at most"), "{said}");
    let said = compiled("local_queue.spv", "4096");
    assert!(said.contains("vc4-limit") && said.contains("in function %local_queue"), "{said}");
    let sizes = ["--launch", &kernel("local_queue.json"), "--global", "4096", "--local", "4096"];
    let ran =
        scratch.run(&[&["run", &kernel("local_queue.spv"), "--on", "vc4-emulator"], &sizes[..]].concat()).ended(4);
    assert!(ran.stderr().contains("in function %local_queue"), "{}", ran.stderr());
}

/// A kernel with a sum of 16 bits and its carry.
const SHORT_CARRY: &str = "\
capability Kernel
capability Addresses
capability Int16
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u16 = type_int 16, 0
%pair = type_struct %u16, %u16
%shorts = type_pointer CrossWorkgroup, %u16
func %k: %void (%out: %shorts) {
block ^entry:
  %x: %u16 = load %out, 2, 2
  %sum: %pair = i_add_carry %x, %x
  %carry: %u16 = composite_extract %sum, 1
  store %out, %carry, 2, 2
  return
}
";

#[test]
fn types_without_code_are_named() {
    let scratch = Scratch::new();
    scratch.file("k.ir", SHORT_CARRY);
    let said = scratch.run(&["compile", "k.ir", "--target", "vc4", "-o", "k.qpu"]).ended(3).stderr();
    assert!(said.contains("the VC4 does not support `i_add_carry` of 16-bit integers"), "{said}");
    assert!(said.contains("in function %k, block ^entry") && said.contains("%sum: %pair = i_add_carry"), "{said}");
}

#[test]
fn a_refusal_without_a_line_says_how_to_get_one() {
    let scratch = Scratch::new();
    scratch.file("k.ir", SHORT_CARRY);
    scratch.run(&["compile", "k.ir", "--target", "input", "-O0", "-o", "k.spv"]).ended(0);
    let said = scratch.run(&["compile", "k.spv", "--target", "vc4", "-o", "k.qpu"]).ended(3).stderr();
    assert!(said.contains("in function %k, block ^entry") && said.contains(" = i_add_carry %"), "{said}");
    assert!(said.contains("note: the module has no lines of its source: -g of clang"), "{said}");
    scratch.file("d.cl", "kernel void d(global double *p) { p[0] *= 2.0; }\n");
    let compile = |flags: &[&str]| {
        let all = [&["compile", "d.cl", "--target", "vc4", "-o", "k.qpu"], flags].concat();
        scratch.run(&all).ended(3).stderr()
    };
    let said = compile(&[]);
    assert!(said.contains("in function %d, block") && said.contains("note: -g shows the line in the source"), "{said}");
    let said = compile(&["-g"]);
    assert!(said.contains("--> d.cl:1:") && !said.contains("-g shows"), "{said}");
}

#[test]
fn flags_that_do_not_fit_are_errors() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let cases: [(&[&str], &str); 8] = [
        (&["-o", "k.qpu"], "--target vc4"),
        (&["-o", "k.spv", "--target", "vc4"], ".qpu"),
        (&["-o", "k.spv", "--local-size", "4"], "--target vc4"),
        (&["-o", "k.qpu", "--target", "vc4", "--local-size", "0"], "at least 1"),
        (&["-o", "k.qpu", "--target", "vc4", "--local-memory", "4,4,4,4,4,4,4,4"], "local memory"),
        (&["-o", "k.qpu", "--target", "vc4", "--kernel", "other"], "other"),
        (&["-o", "k.qpu", "--target", "vc4", "--fma", "fused"], "use --fma exact"),
        (&["-o", "k.dot", "--target", "vc4"], ".qpu"),
    ];
    for (flags, wanted) in cases {
        let ran = scratch.run(&[&["compile", &module], flags].concat());
        let said = ran.stderr();
        assert_eq!(ran.0.status.code(), Some(2), "{flags:?}: {said}");
        assert!(said.contains(wanted), "{flags:?}: {said}");
    }
}

/// A report of a kernel that the machine does not support shows why.
#[test]
fn a_report_shows_the_refusal() {
    let scratch = Scratch::new();
    scratch.file("k.ir", SHORT_CARRY);
    scratch.run(&["report", "k.ir", "--target", "vc4", "-o", "r.json"]).ended(3);
    scratch.run(&["compile", "k.ir", "--target", "vc4", "-o", "k.qpu", "--report", "c.json"]).ended(3);
    for path in ["r.json", "c.json"] {
        let report: Value = serde_json::from_slice(&content(&scratch.path(path))).expect("the report is JSON");
        let last = report["passes"].as_array().and_then(|passes| passes.last()).expect("it has passes");
        assert_eq!((&last["name"], &last["is_failed"]), (&"machine code".into(), &true.into()));
        let note = &last["notes"][0];
        assert_eq!((&note["kind"], &note["code"]), (&"failure".into(), &"vc4-unsupported".into()));
        assert!(note["text"].as_str().is_some_and(|text| text.contains("i_add_carry")), "{note}");
    }
}

/// Local memory is a part of the code, so its size is never assumed.
#[test]
fn the_size_of_local_memory_is_asked_for() {
    let scratch = Scratch::new();
    for target in ["cpu", "vc4"] {
        let flags = ["compile", &kernel("align_mask.spv"), "--target", target, "-o", "k"];
        let said = scratch.run(&flags).ended(2).stderr();
        assert!(said.contains("needs --local-memory with the bytes of its argument"), "{said}");
    }
}

/// The interface has the contents of program data, which the host copies to memory.
#[test]
fn the_interface_describes_program_data() {
    let scratch = Scratch::new();
    scratch
        .run(&["compile", &kernel("program_counter.spv"), "--target", "vc4", "-o", "k.qpu", "--reflection", "r.json"])
        .ended(0);
    let interface: Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("the interface is JSON");
    let data = &interface["program_data"];
    assert!(data["bytes"].as_str().is_some_and(|bytes| !bytes.is_empty()), "{interface}");
    assert!(data["alignment"].is_u64() && data["relocations"].is_array(), "{interface}");
    let uniforms = interface["uniforms"].as_array().expect("it lists uniforms");
    assert!(uniforms.iter().any(|word| word["kind"] == "program_data_address"), "{interface}");
}
