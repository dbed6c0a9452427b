//! The result of a launch: failures and races are reported, outputs are compared, dumped or printed.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::code::RunCode;
use clap::ArgAction;
use reconverge::ir::decoration::LinkageAttributes;
use reconverge::ir::text::Printer;
use reconverge::ir::{Function, Inst, Module, Op, view};
use reconverge::opencl::is_library_name;
use reconverge_diagnose::{Severity, Sources};
use reconverge_diagnostic::Code;
use reconverge_run::{
    Choice, End, InstructionPlace, InstructionText, Interpretation, KernelFailure, Launch, MemoryObject, Mismatch,
    Origin, OutputBuffer, Printed, PrintedOutput, Race, RaceAccess, Tolerance, UndefinedBehaviour, UndefinedWrite,
    compare, is_named_npy, is_named_png, is_npy, launch::format_name, no_array, read_npy, write_npy,
};
use serde_json::{Value, json};

use crate::diagnostics::{Diagnostic, Reporter, SourceLine, io_diagnostic};
use crate::exit::Exit;
use crate::input::Input;
use crate::{findings, output};

/// What to do with the outputs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Outputs")]
#[group(skip)]
pub(super) struct Flags {
    /// Compare the outputs with this file, which holds all output buffers in order, or the only one as an array of NumPy or a picture in PNG
    #[arg(long, value_name = "FILE")]
    pub(super) expect: Option<PathBuf>,
    /// Tolerance of floating-point outputs: absolute, and relative to the expected value
    #[arg(long, value_name = "ABS[,REL]", value_delimiter = ',', num_args = 1, action = ArgAction::Set)]
    pub(super) tolerance: Vec<f64>,
    /// Write all output buffers in order to this file, as bytes; the only one to a file .npy, as an array of NumPy, or to a file .png, as a picture
    #[arg(long, value_name = "FILE")]
    pub(super) dump: Option<PathBuf>,
    /// Print all elements of the outputs
    #[arg(long, conflicts_with = "json")]
    pub(super) all: bool,
    /// Print the outputs as one JSON object on stdout
    #[arg(long)]
    pub(super) json: bool,
}

/// The number of elements of an output that are printed without `--all`: all if there are at most this many, else the first and the last.
const SHOWN: usize = 64;
const SHOWN_FIRST: usize = 16;
const SHOWN_LAST: usize = 4;

impl Flags {
    /// Compares, writes, or, if neither is requested, prints the outputs.
    pub(super) fn settle(&self, launch: &Launch, results: &Results, reporter: Reporter) -> Result<(), Exit> {
        let outputs: Vec<Vec<u8>> = launch.outputs().map(|output| results.buffers[output.index].clone()).collect();
        self.show_printed(results)?;
        report_lost(results, reporter);
        if let Some(path) = &self.dump {
            let file = dumped(path, launch, &outputs).map_err(|message| reporter.wrong_usage(message))?;
            output::write(path, &file).map_err(|error| {
                let name = path.display().to_string();
                reporter.report(&[io_diagnostic("cannot write the outputs", &error, Some(&name))]);
                Exit::Io
            })?;
        }
        let expected = self.expect.clone().or_else(|| launch.expected.as_ref().map(PathBuf::from));
        match expected {
            Some(path) if self.json => {
                let compared = self.compare(launch, &path, &outputs, reporter);
                output::print(&format!("{}\n", to_json(launch, results, Some(compared))))?;
                compared
            }
            Some(path) => self.compare(launch, &path, &outputs, reporter),
            None if self.json => output::print(&format!("{}\n", to_json(launch, results, None))),
            None if self.dump.is_none() => self.print(launch, results, reporter),
            None => Ok(()),
        }
    }

    /// Prints what the work-items printed, before all outputs; in JSON it is a part of the object with the outputs.
    pub(super) fn show_printed(&self, results: &Results) -> Result<(), Exit> {
        if self.json || results.printed.calls.is_empty() {
            return Ok(());
        }
        let text: Vec<u8> = results.printed.calls.iter().flat_map(|printed| printed.bytes.iter().copied()).collect();
        output::write(Path::new("-"), &text).map_err(|error| output::not_printed(&error))
    }

