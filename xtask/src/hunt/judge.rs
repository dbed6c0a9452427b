//! Compares the compiled kernels of a batch, at every level and with both kinds of 64-bit integers, with the results on this machine.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use reconverge::opencl::{Int64, KernelOptions, Reflection, missing_conversions};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, ErrorKind, Format};
use reconverge_run::{
    Interpretation, InterpreterOptions, Launch, Races, RunError, compare, interpret, interpret_compiled,
};

use super::case::{Batch, Case, Compiled, validate};
use super::native::Fault;

/// How many instructions a work-item may execute; a kernel that needs more says nothing.
const FUEL: u64 = 3_000_000;

/// How a kernel was compiled by us: the level, and whether 64-bit integers are pairs. None is the kernel as it came.
pub(super) type Variant = Option<(Level, Int64)>;

/// What came of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Outcome {
    /// The words of this machine.
    Equal,
    /// Refused, with a reason.
    Refused,
    /// Too many instructions.
    TooLong,
    /// Clang makes no module, or one that is not valid.
    NotValidBefore,
    /// Other words, or undefined behaviour.
    Different,
    /// Not valid.
    Invalid,
    /// The compiler fell, or says that it is at fault.
    Crashed,
}

impl Outcome {
    /// Whether the result needs a manual inspection.
    pub(super) const fn is_fault(self) -> bool {
        matches!(self, Outcome::Different | Outcome::Invalid | Outcome::Crashed)
    }
}

/// How often which outcome, by variant; and what is worth a word.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) counts: BTreeMap<(String, Outcome), u64>,
    pub(super) remarks: Vec<Remark>,
}

/// What is worth a word.
pub(super) struct Remark {
    pub(super) number: usize,
    pub(super) variant: String,
    pub(super) outcome: Outcome,
    pub(super) message: String,
}

impl Tally {
    pub(super) fn push(&mut self, number: usize, variant: &str, outcome: Outcome, message: String) {
        *self.counts.entry((variant.to_owned(), outcome)).or_default() += 1;
        if !matches!(outcome, Outcome::Equal | Outcome::TooLong) {
            self.remarks.push(Remark { number, variant: variant.to_owned(), outcome, message });
        }
    }

    /// The kernels that differ as they came.
    pub(super) fn different_before(&self) -> Vec<usize> {
        let differs = |remark: &&Remark| remark.variant == name(None) && remark.outcome == Outcome::Different;
        self.remarks.iter().filter(differs).map(|remark| remark.number).collect()
    }

    /// Whether a kernel that accesses memory outside objects as it came is right in all other variants.
    pub(super) fn is_repaired(&self, number: usize) -> bool {
        let mut faults = self.remarks.iter().filter(|remark| remark.number == number && remark.outcome.is_fault());
        faults.all(|remark| remark.variant == name(None) && remark.message.contains("U08"))
    }

    /// Counts a kernel that differs as one that was not valid before, for a reason.
    pub(super) fn excuse(&mut self, number: usize, reason: &str) {
        let differs = |remark: &&mut Remark| remark.number == number && remark.outcome == Outcome::Different;
        for remark in self.remarks.iter_mut().filter(differs) {
            for (outcome, by) in [(Outcome::Different, -1), (Outcome::NotValidBefore, 1)] {
                let count = self.counts.entry((remark.variant.clone(), outcome)).or_default();
                *count = count.saturating_add_signed(by);
            }
            (remark.outcome, remark.message) = (Outcome::NotValidBefore, reason.to_owned());
        }
    }

    pub(super) fn add(&mut self, other: Tally) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.remarks.extend(other.remarks);
    }
}

/// All variants, the kernel as it came first.
pub(super) fn variants() -> Vec<Variant> {
    let levels = [Level::None, Level::Speed, Level::Size];
    let both = levels.into_iter().flat_map(|level| [Int64::Native, Int64::Split].map(|int64| Some((level, int64))));
    std::iter::once(None).chain(both).collect()
}

/// A variant as a word.
pub(super) fn name(variant: Variant) -> String {
    match variant {
        None => "as it came".to_owned(),
        Some((level, int64)) => format!("-O{}{}", level.name(), if int64 == Int64::Split { " split" } else { "" }),
    }
}

/// Judges all kernels of a batch in the variants. `scratch` is a file to write to.
pub(super) fn judge(batch: &Batch, variants: &[Variant], scratch: &Path) -> Tally {
    let mut tally = Tally::default();
    for module in &batch.modules {
        for &variant in variants {
            judge_module(batch, module, variant, scratch, &mut tally);
        }
    }
    tally
}

