//! Checks one module of a corpus: round trip, and structurizing without its merges.
//!
//! Each job ends in bytes that an external validator must accept for the module's environment. Reading and writing is compared instruction
//! by instruction (`reconverge_spirv::same_program`).

use std::path::Path;
use std::process::Command;

use reconverge::{CompileOptions, Format, Level, Target};

/// The subject of a job.
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

/// Figures of jobs that succeeded.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Figures {
    pub(crate) functions: usize,
    /// Functions that came back without an added block.
    pub(crate) untouched: usize,
    /// Functions that came back with no more blocks than they had together with their own merges.
    pub(crate) within: usize,
    pub(crate) blocks: usize,
    pub(crate) added: usize,
    /// Block parameters that values were carried by.
    pub(crate) parameters: usize,
    pub(crate) deepest: u32,
    /// A line for each function that came back with more blocks than it had: what was added and why.
    pub(crate) remarks: Vec<String>,
}

impl Figures {
    /// Both together.
    pub(crate) fn and(mut self, other: Figures) -> Figures {
        self.remarks.extend(other.remarks);
        Figures {
            functions: self.functions + other.functions,
            untouched: self.untouched + other.untouched,
            within: self.within + other.within,
            blocks: self.blocks + other.blocks,
            added: self.added + other.added,
            parameters: self.parameters + other.parameters,
            deepest: self.deepest.max(other.deepest),
            remarks: self.remarks,
        }
    }
}

/// Does a job on the module at `path`, and has `validator` judge the result, which is left at `result`.
pub(crate) fn judge(
    job: Job,
    path: &Path,
    environment: &str,
    validator: &Path,
    result: &Path,
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
    let module = reconverge::read(bytes, Format::SPIRV).map_err(|error| error.to_string())?;
    let written = reconverge::write(&module, Format::SPIRV).map_err(|error| error.to_string())?;
    reconverge_spirv::same_program(bytes, &written).map_err(|difference| difference.to_string())?;
    let blocks = module.functions().map(|function| module.blocks(function).count()).sum();
    let figures = Figures { functions: module.functions().count(), blocks, ..Figures::default() };
    let functions = figures.functions;
    Ok((written, Figures { untouched: functions, within: functions, ..figures }))
}

fn structurize(bytes: &[u8]) -> Result<(Vec<u8>, Figures), String> {
    let options = CompileOptions::new().strip_merges(true).verify_each(true).target(Target::INPUT).level(Level::None);
    let output =
        reconverge::compile(bytes, Format::SPIRV, Format::SPIRV, &options).map_err(|error| error.to_string())?;
    let before = blocks_of_functions(bytes);
    if before.len() != output.run.structurized.len() {
        return Err(format!(
            "{} functions have blocks, {} were structurized",
            before.len(),
            output.run.structurized.len()
        ));
    }
    let mut figures = Figures::default();
    for (reconverge::Structurized { report, .. }, before) in output.run.structurized.iter().zip(before) {
        let added = report.added_blocks();
        let is_within = report.plan.blocks.len() <= before;
        figures = figures.and(Figures {
            functions: 1,
            untouched: usize::from(added == 0),
            within: usize::from(is_within),
            blocks: report.input_blocks.len(),
            added,
            parameters: report.repair.parameters,
            deepest: report.plan.nesting_depth,
            remarks: if is_within { Vec::new() } else { vec![remark(&report.plan, before)] },
        });
    }
    Ok((output.bytes, figures))
}

fn remark(plan: &reconverge::structurize::Plan, before: usize) -> String {
    format!("had {before} blocks with its own merges, has {}: {}", plan.blocks.len(), plan.explain().join("; "))
}

/// The number of blocks of each function of a SPIR-V module that has any, counted on its words: what a valid module with its own
/// merges needs is enough for the graph that is left of it without them.
fn blocks_of_functions(bytes: &[u8]) -> Vec<usize> {
    const FUNCTION: u32 = 54;
    const LABEL: u32 = 248;
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut counts, mut at) = (Vec::new(), 5);
    while let Some(&word) = words.get(at) {
        match word & 0xffff {
            FUNCTION => counts.push(0),
            LABEL => *counts.last_mut().expect("requires: a valid module has labels in functions only") += 1,
            _ => {}
        }
        at += (word >> 16).max(1) as usize;
    }
    counts.into_iter().filter(|&count| count > 0).collect()
}
