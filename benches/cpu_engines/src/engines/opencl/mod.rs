//! OpenCL runtimes for CPUs. They compile the source of a kernel; of OpenCL C they may contract `a * b + c` to one operation.
//!
//! A runtime is measured with the work-groups of the launch, with larger ones, and with those that it chooses, where the kernel allows it; the
//! best counts.

mod api;

use self::api::{Argument, Buffer, Device};
use super::{Engine, Job, Sample};
use crate::clock::timed;
use crate::kernels::Kind;

pub(super) struct OpenCl {
    device: Device,
    job: Option<Job>,
    contents: Vec<Vec<u8>>,
    buffers: Vec<Buffer>,
    kernel: Option<api::Kernel>,
}

impl OpenCl {
    pub(super) fn new(platform: &str) -> Result<OpenCl, String> {
        let device = Device::of_platform(platform)?;
        let engine = OpenCl { device, job: None, contents: Vec::new(), buffers: Vec::new(), kernel: None };
        engine.warm_up()?;
        Ok(engine)
    }

    /// The first program of a process initializes the compiler, which is not a part of any kernel's compilation.
    fn warm_up(&self) -> Result<(), String> {
        let source = "kernel void warm_up(global int *a) { a[get_global_id(0)] = 1; }";
        let kernel = self.device.build(source, "warm_up", "")?;
        let buffer = self.device.allocate(4096)?;
        self.device.set_arguments(kernel, &[Argument::Buffer(buffer)])?;
        self.device.launch(kernel, [64, 1, 1], Some([64, 1, 1]))?;
        self.device.release(buffer)
    }

    fn job(&self) -> Result<&Job, String> {
        self.job.as_ref().ok_or_else(|| "no job".to_owned())
    }

    fn fill(&self) -> Result<(), String> {
        self.buffers.iter().zip(&self.contents).try_for_each(|(&buffer, bytes)| self.device.write(buffer, bytes))
    }

    fn build(&self, job: &Job, group: [usize; 3]) -> Result<api::Kernel, String> {
        let kernel = self.device.build(job.kernel.source, job.kernel.name, "-cl-std=CL1.2")?;
        let mut buffers = self.buffers.iter();
        let arguments = job.launch.arguments.iter().map(|argument| match argument {
            reconverge_run::Argument::Buffer(_) => {
                Ok(Argument::Buffer(*buffers.next().expect("one for each argument")))
            }
            reconverge_run::Argument::Value(value) => Ok(Argument::Value(&value.bytes)),
            reconverge_run::Argument::Local(bytes) => Ok(Argument::Local(*bytes as usize)),
            reconverge_run::Argument::Image(_) | reconverge_run::Argument::Sampler(_) => {
                Err("this bench has no images and no samplers".to_owned())
            }
        });
        self.device.set_arguments(kernel, &arguments.collect::<Result<Vec<Argument<'_>>, String>>()?)?;
        self.device.launch(kernel, group, Some(group))?;
        Ok(kernel)
    }
}

/// The sizes of work-groups to try.
fn local_sizes(job: &Job) -> Vec<Option<[usize; 3]>> {
    let local = local(job);
    let mut sizes = vec![Some(local)];
    if job.kernel.kind != Kind::Barriers && !job.is_local_fixed {
        sizes.extend([4, 16].map(|factor| Some([local[0] * factor, local[1], 1])));
        sizes.push(None);
    }
    sizes
}

fn local(job: &Job) -> [usize; 3] {
    job.launch.local.unwrap_or([1; 3]).map(|size| size as usize)
}

impl Engine for OpenCl {
    fn description(&self) -> String {
        self.device.description()
    }

    fn load(&mut self, job: Job) -> Result<(), String> {
        for buffer in std::mem::take(&mut self.buffers) {
            self.device.release(buffer)?;
        }
        self.kernel = None;
        self.contents = job.launch.buffers().map_err(|error| error.to_string())?;
        let buffers = self.contents.iter().map(|bytes| self.device.allocate(bytes.len()));
        self.buffers = buffers.collect::<Result<_, _>>()?;
        self.job = Some(job);
        Ok(())
    }

    fn compile(&mut self) -> Result<Option<f64>, String> {
        self.fill()?;
        let job = self.job()?;
        let (time, kernel) = timed(|| self.build(job, local(job)));
        self.kernel = Some(kernel?);
        Ok(Some(time))
    }

    fn run(&mut self) -> Result<Sample, String> {
        let job = self.job()?;
        let kernel = self.kernel.ok_or("not compiled")?;
        let global = job.launch.global.map(|size| size as usize);
        let mut best = Sample { time: f64::INFINITY, note: String::new() };
        for local in local_sizes(job) {
            self.fill()?;
            let (time, ran) = timed(|| self.device.launch(kernel, global, local));
            // A runtime may have a limit for work-groups that the launch does not reach.
            match ran {
                Err(error) if best.time.is_infinite() => return Err(error),
                Ok(()) if time < best.time => {
                    let size = |local: [usize; 3]| local.iter().product::<usize>().to_string();
                    best = Sample { time, note: local.map_or("its own".to_owned(), size) };
                }
                _ => {}
            }
        }
        Ok(best)
    }

    fn outputs(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for output in self.job()?.launch.outputs() {
            let mut buffer = vec![0; self.contents[output.index].len()];
            self.device.read(self.buffers[output.index], &mut buffer)?;
            bytes.extend(buffer);
        }
        Ok(bytes)
    }
}
