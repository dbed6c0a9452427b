//! The rules of maximal reconvergence, one by one: which lanes execute a point together, by hand from the text of
//! `SPV_KHR_maximal_reconvergence`. Points are numbered in the order of the text; ballots have lane 0 lowest.

use crate::tangles_common::Program;
use reconverge_interpret::End;
use reconverge_ir::Op;

#[test]
fn the_first_instruction_is_executed_by_all() {
    let program = Program::new("block ^entry:\n  ballot 1\n  return");
    for lanes in [1, 2, 31, 32] {
        let all = (1u64 << lanes) - 1;
        assert_eq!(program.run(lanes).returned().ballots, [(1, all)]);
    }
}

/// An `if`, its arms and what follows.
const SELECTION: &str = "\
block ^entry:
  %c: %bool = among 0b00110101
  if %c ^then ^else merge ^merge
block ^then:
  ballot 1
  branch ^merge
block ^else:
  ballot 2
  branch ^merge
block ^merge:
  ballot 3
  return";

#[test]
fn m4_a_branch_divides_by_its_condition_and_m6_a_selection_merge_unites() {
    let program = Program::new(SELECTION);
    assert_eq!(program.run(8).returned().ballots, [(1, 0b0011_0101), (2, 0b1100_1010), (3, 0xff)]);
    // Who has the lowest lane goes first, whichever way that is; a way that nobody goes is not gone.
    let program = Program::new(&SELECTION.replace("0b00110101", "0b11001010"));
    assert_eq!(program.run(8).returned().ballots, [(2, 0b0011_0101), (1, 0b1100_1010), (3, 0xff)]);
    assert_eq!(program.run(1).returned().ballots, [(2, 1), (3, 1)]);
}

/// Cases 1 and 2 have a block in common; case 3 falls through into the one of case 4.
const SWITCH: &str = "\
block ^entry:
  structured_switch %x default ^other merge ^merge [1 ^both] [2 ^both] [3 ^falls] [4 ^into]
block ^both:
  ballot 1
  branch ^merge
block ^falls:
  ballot 2
  branch ^into
block ^into:
  ballot 3
  branch ^merge
block ^other:
  ballot 4
  branch ^merge
block ^merge:
  ballot 5
  return";

#[test]
fn m4_a_switch_divides_by_target() {
    // The edges of the switch and of the case before come together in ^into, so that one is split.
    let body =
        SWITCH.replace("[4 ^into]", "[4 ^four]").replace("block ^into:", "edge ^four:\n  branch ^into\nblock ^into:");
    let program = Program::new(&body);
    let ran = program.run_with(&[1, 2, 9, 1, 77, 2]).returned();
    assert_eq!(ran.ballots, [(1, 0b10_1011), (4, 0b01_0100), (5, 0b11_1111)]);
}

#[test]
fn m4_edge_blocks_of_a_switch_to_one_block_are_one_edge() {
    let body = SWITCH.replace("[4 ^into]", "[4 ^four] [5 ^five]");
    let edges = "edge ^four:\n  branch ^into\nedge ^five:\n  branch ^into\nblock ^into:";
    let program = Program::new(&body.replace("block ^into:", edges));
    let ran = program.run_with(&[4, 3, 5, 9, 5, 3]).returned();
    assert_eq!(ran.by_point(), [(2, 0b10_0010), (3, 0b10_0010), (3, 0b01_0101), (4, 0b00_1000), (5, 0b11_1111)]);
}

#[test]
fn m10_a_fall_through_unites_nobody() {
    let body =
        SWITCH.replace("[4 ^into]", "[4 ^four]").replace("block ^into:", "edge ^four:\n  branch ^into\nblock ^into:");
    let ran = Program::new(&body).run_with(&[3, 4, 3, 4]).returned();
    assert_eq!(ran.ballots, [(2, 0b0101), (3, 0b0101), (3, 0b1010), (5, 0b1111)]);
}

/// Lane `l` runs the body `l` times; `%x` says nothing.
const WHILE: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  ballot 1
  %more: %bool = u_less_than %i, %lane
  branch_if %more ^body ^out
edge ^out:
  branch ^done
block ^body:
  ballot 2
  branch ^next
