//! A compilation as a report: the module after each pass, with the reasons of the structurizer and of code motion, and all findings.

use std::path::Path;

use reconverge::codegen::{CodeBlock, CodegenError};
use reconverge::ir::text::Printer;
use reconverge::ir::{Inst, Module};
use reconverge::{Error, Format, Run, Step};
use reconverge_diagnose::{Diagnosis, Options, Sources};
use reconverge_report::{Change, CodePart, InputFile, MACHINE_CODE, Note, NoteKind, Recorder, Report, Text};

use crate::dxil;
use crate::input::Input;
use crate::lanes::{GivenLaunch, LaneStates};
use crate::machine::Code;
use crate::output::{self, has_extension};
use crate::output_format::OutputFormat;
use crate::{moves, version, why};

/// The pass that adds blocks.
const STRUCTURIZE: &str = "structurize";

/// The end of a compilation.
pub(crate) struct Ended<'a> {
    /// The effects of the passes, or the reason why they did not go on.
    pub(crate) ran: Result<&'a Run, &'a Error>,
    /// The module as they left it.
    pub(crate) module: &'a Module,
    /// The machine code that was made of it, or the reason why there is none.
    pub(crate) code: Result<Option<&'a Code>, &'a CodegenError>,
    /// The launch that the user gave.
    pub(crate) launch: Option<&'a GivenLaunch>,
    /// The format of the output. Of a format that is not one of modules, the report has the text of the machine code, or the module in the format
    /// of the input if there is no code.
    pub(crate) format: OutputFormat,
}

/// A report that grows while the passes run.
pub(crate) struct Recording {
    recorder: Recorder,
    /// The module as the structurizer left it, and its place among the passes: reasons are in its names.
    structurized: Option<(Module, usize)>,
    states: LaneStates,
    /// The format of a module that goes back to where the input came from.
    module_format: Format,
}

impl Recording {
    /// Starts with the module as it was read.
    pub(crate) fn start(module: &Module, input: &Input) -> Recording {
        let mut recorder = Recorder::new(module);
        let notes = notes_of_findings(module, input);
        let report = recorder.report();
        report.tool = version::line().trim().to_owned();
        report.input = InputFile::new(&input.name, &input.bytes);
        report.source = source(module, input);
        report.passes[0].notes = notes;
        let mut states = LaneStates::default();
        states.keep(0, module, report.passes[0].instructions);
        Recording { recorder, structurized: None, states, module_format: input.output_format }
    }

    /// Adds the module after a pass.
    pub(crate) fn step(&mut self, step: &Step, module: &Module) {
        let change = if step.functions_changed > 0 { Change::Some } else { Change::Nothing };
        self.recorder.record(step.pass, step.optimization, change, module);
        let report = self.recorder.report();
        let place = report.passes.len() - 1;
        let told = moves::sentences(&step.moves, module, Printer::by_handle);
        report.passes[place].notes = told.into_iter().map(of_move).collect();
        let pass = &report.passes[place];
        if pass.is_changed {
            self.states.keep(place, module, pass.instructions);
        }
        if step.pass == STRUCTURIZE {
            self.structurized = Some((module.clone(), place));
        }
    }

    /// Ends with what the passes did. The lanes of the module are run in all its states.
    pub(crate) fn finish(mut self, end: &Ended<'_>) -> Report {
        let Ended { ran, module, code, format, .. } = *end;
        self.run_lanes(end);
        let assembly = code.ok().flatten().map(|code| self.add_code(code, module));
        match ran {
            Ok(run) => {
                self.recorder.report().output = match assembly {
                    Some(assembly) => text(format.name, &assembly),
                    None => written(module, format.module_format().unwrap_or(self.module_format)),
                };
                if let Some((structurized, place)) = &self.structurized {
                    let notes = why::notes(&run.structurized, structurized, &Printer::by_handle(structurized))
                        .into_iter()
                        .map(of_reason);
                    self.recorder.report().passes[*place].notes.extend(notes);
                }
            }
            Err(error) => self.fail(error, module),
        }
        if let Err(error) = code {
            self.refuse_code(error, module);
        }
        self.recorder.report().command = command_line();
        self.recorder.finish()
    }

    fn run_lanes(&mut self, end: &Ended<'_>) {
        let report = self.recorder.report();
        if let (Some(last), Ok(_)) = (report.passes.iter().rposition(|pass| pass.is_changed), end.ran) {
            self.states.keep_last(last, end.module);
        }
        let reflection = end.ran.ok().and_then(|run| run.reflection.as_ref());
        // The lanes of machine code are those of the module that it was made of.
        let states = report.passes.len() + usize::from(matches!(end.code, Ok(Some(_))));
        report.lanes = self.states.run(reflection, end.launch, states);
    }

    /// Adds the machine code of a kernel, and returns its text.
    fn add_code(&mut self, code: &Code, module: &Module) -> String {
        let text = code.code.assembly();
        let lines: Vec<&str> = text.lines().collect();
        let blocks = code.code.blocks();
        let part = |CodeBlock { block, role, lines: range }: CodeBlock| CodePart {
            block,
            role: role.name(),
            lines: lines[range].to_vec(),
        };
        let parts: Vec<CodePart<'_>> = blocks.into_iter().map(part).collect();
        self.recorder.record_code(module, code.function, &parts);
        text
    }

