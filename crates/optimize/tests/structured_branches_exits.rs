//! Dead control flow and exits that follow each other. The shapes of Mesa's unit tests
//! `jump_before_constant_if`, `return_before_loop` and `merge_terminators_*` are among them.

use crate::structured_branches_support;
use crate::structured_branches_support::{blocks, changed, count, hold_unchanged};
use reconverge_ir::{Module, Op};
use reconverge_optimize::structured::{fold_constant_branches, merge_terminators, remove_dead_control_flow};

#[test]
fn an_unreachable_constant_if_with_a_parameter_goes() {
    // jump_before_constant_if
    let source = "func %f: %void (%c: %bool) stage structured {
         block ^entry:
           if %c ^a ^b merge ^m
         block ^a:
           RECORD %one
           return
         block ^b:
           RECORD %two
           return
         block ^m:
           if %true ^t ^e merge ^m2
         block ^t:
           branch ^m2(%one)
         block ^e:
           branch ^m2(%two)
         block ^m2(%p: %u32):
           RECORD %p
           return
         }";
    for pass in [remove_dead_control_flow, fold_constant_branches] {
        let module = changed(source, pass);
        assert_eq!((count(&module, Op::If), blocks(&module)), (1, 4));
    }
}

#[test]
fn a_loop_behind_a_return_goes() {
    // return_before_loop
    let module = changed(
        "func %f: %void (%c: %bool) stage structured {
         block ^entry:
           RECORD %one
           return
         block ^dead:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           %i1: %u32 = i_add %i, %one
           branch ^next
         block ^next:
           branch_if %c ^again ^done
         edge ^again:
           branch ^h(%i1)
         block ^done:
           return
         }",
        remove_dead_control_flow,
    );
    assert_eq!(blocks(&module), 1);
}

/// A loop with two exits in a row. `between` stands between them.
fn exits(first: &str, between: &str, second: &str) -> String {
    format!(
        "func %f: %u32 (%a: %bool, %n: %u32) stage structured {{
         block ^entry:
           %var: %local = variable Function, %three
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           RECORD %i
           %c: %bool = u_greater_than_equal %i, %three
           {first}
         block ^b:
           {between}
           {second}
         block ^rest:
           RECORD %ten
           branch ^next
         block ^next:
           %i1: %u32 = i_add %i, %one
           branch ^h(%i1)
         block ^done(%r: %u32):
           RECORD %r
           return_value %r
         }}"
    )
}

const FIRST: &str = "branch_if %c ^e1 ^b
         edge ^e1:
           branch ^done(%n)";
const SECOND: &str = "branch_if %d ^e2 ^rest
         edge ^e2:
           branch ^done(%n)";
const BETWEEN: &str = "%d: %bool = i_equal %i, %n";

#[test]
fn two_breaks_become_one() {
    // merge_terminators_basic_break_in_then and …_in_else, in all four ways round.
    let (first_else, second_else) = (FIRST.replace("^e1 ^b", "^b ^e1"), SECOND.replace("^e2 ^rest", "^rest ^e2"));
    for (first, second, op) in [
        (FIRST, SECOND, Op::LogicalOr),
        (FIRST, &*second_else, Op::LogicalAnd),
        (&*first_else, &*second_else, Op::LogicalAnd),
    ] {
        let module = changed(&exits(first, BETWEEN, second), merge_terminators);
        assert_eq!((count(&module, Op::BranchIf), count(&module, op)), (1, 1));
    }
    // Staying is for ever where the first condition is the other way round.
    let both = exits(&first_else.replace("%c", "%a"), BETWEEN, SECOND);
    assert_eq!(count(&changed(&both, merge_terminators), Op::LogicalOr), 1);
}

/// What the second condition looks at is nothing where the first exit is taken: it is not looked at there.
#[test]
fn a_condition_that_is_nothing_where_the_first_exit_is_taken_is_not_chosen() {
    let first = "%nothing: %u32 = undef
         branch ^s
         block ^s:
         if %c ^t ^f merge ^g
         block ^t:
           branch ^g(%nothing)
         edge ^f:
           branch ^g(%n)
         block ^g(%v: %u32):
           branch_if %c ^e1 ^b
         edge ^e1:
           branch ^done(%n)";
    let inner = exits(first, "%d: %bool = i_equal %i, %v", SECOND);
    let module = changed(&inner, merge_terminators);
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::LogicalOr), count(&module, Op::Select)), (1, 0, 1));
}

