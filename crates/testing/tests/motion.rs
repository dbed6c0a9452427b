//! Value numbering and code motion on random programs with memory, traps, lanes and endless loops.
//!
//! A slice by default, 500,000 programs with `RECONVERGE_DEEP=1`. `RECONVERGE_LANES_FIRST` moves the seeds.

use reconverge_ir::{Function, Module};
use reconverge_passes::{MotionOptions, Placement, code_motion, value_numbering};
use reconverge_testing::is_deep;
use reconverge_testing::motion::{MovingPass, Seen, Witness, judge_motion};
use reconverge_verify::Claims;

fn first_seed() -> u64 {
    std::env::var("RECONVERGE_LANES_FIRST")
        .map_or(0, |first| first.parse().expect("RECONVERGE_LANES_FIRST is a number"))
}

fn count() -> u64 {
    std::env::var("RECONVERGE_MOTION_COUNT")
        .map_or(if is_deep() { 100_000 } else { 400 }, |count| count.parse().unwrap())
}

/// Holds that a pass stands its trial.
fn hold(salt: u64, pass: &mut MovingPass<'_>) -> Seen {
    let first = first_seed() + (salt << 40);
    let seen =
        judge_motion(first..first + count(), 14, Witness::Motion, pass).unwrap_or_else(|message| panic!("{message}"));
    eprintln!("{seen:?}");
    assert!(seen.changed * 4 > seen.programs && seen.open * 4 < seen.runs && seen.cut > 0, "{seen:?}");
    seen
}

fn moved(module: &mut Module, function: Function, placement: Placement) {
    code_motion(module, function, &MotionOptions { placement, ..MotionOptions::default() });
}

#[test]
fn code_motion_to_the_cheapest_places() {
    hold(1, &mut |module, function| {
        moved(module, function, Placement::Cheapest);
        Claims::default()
    });
}

#[test]
fn code_motion_to_any_legal_place() {
    let mut seed = 0;
    hold(2, &mut |module, function| {
        seed = function.inst().index() as u64 * 7 + 1;
        moved(module, function, Placement::AnyLegal(seed));
        Claims::default()
    });
}

#[test]
fn merged_values() {
    hold(3, &mut |module, function| {
        let replaced = value_numbering(module, function).replaced;
        Claims { replaced, ..Claims::default() }
    });
}

#[test]
fn merged_values_then_the_cheapest_places() {
    hold(4, &mut |module, function| {
        let replaced = value_numbering(module, function).replaced;
        moved(module, function, Placement::Cheapest);
        Claims { replaced, ..Claims::default() }
    });
}

#[test]
fn merged_values_then_any_legal_place() {
    hold(5, &mut |module, function| {
        let replaced = value_numbering(module, function).replaced;
        moved(module, function, Placement::AnyLegal(module.capacity() as u64));
        Claims { replaced, ..Claims::default() }
    });
}
