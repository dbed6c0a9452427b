//! Converts errors, the verifier's findings and diagnoses to diagnostics.

use std::collections::BTreeMap;
use std::path::Path;

use reconverge::ir::ImportCode;
use reconverge::ir::text::Printer;
use reconverge::ir::{Block, Function, Inst, Module, Op, view};
use reconverge::opencl::{Driver, FrontEndFault, Repair, uneven_barriers};
use reconverge::opencl::{DriverCode, KernelCode, RepairCode};
use reconverge::structurize::Assumption;
use reconverge::{Error, Format, Kind, Place, Run, Target};
use reconverge_analysis::MisalignedBarrier;
use reconverge_diagnose::{Code, Diagnosis, Severity, Sources, Step};
use reconverge_diagnostic::Code as Declared;
use reconverge_verify::Finding;

use crate::crash::Trace;
use crate::diagnostics::{Diagnostic, Reporter, SourceLine, Waypoint, printable};
use crate::exit::Exit;
use crate::input::{Input, InputCode};
use crate::kinds::{FileKind, TEXT, kind_of, text_of};
use crate::places::{Places, Subject, TextLine};
use crate::shorten::ShownLine;

/// The code of an import that nothing defines.
pub(crate) const UNDEFINED: &Declared = ImportCode::Undefined.declared();

