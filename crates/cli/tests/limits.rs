//! Limits: what a pass makes of a function may be more than SPIR-V has room for, and what there is to say more than anybody reads.

use std::fmt::Write as _;

use crate::common::{PREAMBLE, Scratch, content, line_of};

/// Loops, each in the other. Each decides in its header, and its continue construct computes something.
fn nested_loops(count: usize) -> String {
    let mut text = format!("{PREAMBLE}func %main: %void () type %fn control 0 stage structured {{\nblock ^p0:\n");
    for index in 0..count {
        let _ = write!(
            text,
            "  loop ^h{index} break ^m{index} continue ^n{index} control 0\nblock ^h{index}:\n  branch_if %true ^p{next} ^e{index}\n\
             edge ^e{index}:\n  branch ^m{index}\nblock ^p{next}:\n",
            next = index + 1
        );
    }
    let _ = writeln!(text, "  branch ^n{}", count - 1);
    for index in (0..count).rev() {
        let _ = write!(
            text,
            "block ^n{index}:\n  %x{index}: %u32 = i_add %seven, %seven\n  branch ^h{index}\nblock ^m{index}:\n"
        );
        match index {
            0 => text.push_str("  return\n}\n"),
            _ => drop(writeln!(text, "  branch ^n{}", index - 1)),
        }
    }
    text
}

#[test]
fn a_pass_that_nests_too_deep_names_itself_the_function_and_the_depth() {
    let scratch = Scratch::new();
    scratch.file("in.ir", nested_loops(600));
    let old = scratch.file("out.spv", "old");
    let arguments =
        ["compile", "-O0", "in.ir", "-o", "out.spv", "--passes", "lower_continue_constructs,loop_rotate_all"];
    let ran = scratch.run(&[&arguments[..], &["--error-format=json"]].concat()).ended(4);
    let said = ran.json();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0]["code"], "nesting-limit");
    assert_eq!(said[0]["message"], "loop_rotate_all would nest constructs 1200 deep, more than SPIR-V's limit of 1023");
    assert_eq!(said[0]["function"], "%main");
    assert_eq!(said[0]["place"]["line"], line_of(&nested_loops(600), "func %main"));
    assert_eq!(content(&old), b"old");
    assert_eq!(scratch.names(), ["in.ir", "out.spv"]);
}

#[test]
fn the_limit_of_nesting_is_the_verifiers() {
    let scratch = Scratch::new();
    scratch.file("fits.ir", nested_loops(511));
    scratch.file("too_deep.ir", nested_loops(512));
    scratch.run(&["compile", "-O0", "fits.ir", "-o", "out.ir", "--passes", "loop_rotate_all"]).ended(0);
    scratch.run(&["compile", "-O0", "too_deep.ir", "-o", "none.ir", "--passes", "loop_rotate_all"]).ended(4);
    assert_eq!(scratch.names(), ["fits.ir", "out.ir", "too_deep.ir"]);
}

#[test]
fn a_wide_switch_is_cut_and_findings_of_one_code_are_counted() {
    let scratch = Scratch::new();
    let cases: String = (0..2_000).map(|index| format!(" [{} ^c{index}]", index / 2)).collect();
    let blocks: String = (0..2_000).map(|index| format!("block ^c{index}:\n  return\n")).collect();
    let head = "func %main: %void () type %fn control 0 stage graph {\nblock ^a:\n";
    scratch.file(
        "wide.ir",
        format!("{PREAMBLE}{head}  switch %seven default ^d{cases}\n{blocks}block ^d:\n  return\n}}\n"),
    );
    let text = scratch.run(&["check", "wide.ir"]).ended(1).stderr();
    assert!(text.lines().all(|line| line.chars().count() < 260), "{text}");
    assert_eq!(text.matches("error[R9]").count(), 20, "{text}");
    assert!(text.ends_with("\nand 980 more of R9 (--verbose prints all)\n"), "{text}");
    assert_eq!(text.matches("help: give the switch").count(), 20, "{text}");
    let text = scratch.run(&["check", "wide.ir", "-v"]).ended(1).stderr();
    assert_eq!((text.matches("error[R9]").count(), text.contains("more of")), (1_000, false));
    let sarif = scratch.run(&["check", "wide.ir", "--format", "sarif"]).ended(1).stdout();
    assert_eq!(sarif.matches("\"ruleId\": \"R9\"").count(), 1_000);
    let said = scratch.run(&["check", "wide.ir", "--error-format=json"]).ended(1).json();
    assert_eq!(said.len(), 1_000);
    assert!(said.iter().all(|line| line["context"].as_str().unwrap().chars().count() < 260), "{said:?}");
}

