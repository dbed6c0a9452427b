//! What an error or the verifier's findings say, as diagnostics.

use reconverge::ir::text::Printer;
use reconverge::ir::{Inst, Location, Module};
use reconverge::verify::Finding;
use reconverge::{Error, ErrorKind, Format, Place};

use crate::diagnostics::Diagnostic;
use crate::input::Input;
use crate::places::Places;

/// An error about an input; `module` is the module as the failing step left it, if there is one. Of an internal error only the
/// findings: the rest is said with the reproducer.
pub(crate) fn of_error(error: &Error, input: &Input, module: Option<&Module>) -> Vec<Diagnostic> {
    match (error, module) {
        (Error::Invalid(findings), Some(module)) => return of_findings(findings, input, module),
        (Error::Internal { findings, .. }, Some(module)) => return describe(findings, module),
        _ if error.kind() == ErrorKind::Internal => return Vec::new(),
        _ => {}
    }
    let line = match (error.place(), input.format) {
        (Some(Place::Line(line, _)), Format::Text) => Some(line_of_text(&input.bytes, line)),
        _ => None,
    };
    let mut diagnostic = Diagnostic {
        code: error.code(),
        message: error.message(),
        file: Some(input.name.clone()),
        place: error.place(),
        line,
        function: error.function().map(str::to_owned),
        ..Diagnostic::default()
    };
    if let (Some(inst), Some(module)) = (error.inst(), module) {
        point_out(&mut diagnostic, inst, module);
    }
    vec![diagnostic]
}

/// Says which instruction a diagnostic is about; the whole module is none.
pub(crate) fn point_out(diagnostic: &mut Diagnostic, inst: Inst, module: &Module) {
    if inst == module.root() {
        return;
    }
    let printer = Printer::new(module);
    diagnostic.function = module.function_of(inst).map(|function| printer.operand_text(function.into()));
    diagnostic.block = module.block_of(inst).map(|block| printer.operand_text(block.into()));
    diagnostic.context = Some(printer.line(inst));
    diagnostic.source = source_place(module, inst);
}

/// Findings about a module that stands as it was read.
pub(crate) fn of_findings(findings: &[Finding], input: &Input, module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = describe(findings, module);
    let text = String::from_utf8_lossy(&input.bytes);
    let places = (input.format == Format::Text).then(|| (Places::new(&text), Printer::new(module)));
    for (diagnostic, finding) in diagnostics.iter_mut().zip(findings) {
        diagnostic.file = Some(input.name.clone());
        let line = places.as_ref().and_then(|(places, printer)| places.find(finding, module, printer));
        if let Some(line) = line {
            diagnostic.place = Some(Place::Line(line.number, line.column));
            diagnostic.line = Some(line.text);
        }
    }
    diagnostics
}

/// Findings in the names of the text form.
fn describe(findings: &[Finding], module: &Module) -> Vec<Diagnostic> {
    let printer = Printer::new(module);
    let name = |inst: Inst| printer.operand_text(inst);
    let describe = |finding: &Finding| Diagnostic {
        code: finding.code.to_string(),
        message: finding.message.clone(),
        function: finding.function.map(|function| name(function.into())),
        block: finding.block.map(|block| name(block.into())),
        edge: finding.edge.map(|(from, to)| (name(from.into()), name(to.into()))),
        context: Some(finding.context.clone()).filter(|context| !context.is_empty()),
        source: finding.inst.and_then(|inst| source_place(module, inst)),
        suggestion: finding.suggestion.clone(),
        ..Diagnostic::default()
    };
    findings.iter().map(describe).collect()
}

/// File, line and column in the shader's source.
fn source_place(module: &Module, inst: Inst) -> Option<String> {
    match module.location(inst)? {
        Location::None => None,
        Location::Line { file, line, column } => {
            let file = module.operands(file).next().map(|text| module.literal_text(text)).unwrap_or_default();
            Some(format!("{file}:{line}:{column}"))
        }
    }
}

fn line_of_text(bytes: &[u8], line: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().nth(line.saturating_sub(1)).unwrap_or("").to_owned()
}
