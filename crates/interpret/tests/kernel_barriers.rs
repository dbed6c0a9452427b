//! Lanes of a work-group wait for each other, take turns, and are told when they wait in vain.

use crate::common::kernel::{Kernel, behaviour, group};
use reconverge_interpret::{End, KernelArgument, KernelLaunch, UndefinedBehaviour};
use reconverge_ir::Op;

/// Rotates the work-group's values through local memory, one place a round.
const ROTATE: &str = "\
  %mine: %local = ptr_access_chain %buf, %i
  %next: %u32 = i_add %i, %c1
  %wrapped: %u32 = u_mod %next, %size
  %other: %local = ptr_access_chain %buf, %wrapped
  branch ^head(%i, %c0)
block ^head(%value: %u32, %round: %u32):
  store %mine, %value
  control_barrier %c2, %c2, %local_only
  %got: %u32 = load %other
  control_barrier %c2, %c2, %local_only
  %round2: %u32 = i_add %round, %c1
  %more: %bool = u_less_than %round2, %rounds
  branch_if %more ^again ^done
edge ^again:
  branch ^head(%got, %round2)
block ^done:
  %place: %global = ptr_access_chain %out, %id
  store %place, %got
  return";

#[test]
fn a_barrier_in_a_loop_lets_values_through_local_memory() {
    let kernel = Kernel::body("%out: %global, %buf: %local, %size: %u32, %rounds: %u32", ROTATE);
    for (lanes, rounds) in [(1, 1), (4, 3), (7, 20), (64, 5)] {
        let mut launch = KernelLaunch { groups: [3, 1, 1], ..group(lanes, 3 * lanes as usize) };
        launch.arguments.push(KernelArgument::Local { bytes: 4 * u64::from(lanes) });
        launch.arguments.extend([lanes, rounds].map(|word| KernelArgument::Bytes(word.to_le_bytes().to_vec())));
        let expected: Vec<u32> = (0..3 * lanes).map(|id| (id % lanes + rounds) % lanes).collect();
        assert_eq!(kernel.words(&launch), expected, "{lanes} {rounds}");
    }
}

/// A work-group goes two ways by whether a lane's number is below the limit.
fn two_ways(left: &str, right: &str) -> Kernel {
    let body = format!(
        "  %below: %bool = u_less_than %i, %c3
  branch_if %below ^left ^right
block ^left:
{left}
block ^right:
{right}
block ^end:
  return"
    );
    Kernel::body("%out: %global", &body)
}

const BARRIER: &str = "  control_barrier %c2, %c2, %all\n  branch ^end";

#[test]
fn lanes_at_different_barriers_are_reported_with_both_places() {
    let kernel = two_ways(BARRIER, BARRIER);
    let failure = kernel.failure(&group(8, 1));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::BarrierDivergence);
    assert_eq!((failure.lane.local, kernel.op_at(&failure.end)), ([0, 0, 0], Op::ControlBarrier));
    let other = failure.other.unwrap();
    assert_eq!((other.lane.local, kernel.module.op(other.place.unwrap().inst)), ([3, 0, 0], Op::ControlBarrier));
    let End::Undefined { place, .. } = failure.end else { unreachable!() };
    assert_ne!(place.inst, other.place.unwrap().inst);
    assert!(failure.to_string().contains("U12") && failure.to_string().contains("lane (3, 0, 0)"), "{failure}");
    assert_eq!(kernel.outcome(&group(3, 1)).failure, None);
}

#[test]
fn a_lane_that_has_returned_comes_to_no_barrier() {
    let kernel = two_ways(BARRIER, "  branch ^end");
    let failure = kernel.failure(&group(4, 1));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::BarrierDivergence);
    let other = failure.other.unwrap();
    assert_eq!((failure.lane.local, other.lane.local, other.place), ([0, 0, 0], [3, 0, 0], None));
    let kernel = two_ways("  branch ^end", BARRIER);
    let failure = kernel.failure(&group(4, 1));
    assert_eq!((failure.lane.local, failure.other.unwrap().lane.local), ([3, 0, 0], [0, 0, 0]));
}