/// The assumptions of a translation, a note for each.
pub(crate) fn of_assumptions(assumptions: &[reconverge::Diagnostic], input: &Input) -> Vec<Diagnostic> {
    let note = |assumption: &reconverge::Diagnostic| Diagnostic {
        severity: Severity::Note,
        code: assumption.code,
        message: assumption.message.clone(),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    assumptions.iter().map(note).collect()
}

/// An error about an input; `module` is the module as the failing step left it, if there is one. For an internal error only the findings:
/// the reproducer has the rest.
pub(crate) fn of_error(error: &Error, input: &Input, module: Option<&Module>) -> Vec<Diagnostic> {
    match (error, module) {
        (Error::Invalid(findings), Some(module)) => return of_findings(findings, input, module),
        (Error::Internal { findings, .. }, Some(module)) => return describe(findings, module),
        _ if error.kind() == Kind::Internal => return Vec::new(),
        _ => {}
    }
    let mut diagnostic = Diagnostic {
        code: error.code(),
        message: error.message(),
        file: Some(input.name.clone()),
        place: error.place(),
        function: error.function().map(str::to_owned),
        suggestion: error.help_of_case().or((error.code() == UNDEFINED).then_some(UNDEFINED.help)).map(str::to_owned),
        ..Diagnostic::default()
    };
    if let (Some(inst), Some(module)) = (error.inst(), module) {
        point_out(&mut diagnostic, inst, module);
        hint_at_lines(&mut diagnostic, input);
    }
    if let Some(kind) = wrong_kind(error, input) {
        return vec![of_wrong_kind(kind, input)];
    }
    if input.format.is_text() {
        let text = String::from_utf8_lossy(&input.bytes);
        match (error.place(), module) {
            (Some(place @ Place::Line(..)), _) => diagnostic.line = ShownLine::at(place, &text),
            (_, Some(module)) => (diagnostic.place, diagnostic.line) = line_in_origin(error, module, input, &text),
            _ => {}
        }
    }
    with_id_note(vec![diagnostic], input)
}

/// The kind of an input that is not what its format says. A module that contains an error is of the right kind.
fn wrong_kind(error: &Error, input: &Input) -> Option<FileKind> {
    let may_be_other = error.may_be_of_another_format();
    let kind = kind_of(Path::new(&input.name), &input.bytes).filter(|_| may_be_other)?;
    // A text that is to be of a format is one with errors.
    let is_meant = kind == TEXT && input.format.is_text() && !input.is_guessed;
    (kind != FileKind::Module(input.format) && !is_meant).then_some(kind)
}

/// A module where a graph is expected.
pub(crate) fn of_module_for_a_graph(diagnostic: Diagnostic) -> Diagnostic {
    let help = "`reconverge graph` reads control flow graphs; `reconverge compile` reads modules";
    Diagnostic { suggestion: Some(help.to_owned()), ..diagnostic }
}

/// A file of another kind than its reader expects. The place is the first line of a text, or the first byte.
pub(crate) fn of_wrong_kind(kind: FileKind, input: &Input) -> Diagnostic {
    let text = text_of(&input.bytes);
    let first = text.and_then(|text| text.lines().position(|line| !line.trim().is_empty()));
    let place = first.map_or(Place::Byte(0), |line| Place::Line(line + 1, 1));
    let expected = if input.format == Format::SPIRV { "not SPIR-V: " } else { "" };
    let is_guess = text.is_some() && kind != TEXT && input.format == Format::SPIRV;
    let verb = if is_guess { "looks like" } else { "is" };
    Diagnostic {
        code: InputCode::WrongKind.declared(),
        message: format!("{expected}the input {verb} {}", kind.name()),
        file: Some(input.name.clone()),
        place: Some(place),
        line: text.and_then(|text| ShownLine::at(place, text)),
        suggestion: Some(kind.help()),
        ..Diagnostic::default()
    }
}

/// Notes about the functions that are structurized again, each with the first rule that the function broke.
pub(crate) fn of_repaired(findings: &[Finding], input: &Input, module: &Module) -> Vec<Diagnostic> {
    let told = of_findings(findings, input, module).into_iter().map(|diagnostic| {
        let message =
            format!("the function is not structured, so its merges are used as hints: {}", diagnostic.message);
        as_note(diagnostic, message)
    });
    told.collect()
}

/// A note about merge instructions that were ignored.
pub(crate) fn of_left_out_merge(error: &Error, input: &Input) -> Vec<Diagnostic> {
    let told = of_error(error, input, None).into_iter().map(|diagnostic| {
        let message = format!("an invalid merge instruction was ignored: {}", diagnostic.message);
        as_note(diagnostic, message)
    });
    told.collect()
}

fn as_note(diagnostic: Diagnostic, message: String) -> Diagnostic {
    let suggestion = Some("--strict rejects such input; `reconverge check` lists all errors".to_owned());
    Diagnostic { severity: Severity::Note, message, suggestion, ..diagnostic }
}

/// Reports what front ends did wrong in the input.
pub(crate) fn report_repairs(repairs: &[Repair], input: &Input, reporter: Reporter) {
    reporter.report(&of_repairs(repairs, input));
}

/// Returns the errors of front ends in the input. The input is read again for this, because passes change the module. Nothing about a
/// source: its front end is called here, and its user cannot change what it writes.
pub(crate) fn of_repairs(repairs: &[Repair], input: &Input) -> Vec<Diagnostic> {
    if input.is_source {
        return Vec::new();
    }
    let mut told: Vec<Diagnostic> = of_ignored_surplus(input).into_iter().collect();
    if !repairs.is_empty()
        && let Ok(origin) = input.module()
    {
        told.extend(of_faults(repairs, input, &origin));
    }
    with_id_note(told, input)
}

/// A note about words after the last operand of an instruction.
fn of_ignored_surplus(input: &Input) -> Option<Diagnostic> {
    let error = reconverge_spirv::ignored_surplus(&input.bytes).filter(|_| input.format == Format::SPIRV)?;
    let message = format!("the front end wrote words behind the last operand, which are ignored: {}", error.message);
    let (severity, code, file) = (Severity::Note, RepairCode::Repaired.declared(), Some(input.name.clone()));
    let place = Some(error.place);
    Some(Diagnostic { severity, code, message, file, place, ..Diagnostic::default() })
}

/// One diagnostic for each error and function, about the first such instruction of the function; of what is doubtful, one for the module.
fn of_faults(repairs: &[Repair], input: &Input, module: &Module) -> Vec<Diagnostic> {
    let text = String::from_utf8_lossy(&input.bytes);
    let lines = Lines::new(input, &text, module);
    let mut groups: Vec<(Repair, usize)> = Vec::new();
    let mut places = BTreeMap::new();
    for &repair in repairs {
        let function = module.function_of(repair.at).filter(|_| repair.fault.is_repaired());
        let key = (repair.fault, function);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((repair, 0));
            groups.len() - 1
        });
        groups[place].1 += 1;
    }
    let told = groups.into_iter().map(|(Repair { at, fault }, count)| {
        let more = if count == 1 { String::new() } else { format!(" ({count} instructions; this is the first)") };
        let message = format!("{}{more}", fault.summary());
        // Every saturating conversion comes from such a call or from one that is right; extensions are mostly casts.
        let is_likely = fault == FrontEndFault::DoubtfulSaturation;
        let severity = if is_likely { Severity::Warning } else { Severity::Note };
        let suggestion = (!fault.is_repaired()).then(|| {
            "compile from the source, where calls are right: `reconverge compile KERNEL.cl`; or write a cast, as in `(long)x`".to_owned()
        });
        let (code, file) = (fault.code().declared(), Some(input.name.clone()));
        let mut diagnostic = Diagnostic { severity, code, message, file, suggestion, ..Diagnostic::default() };
        point_out(&mut diagnostic, at, module);
        (diagnostic.place, diagnostic.line) = lines.find(Subject::of_inst(module, at));
        diagnostic
    });
    told.collect()
}