    /// Prints every output on a line: its argument, its type, its elements.
    fn print(&self, launch: &Launch, results: &Results, reporter: Reporter) -> Result<(), Exit> {
        let mut text = String::new();
        for output in launch.outputs() {
            let buffer = output.buffer;
            let elements = results.elements(output);
            let shown = |range: Range<usize>| elements[range].join(" ");
            let elements = match self.all || buffer.count <= SHOWN {
                true => shown(0..buffer.count),
                false => {
                    let last = buffer.count - SHOWN_LAST;
                    format!("{} ... {} (--all prints all)", shown(0..SHOWN_FIRST), shown(last..buffer.count))
                }
            };
            text.push_str(&format!("{output}, {}: {elements}\n", output.type_text()));
        }
        if text.is_empty() {
            let message = "the kernel ran; no argument is an output: write out:TYPE[COUNT]=CONTENTS to print a buffer";
            reporter.remark(message, &json!({ "kind": "outputs", "outputs": [] }));
        }
        output::print(&text)
    }

    fn compare(&self, launch: &Launch, path: &Path, outputs: &[Vec<u8>], reporter: Reporter) -> Result<(), Exit> {
        let name = path.display().to_string();
        let expected = fs::read(path).map_err(|error| {
            reporter.report(&[io_diagnostic("cannot read the expected outputs", &error, Some(&name))]);
            Exit::Io
        })?;
        let expected = expected_bytes(launch, path, expected).map_err(|message| {
            let (code, file) = (reconverge_run::LaunchCode::Launch.declared(), Some(name.clone()));
            reporter.report(&[Diagnostic { code, message, file, ..Diagnostic::default() }]);
            Exit::Rejected
        })?;
        let mut launch = launch.clone();
        if let Some(&absolute) = self.tolerance.first() {
            launch.tolerance = Tolerance { absolute, relative: self.tolerance.get(1).copied().unwrap_or(0.0) };
        }
        match compare(&launch, &expected, outputs) {
            Ok(()) => {
                let text = format!("the outputs are as expected ({} bytes)", expected.len());
                reporter.remark(&text, &json!({ "kind": "outputs", "equal": true, "bytes": expected.len() }));
                Ok(())
            }
            Err(mismatch) => {
                reporter.report(&[of_mismatch(&mismatch, name)]);
                Err(Exit::Rejected)
            }
        }
    }
}

/// Warns of calls of `printf` whose text did not fit.
fn report_lost(results: &Results, reporter: Reporter) {
    let calls = match results.printed.lost {
        0 => return,
        1 => "1 call".to_owned(),
        lost => format!("{lost} calls"),
    };
    let (code, message) =
        (RunCode::Lost.declared(), format!("the text of {calls} of printf is lost: the buffer is full"));
    reporter.report(&[Diagnostic { code, message, severity: Severity::Warning, ..Diagnostic::default() }]);
}

/// Returns the content of a file of outputs: all bytes in order, or the array or the picture of the only output.
fn dumped(path: &Path, launch: &Launch, outputs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    match launch.outputs().next() {
        Some(output) if is_named_npy(path) => Ok(write_npy(output.buffer.element, &output.array_shape(), &outputs[0])),
        Some(OutputBuffer { image: Some(image), .. }) if is_named_png(path) => image.write_png(&outputs[0]),
        _ => Ok(outputs.concat()),
    }
}

/// The bytes that a file of expected outputs represents: those of an array or of a picture are the elements of the only output.
fn expected_bytes(launch: &Launch, path: &Path, file: Vec<u8>) -> Result<Vec<u8>, String> {
    let name = path.display().to_string();
    let count = launch.outputs().count();
    let output = launch.outputs().next().filter(|_| count == 1);
    if let Some(OutputBuffer { image: Some(image), .. }) = output {
        let found = image.of_file(&name, &file)?;
        return Ok(found.map_or(file, |found| found.texels));
    }
    if !is_npy(&file) && is_named_npy(path) {
        return Err(no_array(&name));
    }
    match output {
        _ if !is_npy(&file) => Ok(file),
        Some(output) => read_npy(&file, output.buffer.element),
        None => Err(format!("a file .npy has one array, and the launch has {count} outputs")),
    }
}

fn of_mismatch(mismatch: &Mismatch, file: String) -> Diagnostic {
    let (code, message) = (RunCode::Mismatch.declared(), mismatch.to_string());
    Diagnostic { code, message, file: Some(file), ..Diagnostic::default() }
}

