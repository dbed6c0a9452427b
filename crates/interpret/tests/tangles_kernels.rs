//! Kernels at stage Structured: each subgroup is a tangle from the start, and barriers are between them.

use crate::common::kernel::{Kernel, behaviour, group};
use reconverge_interpret::{Interpreter, KernelArgument, KernelLaunch, Observer, Step, UndefinedBehaviour};
use reconverge_ir::Op;

/// A structured kernel that begins with `%i: %u32`, a lane's number in the work-group, and `%place`, its word of the output.
fn structured(body: &str) -> Kernel {
    Kernel::new(&format!(
        "%type = type_function %void, %global, %local
func %k: %void (%out: %global, %buf: %local) type %type stage structured {{
block ^entry:
  %ids: %u64x3 = load %gid
  %id: %u64 = composite_extract %ids, 0
  %i: %u32 = load %index
  %place: %global = ptr_access_chain %out, %id
{body}
}}
"
    ))
}

fn launch(lanes: u32, subgroup_size: u32) -> KernelLaunch {
    let mut launch = KernelLaunch { subgroup_size, ..group(lanes, lanes as usize) };
    launch.arguments.push(KernelArgument::Local { bytes: 4 * u64::from(lanes) });
    launch
}

/// Two iterations. In the first one lane 0 goes around the operation that counts who is there; what was counted makes two digits.
const AROUND: &str = "\
  loop ^header(%c0, %c0) break ^done continue ^next
block ^header(%round: %u32, %sum: %u32):
  branch ^body
block ^body:
  %either: %u32 = bitwise_or %i, %round
  %goes_around: %bool = i_equal %either, %c0
  if %goes_around ^around ^count merge ^merge
block ^around:
  branch ^merge(%c0)
block ^count:
  %there: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  branch ^merge(%there)
block ^merge(%counted: %u32):
  %shifted: %u32 = i_mul %sum, %c16
  %sum2: %u32 = i_add %shifted, %counted
  branch ^next
block ^next:
  %round2: %u32 = i_add %round, %c1
  %more: %bool = u_less_than %round2, %c2
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%round2, %sum2)
edge ^exit:
  branch ^done
block ^done:
  store %place, %sum2
  return";

#[test]
fn lanes_of_different_iterations_do_not_meet() {
    // By order of instances alone, lane 0 would take part in the count of the first iteration when it is in the second one itself.
    assert_eq!(structured(AROUND).words(&launch(8, 4)), [0x04, 0x34, 0x34, 0x34, 0x44, 0x44, 0x44, 0x44]);
}

/// A loop that lane l of a subgroup leaves in iteration l, by way of a block that counts who is there.
const LEAVES: &str = "\
  %lane: %u32 = u_mod %i, %c4
  loop ^header(%c0) break ^done continue ^next
block ^header(%round: %u32):
  branch ^body
block ^body:
  %leaves: %bool = i_equal %round, %lane
  if %leaves ^leave ^stay merge ^stay
block ^leave:
  %there: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  branch ^done
block ^stay:
  branch ^next
block ^next:
  %round2: %u32 = i_add %round, %c1
  branch ^header(%round2)
block ^done:
  %all_there: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  %tens: %u32 = i_mul %all_there, %c16
  %sum: %u32 = i_add %there, %tens
  store %place, %sum
  return";

#[test]
fn a_break_block_is_executed_iteration_by_iteration() {
    assert_eq!(structured(LEAVES).words(&launch(6, 4)), [0x41, 0x41, 0x41, 0x41, 0x21, 0x21]);
}

/// A barrier in a loop, between tangles of different lengths of way.
const ROTATE: &str = "\
  %mine: %local = ptr_access_chain %buf, %i
  %after: %u32 = i_add %i, %c1
  %wrapped: %u32 = u_mod %after, %c16
  %other: %local = ptr_access_chain %buf, %wrapped
  loop ^header(%i, %c0) break ^done continue ^next
block ^header(%value: %u32, %round: %u32):
  store %mine, %value
  control_barrier %c2, %c2, %local_only
  %got: %u32 = load %other
  control_barrier %c2, %c2, %local_only
  branch ^next
