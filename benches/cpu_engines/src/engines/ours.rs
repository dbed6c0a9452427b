//! Reconverge's CPU engine.

use reconverge::ir::Module;
use reconverge::opencl::Reflection;
use reconverge::{CompileOptions, Format, Level};
use reconverge_run::{Binding, CpuKernel, CpuOptions, bind, cpu};

use super::{Engine, Form, Job, Sample};
use crate::clock::{cpu_time, milliseconds, timed};

pub(super) struct Ours {
    options: CpuOptions,
    job: Option<Job>,
    compiled: Option<Compiled>,
    /// The buffers after the last run.
    buffers: Vec<Vec<u8>>,
}

struct Compiled {
    kernel: CpuKernel,
    binding: Binding,
}

impl Ours {
    pub(super) fn new(form: Form) -> Ours {
        Ours { options: form.options(), job: None, compiled: None, buffers: Vec::new() }
    }
}

impl Engine for Ours {
    fn description(&self) -> String {
        format!("Reconverge {}", env!("CARGO_PKG_VERSION"))
    }

    fn load(&mut self, job: Job) -> Result<(), String> {
        self.compiled = None;
        self.buffers = Vec::new();
        self.job = Some(job);
        Ok(())
    }

    fn compile(&mut self) -> Result<Option<f64>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        let (front, lowered) = timed(|| lower(job.kernel.spirv));
        let (module, reflection) = lowered?;
        let mut binding = match self.compiled.take() {
            Some(compiled) => compiled.binding,
            None => bind(&job.launch, &reflection).map_err(|error| error.to_string())?,
        };
        let (back, kernel) = timed(|| CpuKernel::compile_bound(&module, &binding, self.options));
        let kernel = kernel.map_err(|error| error.to_string())?;
        let groups = std::mem::replace(&mut binding.size.groups, [1; 3]);
        let first = kernel.launch_bound(&binding, 1, cpu_time).map_err(|error| error.to_string())?;
        binding.size.groups = groups;
        self.compiled = Some(Compiled { kernel, binding });
        Ok(Some(front + back + milliseconds(first.end - first.start)))
    }

    fn run(&mut self) -> Result<Sample, String> {
        let Compiled { kernel, binding } = self.compiled.as_ref().ok_or("not compiled")?;
        let measured = kernel.launch_bound(binding, 1, cpu_time).map_err(|error| error.to_string())?;
        self.buffers = measured.buffers;
        let note = measured.choice.forms.first().map_or_else(String::new, |tried| tried.pack.lanes().to_string());
        Ok(Sample { time: milliseconds(measured.end - measured.start), note })
    }

    fn outputs(&mut self) -> Result<Vec<u8>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        Ok(job.launch.outputs().flat_map(|output| self.buffers[output.index].iter().copied()).collect())
    }
}

/// The module at stage Structured, and how its kernel is called: as `reconverge run --on cpu` compiles it.
pub(crate) fn lower(spirv: &[u8]) -> Result<(Module, Reflection), String> {
    let options = CompileOptions::new().kernel(cpu::kernel_options()).level(Level::None);
    let mut module = reconverge::read(spirv, Format::SPIRV).map_err(|error| error.message())?;
    let run = reconverge::run(&mut module, &options, &mut |_, _| {});
    let reflection = run.map_err(|error| error.message())?.reflection.ok_or("no kernel")?;
    Ok((module, reflection))
}
