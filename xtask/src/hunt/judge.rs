//! Compares the compiled kernels of a batch, at every level and with both kinds of 64-bit integers, with the results on this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use reconverge::opencl::{Int64, KernelOptions, Pointers, Reflection, missing_conversions};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Kind};
use reconverge_run::{
    CpuOptions, Interpretation, InterpreterOptions, Launch, Races, RunError, compare, interpret, interpret_compiled,
    run_on_cpu,
};

use super::case::{Batch, Case, Compiled, validate};
use super::native::Fault;

/// The number of instructions that a work-item may execute; a kernel that needs more says nothing.
const FUEL: u64 = 3_000_000;

/// The options of our compilation of a kernel, and the engine that runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    /// The kernel as it came, on the interpreter.
    AsItCame,
    /// At a level, with 64-bit integers as they are or as pairs, on the interpreter.
    Compiled(Level, Int64),
    /// At a level, with bindings for pointers, on the interpreter.
    Bindings(Level),
    /// At a level, on this CPU.
    Cpu(Level, Form),
}

/// Lanes of a vector register, and vectors of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    width: u32,
    vectors: u32,
}

impl Form {
    /// One of each kind that this CPU has.
    pub(super) fn on_this_cpu() -> Vec<Form> {
        let forms = [(1, 1), (8, 1), (16, 1), (16, 2)].map(|(width, vectors)| Form { width, vectors });
        forms.into_iter().filter(|form| form.is_on_this_cpu()).collect()
    }

    fn is_on_this_cpu(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self.width {
            16 => std::arch::is_x86_feature_detected!("avx512bw"),
            _ => std::arch::is_x86_feature_detected!("avx2"),
        };
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cpu {}x{}", self.width, self.vectors)
    }
}

/// The outcome of a kernel.
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
    /// Returns whether the result needs a manual inspection.
    pub(super) const fn is_fault(self) -> bool {
        matches!(self, Outcome::Different | Outcome::Invalid | Outcome::Crashed)
    }
}

/// The number of times that which outcome, by variant; and what is worth a word.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) counts: BTreeMap<(String, Outcome), u64>,
    pub(super) remarks: Vec<Remark>,
}

/// A remark about an outcome.
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
        let differs =
            |remark: &&Remark| remark.variant == name(Variant::AsItCame) && remark.outcome == Outcome::Different;
        self.remarks.iter().filter(differs).map(|remark| remark.number).collect()
    }

    /// Returns whether a kernel that accesses memory outside objects as it came is right in all other variants.
    pub(super) fn is_repaired(&self, number: usize) -> bool {
        let mut faults = self.remarks.iter().filter(|remark| remark.number == number && remark.outcome.is_fault());
        faults.all(|remark| remark.variant == name(Variant::AsItCame) && remark.message.contains("U08"))
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
    let compiled = levels.map(|level| [Int64::Native, Int64::Split].map(|int64| Variant::Compiled(level, int64)));
    let bindings = [Level::None, Level::Speed].map(Variant::Bindings);
    let compiled = compiled.into_iter().flatten().chain(bindings);
    std::iter::once(Variant::AsItCame).chain(compiled).chain(on_this_cpu()).collect()
}

/// The variants of this CPU, the kernel as it came first.
pub(super) fn cpu_variants() -> Vec<Variant> {
    std::iter::once(Variant::AsItCame).chain(on_this_cpu()).collect()
}

fn on_this_cpu() -> impl Iterator<Item = Variant> {
    let forms = [
        (Level::Speed, 1, 1),
        (Level::None, 8, 1),
        (Level::Speed, 8, 2),
        (Level::Speed, 16, 1),
        (Level::Size, 16, 2),
        (Level::None, 16, 4),
    ];
    let forms = forms.into_iter().map(|(level, width, vectors)| (level, Form { width, vectors }));
    forms.filter(|(_, form)| form.is_on_this_cpu()).map(|(level, form)| Variant::Cpu(level, form))
}