/// A warning that an OpenCL module without kernels stays what it is, although the target makes shaders of kernels. The module is the output.
pub(crate) fn of_library(run: &Run, target: Target, input: &Input, module: &Module) -> Option<Diagnostic> {
    let has = |op: Op| module.globals().any(|global| module.op(global) == op);
    let mut capabilities = module.globals().filter_map(|global| view::Capability::of(module, global));
    let is_library = target.has_kernel_passes()
        && run.reflection.is_none()
        && !has(Op::EntryPoint)
        && capabilities.any(|declared| declared.capability == Some(spirv::Capability::Kernel));
    is_library.then(|| {
        let message = format!("the module has no kernel, so it stays an OpenCL module, not one for {}", target.name());
        let suggestion = "mark the function that the host launches with `kernel`; or link the library to a module with kernels: `reconverge link`; \
                          or state with --target input that it stays an OpenCL module";
        let (code, file, suggestion) = (KernelCode::None.declared(), Some(input.name.clone()), Some(suggestion.to_owned()));
        Diagnostic { severity: Severity::Warning, code, message, file, suggestion, ..Diagnostic::default() }
    })
}

/// Barriers that lanes may reach in different iterations, or different barriers that they may reach, after compilation.
pub(crate) fn of_barriers(run: &Run, input: &Input, module: &Module) -> Vec<Diagnostic> {
    [of_lost_meetings(run, input, module), of_misaligned_barriers(run, input, module)].concat()
}

/// Barriers at which the driver loses stores, because subgroups do not wait there equally often. The module is the output.
pub(crate) fn of_uneven_barriers(module: &Module, driver: Driver, input: &Input) -> Vec<Diagnostic> {
    let describe = |barrier: Inst| {
        let message = format!(
            "{} waits at this barrier in every iteration of its loop, even if no lane reaches it, and loses stores because subgroups iterate \
             differently",
            driver.name()
        );
        let suggestion =
            "run the kernel on another device, or give the loop as many iterations in all work-items".to_owned();
        let (code, file) = (DriverCode::Barrier.declared(), Some(input.name.clone()));
        let (severity, suggestion) = (Severity::Warning, Some(suggestion));
        let mut diagnostic = Diagnostic { severity, code, message, file, suggestion, ..Diagnostic::default() };
        point_out(&mut diagnostic, barrier, module);
        diagnostic
    };
    uneven_barriers(module, driver).into_iter().map(describe).collect()
}

/// Finds the functions with barriers whose lanes reconverge at other places than the source specifies after structurization: in irreducible
/// cycles, and beyond the nesting limit. The structurizer cannot keep lanes converged there (docs/convergence.md). The module is the
/// output.
fn of_lost_meetings(run: &Run, input: &Input, module: &Module) -> Vec<Diagnostic> {
    let waits = |function: Function| {
        let mut all = module.blocks(function).flat_map(|block| module.children(block));
        all.any(|inst| module.op(inst) == Op::ControlBarrier)
    };
    let mut diagnostics = Vec::new();
    for structurized in run.structurized.iter().filter(|one| module.is_live(one.function) && waits(one.function)) {
        let report = &structurized.report;
        for assumption in &report.plan.assumptions {
            let (at, place) = match *assumption {
                Assumption::Irreducible { entry } => (entry, "a cycle with several entries"),
                Assumption::Flat { root } => (root, "code that nests deeper than the limit"),
                _ => continue,
            };
            let message = format!(
                "lanes may reach a barrier in {place} in different iterations, so they may wait at different barriers"
            );
            let severity = Severity::Warning;
            let suggestion = Some(Code::W01.suggestion().to_owned());
            let (code, file) = (Code::W01.declared(), Some(input.name.clone()));
            let mut diagnostic = Diagnostic { severity, code, message, file, suggestion, ..Diagnostic::default() };
            if let Some(&block) = report.input_blocks.get(at.index()) {
                point_out(&mut diagnostic, block.into(), module);
            }
            diagnostic.function.get_or_insert_with(|| Printer::new(module).operand_text(structurized.function.into()));
            diagnostics.push(diagnostic);
        }
    }
    // One of the entries of a cycle is enough.
    diagnostics.dedup_by(|next, first| (&next.function, &next.message) == (&first.function, &first.message));
    diagnostics
}