#[test]
fn breaks_by_selections_become_one() {
    let first = "branch ^g
         block ^g:
           if %c ^e1 ^s1 merge ^b
         block ^e1:
           branch ^done(%n)
         edge ^s1:
           branch ^b";
    let second = "if %d ^e2 ^s2 merge ^rest
         block ^e2:
           branch ^done(%n)
         edge ^s2:
           branch ^rest";
    let module = changed(&exits(first, BETWEEN, second), merge_terminators);
    assert_eq!((count(&module, Op::If), count(&module, Op::LogicalOr)), (1, 1));
    let module = changed(&exits(first, BETWEEN, SECOND), merge_terminators);
    assert_eq!((count(&module, Op::If), count(&module, Op::BranchIf)), (0, 1));
    // A loop header may not open a selection.
    hold_unchanged(&exits(FIRST, BETWEEN, second), merge_terminators);
}

#[test]
fn addresses_between_the_exits_may_be_computed_early() {
    // merge_terminators_deref_after_first_if
    let between = "%pair_at: %local = copy_object %var
           %d: %bool = i_equal %i, %n
           %sum: %u32 = i_add %i, %n";
    let module = changed(&exits(FIRST, between, SECOND), merge_terminators);
    assert_eq!(count(&module, Op::BranchIf), 1);
}

#[test]
fn what_must_not_run_early_keeps_the_exits_apart() {
    for between in [
        "RECORD %one
           %d: %bool = i_equal %i, %n",
        "%q: %u32 = u_div %i, %n
           %d: %bool = i_equal %q, %n",
        "%l: %u32 = load %var
           %d: %bool = i_equal %l, %n",
        "store %var, %i
           %d: %bool = i_equal %i, %n",
        "%shifted: %u32 = shift_left_logical %one, %n
           %d: %bool = i_equal %shifted, %n",
    ] {
        let source = exits(FIRST, between, SECOND);
        let mut module = structured_branches_support::module(&source);
        let function = structured_branches_support::function(&module);
        assert!(!merge_terminators(&mut module, function).unwrap(), "{between}");
    }
}

#[test]
fn a_limit_that_is_reached_stays_reached() {
    // A comparison each costs 1, and joining it 1 more: from the end, five share an exit. Sums between them leave pairs, or nothing.
    let chain = |count: usize, work: usize| {
        let mut source = String::from("func %f: %u32 (%a: %bool, %n: %u32) stage structured {\nblock ^entry:\n");
        source += "loop ^h(%zero) break ^done continue ^next\nblock ^h(%i: %u32):\n";
        for exit in 0..count {
            (0..work).for_each(|number| source += &format!("%s{exit}x{number}: %u32 = i_add %i, %n\n"));
            source += &format!("%c{exit}: %bool = i_equal %i, %three\nbranch_if %c{exit} ^e{exit} ^b{exit}\n");
            source += &format!("edge ^e{exit}:\nbranch ^done(%n)\nblock ^b{exit}:\n");
        }
        source
            + "branch ^next\nblock ^next:\n%i1: %u32 = i_add %i, %one\nbranch ^h(%i1)
             block ^done(%r: %u32):\nRECORD %r\nreturn_value %r\n}"
    };
    assert_eq!(count(&changed(&chain(20, 0), merge_terminators), Op::BranchIf), 4);
    assert_eq!(count(&changed(&chain(20, 7), merge_terminators), Op::BranchIf), 10);
    hold_unchanged(&chain(6, 8), merge_terminators);
}

#[test]
fn an_exit_that_comes_of_a_merge_merges_too() {
    // The header may not end in a selection, but in what becomes of the selection and the exit behind it.
    let module = changed(
        "func %f: %void (%a: %bool, %b: %bool, %n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           %over: %bool = u_greater_than_equal %i, %n
           branch_if %over ^e1 ^body
         edge ^e1:
           branch ^done
         block ^body:
           if %a ^again ^m merge ^m
         block ^again:
           branch ^next
         block ^m:
           branch_if %b ^e2 ^e3
         edge ^e2:
           branch ^done
         edge ^e3:
           branch ^next
         block ^next:
           %i1: %u32 = i_add %i, %one
           RECORD %i
           branch ^h(%i1)
         block ^done:
           RECORD %ten
           return
         }",
        merge_terminators,
    );
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::If)), (1, 0));
}