#[test]
fn the_same_barrier_in_different_calls_is_not_the_same() {
    let call = "  %called: %void = function_call %wait\n  branch ^end";
    let text = format!(
        "%type = type_function %void
func %wait: %void () type %type {{
block ^start:
  control_barrier %c2, %c2, %all
  return
}}
func %k: %void () type %type {{
block ^entry:
  %i: %u32 = load %index
  %below: %bool = u_less_than %i, %c3
  branch_if %below ^left ^right
block ^left:
{call}
block ^right:
{}
block ^end:
  return
}}
",
        call.replace("called", "called2")
    );
    let kernel = Kernel::new(&text);
    let launch = |lanes| KernelLaunch { arguments: Vec::new(), ..group(lanes, 0) };
    assert_eq!(kernel.outcome(&launch(3)).failure, None);
    assert_eq!(behaviour(&kernel.failure(&launch(4))), UndefinedBehaviour::BarrierDivergence);
}

#[test]
fn a_barrier_of_a_subgroup_concerns_the_subgroup() {
    let barrier = "  control_barrier %c3, %c3, %all\n  branch ^end";
    let kernel = two_ways(barrier, barrier);
    let launch = |size| KernelLaunch { subgroup_size: size, ..group(6, 1) };
    assert_eq!(kernel.outcome(&launch(3)).failure, None);
    assert_eq!(behaviour(&kernel.failure(&launch(4))), UndefinedBehaviour::BarrierDivergence);
    // A barrier of the work-group in one subgroup, of the subgroup in the other: nobody can go on.
    let kernel = two_ways(barrier, BARRIER);
    assert_eq!(behaviour(&kernel.failure(&launch(3))), UndefinedBehaviour::BarrierDivergence);
    let nobody = "  control_barrier %c4, %c4, %all\n  branch ^end";
    assert_eq!(
        two_ways(nobody, BARRIER.replace("control", "memory").replace("%c2, %c2", "%c2").as_str())
            .outcome(&launch(4))
            .failure,
        None
    );
}

/// Lane 0 spins until the last lane has stored.
const SPIN: &str = "\
  %is_first: %bool = i_equal %i, %c0
  branch_if %is_first ^enter ^store
edge ^enter:
  branch ^spin
block ^spin:
  %seen: %u32 = atomic_load %out, %c1, %acquire
  %done: %bool = i_equal %seen, %c7
  branch_if %done ^first_end ^again
edge ^again:
  branch ^spin
block ^first_end:
  branch ^end
block ^store:
  %is_last: %bool = i_equal %i, %last
  branch_if %is_last ^last ^skip
edge ^skip:
  branch ^end
block ^last:
  atomic_store %out, %c1, %release, %c7
  branch ^end
block ^end:
  return";

#[test]
fn a_lane_that_spins_sees_what_a_later_one_stores() {
    let constants = "%acquire: %u32 = constant 2\n%release: %u32 = constant 4\n";
    let kernel = Kernel::with(constants, "%out: %global, %last: %u32", SPIN);
    let launch = |last: u32| {
        let mut launch = group(16, 1);
        launch.arguments.push(KernelArgument::Bytes(last.to_le_bytes().to_vec()));
        launch
    };
    let outcome = kernel.outcome(&launch(15));
    assert_eq!(outcome.failure, None);
    assert_eq!(outcome.buffers[0].bytes, [7, 0, 0, 0]);
    assert!((9_000..40_000).contains(&outcome.executed), "{}", outcome.executed);
    // Nobody stores: the fuel ends.
    let failure = kernel.failure(&launch(99));
    assert!(matches!(failure.end, End::OutOfFuel(_)), "{failure}");
    assert_eq!(kernel.outcome(&launch(99)).executed, 1_000_000 + 15 * 9);
}

#[test]
fn equal_launches_have_equal_outcomes() {
    let kernel = Kernel::body("%out: %global, %buf: %local, %size: %u32, %rounds: %u32", ROTATE);
    let mut launch = group(33, 33);
    launch.arguments.push(KernelArgument::Local { bytes: 4 * 33 });
    launch.arguments.extend([33u32, 9].map(|word| KernelArgument::Bytes(word.to_le_bytes().to_vec())));
    assert_eq!(kernel.outcome(&launch), kernel.outcome(&launch));
}
