//! `printf` of kernels: the same text on every engine, buffers that are full, and what the reflection says.

use serde_json::Value;

use crate::common::{Scratch, content};

fn kernel(name: &str) -> String {
    format!("{}/../../tests/kernels/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Prints "i of 3" for three of eight work-items, and keeps the results of the calls.
const KERNEL: &str = "\
capability Kernel
capability Addresses
capability Int64
capability Int8
%set = ext_inst_import \"OpenCL.std\"
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\", %id
%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%v3u64 = type_vector %u64, 3
%percent: %u8 = constant 37
%d: %u8 = constant 100
%s: %u8 = constant 115
%blank: %u8 = constant 32
%line: %u8 = constant 10
%end: %u8 = constant 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u64 = constant words(3, 0)
%seven: %u32 = constant 7
%text = type_array %u8, %seven
%word = type_array %u8, %two
%text_pointer = type_pointer UniformConstant, %text
%word_pointer = type_pointer UniformConstant, %word
%bytes: %text = constant_composite %percent, %d, %blank, %percent, %s, %line, %end
%even: %word = constant_composite %s, %end
%odd: %word = constant_composite %d, %end
%format: %text_pointer = variable UniformConstant, %bytes
%first: %word_pointer = variable UniformConstant, %even
%second: %word_pointer = variable UniformConstant, %odd
%buffer = type_pointer CrossWorkgroup, %u32
%input = type_pointer Input, %v3u64
%id: %input = variable Input {decorate BuiltIn 28}
func %k: %void (%out: %buffer) {
block ^entry:
  %ids: %v3u64 = load %id, 2, 32
  %i: %u64 = composite_extract %ids, 0
  %few: %bool = u_less_than %i, %three
  branch_if %few ^print ^none
block ^none:
  branch ^rest
block ^print:
  %n: %u32 = u_convert %i
  %bit: %u32 = bitwise_and %n, %one
  %is_odd: %bool = i_not_equal %bit, %zero
  %name: %word_pointer = select %is_odd, %second, %first
  %r: %u32 = ext_inst %set, 184, %format, %n, %name
  %place: %buffer = in_bounds_ptr_access_chain %out, %i
  store %place, %r, 2, 4
  branch ^rest
block ^rest:
  return
}
";

const ENGINES: [&[&str]; 5] = [
    &["--on", "interpreter"],
    &["--on", "interpreter", "--compiled"],
    &["--on", "interpreter", "--compiled", "--pointers", "bindings"],
    &["--on", "cpu"],
    &["--on", "cpu", "--checked"],
];

#[test]
fn the_text_is_the_same_on_every_engine_and_comes_before_the_outputs() {
    let scratch = Scratch::new();
    let module = kernel("checked/printed_values.22.spv");
    scratch.file("print.ir", KERNEL);
    for engine in ENGINES {
        let run = |launch: &[&str]| scratch.run(&[&["run"][..], launch, engine].concat()).ended(0).stdout();
        let printed = run(&[&module, "--global", "8", "--local", "4", "--arg", "out:u32[8]=zero"]);
        assert_eq!(printed, "3 text 1.50\nargument 0, u32[8]: 0 1 2 3 4 5 6 7\n", "{engine:?}");
        let printed = run(&["print.ir", "--global", "8", "--arg", "out:u32[8]=fill(9)"]);
        assert_eq!(printed, "0 s\n1 d\n2 s\nargument 0 (out), u32[8]: 0 0 0 9 9 9 9 9\n", "{engine:?}");
    }
}

#[test]
fn calls_that_do_not_fit_return_minus_one() {
    let scratch = Scratch::new();
    scratch
        .file("print.ir", KERNEL.replace("%three: %u64 = constant words(3, 0)", "%three: %u64 = constant words(8, 0)"));
    let launch = ["run", "print.ir", "--on", "cpu", "--global", "8", "--arg", "out:i32[8]=fill(9)"];
    // Sixteen words are five records of three words.
    let ran = scratch.run(&[&launch[..], &["--printf-buffer", "64"]].concat()).ended(0);
    let lines: Vec<String> = ran.stdout().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    let results = lines[5].rsplit(": ").next().unwrap();
    assert_eq!(results.split(' ').filter(|&result| result == "-1").count(), 3, "{results}");
    assert!(ran.stderr().contains("the text of 3 calls of printf is lost"), "{}", ran.stderr());
    let ran = scratch.run(&[&launch[..], &["--printf-buffer", "60"]].concat()).ended(4);
    assert!(ran.stderr().contains("64 to 134217728"), "{}", ran.stderr());
}

#[test]
fn the_interpreter_knows_the_work_items() {
    let scratch = Scratch::new();
    scratch.file("print.ir", KERNEL);
    let run = |engine: &[&str]| {
        let launch = ["run", "print.ir", "--json", "--global", "8", "--local", "2", "--arg", "out:u32[8]=zero"];
        let ran = scratch.run(&[&launch[..], engine].concat()).ended(0);
        serde_json::from_str::<Value>(&ran.stdout()).unwrap()["printed"][2].clone()
    };
    let last = run(&["--on", "interpreter"]);
    assert_eq!(
        (&last["text"], &last["global"], &last["group"]),
        (&"2 s\n".into(), &[2, 0, 0].into(), &[1, 0, 0].into())
    );
    let last = run(&["--on", "cpu"]);
    assert_eq!((&last["text"], &last["global"]), (&"2 s\n".into(), &Value::Null));
    // The interpreter limits the bytes of the text.
    let launch =
        ["run", "print.ir", "--on", "interpreter", "--global", "8", "--arg", "out:u32[8]=zero", "--printf-buffer", "9"];
    assert!(scratch.run(&launch).ended(0).stdout().starts_with("0 s\n1 d\nargument"));
}

#[test]
fn the_reflection_has_what_a_host_needs() {
    let scratch = Scratch::new();
    scratch.file("print.ir", KERNEL);
    let compile = ["compile", "print.ir", "-o", "out.spv", "--reflection", "out.json", "--printf-buffer", "4096"];
    scratch.run(&compile).ended(0);
    let json: Value = serde_json::from_slice(&content(&scratch.path("out.json"))).unwrap();
    let printf = &json["program_data"]["printf"];
    assert_eq!((&json["format"], &printf["capacity"], &printf["offset"]), (&3.into(), &1024.into(), &0.into()));
    assert_eq!(printf["strings"], serde_json::json!(["d", "s"]));
    assert_eq!(printf["calls"][0]["format"], "%d %s\n");
    let arguments = serde_json::json!([
        { "kind": "integer", "width": 32, "components": 1 },
        { "kind": "string", "width": 32, "components": 1 },
    ]);
    assert_eq!(printf["calls"][0]["arguments"], arguments);
    // The zeros of the buffer are counted, not written.
    assert_eq!((&json["program_data"]["bytes"], &json["program_data"]["size"]), (&"".into(), &(8 + 4096).into()));
}

#[test]
fn what_has_no_record_is_refused_by_name() {
    let scratch = Scratch::new();
    let refused = |from: &str, to: &str, exit: i32| {
        assert!(KERNEL.contains(from), "{from}");
        scratch.file("print.ir", KERNEL.replace(from, to));
        scratch.run(&["compile", "print.ir", "-o", "out.spv"]).ended(exit).stderr()
    };
    let words = refused("%d: %u8 = constant 100", "%d: %u8 = constant 110", 3);
    assert!(words.contains("the directive \"%n\" of printf"), "{words}");
    let words = refused("%format, %n, %name", "%format, %n", 1);
    assert!(words.contains("the directive \"%s\" of printf has no argument"), "{words}");
    let words = refused("%format, %n, %name", "%format, %name, %name", 1);
    assert!(words.contains("the directive \"%d\" of printf has an argument of another type"), "{words}");
    let words = refused("184, %format, %n", "184, %out, %n", 3);
    assert!(words.contains("printf with a format that is no string literal"), "{words}");
    let words = refused("%format, %n, %name", "%format, %n, %out", 3);
    assert!(words.contains("printf of a string that is no literal"), "{words}");
}