block ^next:
  %round2: %u32 = i_add %round, %c1
  %more: %bool = u_less_than %round2, %c5
  branch_if %more ^again ^exit
edge ^again:
  branch ^header(%got, %round2)
edge ^exit:
  branch ^done
block ^done:
  store %place, %got
  return";

#[test]
fn barriers_are_between_tangles() {
    let expected: Vec<u32> = (0..16).map(|lane| (lane + 5) % 16).collect();
    for subgroup_size in [1, 3, 4, 16, 64] {
        assert_eq!(structured(ROTATE).words(&launch(16, subgroup_size)), expected, "{subgroup_size}");
    }
}

const BARRIER: &str = "  control_barrier %c2, %c2, %all\n  branch ^end";

fn two_ways(left: &str, right: &str) -> Kernel {
    structured(&format!(
        "  %below: %bool = u_less_than %i, %c4
  if %below ^left ^right merge ^end
block ^left:
{left}
block ^right:
{right}
block ^end:
  store %place, %i
  return"
    ))
}

#[test]
fn a_barrier_that_is_not_for_all_is_reported() {
    let kernel = two_ways(BARRIER, "  branch ^end");
    let failure = kernel.failure(&launch(8, 8));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::BarrierDivergence);
    let other = failure.other.unwrap();
    assert_eq!((failure.lane.local[0], other.lane.local[0]), (0, 4));
    assert_eq!(kernel.module.op(other.place.unwrap().inst), Op::Store);
    // The other subgroup has returned.
    let failure = kernel.failure(&launch(8, 4));
    assert_eq!(failure.other.map(|other| (other.lane.local[0], other.place)), Some((4, None)));
    assert_eq!(kernel.outcome(&launch(4, 4)).failure, None);
    // Barriers in both ways: two places.
    let failure = two_ways(BARRIER, BARRIER).failure(&launch(8, 4));
    assert_eq!(failure.other.map(|other| other.lane.local[0]), Some(4));
}

#[test]
fn a_barrier_of_a_subgroup_is_for_the_whole_subgroup() {
    let barrier = "  control_barrier %c3, %c3, %all\n  branch ^end";
    let kernel = two_ways(barrier, barrier);
    assert_eq!(kernel.outcome(&launch(8, 4)).failure, None);
    assert_eq!(behaviour(&kernel.failure(&launch(8, 8))), UndefinedBehaviour::BarrierDivergence);
}

/// How many lanes stand at the start of a block together.
struct Sizes(Vec<usize>);

impl Observer for Sizes {
    fn entered(&mut self, step: &Step<'_, '_>) {
        self.0.push(step.lanes().len());
    }
}

#[test]
fn who_watches_a_kernel_sees_its_subgroups() {
    let kernel = two_ways("  branch ^end", "  branch ^end");
    let mut sizes = Sizes(Vec::new());
    let watched = Interpreter::new(&kernel.module).launch_kernel_observed(kernel.function, &launch(8, 6), &mut sizes);
    assert_eq!(sizes.0, [6, 2, 4, 2, 6, 2, 2]);
    assert_eq!(watched, kernel.launch(&launch(8, 6)));
}

#[test]
fn the_first_instruction_that_fails_ends_the_launch() {
    // Lane 0 fails at the second division, lanes 2 and 3 at the first one, all within a row that nothing interrupts.
    let kernel = structured(
        "  %two: %bool = u_less_than %i, %c2
  %first: %u32 = select %two, %c1, %c0
  %second: %u32 = bitwise_and %i, %c1
  %q: %u32 = u_div %c100, %first
  %r: %u32 = u_div %q, %second
  store %place, %r
  return",
    );
    for subgroup_size in [4, 8] {
        let failure = kernel.failure(&launch(8, subgroup_size));
        assert_eq!((behaviour(&failure), failure.lane.local[0]), (UndefinedBehaviour::DivisionByZero, 2));
        let failing = failure.to_string();
        let mut divisions = kernel.module.blocks(kernel.function).flat_map(|block| kernel.module.children(block));
        let first = divisions.find(|&inst| kernel.module.op(inst) == Op::UDiv).unwrap();
        assert!(failing.contains(&first.to_string()), "{failing}");
    }
}
