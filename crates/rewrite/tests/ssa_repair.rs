//! Values that do not dominate their uses are carried by parameters. The interpreter keeps the last value of every name, so a
//! broken program has a meaning: what the repaired one must do.

use reconverge_ir::{Module, Op};
use reconverge_rewrite::{OriginalDominance, RepairReport, repair_ssa};
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module, phis};

fn repaired(before: &Module) -> (Module, RepairReport) {
    let mut after = before.clone();
    let function = functions(before)[0];
    let report = repair_ssa(&mut after, function, &OriginalDominance::unknown()).expect("a repair");
    hold_verified(&after);
    assert!(hold_equal(before, &after) > 0);
    let mut again = after.clone();
    assert_eq!(
        repair_ssa(&mut again, function, &OriginalDominance::unknown()).expect("a repair"),
        RepairReport::default(),
        "a repaired function needs no repair"
    );
    (after, report)
}

#[test]
fn a_valid_function_is_left_alone() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           %v: %u32 = i_add %n, %one
           branch_if %c ^a ^b
         block ^a:
           branch ^m(%v)
         block ^b:
           branch ^m(%n)
         block ^m(%p: %u32):
           %r: %u32 = i_add %p, %v
           return_value %r
         }",
    );
    let mut after = before.clone();
    let function = functions(&before)[0];
    assert_eq!(repair_ssa(&mut after, function, &OriginalDominance::unknown()).unwrap(), RepairReport::default());
    assert_eq!(reconverge_ir::text::print(&before), reconverge_ir::text::print(&after));
}

#[test]
fn one_join_gets_one_parameter_and_undef_on_the_other_way() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %v: %u32 = i_add %n, %one
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^use ^other
         block ^use:
           %r: %u32 = i_add %v, %v
           return_value %r
         block ^other:
           return_value %n
         }",
    );
    let (after, report) = repaired(&before);
    assert_eq!((report.values, report.parameters, report.rematerialized), (1, 1, 0));
    assert_eq!(after.globals().filter(|&global| after.op(global) == Op::Undef).count(), 1);
}

#[test]
fn a_dispatch_loop_carries_values_from_one_turn_to_the_next() {
    // The first turn defines %v, the second turn uses it: around the back edge.
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^head(%zero)
         block ^head(%s: %u32):
           switch %s default ^define [1 ^use]
         block ^define:
           %v: %u32 = i_add %n, %ten
           branch ^latch(%one)
         block ^use:
           %d: %u32 = i_add %v, %v
           return_value %d
         block ^latch(%t: %u32):
           branch ^head(%t)
         }",
    );
    let (after, report) = repaired(&before);
    assert_eq!((report.values, report.parameters), (1, 1));
    assert_eq!(phis(&after), 3);
}

#[test]
fn a_block_that_goes_to_itself() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %v: %u32 = i_add %n, %one
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^into ^leave
         edge ^into:
           branch ^spin(%zero)
         block ^spin(%i: %u32):
           %next: %u32 = i_add %i, %v
           %more: %bool = u_less_than %next, %ten
           branch_if %more ^around ^out
         edge ^around:
           branch ^spin(%next)
         block ^out:
           return_value %next
         block ^leave:
           return_value %n
         }",
    );
    let (_, report) = repaired(&before);
    assert_eq!((report.values, report.parameters), (1, 1), "the cycle needs no parameter of its own");
}

#[test]
fn a_value_that_is_an_argument_of_its_own_block_is_not_broken() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^spin(%zero)
         block ^spin(%i: %u32):
           %next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %next, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^spin(%next)
         block ^out:
           return_value %i
         }",
    );
    assert_eq!(repaired(&before).1, RepairReport::default());
}

#[test]
fn arguments_that_are_broken_are_repaired_in_the_block_that_passes_them() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %v: %u32 = i_mul %n, %three
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^left ^right
         block ^left:
           branch ^join(%v, %v)
         block ^right:
           branch ^join(%n, %one)
         block ^join(%p: %u32, %q: %u32):
           %r: %u32 = i_add %p, %q
           return_value %r
         }",
    );
    assert_eq!(repaired(&before).1.parameters, 1);
}

