//! `--why`: what the structurizer added, and why, in the terms of the source.
//!
//! ```text
//! main: added a block: merge dispatch: `body` (a.comp:7) → `out` and `next` → `end` leave the construct of `head`, which has only one merge block
//! main: blocks 6 → 7; added 1 (merge dispatch 1); nesting 2 → 2
//! ```
//!
//! A verbose reporter adds the numbers of the blocks and the other figures. As JSON, `{"kind":"why",…}` for each added block and assumption, and `{"kind":"summary",…}` for each function.

use reconverge::ir::text::Printer;
use reconverge::ir::{Block, Module};
use reconverge::structurize::{Origin, PlanBlock, Policy, SplitGraph};
use reconverge::{Run, Structurized};
use reconverge_diagnose::{SourcePlace, Sources};
use serde_json::json;

use crate::diagnostics::{Reporter, printable};
use crate::shorten::shortened;
use crate::terms::Terms;

/// Prints for every function what was added and why. `module` is the module as the structurizer left it: later passes may remove blocks
/// again.
pub(crate) fn explain(run: &Run, module: &Module, terms: &Terms<'_>, policy: Policy, reporter: Reporter) {
    let (printer, sources) = (Printer::new(module), Sources::new(module));
    for structurized in &run.structurized {
        let naming = if reporter.is_verbose() { Naming::Printed(&sources) } else { Naming::Source(terms) };
        let story = Story::new(structurized, &printer, naming);
        for Sentence { function, block, reason, before, text } in story.sentences() {
            reporter.note(
                &format!("{}: {before}{text}", story.title()),
                &json!({ "kind": "why", "function": function, "block": block, "reason": reason, "message": text }),
            );
        }
        story.summary(policy, reporter);
    }
}

/// The part of a summary about the policy: nothing for the default one.
pub(crate) fn policy_text(policy: Policy) -> String {
    if policy == Policy::Spirv { String::new() } else { format!("; policy {}", policy.name()) }
}

/// The part of a summary about removed joins of exits: nothing if there are none.
fn removed_text(joins: usize) -> String {
    if joins == 0 { String::new() } else { format!("; joins removed {joins}, which only passed values on") }
}

/// The part of a summary about copied blocks: nothing if there are none.
pub(crate) fn copied_text(split: Option<&SplitGraph>) -> String {
    split.map_or_else(String::new, |split| {
        format!("; blocks copied {}, {} more instructions and branches", split.copies().len(), split.added_size())
    })
}

/// A sentence about a block that was added, or about a whole function.
#[derive(Clone)]
pub(crate) struct Sentence {
    pub(crate) function: String,
    pub(crate) block: Option<String>,
    pub(crate) reason: &'static str,
    /// The words before the text, which state that the block was added.
    before: String,
    pub(crate) text: String,
}

/// The same sentences as data.
pub(crate) fn notes(structurized: &[Structurized], module: &Module, printer: &Printer<'_>) -> Vec<Sentence> {
    let sources = Sources::new(module);
    let of_function = |structurized| Story::new(structurized, printer, Naming::Printed(&sources)).sentences();
    structurized.iter().flat_map(of_function).collect()
}

/// The names of blocks in sentences.
#[derive(Clone, Copy)]
enum Naming<'a> {
    /// As the source has them.
    Source(&'a Terms<'a>),
    /// As the text form has them, with their source lines.
    Printed(&'a Sources<'a>),
}

/// The report about one function.
struct Story<'a> {
    structurized: &'a Structurized,
    printer: &'a Printer<'a>,
    naming: Naming<'a>,
    function: String,
}

