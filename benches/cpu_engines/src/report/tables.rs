//! Markdown tables.

use std::fmt::Write as _;

use super::{Report, bars, geometric_mean, greatest, machine, median};
use crate::engines::Name;
use crate::measure::Row;
use crate::threads::Threads;

/// The whole report.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "Machine: {}.", machine::machine());
    let engines: Vec<String> =
        report.engines.iter().map(|(name, description)| format!("{}: {description}", name.heading())).collect();
    let _ = writeln!(text, "Engines: {}.\n", engines.join("; "));
    if !report.rows.is_empty() {
        run_times(report, &mut text);
        compile_times(report, &mut text);
    }
    groups(report, &mut text);
    threads(report, &mut text);
    growth(report, &mut text);
    bars::bars(report, &mut text);
    text
}

/// Cells of a row of a table.
fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn heading(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let line = vec!["---".to_owned(); cells.len()].join("|");
    row(text, cells);
    let _ = writeln!(text, "|{line}|");
}

/// Three significant digits.
pub(super) fn figure(number: Option<f64>) -> String {
    match number {
        None => "–".to_owned(),
        Some(number) if number >= 99.95 => format!("{number:.0}"),
        Some(number) if number >= 9.995 => format!("{number:.1}"),
        Some(number) => format!("{number:.2}"),
    }
}

/// The peers by which ours is divided, where they were measured.
fn compared(report: &Report) -> Vec<Name> {
    Name::PEERS.into_iter().filter(|&peer| report.has(peer) && report.has(Name::OURS)).collect()
}

fn run_times(report: &Report, text: &mut String) {
    let _ = writeln!(text, "Run time, ms of CPU time on one core, best of {} rounds:\n", report.rounds);
    let peers = compared(report);
    let names = report.engines.iter().map(|(name, _)| name.heading());
    let ratios = peers.iter().map(|peer| format!("{} / ours", peer.heading()));
    heading(text, ["kernel".to_owned()].into_iter().chain(names).chain(ratios));
    for line in &report.rows {
        let times = report.engines.iter().map(|&(engine, _)| time(line, engine));
        let ratios = peers.iter().map(|&peer| figure(ratio(line, peer)));
        row(text, [line.kernel.name.to_owned()].into_iter().chain(times).chain(ratios));
    }
    let nothing = vec![String::new(); report.engines.len()];
    let means = peers.iter().map(|&peer| figure(geometric_mean(report.ratios(peer).iter().map(|one| one.ratio))));
    row(text, ["geometric mean".to_owned()].into_iter().chain(nothing).chain(means));
    let _ = writeln!(text);
    choices(report, text);
    notes(report, text);
}

fn ratio(line: &Row, peer: Name) -> Option<f64> {
    Some(line.time(peer)? / line.time(Name::OURS)?)
}

/// A time, for ours with the lanes that the launch chose.
fn time(line: &Row, engine: Name) -> String {
    let Some(sample) = line.cell(engine).and_then(|cell| cell.best()) else { return "–".to_owned() };
    let time = figure(Some(sample.time));
    if engine == Name::OURS { format!("{time} ({})", sample.note) } else { time }
}

/// Launches of ours that chose another form than the fastest launch: the times above are then not those of every launch.
fn choices(report: &Report, text: &mut String) {
    let mut choices = Vec::new();
    for line in &report.rows {
        let Some(cell) = line.cell(Name::OURS) else { continue };
        let ways = cell.ways();
        if ways.len() > 1 {
            let ways: Vec<String> = ways.iter().map(|(lanes, count)| format!("{count} × {lanes}")).collect();
            let middle = median(cell.samples.iter().map(|sample| sample.time).collect());
            choices.push(format!("{} {} (median {} ms)", line.kernel.name, ways.join(", "), figure(middle)));
        }
    }
    if !choices.is_empty() {
        let _ = writeln!(text, "Launches × lanes where ours did not always choose the same: {}.\n", choices.join("; "));
    }
}

