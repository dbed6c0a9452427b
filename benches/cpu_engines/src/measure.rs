//! Measures kernels on engines, in turn.
//!
//! ```text
//! for each kernel: load on every engine
//!     for each round, for each engine: compile; run REPEATS times        best of all rounds
//!     outputs of all engines, compared with those of the first
//! ```

use std::path::Path;

use reconverge_run::{Element, Launch};

use crate::engines::{Name, Sample};
use crate::kernels::Kernel;
use crate::worker::Worker;

const REPEATS: usize = 3;

/// A kernel on all engines.
pub(crate) struct Row {
    pub(crate) kernel: &'static Kernel,
    pub(crate) cells: Vec<Cell>,
}

/// A kernel on an engine.
pub(crate) struct Cell {
    pub(crate) engine: Name,
    /// Milliseconds of CPU time to compile, best; none if it is not known.
    pub(crate) compile: Option<f64>,
    /// Milliseconds of CPU time of all launches, in order, and how the engine ran them.
    pub(crate) samples: Vec<Sample>,
    /// How many elements of the outputs differ from those of the first engine.
    pub(crate) differing: usize,
    /// Why there is no time.
    pub(crate) error: Option<String>,
}

impl Row {
    /// Milliseconds of the best launch.
    pub(crate) fn time(&self, engine: Name) -> Option<f64> {
        Some(self.cell(engine)?.best()?.time)
    }

    /// Milliseconds to compile.
    pub(crate) fn compile(&self, engine: Name) -> Option<f64> {
        self.cell(engine)?.compile
    }

    pub(crate) fn cell(&self, engine: Name) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.engine == engine)
    }
}

impl Cell {
    /// The fastest launch.
    pub(crate) fn best(&self) -> Option<&Sample> {
        self.samples.iter().min_by(|left, right| left.time.total_cmp(&right.time))
    }

    /// How the launches were run, each way with the number of launches, and the fastest first.
    pub(crate) fn ways(&self) -> Vec<(&str, usize)> {
        let mut sorted: Vec<&Sample> = self.samples.iter().collect();
        sorted.sort_by(|left, right| left.time.total_cmp(&right.time));
        let mut ways: Vec<(&str, usize)> = Vec::new();
        for sample in sorted {
            match ways.iter_mut().find(|(way, _)| *way == sample.note) {
                Some((_, count)) => *count += 1,
                None => ways.push((&sample.note, 1)),
            }
        }
        ways
    }
}

/// Measures a kernel. `folder` is for the outputs.
pub(crate) fn measure(kernel: &'static Kernel, workers: &mut [Worker], rounds: usize, folder: &Path) -> Row {
    let mut cells: Vec<Cell> = workers.iter_mut().map(|worker| load(kernel, worker)).collect();
    for _ in 0..rounds {
        for (worker, cell) in workers.iter_mut().zip(&mut cells).filter(|(_, cell)| cell.error.is_none()) {
            if let Err(error) = round(worker, cell) {
                cell.error = Some(error);
            }
        }
    }
    let launch = kernel.launch(None);
    let mut expected: Option<Vec<u8>> = None;
    for (worker, cell) in workers.iter_mut().zip(&mut cells).filter(|(_, cell)| cell.error.is_none()) {
        match (worker.outputs(folder), &expected) {
            (Ok(outputs), None) => expected = Some(outputs),
            (Ok(outputs), Some(expected)) => cell.differing = differing(&launch, expected, &outputs),
            (Err(error), _) => cell.error = Some(error),
        }
    }
    Row { kernel, cells }
}

fn load(kernel: &Kernel, worker: &mut Worker) -> Cell {
    let error = worker.load(kernel.name, None).err();
    Cell { engine: worker.engine, compile: None, samples: Vec::new(), differing: 0, error }
}

fn round(worker: &mut Worker, cell: &mut Cell) -> Result<(), String> {
    if let Some(time) = worker.compile()? {
        cell.compile = Some(cell.compile.map_or(time, |best| best.min(time)));
    }
    for _ in 0..REPEATS {
        cell.samples.push(worker.run()?);
    }
    Ok(())
}

/// How many elements of the outputs differ by more than the tolerance of the launch.
fn differing(launch: &Launch, expected: &[u8], found: &[u8]) -> usize {
    let mut at = 0;
    let mut count = 0;
    for output in launch.outputs() {
        let (element, size) = (output.buffer.element, output.buffer.element.size());
        let end = at + size * output.buffer.count;
        let (Some(expected), Some(found)) = (expected.get(at..end), found.get(at..end)) else { return usize::MAX };
        let pairs = expected.chunks(size).zip(found.chunks(size));
        count += pairs.filter(|(expected, found)| !is_close(launch, element, expected, found)).count();
        at = end;
    }
    count
}

fn is_close(launch: &Launch, element: Element, expected: &[u8], found: &[u8]) -> bool {
    if expected == found || element != Element::F32 {
        return expected == found;
    }
    let [expected, found] = [expected, found].map(|bytes| {
        let bytes: [u8; 4] = bytes.try_into().expect("invariant: a 32-bit number has four bytes");
        f64::from(f32::from_le_bytes(bytes))
    });
    (expected - found).abs() <= launch.tolerance.absolute + launch.tolerance.relative * expected.abs()
}
