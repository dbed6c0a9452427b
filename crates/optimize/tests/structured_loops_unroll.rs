//! `loop_unroll`: one copy for each iteration, lanes together as before, and errors where it is demanded and cannot be.

use crate::structured_loops_support::{count, functions, hold_same, lanes_module, passed};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::structured::{
    StructuredError, loop_peel, loop_rotate_all, loop_unroll, lower_continue_constructs, lower_returns,
};

fn unrolled(body: &str) -> Module {
    passed(&lanes_module(body), loop_unroll)
}

fn refused(body: &str) -> (String, Op) {
    let mut module = lanes_module(body);
    let function = functions(&module)[0];
    match loop_unroll(&mut module, function) {
        Err(StructuredError::Impossible { code, inst, .. }) => (code.to_owned(), module.op(inst)),
        other => panic!("{other:?}"),
    }
}

/// `while (i < bound) { record; i += step }` with a control.
fn while_loop(bound: &str, step: &str, control: &str) -> String {
    format!(
        "func %f: %u32 (%n: %u32) stage structured {{
         block ^entry:
           loop ^h(%zero, %n) break ^m continue ^c control {control}
         block ^h(%i: %u32, %sum: %u32):
           %more: %bool = u_less_than %i, {bound}
           branch_if %more ^body ^m
         block ^body:
           function_call %record, %one, %i
           %x: %u32 = function_call %number, %i
           %sum.next: %u32 = i_add %sum, %x
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, {step}
           branch ^h(%i.next, %sum.next)
         block ^m:
           function_call %record, %two, %sum
           return_value %sum
         }}"
    )
}

#[test]
fn a_counted_loop_becomes_straight_line() {
    let after = unrolled(&while_loop("%three", "%one", "0"));
    assert_eq!((count(&after, Op::Loop), count(&after, Op::BranchIf), count(&after, Op::FunctionCall)), (0, 0, 7));
    assert_eq!(count(&after, Op::StructuredSwitch), 0);
}

#[test]
fn dont_unroll_is_respected() {
    assert_eq!(count(&unrolled(&while_loop("%three", "%one", "2")), Op::Loop), 1);
}

#[test]
fn an_unknown_trip_count_is_left_alone_and_refused_where_demanded() {
    assert_eq!(count(&unrolled(&while_loop("%n", "%one", "0")), Op::Loop), 1);
    assert_eq!(refused(&while_loop("%n", "%one", "1")), ("unroll-unknown".to_owned(), Op::Loop));
}

#[test]
fn a_loop_that_never_ends_is_refused_where_demanded() {
    let endless = while_loop("%three", "%zero", "1");
    // A function without a body may end the lane.
    assert_eq!(refused(&endless).0, "unroll-unknown");
    let call = "%x: %u32 = function_call %number, %i";
    let silent = endless.replace("function_call %record, %one, %i", "").replace(call, "%x: %u32 = copy_object %i");
    assert_eq!(refused(&silent).0, "unroll-infinite");
}

#[test]
fn too_many_copies_are_refused_where_demanded() {
    let body = while_loop("%many", "%one", "1").replace("func %f", "%many: %u32 = constant 100000\nfunc %f");
    assert_eq!(refused(&body).0, "unroll-growth");
    assert_eq!(count(&unrolled(&body.replace("control 1", "control 0")), Op::Loop), 1);
}

#[test]
fn a_loop_that_is_tested_at_its_end() {
    let after = unrolled(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^h
         block ^h(%i: %u32):
           control_barrier %two, %two, %264
           function_call %record, %one, %i
           %i.next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i.next, %four
           branch_if %more ^back ^m
         edge ^back:
           branch ^h(%i.next)
         block ^m:
           return_value %i.next
         }",
    );
    assert_eq!(
        (count(&after, Op::Loop), count(&after, Op::FunctionCall), count(&after, Op::ControlBarrier)),
        (0, 4, 4)
    );
}

