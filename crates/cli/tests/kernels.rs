//! `reconverge compile` on OpenCL kernels: reflection, the flags for kernels, what is refused, the same bytes every time.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Scratch, content, words};
use serde_json::{Value, json};

/// The kernel that `docs/kernel-abi.md` draws: it uses every argument.
const DRAWN: &str = "\
capability Kernel
capability Addresses
capability Int8
capability Int16
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f32 = type_float 32
%v4f32 = type_vector %f32, 4
%global_u32 = type_pointer CrossWorkgroup, %u32
%local_u32 = type_pointer Workgroup, %u32
func %k: %void (%a: %global_u32, %b: %u8, %c: %u16, %d: %v4f32, %e: %local_u32, %f: %u64) {
block ^entry:
  %byte: %u8 = i_add %b, %b
  %half: %u16 = i_add %c, %c
  %word1: %u32 = u_convert %byte
  %word2: %u32 = u_convert %half
  %x: %f32 = composite_extract %d, 1
  %word3: %u32 = bitcast %x
  %word4: %u32 = u_convert %f
  %sum1: %u32 = i_add %word1, %word2
  %sum2: %u32 = i_add %word3, %word4
  %sum: %u32 = i_add %sum1, %sum2
  store %e, %sum, 2, 4
  %again: %u32 = load %e, 2, 4
  store %a, %again, 2, 4
  return
}
";

/// `OpCapability`, `OpMemoryModel` and `OpEntryPoint` in SPIR-V.
const CAPABILITY: u32 = 17;
const MEMORY_MODEL: u32 = 14;
const ENTRY_POINT: u32 = 15;
/// `Kernel` and `Int64` among capabilities.
const KERNEL: u32 = 6;
const SHADER: u32 = 1;
const INT64: u32 = 11;

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels")
}

fn kernel(name: &str) -> String {
    kernels().join(name).to_str().expect("the path is text").to_owned()
}

/// The operands of every instruction of an opcode in a binary.
fn instructions(path: &Path, opcode: u32) -> Vec<Vec<u32>> {
    let words = words(&content(path));
    let (mut rest, mut found) = (&words[5..], Vec::new());
    while let Some(&first) = rest.first() {
        let (inst, after) = rest.split_at((first >> 16) as usize);
        if first & 0xffff == opcode {
            found.push(inst[1..].to_vec());
        }
        rest = after;
    }
    found
}

fn reflection(scratch: &Scratch, flags: &[&str]) -> Value {
    let arguments = [&["compile", "-o", "out.spv", "--reflection", "reflection.json"], flags].concat();
    scratch.run(&arguments).ended(0);
    serde_json::from_slice(&content(&scratch.path("reflection.json"))).expect("a reflection is JSON")
}

#[test]
fn the_reflection_is_what_the_page_says() {
    let scratch = Scratch::new();
    scratch.file("k.ir", DRAWN);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kernel-abi.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let (_, example) = page.rsplit_once("```json\n").expect("the page has an example");
    let (example, _) = example.split_once("```").expect("the example ends");
    let example: Value = serde_json::from_str(example).expect("the example is JSON");
    assert_eq!(reflection(&scratch, &["k.ir"]), example);
}

#[test]
fn the_reflection_tells_buffers_of_arguments_program_data_and_sizes() {
    let scratch = Scratch::new();
    let many = &reflection(&scratch, &[&kernel("many_arguments.spv")])["kernels"][0];
    assert_eq!(many["arguments_in"]["kind"], "buffer");
    assert_eq!(many["arguments_in"]["address_offset"], 0);
    assert!(many["arguments_in"]["size"].as_u64() > Some(128), "{many}");
    let tables = reflection(&scratch, &[&kernel("program_tables.spv")]);
    let data = tables["program_data"]["bytes"].as_str().expect("there is program data");
    assert!(!data.is_empty() && data.bytes().all(|digit| digit.is_ascii_hexdigit()), "{data}");
    assert!(tables["kernels"][0]["program_data"].is_u64(), "{tables}");
    let fixed = &reflection(&scratch, &[&kernel("fixed_groups.spv")])["kernels"][0];
    assert_eq!(fixed["local_size"], json!({ "kind": "fixed", "size": [8, 4, 1] }));
}

