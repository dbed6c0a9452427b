//! `reconverge compile --assume`: what is taken for granted where the input does not say which lanes run together.

use crate::common::{PREAMBLE, Scratch};

/// loop { if { ballot, break }; if { break } }, at stage Graph, without merges.
const BARE: &str = "
capability GroupNonUniform
capability GroupNonUniformBallot
%three: %u32 = constant 3
%vector = type_vector %u32 4
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch ^header
block ^header:
  branch_if %true ^on ^next
block ^next:
  branch_if %true ^found ^latch
block ^found:
  %one: %vector = group_non_uniform_ballot %three %true
  branch ^end
block ^on:
  branch ^end
block ^latch:
  branch ^header
block ^end:
  return
}
";

/// The same loop with merges that make no structure: the selections name the block behind the loop.
const HINTED: &str = "
capability GroupNonUniform
capability GroupNonUniformBallot
%three: %u32 = constant 3
%vector = type_vector %u32 4
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  loop ^header break ^end continue ^latch control 0
block ^header:
  if %true ^on ^next merge ^end control 0
block ^next:
  if %true ^found ^latch merge ^end control 0
block ^found:
  %one: %vector = group_non_uniform_ballot %three %true
  branch ^end
block ^on:
  branch ^end
block ^latch:
  branch ^header
block ^end:
  return
}
";

fn said(source: &str, assume: &[&str]) -> String {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{source}"));
    let mut arguments = vec!["compile", "-O0", "module.ir", "-o", "out.spv", "--why"];
    for name in assume {
        arguments.extend(["--assume", name]);
    }
    let ran = scratch.run(&arguments).ended(0);
    scratch.run(&["check", "out.spv"]).ended(0);
    ran.stderr().to_owned()
}

#[test]
fn why_says_what_was_assumed() {
    let before = "assumed: `found` is convergent and runs before a break of `header`";
    let after = "assumed: `found` is convergent and runs after the loop of `header`";
    assert!(said(BARE, &[]).contains(before));
    assert!(said(BARE, &["break-blocks=inside"]).contains(before));
    assert!(said(BARE, &["break-blocks=outside"]).contains(after));
}

#[test]
fn merges_that_make_no_structure_are_hints() {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{HINTED}"));
    scratch.run(&["compile", "-O0", "module.ir", "-o", "out.spv", "--strict"]).ended(1);
    let noted = scratch.run(&["compile", "-O0", "module.ir", "-o", "out.spv"]).ended(0).stderr();
    assert!(noted.contains("note[R17]: the function is not structured"), "{noted}");
    let told = said(HINTED, &["merges=hints"]);
    assert!(!told.contains("note["), "who says what merges are is not told: {told}");
    assert!(!told.contains("assumed"), "the merge of the loop says where ^found is: {told}");
    let told = said(HINTED, &["merges=post-dominators", "break-blocks=outside"]);
    assert!(told.contains("runs after the loop of `header`"), "{told}");
}

#[test]
fn what_cannot_be_assumed_is_an_error_of_usage() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "out.spv", "--assume", "merges=maybe"]).ended(2);
    let two = |first: &str, second: &str| {
        let flags = ["compile", "-O0", "module.ir", "-o", "out.spv", "--assume", first, "--assume", second];
        scratch.run(&flags)
    };
    let said = two("merges=hints", "merges=structure").ended(2).stderr();
    assert!(said.contains("--assume merges=hints and --assume merges=structure contradict each other"), "{said}");
    two("break-blocks=inside", "break-blocks=outside").ended(2);
    two("merges=hints", "merges=hints").ended(0);
    two("merges=hints", "break-blocks=inside").ended(0);
}

/// A barrier in a cycle that is entered at two blocks.
const ENTERED_TWICE: &str = "
%scope: %u32 = constant 2
%order: %u32 = constant 264
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch_if %true ^to_left ^to_right
edge ^to_left:
  branch ^left
edge ^to_right:
  branch ^right
block ^left:
  control_barrier %scope %scope %order
  branch ^right
block ^right:
  branch_if %true ^again ^end
edge ^again:
  branch ^left
block ^end:
  return
}
";

/// Loops, one in the other, the innermost around a barrier.
fn nest(depth: usize) -> String {
    let headers: String = (0..depth).map(|loop_| format!("block ^h{loop_}:\n  branch ^h{}\n", loop_ + 1)).collect();
    let latches = (0..depth).rev().map(|loop_| {
        format!(
            "block ^l{loop_}:\n  branch_if %true ^again{loop_} ^l{}\nedge ^again{loop_}:\n  branch ^h{loop_}\n",
            loop_.wrapping_sub(1)
        )
    });
    let latches = latches.collect::<String>().replace(&format!("^l{}", usize::MAX), "^end");
    format!(
        "%scope: %u32 = constant 2\n%order: %u32 = constant 264\nfunc %main: %void () type %fn control 0 stage graph {{\n\
         block ^entry:\n  branch ^h0\n{headers}block ^h{depth}:\n  control_barrier %scope %scope %order\n  branch ^l{}\n\
         {latches}block ^end:\n  return\n}}\n",
        depth - 1
    )
}

#[test]
fn barriers_whose_lanes_may_meet_elsewhere_are_warned_of() {
    let scratch = Scratch::new();
    let compile = |text: &str, flags: &[&str]| {
        scratch.file("bare.ir", format!("{PREAMBLE}{text}"));
        let arguments = [&["compile", "-O0", "bare.ir", "-o", "out.spv", "--error-format=json"], flags].concat();
        let said = scratch.run(&arguments).ended(0).json();
        let told = said.iter().map(|line| (line["code"].as_str().unwrap().to_owned(), line["severity"].clone()));
        told.collect::<Vec<_>>()
    };
    let warned = [("W01".to_owned(), "warning".into())];
    assert_eq!(compile(ENTERED_TWICE, &[]), warned);
    assert_eq!(compile(&ENTERED_TWICE.replace("  control_barrier %scope %scope %order\n", ""), &[]), []);
    assert_eq!(compile(&nest(12), &["--nesting-limit", "4"]), warned);
    assert_eq!(compile(&nest(12), &[]), []);
}

/// A loop in which lanes go round before a barrier, by a latch that leaves the loop.
const LATE_LATCH: &str = "
%scope: %u32 = constant 2
%order: %u32 = constant 264
%input = type_pointer Input, %u32
%lane: %input = variable Input {decorate BuiltIn 29}
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  %id: %u32 = load %lane
  %some: %bool = u_less_than %id %seven
  branch ^header
block ^header:
  branch_if %some ^round ^meet
edge ^round:
  branch ^latch
block ^meet:
  control_barrier %scope %scope %order
  branch ^latch
block ^latch:
  branch_if %true ^again ^end
edge ^again:
  branch ^header
block ^end:
  return
}
";

#[test]
fn barriers_that_lanes_come_to_in_different_rounds_are_warned_of() {
    let scratch = Scratch::new();
    let compile = |text: &str| {
        scratch.file("bare.ir", format!("{PREAMBLE}{text}"));
        scratch.run(&["compile", "-O0", "bare.ir", "-o", "out.spv"]).ended(0).stderr()
    };
    let told = compile(LATE_LATCH);
    let wanted = "warning[W01]: lanes may reach this barrier in different iterations of the loop at ^header: \
                  they diverge at the end of ^header";
    assert!(told.contains(wanted) && told.contains("control_barrier %scope"), "{told}");
    let told = compile(&LATE_LATCH.replace("branch_if %some", "branch_if %true"));
    assert!(!told.contains("W01"), "all lanes go the same way: {told}");
}