#[test]
fn other_ways_out_leave_a_scope() {
    let after = unrolled(WITH_BREAK);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::StructuredSwitch)), (0, 1));
}

const WITH_BREAK: &str = "func %f: %u32 () stage structured {
 block ^entry:
   loop ^h(%zero) break ^m continue ^c control 1
 block ^h(%i: %u32):
   %more: %bool = u_less_than %i, %three
   branch_if %more ^body ^m
 block ^body:
   %x: %bool = function_call %oracle, %i
   if %x ^leave ^on merge ^on
 block ^leave:
   function_call %record, %one, %i
   branch ^m
 block ^on:
   function_call %record, %two, %i
   branch ^c
 block ^c:
   %i.next: %u32 = i_add %i, %one
   branch ^h(%i.next)
 block ^m:
   function_call %record, %three, %i
   return_value %i
 }";

#[test]
fn several_continues_leave_a_scope_in_each_copy() {
    let after = unrolled(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^body ^m
         block ^body:
           %x: %bool = function_call %oracle, %i
           if %x ^early ^on merge ^on
         block ^early:
           branch ^c(%one)
         block ^on:
           function_call %record, %two, %i
           branch ^c(%two)
         block ^c(%p: %u32):
           function_call %record, %five, %p
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           function_call %record, %three, %i
           return_value %i
         }",
    );
    assert_eq!((count(&after, Op::Loop), count(&after, Op::StructuredSwitch)), (0, 3));
}

#[test]
fn a_continue_out_of_a_switch_takes_a_loop_of_one_trip() {
    let after = unrolled(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %two
           branch_if %more ^body ^m
         block ^body:
           %n: %u32 = function_call %number, %i
           structured_switch %n default ^d merge ^s [1 ^a] [2 ^b] [3 ^e]
         block ^a:
           branch ^c
         block ^b:
           function_call %record, %one, %i
           branch ^e
         block ^e:
           function_call %record, %two, %i
           branch ^c
         block ^d:
           branch ^s
         block ^s:
           function_call %record, %three, %i
           branch ^c
         block ^c:
           function_call %record, %five, %i
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           function_call %record, %three, %i
           return_value %i
         }",
    );
    assert_eq!(count(&after, Op::Loop), 2);
}

#[test]
fn an_inner_loop_is_copied_and_then_counted_itself() {
    let after = unrolled(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^p ^m
         block ^p:
           loop ^k(%i) break ^k.m continue ^k.c
         block ^k(%j: %u32):
           %k.more: %bool = u_less_than %j, %three
           branch_if %k.more ^k.body ^k.m
         block ^k.body:
           function_call %record, %i, %j
           branch ^k.c
         block ^k.c:
           %j.next: %u32 = i_add %j, %one
           branch ^k(%j.next)
         block ^k.m:
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!((count(&after, Op::Loop), count(&after, Op::FunctionCall)), (0, 6));
}

#[test]
fn an_upper_bound_does_where_unrolling_is_demanded() {
    let body = while_loop("%bound", "%one", "1").replace(
        "loop ^h",
        "%least: %u32 = ext_inst %glsl, 38, %n, %two
           loop ^h",
    );
    let body = body.replace("%bound", "%least").replace("func %f", "%glsl = ext_inst_import \"GLSL.std.450\"\nfunc %f");
    let after = unrolled(&body);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::StructuredSwitch)), (0, 1));
}

#[test]
fn a_test_that_is_an_if_is_folded() {
    let after = unrolled(
        "func %f: %u32 () stage structured {
         block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           branch ^ask
         block ^ask:
           %done: %bool = u_greater_than_equal %i, %two
           if %done ^leave ^on merge ^on
         block ^leave:
           function_call %record, %one, %i
           branch ^m
         block ^on:
           function_call %record, %two, %i
           branch ^c
         block ^c:
           %i.next: %u32 = i_add %i, %one
           branch ^h(%i.next)
         block ^m:
           return_value %i
         }",
    );
    assert_eq!((count(&after, Op::Loop), count(&after, Op::If), count(&after, Op::FunctionCall)), (0, 0, 3));
}

