//! Shapes of structured control flow that are easy to get wrong: blocks with two roles, loops in loops, deep nesting.

use crate::tangles_common::Program;
use reconverge_interpret::{End, Launch};

/// A loop of one block: its continue target is its header.
const ONE_BLOCK: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^header
block ^header(%i: %u32):
  ballot 1
  %i2: %u32 = i_add %i, %k1
  %more: %bool = u_less_than %i2, %x
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%i2)
edge ^exit:
  branch ^done
block ^done:
  ballot 2
  return";

#[test]
fn a_continue_target_may_be_the_header() {
    let ran = Program::new(ONE_BLOCK).run_with(&[1, 3, 2, 3]).returned();
    assert_eq!(ran.ballots, [(1, 0b1111), (1, 0b1110), (1, 0b1010), (2, 0b1111)]);
}

/// The merge block of a selection is the block before a loop, and the break block of that loop the one before another.
const MERGE_BEFORE_LOOP: &str = "\
block ^entry:
  %c: %bool = among 0b0011
  if %c ^then ^else merge ^between
block ^then:
  ballot 1
  branch ^between
block ^else:
  branch ^between
block ^between:
  loop ^header(%k0) break ^after continue ^next
block ^header(%i: %u32):
  ballot 2
  %more: %bool = u_less_than %i, %lane
  branch_if %more ^next ^exit
edge ^exit:
  branch ^after
block ^next:
  %i2: %u32 = i_add %i, %k2
  branch ^header(%i2)
block ^after:
  loop ^second(%k0) break ^done continue ^last
block ^second(%j: %u32):
  ballot 3
  %again: %bool = u_less_than %j, %k1
  branch_if %again ^last ^leave
edge ^leave:
  branch ^done
block ^last:
  %j2: %u32 = i_add %j, %k1
  branch ^second(%j2)
block ^done:
  ballot 4
  return";

#[test]
fn a_merge_block_may_be_the_one_before_a_loop() {
    let ran = Program::new(MERGE_BEFORE_LOOP).run(4).returned();
    let expected = [(1, 0b0011), (2, 0b1111), (2, 0b1110), (2, 0b1000), (3, 0b1111), (3, 0b1111), (4, 0b1111)];
    assert_eq!(ran.ballots, expected);
}

/// An inner loop that lanes leave in different iterations, and return from, in an outer one with different numbers of iterations.
const LOOPS: &str = "\
block ^entry:
  loop ^outer(%k0) break ^outer_done continue ^outer_next
block ^outer(%i: %u32):
  %more: %bool = u_less_than %i, %x
  branch_if %more ^body ^outer_exit
edge ^outer_exit:
  branch ^outer_done
block ^body:
  ballot 1
  loop ^inner(%k0) break ^inner_done continue ^inner_next
block ^inner(%j: %u32):
  branch ^inner_body
block ^inner_body:
  %sum: %u32 = i_add %i, %j
  %returns: %bool = u_greater_than_equal %sum, %k3
  if %returns ^return ^stays merge ^stays
block ^return:
  ballot 2
  return
block ^stays:
  %breaks: %bool = i_equal %j, %lane
  if %breaks ^break ^goes_on merge ^goes_on
block ^break:
  ballot 3
  branch ^inner_done
block ^goes_on:
  branch ^inner_next
block ^inner_next:
  ballot 4
  %j2: %u32 = i_add %j, %k1
  branch ^inner(%j2)
block ^inner_done:
  ballot 5
  branch ^outer_next
block ^outer_next:
  %i2: %u32 = i_add %i, %k1
  branch ^outer(%i2)
block ^outer_done:
  ballot 6
  return";

#[test]
fn loops_in_loops() {
    // Lane l breaks from the inner loop at j = l unless i + j reaches 3 before, where it returns; lane 2 has one outer iteration.
    let ran = Program::new(LOOPS).run_with(&[2, 3, 1, 0]).returned();
    let expected = [
        (1, 0b0111),
        (3, 0b0001),
        (4, 0b0110),
        (3, 0b0010),
        (4, 0b0100),
        (3, 0b0100),
        (5, 0b0111),
        (1, 0b0011),
        (3, 0b0001),
        (4, 0b0010),
        (3, 0b0010),
        (5, 0b0011),
        (1, 0b0010),
        (4, 0b0010),
        (2, 0b0010),
        (6, 0b1101),
    ];
    assert_eq!(ran.ballots, expected);
}

/// A switch in a loop: one case breaks the loop, one continues it, one breaks the switch out of a selection.
const SWITCH_IN_LOOP: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  branch ^body
block ^body:
  %selector: %u32 = i_add %i, %x
  structured_switch %selector default ^default merge ^merge [0 ^zero] [1 ^one] [2 ^two]
