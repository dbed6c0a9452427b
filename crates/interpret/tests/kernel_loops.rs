//! How many iterations of loops a launch counts.

use crate::common::kernel::{Kernel, group};
use reconverge_interpret::KernelLaunch;

/// The count of a launch of one lane.
fn iterations(kernel: &Kernel) -> u64 {
    let outcome = kernel.outcome(&group(1, 1));
    assert_eq!(outcome.failure, None);
    outcome.loop_iterations
}

#[test]
fn a_kernel_without_loops_has_none() {
    let diamond = "  %odd: %bool = i_equal %i, %c1
  branch_if %odd ^left ^right
block ^right:
  branch ^join(%c2)
block ^left:
  branch ^join(%c1)
block ^join(%value: %u32):
  return";
    assert_eq!(iterations(&Kernel::with("", "%out: %global", diamond)), 0);
}

/// Lane `i` jumps back `i` times in a loop that tests first.
const COUNTED: &str = "  branch ^header(%c0)
block ^header(%n: %u32):
  %more: %bool = u_less_than %n, %i
  branch_if %more ^body ^after
block ^body:
  %next: %u32 = i_add %n, %c1
  branch ^header(%next)
block ^after:
  return";

#[test]
fn the_lane_that_runs_most_counts() {
    let kernel = Kernel::with("", "%out: %global", COUNTED);
    for lanes in [1, 2, 6] {
        let launch = KernelLaunch { groups: [3, 1, 1], ..group(lanes, 1) };
        assert_eq!(kernel.outcome(&launch).loop_iterations, u64::from(lanes) - 1);
    }
}

#[test]
fn a_failure_has_counted_until_then() {
    let endless = "  branch ^spin\nblock ^spin:\n  branch ^spin";
    let launch = KernelLaunch { fuel: 1000, ..group(1, 1) };
    let outcome = Kernel::with("", "%out: %global", endless).outcome(&launch);
    assert!(outcome.failure.is_some());
    assert_eq!(outcome.loop_iterations, 1000 - 4);
}

/// A kernel of these blocks, and a function that it may call, whose loop goes around twice.
fn with_function(call: &str) -> Kernel {
    Kernel::new(&format!(
        "%callee_type = type_function %void
%type = type_function %void, %global
func %callee: %void () type %callee_type {{
block ^entry:
  branch ^again(%c0)
block ^again(%n: %u32):
  %next: %u32 = i_add %n, %c1
  %more: %bool = u_less_than %next, %c3
  branch_if %more ^back ^out
block ^back:
  branch ^again(%next)
block ^out:
  return
}}
func %k: %void (%out: %global) type %type {{
block ^entry:
{call}
}}
"
    ))
}

#[test]
fn loops_inside_loops_and_in_functions_add_up() {
    let call = "  %nothing: %void = function_call %callee";
    assert_eq!(iterations(&with_function(&format!("{call}\n  return"))), 2);
    let nested = "  branch ^outer(%c0)
block ^inner(%j: %u32):
  %j1: %u32 = i_add %j, %c1
  switch %j1 default ^around [4 ^latch] [2 ^by_itself]
block ^by_itself:
  branch ^inner(%j1)
block ^around:
  branch ^inner(%j1)
block ^latch:
  %nothing: %void = function_call %callee
  %i1: %u32 = i_add %i, %c1
  %go_on: %bool = u_less_than %i1, %c5
  branch_if %go_on ^next ^end
block ^next:
  branch ^outer(%i1)
block ^outer(%i: %u32):
  branch ^inner(%c0)
block ^end:
  return";
    // Five times: three in the inner loop and two in the function; and four times around.
    assert_eq!(iterations(&with_function(nested)), 5 * (3 + 2) + 4);
}

#[test]
fn an_irreducible_cycle_counts_once_around() {
    let body = "  %odd: %bool = i_equal %i, %c1
  branch_if %odd ^to_right ^to_left
block ^to_right:
  branch ^right(%c0)
block ^to_left:
  branch ^left(%c0)
block ^left(%a: %u32):
  %a1: %u32 = i_add %a, %c1
  %enough: %bool = u_less_than %c7, %a1
  branch_if %enough ^end ^cross
block ^cross:
  branch ^right(%a1)
block ^right(%b: %u32):
  branch ^left(%b)
block ^end:
  return";
    let kernel = Kernel::with("", "%out: %global", body);
    assert_eq!(iterations(&kernel), 7);
    assert_eq!(kernel.outcome(&group(2, 1)).loop_iterations, 7);
}