#[test]
fn returns_in_the_body_stay_returns() {
    let before =
        lanes_module(&WITH_BREAK.replace("function_call %record, %one, %i\n   branch ^m", "return_value %ten"));
    let after = passed(&before, loop_unroll);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::ReturnValue)), (0, 4), "{}", text::print(&after));
    hold_same(&before, &after);
}

/// `for (v = 0; v < 3; ++v) body` with the counter in a variable.
const VARIABLE: &str = "%pointer = type_pointer 7, %u32
func %f: %u32 () stage structured {
 block ^entry:
   %v: %pointer = variable 7
   store %v, %zero
   loop ^h break ^m continue ^c control 1
 block ^h:
   branch ^ask
 block ^ask:
   %i: %u32 = load %v
   %more: %bool = u_less_than %i, %three
   branch_if %more ^body ^m
 block ^body:
   %in: %u32 = load %v
   function_call %record, %one, %in
   branch ^c
 block ^c:
   %old: %u32 = load %v
   %new: %u32 = i_add %old, %one
   store %v, %new
   branch ^h
 block ^m:
   %last: %u32 = load %v
   function_call %record, %two, %last
   return_value %last
 }";

#[test]
fn a_counter_that_is_a_variable() {
    let before = lanes_module(VARIABLE);
    let after = passed(&before, loop_unroll);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::FunctionCall), count(&after, Op::Load)), (0, 4, 1));
    hold_same(&before, &after);
}

#[test]
fn a_variable_that_is_stored_on_some_paths_is_no_counter() {
    let skipped = VARIABLE.replace(
        "function_call %record, %one, %in
   branch ^c",
        "%some: %bool = function_call %oracle, %in
   if %some ^again ^on merge ^on
 block ^again:
   store %v, %one
   branch ^on
 block ^on:
   branch ^c",
    );
    assert_eq!(refused(&skipped).0, "unroll-unknown");
    assert_eq!(refused(&VARIABLE.replace("= load %v\n   %new", "= load %v 1\n   %new")).0, "unroll-unknown");
}

#[test]
fn what_an_outer_loop_counts_tells_how_often_an_inner_one_repeats() {
    let inner = "store %w, %in
   loop ^k break ^k.m continue ^k.c control 1
 block ^k:
   branch ^k.ask
 block ^k.ask:
   %j: %u32 = load %w
   %outer: %u32 = load %v
   %bound: %u32 = i_sub %five, %outer
   %k.more: %bool = u_less_than %j, %bound
   branch_if %k.more ^k.body ^k.m
 block ^k.body:
   function_call %record, %four, %j
   branch ^k.c
 block ^k.c:
   %k.old: %u32 = load %w
   %k.new: %u32 = i_add %k.old, %one
   store %w, %k.new
   branch ^k
 block ^k.m:
   branch ^c";
    let nest = VARIABLE
        .replace("function_call %record, %one, %in\n   branch ^c", inner)
        .replace("store %v, %zero", "%w: %pointer = variable 7\n   store %v, %zero");
    let before = lanes_module(&nest);
    let after = passed(&before, loop_unroll);
    // From 0 to 5, from 1 to 4, and none from 2 to 3 but one.
    assert_eq!((count(&after, Op::Loop), count(&after, Op::FunctionCall)), (0, 5 + 3 + 1 + 1));
    hold_same(&before, &after);
}

