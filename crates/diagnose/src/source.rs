//! The source locations of instructions in the source of the shader.
//!
//! Three ways to say it are read: `OpLine`, which the module keeps as a location; `DebugLine` of `NonSemantic.Shader.DebugInfo.100`;
//! and, for a function without a line of its own, the `DebugFunction` that its `DebugFunctionDefinition` names. Within a block a
//! line holds until the next one, whichever way it is said.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;

use reconverge_ir::debug_info::{DebugSet, number, operand, operand_of};
use reconverge_ir::{Block, Inst, Line, Module, Op, terminator, view};

/// A source location. Displays as `file:line:column`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourcePlace {
    /// The file, as the module names it.
    pub file: String,
    /// Line, as the source language counts.
    pub line: u32,
    /// Column; 0 where unknown.
    pub column: u32,
}

/// `file:line:column`, for a terminal: control characters in the name of the file are escaped.
impl fmt::Display for SourcePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.file.chars() {
            match letter.is_control() {
                true => write!(formatter, "{}", letter.escape_default())?,
                false => write!(formatter, "{letter}")?,
            }
        }
        write!(formatter, ":{}:{}", self.line, self.column)
    }
}

/// Looks up source locations of instructions.
#[derive(Debug)]
pub struct Sources<'m> {
    module: &'m Module,
    /// The lines of the files that the module embeds, by name and number; read on first use.
    lines: OnceCell<BTreeMap<String, BTreeMap<u32, String>>>,
}

/// The source line that one instruction states.
enum Said {
    Place(SourcePlace),
    Nothing,
    FromHereUnknown,
}