impl Story<'_> {
    fn new<'a>(structurized: &'a Structurized, printer: &'a Printer<'a>, naming: Naming<'a>) -> Story<'a> {
        Story { structurized, printer, naming, function: printer.operand_text(structurized.function.into()) }
    }

    /// The function at the start of a line.
    fn title(&self) -> String {
        match self.naming {
            Naming::Source(terms) => terms.function(self.structurized.function),
            Naming::Printed(_) => self.function.clone(),
        }
    }

    fn sentences(&self) -> Vec<Sentence> {
        [self.copied(), self.added(), self.assumptions()].concat()
    }

    fn sentence(&self, block: Option<String>, reason: &'static str, before: String, text: String) -> Sentence {
        Sentence { function: self.function.clone(), block, reason, before, text }
    }

    fn copied(&self) -> Vec<Sentence> {
        let lines = self.structurized.report.split.iter().flat_map(SplitGraph::explain);
        lines.map(|line| self.sentence(None, "copied", String::new(), self.in_names(&line))).collect()
    }

    fn added(&self) -> Vec<Sentence> {
        let report = &self.structurized.report;
        let blocks = report.plan.blocks.iter().zip(&report.blocks).enumerate();
        let told = blocks.filter_map(|(index, (planned, &block))| {
            let (reason, message) = report.plan.reason(PlanBlock::new(index))?;
            let block = self.printer.operand_text(block.into());
            let message = self.in_names(&message);
            let added = if let Naming::Source(_) = self.naming { "a block" } else { block.as_str() };
            let is_added = matches!(planned.origin, Origin::Added(_));
            let before = if is_added { format!("added {added}: ") } else { String::new() };
            Some(self.sentence(Some(block), reason, before, shortened(&message).into_owned()))
        });
        told.collect()
    }

    fn assumptions(&self) -> Vec<Sentence> {
        let all = self.structurized.report.plan.assumptions.iter();
        let told = all.map(|assumption| {
            self.sentence(None, "assumption", "assumed: ".to_owned(), self.in_names(&assumption.to_string()))
        });
        told.collect()
    }

    fn summary(&self, policy: Policy, reporter: Reporter) {
        let Structurized { report, parameters_before, parameters_after, .. } = self.structurized;
        let statistics = report.plan.statistics();
        let (blocks_in, blocks_out) = (statistics.input_blocks, statistics.plan_blocks);
        let added = &statistics.added;
        let list: Vec<String> = added.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let list = if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) };
        let parameters = i64::try_from(*parameters_after).unwrap_or(i64::MAX)
            - i64::try_from(*parameters_before).unwrap_or(i64::MAX);
        let fallback = report.plan.fell_back.map(|fallback| fallback.to_string());
        let fell_back = fallback.as_ref().map_or_else(String::new, |fallback| format!("; {fallback}"));
        let figures = match self.naming {
            Naming::Source(_) => String::new(),
            Naming::Printed(_) => format!(
                "; selectors {}; one-trip constructs {}; parameters added {parameters}",
                statistics.selectors, statistics.one_trip
            ),
        };
        let text = format!(
            "{}: blocks {blocks_in} → {blocks_out}; added {}{list}{figures}; nesting {} → {}{}{}{}{fell_back}",
            self.title(),
            report.added_blocks(),
            statistics.input_nesting,
            statistics.nesting_depth,
            copied_text(report.split.as_ref()),
            removed_text(report.removed_joins),
            policy_text(policy),
        );
        let object = json!({
            "kind": "summary", "function": self.function, "blocks_in": blocks_in, "blocks_out": blocks_out, "added": added,
            "selectors": statistics.selectors, "one_trip": statistics.one_trip, "parameters": parameters,
            "nesting_in": statistics.input_nesting, "nesting": statistics.nesting_depth,
            "removed_joins": report.removed_joins, "policy": policy.name(), "fallback": fallback,
        });
        reporter.note(&text, &object);
    }

    /// The name of a block with its source line if there is one: `^12 (saxpy.cl:7)` in the text form.
    fn name(&self, block: Block) -> String {
        let sources = match self.naming {
            Naming::Source(terms) => return terms.block(block),
            Naming::Printed(sources) => sources,
        };
        let name = self.printer.operand_text(block.into());
        let place = sources.place(block.into());
        place.map_or(name.clone(), |SourcePlace { file, line, .. }| format!("{name} ({}:{line})", printable(&file)))
    }

    /// A message of the structurizer, which calls the input's blocks `b0`, `b1`, … and the plan's `p0`, `p1`, …, with the names of the
    /// blocks instead.
    fn in_names(&self, sentence: &str) -> String {
        let report = &self.structurized.report;
        let name = |word: &str| {
            let numbered = |prefix: char| word.strip_prefix(prefix)?.parse::<usize>().ok();
            let block = numbered('b').and_then(|number| report.input_blocks.get(number));
            let block = block.or_else(|| numbered('p').and_then(|number| report.blocks.get(number)));
            block.map(|&block: &Block| self.name(block))
        };
        let pieces = sentence.split_inclusive(|character: char| !character.is_ascii_alphanumeric());
        let renamed = pieces.map(|piece| {
            let word = piece.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
            name(word).map_or_else(|| piece.to_owned(), |name| format!("{name}{}", &piece[word.len()..]))
        });
        renamed.collect()
    }
}
