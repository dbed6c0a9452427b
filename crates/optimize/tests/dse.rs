//! Stores that make no difference go, and no others.

use reconverge_ir::{Module, Op};
use reconverge_optimize::Analyses;
use reconverge_optimize::dse;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};

/// Types of pointers that the programs begin with.
const MEMORY: &str = "%pair = type_array %u32, %two
%own = type_pointer Function, %u32
%own_pair = type_pointer Function, %pair
%private = type_pointer Private, %u32
%shared = type_pointer Workgroup, %u32
%buffer = type_pointer CrossWorkgroup, %u32
%p: %private = variable Private
%q: %private = variable Private
%w: %shared = variable Workgroup
%fn = type_function %void
%scope: %u32 = constant 2
%semantics: %u32 = constant 264
";

/// Removes in every function. The result is valid, does the same, and has nothing left to remove. How many went.
#[track_caller]
fn swept(source: &str) -> (Module, usize) {
    let before = module(&format!("{MEMORY}{source}"));
    hold_verified(&before);
    let mut after = before.clone();
    let gone = functions(&before).into_iter().map(|function| dse(&mut after, function, &mut Analyses::default())).sum();
    hold_verified(&after);
    hold_equal(&before, &after);
    let again: usize =
        functions(&before).into_iter().map(|function| dse(&mut after, function, &mut Analyses::default())).sum();
    assert_eq!(again, 0, "nothing is left to do");
    (after, gone)
}

/// How many stores go from a function with this body, of one block or several. It returns a number.
#[track_caller]
fn gone(body: &str) -> usize {
    let function = "func %f: %u32 (%n: %u32, %c: %bool, %b: %buffer, %d: %buffer)";
    swept(&format!("{function} {{\nblock ^entry:\n{body}\n}}")).1
}

const DIAMOND: &str = "branch_if %c ^then ^else
block ^then:";

#[test]
fn overwritten_on_all_ways() {
    for (first, second, expected) in [
        ("store %v, %two", "store %v, %three", 1),
        ("store %v, %two", "", 0),
        ("store %v, %two\n%z: %u32 = load %v\nstore %b, %z", "store %v, %three", 1),
        ("%z: %u32 = load %v\nstore %b, %z\nstore %v, %two", "store %v, %three", 0),
        ("copy_memory %v, %b", "copy_memory %v, %d", 1),
    ] {
        let body = format!(
            "%v: %own = variable Function
             store %v, %one
             {DIAMOND}
               {first}
               branch ^join
             block ^else:
               {second}
               branch ^join
             block ^join:
               %r: %u32 = load %v
               return_value %r"
        );
        assert_eq!(gone(&body), expected, "{first} and {second}");
    }
}

#[test]
fn never_read_again() {
    let ends = |what: &str| gone(&format!("%v: %own = variable Function\n{what}\nreturn_value %n"));
    assert_eq!(ends("store %v, %n"), 1);
    assert_eq!(ends("store %v, %n\n%r: %u32 = load %v\nstore %b, %r\nstore %v, %two"), 1);
    assert_eq!(ends("store %v, %n, 1"), 0, "volatile");
    assert_eq!(ends("store %b, %n"), 0, "others read it");
    assert_eq!(ends("store %w, %n"), 0, "others read it");
    assert_eq!(ends("store %p, %n"), 0, "the caller reads it");
    assert_eq!(ends("copy_memory %v, %b"), 1);
    assert_eq!(ends("lifetime_start %v, 0\nstore %v, %n\n%r: %u32 = load %v\nstore %v, %r\nlifetime_stop %v, 0"), 1);
}

#[test]
fn private_memory_ends_with_an_entry_point() {
    let source = |called: &str| {
        format!(
            "entry_point GLCompute, %main, \"main\"
             func %main: %void () type %fn {{
             block ^entry:
               store %p, %one
               store %q, %one
               {called}
               %r: %u32 = load %q
               store %q, %r
               store %w, %r
               store %q, %two
               return
             }}
             func %callee: %void () type %fn {{
             block ^entry:
               store %p, %two
               return
             }}"
        )
    };
    assert_eq!(swept(&source("")).1, 3, "the first of %p, the second and third of %q");
    let (after, gone) = swept(&source("%x: %void = function_call %callee"));
    assert_eq!((gone, count(&after, Op::Store)), (2, 4), "the callee may read both, and its own store is its caller's");
}

#[test]
fn held_already() {
    let before = |middle: &str| {
        gone(&format!(
            "%v: %own = variable Function\n%s: %u32 = load %b\nstore %b, %n\n%x: %u32 = load %d\n{middle}
             %y: %u32 = load %b\n%z: %u32 = load %d\n%r: %u32 = i_add %y, %z\nreturn_value %r"
        ))
    };
    assert_eq!(before("store %d, %x"), 1, "what was loaded");
    assert_eq!(before("store %b, %n"), 1, "what was stored");
    assert_eq!(before("store %b, %two\nstore %d, %x"), 0, "%b and %d may be one");
    assert_eq!(before("store %b, %x"), 0, "loaded from elsewhere");
    assert_eq!(before("store %d, %x, 1"), 0, "volatile");
}

