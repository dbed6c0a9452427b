//! Scalar code: clang compiles the source of a kernel for this machine, at -O3, with a loop over the work-items around it.
//!
//! ```text
//! native.cl   ids as variables, functions of the library as built-ins of clang
//! kernel.cl   the kernel, which clang inlines into the loop
//! loop        for each work-item: set the ids; call the kernel
//! ```
//!
//! A work-item cannot run alone where it waits for others, so kernels with barriers are left out.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use libloading::{Library, Symbol};
use reconverge_run::Argument;

use super::{Engine, Job, Sample};
use crate::clock::timed;
use crate::kernels::Kind;

const CLANG: &str = "clang-22";
const PRELUDE: &str = include_str!("native.cl");

/// The loop: values or addresses of the arguments, then the work-items in two dimensions.
type Loop = unsafe extern "C" fn(*const u64, u64, u64);

pub(super) struct Native {
    version: String,
    folder: PathBuf,
    job: Option<Job>,
    contents: Vec<Vec<u8>>,
    /// The buffers after the last run.
    buffers: Vec<Vec<u8>>,
    library: Option<Library>,
}

impl Native {
    pub(super) fn new() -> Result<Native, String> {
        let output = Command::new(CLANG).arg("--version").output().map_err(|error| format!("no {CLANG}: {error}"))?;
        let version = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
        let folder = std::env::temp_dir().join(format!("cpu-engines-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Native { version, folder, job: None, contents: Vec::new(), buffers: Vec::new(), library: None })
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // A folder that stays is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The kernel with the loop around it.
fn source(job: &Job) -> String {
    let mut source = format!("{PRELUDE}\n{}\n", job.kernel.source);
    source += "void run_all(const ulong *arguments, ulong width, ulong height)\n{\n";
    source += "    for (ulong y = 0; y < height; ++y)\n        for (ulong x = 0; x < width; ++x) {\n";
    source += "            native_id[0] = x;\n            native_id[1] = y;\n            ";
    let arguments = job.launch.arguments.iter().enumerate().map(|(index, argument)| match argument {
        Argument::Value(value) if value.ty.is_some_and(|ty| ty.element.is_float()) => {
            format!("as_float((uint)arguments[{index}])")
        }
        Argument::Value(_) => format!("(uint)arguments[{index}]"),
        _ => format!("(global void *)arguments[{index}]"),
    });
    let arguments: Vec<String> = arguments.collect();
    let _ = writeln!(source, "{}({});\n        }}\n}}", job.kernel.name, arguments.join(", "));
    source
}

impl Engine for Native {
    fn description(&self) -> String {
        format!("{}, -O3 -march=native", self.version)
    }

    fn load(&mut self, job: Job) -> Result<(), String> {
        self.library = None;
        self.buffers = Vec::new();
        self.contents = job.launch.buffers().map_err(|error| error.to_string())?;
        self.job = Some(job);
        Ok(())
    }

    fn compile(&mut self) -> Result<Option<f64>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        if self.library.is_some() {
            return Ok(None);
        }
        if job.kernel.kind == Kind::Barriers {
            return Err("barriers".to_owned());
        }
        let [text, library] = ["cl", "so"].map(|end| self.folder.join(format!("{}.{end}", job.kernel.name)));
        std::fs::write(&text, source(job)).map_err(|error| format!("{}: {error}", text.display()))?;
        let mut command = Command::new(CLANG);
        command.args(["-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-w"]);
        // A function of OpenCL that `native.cl` lacks is an error here, and not when it is called.
        command
            .args(["-O3", "-march=native", "-fPIC", "-shared", "-Wl,-z,defs"])
            .arg(&text)
            .args(["-x", "none", "-lm", "-o"]);
        let output = command.arg(&library).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // SAFETY: the library was made of our source and has no initialization.
        let library = unsafe { Library::new(&library) }.map_err(|error| error.to_string())?;
        self.library = Some(library);
        Ok(None)
    }

    fn run(&mut self) -> Result<Sample, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        let library = self.library.as_ref().ok_or("not compiled")?;
        self.buffers.clone_from(&self.contents);
        let mut addresses = self.buffers.iter_mut().map(|buffer| buffer.as_mut_ptr() as u64);
        let arguments = job.launch.arguments.iter().map(|argument| match argument {
            Argument::Value(value) => value.bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
            _ => addresses.next().expect("one for each argument"),
        });
        let arguments: Vec<u64> = arguments.collect();
        let [width, height, _] = job.launch.global;
        // SAFETY: the function has this type in the source above; the kernel stays in the buffers of its launch.
        let (time, ran) = timed(|| unsafe {
            let run: Symbol<'_, Loop> = library.get(b"run_all\0").map_err(|error| error.to_string())?;
            run(arguments.as_ptr(), width, height);
            Ok::<(), String>(())
        });
        ran.map(|()| Sample { time, note: String::new() })
    }

    fn outputs(&mut self) -> Result<Vec<u8>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        Ok(job.launch.outputs().flat_map(|output| self.buffers[output.index].iter().copied()).collect())
    }
}
