//! Edge blocks are seen through where they disappear, and not where they stay.

use crate::common::{codes, show};
use reconverge_ir::{Module, text};
use reconverge_verify::{Code, verify};

fn module(body: &str) -> Module {
    let head = "\
%void = type_void
%bool = type_bool
%int = type_int 32, 0
%true: %bool = constant_true
%zero: %int = constant 0
%one: %int = constant 1
%fn = type_function %void
func %main: %void () type %fn control 0 stage structured {
";
    text::parse(&format!("{head}{body}}}\n")).expect("the text is a module")
}

#[track_caller]
fn assert_codes(body: &str, expected: &[Code]) {
    let module = module(body);
    assert_eq!(codes(&module), expected, "{}", show(&verify(&module)));
}

#[test]
fn one_of_two_ways_to_the_same_block_stays() {
    let body = |terminator: &str| {
        format!(
            "\
block ^entry:
  {terminator}
edge ^a:
  branch ^m(%zero)
edge ^b:
  branch ^m(%one)
block ^m(%value: %int):
  return
"
        )
    };
    assert_codes(&body("if %true ^a ^b merge ^m control 0"), &[]);
    assert_codes(&body("structured_switch %zero default ^a merge ^m control 0 [0 ^b]"), &[]);
    assert_codes(&body("branch_if %true ^a ^b"), &[Code::R16]);
}

/// Two breaks out of a switch share an edge block, the first from inside a selection.
fn joint_break(after: &str) -> String {
    format!(
        "\
block ^entry:
  structured_switch %zero default ^x merge ^m control 0
block ^x:
  if %true ^a ^b merge ^j control 0
block ^a:
  branch ^e(%zero)
block ^b:
  branch ^j
block ^j:
  branch ^e(%one)
edge ^e(%choice: %int):
  branch ^m(%choice)
block ^m(%value: %int):
  {after}
  return
"
    )
}

#[test]
fn a_joint_edge_block_disappears() {
    assert_codes(&joint_break("%sum: %int = i_add %value, %value"), &[]);
}

#[test]
fn a_joint_edge_block_whose_parameter_lives_on_stays() {
    assert_codes(&joint_break("%sum: %int = i_add %choice, %value"), &[Code::R28]);
}

#[test]
fn a_circle_of_edge_blocks_is_a_loop_without_header() {
    let body = "\
block ^entry:
  branch ^a
edge ^a:
  branch ^b
edge ^b:
  branch ^a
";
    assert_codes(body, &[Code::R14]);
}

#[test]
fn a_latch_that_is_an_edge_block_is_seen_through() {
    let body = "\
block ^entry:
  loop ^header(%zero) break ^m continue ^c control 0
block ^header(%i: %int):
  branch ^c
block ^c:
  %next: %int = i_add %i, %one
  branch_if %true ^back ^m
edge ^back:
  branch ^header(%next)
block ^m:
  return
";
    assert_codes(body, &[]);
}
