//! The bars that the structurizer is held to, beside what was measured.
//!
//! A variable that stands for phis counts as a parameter. Times are those of the plan alone: the shortest of twenty runs.

use reconverge::structurize::{Options, Plan, structurize};
use reconverge_testing::generators::shapes::{self, Maker};
use reconverge_testing::torture::scaling::exponent;

use crate::contestant::{Contestant, timed};
use crate::sets::{
    BREAKS_TO_EVERY_LEVEL, IRREDUCIBLE, IRREDUCIBLE_PLAIN, LOOP_SIMPLIFIED, REDUCIBLE, REDUCIBLE_PLAIN, STRUCTURED,
    lists,
};
use crate::statistics::Row;

const RUNS: usize = 20;

/// The table of bars.
pub(crate) fn print(rows: &[Row]) {
    println!("| what | bar | measured | |");
    println!("|---|---|---|---|");
    three_breaks();
    for (name, make, size) in QUICK_SHAPES {
        let (_, milliseconds) = plan(make, size);
        bar(&format!("{name}, N = {size}: plan"), "≤ 2 ms", &format!("{milliseconds:.2} ms"), milliseconds <= 2.0);
    }
    speed(rows);
    random_sets(rows);
    breaks_to_every_level(rows);
}

const QUICK_SHAPES: [(&str, Maker, usize); 3] = [
    ("if/else in a row", shapes::diamonds, 1024),
    ("else-if ladder", shapes::ladder, 512),
    ("nested ifs, one merge", shapes::nested_ifs, 256),
];

fn bar(what: &str, bar: &str, measured: &str, is_met: bool) {
    println!("| {what} | {bar} | {measured} | {} |", if is_met { "met" } else { "**missed**" });
}

fn plan(make: Maker, size: usize) -> (Plan, f64) {
    let graph = lists(&make(size));
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..RUNS {
        let (plan, milliseconds) = timed(|| structurize(&graph, &Options::default()));
        best = best.min(milliseconds);
        last = Some(plan.expect("the shape is within the limits"));
    }
    (last.expect("there are runs"), best)
}

fn three_breaks() {
    let doublings = [512, 1024, 2048, 4096, 8192, 16_384].map(|size| (size, plan(shapes::three_breaks, size)));
    let points = doublings.each_ref().map(|(_, (plan, milliseconds))| {
        let blocks = plan.statistics().input_blocks as f64;
        (blocks, *milliseconds)
    });
    let [(_, (_, first)), .., (_, (_, last))] = &doublings;
    bar("three shared breaks, N = 512: plan", "≤ 2 ms", &format!("{first:.2} ms"), *first <= 2.0);
    let exponent = exponent(&points);
    let measured = format!("{exponent:.2} ({last:.1} ms for N = 16 384)");
    bar("the same, N = 512 to 16 384 by doublings: exponent of time", "≤ 1.1", &measured, exponent <= 1.1);
    for (size, (plan, _)) in [&doublings[0], &doublings[5]] {
        let statistics = plan.statistics();
        let added = statistics.plan_blocks - statistics.input_blocks;
        bar(&format!("the same, N = {size}: blocks added"), "≤ 4", &added.to_string(), added <= 4);
        let nesting = statistics.nesting_depth;
        bar(&format!("the same, N = {size}: nesting"), "≤ 4", &nesting.to_string(), nesting <= 4);
    }
}

/// Blocks planned in a second, over everything in the first table.
fn speed(rows: &[Row]) {
    let ours = rows.iter().filter(|row| row.contestant == Contestant::Reconverge);
    let measures = ours.flat_map(|row| &row.measures);
    let timed = measures.filter_map(|measure| Some((measure.blocks_before as f64, measure.times.plan?)));
    let (blocks, milliseconds) =
        timed.fold((0.0, 0.0), |sum, (blocks, milliseconds)| (sum.0 + blocks, sum.1 + milliseconds));
    let each_second = blocks / milliseconds / 1000.0;
    let measured = format!("{each_second:.2} million");
    bar("all sets above: blocks planned in a second", "≥ 1 million", &measured, each_second >= 1.0);
}

fn random_sets(rows: &[Row]) {
    let ours = |name: &str| rows.iter().find(|row| row.set == name && row.contestant == Contestant::Reconverge);
    for (name, greatest) in [(REDUCIBLE, 1.5), (IRREDUCIBLE, 1.6), (STRUCTURED, 1.03), (LOOP_SIMPLIFIED, 1.10)] {
        let Some(growth) = ours(name).and_then(Row::growth) else { continue };
        let what = format!("{name}: blocks out to blocks in, median");
        bar(&what, &format!("≤ {greatest:.2}"), &format!("{:.2}", growth.median), growth.median <= greatest);
    }
    for name in [REDUCIBLE_PLAIN, IRREDUCIBLE_PLAIN] {
        let Some(parameters) = ours(name).and_then(Row::parameters) else { continue };
        bar(
            &format!("{name}: parameters, median"),
            "≤ 80",
            &format!("{}", parameters.median),
            parameters.median <= 80.0,
        );
    }
}

fn breaks_to_every_level(rows: &[Row]) {
    const LEVELS: f64 = 512.0;
    let is_ours = |row: &&Row| BREAKS_TO_EVERY_LEVEL.contains(&row.set.as_str()) && row.contestant != Contestant::Spirt;
    for row in rows.iter().filter(is_ours) {
        let (Some(own), Some(parameters)) = (row.own_phis(), row.parameters()) else { continue };
        let [own, each] = [own, parameters].map(|summary| summary.median / LEVELS);
        let what = format!("{}, {}: parameters a level", row.set, row.contestant.name());
        let measured = format!("{each:.2} ({own:.2} in the input), {}", row.validity());
        bar(&what, "≤ 4, valid", &measured, each <= 4.0 && row.is_all_valid());
    }
}
