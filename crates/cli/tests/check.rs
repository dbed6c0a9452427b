//! `reconverge check` over valid modules: how loud, where in the source, what else a script can rely on.

use std::fmt::Write as _;
use std::process::Stdio;

use crate::common::{PREAMBLE, Scratch, invalid_module};
use serde_json::Value;

/// A loop that a constant closes.
const ENDLESS: &str = "
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch ^again
block ^again:
  branch_if %true ^back ^end
edge ^back:
  branch ^again
block ^end:
  return
}
";

/// A variable that is read before it is written, with lines of `shader.comp`.
const UNWRITTEN: &str = "
%file = string \"shader.comp\"
%pointer = type_pointer Function, %u32
%taking = type_function %u32, %bool
func %weight: %u32 (%found: %bool) type %taking control 0 stage graph {
block ^entry:
  %w: %pointer = variable Function
  branch_if %found ^write ^skip at %file 12:5
block ^write:
  store %w, %seven at %file 13:9
  branch ^read
edge ^skip:
  branch ^read
block ^read:
  %value: %u32 = load %w at %file 15:12
  return_value %value
}
";

fn endless(scratch: &Scratch) {
    scratch.file("endless.ir", format!("{PREAMBLE}{ENDLESS}"));
}

#[test]
fn a_module_that_breaks_no_rule_is_accepted() {
    let scratch = Scratch::new();
    endless(&scratch);
    let ran = scratch.run(&["check", "endless.ir"]).ended(0);
    assert!(ran.stderr().starts_with("warning[F04]: "), "{}", ran.stderr());
    assert!(ran.stdout().is_empty());
    for arguments in [["--deny", "F04"], ["--deny", "f04"], ["--deny", "warnings"]] {
        let ran = scratch.run(&[&["check", "endless.ir"][..], &arguments].concat()).ended(1);
        assert!(ran.stderr().starts_with("error[F04]: "), "{}", ran.stderr());
    }
    let ran = scratch.run(&["check", "endless.ir", "--allow", "F04", "--deny", "warnings"]).ended(0);
    assert!(ran.stderr().is_empty(), "{}", ran.stderr());
}

#[test]
fn every_step_has_its_line_in_the_source() {
    let scratch = Scratch::new();
    scratch.file("weight.ir", format!("{PREAMBLE}{UNWRITTEN}"));
    let said = scratch.run(&["check", "weight.ir", "--error-format=json"]).ended(0).json();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!((&said[0]["code"], &said[0]["severity"]), (&Value::from("F03"), &Value::from("warning")));
    assert_eq!(said[0]["source"], "shader.comp:15:12");
    assert_eq!(said[0]["function"], "%weight");
    let path = said[0]["path"].as_array().unwrap();
    assert_eq!(path.len(), 1);
    assert_eq!(path[0]["source"], "shader.comp:12:5");
    assert_eq!(path[0]["message"], "`found` is false: control goes to line 15");
    let keys: Vec<&String> = path[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["block", "context", "function", "message", "place", "source", "source_line"]);
    let human = scratch.run(&["check", "weight.ir"]).ended(0).stderr();
    assert!(human.contains("from shader.comp:15:12") && human.contains("(shader.comp:12:5)"), "{human}");
}

/// Lines as `NonSemantic.Shader.DebugInfo.100` says them.
const RELIEF: &str = "
capability Shader
extension \"SPV_KHR_non_semantic_info\"
%debug = ext_inst_import \"NonSemantic.Shader.DebugInfo.100\"
memory_model Logical, GLSL450
entry_point Fragment, %main, \"main\", %height, %color
execution_mode %main, OriginUpperLeft
%name = string \"relief.hlsl\"
%void = type_void
%bool = type_bool
%f32 = type_float 32
%u32 = type_int 32, 0
%fn = type_function %void
%input = type_pointer Input, %f32
%output = type_pointer Output, %f32
%height: %input = variable Input {decorate Location 0}
%color: %output = variable Output {decorate Location 0}
%zero: %f32 = constant 0
%four: %u32 = constant 4
%six: %u32 = constant 6
%nine: %u32 = constant 9
%source: %void = ext_inst %debug, 35, %name
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  %h: %f32 = load %height at debug_line(%debug, %source, %four, %four, %nine, %nine)
  %above: %bool = f_ord_greater_than %h, %zero at debug_line(%debug, %source, %four, %four, %nine, %nine)
  if %above ^some ^skip merge ^all control 0 at debug_line(%debug, %source, %four, %four, %nine, %nine)
edge ^skip:
  branch ^all
block ^some:
  %slope: %f32 = d_pdx %h at debug_line(%debug, %source, %six, %six, %four, %four)
  store %color, %slope at debug_line(%debug, %source, %six, %six, %four, %four)
  branch ^all
block ^all:
  return
}
";

