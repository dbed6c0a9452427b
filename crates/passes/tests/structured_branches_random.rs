//! The passes over branches on random programs whose lanes go different ways: verified, idempotent, equal records and ballots.
//!
//! A slice by default; `RECONVERGE_DEEP=20000` is how many programs a pass gets then.

use reconverge_ir::{Function, Module, Op, terminator::operand};
use reconverge_passes::structured::{
    SelectLimits, StructuredError, fold_constant_branches, if_to_select_within, invert_empty_arms, join_equal_jumps,
    merge_terminators, remove_dead_control_flow,
};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, Records, SubgroupUse, lanes_program, lower};
use reconverge_testing::lanes::{Idempotence, Inputs, PassTrial, compare, judge_pass};
use reconverge_testing::random::Random;
use reconverge_verify::verify;

type Pass = fn(&mut Module, Function) -> Result<bool, StructuredError>;

const PASSES: [(&str, Pass); 7] = [
    ("remove_dead_control_flow", remove_dead_control_flow),
    ("fold_constant_branches", fold_constant_branches),
    ("invert_empty_arms", invert_empty_arms),
    ("join_equal_jumps", join_equal_jumps),
    ("merge_terminators", merge_terminators),
    ("if_to_select", |module, function| if_to_select_within(module, function, SelectLimits::default())),
    ("if_to_select, generous", |module, function| {
        if_to_select_within(module, function, SelectLimits { plain: 1000, flatten: 1000 })
    }),
];

/// How many programs each pass gets.
fn programs() -> u64 {
    std::env::var("RECONVERGE_DEEP").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// Programs with few records, so that constructs without effect occur, and with many.
fn trials() -> [PassTrial; 2] {
    let few = LaneOptions { subgroup: SubgroupUse::None, records: Records::Some, kill: true, ..LaneOptions::default() };
    let idempotence = Idempotence::Held;
    [
        PassTrial { options: few, lanes: vec![1, 7], idempotence, validated: 0, ..PassTrial::default() },
        PassTrial { lanes: vec![4, 16], idempotence, validated: 0, ..PassTrial::default() },
    ]
}

fn judge(name: &str) {
    let &(_, pass) = PASSES.iter().find(|(known, _)| *known == name).unwrap();
    for trial in trials() {
        let mut run = |module: &mut Module, function: Function| pass(module, function).map_err(|error| error.to_string());
        match judge_pass(0..programs() / 2, &trial, &mut run) {
            Ok(figures) => eprintln!("{name}: {figures:?}"),
            Err(message) => panic!("{name}: {message}"),
        }
    }
}

#[test]
fn remove_dead_control_flow_on_random_programs() {
    judge("remove_dead_control_flow");
}

#[test]
fn fold_constant_branches_on_random_programs() {
    judge("fold_constant_branches");
}

#[test]
fn invert_empty_arms_on_random_programs() {
    judge("invert_empty_arms");
}

#[test]
fn join_equal_jumps_on_random_programs() {
    judge("join_equal_jumps");
}

#[test]
fn merge_terminators_on_random_programs() {
    judge("merge_terminators");
}

#[test]
fn if_to_select_on_random_programs() {
    judge("if_to_select");
    judge("if_to_select, generous");
}