block ^next:
  ballot 3
  %i2: %u32 = i_add %i, %k1
  branch ^header(%i2)
block ^done:
  ballot 4
  return";

#[test]
fn m7_a_loop_merge_unites_those_who_entered_together() {
    let ran = Program::new(WHILE).run(4).returned();
    let expected = [
        (1, 0b1111),
        (2, 0b1110),
        (3, 0b1110),
        (1, 0b1110),
        (2, 0b1100),
        (3, 0b1100),
        (1, 0b1100),
        (2, 0b1000),
        (3, 0b1000),
        (1, 0b1000),
        (4, 0b1111),
    ];
    assert_eq!(ran.ballots, expected);
}

/// A loop of two iterations, from each of which some lanes continue early, out of an `if`, and some break.
const CONTINUES: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %early: %bool = among 0b0011
  if %early ^then ^else merge ^merge
block ^then:
  ballot 1
  branch ^next
block ^else:
  %leaves: %bool = among 0b1000
  if %leaves ^leave ^stay merge ^stay
block ^leave:
  ballot 2
  branch ^done
block ^stay:
  branch ^merge
block ^merge:
  ballot 3
  branch ^next
block ^next:
  ballot 4
  %i2: %u32 = i_add %i, %k1
  %more: %bool = u_less_than %i2, %k2
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%i2)
edge ^exit:
  branch ^done
block ^done:
  ballot 5
  return";

#[test]
fn m8_a_continue_target_unites_in_every_iteration() {
    let ran = Program::new(CONTINUES).run(4).returned();
    let expected =
        [(1, 0b0011), (2, 0b1000), (3, 0b0100), (4, 0b0111), (1, 0b0011), (3, 0b0100), (4, 0b0111), (5, 0b1111)];
    assert_eq!(ran.ballots, expected);
}

/// The lanes leave a loop by way of a block of their own, one in each iteration.
const BREAK_BLOCK: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %is_last: %bool = i_equal %i, %x
  if %is_last ^leave ^stay merge ^stay
block ^leave:
  ballot 1
  branch ^done
block ^stay:
  branch ^next
block ^next:
  %i2: %u32 = i_add %i, %k1
  branch ^header(%i2)
block ^done:
  ballot 2
  return";

#[test]
fn m10_a_break_block_is_executed_by_those_who_break_in_that_iteration() {
    let ran = Program::new(BREAK_BLOCK).run_with(&[2, 0, 2, 1, 0]).returned();
    assert_eq!(ran.ballots, [(1, 0b1_0010), (1, 0b0_1000), (1, 0b0_0101), (2, 0b1_1111)]);
}

/// Two ways that come together at a block that is no merge block: the case blocks of two lists go to a ladder of a loop's end.
const ORDINARY_JOIN: &str = "\
block ^entry:
  %c: %bool = among 0b0011
  if %c ^left ^right merge ^merge
block ^left:
  branch ^join
block ^right:
  branch ^join
block ^join:
  ballot 1
  branch ^merge
block ^merge:
  ballot 2
  return";

#[test]
fn m10_an_ordinary_join_unites_nobody() {
    // M1 forbids such a block where reconvergence is maximal; the rules of the tangles say what it does all the same.
    let ran = Program::new(ORDINARY_JOIN).run(4).returned();
    assert_eq!(ran.ballots, [(1, 0b0011), (1, 0b1100), (2, 0b1111)]);
}

/// A call out of two arms, with an early return in the callee.
const CALLEE: &str = "\
func %g: %void (%lane: %u32) stage structured {
block ^start:
  ballot 1
  %early: %bool = among 0b0110
  if %early ^back ^on merge ^on
block ^back:
  return
block ^on:
  ballot 2
  return
}";

const CALLER: &str = "\
block ^entry:
  %c: %bool = among 0b0011
  if %c ^then ^else merge ^merge
block ^then:
  %called: %void = function_call %g, %lane
  ballot 3
  branch ^merge
block ^else:
  %called2: %void = function_call %g, %lane
  ballot 4
  branch ^merge
block ^merge:
  ballot 5
  return";