#[test]
fn a_long_name_is_cut_and_a_far_column_is_right() {
    let scratch = Scratch::new();
    let name = "x".repeat(10_000);
    scratch.file("long.ir", format!("{PREAMBLE}%{name}: %u32 = i_add %seven, %missing\n"));
    let text = scratch.run(&["check", "long.ir"]).ended(1).stderr();
    assert!(text.contains(&format!("long.ir:10:{}", 1 + name.len() + ": %u32 = i_add %seven, %".len())), "{text}");
    assert!(text.contains("^^^^^^^^") && text.lines().all(|line| line.chars().count() < 260), "{text}");
    let head = "func %main: %void () type %fn control 0 stage graph {\nblock ^a:\n";
    let blocks = format!("  branch ^{name}\nblock ^{name}:\n  branch ^{name}\n}}\n");
    scratch.file("loop.ir", format!("{PREAMBLE}{head}{blocks}"));
    let text = scratch.run(&["check", "loop.ir"]).ended(0).stderr();
    assert!(text.contains("warning[F04]") && text.contains("… and "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 320), "{text}");
}

/// A selection whose arms come together before its merge block: the verifier has nothing against that.
const ARMS_MEET: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^a:
  if %true ^then ^else merge ^end control 0
block ^then:
  branch ^meet
block ^else:
  branch ^meet
block ^meet:
  %twice: %u32 = i_add %seven, %seven
  branch ^end
block ^end:
  return
}
";

#[test]
fn arms_that_meet_early_are_no_limit_of_passes_over_the_control_tree() {
    let scratch = Scratch::new();
    scratch.file("meet.ir", format!("{PREAMBLE}{ARMS_MEET}"));
    scratch.run(&["check", "meet.ir"]).ended(0);
    scratch.run(&["compile", "meet.ir", "-o", "meet.spv"]).ended(0);
    for (input, pass) in [("meet.ir", "lower_returns"), ("meet.ir", "loop_peel"), ("meet.spv", "loop_unroll")] {
        scratch.run(&["compile", input, "-o", "out.ir", "--passes", pass, "--verify-each"]).ended(0);
    }
}

/// Selections in each other, the arms of each of which meet before its merge block, and in the innermost one loops in each other.
fn loops_in_early_meetings(selections: usize, loops: usize) -> String {
    let nest = nested_loops(loops);
    let (head, body) = nest.split_once("block ^p0:\n").expect("the nest has an entry");
    let body = body.strip_suffix("  return\n}\n").expect("the nest ends in a return");
    let mut text = format!("{head}block ^a0:\n");
    for index in 0..selections {
        let next = if index + 1 < selections { format!("a{}", index + 1) } else { "p0".to_owned() };
        let _ = write!(
            text,
            "  if %true ^{next} ^b{index} merge ^d{index} control 0\nblock ^b{index}:\n  branch ^c{index}\nblock ^{next}:\n"
        );
    }
    text.push_str(body);
    for index in (0..selections).rev() {
        let _ = write!(text, "  branch ^c{index}\nblock ^c{index}:\n  branch ^d{index}\nblock ^d{index}:\n");
    }
    text + "  return\n}\n"
}

#[test]
fn arms_that_meet_early_count_for_the_limit_of_nesting() {
    let scratch = Scratch::new();
    scratch.file("fits.ir", loops_in_early_meetings(23, 500));
    scratch.file("too_deep.ir", loops_in_early_meetings(24, 500));
    scratch.run(&["compile", "-O0", "fits.ir", "-o", "out.ir", "--passes", "loop_rotate_all"]).ended(0);
    let arguments = ["compile", "-O0", "too_deep.ir", "-o", "none.ir", "--passes", "loop_rotate_all"];
    let said = scratch.run(&[&arguments[..], &["--error-format=json"]].concat()).ended(4).json();
    assert_eq!((&said[0]["code"], &said[0]["function"]), (&"nesting-limit".into(), &"%main".into()), "{said:?}");
    assert_eq!(said[0]["message"], "loop_rotate_all would nest constructs 1024 deep, more than SPIR-V's limit of 1023");
}
