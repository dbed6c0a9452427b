//! `loop_peel` and `loop_rotate_all`.

use crate::structured_loops_support::{count, flags, functions, hold_same, lanes_module, passed};
use reconverge_control_tree::{ConstructKind, ControlTree};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::structured::{loop_peel, loop_rotate_all, lower_continue_constructs};

fn while_loop(bound: &str, control: &str) -> Module {
    lanes_module(&format!(
        "func %f: %u32 (%n: %u32) stage structured {{
         block ^entry:
           loop ^h(%zero, %n) break ^m continue ^c control {control}
         block ^h(%i: %u32, %sum: %u32):
           %twice: %u32 = i_add %i, %i
           %more: %bool = u_less_than %twice, {bound}
           branch_if %more ^body ^out
         edge ^out:
           branch ^m(%twice)
         block ^body:
           function_call %record, %twice, %i
           %x: %bool = function_call %oracle, %i
           if %x ^leave ^on merge ^on
         block ^leave:
           branch ^m(%sum)
         block ^on:
           %sum.next: %u32 = i_add %sum, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           function_call %record, %one, %i.next
           branch ^h(%i.next, %sum.next)
         block ^m(%r: %u32):
           function_call %record, %two, %r
           function_call %record, %three, %i
           function_call %record, %four, %twice
           return_value %r
         }}"
    ))
}

#[test]
fn nothing_is_peeled_unasked() {
    let before = while_loop("%ten", "0");
    assert_eq!(text::print(&passed(&before, loop_peel)), text::print(&before));
}

#[test]
fn iterations_are_peeled_as_the_control_says() {
    // Peel count 2: mask 0x80, then the count.
    let after = passed(&while_loop("%ten", "words(128, 2)"), loop_peel);
    assert_eq!(count(&after, Op::Loop), 1);
    assert_eq!(count(&after, Op::FunctionCall), 3 + 3 * 3);
}

#[test]
fn peeling_all_iterations_leaves_no_loop() {
    let after = passed(&while_loop("%three", "words(128, 5)"), loop_peel);
    assert_eq!(count(&after, Op::Loop), 0);
}

#[test]
fn one_way_out_of_the_peeled_iteration_is_an_if() {
    let before = lanes_module(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c control words(128, 1)
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^m
         block ^body:
           function_call %record, %one, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           function_call %record, %two, %i
           return_value %i
         }",
    );
    let after = passed(&before, loop_peel);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::If), count(&after, Op::StructuredSwitch)), (1, 1, 0));
}

const SWITCHED: &str = "func %f: %u32 () stage structured {
 block ^entry:
   loop ^h(%zero) break ^m continue ^c
 block ^h(%i: %u32):
   %more: %bool = u_less_than %i, %five
   branch_if %more ^body ^m
 block ^body:
   %n: %u32 = i_add %i, %one
   structured_switch %n default ^d merge ^s [1 ^a]
 block ^a:
   branch ^c(%one)
 block ^d:
   branch ^s
 block ^s:
   branch ^c(%two)
 block ^c(%step: %u32):
   %i.next: %u32 = i_add %i, %step
   branch ^h(%i.next)
 block ^m:
   return_value %i
 }";

#[test]
fn a_flag_of_the_first_iteration_goes() {
    let before = lanes_module(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           loop ^h(%true, %zero) break ^m continue ^c
         block ^h(%first: %bool, %i: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^m
         block ^body:
           if %first ^at.first ^on merge ^on
         block ^at.first:
           branch ^on
         block ^on:
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%false, %i.next)
         block ^m:
           return_value %i
         }",
    );
    let after = passed(&before, loop_peel);
    assert_eq!((flags(&after), count(&after, Op::Loop)), (0, 1));
}

#[test]
fn what_lowered_continue_lists_ask_stays_the_same_when_peeled() {
    let before = lanes_module(SWITCHED);
    let mut after = before.clone();
    for function in functions(&before) {
        lower_continue_constructs(&mut after, function).unwrap();
        loop_peel(&mut after, function).unwrap();
    }
    hold_same(&before, &after);
}

fn inverted(before: &Module) -> Module {
    let after = passed(before, loop_rotate_all);
    for function in functions(&after) {
        let tree = ControlTree::compute(&after, function).expect("a structured function");
        for construct in tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop) {
            let header = construct.loop_header.expect("a loop has a header");
            let last = after.terminator(header).expect("a block has a terminator");
            assert_eq!(after.op(last), Op::Branch, "{}", text::print(&after));
        }
    }
    after
}

#[test]
fn a_test_at_the_top_moves_to_the_end() {
    let after = inverted(&while_loop("%ten", "0"));
    assert_eq!((count(&after, Op::ULessThan), count(&after, Op::If)), (2, 2));
}

#[test]
fn nested_loops_are_inverted() {
    let before = lanes_module(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^p ^m
         block ^p:
           loop ^k(%i, %n) break ^k.m continue ^k.c
         block ^k(%j: %u32, %x: %u32):
           %k.more: %bool = u_less_than %x, %four
           branch_if %k.more ^k.body ^k.m
         block ^k.body:
           function_call %record, %i, %j
           branch ^k.c
         block ^k.c:
           %j.next: %u32 = function_call %number, %j
           branch ^k(%x, %j.next)
         block ^k.m:
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    inverted(&before);
}

#[test]
fn a_test_with_effects_stays() {
    let before = lanes_module(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = function_call %oracle, %i
           branch_if %more ^c ^m
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!(text::print(&passed(&before, loop_rotate_all)), text::print(&before));
}