fn judge_module(batch: &Batch, module: &Compiled, variant: Variant, scratch: &Path, tally: &mut Tally) {
    let cases = || module.cases.iter().map(|&index| &batch.cases[index]);
    let name = name(variant);
    // What clang leaves out may be repaired; what is refused then is refused rightly.
    let as_before = module.complaint.clone().map(|complaint| (Outcome::NotValidBefore, complaint));
    if let (Some((outcome, complaint)), true) = (&as_before, variant.is_none() || module.spirv.is_empty()) {
        return cases().for_each(|case| tally.push(case.number, &name, *outcome, complaint.clone()));
    }
    let whole = Version::new(&module.spirv, variant, None, scratch);
    for case in cases() {
        let (outcome, message) = match &whole {
            Ok(version) => version.judge(case, Races::Report),
            Err(_) => match Version::new(&module.spirv, variant, Some(case.name()), scratch) {
                Ok(version) => version.judge(case, Races::Report),
                Err((Outcome::Refused, _)) if as_before.is_some() => {
                    as_before.clone().expect("invariant: asked just before")
                }
                Err(stop) => stop,
            },
        };
        tally.push(case.number, &name, outcome, message);
    }
}

/// A module that is ready to run.
pub(super) struct Version {
    module: reconverge::ir::Module,
    reflection: Option<Reflection>,
}

impl Version {
    /// What a variant makes of a module, of one kernel of it if that is named.
    fn new(
        spirv: &[u8],
        variant: Variant,
        kernel: Option<String>,
        scratch: &Path,
    ) -> Result<Version, (Outcome, String)> {
        let Some((level, int64)) = variant else {
            let mut module = reconverge::read(spirv, Format::SPIRV, false).map_err(refused)?;
            // Valid modules of clang lack conversions, too: they store past an object.
            let repaired = missing_conversions(&mut module);
            repaired.map_err(|error| (Outcome::Refused, error.message))?;
            return Ok(Version { module, reflection: None });
        };
        let kernel = KernelOptions { kernels: kernel.into_iter().collect(), int64, ..KernelOptions::default() };
        Version::compiled(spirv, &CompileOptions { kernel, level, ..CompileOptions::default() }, scratch)
    }

    /// What the compiler makes of a module of kernels.
    pub(super) fn compiled(
        spirv: &[u8],
        options: &CompileOptions,
        scratch: &Path,
    ) -> Result<Version, (Outcome, String)> {
        let compile = || reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, options);
        let output = guarded(compile)?.map_err(refused)?;
        validate(&output.bytes, scratch, "vulkan1.2").map_err(|complaint| (Outcome::Invalid, complaint))?;
        let module = reconverge::read(&output.bytes, Format::SPIRV, false).map_err(refused)?;
        Ok(Version { module, reflection: output.run.reflection })
    }

    /// Runs a case on it. Races that are reported are faults.
    pub(super) fn judge(&self, case: &Case, races: Races) -> (Outcome, String) {
        let expected = match &case.expected {
            Ok(expected) => expected,
            Err(Fault::TooLong) => return (Outcome::TooLong, String::new()),
            Err(Fault::Parted) => return (Outcome::Different, "work-items part at a barrier".to_owned()),
        };
        let options = InterpreterOptions { fuel: FUEL, races, ..InterpreterOptions::default() };
        let run = || match &self.reflection {
            Some(reflection) => interpret_compiled(&self.module, reflection, &case.launch, options),
            None => interpret(&self.module, &case.launch, options),
        };
        match guarded(run) {
            Ok(interpretation) => compared(&case.launch, expected, interpretation),
            Err(fall) => fall,
        }
    }
}

/// What an error comes to.
pub(super) fn refused(error: reconverge::Error) -> (Outcome, String) {
    match error.kind() {
        ErrorKind::Internal => (Outcome::Crashed, error.to_string()),
        _ => (Outcome::Refused, error.to_string()),
    }
}

/// A panic is an outcome.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, (Outcome, String)> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
        (Outcome::Crashed, text.unwrap_or_else(|| "a panic without a word".to_owned()))
    })
}

fn compared(launch: &Launch, expected: &[u8], interpretation: Result<Interpretation, RunError>) -> (Outcome, String) {
    let interpretation = match interpretation {
        Ok(interpretation) => interpretation,
        Err(error) => return (Outcome::Different, error.to_string()),
    };
    if let Some(failure) = interpretation.failure {
        let message = failure.to_string();
        let is_long = message.contains("fuel");
        return (if is_long { Outcome::TooLong } else { Outcome::Different }, message);
    }
    if let Some(race) = interpretation.races.first() {
        return (Outcome::Different, race.to_string());
    }
    let outputs = launch.outputs().map(|output| interpretation.buffers[output.index].clone());
    let outputs: Vec<Vec<u8>> = outputs.collect();
    match compare(launch, expected, &outputs) {
        Ok(()) => (Outcome::Equal, String::new()),
        Err(mismatch) => (Outcome::Different, mismatch.to_string()),
    }
}
