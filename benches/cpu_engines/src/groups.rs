//! The cost of a work-group: what a launch takes longer with many small work-groups.
//!
//! | kernel | cost of a work-group |
//! |---|---|
//! | `empty` | the time of the launch, divided by the number of work-groups |
//! | `saxpy` | the time beyond that with work-groups of 4096, divided by the number of work-groups beyond that |

use crate::kernels;
use crate::worker::Worker;

const SIZES: [u32; 3] = [16, 64, 256];
const LARGE: u32 = 4096;

/// Nanoseconds for a work-group, on an engine.
pub(crate) struct Cost {
    pub(crate) engine: String,
    pub(crate) kernel: &'static str,
    /// Work-items of a work-group, and nanoseconds.
    pub(crate) costs: Vec<(u32, f64)>,
}

/// Measures an engine.
pub(crate) fn measure(worker: &mut Worker, rounds: usize) -> Result<Vec<Cost>, String> {
    let mut empty = Vec::new();
    for local in SIZES {
        empty.push((local, best(worker, "empty", local, rounds)? * 1e6 / groups("empty", local)));
    }
    let base = best(worker, "saxpy", LARGE, rounds)?;
    let mut saxpy = Vec::new();
    for local in SIZES {
        let time = best(worker, "saxpy", local, rounds)? - base;
        saxpy.push((local, time * 1e6 / (groups("saxpy", local) - groups("saxpy", LARGE))));
    }
    let engine = worker.engine.heading();
    Ok(vec![
        Cost { engine: engine.clone(), kernel: "empty", costs: empty },
        Cost { engine, kernel: "saxpy", costs: saxpy },
    ])
}

fn best(worker: &mut Worker, kernel: &str, local: u32, rounds: usize) -> Result<f64, String> {
    worker.load(kernel, Some(local))?;
    worker.compile()?;
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(worker.run()?.time);
    }
    Ok(best)
}

fn groups(kernel: &str, local: u32) -> f64 {
    let kernel = kernels::find(kernel).expect("invariant: a kernel of this benchmark");
    kernel.launch(Some(local)).global[0] as f64 / f64::from(local)
}
