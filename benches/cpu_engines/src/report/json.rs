//! All figures as JSON.

use serde_json::{Value, json};

use super::{Report, machine};
use crate::measure::Cell;

/// The whole report.
pub(crate) fn json(report: &Report) -> String {
    let engines = report.engines.iter();
    let engines = engines.map(|(name, description)| json!({ "engine": name.text(), "description": description }));
    let kernels = report.rows.iter().map(|row| {
        let cells: Vec<Value> = row.cells.iter().map(cell).collect();
        json!({ "kernel": row.kernel.name, "engines": cells })
    });
    let groups = report.groups.iter().map(|cost| {
        let costs = cost.costs.iter().map(|(local, ns)| json!({ "local": local, "ns": ns }));
        json!({ "engine": cost.engine, "costs": costs.collect::<Vec<Value>>() })
    });
    let threads = report.threads.iter();
    let threads = threads
        .map(|line| json!({ "kernel": line.kernel, "wall_ms": line.wall, "cpu_ms": line.cpu, "equal": line.equal }));
    let growth = report.growth.iter().map(|growth| {
        let times = growth.times.iter().map(|(size, ms)| json!({ "instructions": size, "ms": ms }));
        let times: Vec<Value> = times.collect();
        json!({ "kernel": growth.family.name(), "times": times, "exponent": growth.exponent(), "end": growth.end })
    });
    let whole = json!({
        "machine": machine::machine(),
        "rounds": report.rounds,
        "engines": engines.collect::<Vec<Value>>(),
        "kernels": kernels.collect::<Vec<Value>>(),
        "groups": groups.collect::<Vec<Value>>(),
        "threads": threads.collect::<Vec<Value>>(),
        "growth": growth.collect::<Vec<Value>>(),
    });
    format!("{whole:#}\n")
}

fn cell(cell: &Cell) -> Value {
    json!({
        "engine": cell.engine.text(),
        "compile_ms": cell.compile,
        "run_ms": cell.samples.iter().map(|sample| sample.time).collect::<Vec<f64>>(),
        "how": cell.samples.iter().map(|sample| sample.note.as_str()).collect::<Vec<&str>>(),
        "differing": cell.differing,
        "error": cell.error,
    })
}
