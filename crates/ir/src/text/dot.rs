//! Control flow graphs of functions for Graphviz.
//!
//! A function is a box, a block a node with its instructions, an edge a successor with its condition. Dashed edges connect merge blocks and
//! continue targets to the blocks that name them. Empty edge blocks are drawn as edges.
//!
//! Linear. Long blocks and long lines are cut; the number of omitted instructions is shown.

use std::fmt::Write as _;

use super::printer::Printer;
use crate::{Block, Function, Inst, Module, Op, Terminator};

/// The number of instructions of a block that are shown, and how many characters of each.
const LINES: usize = 12;
const CHARACTERS: usize = 80;

const HEAD: &str = "  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n  compound=true;\n";
const TIE: &str = "style=dashed, color=gray50, fontcolor=gray50, constraint=false";

/// The graphs of these functions, as one graph in the language of Graphviz. Functions without a body have none.
pub fn dot(module: &Module, functions: impl IntoIterator<Item = Function>) -> String {
    let mut picture = Picture { module, printer: Printer::new(module), text: format!("digraph module {{\n{HEAD}") };
    for function in functions.into_iter().filter(|&function| module.entry(function).is_some()) {
        picture.function(function);
    }
    picture.text + "}\n"
}

struct Picture<'m> {
    module: &'m Module,
    printer: Printer<'m>,
    text: String,
}

impl Picture<'_> {
    fn function(&mut self, function: Function) {
        let (module, number) = (self.module, Inst::from(function).index());
        let (name, stage) = (self.printer.operand_text(function.into()), module.stage(function));
        let title = quoted(&format!("{name}, stage {stage}"));
        let _ = writeln!(self.text, "  subgraph cluster_{number} {{\n    label={title}; fontname=\"sans-serif\";");
        for block in module.blocks(function).filter(|&block| !module.is_bare_edge(block)) {
            let is_entry = module.entry(function) == Some(block);
            self.block(block, if is_entry { ", penwidth=2" } else { "" });
        }
        self.text.push_str("  }\n");
        for block in module.blocks(function).filter(|&block| !module.is_bare_edge(block)) {
            self.edges(block);
        }
    }

    fn block(&mut self, block: Block, style: &str) {
        let mut label = line(&self.printer.statement(block.into()));
        let mut rest = self.module.children(block).skip(self.module.parameters(block).count());
        for inst in rest.by_ref().take(LINES) {
            label += &line(self.printer.statement(inst).trim());
        }
        match rest.count() {
            0 => {}
            more => label += &format!("... and {more} more\\l"),
        }
        let _ = writeln!(self.text, "    {} [label=\"{label}\"{style}];", node(block));
    }

    fn edges(&mut self, block: Block) {
        let module = self.module;
        let Some(end) = module.terminator(block) else { return };
        for (target, label) in module.successors(block).zip(self.conditions(end)) {
            let label = if label.is_empty() { label } else { format!(" [label={}]", quoted(&label)) };
            let _ = writeln!(self.text, "  {} -> {}{label};", node(block), node(self.behind_edge(target)));
        }
        let ties = [(module.merge_block(end), "merge"), (module.continue_block(end), "continue")];
        for (target, label) in ties.into_iter().filter_map(|(target, label)| Some((target?, label))) {
            let _ = writeln!(
                self.text,
                "  {} -> {} [{TIE}, label=\"{label}\"];",
                node(block),
                node(self.behind_edge(target))
            );
        }
    }

    /// The target of an edge; empty edge blocks are skipped.
    fn behind_edge(&self, block: Block) -> Block {
        let next = self.module.is_bare_edge(block).then(|| self.module.successors(block).next()).flatten();
        next.unwrap_or(block)
    }

    /// The condition of each successor.
    fn conditions(&self, end: Terminator) -> Vec<String> {
        match self.module.op(end) {
            Op::BranchIf | Op::If => vec!["true".to_owned(), "false".to_owned()],
            Op::Switch | Op::StructuredSwitch => {
                let cases = self.module.cases(end).map(|(literal, _)| self.printer.operand_text(literal));
                std::iter::once("default".to_owned()).chain(cases).collect()
            }
            _ => vec![String::new()],
        }
    }
}

fn node(block: Block) -> String {
    format!("b{}", Inst::from(block).index())
}

/// A left-aligned line of a label.
fn line(text: &str) -> String {
    let cut = text.char_indices().nth(CHARACTERS).map(|(end, _)| format!("{}...", &text[..end]));
    format!("{}\\l", escaped(cut.as_deref().unwrap_or(text)))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
