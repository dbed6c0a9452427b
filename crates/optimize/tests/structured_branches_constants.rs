//! Constant branches.

use crate::structured_branches_support;
use crate::structured_branches_support::{blocks, changed, count, find, hold_unchanged};
use reconverge_ir::Op;
use reconverge_optimize::structured::fold_constant_branches;

#[test]
fn the_arm_that_is_taken_stands_alone() {
    let module = changed(
        "func %f: %void (%a: %u32) stage structured {
         block ^entry:
           RECORD %zero
           if %false ^then ^else merge ^m
         block ^then:
           RECORD %one
           branch ^m(%a)
         block ^else:
           RECORD %two
           %s: %u32 = i_add %a, %one
           branch ^m(%s)
         block ^m(%p: %u32):
           RECORD %p
           return
         }",
        fold_constant_branches,
    );
    assert_eq!((blocks(&module), count(&module, Op::FunctionCall)), (1, 3));
}

#[test]
fn specialization_constants_are_no_constants() {
    hold_unchanged(
        "%spec: %bool = spec_constant_true
         func %f: %void () stage structured {
         block ^entry:
           if %spec ^then ^m merge ^m
         block ^then:
           RECORD %one
           branch ^m
         block ^m:
           return
         }",
        fold_constant_branches,
    );
}

#[test]
fn an_exit_of_a_folded_selection_opens_what_is_left_of_it() {
    let module = changed(
        "func %f: %void (%a: %bool, %b: %bool) stage structured {
         block ^entry:
           if %true ^then ^else merge ^m
         block ^then:
           RECORD %zero
           branch_if %a ^e1 ^on
         edge ^e1:
           branch ^m(%one)
         block ^on:
           RECORD %one
           branch_if %b ^e2 ^end
         edge ^e2:
           branch ^m(%two)
         block ^end:
           RECORD %two
           branch ^m(%three)
         block ^else:
           branch ^m(%ten)
         block ^m(%p: %u32):
           RECORD %p
           return
         }",
        fold_constant_branches,
    );
    assert_eq!((count(&module, Op::If), count(&module, Op::BranchIf)), (1, 1));
}

/// A switch by `selector`.
fn switched(selector: &str, first: &str, second: &str) -> String {
    format!(
        "func %f: %void (%n: %u32, %a: %bool) stage structured {{
         block ^entry:
           structured_switch {selector} default ^other merge ^m [1 ^first] [2 ^second]
         block ^first:
           RECORD %one
           {first}
         block ^second:
           RECORD %two
           {second}
         block ^other:
           RECORD %three
           branch ^m(%zero)
         block ^m(%p: %u32):
           RECORD %p
           return
         }}"
    )
}

#[test]
fn a_constant_switch_falls_through_as_before() {
    let module = changed(&switched("%one", "branch ^second", "branch ^m(%two)"), fold_constant_branches);
    assert_eq!((blocks(&module), count(&module, Op::FunctionCall)), (1, 3));
    let module = changed(&switched("%ten", "branch ^second", "branch ^m(%two)"), fold_constant_branches);
    assert_eq!((blocks(&module), count(&module, Op::FunctionCall)), (1, 2));
    hold_unchanged(&switched("%n", "branch ^second", "branch ^m(%two)"), fold_constant_branches);
}

#[test]
fn a_switch_that_is_left_from_inside_keeps_its_default() {
    let first = "if %a ^t ^e merge ^m2
         block ^t:
           RECORD %ten
           branch ^m(%one)
         edge ^e:
           branch ^m2
         block ^m2:
           RECORD %zero
           branch ^m(%two)";
    let module = changed(&switched("%one", first, "branch ^m(%two)"), fold_constant_branches);
    let switch = module.cast(find(&module, Op::StructuredSwitch)).unwrap();
    assert_eq!((module.cases(switch).count(), count(&module, Op::If)), (0, 1));
    // With the selection inside constant too, nothing of both is left.
    let module = changed(&switched("%one", &first.replace("%a", "%false"), "branch ^m(%two)"), fold_constant_branches);
    assert_eq!(blocks(&module), 1);
}