/// Finds the barriers that lanes may reach in different iterations of a loop, that is, different barriers after the loop is structurized.
/// The module is the output; names are those of the module as it was read.
fn of_misaligned_barriers(run: &Run, input: &Input, module: &Module) -> Vec<Diagnostic> {
    if run.misaligned_barriers.is_empty() {
        return Vec::new();
    }
    let Ok((origin, _)) = input.repaired_module() else { return Vec::new() };
    let text = String::from_utf8_lossy(&input.bytes);
    let lines = Lines::new(input, &text, &origin);
    let is_known = |inst: Inst| inst.index() < origin.capacity() && origin.is_live(inst);
    let sources = Sources::new(&origin);
    let named = |block: Block| match (is_known(block.into()), sources.place(block.into())) {
        (true, Some(source)) => format!("line {}", source.line),
        (true, None) => lines.printer.operand_text(block.into()),
        (false, _) => "a block of an inlined function".to_owned(),
    };
    let describe = |apart: &MisalignedBarrier| {
        let message = format!(
            "lanes may reach this barrier in different iterations of the loop at {}: they diverge at the end of {}",
            named(apart.header),
            named(apart.branch),
        );
        let (severity, code) = (Severity::Warning, Code::W01.declared());
        let suggestion = Some(Code::W01.suggestion().to_owned());
        let mut diagnostic = Diagnostic { severity, code, message, suggestion, ..Diagnostic::default() };
        diagnostic.file = Some(input.name.clone());
        if is_known(apart.barrier) {
            point_out(&mut diagnostic, apart.barrier, &origin);
            (diagnostic.place, diagnostic.line) = lines.find(Subject::of_inst(&origin, apart.barrier));
        } else {
            point_out(&mut diagnostic, apart.barrier, module);
            let name = || Printer::new(module).operand_text(apart.function.into());
            diagnostic.function = diagnostic.function.take().or_else(|| module.is_live(apart.function).then(name));
        }
        diagnostic
    };
    run.misaligned_barriers.iter().map(describe).collect()
}

/// The line of a text that an error of a pass is about. The text is read again for it: passes keep the handles of instructions and never
/// reuse one. For an instruction that a pass created, the line is that of its block or function.
fn line_in_origin(error: &Error, module: &Module, input: &Input, text: &str) -> (Option<Place>, Option<ShownLine>) {
    let Ok(origin) = input.module() else { return (None, None) };
    let is_known = |&inst: &Inst| inst.index() < origin.capacity() && origin.is_live(inst);
    let around = |inst: Inst| {
        let place = Some(inst).filter(|&inst| module.is_live(inst));
        let block = place.and_then(|inst| module.block_of(inst)).map(Inst::from);
        let function = place.and_then(|inst| module.function_of(inst)).map(Inst::from);
        [Some(inst), block, function].into_iter().flatten().find(is_known)
    };
    let lines = Lines::new(input, text, &origin);
    let named = |name: &str| origin.functions().find(|&function| lines.printer.operand_text(function.into()) == name);
    let known = error.inst().filter(|&inst| inst != module.root()).and_then(around);
    let known = known.or_else(|| error.function().and_then(named).map(Inst::from));
    known.map_or((None, None), |inst| lines.find(Subject::of_inst(&origin, inst)))
}

/// Reports an error, and notes it for the reproducer if it is a bug.
pub(crate) fn refuse(error: &Error, input: &Input, module: Option<&Module>, trace: &Trace, reporter: Reporter) -> Exit {
    reporter.report(&of_error(error, input, module));
    if error.kind() == Kind::Internal {
        trace.failed(&error.message());
    }
    error.kind().into()
}

/// Says how a message about an instruction gets the line of the source, if it has none.
pub(crate) fn hint_at_lines(diagnostic: &mut Diagnostic, input: &Input) {
    if diagnostic.context.is_some() && diagnostic.source.is_none() {
        diagnostic.notes.extend(input.way_to_lines());
    }
}