/// What failed, and which outputs differ.
fn notes(report: &Report, text: &mut String) {
    let mut notes = Vec::new();
    for line in &report.rows {
        for cell in &line.cells {
            let place = format!("{} on {}", line.kernel.name, cell.engine.heading());
            match &cell.error {
                Some(error) if error != "barriers" => notes.push(format!("{place}: {error}")),
                None if cell.differing > 0 => notes.push(format!("{place}: {} elements differ", cell.differing)),
                _ => {}
            }
        }
    }
    if report.engines.len() > 1 {
        let equal = if notes.is_empty() { "All outputs are equal" } else { "All other outputs are equal" };
        let _ = writeln!(text, "{equal}, floats within the tolerance of the launch.\n");
    }
    for note in notes {
        let _ = writeln!(text, "- {note}");
    }
    let _ = writeln!(text);
}

fn compile_times(report: &Report, text: &mut String) {
    let engines: Vec<Name> = report.engines.iter().map(|&(name, _)| name).filter(|&name| name != Name::Clang).collect();
    let _ = writeln!(text, "Compilation, ms of CPU time to the end of the first work-group:\n");
    heading(text, ["kernel".to_owned()].into_iter().chain(engines.iter().map(|name| name.heading())));
    for line in &report.rows {
        let times = engines.iter().map(|&engine| figure(line.compile(engine)));
        row(text, [line.kernel.name.to_owned()].into_iter().chain(times));
    }
    let all = |engine: Name| report.rows.iter().filter_map(move |line| line.compile(engine));
    let medians = engines.iter().map(|&engine| figure(median(all(engine).collect())));
    row(text, ["median".to_owned()].into_iter().chain(medians));
    let greatests = engines.iter().map(|&engine| figure(greatest(all(engine))));
    row(text, ["greatest".to_owned()].into_iter().chain(greatests));
    let _ = writeln!(text);
}

fn groups(report: &Report, text: &mut String) {
    let Some(first) = report.groups.first() else { return };
    let _ = writeln!(text, "Cost of a work-group, ns:\n");
    let sizes = first.costs.iter().map(|(size, _)| format!("{size} work-items"));
    heading(text, ["engine".to_owned()].into_iter().chain(sizes));
    for cost in &report.groups {
        let costs = cost.costs.iter().map(|&(_, cost)| format!("{cost:.1}"));
        row(text, [cost.engine.clone()].into_iter().chain(costs));
    }
    let _ = writeln!(text);
}

fn threads(report: &Report, text: &mut String) {
    if report.threads.is_empty() {
        return;
    }
    let _ = writeln!(text, "Threads, ms of wall-clock time and of CPU time:\n");
    let headings = ["kernel", "wall, one", "wall, two", "one / two", "CPU, one", "CPU, two", "one / two", "results"];
    heading(text, headings.map(str::to_owned));
    for line in &report.threads {
        let equal = if line.equal { "equal" } else { "differ" };
        let times = [line.wall, line.cpu].into_iter().flat_map(|[one, two]| [one, two, one / two]);
        let times = times.map(|time| figure(Some(time)));
        row(text, [line.kernel.to_owned()].into_iter().chain(times).chain([equal.to_owned()]));
    }
    let mean = |of: fn(&Threads) -> [f64; 2]| {
        let ratios = report.threads.iter().map(of).map(|[one, two]| one / two);
        [String::new(), String::new(), figure(geometric_mean(ratios))]
    };
    let means = mean(|line| line.wall).into_iter().chain(mean(|line| line.cpu));
    row(text, ["geometric mean".to_owned()].into_iter().chain(means).chain([String::new()]));
    let _ = writeln!(text);
}

fn growth(report: &Report, text: &mut String) {
    let Some(longest) = report.growth.iter().max_by_key(|growth| growth.times.len()) else { return };
    let _ = writeln!(text, "Growth of compilation, ms of CPU time for kernels of that many instructions:\n");
    let sizes = longest.times.iter().map(|(size, _)| (size / 100 * 100).to_string());
    heading(text, ["kernel".to_owned()].into_iter().chain(sizes).chain(["exponent".to_owned()]));
    for growth in &report.growth {
        let times = (0..longest.times.len()).map(|index| figure(growth.times.get(index).map(|&(_, time)| time)));
        let exponent = format!("{:.2}", growth.exponent());
        row(text, [growth.family.name().to_owned()].into_iter().chain(times).chain([exponent]));
    }
    let _ = writeln!(text);
    for growth in &report.growth {
        if let Some(end) = &growth.end {
            let _ = writeln!(text, "- {}: larger kernels are not measured: {end}", growth.family.name());
        }
    }
    let _ = writeln!(text);
}
