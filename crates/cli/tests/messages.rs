//! What is said: to people, to programs, about errors and about what was added.

use crate::common;
use crate::common::{INVALID, PREAMBLE, Scratch, binary, content, invalid_module, line_of, words};
use serde_json::Value;

#[test]
fn a_finding_in_a_text_has_its_line() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    let line = line_of(&invalid_module(), "%twice");
    let ran = scratch.run(&["check", "invalid.ir"]).ended(1);
    let text = ran.stderr();
    assert!(text.starts_with("error["), "{text}");
    assert!(text.contains(&format!("invalid.ir:{line}:3")), "{text}");
    assert!(text.contains("%twice: %u32 = i_add %sum, %sum"), "{text}");
    assert!(text.contains("in function %main, block ^end"), "{text}");
}

#[test]
fn a_finding_as_json_has_every_key() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    for command in [&["check", "invalid.ir"][..], &["compile", "invalid.ir", "-o", "out.ir"]] {
        let arguments: Vec<&str> = command.iter().copied().chain(["--error-format", "json"]).collect();
        let said = scratch.run(&arguments).ended(1).json();
        let object = said[0].as_object().unwrap();
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        let wanted = "block code context edge file function function_name kind message path place severity source source_line suggestion";
        assert_eq!(keys.join(" "), wanted);
        assert_eq!(object["kind"], "diagnostic");
        assert_eq!(object["severity"], "error");
        assert_eq!(object["file"], "invalid.ir");
        assert_eq!(object["function"], "%main");
        assert_eq!(object["block"], "^end");
        assert_eq!(object["place"]["line"], line_of(&invalid_module(), "%twice"));
        assert_eq!(object["place"]["column"], 3);
        assert!(object["code"].as_str().is_some_and(|code| !code.is_empty()));
    }
}

#[test]
fn a_finding_in_a_binary_has_its_names() {
    let scratch = Scratch::new();
    let valid = INVALID.replace("%sum, %sum", "%seven, %seven");
    scratch.file("valid.ir", format!("{PREAMBLE}{valid}"));
    scratch.run(&["compile", "-O0", "valid.ir", "-o", "valid.spv"]).ended(0);
    let mut code = words(&content(&scratch.path("valid.spv")));
    let additions: Vec<usize> = (0..code.len()).filter(|&index| code[index] == 5 << 16 | 128).collect();
    let &[sum, twice] = additions.as_slice() else { panic!("two additions: {additions:?}") };
    code[twice + 3] = code[sum + 2];
    scratch.file("invalid.spv", binary(&code));
    let said = scratch.run(&["check", "invalid.spv", "--error-format=json"]).ended(1).json();
    assert_eq!(said.len(), 1, "{said:?}");
    let place = ["function", "block"].map(|key| said[0][key].as_str().unwrap());
    assert_eq!(place, ["%main", "^end"]);
    assert!(said[0]["context"].as_str().unwrap().contains("%twice"), "{said:?}");
}

#[test]
fn a_wrong_instruction_in_a_binary_has_its_word() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "-O0", "module.ir", "-o", "module.spv"]).ended(0);
    let mut code = words(&content(&scratch.path("module.spv")));
    let position = code.iter().position(|&word| word == 1 << 16 | 253).unwrap();
    code[position] = 1 << 16 | 251;
    scratch.file("wrong.spv", binary(&code));
    let said = scratch.run(&["check", "wrong.spv", "--error-format=json"]).ended(1).json();
    assert_eq!(said[0]["code"], "spirv-operand-missing");
    assert!(said[0]["place"]["word"].as_u64().unwrap() >= position as u64, "{said:?}");
}

#[test]
fn a_wrong_word_in_a_text_is_underlined() {
    let scratch = Scratch::new();
    scratch.file("wrong.ir", format!("{PREAMBLE}%x: %u32 = i_add %seven, %missing\n"));
    let ran = scratch.run(&["check", "wrong.ir"]).ended(1);
    assert!(ran.stderr().contains("^^^^^^^^"), "{}", ran.stderr());
    assert!(ran.stderr().contains("error[text-undefined]"), "{}", ran.stderr());
}

/// A loop that must be unrolled and cannot be, in a function that is to be structurized first.
const UNROLL: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  loop ^header(%seven) break ^end continue ^next control 1
block ^header(%i: %u32):
  %more: %bool = u_less_than %i, %bound
  branch_if %more ^next ^end
block ^next:
  %following: %u32 = i_add %i, %seven
  branch ^header(%following)
block ^end:
  return
}
";

