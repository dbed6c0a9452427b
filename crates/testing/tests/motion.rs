//! Value numbering and code motion on random programs with memory, traps, lanes and endless loops.
//!
//! A slice by default, 500,000 programs with `RECONVERGE_DEEP=1`. `RECONVERGE_LANES_FIRST` moves the seeds.

use reconverge_ir::{Function, Module};
use reconverge_optimize::Analyses;
use reconverge_optimize::{
    MotionOptions, Placement, correlated_value_propagation, dce, gcm, gvn, load_pre, sccp, simplify, strength_reduction,
};
use reconverge_testing::motion::{MovingPass, Witness, judge_motion};
use reconverge_testing::{first_seed, is_deep};
use reconverge_verify::Claims;

/// How many programs for each test; `RECONVERGE_MOTION_COUNT` says so as well.
fn count() -> u64 {
    let wanted = std::env::var("RECONVERGE_MOTION_COUNT");
    wanted.map_or(if is_deep() { 84_000 } else { 150 }, |count| count.parse().expect("a number of programs"))
}

/// Holds that passes stand their trial.
fn hold(salt: u64, steps: &mut [&mut MovingPass<'_>]) {
    let first = first_seed() + (salt << 40);
    let seen = judge_motion(first..first + count(), 14, Witness::Motion, steps);
    let seen = seen.unwrap_or_else(|message| panic!("{message}"));
    eprintln!("{seen:?}");
    assert!(seen.changed * 4 > seen.programs && seen.open * 4 < seen.runs, "{seen:?}");
}

fn moved(module: &mut Module, function: Function, placement: Placement) -> Claims {
    gcm(module, function, &MotionOptions { placement, ..MotionOptions::default() }, &mut Analyses::default());
    Claims::default()
}

fn cheapest(module: &mut Module, function: Function) -> Claims {
    moved(module, function, Placement::Cheapest)
}

/// Places by a seed that is another one for each function that differs in size.
fn any_legal(module: &mut Module, function: Function) -> Claims {
    let seed = (module.capacity() * 64 + function.inst().index()) as u64;
    moved(module, function, Placement::AnyLegal(seed))
}

fn numbered(module: &mut Module, function: Function) -> Claims {
    Claims { replaced: gvn(module, function, &mut Analyses::default()).replaced, ..Claims::default() }
}

#[test]
fn code_motion_to_the_cheapest_places() {
    hold(1, &mut [&mut cheapest]);
}

#[test]
fn code_motion_to_any_legal_place() {
    hold(2, &mut [&mut any_legal]);
}

#[test]
fn merged_values() {
    hold(3, &mut [&mut numbered]);
}

#[test]
fn merged_values_then_the_cheapest_places() {
    hold(4, &mut [&mut numbered, &mut cheapest]);
}

#[test]
fn any_legal_place_then_merged_values_then_any_legal_place() {
    hold(5, &mut [&mut any_legal, &mut numbered, &mut any_legal]);
}

/// The passes that look at single instructions, and what they leave without a use.
fn simpler(module: &mut Module, function: Function) -> Claims {
    correlated_value_propagation(module, function, &mut Analyses::default());
    sccp(module, function);
    simplify(module, function, &mut Analyses::default());
    strength_reduction(module, function, &mut Analyses::default());
    dce(module, function);
    Claims::default()
}

/// Loads behind joins, whose pointers were numbered.
fn joined(module: &mut Module, function: Function) -> Claims {
    load_pre(module, function, &mut Analyses::default());
    Claims::default()
}

fn decided(module: &mut Module, function: Function) -> Claims {
    correlated_value_propagation(module, function, &mut Analyses::default());
    Claims::default()
}

/// Checks that what lanes do is the same, whatever moved where; so many of a hundred programs must change.
fn check_behaviour(salt: u64, percent: usize, steps: &mut [&mut MovingPass<'_>]) {
    let first = first_seed() + (salt << 40);
    let seen = judge_motion(first..first + count(), 14, Witness::Behaviour, steps);
    let seen = seen.unwrap_or_else(|message| panic!("{message}"));
    eprintln!("{seen:?}");
    assert!(seen.changed * 100 > seen.programs * percent && seen.open * 4 < seen.runs, "{seen:?}");
}

#[test]
fn joined_loads() {
    check_behaviour(7, 10, &mut [&mut joined]);
}

#[test]
fn conditions() {
    check_behaviour(8, 10, &mut [&mut decided]);
}

#[test]
fn all_of_the_optimizer() {
    let first = first_seed() + (6 << 40);
    let [mut first_time, mut second_time] = [simpler; 2];
    let steps: &mut [&mut MovingPass<'_>] =
        &mut [&mut first_time, &mut numbered, &mut joined, &mut cheapest, &mut second_time];
    let seen = judge_motion(first..first + count(), 14, Witness::Behaviour, steps);
    eprintln!("{:?}", seen.unwrap_or_else(|message| panic!("{message}")));
}