#[test]
fn kernels_can_be_chosen() {
    let scratch = Scratch::new();
    let two = kernel("two_kernels.spv");
    let names = |flags: &[&str]| -> Vec<String> {
        let object = reflection(&scratch, &[&[two.as_str()], flags].concat());
        let kernels = object["kernels"].as_array().expect("an array");
        let names = kernels.iter().map(|kernel| kernel["name"].as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(instructions(&scratch.path("out.spv"), ENTRY_POINT).len(), kernels.len());
        names
    };
    assert_eq!(names(&[]), ["two_kernels_fill", "two_kernels_find"]);
    assert_eq!(names(&["--kernel", "two_kernels_find"]), ["two_kernels_find"]);
    assert_eq!(names(&["--kernel", "two_kernels_find", "--kernel", "two_kernels_fill"]).len(), 2);
    let arguments = ["compile", &two, "-o", "no.spv", "--kernel", "main", "--error-format=json"];
    let ran = scratch.run(&arguments).ended(2);
    assert_eq!(ran.json()[0]["code"], "kernel-unknown");
    let message = ran.json()[0]["message"].as_str().unwrap_or_default().to_owned();
    for name in ["main", "two_kernels_fill", "two_kernels_find"] {
        assert!(message.contains(name), "{message}");
    }
    assert!(!scratch.path("no.spv").exists());
}

#[test]
fn a_global_offset_takes_a_place() {
    let scratch = Scratch::new();
    let module = kernel("ranges.spv");
    let without = &reflection(&scratch, &[&module])["kernels"][0];
    assert_eq!(without["global_offset"], Value::Null);
    let with = &reflection(&scratch, &[&module, "--global-offset"])["kernels"][0];
    let place = without["push_constant_size"].as_u64().expect("a size").next_multiple_of(8);
    assert_eq!(with["global_offset"], place);
    assert_eq!(with["push_constant_size"], place + 24);
}

#[test]
fn bindings_are_numbered_in_the_order_of_pointers() {
    let scratch = Scratch::new();
    scratch.file("k.ir", DRAWN);
    let flags = ["k.ir", "--pointers", "bindings"];
    let object = reflection(&scratch, &flags);
    assert_eq!((&object["format"], &object["features"]), (&json!(2), &json!([])));
    let kernel = &object["kernels"][0];
    let block = json!({ "kind": "uniform", "set": 0, "binding": 1, "size": 48 });
    assert_eq!((&kernel["arguments_in"], &kernel["push_constant_size"]), (&block, &json!(0)));
    let pointer = &kernel["arguments"][0];
    let said = ["kind", "address_space", "set", "binding", "offset", "access"].map(|key| &pointer[key]);
    assert_eq!(json!(said), json!(["binding", "global", 0, 0, null, "read_write"]));
    let offsets: Vec<&Value> = kernel["arguments"].as_array().unwrap().iter().map(|one| &one["offset"]).collect();
    assert_eq!(json!(offsets), json!([null, 0, 2, 16, null, 32]));
    let capabilities = instructions(&scratch.path("out.spv"), CAPABILITY);
    assert_eq!(capabilities, [[SHADER]]);
    assert_eq!(instructions(&scratch.path("out.spv"), MEMORY_MODEL), [[0, 1]], "Logical, GLSL450");
    let with = &reflection(&scratch, &[&flags[..], &["--buffer-offsets", "--global-offset"]].concat())["kernels"][0];
    assert_eq!((&with["arguments"][0]["offset"], &with["global_offset"]), (&json!(0), &json!(40)));
    assert_eq!(with["arguments_in"]["size"], 64);
}

#[test]
fn split_integers_need_no_capability() {
    let scratch = Scratch::new();
    for name in ["wide_integers.spv", "ranges.spv", "pointer_walk.O0.spv"] {
        let module = kernel(name);
        let is_long = |scratch: &Scratch| {
            instructions(&scratch.path("out.spv"), CAPABILITY).iter().any(|operands| operands[0] == INT64)
        };
        let has_feature =
            |reflection: &Value| reflection["features"].as_array().expect("an array").contains(&"shaderInt64".into());
        assert!(has_feature(&reflection(&scratch, &[&module])) && is_long(&scratch), "{name}");
        assert!(!has_feature(&reflection(&scratch, &[&module, "--int64", "split"])) && !is_long(&scratch), "{name}");
    }
}

#[test]
fn the_target_input_leaves_kernels_what_they_are() {
    let scratch = Scratch::new();
    let left = ["compile", &kernel("goto_tangle.spv"), "-o", "out.spv", "--target", "input"];
    scratch.run(&left).ended(0);
    scratch.run(&[&left[..], &["--reflection", "r.json"]].concat()).ended(2);
    let out = scratch.path("out.spv");
    assert!(instructions(&out, CAPABILITY).contains(&vec![KERNEL]));
    assert_eq!(instructions(&out, MEMORY_MODEL), [[2, 2]], "Physical64, OpenCL");
    assert_eq!(instructions(&out, ENTRY_POINT)[0][0], 6, "the execution model Kernel");
    reflection(&scratch, &[&kernel("goto_tangle.spv")]);
    assert!(!instructions(&out, CAPABILITY).contains(&vec![KERNEL]));
    assert_eq!(instructions(&out, MEMORY_MODEL), [[5348, 3]], "PhysicalStorageBuffer64, Vulkan");
    assert_eq!(instructions(&out, ENTRY_POINT)[0][0], 5, "the execution model GLCompute");
}

#[test]
fn the_same_bytes_every_time_and_everywhere() {
    let (here, there) = (Scratch::new(), Scratch::new());
    for name in ["generic_pointers.O0.spv", "group_scans.spv", "program_tables.spv"] {
        let module = kernel(name);
        let arguments = ["compile", &module, "-o", "out.spv", "--reflection", "out.json", "--global-offset"];
        here.run(&arguments).ended(0);
        assert!(there.command(&arguments).env_clear().status().expect("the binary runs").success());
        for file in ["out.spv", "out.json"] {
            assert_eq!(content(&here.path(file)), content(&there.path(file)), "{name}: {file}");
        }
    }
}

/// What the message must name, as `tests/kernels/unsupported/README.md` says.
const UNSUPPORTED: [(&str, &[&str]); 4] = [
    ("events", &["device-side enqueue"]),
    ("mixed_generic", &["generic pointer", "local and global"]),
    ("pipes", &["pipes"]),
    ("recursion", &["recursion", "ackermann"]),
];

#[test]
fn what_is_not_supported_is_named() {
    let scratch = Scratch::new();
    for (name, expected) in UNSUPPORTED {
        let module = kernel(&format!("unsupported/{name}.spv"));
        let ran = scratch.run(&["compile", &module, "-o", "out.spv", "--error-format=json"]).ended(3);
        let said = &ran.json()[0];
        assert_eq!(said["code"], "kernel-unsupported", "{name}");
        assert!(said["function"].is_string() && said["context"].is_string(), "{name} has a place: {said}");
        let message = said["message"].as_str().unwrap_or_default();
        for word in expected {
            assert!(message.contains(word), "{name}: {message}");
        }
    }
    let module = kernel("unsupported/unknown_import.spv");
    let ran = scratch.run(&["compile", &module, "-o", "out.spv"]).ended(1);
    assert!(ran.stderr().starts_with("error[link-undefined]: no input defines the function library_hash\n"));
    assert!(scratch.names().is_empty());
}

#[test]
fn wrong_values_of_the_flags_for_kernels() {
    let scratch = Scratch::new();
    scratch.file("k.ir", DRAWN);
    let rows = [
        ("--target", "metal", "vulkan, cpu, vc4, input"),
        ("--int64", "triple", "native, split"),
        ("--pointers", "none", "addresses, bindings"),
        ("--driver", "abacus", "any, lavapipe, swiftshader"),
    ];
    for (flag, value, expected) in rows {
        let ran = scratch.run(&["compile", "k.ir", "-o", "out.spv", flag, value]).ended(2);
        assert!(ran.stderr().contains(value) && ran.stderr().contains(expected), "{}", ran.stderr());
    }
    scratch.run(&["compile", "k.ir", "-o", "out.spv", "--reflection", "no/such/folder"]).ended(75);
}

#[test]
fn kernels_can_be_looked_at_on_the_way() {
    let scratch = Scratch::new();
    scratch.file("k.ir", DRAWN);
    let ran = scratch.run(&["compile", "k.ir", "-o", "-", "--stop-after", "arguments"]).ended(0);
    assert!(ran.stdout().contains("entry_point GLCompute") && ran.stdout().contains("CrossWorkgroup"));
    let ran =
        scratch.run(&["compile", "k.ir", "-o", "out.ir", "--print-after", "lower_memory", "--verify-each"]).ended(0);
    assert!(ran.stderr().starts_with("; after lower_memory\n") && ran.stderr().contains("PhysicalStorageBuffer"));
    scratch.run(&["compile", "k.ir", "-o", "out.ir", "--passes", "lower_memory", "--verify-each"]).ended(0);
    scratch.file("shader.ir", crate::common::module());
    let ran = scratch.run(&["compile", "shader.ir", "-o", "none.ir", "--passes", "lower_memory"]).ended(2);
    assert!(ran.stderr().contains("lower_memory did not run: it lowers OpenCL kernels"), "{}", ran.stderr());
}

/// `(uint)(ushort)x` as clang 22 writes it at -O0.
const UNCONVERTED: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%buffer = type_pointer CrossWorkgroup, %u32
%wide = type_pointer CrossWorkgroup, %u64
%mask: %u32 = constant 65535
func %k: %void (%out: %buffer, %x: %u64) {
block ^entry:
  %y: %u32 = bitwise_and %x, %mask
  store %out, %y, 2, 4
  return
}
";

#[test]
fn a_conversion_that_is_missing_is_put_in_and_told() {
    let scratch = Scratch::new();
    scratch.file("k.ir", UNCONVERTED);
    for flags in [&["-O0"][..], &["-O1"], &["--int64", "split"], &["--pointers", "bindings"], &["--target", "input"]] {
        let arguments = [&["compile", "k.ir", "-o", "k.spv", "--error-format=json"], flags].concat();
        let notes = scratch.run(&arguments).ended(0).json();
        assert_eq!((&notes[0]["severity"], &notes[0]["place"]["line"]), (&json!("note"), &json!(14)), "{flags:?}");
    }
    let launch = ["--global", "1", "--arg", "out:u32[1]", "--arg", "u64=0x123456789abcdef0"];
    for engine in [&[][..], &["--compiled"]] {
        let ran = scratch.run(&[&["run", "k.ir"], &launch[..], engine].concat()).ended(0);
        assert_eq!(ran.stdout(), "argument 0 (out), u32[1]: 57072\n");
    }
}

#[test]
fn an_operand_of_too_few_bits_is_refused() {
    let scratch = Scratch::new();
    scratch.file("k.ir", UNCONVERTED.replace("(%out: %buffer, ", "(%out: %wide, "));
    let ran = scratch.run(&["compile", "k.ir", "-o", "k.spv", "--error-format=json"]).ended(1);
    let error = &ran.json()[0];
    assert_eq!((&error["code"], &error["place"]["line"]), (&json!("kernel-rejected"), &json!(15)));
    assert!(!scratch.path("k.spv").exists());
}

/// A library has no kernel, so nothing becomes a shader; `--target input` says that this is meant.
#[test]
fn a_module_without_kernels_stays_a_library_with_a_warning() {
    let library = "capability Kernel\ncapability Addresses\ncapability Linkage\nmemory_model Physical64, OpenCL\n\
                   %f32 = type_float 32\n%fn = type_function %f32, %f32\n\
                   func %same: %f32 (%x: %f32) type %fn stage structured {decorate LinkageAttributes \"same\" 0} {\n\
                   block ^entry:\n  return_value %x\n}\n";
    let scratch = Scratch::new();
    scratch.file("library.ir", library);
    let said = scratch.run(&["compile", "library.ir", "-o", "out.spv"]).ended(0).stderr();
    assert!(said.starts_with("warning[no-kernel]"), "{said}");
    let said = scratch.run(&["compile", "library.ir", "-o", "out.spv", "--target", "input"]).ended(0).stderr();
    assert_eq!(said, "");
}
