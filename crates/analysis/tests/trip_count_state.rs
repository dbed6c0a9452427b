//! How often loops repeat whose state is in variables, under flags, or in loops around; and whether they can be unrolled.

use reconverge_analysis::trip_count::{FullUnroll, FullUnrolls, Specialization, TripCount, TripCounts};
use reconverge_ir::{Block, Function, Module, Op, text};

const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%pointer = type_pointer 7, %u32
%true: %bool = constant_true
%false: %bool = constant_false
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%four: %u32 = constant 4
%five: %u32 = constant 5
%ten: %u32 = constant 10
%many: %u32 = constant 1000
%undef: %u32 = undef
%chosen: %u32 = spec_constant 4
%computed: %u32 = spec_constant_op 128, %chosen, %one
%glsl = ext_inst_import \"GLSL.std.450\"
func %touch: %void (%where: %pointer)
";

fn module(body: &str) -> (Module, Function, Vec<Block>) {
    let source = format!("{HEAD}func %f: %void (%n: %u32, %p: %bool) stage structured {{\n{body}\n}}\n");
    let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
    let terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let loops = terminators.filter(|&last| module.op(last) == Op::Loop);
    let headers = loops.map(|last| module.cast::<Block>(module.operand(last, 0)).expect("a header")).collect();
    (module, function, headers)
}

fn counts(body: &str) -> Vec<TripCount> {
    let (module, function, headers) = module(body);
    let counts = TripCounts::compute(&module, function);
    headers.into_iter().map(|header| counts.trip_count(header).clone()).collect()
}

fn judged(body: &str, specialization: Specialization) -> Vec<FullUnroll> {
    let (module, function, headers) = module(body);
    let judged = FullUnrolls::compute(&module, function, specialization, FullUnroll::LIMIT);
    headers.into_iter().map(|header| judged.full_unroll(header).expect("it is demanded").clone()).collect()
}

/// A loop over a variable: what is done before it, in its body, and behind its counter's load in the continue list.
fn over_variable((before, body, step): (&str, &str, &str)) -> TripCount {
    let found = counts(&format!(
        "block ^entry:
           %v: %pointer = variable 7
           {before}
           loop ^h break ^m continue ^c
         block ^h:
           %i: %u32 = load %v
           %more: %bool = u_less_than %i, %three
           branch_if %more ^body ^out
         edge ^out:
           branch ^m
         block ^body:
           {body}
         block ^c:
           %old: %u32 = load %v
           {step}
           branch ^h
         block ^m:
           return"
    ));
    found[0].clone()
}

const STEP: &str = "%new: %u32 = i_add %old, %one\nstore %v, %new";

#[test]
fn a_variable_that_every_iteration_stores_is_a_counter() {
    let TripCount::Exact(counted) = over_variable(("store %v, %zero", "branch ^c", STEP)) else { panic!() };
    assert_eq!((counted.repeats, counted.counters.len()), (3, 2));
    assert!(counted.counters.iter().all(|counter| *counter.values == [0, 1, 2, 3]));
    // Stored several times, but in a straight line.
    let twice = format!("{STEP}\n%newer: %u32 = i_add %new, %one\nstore %v, %newer");
    let TripCount::Exact(counted) = over_variable(("store %v, %zero", "branch ^c", &twice)) else { panic!() };
    assert_eq!(counted.repeats, 2);
}

#[test]
fn a_variable_that_anything_else_may_change_is_none() {
    let selection = "if %p ^then ^join.edge merge ^join\nedge ^join.edge:\nbranch ^join\nblock ^then:\nstore %v, %two\n\
        branch ^join\nblock ^join:\nbranch ^c";
    for unknown in [
        ("store %v, %n", "branch ^c", STEP),
        ("%start: %u32 = load %v", "branch ^c", STEP),
        ("store %v, %zero", "%call: %void = function_call %touch, %v\nbranch ^c", STEP),
        ("store %v, %zero", selection, STEP),
        ("store %v, %zero", "branch ^c", "%new: %u32 = i_add %old, %n\nstore %v, %new"),
        ("store %v, %zero", "branch ^c", "%odd: %u32 = load %v 1\n%new: %u32 = i_add %odd, %one\nstore %v, %new"),
    ] {
        assert_eq!(over_variable(unknown), TripCount::Unknown, "{unknown:?}");
    }
    assert_eq!(over_variable(("store %v, %zero", "branch ^c", "store %v, %old")), TripCount::Infinite);
}