#[test]
fn an_error_of_a_pass_has_the_line_of_the_input() {
    let scratch = Scratch::new();
    let types = "%pointer = type_pointer Private %u32\n%somewhere: %pointer = variable Private\n";
    let text = UNROLL
        .replace("block ^entry:\n", "block ^entry:\n  ; where the bound is read\n  %bound: %u32 = load %somewhere\n");
    let text = format!("{PREAMBLE}{types}{text}");
    scratch.file("unroll.ir", &text);
    scratch.run(&["compile", "-O0", "unroll.ir", "-o", "unroll.spv"]).ended(0);
    let passes = ["--passes", "lower_returns,loop_unroll", "--error-format=json"];
    let said = scratch.run(&[&["compile", "-O0", "unroll.ir", "-o", "out.ir"][..], &passes].concat()).ended(1).json();
    assert_eq!(said[0]["place"]["line"], line_of(&text, "loop ^header"), "{said:?}");
    assert_eq!(said[0]["place"]["column"], 3);
    let known = ["file", "function", "block"].map(|key| said[0][key].as_str().unwrap().to_owned());
    assert_eq!(known, ["unroll.ir", "%main", "^entry"]);
    let said = scratch.run(&[&["compile", "-O0", "unroll.spv", "-o", "out.ir"][..], &passes].concat()).ended(1).json();
    let known = ["file", "function", "block"].map(|key| said[0][key].as_str().unwrap().to_owned());
    assert_eq!(known[..2], ["unroll.spv", "%main"]);
    assert!(said[0]["context"].as_str().unwrap().starts_with("loop ^header"), "{said:?}");
    assert!(!scratch.path("out.ir").exists());
}

#[test]
fn an_error_of_the_structurizer_has_the_line_of_the_function() {
    let scratch = Scratch::new();
    scratch.module();
    let arguments = ["compile", "module.ir", "-o", "out.ir", "--block-limit", "2", "--error-format=json"];
    let said = scratch.run(&arguments).ended(4).json();
    assert_eq!(said[0]["place"]["line"], line_of(&common::module(), "func %main"), "{said:?}");
}

#[test]
fn wrong_usage_is_json_too_where_that_was_asked_for() {
    let scratch = Scratch::new();
    let said = scratch
        .run(&["compile", "a.ir", "-o", "b.ir", "--stop-after", "structurise", "--error-format=json"])
        .ended(2)
        .json();
    assert_eq!(said[0]["code"], "usage");
    assert!(said[0]["suggestion"].as_str().unwrap().contains("structurize"), "{said:?}");
}

#[test]
fn files_that_are_not_there_are_json_too() {
    let scratch = Scratch::new();
    let said = scratch.run(&["check", "missing.spv", "--error-format=json"]).ended(75).json();
    assert_eq!((said[0]["code"].as_str(), said[0]["file"].as_str()), (Some("io"), Some("missing.spv")));
}

#[test]
fn why_names_the_blocks_of_the_input() {
    let scratch = Scratch::new();
    scratch.module();
    let compile = ["compile", "-O0", "module.ir", "-o", "out.spv", "--why"];
    let text = scratch.run(&compile).ended(0).stderr();
    let dispatch = "main: added a block: irreducible dispatch: a cycle is entered at `right`, `left`";
    assert_eq!(text.lines().next(), Some(dispatch), "{text}");
    let mut last = text.lines().rev();
    assert_eq!(last.next(), Some("moved: 0"), "{text}");
    let gains = last.next().unwrap();
    assert!(gains.starts_with("in all: functions 1 → 1, blocks 4 → 5, instructions "), "{text}");
    let summary = last.next().unwrap();
    assert_eq!(summary, "main: blocks 4 → 5; added 1 (irreducible dispatch 1); nesting 0 → 1", "{text}");
    let verbose = scratch.run(&[&compile[..], &["-v"]].concat()).ended(0).stderr();
    assert!(verbose.contains("%main: added ^") && verbose.contains("; selectors 1; "), "{verbose}");
}

#[test]
fn why_counts_the_joins_that_went() {
    let scratch = Scratch::new();
    let function = "func %f: %u32 (%c: %bool) {\nblock ^a:\n  branch ^h\nblock ^h:\n  branch_if %c ^b ^e1\nedge ^e1:\n  branch ^m(%zero)\n\
                    block ^b:\n  branch_if %c ^d ^e2\nedge ^e2:\n  branch ^x\nblock ^d:\n  branch_if %c ^e ^e3\nedge ^e3:\n  branch ^x\n\
                    block ^e:\n  branch ^h\nblock ^x:\n  branch ^m(%one)\nblock ^m(%r: %u32):\n  return_value %r\n}\n";
    let header = "capability Shader\ncapability Linkage\nmemory_model Logical GLSL450\n%bool = type_bool\n%u32 = type_int 32, 0\n\
                  %zero: %u32 = constant 0\n%one: %u32 = constant 1\n";
    scratch.file("m.ir", format!("{header}{function}"));
    let text = scratch.run(&["compile", "-O0", "m.ir", "-o", "out.spv", "--why"]).ended(0).stderr();
    assert!(text.contains("joins removed 1, which only passed values on"), "{text}");
}