    fn fail(&mut self, error: &Error, module: &Module) {
        let name = match error {
            Error::Pass { pass, .. } | Error::LimitExceeded { pass, .. } | Error::Internal { pass, .. } => pass,
            _ => "verify",
        };
        let function = error.function().unwrap_or_default().to_owned();
        let block = error.inst().filter(|&inst| module.is_live(inst)).and_then(|inst| module.block_of(inst));
        let block = block.map_or_else(String::new, |block| Printer::by_handle(module).operand_text(block.into()));
        let note = Note { function, block, code: error.code().name.to_owned(), text: error.message(), ..empty() };
        self.add_failure(name, module, note);
    }

    /// Adds the reason why the module has no machine code.
    fn refuse_code(&mut self, error: &CodegenError, module: &Module) {
        let instruction = error.place.instruction.iter().map(|text| format!(": `{text}`")).collect::<String>();
        let note = Note {
            function: error.place.function.clone().unwrap_or_default(),
            code: error.code.name.to_owned(),
            text: format!("{error}{instruction}"),
            ..empty()
        };
        self.add_failure(MACHINE_CODE, module, note);
    }

    /// Adds a pass that failed, with what it left and the reason.
    fn add_failure(&mut self, name: &str, module: &Module, note: Note) {
        self.recorder.record(name, None, Change::Some, module);
        if let Some(last) = self.recorder.report().passes.last_mut() {
            (last.is_failed, last.notes) = (true, vec![Note { kind: NoteKind::Failure, ..note }]);
        }
    }
}

/// The error of a file whose extension is not one of a report. A page is also what goes to stdout, or to a file without an extension.
pub(crate) fn unknown_form(path: &Path) -> Option<String> {
    let extension = output::extension(path).filter(|extension| !["html", "htm", "json"].contains(&&**extension))?;
    Some(format!("the extension .{extension} names no form of a report: use .html for the page, or .json for its data"))
}

/// The report in the format that the name of its file says: data in JSON, or the page.
pub(crate) fn in_format_of(report: &Report, path: &Path) -> String {
    let is_data = has_extension(path, "json");
    if is_data { report.json() } else { report.page() }
}

/// The command line, without the folder of the command.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    std::iter::once("reconverge".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns the text of a module in its output format, if that is text.
fn written(module: &Module, format: Format) -> Text {
    let format = if format.is_text() { format } else { Format::ASSEMBLY };
    let bytes = reconverge::write(module, format).unwrap_or_default();
    text(format.title(), &String::from_utf8_lossy(&bytes))
}

/// A named text.
pub(crate) fn text(name: &str, text: &str) -> Text {
    Text { name: name.to_owned(), lines: lines(text) }
}

/// The source of the shader: the input itself, what the module embeds, or for DXIL without lines its assembly.
fn source(module: &Module, input: &Input) -> Text {
    if input.format.is_shading_language() {
        return Text { name: input.name.clone(), lines: lines(&String::from_utf8_lossy(&input.bytes)) };
    }
    let embedded = Sources::new(module).embedded().into_iter().next();
    if let Some((name, text)) = embedded {
        return Text { name, lines: lines(&text) };
    }
    // Lines of a source that is not there are no lines of the assembly.
    let has_lines = || module.descendants(module.root()).any(|inst| module.explicit_location(inst).is_some());
    match input.format == Format::DXIL && !has_lines() {
        true => dxil::assembly(input).map_or_else(|_| Text::default(), |assembly| text("LLVM assembly", &assembly)),
        false => Text::default(),
    }
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Returns the findings of the verifier and of the diagnoses in the input.
fn notes_of_findings(module: &Module, input: &Input) -> Vec<Note> {
    let mut copy = module.clone();
    let findings = reconverge::findings(&mut copy, input.format);
    let printer = Printer::by_handle(module);
    let name = |inst: Option<Inst>| inst.map_or_else(String::new, |inst| printer.operand_text(inst));
    let of_finding = |finding: &reconverge_verify::Finding| Note {
        kind: NoteKind::Finding,
        function: name(finding.function.map(Inst::from)),
        block: name(finding.block.map(Inst::from)),
        code: finding.code.to_string(),
        text: finding.message.clone(),
        ..empty()
    };
    let mut notes: Vec<Note> = findings.iter().map(of_finding).collect();
    if notes.is_empty() && module.generic_use().is_none() {
        let of_diagnosis = |diagnosis: Diagnosis| Note {
            kind: NoteKind::Finding,
            function: name(module.function_of(diagnosis.inst).map(Inst::from)),
            block: name(module.block_of(diagnosis.inst).map(Inst::from)),
            code: diagnosis.code.to_string(),
            text: diagnosis.message,
            ..empty()
        };
        notes.extend(reconverge_diagnose::check(module, &Options::default()).into_iter().map(of_diagnosis));
    }
    notes
}

fn of_move(told: moves::Sentence) -> Note {
    let (function, block, value) = (told.function, told.to, told.inst);
    Note { kind: NoteKind::Move, function, block, value, code: told.reason, text: told.text }
}

/// A reason of the structurizer.
pub(crate) fn of_reason(told: why::Sentence) -> Note {
    let (function, block) = (told.function, told.block.unwrap_or_default());
    Note { kind: NoteKind::Why, function, block, code: told.reason.to_owned(), text: told.text, ..empty() }
}

/// A note about nothing yet.
pub(crate) fn empty() -> Note {
    let [function, block, value, code, text] = [const { String::new() }; 5];
    Note { kind: NoteKind::Finding, function, block, value, code, text }
}
