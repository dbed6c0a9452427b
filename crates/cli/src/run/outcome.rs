//! What came of a launch: failures and races, outputs compared, dumped or printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgAction;
use reconverge::ir::text::Printer;
use reconverge::ir::{Inst, Module};
use reconverge::launch::{
    End, Interpretation, KernelFailure, Launch, MemoryObject, Mismatch, Place, Race, RaceAccess, Tolerance, compare,
};
use serde_json::json;

use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::input::Input;
use crate::{findings, output};

/// What to do with the outputs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The outputs")]
#[group(skip)]
pub(super) struct Flags {
    /// Compare the outputs with this file: all output buffers, in order, one after another
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// How far floating-point outputs may be off: absolutely, and relative to what is expected
    #[arg(long, value_name = "ABS[,REL]", value_delimiter = ',', num_args = 1, action = ArgAction::Set)]
    tolerance: Vec<f64>,
    /// Write the output buffers to this file, in order, one after another
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,
}

impl Flags {
    /// What is wrong with the flags.
    pub(super) fn contradiction(&self) -> Option<String> {
        (self.tolerance.len() > 2).then(|| "--tolerance takes one or two numbers, ABS[,REL]".to_owned())
    }

    /// What is wrong with the flags for this launch.
    pub(super) fn contradiction_with(&self, launch: &Launch) -> Option<String> {
        let is_compared = self.expect.is_some() || launch.expected.is_some();
        (!self.tolerance.is_empty() && !is_compared).then(|| {
            "--tolerance is for outputs that are compared: say --expect, or a launch that expects something".to_owned()
        })
    }

    /// Compares, writes, or, where neither is asked for, prints the outputs.
    pub(super) fn settle(&self, launch: &Launch, buffers: &[Vec<u8>], reporter: Reporter) -> Exit {
        let outputs: Vec<Vec<u8>> = launch.outputs().map(|(index, _)| buffers[index].clone()).collect();
        if let Some(path) = &self.dump
            && let Err(error) = output::write(path, &outputs.concat())
        {
            reporter.report(&[io_diagnostic("cannot write the outputs", &error, Some(&path.display().to_string()))]);
            return Exit::Io;
        }
        let expected = self.expect.clone().or_else(|| launch.expected.as_ref().map(PathBuf::from));
        match expected {
            Some(path) => self.compare(launch, &path, &outputs, reporter),
            None if self.dump.is_none() => print(launch, &outputs),
            None => Exit::Done,
        }
    }

    fn compare(&self, launch: &Launch, path: &Path, outputs: &[Vec<u8>], reporter: Reporter) -> Exit {
        let name = path.display().to_string();
        let expected = match fs::read(path) {
            Ok(expected) => expected,
            Err(error) => {
                reporter.report(&[io_diagnostic("cannot read what is expected", &error, Some(&name))]);
                return Exit::Io;
            }
        };
        let mut launch = launch.clone();
        if let Some(&absolute) = self.tolerance.first() {
            launch.tolerance = Tolerance { absolute, relative: self.tolerance.get(1).copied().unwrap_or(0.0) };
        }
        match compare(&launch, &expected, outputs) {
            Ok(()) => {
                let text = format!("the outputs are as expected ({} bytes)", expected.len());
                reporter.note(&text, &json!({ "kind": "outputs", "equal": true, "bytes": expected.len() }));
                Exit::Done
            }
            Err(mismatch) => {
                reporter.report(&[of_mismatch(&mismatch, name)]);
                Exit::Rejected
            }
        }
    }
}

fn of_mismatch(mismatch: &Mismatch, file: String) -> Diagnostic {
    let (code, message) = ("run-mismatch".to_owned(), mismatch.to_string());
    Diagnostic { code, message, file: Some(file), ..Diagnostic::default() }
}

/// Prints every output on a line: its place among the arguments, its type, its elements.
fn print(launch: &Launch, outputs: &[Vec<u8>]) -> Exit {
    let mut text = String::new();
    for (output, ((_, buffer), bytes)) in launch.outputs().zip(outputs).enumerate() {
        let elements = bytes.chunks(buffer.element.size()).map(|element| buffer.element.text(element));
        let elements: Vec<String> = elements.collect();
        text.push_str(&format!(
            "output {output}, {}[{}]: {}\n",
            buffer.element.name(),
            buffer.count,
            elements.join(" ")
        ));
    }
    output::write(Path::new("-"), text.as_bytes()).map_or(Exit::Io, |()| Exit::Done)
}

