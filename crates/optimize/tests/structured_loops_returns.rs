//! `lower_returns`: one exit, no flag where none is needed, and lanes together as before.

use crate::structured_loops_support::{count, flags, lanes_module, passed};
use reconverge_ir::{Module, Op};
use reconverge_optimize::structured::lower_returns;

fn lowered(body: &str) -> Module {
    let after = passed(&lanes_module(body), lower_returns);
    let returns = count(&after, Op::Return) + count(&after, Op::ReturnValue);
    assert!(returns <= 1, "{}", reconverge_ir::text::print(&after));
    after
}

#[test]
fn a_single_exit_is_left_alone() {
    let before = lanes_module(
        "func %f: %void () stage structured {
         block ^entry:
           return
         }",
    );
    let after = passed(&before, lower_returns);
    assert_eq!(count(&after, Op::Return), 1);
}

#[test]
fn what_stands_behind_an_early_return_moves_into_the_other_arm() {
    let after = lowered(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           %c: %bool = function_call %oracle, %zero
           if %c ^a ^b merge ^m
         block ^a:
           return_value %one
         block ^b:
           branch ^m(%two)
         block ^m(%x: %u32):
           function_call %record, %one, %x
           return_value %x
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::StructuredSwitch), count(&after, Op::If)), (0, 0, 1));
}

#[test]
fn both_arms_return_and_so_does_nothing_behind() {
    let after = lowered(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           %c: %bool = function_call %oracle, %zero
           if %c ^a ^b merge ^m
         block ^a:
           return_value %one
         block ^b:
           %d: %bool = function_call %oracle, %one
           if %d ^c ^e merge ^k
         block ^c:
           return_value %two
         block ^e:
           return_value %three
         block ^k:
           unreachable
         block ^m:
           unreachable
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::StructuredSwitch), count(&after, Op::If)), (0, 0, 2));
}

#[test]
fn several_ways_past_a_return_take_a_scope_and_no_flag() {
    let after = lowered(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           %c: %bool = function_call %oracle, %zero
           if %c ^a ^b merge ^m
         block ^a:
           %d: %bool = function_call %oracle, %one
           if %d ^a.yes ^a.no merge ^a.m
         block ^a.yes:
           return_value %n
         block ^a.no:
           branch ^a.m
         block ^a.m:
           function_call %record, %one, %n
           branch ^m
         block ^b:
           function_call %record, %two, %n
           branch ^m
         block ^m:
           function_call %record, %three, %n
           return_value %two
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::StructuredSwitch), count(&after, Op::If)), (0, 1, 2));
}

#[test]
fn a_return_in_three_nested_loops_is_one_flag() {
    let after = lowered(THREE_LOOPS);
    // One parameter for each loop level, each of which is passed on as the next one's argument: one flag that travels.
    assert_eq!(flags(&after), 3);
    assert_eq!(count(&after, Op::Loop), 3);
    assert_eq!(
        count(&after, Op::If) + count(&after, Op::BranchIf),
        3 + 1 + 3,
        "a test for each loop, and what was there"
    );
    assert_eq!(count(&after, Op::StructuredSwitch), 0);
}

const THREE_LOOPS: &str = "func %f: %u32 () stage structured {
 block ^entry:
   loop ^h1(%zero) break ^m1 continue ^c1
 block ^h1(%i: %u32):
   %i.more: %bool = u_less_than %i, %three
   branch_if %i.more ^p2 ^m1
 block ^p2:
   loop ^h2(%zero) break ^m2 continue ^c2
 block ^h2(%j: %u32):
   %j.more: %bool = u_less_than %j, %three
   branch_if %j.more ^p3 ^m2
 block ^p3:
   loop ^h3(%zero) break ^m3 continue ^c3
 block ^h3(%k: %u32):
   %k.more: %bool = u_less_than %k, %three
   branch_if %k.more ^b3 ^m3
 block ^b3:
   %found: %bool = function_call %oracle, %k
   if %found ^out ^on merge ^on
 block ^out:
   %ij: %u32 = i_add %i, %j
   %ijk: %u32 = i_add %ij, %k
   return_value %ijk
 block ^on:
   function_call %record, %three, %k
   branch ^c3
 block ^c3:
   %k.next: %u32 = i_add %k, %one
   branch ^h3(%k.next)
 block ^m3:
   function_call %record, %two, %j
   branch ^c2
 block ^c2:
   %j.next: %u32 = i_add %j, %one
   branch ^h2(%j.next)
 block ^m2:
   function_call %record, %one, %i
   branch ^c1
 block ^c1:
   %i.next: %u32 = i_add %i, %one
   branch ^h1(%i.next)
 block ^m1:
   function_call %record, %zero, %zero
   return_value %ten
 }";

#[test]
fn a_loop_that_only_returns_leave_needs_no_flag() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %found: %bool = function_call %oracle, %i
           branch ^b
         block ^b:
           if %found ^out ^on merge ^on
         block ^out:
           return_value %i
         block ^on:
           function_call %record, %three, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           unreachable
         }",
    );
    assert_eq!(flags(&after), 0);
}

#[test]
fn a_return_in_a_switch_leaves_it_with_a_flag() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           %n: %u32 = function_call %number, %zero
           structured_switch %n default ^d merge ^m [1 ^a] [2 ^b] [3 ^b]
         block ^a:
           %c: %bool = function_call %oracle, %n
           if %c ^out ^on merge ^on
         block ^out:
           return_value %n
         block ^on:
           branch ^b
         block ^b:
           function_call %record, %one, %n
           branch ^m(%one)
         block ^d:
           return_value %two
         block ^m(%x: %u32):
           function_call %record, %two, %x
           return_value %x
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::StructuredSwitch)), (1, 1));
}

#[test]
fn values_that_cross_a_break_block_are_carried() {
    let after = lowered(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %found: %bool = function_call %oracle, %i
           branch ^b
         block ^b:
           if %found ^out ^on merge ^on
         block ^out:
           return_value %i
         block ^on:
           %v: %u32 = function_call %number, %i
           %done: %bool = u_greater_than %v, %three
           branch_if %done ^m ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           function_call %record, %two, %v
           return_value %v
         }",
    );
    assert_eq!(flags(&after), 1);
}

#[test]
fn a_switch_in_a_loop_is_crossed_without_a_stop() {
    let after = lowered(
        "func %f: %void () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %ten
           branch_if %more ^b ^m
         block ^b:
           %n: %u32 = function_call %number, %i
           structured_switch %n default ^d merge ^s [1 ^x] [2 ^y]
         block ^x:
           return
         block ^y:
           function_call %record, %one, %n
           branch ^m
         block ^d:
           branch ^s
         block ^s:
           function_call %record, %two, %n
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           function_call %record, %three, %three
           return
         }",
    );
    assert_eq!((flags(&after), count(&after, Op::If)), (1, 1));
}
