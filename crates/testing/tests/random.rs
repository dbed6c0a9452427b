//! Filled random graphs of 10 to 200 blocks, half of them irreducible; 4,000 with `RECONVERGE_DEEP=1`.

use reconverge_restructure::Options;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::judge::Validator;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::random::mix;
use reconverge_testing::trial::{Measure, trial};

/// How many functions are judged as one module.
const BATCH: usize = 20;

fn try_all(name: &str, count: usize, options: &Options, make: impl Fn(u64) -> PlainGraph) -> Vec<Measure> {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let mut measures = Vec::new();
    for first in (0..count).step_by(BATCH) {
        let graphs: Vec<PlainGraph> = (first..(first + BATCH).min(count)).map(|seed| make(seed as u64)).collect();
        match trial(&graphs, first as u64, options, Some(&validator)) {
            Ok(found) => measures.extend(found),
            Err(message) => panic!("{name}, seeds from {first}: {message}"),
        }
    }
    measures
}

/// 10 to 200 blocks; small ones more often.
fn size(seed: u64) -> usize {
    let spread = mix(seed) as usize % 1_000;
    10 + spread * spread * 190 / 1_000_000
}

fn many(default: usize, deep: usize) -> usize {
    if is_deep() { deep } else { default }
}

/// Checks the median of the growth in blocks to a bound.
fn check_growth(measures: &[Measure], bound: f64) {
    let mut growth: Vec<f64> = measures.iter().map(Measure::growth).collect();
    growth.sort_by(f64::total_cmp);
    let median = growth[growth.len() / 2];
    assert!(median <= bound, "blocks after for each block before: median {median:.3}, bound {bound}");
}

#[test]
fn reducible() {
    let measures =
        try_all("reducible", many(100, 2_000), &Options::default(), |seed| random(seed, size(seed), Cycles::Reducible));
    check_growth(&measures, 1.65);
}

#[test]
fn irreducible() {
    let measures = try_all("irreducible", many(100, 2_000), &Options::default(), |seed| {
        random(seed, size(seed), Cycles::Irreducible)
    });
    check_growth(&measures, 1.76);
}

#[test]
fn structured_programs() {
    let measures =
        try_all("structured", many(40, 400), &Options::default(), |seed| structured(seed, size(seed), Form::Plain));
    check_growth(&measures, 1.05);
}

#[test]
fn loop_simplified_programs() {
    let measures = try_all("loop-simplified", many(40, 400), &Options::default(), |seed| {
        structured(seed, size(seed), Form::LoopSimplified)
    });
    // An edge from a selection to the continue target has a block of its own, for SPIRV-Cross.
    check_growth(&measures, 1.12);
}

#[test]
fn optimized_programs() {
    try_all("optimized", many(40, 400), &Options::default(), |seed| structured(seed, size(seed), Form::Optimized));
}

#[test]
fn wild_graphs() {
    try_all("wild", many(200, 2_000), &Options::default(), |seed| wild(seed, 3 + seed as usize % 30));
}

#[test]
fn low_limits() {
    let options = Options::new().nesting_limit(3).chain_limit(2);
    try_all("wild", many(40, 400), &options, |seed| wild(seed, 3 + seed as usize % 30));
    try_all("reducible", many(20, 200), &options, |seed| random(seed, size(seed), Cycles::Reducible));
    try_all("irreducible", many(20, 200), &options, |seed| random(seed, size(seed), Cycles::Irreducible));
    try_all("optimized", many(20, 200), &options, |seed| structured(seed, size(seed), Form::Optimized));
}

#[test]
fn flat_form() {
    let options = Options::new().nesting_limit(0);
    try_all("wild", many(40, 400), &options, |seed| wild(seed, 3 + seed as usize % 30));
    try_all("reducible", many(10, 100), &options, |seed| random(seed, size(seed), Cycles::Reducible));
}