#[test]
fn different_arguments_keep_the_exits_apart() {
    // merge_terminators_skip_merge_if_phis
    hold_unchanged(&exits(FIRST, BETWEEN, &SECOND.replace("^done(%n)", "^done(%i)")), merge_terminators);
}

#[test]
fn a_parameter_on_the_way_is_passed_on() {
    // merge_terminators_deref_phi_index: the block between has a parameter of its own.
    let first = "branch ^g
         block ^g:
           if %c ^e1 ^s1 merge ^b
         block ^e1:
           branch ^done(%n)
         edge ^s1:
           branch ^b(%i)";
    let source = exits(first, "%d: %bool = i_equal %p, %n", SECOND).replace("block ^b:", "block ^b(%p: %u32):");
    let module = changed(&source, merge_terminators);
    assert_eq!((count(&module, Op::If), count(&module, Op::BranchIf)), (0, 1));
}

#[test]
fn exits_of_nested_loops_keep_to_their_own() {
    // merge_terminators_…_nested_loop
    let inner = "%d: %bool = i_equal %i, %n
           loop ^h2(%zero) break ^done2 continue ^next2
         block ^h2(%j: %u32):
           RECORD %j
           %over: %bool = u_greater_than %j, %two
           branch_if %over ^x1 ^b2
         edge ^x1:
           branch ^done2
         block ^b2:
           %same: %bool = i_equal %j, %n
           branch_if %same ^x2 ^rest2
         edge ^x2:
           branch ^done2
         block ^rest2:
           branch ^next2
         block ^next2:
           %j1: %u32 = i_add %j, %one
           branch ^h2(%j1)
         block ^done2:
           branch ^tail
         block ^tail:";
    let module = changed(&exits(FIRST, inner, SECOND), merge_terminators);
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::LogicalOr)), (3, 1));
}

/// Something without effect between two records.
fn between_records(inside: &str) -> String {
    format!(
        "func %f: %void (%n: %u32, %a: %bool) stage structured {{
         block ^entry:
           %var: %local = variable Function, %three
           RECORD %one
           {inside}
           RECORD %two
           return
         }}"
    )
}

fn is_removed(inside: &str) -> bool {
    let module: Module = structured_branches_support::after(&between_records(inside), remove_dead_control_flow);
    count(&module, Op::If) + count(&module, Op::Loop) + count(&module, Op::StructuredSwitch) == 0
}

#[test]
fn selections_without_effect_go() {
    assert!(is_removed(
        "if %a ^t ^e merge ^m
         block ^t:
           %x: %u32 = i_add %n, %n
           branch ^m(%x, %n)
         block ^e:
           branch ^m(%one, %n)
         block ^m(%unused: %u32, %same: %u32):
           RECORD %same"
    ));
    assert!(is_removed("if %a ^m ^e merge ^m\nedge ^e:\nbranch ^m\nblock ^m:"));
    assert!(is_removed(
        "structured_switch %n default ^x merge ^m [3 ^y]
         block ^y:
           branch ^x
         block ^x:
           if %a ^t ^m2 merge ^m2
         block ^t:
           branch ^m
         block ^m2:
           branch ^m
         block ^m:"
    ));
}

#[test]
fn what_has_an_effect_or_is_used_stays() {
    for inside in
        ["store %var, %n\nbranch ^m(%zero)", "RECORD %ten\nbranch ^m(%zero)", "return", "kill", "branch ^m(%n)"]
    {
        let source = format!(
            "if %a ^t ^e merge ^m
             block ^t:
               {inside}
             block ^e:
               branch ^m(%zero)
             block ^m(%p: %u32):
               %used: %u32 = copy_object %p"
        );
        assert!(!is_removed(&source), "{inside}");
    }
}