#[test]
fn several_values_of_one_block_and_of_several_types() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %v: %u32 = i_mul %n, %three
           %w: %bool = u_less_than %v, %ten
           %x: %u32 = i_add %v, %n
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^left ^right
         block ^left:
           %s: %u32 = select %w, %v, %x
           return_value %s
         block ^right:
           return_value %n
         }",
    );
    let (after, report) = repaired(&before);
    assert_eq!((report.values, report.parameters), (3, 3));
    let undefs = after.globals().filter(|&global| after.op(global) == Op::Undef).count();
    assert_eq!(undefs, 2, "one undefined value a type");
    assert_eq!(count(&after, Op::Undef), 0);
}

#[test]
fn uses_in_blocks_that_are_never_reached_are_left_alone() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           %v: %u32 = i_add %n, %one
           return_value %v
         block ^never:
           %w: %u32 = i_add %v, %one
           return_value %w
         }",
    );
    assert_eq!(repaired(&before).1, RepairReport::default());
}

#[test]
fn a_value_that_is_never_computed_is_undefined() {
    let mut after = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           %v: %u32 = i_add %n, %w
           return_value %n
         block ^never:
           %w: %u32 = i_add %n, %one
           return_value %w
         }",
    );
    let function = functions(&after)[0];
    let report = repair_ssa(&mut after, function, &OriginalDominance::unknown()).unwrap();
    assert_eq!((report.values, report.parameters), (1, 0));
    hold_verified(&after);
}

#[test]
fn the_same_text_gives_the_same_text() {
    let before = diamonds(40);
    let print = || reconverge_ir::text::print(&repaired_quietly(&before));
    assert_eq!(print(), print());
}

/// `count` diamonds in a row; in each the left arm defines a value that the block after the next diamond uses.
fn diamonds(count: usize) -> Module {
    let mut source = String::from("func %f: %u32 (%n: %u32, %c: %bool) {\nblock ^entry:\n  branch ^d0\n");
    for index in 0..count {
        let (next, used) = (index + 1, index.saturating_sub(1));
        source += &format!(
            "block ^d{index}:\n  branch_if %c ^l{index} ^r{index}\nblock ^l{index}:\n  %v{index}: %u32 = i_add %n, %one\n  \
             branch ^m{index}\nblock ^r{index}:\n  branch ^m{index}\nblock ^m{index}:\n  branch_if %c ^u{index} ^w{index}\n\
             block ^u{index}:\n  %x{index}: %u32 = i_add %v{used}, %one\n  branch ^e{index}\nblock ^w{index}:\n  \
             branch ^e{index}\nblock ^e{index}:\n  branch ^d{next}\n"
        );
    }
    source += &format!("block ^d{count}:\n  return_value %n\n}}\n");
    module(&source)
}

fn repaired_quietly(before: &Module) -> Module {
    let mut after = before.clone();
    let function = functions(before)[0];
    repair_ssa(&mut after, function, &OriginalDominance::unknown()).expect("a repair");
    after
}

#[test]
fn long_rows_of_repairs_add_a_constant_each() {
    for count in [10, 1_000] {
        let mut after = diamonds(count);
        let function = functions(&after)[0];
        let report = repair_ssa(&mut after, function, &OriginalDominance::unknown()).unwrap();
        assert_eq!(report.values, count - 1 + usize::from(count == 1));
        assert!(report.parameters <= 4 * count, "{} parameters for {count} values", report.parameters);
        hold_verified(&after);
    }
}

#[test]
fn a_thousand_values_through_one_join() {
    let mut source =
        String::from("func %f: %u32 (%n: %u32, %c: %bool) {\nblock ^entry:\n  branch_if %c ^a ^b\nblock ^a:\n");
    for index in 0..1_000 {
        source += &format!("  %v{index}: %u32 = i_add %n, %one\n");
    }
    source += "  branch ^m\nblock ^b:\n  branch ^m\nblock ^m:\n  branch_if %c ^u ^o\nblock ^o:\n  return_value %n\nblock ^u:\n";
    source += "  %s0: %u32 = i_add %v0, %zero\n";
    for index in 1..1_000 {
        source += &format!("  %s{index}: %u32 = i_add %s{}, %v{index}\n", index - 1);
    }
    source += "  return_value %s999\n}\n";
    let (after, report) = repaired(&module(&source));
    assert_eq!((report.values, report.parameters), (1_000, 1_000));
    assert_eq!(phis(&after), 1_000);
}
