//! What nobody needs goes, and nothing else.

use reconverge_ir::{Line, Location, Module, Op};
use reconverge_optimize::dce;
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::wild::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module, named};

/// Removes in every function. The result is valid, does the same, and has nothing left to remove.
fn swept(before: &Module) -> (Module, usize) {
    hold_verified(before);
    let mut after = before.clone();
    let gone = functions(before).into_iter().map(|function| dce(&mut after, function)).sum();
    hold_verified(&after);
    hold_equal(before, &after);
    let again: usize = functions(before).into_iter().map(|function| dce(&mut after, function)).sum();
    assert_eq!(again, 0, "nothing is left to do");
    (after, gone)
}

#[test]
fn values_and_parameters_that_only_feed_each_other_go_together() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^header(%zero, %one)
         block ^header(%i: %u32, %unread: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^exit
         block ^body:
           %next: %u32 = i_add %i, %one
           %feeds: %u32 = i_mul %unread, %next
           branch ^header(%next, %feeds)
         block ^exit:
           return_value %i
         }",
    );
    let (after, gone) = swept(&before);
    assert_eq!((gone, count(&after, Op::IMul), count(&after, Op::BlockParameter)), (2, 0, 1));
}

#[test]
fn variables_that_are_only_written_go_with_what_writes_them() {
    let before = module(
        "%pointer = type_pointer Function, %u32
         %array = type_array %u32, %two
         %array_pointer = type_pointer Function, %array
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %unread: %array_pointer = variable Function
           %copied: %array_pointer = variable Function
           %read: %pointer = variable Function
           lifetime_start %unread, 0
           %element: %pointer = access_chain %unread, %one
           %value: %u32 = i_mul %n, %n
           store %element, %value
           copy_memory %unread, %copied
           store %read, %n
           lifetime_stop %unread, 0
           %r: %u32 = load %read
           return_value %r
         }",
    );
    let (after, gone) = swept(&before);
    assert_eq!((gone, count(&after, Op::Variable), count(&after, Op::Store)), (8, 1, 1));
}

#[test]
fn what_a_needed_variable_holds_is_needed() {
    let before = module(
        "%pointer = type_pointer Function, %u32
         %pointer_pointer = type_pointer Function, %pointer
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %a: %pointer = variable Function
           %holder: %pointer_pointer = variable Function
           store %a, %n
           store %holder, %a
           %back: %pointer = load %holder
           %r: %u32 = load %back
           return_value %r
         }",
    );
    assert_eq!(swept(&before).1, 0);
}

#[test]
fn effects_stay() {
    let before = module(
        "%glsl = ext_inst_import \"GLSL.std.450\"
         %cl = ext_inst_import \"OpenCL.std\"
         %pointer = type_pointer Function, %u32
         %outer = type_pointer CrossWorkgroup, %u32
         %float_pointer = type_pointer Function, %f32
         %v4 = type_vector %f32, 4
         %x: %f32 = constant 1065353216
         func %outside: %u32 (%n: %u32)
         func %f: %u32 (%n: %u32, %p: %outer) {
         block ^entry:
           %volatile: %pointer = variable Function
           %whole: %float_pointer = variable Function
           store %volatile, %n 1
           %kept_load: %u32 = load %volatile 1
           %kept_call: %u32 = function_call %outside, %n
           %kept_fract: %f32 = ext_inst %cl, 30, %x, %whole
           %kept_atomic: %u32 = atomic_i_add %p, %one, %zero, %n
           %dead_load: %u32 = load %p
           %dead_sin: %f32 = ext_inst %glsl, 13, %x
           %dead_cos: %f32 = ext_inst %cl, 14, %x
           %dead_vload: %v4 = ext_inst %cl, 171, %n, %whole, 4
           %dead_division: %u32 = u_div %n, %zero
           store %p, %n
           return_value %n
         }",
    );
    let mut after = before.clone();
    let f = functions(&before)[0];
    assert_eq!(dce(&mut after, f), 5);
    hold_verified(&after);
    for name in ["kept_load", "kept_call", "kept_fract", "kept_atomic", "volatile", "whole"] {
        named(&after, name);
    }
    assert_eq!(count(&after, Op::Store), 2);
}

#[test]
fn locations_of_what_goes_hold_on_for_what_stays() {
    let before = module(
        "%file = string \"k.cl\"
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %dead: %u32 = i_add %n, %one at %file 3:1
           %kept: %u32 = i_add %n, %two
           return_value %kept
         }",
    );
    let (after, _) = swept(&before);
    assert!(matches!(after.location(named(&after, "kept")), Some(Location { line: Some(Line { line: 3, .. }), .. })));
}

#[test]
fn random_graphs_do_the_same() {
    for seed in 0..12 {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 2)).collect();
        let before = program_from_graph::with_calls(&graphs, seed);
        let mut after = before.module.clone();
        for &function in &before.functions {
            dce(&mut after, function);
        }
        hold_verified(&after);
        let versions = (Version::new(&before.module), Version::new(&after));
        for (&function, graph) in before.functions.iter().zip(&graphs) {
            if let Err(message) = compare_walks(&versions.0, &versions.1, function, graph, seed) {
                panic!("seed {seed}, {graph}: {message}");
            }
        }
    }
}

/// Many parameters at one block, half of them dead: each jump is written once.
#[test]
fn wide_blocks_take_linear_time() {
    let parameters = 20_000;
    let list =
        |prefix: &str| (0..parameters).map(|number| format!("%{prefix}{number}: %u32")).collect::<Vec<_>>().join(", ");
    let arguments = |value: &str| vec![value; parameters].join(", ");
    let mut sum = String::new();
    for number in (0..parameters).step_by(2) {
        sum += &format!("  %s{number}: %u32 = i_add %p{number}, %n\n");
        sum += &format!("  store %v, %s{number} 1\n");
    }
    let source = format!(
        "%pointer = type_pointer Function, %u32
         func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %v: %pointer = variable Function
           branch_if %c ^a ^b
         block ^a:
           branch ^m({})
         block ^b:
           branch ^m({})
         block ^m({}):
         {sum}
           return_value %n
         }}",
        arguments("%one"),
        arguments("%n"),
        list("p")
    );
    let mut wide = module(&source);
    let function = functions(&wide)[0];
    assert_eq!(dce(&mut wide, function), parameters / 2);
}