/// The outputs as JSON. 64-bit integers are exact; a value that is not a JSON number, such as NaN, is a string.
fn to_json(launch: &Launch, results: &Results, compared: Option<Result<(), Exit>>) -> Value {
    let element_to_json = |text: String| serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text));
    let outputs = launch.outputs().map(|output| {
        let OutputBuffer { argument, buffer, image, .. } = output;
        let elements = results.elements(output).into_iter().map(element_to_json);
        let mut object = json!({
            "argument": argument, "name": buffer.name, "type": buffer.element.name(), "count": buffer.count,
            "elements": elements.collect::<Vec<_>>(),
        });
        if let Some(image) = image {
            object["image"] = json!({ "format": format_name(image.format), "size": image.size });
        }
        object
    });
    let printed = results.printed.calls.iter().map(|Printed { lane, bytes }| {
        let text = String::from_utf8_lossy(bytes);
        let [global, group, local] = match lane {
            Some(lane) => [json!(lane.global), json!(lane.group), json!(lane.local)],
            None => [Value::Null, Value::Null, Value::Null],
        };
        json!({ "global": global, "group": group, "local": local, "text": text })
    });
    json!({
        "kind": "outputs",
        "outputs": outputs.collect::<Vec<_>>(),
        "printed": printed.collect::<Vec<_>>(),
        "lost": results.printed.lost,
        "equal": compared.map(|compared| compared.is_ok()),
    })
}

/// The results of a launch.
#[derive(Default)]
pub(super) struct Results {
    /// The buffers.
    pub(super) buffers: Vec<Vec<u8>>,
    /// For each byte of a buffer, whether it is defined; empty if the engine does not know.
    pub(super) defined: Vec<Vec<bool>>,
    /// The output of `printf` of the work-items.
    pub(super) printed: PrintedOutput,
}

impl Results {
    /// The elements of an output as text: `undef` if a byte is undefined.
    fn elements(&self, output: OutputBuffer<'_>) -> Vec<String> {
        let size = output.buffer.element.size();
        let defined = self.defined.get(output.index).map_or(&[][..], Vec::as_slice);
        let mut defined = defined.chunks(size);
        let bytes = self.buffers[output.index].chunks(size);
        bytes
            .map(|element| match defined.next() {
                Some(defined) if defined.contains(&false) => "undef".to_owned(),
                _ => output.buffer.element.text(element),
            })
            .collect()
    }
}

/// Reports the errors that the interpreter found. Races have the given severity. Undefined values in buffers are
/// errors, but the launch has outputs: the exit code is for after them.
pub(super) fn judge(
    interpretation: &Interpretation,
    severity: Severity,
    module: &Module,
    input: &Input,
    reporter: Reporter,
) -> Result<Exit, Exit> {
    let races = interpretation.races.iter().map(|race| Diagnostic { severity, ..of_race(race, module, input) });
    reporter.report(&races.collect::<Vec<_>>());
    let writes = interpretation.undefined.iter().map(|write| of_undefined_write(write, module, input));
    reporter.report(&writes.collect::<Vec<_>>());
    if let Some(failure) = &interpretation.failure {
        reporter.report(&[of_failure(failure, module, input)]);
        if undefined(&failure.end, module).is_some() {
            return Err(Exit::Rejected);
        }
        return Err(match failure.end {
            End::Unsupported { .. } | End::Refused { .. } => Exit::Unsupported,
            End::OutOfFuel(_) | End::TooDeep(_) => Exit::Limit,
            _ => Exit::Rejected,
        });
    }
    match severity == Severity::Error && !interpretation.races.is_empty() {
        true => Err(Exit::Rejected),
        false if interpretation.undefined.is_empty() => Ok(Exit::Done),
        false => Ok(Exit::Rejected),
    }
}

