//! What return and continue lowering must not add, counted in the inputs of the filetests.

use crate::structured_loops_support::{flags, passed};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Op};
use reconverge_optimize::structured::{lower_continue_constructs, lower_returns};
use reconverge_testing::filetest::input;
use reconverge_testing::programs::count;

/// What stands in a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    flags: usize,
    loops: usize,
    ifs: usize,
    exits: usize,
    switches: usize,
    barriers: usize,
    returns: usize,
}

impl Counts {
    fn of(module: &Module) -> Counts {
        Counts {
            flags: flags(module),
            loops: count(module, Op::Loop),
            ifs: count(module, Op::If),
            exits: count(module, Op::BranchIf),
            switches: count(module, Op::StructuredSwitch),
            barriers: count(module, Op::ControlBarrier),
            returns: count(module, Op::Return) + count(module, Op::ReturnValue),
        }
    }
}

fn before_and_after(path: &str, pass: fn(&mut Module, Function) -> Result<bool, Diagnostic>) -> (Counts, Counts) {
    let before = input(&format!("structured/{path}.ir"));
    let after = passed(&before, pass);
    (Counts::of(&before), Counts::of(&after))
}

#[test]
fn an_early_return_in_three_nested_loops_is_one_flag() {
    let (before, after) = before_and_after("lower_returns/three_loops", lower_returns);
    assert_eq!((before.flags, before.returns), (0, 2));
    // One flag, which three break blocks hand on; two tests that break further, and one that leads past the rest.
    assert_eq!(after, Counts { flags: 3, exits: before.exits + 2, ifs: before.ifs + 1, returns: 1, ..before });
}

#[test]
fn plain_selections_need_no_flag() {
    let (before, after) = before_and_after("lower_returns/plain_if_else", lower_returns);
    assert_eq!(after, Counts { returns: 1, ..before });
    let (before, after) = before_and_after("lower_returns/only_returns_leave", lower_returns);
    assert_eq!(after, Counts { returns: 1, ..before });
}

#[test]
fn a_switch_with_fall_through_in_a_loop_gets_no_construct() {
    let (before, after) = before_and_after("lower_returns/switch_in_loop", lower_returns);
    // The test behind the loop, and nothing in it or around it.
    assert_eq!(after, Counts { flags: 1, ifs: before.ifs + 1, returns: 1, ..before });
    let (before, after) = before_and_after("lower_continue_constructs/out_of_a_switch", lower_continue_constructs);
    // The test at the top of the loop.
    assert_eq!(after, Counts { flags: 1, ifs: before.ifs + 1, ..before });
}

#[test]
fn a_barrier_in_a_continue_list_is_emitted_once() {
    let table = [("no_continue", 0, 0), ("one_continue", 1, 0), ("many_continues", 1, 1), ("out_of_a_switch", 1, 0)];
    for (path, barriers, scopes) in table {
        let (before, after) = before_and_after(&format!("lower_continue_constructs/{path}"), lower_continue_constructs);
        assert_eq!((before.barriers, after.barriers), (1, barriers), "{path}");
        assert_eq!(after.switches, before.switches + scopes, "{path}");
        assert_eq!((after.loops, after.exits), (before.loops, before.exits), "{path}");
    }
}
