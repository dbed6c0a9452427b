//! Judges one module of a corpus: round trip, and structurizing with all merges forgotten.
//!
//! Each job ends in bytes that an outside validator must accept for the module's environment. What is the same after reading and
//! writing is compared instruction by instruction (`reconverge_spirv::same_program`).

use std::path::Path;
use std::process::Command;

use reconverge::{CompileOptions, Format, Target};

/// What a job is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    /// Read and write: the same instructions in the same blocks.
    RoundTrip,
    /// Forget all merges, structurize, write.
    Structurize,
}

impl Job {
    pub(crate) const ALL: [Job; 2] = [Job::RoundTrip, Job::Structurize];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Job::RoundTrip => "read, write",
            Job::Structurize => "strip, structurize",
        }
    }
}

/// Figures of jobs that went well.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Figures {
    pub(crate) functions: usize,
    /// Functions that came back without an added block.
    pub(crate) untouched: usize,
    pub(crate) blocks: usize,
    pub(crate) added: usize,
    /// Block parameters that values were carried by.
    pub(crate) parameters: usize,
    pub(crate) deepest: u32,
}

impl Figures {
    /// Both together.
    pub(crate) fn and(self, other: Figures) -> Figures {
        Figures {
            functions: self.functions + other.functions,
            untouched: self.untouched + other.untouched,
            blocks: self.blocks + other.blocks,
            added: self.added + other.added,
            parameters: self.parameters + other.parameters,
            deepest: self.deepest.max(other.deepest),
        }
    }
}

/// Does a job on the module at `path`, and has `validator` judge the result, which is left at `result`.
pub(crate) fn judge(
    job: Job,
    path: &Path,
    environment: &str,
    (validator, result): (&Path, &Path),
) -> Result<Figures, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let (written, figures) = match job {
        Job::RoundTrip => round_trip(&bytes)?,
        Job::Structurize => structurize(&bytes)?,
    };
    std::fs::write(result, written).map_err(|error| error.to_string())?;
    let output = Command::new(validator).args(["--target-env", environment]).arg(result).output();
    let output = output.map_err(|error| format!("{}: {error}", validator.display()))?;
    match output.status.success() {
        true => Ok(figures),
        false => {
            Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("refused without a word").to_owned())
        }
    }
}

fn round_trip(bytes: &[u8]) -> Result<(Vec<u8>, Figures), String> {
    let module = reconverge::read(bytes, Format::Spirv, false).map_err(|error| error.to_string())?;
    let written = reconverge::write(&module, Format::Spirv).map_err(|error| error.to_string())?;
    reconverge::spirv::same_program(bytes, &written).map_err(|difference| difference.to_string())?;
    let blocks = module.functions().map(|function| module.blocks(function).count()).sum();
    let figures = Figures { functions: module.functions().count(), blocks, ..Figures::default() };
    Ok((written, Figures { untouched: figures.functions, ..figures }))
}

fn structurize(bytes: &[u8]) -> Result<(Vec<u8>, Figures), String> {
    let options =
        CompileOptions { strip_merges: true, verify_each: true, target: Target::Input, ..CompileOptions::default() };
    let output =
        reconverge::compile(bytes, Format::Spirv, Format::Spirv, &options).map_err(|error| error.to_string())?;
    let mut figures = Figures::default();
    for reconverge::Structurized { report, .. } in &output.run.structurized {
        let added = report.added_blocks();
        figures = figures.and(Figures {
            functions: 1,
            untouched: usize::from(added == 0),
            blocks: report.input_blocks.len(),
            added,
            parameters: report.repair.parameters,
            deepest: report.plan.nesting_depth,
        });
    }
    Ok((output.bytes, figures))
}
