//! Deep nesting, and many lanes. The filetests below `tests/filetests/run/tangles` have the shapes that are easy to get wrong.

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