/// Sets the instruction that a diagnostic is about; none for the whole module.
pub(crate) fn point_out(diagnostic: &mut Diagnostic, inst: Inst, module: &Module) {
    if inst == module.root() || !module.is_live(inst) {
        return;
    }
    let printer = Printer::new(module);
    let function = module.function_of(inst).map(|function| printer.operand_text(function.into()));
    diagnostic.function = function.or(diagnostic.function.take());
    diagnostic.function_name =
        module.function_of(inst).and_then(|function| unwritable_name(module, &printer, function));
    let itself: Option<Block> = module.cast(inst);
    let block = itself.or_else(|| module.block_of(inst));
    diagnostic.block = block.map(|block| printer.operand_text(block.into()));
    diagnostic.context = itself.is_none().then(|| printer.statement(inst));
    diagnostic.source = SourceLine::of(&Sources::new(module), inst);
}

/// As [`point_out`], with the line of an input in text form, if the instruction is still as it was read.
pub(crate) fn point_out_in_input(diagnostic: &mut Diagnostic, inst: Inst, module: &Module, input: &Input) {
    point_out(diagnostic, inst, module);
    if diagnostic.source.is_some() || !input.format.is_text() || !module.is_live(inst) {
        return;
    }
    let Ok(origin) = input.module() else { return };
    let is_known = inst.index() < origin.capacity() && origin.is_live(inst);
    if is_known && Printer::new(&origin).statement(inst) == Printer::new(module).statement(inst) {
        let text = String::from_utf8_lossy(&input.bytes);
        let lines = Lines::new(input, &text, &origin);
        (diagnostic.place, diagnostic.line) = lines.find(Subject::of_inst(&origin, inst));
    }
}

/// The name of a function that the text form cannot use, because it prints a number instead.
fn unwritable_name(module: &Module, printer: &Printer<'_>, function: Function) -> Option<String> {
    let name = module.name(function)?;
    let is_written = printer.operand_text(function.into()).strip_prefix('%') == Some(name.as_str());
    (!is_written && !name.is_empty()).then(|| printable(&name).into_owned())
}

/// Explains numbers once, at the first diagnostic that has some, if the input is a binary.
fn with_id_note(mut diagnostics: Vec<Diagnostic>, input: &Input) -> Vec<Diagnostic> {
    const NOTE: &str = "numbers such as %12 are SPIR-V ids; `spirv-dis --raw-id` prints the module with them";
    let is_number = |text: &String| {
        text.split(['%', '^']).skip(1).any(|name| name.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    let has_number = |diagnostic: &Diagnostic| {
        let texts = [&diagnostic.function, &diagnostic.block, &diagnostic.context];
        // Only a verbose reporter prints these beside the line of the source.
        let is_printed = |_: &&String| !diagnostic.shows_source();
        texts.into_iter().flatten().filter(is_printed).any(is_number) || is_number(&diagnostic.message)
    };
    if input.format == Format::SPIRV
        && !input.is_source
        && let Some(first) = diagnostics.iter_mut().find(|diagnostic| has_number(diagnostic))
    {
        first.notes.push(NOTE);
    }
    diagnostics
}

/// Findings about a module as it was read.
pub(crate) fn of_findings(findings: &[Finding], input: &Input, module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = describe(findings, module);
    let text = String::from_utf8_lossy(&input.bytes);
    let lines = Lines::new(input, &text, module);
    for (diagnostic, finding) in diagnostics.iter_mut().zip(findings) {
        diagnostic.file = Some(input.name.clone());
        (diagnostic.place, diagnostic.line) = lines.find(Subject::of_finding(finding));
    }
    with_id_note(diagnostics, input)
}

/// Diagnoses of a module as it was read.
pub(crate) fn of_diagnoses(diagnoses: &[Diagnosis], input: &Input, module: &Module) -> Vec<Diagnostic> {
    if diagnoses.is_empty() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&input.bytes);
    let (lines, sources) = (Lines::new(input, &text, module), Sources::new(module));
    let describe = |diagnosis: &Diagnosis| {
        let head = lines.waypoint(&Step { inst: diagnosis.inst, text: diagnosis.message.clone() }, &sources);
        Diagnostic {
            severity: diagnosis.severity,
            code: diagnosis.code.declared(),
            message: head.message,
            file: Some(input.name.clone()),
            place: head.place,
            line: head.line,
            function: head.function,
            function_name: module
                .function_of(diagnosis.inst)
                .and_then(|function| unwritable_name(module, &lines.printer, function)),
            block: head.block,
            edge: None,
            context: head.context,
            source: head.source,
            notes: Vec::new(),
            suggestion: Some(diagnosis.suggestion.clone()),
            path: diagnosis.path.iter().map(|step| lines.waypoint(step, &sources)).collect(),
        }
    };
    with_id_note(for_the_author(diagnoses.iter().map(describe).collect(), input), input)
}

/// The author of a source knows its lines; the instructions that were made of them are left out where a line is shown.
fn for_the_author(mut diagnostics: Vec<Diagnostic>, input: &Input) -> Vec<Diagnostic> {
    let is_shown = |source: &Option<SourceLine>| source.as_ref().is_some_and(|source| source.line.is_some());
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| input.is_source && is_shown(&diagnostic.source)) {
        (diagnostic.block, diagnostic.context) = (None, None);
        let steps = diagnostic.path.iter_mut().filter(|step| is_shown(&step.source));
        steps.for_each(|step| (step.block, step.context) = (None, None));
    }
    for diagnostic in diagnostics.iter_mut().filter(|_| input.format.is_shading_language()) {
        (diagnostic.block, diagnostic.context, diagnostic.source) = (None, None, None);
        diagnostic.path.iter_mut().for_each(|step| (step.block, step.context, step.source) = (None, None, None));
    }
    diagnostics
}

