//! The figures that the engine is meant to reach, and whether it does.

use std::fmt::Write as _;

use super::tables::figure;
use super::{Ratio, Report, geometric_mean, greatest, median};
use crate::engines::Name;
use crate::kernels::Kind;

/// A figure with its bar.
struct Bar {
    what: &'static str,
    /// What must be reached, and what more is hoped for.
    bars: [f64; 2],
    /// Whether less is better.
    is_limit: bool,
    value: Option<f64>,
    /// The kernel that the value comes from, if it is that of one, and all others below the bar.
    place: String,
}

/// A table of all bars that were measured.
pub(super) fn bars(report: &Report, text: &mut String) {
    let bars: Vec<Bar> = all(report).into_iter().filter(|bar| bar.value.is_some()).collect();
    if bars.is_empty() {
        return;
    }
    let _ = writeln!(text, "| what | bar (stretch) | measured | |\n|---|---|---|---|");
    for bar in bars {
        let sign = if bar.is_limit { "≤" } else { "≥" };
        let [must, stretch] = bar.bars;
        let stretch = if stretch == must { String::new() } else { format!(" ({stretch})") };
        let _ = writeln!(
            text,
            "| {} | {sign} {must}{stretch} | {}{} | {} |",
            bar.what,
            figure(bar.value),
            bar.place,
            bar.verdict()
        );
    }
}

impl Bar {
    fn verdict(&self) -> String {
        let value = self.value.unwrap_or(f64::NAN);
        let reached = |bar: f64| if self.is_limit { value <= bar } else { value >= bar };
        match self.bars {
            [_, stretch] if reached(stretch) => "reached".to_owned(),
            [must, stretch] if reached(must) => format!("bar reached; {} of the stretch", percent(value / stretch)),
            [must, _] => format!("missed: {} of the bar", percent(value / must)),
        }
    }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

fn all(report: &Report) -> Vec<Bar> {
    let lavapipe = report.ratios(Name::Lavapipe);
    let intel = report.ratios(Name::Intel);
    let clang = report.ratios(Name::Clang);
    let of_kind = |ratios: &[Ratio], kind: Kind, bar: f64| {
        let is_of_kind =
            |one: &&Ratio| report.rows.iter().any(|row| row.kernel.name == one.kernel && row.kernel.kind == kind);
        least(ratios.iter().filter(is_of_kind), bar)
    };
    let compile: Vec<f64> = report.rows.iter().filter_map(|row| row.compile(Name::OURS)).collect();
    let ours = Name::OURS.heading();
    let groups = report.groups.iter().filter(|cost| cost.engine == ours).flat_map(|cost| &cost.costs);
    let group = greatest(groups.map(|&(_, cost)| cost));
    let threads = geometric_mean(report.threads.iter().map(|line| line.wall[0] / line.wall[1]));
    let growth = greatest(report.growth.iter().map(|growth| growth.exponent()));
    let ratio = |what, bars, (value, place): (Option<f64>, String)| Bar { what, bars, is_limit: false, value, place };
    let limit = |what, bars, value| Bar { what, bars, is_limit: true, value, place: String::new() };
    vec![
        ratio(
            "speed against lavapipe, geometric mean",
            [5.6, 8.1],
            (geometric_mean(lavapipe.iter().map(|one| one.ratio)), String::new()),
        ),
        ratio("speed against Intel's runtime, worst kernel", [0.8, 1.0], least(intel.iter(), 0.8)),
        ratio(
            "divergent arithmetic against Intel's runtime, worst kernel",
            [1.5, 2.5],
            of_kind(&intel, Kind::DivergentArithmetic, 1.5),
        ),
        ratio(
            "divergent tables against scalar clang, worst kernel",
            [0.8, 1.0],
            of_kind(&clang, Kind::DivergentTables, 0.8),
        ),
        limit("compilation, median, ms", [3.0, 1.5], median(compile.clone())),
        limit("compilation, greatest, ms", [15.0, 8.0], greatest(compile.into_iter())),
        limit("cost of a work-group, greatest of the table, ns", [20.0, 8.0], group),
        ratio("two threads against one, geometric mean", [1.9, 1.9], (threads, String::new())),
        limit("growth of compilation, greatest exponent", [1.2, 1.2], growth),
    ]
}

/// The least ratio, with the kernel that has it and all others below the bar.
fn least<'a>(ratios: impl Iterator<Item = &'a Ratio>, bar: f64) -> (Option<f64>, String) {
    let mut ratios: Vec<&Ratio> = ratios.collect();
    ratios.sort_by(|left, right| left.ratio.total_cmp(&right.ratio));
    let Some((first, rest)) = ratios.split_first() else { return (None, String::new()) };
    let below = rest.iter().filter(|one| one.ratio < bar);
    let below: Vec<String> = below.map(|one| format!(", {} {}", one.kernel, figure(Some(one.ratio)))).collect();
    (Some(first.ratio), format!(" ({}{})", first.kernel, below.concat()))
}
