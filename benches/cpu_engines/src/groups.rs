//! The cost of a work-group: the time of a launch of `empty`, divided by the number of work-groups.

use crate::kernels::EMPTY;
use crate::worker::Worker;

const SIZES: [u32; 4] = [16, 64, 128, 256];

/// Nanoseconds for a work-group, on an engine.
pub(crate) struct Cost {
    pub(crate) engine: String,
    /// Work-items of a work-group, and nanoseconds.
    pub(crate) costs: Vec<(u32, f64)>,
}

/// Measures an engine.
pub(crate) fn measure(worker: &mut Worker, rounds: usize) -> Result<Cost, String> {
    let mut costs = Vec::new();
    for local in SIZES {
        worker.load(EMPTY.name, Some(local))?;
        worker.compile()?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(worker.run()?.time);
        }
        let groups = EMPTY.launch(None).global[0] as f64 / f64::from(local);
        costs.push((local, best * 1e6 / groups));
    }
    Ok(Cost { engine: worker.engine.heading(), costs })
}
