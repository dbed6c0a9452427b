//! The engines that are measured, behind one trait. Each runs in a process of its own (`worker.rs`).

use reconverge_run::{CpuOptions, Launch};

use crate::kernels::Kernel;

mod lavapipe;
mod native;
mod opencl;
mod ours;

/// A kernel with a launch, for an engine.
pub(crate) struct Job {
    pub(crate) kernel: &'static Kernel,
    pub(crate) launch: Launch,
    /// Whether the size of the work-groups is what is measured, so that no engine may choose another.
    pub(crate) is_local_fixed: bool,
}

/// One measurement of a launch.
pub(crate) struct Sample {
    /// Milliseconds of CPU time.
    pub(crate) time: f64,
    /// How the engine ran it, where it has a choice.
    pub(crate) note: String,
}

/// What runs kernels.
pub(crate) trait Engine {
    /// What it is, with its version.
    fn description(&self) -> String;

    /// Makes a job the current one. Nothing of it is timed.
    fn load(&mut self, job: Job) -> Result<(), String>;

    /// Compiles the kernel and runs one work-group, because some engines compile as late as then. Gives milliseconds of CPU time, or none
    /// where the compiler is another process.
    fn compile(&mut self) -> Result<Option<f64>, String>;

    /// Runs the launch on fresh buffers.
    fn run(&mut self) -> Result<Sample, String>;

    /// The output buffers after the last run, one after another.
    fn outputs(&mut self) -> Result<Vec<u8>, String>;
}

/// The name of an engine, as in `--engines`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// Reconverge's engine, with this form (`0`: chosen by the launch).
    Ours(Form),
    Lavapipe,
    Intel,
    IntelScalar,
    Pocl,
    Clang,
}

/// A form of a kernel: lanes of a vector, and vectors of a value. Zero: the engine chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) width: u32,
    pub(crate) vectors: u32,
}

impl Form {
    pub(crate) fn options(self) -> CpuOptions {
        let some = |number: u32| (number > 0).then_some(number);
        CpuOptions { width: some(self.width), vectors: some(self.vectors), ..CpuOptions::default() }
    }
}

impl Name {
    pub(crate) const PEERS: [Name; 5] = [Name::Lavapipe, Name::Intel, Name::IntelScalar, Name::Pocl, Name::Clang];
    pub(crate) const OURS: Name = Name::Ours(Form { width: 0, vectors: 0 });

    /// `ours`, `lavapipe`, …, or a form such as `16x2`.
    pub(crate) fn from_text(text: &str) -> Option<Name> {
        if let Some((width, vectors)) = text.split_once('x') {
            let form = Form { width: width.parse().ok()?, vectors: vectors.parse().ok()? };
            return Some(Name::Ours(form));
        }
        [Name::OURS].into_iter().chain(Name::PEERS).find(|name| name.text() == text)
    }

    pub(crate) fn text(self) -> String {
        match self {
            Name::OURS => "ours".to_owned(),
            Name::Ours(Form { width, vectors }) => format!("{width}x{vectors}"),
            Name::Lavapipe => "lavapipe".to_owned(),
            Name::Intel => "intel".to_owned(),
            Name::IntelScalar => "intel-scalar".to_owned(),
            Name::Pocl => "pocl".to_owned(),
            Name::Clang => "clang".to_owned(),
        }
    }

    /// The heading of its column.
    pub(crate) fn heading(self) -> String {
        match self {
            Name::OURS => "ours".to_owned(),
            Name::Ours(_) => format!("ours {}", self.text()),
            Name::Lavapipe => "lavapipe".to_owned(),
            Name::Intel => "Intel".to_owned(),
            Name::IntelScalar => "Intel, 1 lane".to_owned(),
            Name::Pocl => "pocl".to_owned(),
            Name::Clang => "clang, 1 lane".to_owned(),
        }
    }

    /// The environment of its process. Nothing compiled may come from a cache on disk, and no engine may start more than one worker.
    pub(crate) fn environment(self) -> Vec<(&'static str, String)> {
        let icd = format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
        match self {
            Name::Ours(_) | Name::Clang => Vec::new(),
            Name::Lavapipe => vec![
                ("VK_DRIVER_FILES", icd.clone()),
                ("VK_ICD_FILENAMES", icd),
                ("LP_NUM_THREADS", "1".to_owned()),
                ("MESA_SHADER_CACHE_DISABLE", "true".to_owned()),
            ],
            Name::Intel => Vec::new(),
            Name::IntelScalar => vec![("CL_CONFIG_CPU_VECTORIZER_MODE", "1".to_owned())],
            Name::Pocl => vec![("POCL_KERNEL_CACHE", "0".to_owned()), ("POCL_MAX_PTHREAD_COUNT", "1".to_owned())],
        }
    }

    /// Starts the engine in this process.
    ///
    /// # Errors
    /// Why it is not on this machine.
    pub(crate) fn start(self) -> Result<Box<dyn Engine>, String> {
        match self {
            Name::Ours(form) => Ok(Box::new(ours::Ours::new(form))),
            Name::Lavapipe => Ok(Box::new(lavapipe::Lavapipe::new()?)),
            Name::Intel | Name::IntelScalar => Ok(Box::new(opencl::OpenCl::new("Intel")?)),
            Name::Pocl => Ok(Box::new(opencl::OpenCl::new("Portable")?)),
            Name::Clang => Ok(Box::new(native::Native::new()?)),
        }
    }
}
