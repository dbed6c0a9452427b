//! `reconverge link`, and commands that link several inputs first.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Scratch, content};

/// A kernel that calls an import.
pub(crate) const CALLER: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Linkage
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%words = type_pointer CrossWorkgroup, %u32
%one: %u32 = constant 1
func %f: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 1}
func %k: %void (%out: %words) {
block ^entry:
  %x: %u32 = function_call %f, %one
  store %out, %x, 2, 4
  return
}
";

/// Its callee, with another body for Vulkan, and something that nothing needs.
pub(crate) const CALLEE: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Linkage
memory_model Physical64, OpenCL
%u32 = type_int 32, 0
func %f: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 0} {
block ^entry:
  %m: %u32 = i_add %n, %n
  return_value %m
}
func %fast: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 0, decorate_string UserSemantic \"target=vulkan\"} {
block ^entry:
  return_value %n
}
func %unused: %u32 (%n: %u32) {decorate LinkageAttributes \"unused\" 0} {
block ^entry:
  return_value %n
}
";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("one.ir", CALLER);
    scratch.file("two.ir", CALLEE);
    scratch
}

fn text(scratch: &Scratch, name: &str) -> String {
    String::from_utf8(content(&scratch.path(name))).expect("the output is text")
}

#[test]
fn symbols_are_listed_without_linking() {
    let scratch = scratch();
    let listed = scratch.run(&["link", "one.ir", "two.ir", "--list"]).ended(0).stdout();
    assert_eq!(
        listed,
        "one.ir
  import function f: u32(u32)
two.ir
  export function f: u32(u32)
  export function f: u32(u32)
  export function unused: u32(u32)
"
    );
}

#[test]
fn formats_are_mixed_and_bytes_are_the_same_every_time() {
    let scratch = scratch();
    scratch.run(&["link", "two.ir", "--library", "--target", "none", "-o", "two.spv"]).ended(0);
    scratch.run(&["link", "one.ir", "two.spv", "-o", "out.spv"]).ended(0);
    scratch.run(&["link", "one.ir", "two.spv", "-o", "again.spv"]).ended(0);
    assert_eq!(content(&scratch.path("out.spv")), content(&scratch.path("again.spv")));
    scratch.run(&["check", "out.spv"]).ended(0);
    scratch.run(&["link", "one.ir", "two.spv", "-o", "out.spvasm"]).ended(0);
    assert!(text(&scratch, "out.spvasm").contains("OpFunctionCall"));
    scratch.run(&["link", "one.ir", "two.spv", "-o", "out.png"]).ended(2);
    scratch.run(&["link", "-", "-", "-o", "out.spv"]).ended(2);
}