/// A loop that does nothing but count.
fn counting(start: &str, stay: &str, step: &str) -> String {
    format!(
        "loop ^h({start}) break ^m continue ^next
         block ^h(%i: %u32):
           %stay: %bool = {stay}
           branch_if %stay ^next ^m
         block ^next:
           %i1: %u32 = {step}
           branch ^h(%i1)
         block ^m:"
    )
}

#[test]
fn loops_that_end_go_and_those_that_may_not_stay() {
    for (stay, step) in [
        ("u_less_than %i, %n", "i_add %i, %one"),
        ("i_not_equal %i, %n", "i_sub %i, %three"),
        ("s_greater_than %n, %i", "i_add %three, %i"),
        ("u_less_than_equal %i, %ten", "i_add %i, %two"),
        ("u_greater_than_equal %ten, %i", "i_add %i, %ten"),
    ] {
        assert!(is_removed(&counting("%zero", stay, step)), "{stay}, {step}");
    }
    for (stay, step) in [
        ("u_less_than %i, %n", "i_add %i, %two"),
        ("u_less_than_equal %i, %n", "i_add %i, %one"),
        ("i_not_equal %i, %n", "i_add %i, %two"),
        ("u_less_than %i, %n", "i_mul %i, %three"),
        ("u_less_than %i, %n", "i_add %i, %n"),
        ("u_less_than %i, %n", "i_add %i, %zero"),
        ("logical_not %a", "i_add %i, %one"),
    ] {
        assert!(!is_removed(&counting("%zero", stay, step)), "{stay}, {step}");
    }
    // The loop runs for ever in the run, too.
    assert!(!is_removed("loop ^h break ^m continue ^h\nblock ^h:\nbranch ^h\nblock ^m:"));
}

#[test]
fn a_continue_past_the_exit_keeps_a_loop() {
    let source = |early: &str| {
        format!(
            "loop ^h(%zero) break ^m continue ^next
             block ^h(%i: %u32):
               %odd: %bool = i_equal %i, %n
               {early}
             block ^late:
               %stay: %bool = u_less_than %i, %three
               branch_if %stay ^x ^out
             edge ^out:
               branch ^m
             edge ^x:
               branch ^next
             block ^next:
               %i1: %u32 = i_add %i, %one
               branch ^h(%i1)
             block ^m:"
        )
    };
    assert!(!is_removed(&source("branch_if %odd ^skip ^late\nedge ^skip:\nbranch ^next")));
    assert!(is_removed(&source("branch ^late")));
}

#[test]
fn unreachable_code_in_a_continue_construct_leads_to_the_latch() {
    // A loop without end in the continue construct: what is behind it is never reached, but must stay (R22).
    hold_unchanged(
        "func %f: %void (%a: %bool) stage structured {
         block ^entry:
           loop ^h break ^done continue ^next
         block ^h:
           RECORD %one
           branch_if %a ^out ^stay
         edge ^out:
           branch ^done
         edge ^stay:
           branch ^next
         block ^next:
           loop ^h2 break ^m2 continue ^h2
         block ^h2:
           branch ^h2
         block ^m2:
           branch ^h
         block ^done:
           return
         }",
        remove_dead_control_flow,
    );
}

#[test]
fn behind_a_loop_that_nothing_breaks_nothing_stays() {
    let module = changed(
        "func %f: %void (%a: %bool) stage structured {
         block ^entry:
           loop ^h break ^done continue ^next
         block ^h:
           RECORD %one
           branch ^g
         block ^g:
           if %a ^t ^m merge ^m
         block ^t:
           kill
         block ^m:
           branch ^next
         block ^next:
           branch ^h
         block ^done:
           RECORD %two
           return
         }",
        remove_dead_control_flow,
    );
    assert_eq!((count(&module, Op::FunctionCall), count(&module, Op::Unreachable)), (1, 1));
}

#[test]
fn an_if_whose_way_leads_straight_out_of_the_loop_stays() {
    hold_unchanged(
        "func %f: %void (%a: %bool, %n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           branch ^b
         block ^b:
           RECORD %i
           %last: %bool = i_equal %i, %two
           if %last ^done ^m merge ^m
         block ^m:
           branch ^next
         block ^next:
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^done:
           RECORD %ten
           return
         }",
        remove_dead_control_flow,
    );
}
