//! Two threads beside one: wall-clock time, because CPU time does not tell how long a caller waits.
//!
//! Other work on the machine takes a core from the threads, so the figure is a lower bound. The CPU time of both, beside that of one, tells
//! what the second thread costs whatever else the machine does.

use std::time::Instant;

use reconverge::{CompileOptions, Format};
use reconverge_run::cpu::kernel_options;
use reconverge_run::{CpuKernel, CpuOptions, bind};

use crate::clock::{cpu_time, milliseconds};
use crate::kernels::Kernel;

/// A kernel on one and on two threads.
pub(crate) struct Threads {
    pub(crate) kernel: &'static str,
    /// Milliseconds of wall-clock time, best.
    pub(crate) wall: [f64; 2],
    /// Milliseconds of CPU time of all threads, best.
    pub(crate) cpu: [f64; 2],
    /// Whether both leave the same in all buffers.
    pub(crate) equal: bool,
}

/// Measures a kernel, one and two threads in turn.
pub(crate) fn measure(kernel: &'static Kernel, rounds: usize) -> Result<Threads, String> {
    let mut module = reconverge::read(kernel.spirv, Format::SPIRV, false).map_err(|error| error.message())?;
    let run = reconverge::run(
        &mut module,
        &CompileOptions { kernel: kernel_options(), ..CompileOptions::default() },
        &mut |_, _| {},
    );
    let reflection = run.map_err(|error| error.message())?.reflection.ok_or("no kernel")?;
    let binding = bind(&kernel.launch(None), &reflection).map_err(|error| error.to_string())?;
    let compiled = CpuKernel::compile_bound(&module, &binding, CpuOptions::default());
    let compiled = compiled.map_err(|error| error.to_string())?;
    let mut result = Threads { kernel: kernel.name, wall: [f64::INFINITY; 2], cpu: [f64::INFINITY; 2], equal: true };
    let mut first: Option<Vec<Vec<u8>>> = None;
    for round in 0..2 * rounds {
        let threads = 1 + round % 2;
        let measured = compiled.launch_bound(&binding, threads, || (Instant::now(), cpu_time()));
        let measured = measured.map_err(|error| error.to_string())?;
        let (wall, cpu) = (measured.end.0 - measured.start.0, measured.end.1 - measured.start.1);
        for (best, time) in [(&mut result.wall, wall), (&mut result.cpu, cpu)] {
            best[threads - 1] = best[threads - 1].min(milliseconds(time));
        }
        result.equal &= first.as_ref().is_none_or(|first| *first == measured.buffers);
        first.get_or_insert(measured.buffers);
    }
    Ok(result)
}
