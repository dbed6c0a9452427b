//! `lower_continue_constructs`: bare latches, nothing copied, and the lanes of an iteration together before the code.

use crate::structured_loops_support::{count, flags, functions, lanes_module, passed};
use reconverge_control_tree::{ConstructKind, ControlTree};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::structured::lower_continue_constructs;

fn lowered(body: &str) -> Module {
    let before = lanes_module(body);
    let after = passed(&before, lower_continue_constructs);
    for op in [Op::FunctionCall, Op::ControlBarrier, Op::GroupNonUniformBallot] {
        assert!(count(&after, op) <= count(&before, op), "{op:?} was copied\n{}", text::print(&after));
    }
    for function in functions(&after) {
        let tree = ControlTree::compute(&after, function).expect("a structured function");
        for construct in tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop) {
            let latch = construct.continue_target.expect("a loop has a continue block");
            let instructions = after.children(latch).filter(|&inst| after.op(inst) != Op::BlockParameter).count();
            assert_eq!(instructions, 1, "{}", text::print(&after));
        }
    }
    after
}

#[test]
fn a_bare_latch_is_left_alone() {
    let before = lanes_module(
        "func %f: %void () stage structured {
         block ^entry:
           loop ^h break ^m continue ^c
         block ^h:
           %more: %bool = function_call %oracle, %one
           branch_if %more ^c ^m
         block ^c:
           branch ^h
         block ^m:
           return
         }",
    );
    assert_eq!(text::print(&passed(&before, lower_continue_constructs)), text::print(&before));
}

#[test]
fn one_edge_puts_the_code_behind_the_body() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %ten
           branch_if %more ^body ^m
         block ^body:
           function_call %record, %one, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %two
           function_call %record, %two, %i.next
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::If), count(&after, Op::StructuredSwitch)), (0, 0, 0));
}

#[test]
fn a_conditional_exit_into_the_code_gets_a_merge_block() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = function_call %oracle, %i
           branch_if %more ^c ^done
         block ^done:
           function_call %record, %one, %i
           branch ^m
         block ^c:
           %i.next: %u32 = i_add %i, %two
           function_call %record, %two, %i.next
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::If), count(&after, Op::StructuredSwitch)), (0, 1, 0));
}

#[test]
fn several_edges_leave_a_scope_and_the_barrier_is_there_once() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %five
           branch_if %more ^body ^m
         block ^body:
           %x: %bool = function_call %oracle, %i
           if %x ^early ^on merge ^on
         block ^early:
           function_call %record, %one, %i
           branch ^c(%one)
         block ^on:
           %y: %bool = function_call %oracle, %i
           if %y ^late ^last merge ^last
         block ^late:
           function_call %record, %two, %i
           branch ^c(%two)
         block ^last:
           function_call %record, %three, %i
           branch ^c(%three)
         block ^c(%step: %u32):
           control_barrier %two, %two, %264
           function_call %record, %four, %step
           %i.next: %u32 = i_add %i, %step
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::ControlBarrier), count(&after, Op::StructuredSwitch)), (0, 1, 1));
}

#[test]
fn an_edge_out_of_a_switch_moves_the_code_to_the_top() {
    let after = lowered(IN_A_SWITCH);
    assert_eq!((flags(&after), count(&after, Op::ControlBarrier), count(&after, Op::StructuredSwitch)), (1, 1, 1));
}

const IN_A_SWITCH: &str = "func %f: %u32 () stage structured {
 block ^entry:
   loop ^h(%zero) break ^m continue ^c
 block ^h(%i: %u32):
   %more: %bool = u_less_than %i, %five
   branch_if %more ^body ^m
 block ^body:
   %n: %u32 = function_call %number, %i
   %v: %u32 = i_add %n, %i
   structured_switch %n default ^d merge ^s [1 ^a] [2 ^b] [3 ^e]
 block ^a:
   function_call %record, %one, %i
   branch ^c(%one)
 block ^b:
   function_call %record, %two, %i
   branch ^e
 block ^e:
   function_call %record, %three, %i
   branch ^c(%two)
 block ^d:
   branch ^s
 block ^s:
   function_call %record, %three, %i
   branch ^c(%one)
 block ^c(%step: %u32):
   control_barrier %two, %two, %264
   function_call %record, %four, %step
   function_call %record, %five, %v
   %i.next: %u32 = i_add %i, %step
   branch ^h(%i.next)
 block ^m:
   return_value %i
 }";

#[test]
fn a_latch_that_leaves_at_the_top_breaks_there() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero, %one) break ^m continue ^c
         block ^h(%i: %u32, %k: %u32):
           %n: %u32 = function_call %number, %i
           structured_switch %n default ^d merge ^s [1 ^a] [2 ^b]
         block ^a:
           function_call %record, %one, %k
           branch ^c
         block ^b:
           branch ^m(%n)
         block ^d:
           branch ^s
         block ^s:
           function_call %record, %three, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %n
           function_call %record, %two, %i.next
           %again: %bool = u_less_than %i.next, %ten
           branch_if %again ^back ^out
         edge ^back:
           branch ^h(%i.next, %n)
         edge ^out:
           branch ^m(%i.next)
         block ^m(%r: %u32):
           function_call %record, %five, %r
           return_value %r
         }"
        .replace(
            "^h(%i: %u32, %k: %u32):\n           %n",
            "^h(%i: %u32, %k: %u32):\n           branch ^h2\n         block ^h2:\n           %n",
        )
        .as_str(),
    );
    assert_eq!(flags(&after), 1);
}

#[test]
fn a_loop_of_one_block_gets_a_latch() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^h
         block ^h(%i: %u32):
           function_call %record, %one, %i
           %i.next: %u32 = i_add %i, %one
           %more: %bool = function_call %oracle, %i
           branch_if %more ^back ^m
         edge ^back:
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!(count(&after, Op::Loop), 1);
}

#[test]
fn a_continue_list_that_nothing_enters_goes() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           function_call %record, %one, %i
           branch ^m
         block ^c:
           function_call %record, %two, %i
           branch ^h(%one)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!(count(&after, Op::FunctionCall), 1);
}

#[test]
fn a_loop_in_a_continue_list_goes_along() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %five
           branch_if %more ^body ^m
         block ^body:
           %n: %u32 = function_call %number, %i
           structured_switch %n default ^d merge ^s [1 ^a]
         block ^a:
           branch ^c
         block ^d:
           branch ^s
         block ^s:
           function_call %record, %three, %i
           branch ^c
         block ^c:
           loop ^k(%zero) break ^k.m continue ^k.c
         block ^k(%j: %u32):
           %k.more: %bool = function_call %oracle, %j
           branch_if %k.more ^k.c ^k.m
         block ^k.c:
           function_call %record, %two, %j
           %j.next: %u32 = i_add %j, %n
           branch ^k(%j.next)
         block ^k.m:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!(count(&after, Op::Loop), 2);
}