#[test]
fn a_step_at_the_top_under_a_flag_counts() {
    let found = counts(
        "block ^entry:
           loop ^top(%false, %undef) break ^m continue ^latch
         block ^top(%again: %bool, %last: %u32):
           branch ^ask
         block ^ask:
           if %again ^step ^first merge ^h
         block ^step:
           %next: %u32 = i_add %last, %one
           branch ^h(%next)
         edge ^first:
           branch ^h(%zero)
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^latch ^out
         edge ^out:
           branch ^m
         block ^latch:
           branch ^top(%true, %i)
         block ^m:
           return",
    );
    let TripCount::Exact(counted) = &found[0] else { panic!("{found:?}") };
    assert_eq!(counted.repeats, 3);
    assert!(counted.counters.iter().any(|counter| *counter.values == [0, 1, 2, 3]));
}

/// The minimum also steps the counter: with `n` = 2 the loop never ends, whatever it does with 5.
#[test]
fn a_bound_is_weakened_where_it_bounds_alone() {
    let found = counts(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %least: %u32 = ext_inst %glsl, 38, %n, %five
           %more: %bool = u_less_than %i, %least
           branch_if %more ^c ^out
         edge ^out:
           branch ^m
         block ^c:
           %step: %u32 = bitwise_and %least, %one
           %next: %u32 = i_add %i, %step
           branch ^h(%next)
         block ^m:
           return",
    );
    assert_eq!(found, [TripCount::Unknown]);
}

/// Two loops, the inner one from `begin` to `bound`.
fn nest((outer_bound, begin, bound): (&str, &str, &str)) -> String {
    format!(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^c control 1
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, {outer_bound}
           branch_if %more ^open ^out
         edge ^out:
           branch ^m
         block ^open:
           %left: %u32 = i_sub %five, %i
           loop ^k({begin}) break ^k.m continue ^k.c control 1
         block ^k(%j: %u32):
           %k.more: %bool = u_less_than %j, {bound}
           branch_if %k.more ^k.c ^k.out
         edge ^k.out:
           branch ^k.m
         block ^k.c:
           %k.next: %u32 = i_add %j, %one
           branch ^k(%k.next)
         block ^k.m:
           branch ^c
         block ^c:
           %next: %u32 = i_add %i, %one
           branch ^h(%next)
         block ^m:
           return"
    )
}

#[test]
fn copies_of_a_loop_around_tell_how_often_an_inner_loop_repeats() {
    use FullUnroll::{Possible, Unknown};
    let open = |nest: &str| judged(nest, Specialization::Open);
    assert_eq!(open(&nest(("%three", "%i", "%left"))), [Possible, Possible]);
    assert_eq!(open(&nest(("%three", "%i", "%n"))), [Possible, Unknown]);
    // Nobody knows how many copies there are.
    assert_eq!(open(&nest(("%n", "%i", "%left"))), [Unknown, Unknown]);
    assert_eq!(open(&nest(("%n", "%zero", "%five"))), [Unknown, Possible]);
    // The test comes before the inner loop: there is none that begins with 6, and would go on until it wraps around.
    let unequal =
        nest(("%five", "%zero", "%left")).replace("%k.more: %bool = u_less_than", "%k.more: %bool = i_not_equal");
    assert_eq!(open(&unequal), [Possible, Possible]);
    let FullUnroll::TooLarge { copies, .. } = open(&nest(("%many", "%zero", "%many")))[0] else { panic!() };
    assert_eq!(copies, 1001);
}

#[test]
fn specialization_constants_have_their_defaults_or_none() {
    for bound in ["%chosen", "%computed"] {
        let nest = nest(("%three", "%i", bound));
        assert_eq!(judged(&nest, Specialization::Open), [FullUnroll::Possible, FullUnroll::Unknown]);
        assert_eq!(judged(&nest, Specialization::Default), [FullUnroll::Possible, FullUnroll::Possible]);
    }
}
