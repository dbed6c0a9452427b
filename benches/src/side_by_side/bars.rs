//! The bars that the structurizer is held to, beside what was measured.
//!
//! Times are those of the plan alone: the shortest of twenty runs.

use reconverge::structurize::{Options, Plan, structurize};
use reconverge_testing::generators::shapes::{self, Maker};

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
    let [small, large] = [512, 16_384].map(|size| plan(shapes::three_breaks, size));
    let statistics = [&small.0, &large.0].map(Plan::statistics);
    bar("three shared breaks, N = 512: plan", "≤ 2 ms", &format!("{:.2} ms", small.1), small.1 <= 2.0);
    let ratio = statistics[1].input_blocks as f64 / statistics[0].input_blocks as f64;
    let exponent = (large.1 / small.1).ln() / ratio.ln();
    let measured = format!("{exponent:.2} ({:.2} ms, {} blocks)", large.1, statistics[1].input_blocks);
    bar("the same from N = 512 to 16 384: exponent of time", "≤ 1.1", &measured, exponent <= 1.1);
    for (size, statistics) in [512, 16_384].into_iter().zip(&statistics) {
        let added = statistics.plan_blocks - statistics.input_blocks;
        bar(&format!("the same, N = {size}: blocks added"), "≤ 4", &added.to_string(), added <= 4);
        let nesting = statistics.nesting_depth;
        bar(&format!("the same, N = {size}: nesting"), "≤ 4", &nesting.to_string(), nesting <= 4);
    }
}

fn random_sets(rows: &[Row]) {
    let ours = |name: &str| rows.iter().find(|row| row.set == name && row.contestant == Contestant::Reconverge);
    for (name, greatest) in [(REDUCIBLE, 1.5), (IRREDUCIBLE, 1.6), (STRUCTURED, 1.03), (LOOP_SIMPLIFIED, 1.10)] {
        let Some(growth) = ours(name).and_then(Row::growth) else { continue };
        let what = format!("{name}: blocks out to blocks in, median");
        bar(&what, &format!("≤ {greatest:.2}"), &format!("{:.2}", growth.median), growth.median <= greatest);
    }
    for name in [REDUCIBLE_PLAIN, IRREDUCIBLE_PLAIN] {
        let Some(phis) = ours(name).and_then(Row::phis) else { continue };
        bar(&format!("{name}: parameters, median"), "≤ 80", &format!("{}", phis.median), phis.median <= 80.0);
    }
}

fn breaks_to_every_level(rows: &[Row]) {
    const LEVELS: f64 = 512.0;
    let is_ours = |row: &&Row| row.set == BREAKS_TO_EVERY_LEVEL && row.contestant != Contestant::Spirt;
    for row in rows.iter().filter(is_ours) {
        let Some(phis) = row.phis() else { continue };
        let each = phis.median / LEVELS;
        let name = row.contestant.name();
        let what = format!("{BREAKS_TO_EVERY_LEVEL}, {name}: parameters a level");
        bar(&what, "≤ 4, valid", &format!("{each:.2}, {}", row.validity()), each <= 4.0 && row.is_all_valid());
    }
}