#[test]
fn m9_those_who_called_together_go_on_together() {
    let ran = Program::with(CALLEE, CALLER).run(4).returned();
    let expected = [(1, 0b0011), (2, 0b0001), (3, 0b0011), (1, 0b1100), (2, 0b1000), (4, 0b1100), (5, 0b1111)];
    assert_eq!(ran.ballots, expected);
}

/// Lanes return out of a loop in a selection.
const RETURNS: &str = "\
block ^entry:
  %c: %bool = among 0b1110
  if %c ^then ^merge merge ^merge
block ^then:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %is_last: %bool = i_equal %i, %x
  if %is_last ^leave ^stay merge ^stay
block ^leave:
  ballot 1
  return
block ^stay:
  branch ^next
block ^next:
  %i2: %u32 = i_add %i, %k1
  %more: %bool = u_less_than %i2, %k2
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%i2)
edge ^exit:
  branch ^done
block ^done:
  ballot 2
  branch ^merge
block ^merge:
  ballot 3
  return";

#[test]
fn m5_who_returns_is_not_waited_for() {
    let body = RETURNS
        .replace("if %c ^then ^merge merge ^merge", "if %c ^then ^skip merge ^merge\nedge ^skip:\n  branch ^merge");
    let program = Program::new(&body);
    assert_eq!(
        program.run_with(&[9, 0, 1, 9]).returned().ballots,
        [(1, 0b0010), (1, 0b0100), (2, 0b1000), (3, 0b1001)]
    );
    // All of them return: those who wait at the merge block go on alone.
    assert_eq!(program.run_with(&[9, 1, 1, 0]).returned().ballots, [(1, 0b1000), (1, 0b0110), (3, 0b0001)]);
}

/// Some lanes end in an arm.
const ENDS: &str = "\
block ^entry:
  %c: %bool = among 0b0111
  if %c ^then ^skip merge ^merge
edge ^skip:
  branch ^merge
block ^then:
  %d: %bool = among 0b0011
  if %d ^end ^stay merge ^stay
block ^end:
  OP
block ^stay:
  ballot 1
  branch ^merge
block ^merge:
  ballot 2
  return";

#[test]
fn m5_who_ends_is_not_waited_for() {
    for (text, op) in [("kill", Op::Kill), ("terminate_invocation", Op::TerminateInvocation)] {
        let ran = Program::new(&ENDS.replace("OP", text)).run(4);
        assert_eq!(ran.ballots, [(1, 0b0100), (2, 0b1100)]);
        let ends: Vec<End> = ran.outcome.lanes.into_iter().map(|lane| lane.end).collect();
        assert_eq!(ends, [End::Terminated(op), End::Terminated(op), End::Returned(None), End::Returned(None)]);
    }
}

/// Lane 0 leaves three selections at once, by a break of the loop around; lane 1 by a continue.
const SEVERAL: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %a: %bool = among 0b00001111
  if %a ^one ^one_skip merge ^one_end
edge ^one_skip:
  branch ^one_end
block ^one:
  %b: %bool = among 0b00000111
  if %b ^two ^two_skip merge ^two_end
edge ^two_skip:
  branch ^two_end
block ^two:
  %c: %bool = among 0b00000001
  if %c ^break ^two_on merge ^two_on
block ^break:
  ballot 1
  branch ^done
block ^two_on:
  %d: %bool = among 0b00000010
  if %d ^continue ^two_last merge ^two_last
block ^continue:
  ballot 2
  branch ^next
block ^two_last:
  ballot 3
  branch ^two_end
block ^two_end:
  ballot 4
  branch ^one_end
block ^one_end:
  ballot 5
  branch ^next
block ^next:
  ballot 6
  branch_if %false ^again ^exit
edge ^again:
  branch ^header(%k1)
edge ^exit:
  branch ^done
block ^done:
  ballot 7
  return";

#[test]
fn m5_a_jump_leaves_all_constructs_that_it_gets_out_of() {
    let ran = Program::new(SEVERAL).run(8).returned();
    let expected = [(1, 0x01), (2, 0x02), (3, 0x04), (4, 0x0c), (5, 0xfc), (6, 0xfe), (7, 0xff)];
    assert_eq!(ran.ballots, expected);
}