fn of_undefined_write(write: &UndefinedWrite, module: &Module, input: &Input) -> Diagnostic {
    let UndefinedWrite { lane, place, object, offset, origin } = write;
    let (behaviour, object) = (UndefinedBehaviour::UndefinedWrite, object_in_names(*object, &Printer::new(module)));
    let origin = origin.map_or_else(String::new, |origin| origin_in_names(&origin, module));
    let mut diagnostic = Diagnostic {
        code: behaviour.declared(),
        message: format!("{}: {} (byte {offset} of {object}){origin}", work_item(lane), behaviour.text()),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    findings::point_out_in_input(&mut diagnostic, place.inst, module, input);
    diagnostic
}

/// Returns the origin of an undefined value, as the end of a message.
fn origin_in_names(origin: &Origin, module: &Module) -> String {
    let printer = Printer::new(module);
    let object = origin.object.map_or_else(String::new, |object| format!(" ({})", object_in_names(object, &printer)));
    format!(": the value {}{object} {}", origin.cause.text(), place_in_names(&origin.place, module))
}

/// The place of an instruction, as a part of a message: the source line if it is known, else the instruction.
fn place_in_names(place: &InstructionPlace, module: &Module) -> String {
    let printer = Printer::new(module);
    match Sources::new(module).place(place.inst) {
        Some(source) => format!("at {source}"),
        None => {
            let instruction = printer.statement(place.inst);
            format!("in {}, {}", printer.operand_text(place.function.into()), instruction.trim())
        }
    }
}

fn object_in_names(object: MemoryObject, printer: &Printer<'_>) -> String {
    match object {
        MemoryObject::Variable(variable) => format!("variable {}", printer.operand_text(variable)),
        other => other.to_string(),
    }
}

/// Sets the instruction of a copy of the module that a diagnostic is about, if there is one.
pub(crate) fn point_out_text(diagnostic: &mut Diagnostic, place: &InstructionText, input: &Input) {
    diagnostic.file = Some(input.name.clone());
    diagnostic.function = place.function.clone();
    diagnostic.block = place.block.clone();
    diagnostic.context = place.instruction.clone();
    // The lines of the text are in the module as it was read.
    diagnostic.source = place.source.clone().map(|place| match input.module() {
        Ok(module) => SourceLine::at(&Sources::new(&module), place),
        Err(_) => SourceLine::without_text(place),
    });
    findings::hint_at_lines(diagnostic, input);
}

/// The name of a function that the end of a run calls, and that the module imports from another one.
fn undefined(end: &End, module: &Module) -> Option<String> {
    let End::Unsupported { place, .. } = end else { return None };
    let callee: Function = module.cast(view::FunctionCall::of(module, place.inst)?.function)?;
    let LinkageAttributes { name, .. } = module.decorated(callee).find()?;
    let name = module.literal_text(name);
    (module.entry(callee).is_none() && !is_library_name(&name)).then_some(name)
}

fn of_failure(failure: &KernelFailure, module: &Module, input: &Input) -> Diagnostic {
    let (code, place) = code_and_place(&failure.end);
    let mut diagnostic = Diagnostic {
        code,
        message: message(failure, module)
            + &failure.origin.map_or_else(String::new, |origin| origin_in_names(&origin, module)),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    if let Some(name) = undefined(&failure.end, module) {
        diagnostic.code = findings::UNDEFINED;
        diagnostic.message = format!("no input defines the function {name}");
        diagnostic.suggestion = Some(findings::UNDEFINED.help.to_owned());
    }
    if let Some(place) = place {
        findings::point_out_in_input(&mut diagnostic, place.inst, module, input);
        if let Some(name) = accessed(module, place.inst) {
            diagnostic.message += &format!(" (through {name})");
        }
    }
    diagnostic
}

/// The variable or the pointer that an access to memory begins with, if it has a name.
fn accessed(module: &Module, inst: Inst) -> Option<String> {
    let is_pointer = |&value: &Inst| module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypePointer);
    let mut base = module.operands(inst).find(is_pointer)?;
    while !matches!(module.op(base), Op::Variable | Op::FunctionParameter) {
        base = module.operands(base).find(is_pointer)?;
    }
    let name = module.name(base)?;
    // Without optimization, clang copies a parameter to a variable of this name.
    match name.strip_suffix(".addr") {
        Some(parameter) => Some(format!("the pointer `{parameter}`")),
        None if module.op(base) == Op::Variable => Some(format!("the variable `{name}`")),
        None => Some(format!("the pointer `{name}`")),
    }
}

/// The error and its work-item, without the code and the place.
fn message(failure: &KernelFailure, module: &Module) -> String {
    let what = match &failure.end {
        End::Undefined { behaviour, .. } => behaviour.text().to_owned(),
        End::OutOfFuel(_) => "the work-item executed more instructions than its limit; --fuel N raises it".to_owned(),
        End::Unsupported { what, .. } => format!("the interpreter does not support {what}"),
        End::Malformed { what, .. } => what.clone(),
        End::Refused { message, .. } => message.clone(),
        End::TooDeep(_) => "the call stack is too deep".to_owned(),
        other => other.to_string(),
    };
    let other = failure.other.map_or_else(String::new, |other| match other.place {
        Some(_) => format!(", while {} waits at another place", work_item(other.lane)),
        None => format!(", while {} has already returned", work_item(other.lane)),
    });
    let access = failure.access.map_or_else(String::new, |access| {
        let object = object_in_names(access.object, &Printer::new(module));
        match access.offset {
            Some(offset) => format!(": byte {offset} of {object}, which has {} bytes", access.size),
            None => format!(": past an array in {object}, which has {} bytes", access.size),
        }
    });
    let texel = failure.texel.map_or_else(String::new, |texel| format!(": {texel}"));
    format!("{}: {what}{access}{texel}{other}", work_item(failure.lane))
}

/// A lane of a kernel is a work-item.
fn work_item(lane: impl fmt::Display) -> String {
    lane.to_string().replacen("lane", "work-item", 1)
}

/// The code of a failure, and its place.
fn code_and_place(end: &End) -> (&'static Code, Option<InstructionPlace>) {
    match end {
        End::Undefined { behaviour, place } => (behaviour.declared(), Some(*place)),
        End::OutOfFuel(place) => (RunCode::Fuel.declared(), Some(*place)),
        End::TooDeep(place) => (RunCode::Depth.declared(), Some(*place)),
        End::Unsupported { place, .. } | End::Refused { place, .. } => (RunCode::Unsupported.declared(), Some(*place)),
        End::Malformed { place, .. } => (RunCode::Malformed.declared(), Some(*place)),
        End::Terminated(_) | End::Returned(_) => (RunCode::Ended.declared(), None),
    }
}

fn of_race(race: &Race, module: &Module, input: &Input) -> Diagnostic {
    let printer = Printer::new(module);
    let line = |inst: Inst| printer.statement(inst).trim().to_owned();
    let mut diagnostic = Diagnostic {
        code: RunCode::Race.declared(),
        message: race_in_names(race, module, &printer),
        notes: vec![race.rule.text()],
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    findings::point_out_in_input(&mut diagnostic, race.second.place.inst, module, input);
    diagnostic.context = Some(format!("{} and {}", line(race.first.place.inst), line(race.second.place.inst)));
    diagnostic
}

/// The message of a race, with the names of the module; the instructions are separate.
fn race_in_names(race: &Race, module: &Module, printer: &Printer<'_>) -> String {
    let name = |inst: Inst| printer.operand_text(inst);
    let object = object_in_names(race.object, printer);
    let sources = Sources::new(module);
    let said = |of: &RaceAccess| {
        let who = if of.is_copy { "the work-group's copy".to_owned() } else { work_item(of.lane) };
        match sources.place(of.place.inst) {
            Some(source) => format!("{} by {who} at {source}", of.access),
            None => {
                let (function, block) = (name(of.place.function.into()), name(of.place.block.into()));
                format!("{} by {who} in {function}, block {block}", of.access)
            }
        }
    };
    format!("data race on byte {} of {object}: {}, and {}", race.offset, said(&race.first), said(&race.second))
}

/// Prints how much was executed.
pub(super) fn report_counts(interpretation: &Interpretation, reporter: Reporter) {
    let (executed, iterations) = (interpretation.executed, interpretation.loop_iterations);
    let object = json!({ "kind": "counts", "instructions": executed, "loop_iterations": iterations });
    reporter.note(&format!("{executed} instructions; {iterations} loop iterations in the busiest work-item"), &object);
}

/// Prints how long a step took.
pub(super) fn report_time(step: &str, time: Duration, reporter: Reporter) {
    let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let object = json!({ "kind": "time", "step": step, "microseconds": microseconds });
    reporter.note(&format!("{:>10.3} ms  {step}", time.as_secs_f64() * 1e3), &object);
}

/// Prints which form of the kernel ran, and how the others compare.
pub(super) fn report_choice(choice: &Choice, reporter: Reporter) {
    let Choice { forms, why } = choice;
    for (place, form) in forms.iter().enumerate() {
        let lanes = form.pack.lanes();
        let (width, vectors) = (lanes / form.pack.vectors, form.pack.vectors);
        let nanoseconds = form.time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let time = nanoseconds.map_or_else(String::new, |time| format!(", {:.3} µs a work-group", time as f64 / 1e3));
        let chosen = if place == 0 { format!(", chosen: {why}") } else { String::new() };
        let text = match lanes {
            1 => format!("one lane{time}{chosen}"),
            _ => format!("{lanes} lanes (--width {width} --vectors {vectors}){time}{chosen}"),
        };
        let object = json!({
            "kind": "form",
            "width": width,
            "vectors": vectors,
            "nanoseconds_per_group": nanoseconds,
            "chosen": place == 0,
            "why": (place == 0).then(|| why.to_string()),
        });
        reporter.note(&text, &object);
    }
}