#[test]
fn the_binary_form_is_linked_like_all_others() {
    let scratch = scratch();
    for name in ["one", "two"] {
        let [text, binary, spirv] = ["ir", "rcv", "spv"].map(|extension| format!("{name}.{extension}"));
        scratch.run(&["link", &text, "--library", "--allow-undefined", "-o", &binary]).ended(0);
        scratch.run(&["link", &text, "--library", "--allow-undefined", "-o", &spirv]).ended(0);
    }
    let mut outputs = Vec::new();
    for inputs in [["one.ir", "two.ir"], ["one.rcv", "two.rcv"], ["one.rcv", "two.spv"], ["one.spv", "two.rcv"]] {
        scratch.run(&["link", inputs[0], inputs[1], "-o", "out.rcv"]).ended(0);
        scratch.run(&["check", "out.rcv"]).ended(0);
        scratch.run(&["link", "out.rcv", "-o", "out.spv"]).ended(0);
        scratch.run(&["link", inputs[0], inputs[1], "-o", "direct.spvasm"]).ended(0);
        let direct = text(&scratch, "direct.spvasm");
        assert!(
            direct.contains("OpFunctionCall") && direct.contains("OpIAdd") && !direct.contains("Linkage"),
            "{direct}"
        );
        outputs.push(content(&scratch.path("out.spv")));
    }
    // SPIR-V has no names for its own sake, and the numbers of ids are those of the first input.
    assert_eq!(outputs[0].len(), outputs[1].len());
    let listed = |names: [&str; 2]| {
        let listed = scratch.run(&["link", names[0], names[1], "--list"]).ended(0).stdout();
        listed.lines().filter(|line| line.starts_with(' ')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(["one.rcv", "two.rcv"]), listed(["one.ir", "two.spv"]));
    let arguments = ["run", "one.rcv", "two.ir", "--global", "1", "--arg", "out:u32[1]=zero", "--on", "interpreter"];
    assert!(scratch.run(&arguments).ended(0).stdout().contains('2'));
}

#[test]
fn damaged_files_in_the_binary_form_are_errors() {
    let scratch = scratch();
    scratch.run(&["link", "two.ir", "--library", "-o", "two.rcv"]).ended(0);
    let whole = content(&scratch.path("two.rcv"));
    std::fs::write(scratch.path("short.rcv"), &whole[..whole.len() - 1]).expect("the folder is writable");
    let output = scratch.run(&["link", "one.ir", "short.rcv", "-o", "out.spv"]).ended(1);
    assert!(output.stderr().contains("binary-length"), "{}", output.stderr());
}

#[test]
fn a_target_chooses_bodies() {
    let scratch = scratch();
    let body = |target: &str| {
        scratch.run(&["link", "one.ir", "two.ir", "--target", target, "-o", "out.ir"]).ended(0);
        text(&scratch, "out.ir").contains("i_add")
    };
    assert!(body("cpu") && !body("vulkan") && !body("vulkan.lavapipe"));
}

#[test]
fn roots_and_libraries_keep_what_they_say() {
    let scratch = scratch();
    let kept = |flags: &[&str]| {
        scratch.run(&[&["link", "one.ir", "two.ir", "-o", "out.ir"], flags].concat()).ended(0);
        let text = text(&scratch, "out.ir");
        ["func %k", "func %f", "func %unused", "Linkage"].map(|part| text.contains(part))
    };
    assert_eq!(kept(&[]), [true, true, false, false]);
    assert_eq!(kept(&["--library"]), [true, true, true, true]);
    assert_eq!(kept(&["--root", "unused"]), [false, false, true, true]);
    assert_eq!(kept(&["--root", "unused", "--root", "k"]), [true, true, true, true]);
    scratch.run(&["link", "one.ir", "-o", "out.ir", "--allow-undefined"]).ended(0);
    assert!(text(&scratch, "out.ir").contains("\"f\" 1"));
    scratch.run(&["link", "one.ir", "two.ir", "-o", "out.ir", "--root", "g"]).ended(1);
}

#[test]
fn errors_have_codes_and_places_in_both_modules() {
    let scratch = scratch();
    let said = scratch.run(&["link", "one.ir", "-o", "out.ir"]).ended(1).stderr();
    assert!(said.starts_with("error[link-undefined]: no input defines the function f\n"), "{said}");
    let other = CALLEE.replacen("%u32 =", "%u16 = type_int 16, 0\n%u32 =", 1).replace("(%n: %u32)", "(%n: %u16)");
    let other = other.replace("capability Linkage\n", "capability Linkage\ncapability Int16\n");
    scratch.file("other.ir", other.replace("i_add %n, %n", "u_convert %n").replace("return_value %n", "unreachable"));
    let said = scratch.run(&["link", "one.ir", "other.ir", "-o", "out.ir", "--error-format=json"]).ended(1).stderr();
    let object: Value = serde_json::from_str(said.lines().next().expect("a line")).expect("a line is JSON");
    assert_eq!(object["code"], "link-type");
    assert_eq!(object["message"], "f is imported as u32(u32) and defined as u32(u16): parameter 1: u32 and u16");
    assert_eq!(object["file"], "one.ir");
    assert_eq!(object["path"][0]["message"], "defined in other.ir");
    let said = scratch.run(&["compile", "one.ir", "two.ir", "two.ir", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.contains("error[link-duplicate]: two inputs define the function f"), "{said}");
}

#[test]
fn every_command_says_what_is_not_defined() {
    let scratch = scratch();
    let run = ["run", "one.ir", "--global", "1", "--arg", "out:u32[1]=zero"];
    let commands = [
        vec!["compile", "one.ir", "-o", "out.spv"],
        vec!["compile", "one.ir", "-o", "out.qpu", "--target", "vc4"],
        vec!["link", "one.ir", "-o", "out.ir"],
        run.to_vec(),
        [&run[..], &["--on", "interpreter"]].concat(),
        [&run[..], &["--on", "interpreter", "--compiled"]].concat(),
        [&run[..], &["--on", "vc4-emulator"]].concat(),
    ];
    for command in commands {
        let said = scratch.run(&command).ended(1).stderr();
        assert!(said.starts_with("error[link-undefined]: no input defines the function f\n"), "{command:?}: {said}");
        assert!(said.contains("give the module that defines it as one more input"), "{command:?}: {said}");
    }
    // What stays a kernel may be linked later.
    scratch.run(&["compile", "one.ir", "-o", "out.spv", "--target", "input"]).ended(0);
    let variable = "func %k: %void (%out: %words) {\nblock ^entry:\n  %x: %u32 = load %table, 2, 4\n";
    let table = "%table: %words = variable CrossWorkgroup {decorate LinkageAttributes \"table\" 1}\n";
    let kernel = CALLER.replace("func %f: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 1}\n", table);
    let kernel = kernel
        .replace("func %k: %void (%out: %words) {\nblock ^entry:\n  %x: %u32 = function_call %f, %one\n", variable);
    scratch.file("table.ir", kernel);
    let said = scratch.run(&["compile", "table.ir", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.starts_with("error[link-undefined]: no input defines the variable table\n"), "{said}");
}

#[test]
fn other_commands_link_first() {
    let scratch = scratch();
    scratch.run(&["compile", "one.ir", "two.ir", "-o", "out.spv"]).ended(0);
    scratch.run(&["compile", "one.ir", "two.ir", "-o", "out"]).ended(0);
    assert!(text(&scratch, "out").contains("entry_point GLCompute"), "the format is that of the first input");
    let arguments = ["run", "one.ir", "two.ir", "--global", "1", "--arg", "out:u32[1]=zero", "--on", "interpreter"];
    assert!(scratch.run(&arguments).ended(0).stdout().contains('2'));
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/link")
}

#[test]
fn programs_in_several_files_run() {
    let scratch = Scratch::new();
    for name in ["call_chain", "different_pointees", "struct_value"] {
        let folder = programs().join(name);
        let file = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
        let mut arguments = vec!["run".to_owned()];
        arguments
            .extend(["a.spv", "b.spv", "c.spv", "d.spv"].map(file).into_iter().filter(|path| Path::new(path).exists()));
        arguments.extend(["--launch".to_owned(), file("launch.json")]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        scratch.run(&arguments).ended(0);
    }
}
