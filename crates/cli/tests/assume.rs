//! `reconverge compile --assume`: what is taken for granted where the input does not say which lanes run together.

mod common;

use common::{PREAMBLE, Scratch};

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
    let before = "assumed: ^found is convergent and runs before a break of ^header";
    let after = "assumed: ^found is convergent and runs after the loop of ^header";
    assert!(said(BARE, &[]).contains(before));
    assert!(said(BARE, &["break-blocks=inside"]).contains(before));
    assert!(said(BARE, &["break-blocks=outside"]).contains(after));
    assert!(said(BARE, &["break-blocks=inside", "break-blocks=outside"]).contains(after), "the last one counts");
}

#[test]
fn merges_that_make_no_structure_are_hints() {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{HINTED}"));
    scratch.run(&["compile", "-O0", "module.ir", "-o", "out.spv", "--strict"]).ended(1);
    let noted = scratch.run(&["compile", "-O0", "module.ir", "-o", "out.spv"]).ended(0).stderr();
    assert!(noted.contains("note[R17]: not structured"), "{noted}");
    let told = said(HINTED, &["merges=hints"]);
    assert!(!told.contains("note["), "who says what merges are is not told: {told}");
    assert!(!told.contains("assumed"), "the merge of the loop says where ^found is: {told}");
    let told = said(HINTED, &["merges=post-dominators", "break-blocks=outside"]);
    assert!(told.contains("runs after the loop of ^header"), "{told}");
}

#[test]
fn what_cannot_be_assumed_is_an_error_of_usage() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "out.spv", "--assume", "merges=maybe"]).ended(2);
}