#[test]
fn lines_of_shader_debug_information() {
    let scratch = Scratch::new();
    scratch.file("relief.ir", RELIEF);
    let said = scratch.run(&["check", "relief.ir", "--error-format=json"]).ended(0).json();
    assert_eq!((&said[0]["code"], &said[0]["source"]), (&Value::from("W02"), &Value::from("relief.hlsl:6:4")));
    let path = said[0]["path"].as_array().unwrap();
    let context = path.last().unwrap()["context"].as_str().unwrap();
    assert!(context.starts_with("%h: %f32 = load %height"), "{context}");
    assert!(path.iter().all(|step| step["source"] == "relief.hlsl:4:9"), "{path:?}");
}

#[test]
fn lines_survive_in_a_binary() {
    let scratch = Scratch::new();
    scratch.file("weight.ir", format!("{PREAMBLE}{UNWRITTEN}"));
    scratch.run(&["compile", "-O0", "weight.ir", "-o", "weight.spv"]).ended(0);
    let said = scratch.run(&["check", "weight.spv", "--error-format=json"]).ended(0).json();
    assert_eq!(said[0]["source"], "shader.comp:15:12");
    assert_eq!(said[0]["path"][0]["source"], "shader.comp:12:5");
}

#[test]
fn the_verifier_comes_first() {
    let scratch = Scratch::new();
    let both = format!("{}{}", invalid_module(), ENDLESS.replace("%main", "%other"));
    scratch.file("both.ir", both);
    let said = scratch.run(&["check", "both.ir", "--error-format=json"]).ended(1).json();
    assert!(said.iter().all(|line| line["severity"] == "error"), "{said:?}");
    assert!(said.iter().all(|line| line["code"] != "F04"), "{said:?}");
}

#[test]
fn two_for_checks_that_do_not_exist_or_contradict() {
    let scratch = Scratch::new();
    endless(&scratch);
    let wrong: [(&[&str], &str); 8] = [
        (&["check", "endless.ir", "--deny", "F99"], "unknown check `F99`"),
        (&["check", "endless.ir", "--allow", "warnings"], "unknown check `warnings`"),
        (&["check", "endless.ir", "--allow", "F04", "--deny", "F04"], "F04 appears in two"),
        (&["check", "endless.ir", "--warn", "wgsl", "--deny", "W02"], "W02 appears in two"),
        (&["check", "--explain", "F99"], "no message has the code `F99`"),
        (&["check", "endless.ir", "--deny"], "--deny"),
        (&["check", "endless.ir", "--error-format", "xml"], "xml"),
        (&["check"], "IN"),
    ];
    for (arguments, part) in wrong {
        let ran = scratch.run(arguments).ended(2);
        assert!(ran.stderr().contains(part) && ran.stdout().is_empty(), "{arguments:?}: {}", ran.stderr());
    }
    let said = scratch.run(&["check", "--explain", "F99", "--error-format=json"]).ended(2).json();
    assert_eq!(said[0]["code"], "usage");
}

#[test]
fn pages_of_checks_and_of_rules() {
    let scratch = Scratch::new();
    let page = scratch.run(&["check", "--explain", "w01"]).ended(0).stdout();
    assert!(page.starts_with("# W01: barrier in non-uniform control flow\n"), "{page}");
    assert!(scratch.run(&["check", "--explain", "R18"]).ended(0).stdout().starts_with("# R18\n"));
}

#[test]
fn nobody_listens() {
    let scratch = Scratch::new();
    endless(&scratch);
    for arguments in [&["check", "endless.ir", "--deny", "F04"][..], &["check", "--explain", "F01"]] {
        let mut command = scratch.command(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        drop(child.stdout.take());
        let code = child.wait().unwrap().code();
        // The page may have been written before its reader went away.
        assert!(matches!(code, Some(0 | 1 | 75)), "{arguments:?}: {code:?}");
    }
}

/// Ten thousand functions, each of which calls the next, and the last the first.
#[test]
fn a_long_cycle_of_calls() {
    const COUNT: usize = 10_000;
    let scratch = Scratch::new();
    let mut text = PREAMBLE.to_owned();
    for number in 0..COUNT {
        let callee = (number + 1) % COUNT;
        write!(
            text,
            "func %f{number}: %void () type %fn control 0 stage graph {{\nblock ^b:\n  %c: %void = function_call %f{callee}\n  return\n}}\n"
        )
        .unwrap();
    }
    scratch.file("cycle.ir", text);
    let said = scratch.run(&["check", "cycle.ir", "--error-format=json"]).ended(0).json();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0]["code"], "F01");
    assert!(said[0]["message"].as_str().unwrap().ends_with("and 9996 other functions"), "{said:?}");
    assert_eq!(said[0]["path"].as_array().unwrap().len(), 12);
}

