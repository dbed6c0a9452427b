//! Specialization constants of kernels: `--spec` in `compile` and `run`.

use crate::common::{Scratch, content};

/// A kernel that writes what depends on its constants.
const KERNEL: &str = r#"
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, "k"
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f32 = type_float 32
%pointer = type_pointer CrossWorkgroup, %u32
%one: %u32 = constant 1
%two: %u32 = constant 2
%factor: %u32 = spec_constant 5 {name "factor", decorate SpecId 101}
%long: %u64 = spec_constant words(7, 1) {decorate SpecId 102}
%real: %f32 = spec_constant f32(1.5) {decorate SpecId 103}
%flag: %bool = spec_constant_true {decorate SpecId 104}
%product: %u32 = spec_constant_op 132, %factor, %two
%chosen: %u32 = spec_constant_op 169, %flag, %product, %one

func %k: %void (%out: %pointer) {
block ^entry:
  %p1: %pointer = ptr_access_chain %out, %one
  %p2: %pointer = ptr_access_chain %p1, %one
  %low: %u32 = u_convert %long
  %whole: %u32 = convert_f_to_u %real
  store %out, %chosen, 2, 4
  store %p1, %low, 2, 4
  store %p2, %whole, 2, 4
  return
}
"#;

/// The engines, and whether they compile.
const ENGINES: [&str; 3] = ["--on=interpreter", "--compiled", "--on=cpu"];

fn printed(scratch: &Scratch, engine: &str, values: &[&str]) -> String {
    let launch = ["run", "k.ir", engine, "--global=1", "--arg=out:u32[3]=zero", "-q"];
    scratch.run(&[&launch[..], values].concat()).ended(0).stdout()
}

#[test]
fn every_engine_has_the_values() {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNEL);
    for engine in ENGINES {
        assert_eq!(printed(&scratch, engine, &[]), "argument 0 (out), u32[3]: 10 7 1\n", "{engine}");
        let values = ["--spec=factor=0x10", "--spec=102=-1", "--spec=103=2.75"];
        assert_eq!(printed(&scratch, engine, &values), "argument 0 (out), u32[3]: 32 4294967295 2\n", "{engine}");
        let values = ["--spec=104=true", "--spec=104=false"];
        assert_eq!(
            printed(&scratch, engine, &values),
            "argument 0 (out), u32[3]: 1 7 1\n",
            "{engine}: the last counts"
        );
    }
}

#[test]
fn the_others_stay_in_the_shader() {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNEL);
    let arguments = ["compile", "k.ir", "-o", "o.spv", "--reflection", "r.json", "--spec", "102=3"];
    scratch.run(&arguments).ended(0);
    let reflection: serde_json::Value = serde_json::from_slice(&content(&scratch.path("r.json"))).expect("it is JSON");
    let ids: Vec<&serde_json::Value> = reflection["specialization_constants"]
        .as_array()
        .expect("it lists them")
        .iter()
        .map(|constant| &constant["id"])
        .collect();
    assert_eq!(ids, [101, 103, 104]);
    let text = scratch.run(&["compile", "o.spv", "-O0", "--to", "text", "-o", "-"]).ended(0).stdout();
    assert!(text.contains("SpecId 101") && text.contains("SpecId 104") && !text.contains("SpecId 102"), "{text}");
}

#[test]
fn what_is_wrong_is_named() {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNEL);
    for (value, message) in [
        (
            "9=1",
            "there is no specialization constant 9: the module has 101 (factor), 102 (long), 103 (real), 104 (flag)",
        ),
        (
            "other=1",
            "there is no specialization constant other: the module has 101 (factor), 102 (long), 103 (real), 104 (flag)",
        ),
        ("factor=4294967296", "the specialization constant factor is an integer of 32 bits, and 4294967296 is none"),
        ("103=x", "the specialization constant 103 is a number of 32 bits, and x is none"),
        ("104=2", "the specialization constant 104 is true or false, and 2 is none"),
        ("101", "101 is no value of a specialization constant: write 3=5"),
    ] {
        for command in [&["compile", "-o", "o.spv"][..], &["run", "--global=1", "--arg=out:u32[3]=zero"]] {
            let ran = scratch.run(&[command, &["k.ir", "--spec", value, "--error-format=json"]].concat()).ended(2);
            assert_eq!(ran.json()[0]["code"], "specialization");
            assert_eq!(ran.json()[0]["message"], message);
        }
    }
    // Bindings have words alone.
    let arguments = ["compile", "k.ir", "--pointers=bindings", "-o", "o.spv", "--error-format=json"];
    let ran = scratch.run(&arguments).ended(3);
    assert!(ran.json()[0]["message"].as_str().unwrap_or_default().contains("64 bits"));
    scratch.run(&[&arguments[..], &["--spec=102=1"]].concat()).ended(0);
}
