//! Finds the line of a text input that a finding or a diagnosis is about.
//!
//! The text form keeps names and numbers, so the printed name of an instruction is, with few exceptions, its name in the text; and a
//! statement is a line, with few exceptions. The search goes from function to block to instruction, and stops at the innermost one that it
//! finds with certainty: the line is either that of the instruction or that of its block or function.
//!
//! The text is scanned once; each search is then logarithmic, except for instructions without a name, which are counted from the start of
//! their block.

use std::collections::HashMap;
use std::ops::Range;

use reconverge::ir::text::Printer;
use reconverge::ir::{Block, Function, Inst, Module};
use reconverge_verify::Finding;

/// A line of a text, from 1, the column at which it starts, and the line itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextLine<'t> {
    /// From 1.
    pub(crate) number: usize,
    /// Column of the first character that is not a space, from 1.
    pub(crate) column: usize,
    /// The line.
    pub(crate) text: &'t str,
}

/// The subject of a search, as precise as it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    function: Option<Function>,
    block: Option<Block>,
    inst: Option<Inst>,
}

impl Subject {
    /// The subject of a finding.
    pub(crate) fn of_finding(finding: &Finding) -> Subject {
        let block = finding.block.or_else(|| finding.edge.map(|(from, _)| from));
        Subject { function: finding.function, block, inst: finding.inst }
    }

    /// The innermost instruction that is known.
    pub(crate) fn inst(self) -> Option<Inst> {
        self.inst.or(self.block.map(Inst::from)).or(self.function.map(Inst::from))
    }

    /// An instruction, a block or a function.
    pub(crate) fn of_inst(module: &Module, inst: Inst) -> Subject {
        let block = module.cast(inst).or_else(|| module.block_of(inst));
        Subject { function: module.function_of(inst), block, inst: Some(inst) }
    }
}

/// The lines of a text that hold statements, and what they define.
#[derive(Debug)]
pub(crate) struct Places<'t> {
    /// Number, from 1, and line; empty lines and comments left out. Everything below is indices into this.
    lines: Vec<(usize, &'t str)>,
    /// Lines that define a name, ascending.
    definitions: HashMap<&'t str, Vec<usize>>,
    /// Lines at which a function starts, ascending.
    functions: Vec<usize>,
    /// Lines at which a block starts or a function ends, ascending.
    blocks: Vec<usize>,
}

impl<'t> Places<'t> {
    /// Scans a text.
    pub(crate) fn new(text: &'t str) -> Places<'t> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let is_statement = |line: &str| !matches!(line.trim_start().chars().next(), None | Some(';'));
        let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| is_statement(line)).collect();
        let (mut functions, mut blocks) = (Vec::new(), Vec::new());
        let mut definitions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, (_, line)) in lines.iter().enumerate() {
            let mut words = line.split_whitespace();
            let mut word = words.next().unwrap_or("");
            match word {
                "func" => functions.push(index),
                "block" | "edge" | "}" => blocks.push(index),
                _ => {}
            }
            if matches!(word, "func" | "block" | "edge") {
                word = words.next().unwrap_or("");
            }
            definitions.entry(name_at_start(word)).or_default().push(index);
        }
        Places { lines, definitions, functions, blocks }
    }

    /// The line of the subject. `printer` prints `module`, which was read from the text and is unchanged.
    pub(crate) fn find(&self, subject: Subject, module: &Module, printer: &Printer<'_>) -> Option<TextLine<'t>> {
        let everything = 0..self.lines.len();
        let Some(function) = subject.function else {
            let inst = subject.inst.filter(|&inst| module.parent(inst) == Some(module.root()))?;
            return self.definition(everything, &printer.operand_text(inst)).map(|index| self.line(index));
        };
        let head = self.definition(everything, &printer.operand_text(function.into()))?;
        let function_lines = head + 1..next_of(&self.functions, head).unwrap_or(self.lines.len());
        let block = subject.block;
        let start =
            block.and_then(|block| self.definition(function_lines.clone(), &printer.operand_text(block.into())));
        let (Some(block), Some(start)) = (block, start) else { return Some(self.line(head)) };
        let block_lines = start + 1..next_of(&self.blocks, start).unwrap_or(function_lines.end);
        let inst = subject.inst.filter(|&inst| module.parent(inst) == Some(block.into()));
        let found = inst.and_then(|inst| {
            if module.op(inst).has_result() {
                return self.definition(block_lines, &printer.operand_text(inst));
            }
            self.nameless(block_lines, module, inst)
        });
        Some(self.line(found.unwrap_or(start)))
    }

    /// An instruction without a result, by its position in its block; only if that line starts with its op.
    fn nameless(&self, lines: Range<usize>, module: &Module, inst: Inst) -> Option<usize> {
        let block = module.parent(inst)?;
        let parameters = module.parameters(block).count();
        let position = module.children(block).skip(parameters).position(|child| child == inst)?;
        let index = lines.start + position;
        let is_it =
            lines.contains(&index) && self.lines[index].1.split_whitespace().next() == Some(module.op(inst).name());
        is_it.then_some(index)
    }

    /// The first of the lines that defines the name.
    fn definition(&self, lines: Range<usize>, name: &str) -> Option<usize> {
        let all = self.definitions.get(name)?;
        all.get(all.partition_point(|&index| index < lines.start)).copied().filter(|index| lines.contains(index))
    }

    fn line(&self, index: usize) -> TextLine<'t> {
        let (number, text) = self.lines[index];
        let column = 1 + text.chars().take_while(|character| character.is_whitespace()).count();
        TextLine { number, column, text }
    }
}

/// The smallest greater number in an ascending list.
fn next_of(ascending: &[usize], than: usize) -> Option<usize> {
    ascending.get(ascending.partition_point(|&index| index <= than)).copied()
}

/// The name with its sigil at the start of a word, without the rest.
fn name_at_start(word: &str) -> &str {
    let ends = |character: char| matches!(character, ':' | '(' | '=' | ',' | '{' | ')');
    &word[..word.find(ends).unwrap_or(word.len())]
}