impl<'m> Sources<'m> {
    /// Prepares the lookup of the module's debug information. Constant time.
    pub fn new(module: &'m Module) -> Sources<'m> {
        Sources { module, lines: OnceCell::new() }
    }

    /// The source location of an instruction: the line in effect in its block. The location of a `loop` is that of its header, of a block
    /// that of its first line, of a function that of its declaration. Linear in the distance to the line.
    pub fn place(&self, inst: Inst) -> Option<SourcePlace> {
        let module = self.module;
        match module.op(inst) {
            Op::Loop => self.loop_place(inst),
            Op::Block | Op::EdgeBlock => self.explicit(inst).or_else(|| self.first_place(inst)),
            Op::Function => self.explicit(inst).or_else(|| self.function_place(inst)),
            _ => self.place_before(inst),
        }
    }

    /// The source line at a location, if the module embeds the source (`OpSource`, `DebugSource`). The first call is linear in the module
    /// with its sources, all others are logarithmic.
    pub fn line(&self, place: &SourcePlace) -> Option<&str> {
        let files = self.lines.get_or_init(|| {
            let texts = self.embedded().into_iter();
            texts.map(|(file, text)| (file, numbered(&text))).collect()
        });
        files.get(&place.file)?.get(&place.line).map(String::as_str)
    }

    /// The files that the module embeds: `OpSource` with its continuations, and `DebugSource` likewise.
    pub fn embedded(&self) -> BTreeMap<String, String> {
        let module = self.module;
        let mut texts = BTreeMap::new();
        let mut current: Option<String> = None;
        for inst in module.globals() {
            let (file, text) = match module.op(inst) {
                Op::Source => {
                    let Some(view::Source { file, text, .. }) = view::Source::of(module, inst) else { continue };
                    (file.and_then(|file| self.string(file)), text)
                }
                Op::SourceContinued => (None, view::SourceContinued::of(module, inst).map(|more| more.text)),
                _ if self.is(inst, number::SOURCE) => {
                    let string = |number| operand_of(module, inst, number).and_then(|string| self.string(string));
                    (string(operand::SOURCE_FILE), string(operand::SOURCE_TEXT))
                }
                _ if self.is(inst, number::SOURCE_CONTINUED) => {
                    let text = operand_of(module, inst, operand::SOURCE_CONTINUED_TEXT);
                    (None, text.and_then(|string| self.string(string)))
                }
                _ => continue,
            };
            current = file.map(|file| file.to_string()).or(current);
            if let (Some(file), Some(text)) = (&current, text) {
                texts.entry(file.clone()).or_insert_with(String::new).push_str(&text.to_string());
            }
        }
        texts
    }

    fn place_before(&self, inst: Inst) -> Option<SourcePlace> {
        let mut current = Some(inst);
        while let Some(inst) = current {
            match self.said(inst) {
                Said::Place(place) => return Some(place),
                Said::FromHereUnknown => return None,
                Said::Nothing => current = self.module.previous(inst),
            }
        }
        None
    }

    /// SPIR-V writes the line of a loop into its header, before the merge instruction.
    fn loop_place(&self, inst: Inst) -> Option<SourcePlace> {
        let header = self.module.operands(inst).nth(terminator::operand::TARGET);
        let header = header.and_then(|header| self.module.cast::<Block>(header));
        let end = header.and_then(|header| self.module.terminator(header)).map(Inst::from);
        let said = end.and_then(|end| self.place_before(end));
        said.or_else(|| self.place_before(inst)).or_else(|| header.and_then(|header| self.first_place(header.into())))
    }

    fn first_place(&self, block: Inst) -> Option<SourcePlace> {
        self.module.children(block).find_map(|child| self.explicit(child))
    }

    fn function_place(&self, function: Inst) -> Option<SourcePlace> {
        let module = self.module;
        let entry = module.cast(function).and_then(|function| module.entry(function))?;
        let definition = module.children(entry).find(|&inst| self.is(inst, number::FUNCTION_DEFINITION))?;
        let declared = operand_of(module, definition, operand::DEFINITION_FUNCTION);
        let declared = declared.filter(|&inst| self.is(inst, number::FUNCTION))?;
        let [source, line, column] = [operand::FUNCTION_SOURCE, operand::FUNCTION_LINE, operand::FUNCTION_COLUMN]
            .map(|number| operand_of(module, declared, number));
        self.debug_place(source, line, column)
    }

    fn explicit(&self, inst: Inst) -> Option<SourcePlace> {
        match self.said(inst) {
            Said::Place(place) => Some(place),
            _ => None,
        }
    }

    fn said(&self, inst: Inst) -> Said {
        let module = self.module;
        let Some(location) = module.explicit_location(inst) else { return Said::Nothing };
        // `DebugLine` comes first: in the entry block an `OpLine` may be that of the function, which extends into it.
        let range = location.range.and_then(|range| {
            let range = view::DebugLine::of(module, range)?;
            self.debug_place(Some(range.source), Some(range.first_line), Some(range.first_column))
        });
        let line = || {
            location.line.map(|Line { file, line, column }| {
                let file = self.string(file).map(|text| text.to_string());
                SourcePlace { file: file.unwrap_or_default(), line, column }
            })
        };
        range.or_else(line).map_or(Said::FromHereUnknown, Said::Place)
    }

    /// A location given by source, line and column.
    fn debug_place(&self, source: Option<Inst>, line: Option<Inst>, column: Option<Inst>) -> Option<SourcePlace> {
        let module = self.module;
        let word = |operand: Option<Inst>| operand.and_then(|operand| module.literal_word(operand));
        let source = source.filter(|&source| self.is(source, number::SOURCE))?;
        let file = operand_of(module, source, operand::SOURCE_FILE).and_then(|file| self.string(file))?;
        Some(SourcePlace { file: file.to_string(), line: word(line)?, column: word(column).unwrap_or(0) })
    }

    fn string(&self, string: Inst) -> Option<view::Text<'_>> {
        view::String::of(self.module, string).map(|string| string.text)
    }

    fn is(&self, inst: Inst, number: u32) -> bool {
        DebugSet::of_inst(self.module, inst) == Some((DebugSet::Constants, number))
    }
}

/// The lines of a text by their numbers. `#line N` sets the number of the next line; of several lines with the same number the first one is
/// used.
fn numbered(text: &str) -> BTreeMap<u32, String> {
    let mut lines = BTreeMap::new();
    let mut number: u32 = 1;
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix("#line").and_then(|rest| rest.split_whitespace().next());
        if let Some(next) = directive.and_then(|next| next.parse().ok()) {
            number = next;
            continue;
        }
        lines.entry(number).or_insert_with(|| line.to_owned());
        number = number.saturating_add(1);
    }
    lines
}