/// Some 100,000 blocks: a chain of diamonds, with a variable that only one arm of each writes.
#[test]
fn a_long_function() {
    const COUNT: usize = 33_000;
    let scratch = Scratch::new();
    let mut text = format!(
        "{PREAMBLE}%pointer = type_pointer Function, %u32\n%taking = type_function %void, %bool\n\
         func %main: %void (%p: %bool) type %taking control 0 stage graph {{\nblock ^b0:\n  %v: %pointer = variable Function\n  branch ^h0\n"
    );
    for number in 0..COUNT {
        let next = number + 1;
        write!(
            text,
            "block ^h{number}:\n  branch_if %p ^w{number} ^s{number}\nblock ^w{number}:\n  store %v, %seven\n  branch ^h{next}\n\
             edge ^s{number}:\n  branch ^h{next}\n"
        )
        .unwrap();
    }
    write!(text, "block ^h{COUNT}:\n  %x: %u32 = load %v\n  %y: %u32 = i_add %x, %x\n  return\n}}\n").unwrap();
    scratch.file("long.ir", text);
    scratch.run(&["check", "long.ir"]).ended(0);
}

/// A lane's number goes through a variable that debug information names.
const DECLARED: &str = "
capability Shader
extension \"SPV_KHR_non_semantic_info\"
%debug = ext_inst_import \"NonSemantic.Tool.1\"
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %lane
execution_mode %main, LocalSize, 64, 1, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%fn = type_function %void
%input = type_pointer Input, %u32
%local = type_pointer Function, %u32
%lane: %input = variable Input {decorate BuiltIn 29}
%two: %u32 = constant 2
%order: %u32 = constant 264
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  %i: %local = variable Function
  %declared: %void = ext_inst %debug, 28, %i
  %number: %u32 = load %lane
  store %i, %number
  %again: %u32 = load %i
  %low: %bool = u_less_than %again, %two
  if %low ^some ^skip merge ^all control 0
edge ^skip:
  branch ^all
block ^some:
  control_barrier %two, %two, %order
  branch ^all
block ^all:
  return
}
";

#[test]
fn debug_information_hides_no_finding() {
    let scratch = Scratch::new();
    let plain = DECLARED.replace("  %declared: %void = ext_inst %debug, 28, %i\n", "");
    for text in [DECLARED, &plain] {
        scratch.file("declared.ir", text);
        let said = scratch.run(&["check", "declared.ir", "--deny", "W01", "--error-format=json"]).ended(1).json();
        assert_eq!(said[0]["code"], "W01", "{said:?}");
    }
}

/// clang keeps a copy of each kernel for calls; what is wrong with both is reported once, unless something calls the copy.
#[test]
fn copies_of_kernels_are_reported_once() {
    let scratch = Scratch::new();
    let spin = |name: &str| {
        format!(
            "func %{name}: %void () type %fn control 0 stage graph {{\nblock ^entry:\n  branch ^head\nblock ^head:\n  branch ^head\n}}\n"
        )
    };
    let (kernel, copy) = (spin("spin"), spin("__clang_ocl_kern_imp_spin"));
    let caller = "func %caller: %void () type %fn control 0 stage graph {\nblock ^entry:\n  %0: %void = function_call %__clang_ocl_kern_imp_spin\n  return\n}\n";
    let count = |text: &str| {
        scratch.file("spin.ir", format!("{PREAMBLE}{text}"));
        let said = scratch.run(&["check", "spin.ir", "--error-format=json"]).json();
        said.iter().filter(|line| line["code"] == "F04").count()
    };
    assert_eq!(count(&format!("{kernel}{copy}")), 1);
    assert_eq!(count(&format!("{kernel}{copy}{caller}")), 2);
    assert_eq!(count(&copy), 1, "without its kernel it is a function like any other");
}

#[test]
fn a_text_without_a_header_is_checked_as_it_is_written() {
    let scratch = Scratch::new();
    let module = |declared: &str| {
        format!(
            "capability Shader\nmemory_model Logical, GLSL450\nentry_point GLCompute, %main, \"main\"\n{declared}\
             execution_mode %main, LocalSize, 1, 1, 1\n%void = type_void\n%f64 = type_float 64\n\n\
             func %main: %void () stage structured {{\nblock ^entry:\n  %x: %f64 = undef\n  return\n}}\n"
        )
    };
    let cases = [
        ("", "T12"),
        ("capability Float64\nentry_point GLCompute, %main, \"main\"\n", "E01"),
        ("capability Float64\nmemory_model Logical, GLSL450\n", "E01"),
    ];
    for (declared, code) in cases {
        scratch.file("module.ir", module(declared));
        for command in [&["check", "module.ir"][..], &["compile", "module.ir", "-o", "out.spv"]] {
            let said = scratch.run(&[command, &["--error-format=json"]].concat()).ended(1).json();
            assert_eq!(said[0]["code"], code, "{said:?}");
        }
    }
    scratch.file("module.ir", module("capability Float64\n"));
    scratch.run(&["check", "module.ir"]).ended(0);
}