/// Left before and behind the test, and continued out of a switch, a case of which is fallen into.
const LEFT_AND_CONTINUED: &str = "func %f: %u32 () stage structured {
 block ^entry:
   loop ^h(%zero, %zero) break ^m continue ^c control 1
 block ^h(%i: %u32, %sum: %u32):
   %early: %bool = function_call %oracle, %i
   branch_if %early ^leave ^ask
 edge ^leave:
   branch ^m(%sum)
 block ^ask:
   %more: %bool = u_less_than %i, %three
   branch_if %more ^body ^e
 edge ^e:
   branch ^m(%i)
 block ^body:
   %n: %u32 = function_call %number, %i
   %sum.body: %u32 = i_add %sum, %n
   structured_switch %n default ^d merge ^s [1 ^a] [2 ^b] [3 ^k]
 block ^a:
   branch ^c(%one)
 block ^b:
   function_call %record, %one, %i
   branch ^k
 block ^k:
   function_call %record, %two, %i
   %late: %bool = function_call %oracle, %two
   branch_if %late ^late.out ^k.on
 edge ^late.out:
   branch ^m(%n)
 block ^k.on:
   branch ^c(%two)
 block ^d:
   branch ^s
 block ^s:
   function_call %record, %three, %i
   branch ^c(%three)
 block ^c(%q: %u32):
   function_call %record, %four, %sum.body
   %i.next: %u32 = i_add %i, %one
   %sum.next: %u32 = i_add %sum.body, %q
   branch ^h(%i.next, %sum.next)
 block ^m(%r: %u32):
   function_call %record, %five, %r
   return_value %r
 }";

#[test]
fn ways_out_go_over_the_continue_target_where_a_switch_is_continued_out_of() {
    let before = lanes_module(LEFT_AND_CONTINUED);
    let after = passed(&before, loop_unroll);
    // One loop of one trip around each of the four copies, and one around them all.
    assert_eq!(count(&after, Op::Loop), 5, "{}", text::print(&after));
    hold_same(&before, &after);
    let bounded = LEFT_AND_CONTINUED.replace("%more: %bool = u_less_than %i, %three", "%less: %bool = u_less_than %i, %three\n   %asked: %bool = function_call %oracle, %three\n   %more: %bool = logical_and %less, %asked");
    let before = lanes_module(&bounded);
    hold_same(&before, &passed(&before, loop_unroll));
}

#[test]
fn a_test_that_returns_is_one() {
    let returned = WITH_BREAK.replace(
        "branch_if %more ^body ^m",
        "branch ^ask\n block ^ask:\n   if %more ^body ^gone merge ^body\n block ^gone:\n   return_value %five",
    );
    let before = lanes_module(&returned);
    let after = passed(&before, loop_unroll);
    assert_eq!((count(&after, Op::Loop), count(&after, Op::ReturnValue)), (0, 2), "{}", text::print(&after));
    hold_same(&before, &after);
}

#[test]
fn what_passes_before_made_of_a_loop_does_not_lose_its_count() {
    let with_barrier =
        LEFT_AND_CONTINUED.replace("block ^c(%q: %u32):", "block ^c(%q: %u32):\n   control_barrier %two, %two, %264");
    let returning = LEFT_AND_CONTINUED
        .replace("branch_if %late ^late.out ^k.on", "if %late ^late.out ^k.on merge ^k.on")
        .replace("edge ^late.out:\n   branch ^m(%n)", "block ^late.out:\n   return_value %n");
    for (number, body) in [VARIABLE, LEFT_AND_CONTINUED, &with_barrier, &returning, WITH_BREAK].into_iter().enumerate()
    {
        for before in [lower_returns, lower_continue_constructs, loop_peel, loop_rotate_all] {
            let lowered = passed(&lanes_module(body), before);
            let mut after = lowered.clone();
            let function = functions(&after)[0];
            let done = loop_unroll(&mut after, function);
            assert!(done.is_ok(), "{number}: {done:?}\n{}", text::print(&lowered));
            hold_same(&lowered, &after);
        }
    }
}

#[test]
fn loops_that_control_never_reaches_demand_nothing() {
    let dead = while_loop("%n", "%one", "1")
        .replace("block ^entry:\n", "block ^entry:\n           return_value %zero\n         block ^dead:\n");
    let mut module = lanes_module(&dead);
    let function = functions(&module)[0];
    assert_eq!(loop_unroll(&mut module, function).map(|_| ()), Ok(()));
}
