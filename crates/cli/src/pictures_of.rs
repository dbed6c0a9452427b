//! The pictures of a launch for its report: the images that it writes, as the CPU engine leaves them.

use std::time::Duration;

use reconverge::codegen::cpu;
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, run};
use reconverge_report::Picture;
use reconverge_run::{CpuKernel, CpuOptions, Launch, OutputBuffer};

use crate::input::Input;

/// The time limit of the launch.
const LIMIT: Duration = Duration::from_secs(10);

/// The images that a launch writes and that are pictures. None if this CPU cannot run it, or not in time: the page then shows lanes alone.
pub(crate) fn pictures_of(input: &Input, launch: &Launch) -> Vec<Picture> {
    let is_picture = |output: OutputBuffer<'_>| output.image.is_some_and(|image| image.png_misfit().is_none());
    if launch.outputs().any(is_picture) { written(input, launch).unwrap_or_default() } else { Vec::new() }
}

/// Compiles the kernel for this CPU and runs it. `None` if one of these fails.
fn written(input: &Input, launch: &Launch) -> Option<Vec<Picture>> {
    let mut module = input.module().ok()?;
    let kernel = cpu::kernel_options().kernels(launch.kernel.clone()).launch_constants(launch.constants());
    let options = CompileOptions::new().kernel(kernel).level(Level::None);
    let reflection = run(&mut module, &options, &mut |_, _| {}).ok()?.reflection?;
    let options = CpuOptions { limit: Some(LIMIT), ..CpuOptions::default() };
    let kernel = CpuKernel::compile(&module, &reflection, launch, options).ok()?;
    let ran = kernel.launch(&reflection, launch, options.threads).ok()?;
    let picture = |output: OutputBuffer<'_>| {
        let png = output.image?.write_png(ran.buffers.get(output.index)?).ok()?;
        Some(Picture::new(output.to_string(), &png))
    };
    Some(launch.outputs().filter_map(picture).collect())
}