#[test]
fn why_as_json() {
    let scratch = Scratch::new();
    scratch.module();
    let ran = scratch.run(&["compile", "-O0", "module.ir", "-o", "out.spv", "--why", "--error-format=json"]).ended(0);
    let said = ran.json();
    let (gains, said) = said.split_last().unwrap();
    assert_eq!(
        (&gains["kind"], &gains["before"]["blocks"], &gains["after"]["blocks"]),
        (&"gains".into(), &4.into(), &5.into())
    );
    let (summary, added) = said.split_last().unwrap();
    assert_eq!(summary["kind"], "summary");
    assert_eq!(summary["function"], "%main");
    assert_eq!(summary["blocks_in"], 4);
    assert_eq!(summary["fallback"], Value::Null);
    assert!(added.iter().all(|line| line["kind"] == "why" && line["function"] == "%main"), "{said:?}");
    let blocks = added.iter().filter(|line| line["block"].is_string()).count() as u64;
    let counted: u64 = summary["added"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(blocks, counted);
    assert_eq!(summary["blocks_out"].as_u64().unwrap(), 4 + counted);
}

#[test]
fn every_step_is_timed() {
    let scratch = Scratch::new();
    scratch.module();
    let ran =
        scratch.run(&["compile", "-O0", "module.ir", "-o", "out.ir", "--time-passes", "--error-format=json"]).ended(0);
    let said = ran.json();
    let steps: Vec<&str> = said.iter().map(|line| line["step"].as_str().unwrap()).collect();
    let passes = [
        "known_faults",
        "missing_conversions",
        "split_shared_headers",
        "remove_dead_ends",
        "remove_unreachable",
        "structurize",
    ];
    assert_eq!(steps, [&["read", "verify"], &passes[..], &["write", "all passes", "all"]].concat());
    assert!(said.iter().all(|line| line["kind"] == "time" && line["microseconds"].is_u64()), "{said:?}");
}

#[test]
fn the_version_is_one_json_object() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["--version", "--json"]).ended(0);
    let version: Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(version["name"], "reconverge");
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["spirv_versions"].as_array().unwrap().len(), 7);
}

#[test]
fn the_passes_and_their_order() {
    let scratch = Scratch::new();
    let plain = scratch.run(&["passes"]).ended(0).stdout();
    assert!(plain.contains("remove_unreachable before structurize: "), "{plain}");
    let page = scratch.run(&["passes", "--markdown"]).ended(0).stdout();
    assert!(page.starts_with("# Passes\n") && page.contains("| `structurize` |"), "{page}");
}

#[test]
fn help_shows_examples_and_exit_codes() {
    let scratch = Scratch::new();
    for arguments in [&["--help"][..], &["compile", "--help"], &["check", "--help"]] {
        let help = scratch.run(arguments).ended(0).stdout();
        assert!(help.contains("Examples:") && help.contains("  75  "), "{help}");
        assert!(!help.contains("crash-after"), "{help}");
    }
}

/// The module of the filetest about divisions in loops.
fn divisions(scratch: &Scratch) {
    let filetest = include_str!("../../../tests/filetests/passes/gcm/division_in_a_loop.ir");
    let (body, header) = (filetest.split("; ----").next().expect("a text has a first part"), "capability Kernel\n");
    let header = format!("{header}capability Addresses\ncapability Linkage\nmemory_model Physical64, OpenCL\n");
    scratch.file("module.ir", header + body);
}

const MOVE: [&str; 10] =
    ["compile", "-O0", "--target", "input", "module.ir", "-o", "out.ir", "--passes", "gcm", "--why"];

#[test]
fn why_says_what_moved_and_what_may_not() {
    let scratch = Scratch::new();
    divisions(&scratch);
    let said = scratch.run(&MOVE).ended(0).stderr();
    let lines: Vec<&str> = said.lines().take(2).collect();
    let moved = "by_three: `j` moved from `body` to `entry`: the same in every iteration";
    let kept = "by_anything: `j` is the same in every iteration of the loop `head`; not moved: the division may trap";
    assert_eq!(lines, [moved, kept], "{said}");
    assert!(!said.contains(['%', '^']), "{said}");
}

#[test]
fn numbers_and_costs_are_details() {
    let scratch = Scratch::new();
    divisions(&scratch);
    let said = scratch.run(&[&MOVE[..], &["-v"]].concat()).ended(0).stderr();
    assert!(said.contains("[%j from ^body to ^entry; executed 8 times before, once after (estimated); "), "{said}");
    assert!(said.contains("may trap [%j in ^body, loop ^head]\n"), "{said}");
    let all = scratch.run(&[&MOVE[..], &["--error-format=json"]].concat()).ended(0).json();
    let of_kind = |kind: &str| all.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
    let (moved, kept) = (of_kind("move"), of_kind("kept"));
    assert_eq!(
        (moved.len(), moved[0]["instruction"].as_str(), moved[0]["cost_before"].as_f64()),
        (1, Some("%j"), Some(3.0))
    );
    assert_eq!((kept.len(), kept[0]["loop"].as_str()), (1, Some("^head")));
    assert_eq!(kept[0]["reason"], "the division may trap");
}
