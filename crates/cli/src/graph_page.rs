//! A graph as a page: before and after structurizing, in the layout of the report.

use reconverge::graph::{Skeleton, skeleton_observed};
use reconverge::ir::text::Printer;
use reconverge::structurize::NamedGraph;
use reconverge::{CompileOptions, Error};
use reconverge_report::{Change, InputFile, Note, NoteKind, Recorder, Text};

use crate::crash::Trace;
use crate::input::Input;
use crate::recording::{command_line, empty, lines, of_reason};
use crate::{version, why};

/// What the page has besides the pictures.
pub(crate) struct Texts<'a> {
    /// The plan.
    pub(crate) plan: String,
    /// The sentences about copied blocks.
    pub(crate) copies: Vec<String>,
    /// The trace, which has each step that is finished.
    pub(crate) trace: &'a Trace,
}

/// The page: the graph as it was read, then as the plan has it, with the reason of each added block.
///
/// # Errors
/// Those of `skeleton`.
pub(crate) fn page(
    graph: &NamedGraph,
    input: &Input,
    options: &CompileOptions,
    texts: Texts<'_>,
) -> Result<String, Error> {
    let (mut recorder, trace) = (None, texts.trace);
    let Skeleton { module, structurized } = skeleton_observed(graph, options, &mut |module| {
        recorder = Some(Recorder::of_graph(module));
        trace.finished("picture of the graph");
    })?;
    trace.finished("structurize");
    let mut recorder = recorder.expect("invariant: the shader is observed before the plan is applied");
    recorder.record("structurize", None, Change::Some, &module);
    trace.finished("picture of the plan");
    let report = recorder.report();
    report.tool = version::line().trim().to_owned();
    report.command = command_line();
    report.input = InputFile::new(&input.name, &input.bytes);
    report.source = Text { name: input.name.clone(), lines: lines(&String::from_utf8_lossy(&input.bytes)) };
    report.output = Text { name: "plan".to_owned(), lines: lines(&texts.plan) };
    let copied = |text| Note { kind: NoteKind::Why, code: "copied".to_owned(), text, ..empty() };
    let reasons = why::notes(&[structurized], &module, &Printer::by_handle(&module)).into_iter().map(of_reason);
    let notes = texts.copies.into_iter().map(copied).chain(reasons).collect();
    if let Some(last) = report.passes.last_mut() {
        last.notes = notes;
    }
    trace.finished("reasons");
    Ok(recorder.finish().page())
}