/// A variant as a word.
pub(super) fn name(variant: Variant) -> String {
    match variant {
        Variant::AsItCame => "as it came".to_owned(),
        Variant::Compiled(level, Int64::Split) => format!("-O{} split", level.name()),
        Variant::Compiled(level, _) => format!("-O{}", level.name()),
        Variant::Bindings(level) => format!("-O{} bindings", level.name()),
        Variant::Cpu(level, form) => format!("-O{} {form}", level.name()),
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
    if let (Some((outcome, complaint)), true) = (&as_before, variant == Variant::AsItCame || module.spirv.is_empty()) {
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
    /// The form on this CPU, if it does not run on the interpreter.
    pub(super) form: Option<Form>,
}

impl Version {
    /// Compiles a module as a variant; if a kernel is named, only that.
    fn new(
        spirv: &[u8],
        variant: Variant,
        kernel: Option<String>,
        scratch: &Path,
    ) -> Result<Version, (Outcome, String)> {
        let default = KernelOptions::new().kernels(kernel);
        let (level, kernel, form) = match variant {
            Variant::AsItCame => return Version::as_it_came(spirv),
            Variant::Compiled(level, int64) => (level, default.int64(int64), None),
            Variant::Bindings(level) => (level, default.pointers(Pointers::Bindings), None),
            Variant::Cpu(level, form) => (level, default, Some(form)),
        };
        let options = CompileOptions::new().kernel(kernel).level(level);
        Ok(Version { form, ..Version::compiled(spirv, &options, scratch)? })
    }

    fn as_it_came(spirv: &[u8]) -> Result<Version, (Outcome, String)> {
        let mut module = reconverge::read(spirv, Format::SPIRV).map_err(refused)?;
        // Valid modules of clang lack conversions, too: they store past an object.
        missing_conversions(&mut module).map_err(|error| (Outcome::Refused, error.message))?;
        Ok(Version { module, reflection: None, form: None })
    }

    /// The result of compiling a module of kernels.
    pub(super) fn compiled(
        spirv: &[u8],
        options: &CompileOptions,
        scratch: &Path,
    ) -> Result<Version, (Outcome, String)> {
        let compile = || reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, options);
        let output = guarded(compile)?.map_err(refused)?;
        validate(&output.bytes, scratch, "vulkan1.2").map_err(|complaint| (Outcome::Invalid, complaint))?;
        let module = reconverge::read(&output.bytes, Format::SPIRV).map_err(refused)?;
        Ok(Version { module, reflection: output.run.reflection, form: None })
    }

    /// Runs a case on it. Races that are reported are faults.
    pub(super) fn judge(&self, case: &Case, races: Races) -> (Outcome, String) {
        let expected = match &case.expected {
            Ok(expected) => expected,
            Err(Fault::TooLong) => return (Outcome::TooLong, String::new()),
            Err(Fault::Parted) => return (Outcome::Different, "work-items part at a barrier".to_owned()),
        };
        if let (Some(form), Some(reflection)) = (self.form, &self.reflection) {
            return judge_on_cpu(&self.module, reflection, form, (&case.launch, expected));
        }
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

/// The outcome for an error.
pub(super) fn refused(error: reconverge::Error) -> (Outcome, String) {
    match error.kind() {
        Kind::Internal => (Outcome::Crashed, error.to_string()),
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
    compared_buffers(launch, expected, &interpretation.buffers)
}

/// Runs a kernel on this CPU and compares what it leaves.
fn judge_on_cpu(
    module: &reconverge::ir::Module,
    reflection: &Reflection,
    form: Form,
    (launch, expected): (&Launch, &[u8]),
) -> (Outcome, String) {
    let options = CpuOptions { width: Some(form.width), vectors: Some(form.vectors), ..CpuOptions::default() };
    match guarded(|| run_on_cpu(module, reflection, launch, options)) {
        Ok(Ok(run)) => compared_buffers(launch, expected, &run.buffers),
        Ok(Err(error @ RunError::NoCode(_))) => (Outcome::Refused, error.to_string()),
        Ok(Err(error)) => (Outcome::Different, error.to_string()),
        Err(fall) => fall,
    }
}

fn compared_buffers(launch: &Launch, expected: &[u8], buffers: &[Vec<u8>]) -> (Outcome, String) {
    let outputs: Vec<Vec<u8>> = launch.outputs().map(|output| buffers[output.index].clone()).collect();
    match compare(launch, expected, &outputs) {
        Ok(()) => (Outcome::Equal, String::new()),
        Err(mismatch) => (Outcome::Different, mismatch.to_string()),
    }
}
