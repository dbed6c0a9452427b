//! Rows of the table.

use std::fmt;
use std::time::Instant;

use crate::contestant::Contestant;
use crate::measure::{count, is_valid, nesting};
use crate::sets::{Set, shader};

/// How often each module is structurized; the fastest run counts.
const RUNS: usize = 3;

/// One contestant on one set.
pub(crate) struct Row {
    set: String,
    contestant: &'static str,
    modules: usize,
    valid: usize,
    growth: Vec<f64>,
    phis: Vec<f64>,
    nesting: Vec<f64>,
    milliseconds: Vec<f64>,
}

impl Row {
    pub(crate) fn measure(set: &Set, contestant: Contestant) -> Row {
        let mut row = Row {
            set: set.name.clone(),
            contestant: contestant.name(),
            modules: set.graphs.len(),
            valid: 0,
            growth: Vec::new(),
            phis: Vec::new(),
            nesting: Vec::new(),
            milliseconds: Vec::new(),
        };
        for graph in &set.graphs {
            let input = shader(graph);
            let before = count(&input);
            let mut best = f64::INFINITY;
            let mut output = Err(String::new());
            for _ in 0..RUNS {
                let start = Instant::now();
                output = contestant.structurize(&input);
                best = best.min(start.elapsed().as_secs_f64() * 1000.0);
            }
            let Ok(output) = output else { continue };
            let after = count(&output);
            row.valid += usize::from(is_valid(&output));
            row.growth.push(after.blocks as f64 / before.blocks as f64);
            row.phis.push(after.phis as f64);
            row.nesting.extend(nesting(&output).map(|depth| depth as f64));
            row.milliseconds.push(best);
        }
        row
    }
}

fn median_and_max(values: &[f64]) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.last() {
        None => (f64::NAN, f64::NAN),
        Some(&last) => (sorted[sorted.len() / 2], last),
    }
}

/// Prints the head of the table.
pub(crate) fn print_header() {
    println!(
        "| set | by | valid | blocks out/in median (max) | phis median (max) | nesting median (max) | ms median (max) |"
    );
    println!("|---|---|---|---|---|---|---|");
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [growth, phis, nesting, time] =
            [&self.growth, &self.phis, &self.nesting, &self.milliseconds].map(|values| median_and_max(values));
        write!(
            out,
            "| {} | {} | {}/{} | {:.2} ({:.2}) | {} ({}) | {} ({}) | {:.2} ({:.2}) |",
            self.set,
            self.contestant,
            self.valid,
            self.modules,
            growth.0,
            growth.1,
            phis.0,
            phis.1,
            nesting.0,
            nesting.1,
            time.0,
            time.1
        )
    }
}