#[test]
fn a_loop_writes_what_it_wrote_only_where_nothing_changed() {
    let program = |inside: &str| {
        gone(&format!(
            "%v: %own_pair = variable Function
             %e0: %own = access_chain %v, %zero
             %e1: %own = access_chain %v, %one
             store %e0, %n
             store %e1, %n
             branch ^head(%zero)
             block ^head(%i: %u32):
               %x: %u32 = load %e0
               {inside}
               %i2: %u32 = i_add %i, %one
               %more: %bool = u_less_than %i2, %three
               branch_if %more ^around ^out
             edge ^around:
               branch ^head(%i2)
             block ^out:
               %y: %u32 = load %e1
               %r: %u32 = i_add %x, %y
               return_value %r"
        ))
    };
    assert_eq!(program("store %e0, %n"), 0, "what the loop begins with is a join, of this store too");
    assert_eq!(program("store %e0, %x"), 1);
    assert_eq!(program("store %e0, %i"), 0);
    // The last iteration writes for who comes behind the loop, and so does what comes before if there were none.
    assert_eq!(program("store %e1, %i"), 1, "the one before the loop");
    assert_eq!(program("%at: %own = access_chain %v, %i\nstore %at, %i"), 0);
}

#[test]
fn parts_and_wholes() {
    let pair = |what: &str| {
        gone(&format!(
            "%v: %own_pair = variable Function
             %u: %own_pair = variable Function
             %e0: %own = access_chain %v, %zero
             %e1: %own = access_chain %v, %one
             %en: %own = access_chain %v, %n
             {what}
             %a: %u32 = load %e0
             %z: %u32 = load %e1
             %r: %u32 = i_add %a, %z
             return_value %r"
        ))
    };
    assert_eq!(pair("%both: %pair = composite_construct %n, %n\nstore %e0, %one\nstore %v, %both"), 1);
    assert_eq!(pair("%both: %pair = composite_construct %n, %n\nstore %v, %both\nstore %e0, %one"), 0);
    assert_eq!(pair("store %e0, %one\nstore %e1, %one\nstore %e0, %two"), 1);
    assert_eq!(pair("store %e0, %one\nstore %e1, %one\nstore %en, %two"), 0);
    assert_eq!(pair("store %e0, %one\nstore %e1, %one\nstore %en, %two\nstore %en, %three"), 1);
    assert_eq!(
        pair("store %e0, %one\nstore %e1, %one\nstore %en, %two\n%k: %u32 = load %e1\nstore %b, %k\nstore %en, %three"),
        0
    );
    assert_eq!(
        pair("store %e0, %n\nstore %e1, %one\ncopy_memory %u, %v\nstore %e0, %two"),
        2,
        "the copy, and what only it read"
    );
}

#[test]
fn a_pointer_that_is_computed_anew_is_another() {
    let body = "%v: %own_pair = variable Function
         %e0: %own = access_chain %v, %zero
         %e1: %own = access_chain %v, %one
         store %e0, %n
         store %e1, %n
         branch ^head(%zero)
         block ^head(%i: %u32):
           %at: %own = access_chain %v, %i
           store %at, %i
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, %two
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2)
         block ^out:
           store %at, %three
           %x: %u32 = load %e0
           %y: %u32 = load %e1
           %r: %u32 = i_add %x, %y
           return_value %r";
    assert_eq!(gone(body), 0);
}

#[test]
fn what_lanes_share_is_read_by_who_may_look() {
    let shared = |middle: &str| gone(&format!("store %w, %n\n{middle}\nstore %w, %two\nreturn_value %n"));
    assert_eq!(shared(""), 1);
    assert_eq!(shared("store %b, %n"), 1, "other memory");
    assert_eq!(shared("control_barrier %scope, %scope, %semantics"), 0);
    assert_eq!(shared("memory_barrier %scope, %semantics"), 0);
    assert_eq!(shared("%old: %u32 = atomic_i_add %w, %scope, %zero, %one"), 0);
    assert_eq!(shared("%x: %u32 = load %w"), 0);
    assert_eq!(
        shared("branch ^head\nblock ^head:\nbranch_if %c ^on ^again\nedge ^again:\nbranch ^head\nblock ^on:"),
        0
    );
}

#[test]
fn in_a_loop_without_end_what_others_see_stays() {
    let endless = |pointer: &str| {
        gone(&format!(
            "%v: %own = variable Function
             branch ^head(%zero)
             block ^head(%i: %u32):
               store {pointer}, %i
               %next: %u32 = i_add %i, %one
               branch ^head(%next)"
        ))
    };
    assert_eq!([endless("%b"), endless("%w"), endless("%v")], [0, 0, 1]);
}

#[test]
fn who_has_the_address_may_read() {
    let call = |what: &str| {
        swept(&format!(
            "func %f: %u32 (%n: %u32) {{
             block ^entry:
               %v: %own = variable Function
               %u: %own = variable Function
               {what}
               return_value %n
             }}
             func %callee: %u32 (%at: %own) {{
             block ^entry:
               %r: %u32 = load %at
               store %at, %two
               return_value %r
             }}"
        ))
        .1
    };
    assert_eq!(
        call("store %v, %n\nstore %u, %n\n%x: %u32 = function_call %callee, %v"),
        1,
        "that of %u, and what the callee leaves stays"
    );
    assert_eq!(call("store %v, %n\n%x: %u32 = function_call %callee, %v\nstore %v, %two"), 1);
    assert_eq!(call("store %v, %n\nstore %v, %two\n%x: %u32 = function_call %callee, %v"), 1);
}