/// A loop with this body exit and this latch.
fn looped(exit: &str, latch: &str) -> String {
    format!(
        "func %f: %void (%n: %u32) stage structured {{
         block ^entry:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           RECORD %i
           %i1: %u32 = i_add %i, %one
           branch_if {exit} ^out ^body
         edge ^out:
           branch ^done
         block ^body:
           RECORD %ten
           branch ^next
         block ^next:
           %more: %bool = u_less_than %i1, %n
           branch_if {latch} ^again ^end
         edge ^again:
           branch ^h(%i1)
         edge ^end:
           branch ^done
         block ^done:
           RECORD %two
           return
         }}"
    )
}

#[test]
fn exits_that_are_always_or_never_taken() {
    let module = changed(&looped("%false", "%more"), fold_constant_branches);
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::Loop)), (1, 1));
    let module = changed(&looped("%true", "%more"), fold_constant_branches);
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::Loop)), (0, 1));
    assert_eq!(count(&module, Op::FunctionCall), 2);
    // The back edge stays even where nobody takes it.
    hold_unchanged(
        &looped("%more1", "%false").replace("%i1: %u32", "%more1: %bool = u_less_than %n, %i\n%i1: %u32"),
        fold_constant_branches,
    );
    let module = changed(
        &looped("%more1", "%true").replace("%i1: %u32", "%more1: %bool = u_less_than %n, %i\n%i1: %u32"),
        fold_constant_branches,
    );
    assert_eq!(count(&module, Op::BranchIf), 1);
}

/// A switch whose first case holds a selection by `inner`, with an exit in it, and behind that another exit.
fn exits_twice(inner: &str) -> String {
    switched(
        "%one",
        &format!(
            "if {inner} ^x ^y merge ^k
             block ^x:
               RECORD %two
               branch_if %a ^e1 ^x2
             edge ^e1:
               branch ^m(%ten)
             block ^x2:
               branch ^k
             block ^y:
               RECORD %three
               branch ^k
             block ^k:
               %late: %bool = u_less_than %n, %ten
               branch_if %late ^e2 ^rest
             edge ^e2:
               branch ^m(%zero)
             block ^rest:
               RECORD %zero
               branch ^m(%one)"
        ),
        "branch ^m(%two)",
    )
}

#[test]
fn exits_that_nothing_leads_to_open_nothing() {
    // The first exit is in the arm that is not taken: the second opens what is left of the switch.
    let module = changed(&exits_twice("%false"), fold_constant_branches);
    assert_eq!((count(&module, Op::If), count(&module, Op::BranchIf), count(&module, Op::StructuredSwitch)), (1, 0, 0));
    let module = changed(&exits_twice("%true"), fold_constant_branches);
    assert_eq!((count(&module, Op::If), count(&module, Op::BranchIf), count(&module, Op::StructuredSwitch)), (1, 1, 0));
    let module = changed(&exits_twice("%a"), fold_constant_branches);
    assert_eq!((count(&module, Op::If), count(&module, Op::StructuredSwitch)), (1, 1));
}

#[test]
fn undefined_values_and_selects_are_no_constants() {
    let source = |condition: &str| {
        format!(
            "%undef: %bool = undef
             func %f: %void (%a: %bool) stage structured {{
             block ^entry:
               %selected: %bool = select %a, %true, %true
               if {condition} ^then ^m merge ^m
             block ^then:
               RECORD %one
               branch ^m
             block ^m:
               return
             }}"
        )
    };
    hold_unchanged(&source("%selected"), fold_constant_branches);
    // What lanes with an undefined condition do is not compared: the function stays as it is.
    let before = structured_branches_support::module(&source("%undef"));
    let mut after = before.clone();
    let function = structured_branches_support::function(&before);
    assert!(!fold_constant_branches(&mut after, function).unwrap());
}