block ^zero:
  ballot 1
  branch ^next
block ^one:
  %odd: %bool = among 0b1010
  if %odd ^out ^in merge ^in
block ^out:
  ballot 2
  branch ^merge
block ^in:
  ballot 3
  branch ^merge
block ^two:
  ballot 4
  branch ^done
block ^default:
  ballot 5
  branch ^done
block ^merge:
  ballot 6
  branch ^next
block ^next:
  ballot 7
  %i2: %u32 = i_add %i, %k1
  branch ^header(%i2)
block ^done:
  ballot 8
  return";

#[test]
fn a_switch_in_a_loop() {
    let ran = Program::new(SWITCH_IN_LOOP).run_with(&[0, 1, 1, 2, 0, 9]).returned();
    let expected = [
        (1, 0b01_0001),
        (2, 0b00_0010),
        (3, 0b00_0100),
        (4, 0b00_1000),
        (5, 0b10_0000),
        (6, 0b00_0110),
        (7, 0b01_0111),
        (3, 0b01_0001),
        (4, 0b00_0110),
        (6, 0b01_0001),
        (7, 0b01_0001),
        (4, 0b01_0001),
        (8, 0b11_1111),
    ];
    assert_eq!(ran.ballots, expected);
}

/// A continue construct with a selection of its own, from which nobody gets back to the loop together otherwise.
const CONTINUE_CONSTRUCT: &str = "\
block ^entry:
  loop ^header(%k0) break ^done continue ^next
block ^header(%i: %u32):
  %early: %bool = among 0b0110
  branch_if %early ^early ^late
edge ^early:
  branch ^next
block ^late:
  ballot 1
  branch ^next
block ^next:
  ballot 2
  %c: %bool = among 0b0011
  if %c ^then ^else merge ^merge
block ^then:
  ballot 3
  branch ^merge
block ^else:
  ballot 4
  branch ^merge
block ^merge:
  ballot 5
  %i2: %u32 = i_add %i, %k1
  %more: %bool = u_less_than %i2, %x
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%i2)
edge ^exit:
  branch ^done
block ^done:
  ballot 6
  return";

#[test]
fn a_continue_construct_has_selections_of_its_own() {
    let ran = Program::new(CONTINUE_CONSTRUCT).run_with(&[2, 2, 1, 1]).returned();
    let expected = [
        (1, 0b1001),
        (2, 0b1111),
        (3, 0b0011),
        (4, 0b1100),
        (5, 0b1111),
        (1, 0b0001),
        (2, 0b0011),
        (3, 0b0011),
        (5, 0b0011),
        (6, 0b1111),
    ];
    assert_eq!(ran.ballots, expected);
}

/// Selections in selections, in each of which one lane stays behind.
#[test]
fn deep_nesting_takes_no_stack() {
    let depth = 20_000;
    let mut body = "block ^entry:\n  branch ^b0\n".to_owned();
    for level in 0..depth {
        body += &format!(
            "block ^b{level}:\n  %c{level}: %bool = u_less_than %k{level}, %x\n  if %c{level} ^b{} ^e{level} merge ^m{level}\nedge ^e{level}:\n  branch ^m{level}\n",
            level + 1
        );
    }
    body += &format!("block ^b{depth}:\n  ballot 1\n  branch ^m{}\n", depth - 1);
    for level in (1..depth).rev() {
        body += &format!("block ^m{level}:\n  branch ^m{}\n", level - 1);
    }
    body += "block ^m0:\n  ballot 2\n  return";
    let program = Program::unverified("", &body);
    let work = move || {
        let xs = [50_000, 5, 19_999, 50_000];
        let launch = Launch { fuel: 10_000_000, ..Program::launch(4, |lane| xs[lane]) };
        assert_eq!(program.run_from(&launch).returned().ballots, [(1, 0b1001), (2, 0b1111)]);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn there_may_be_many_lanes() {
    let program = Program::new(ONE_BLOCK.replace("ballot", "; ballot").as_str());
    let launch = Program::launch(3000, |lane| (lane % 7) as u32);
    let outcome = program.run_from(&launch).outcome;
    assert!(outcome.lanes.iter().all(|lane| lane.end == End::Returned(None)));
    assert_eq!(outcome.lanes[6].executed, 1 + 6 * 3 + 6 + 1);
    // Each iteration is three instructions and the edge behind it.
    // A ballot has 128 bits.
    let program = Program::new("block ^entry:\n  ballot 1\n  return");
    let outcome = program.run_from(&Program::launch(129, |_| 0)).outcome;
    assert!(matches!(&outcome.lanes[128].end, End::Unsupported { what, .. } if what.contains("128")));
}