/// The lines of an input, and the names in it.
struct Lines<'a> {
    module: &'a Module,
    printer: Printer<'a>,
    /// None except for the text form.
    places: Option<Places<'a>>,
    /// The text of a shading language, whose instructions have source locations.
    source: Option<&'a str>,
    sources: Sources<'a>,
}

impl<'a> Lines<'a> {
    fn new(input: &Input, text: &'a str, module: &'a Module) -> Lines<'a> {
        let places = (input.format == Format::TEXT).then(|| Places::new(text));
        let source = input.format.is_shading_language().then_some(text);
        Lines { module, printer: Printer::new(module), places, source, sources: Sources::new(module) }
    }

    fn find(&self, subject: Subject) -> (Option<Place>, Option<ShownLine>) {
        if let Some(text) = self.source {
            return self.find_in_source(subject, text);
        }
        let line = self.places.as_ref().and_then(|places| places.find(subject, self.module, &self.printer));
        let TextLine { number, column, text } = match line {
            Some(line) => line,
            None => return (None, None),
        };
        (Some(Place::Line(number, column)), Some(ShownLine::new(text, column)))
    }

    /// The line that the source location names.
    fn find_in_source(&self, subject: Subject, text: &str) -> (Option<Place>, Option<ShownLine>) {
        let Some(place) = subject.inst().and_then(|inst| self.sources.place(inst)) else { return (None, None) };
        let number = place.line as usize;
        let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
        // The columns of source locations count bytes.
        let before = (place.column as usize).saturating_sub(1);
        let column = 1 + line.get(..before).map_or(before, |before| before.chars().count());
        (Some(Place::Line(number, column)), Some(ShownLine::new(line, column)))
    }

    fn waypoint(&self, step: &Step, sources: &Sources<'_>) -> Waypoint {
        let (module, inst) = (self.module, step.inst);
        let name = |inst: Inst| self.printer.operand_text(inst);
        let (place, line) = self.find(Subject::of_inst(module, inst));
        let block = module.cast(inst).or_else(|| module.block_of(inst));
        Waypoint {
            message: step.text.clone(),
            place,
            line,
            function: module.function_of(inst).map(|function| name(function.into())),
            block: block.map(|block| name(block.into())),
            context: Some(self.printer.statement(inst)),
            source: SourceLine::of(sources, inst),
        }
    }
}

/// Findings in the names of the text form.
fn describe(findings: &[Finding], module: &Module) -> Vec<Diagnostic> {
    let printer = Printer::new(module);
    let name = |inst: Inst| printer.operand_text(inst);
    let sources = Sources::new(module);
    let describe = |finding: &Finding| Diagnostic {
        code: finding.code.declared(),
        message: finding.message.clone(),
        function: finding.function.map(|function| name(function.into())),
        function_name: finding.function.and_then(|function| unwritable_name(module, &printer, function)),
        block: finding.block.map(|block| name(block.into())),
        edge: finding.edge.map(|(from, to)| (name(from.into()), name(to.into()))),
        context: Some(finding.context.clone())
            .filter(|context| !context.is_empty() && finding.inst != Some(module.root())),
        source: finding.inst.and_then(|inst| SourceLine::of(&sources, inst)),
        suggestion: finding.suggestion.clone(),
        ..Diagnostic::default()
    };
    findings.iter().map(describe).collect()
}
