//! The figures, as Markdown and as JSON.

mod bars;
mod json;
mod machine;
mod tables;

use crate::engines::Name;
use crate::groups::Cost;
use crate::growth::Growth;
use crate::measure::Row;
use crate::threads::Threads;

pub(crate) use json::json;
pub(crate) use tables::markdown;

/// Everything that was measured.
#[derive(Default)]
pub(crate) struct Report {
    /// The engines, each with its description.
    pub(crate) engines: Vec<(Name, String)>,
    pub(crate) rounds: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) groups: Vec<Cost>,
    pub(crate) threads: Vec<Threads>,
    pub(crate) growth: Vec<Growth>,
}

impl Report {
    fn has(&self, engine: Name) -> bool {
        self.engines.iter().any(|&(name, _)| name == engine)
    }

    /// How many times faster ours is than another engine, for each kernel that both ran.
    fn ratios(&self, other: Name) -> Vec<Ratio> {
        let ratio = |row: &Row| {
            let ratio = row.time(other)? / row.time(Name::OURS)?;
            Some(Ratio { kernel: row.kernel.name, ratio })
        };
        self.rows.iter().filter_map(ratio).collect()
    }
}

/// The time of another engine, divided by ours.
struct Ratio {
    kernel: &'static str,
    ratio: f64,
}

fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some(f64::midpoint(numbers[middle - 1], numbers[middle])),
    }
}

fn greatest(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    numbers.max_by(f64::total_cmp)
}