/// Reports what the interpreter found wrong. Races are an error where `races_fail`, else a note.
pub(super) fn judge(
    interpretation: &Interpretation,
    races_fail: bool,
    (module, input): (&Module, &Input),
    reporter: Reporter,
) -> Result<(), Exit> {
    let races = interpretation.races.iter().map(|race| of_race(race, module, input));
    match races_fail {
        true => reporter.report(&races.collect::<Vec<_>>()),
        false => races.for_each(|race| {
            let place = race.context.as_deref().unwrap_or_default();
            let object = json!({ "kind": "race", "message": race.message, "context": place, "source": race.source });
            reporter.note(&format!("warning: {}: {place}", race.message), &object);
        }),
    }
    if let Some(failure) = &interpretation.failure {
        reporter.report(&[of_failure(failure, module, input)]);
        return Err(match failure.end {
            End::Unsupported { .. } | End::Refused { .. } => Exit::Unsupported,
            End::OutOfFuel(_) | End::TooDeep(_) => Exit::Limit,
            _ => Exit::Rejected,
        });
    }
    if races_fail && !interpretation.races.is_empty() { Err(Exit::Rejected) } else { Ok(()) }
}

fn of_failure(failure: &KernelFailure, module: &Module, input: &Input) -> Diagnostic {
    let (code, place) = code_and_place(&failure.end);
    let mut diagnostic = Diagnostic {
        code: code.to_owned(),
        message: message(failure),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    if let Some(place) = place {
        findings::point_out(&mut diagnostic, place.inst, module);
    }
    diagnostic
}

/// What went wrong and in which work-item; the code and the place stand beside it.
fn message(failure: &KernelFailure) -> String {
    let what = match &failure.end {
        End::Undefined { behaviour, .. } => behaviour.text().to_owned(),
        End::OutOfFuel(_) => "the work-item executed more instructions than --fuel allows".to_owned(),
        End::Unsupported { what, .. } | End::Malformed { what, .. } => what.clone(),
        End::Refused { message, .. } => message.clone(),
        End::TooDeep(_) => "too many open calls".to_owned(),
        other => other.to_string(),
    };
    let other = failure.other.map_or_else(String::new, |other| match other.place {
        Some(_) => format!(", while {} waits elsewhere", other.lane),
        None => format!(", while {} has returned", other.lane),
    });
    format!("{}: {what}{other}", failure.lane)
}

/// The code of an end that is none to be glad of, and where it was met.
fn code_and_place(end: &End) -> (&'static str, Option<Place>) {
    match end {
        End::Undefined { behaviour, place } => (behaviour.code(), Some(*place)),
        End::OutOfFuel(place) => ("run-fuel", Some(*place)),
        End::TooDeep(place) => ("run-depth", Some(*place)),
        End::Unsupported { place, .. } | End::Refused { place, .. } => ("run-unsupported", Some(*place)),
        End::Malformed { place, .. } => ("run-malformed", Some(*place)),
        End::Terminated(_) | End::Returned(_) => ("run-ended", None),
    }
}

fn of_race(race: &Race, module: &Module, input: &Input) -> Diagnostic {
    let printer = Printer::new(module);
    let line = |inst: Inst| printer.line(inst).trim().to_owned();
    let mut diagnostic = Diagnostic {
        code: "run-race".to_owned(),
        message: race_in_names(race, &printer),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    findings::point_out(&mut diagnostic, race.second.place.inst, module);
    diagnostic.context = Some(format!("{} and {}", line(race.first.place.inst), line(race.second.place.inst)));
    diagnostic
}

/// What a race says of itself, with what the module calls things; the instructions stand beside it.
fn race_in_names(race: &Race, printer: &Printer<'_>) -> String {
    let name = |inst: Inst| printer.operand_text(inst);
    let object = match race.object {
        MemoryObject::Variable(variable) => format!("variable {}", name(variable)),
        other => other.to_string(),
    };
    let said = |of: &RaceAccess| {
        let (function, block) = (name(of.place.function.into()), name(of.place.block.into()));
        format!("{} by {} in {function}, block {block}", of.access, of.lane)
    };
    format!("data race on byte {} of {object}: {}, and {}", race.offset, said(&race.first), said(&race.second))
}

/// Says how much was executed.
pub(super) fn report_counts(interpretation: &Interpretation, reporter: Reporter) {
    let (executed, iterations) = (interpretation.executed, interpretation.loop_iterations);
    let object = json!({ "kind": "counts", "instructions": executed, "loop_iterations": iterations });
    reporter.note(&format!("{executed} instructions; {iterations} loop iterations in the busiest work-item"), &object);
}

/// Says how long a step took.
pub(super) fn report_time(step: &str, time: Duration, reporter: Reporter) {
    let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let object = json!({ "kind": "time", "step": step, "microseconds": microseconds });
    reporter.note(&format!("{:>10.3} ms  {step}", time.as_secs_f64() * 1e3), &object);
}
