//! Where instructions come from in the source of the shader.
//!
//! Three ways to say it are read: `OpLine`, which the module keeps as a location; `DebugLine` of `NonSemantic.Shader.DebugInfo.100`;
//! and, for a function without a line of its own, the `DebugFunction` that its `DebugFunctionDefinition` names. Within a block a
//! line holds until the next one, whichever way it is said.

use std::fmt;

use reconverge_ir::{Inst, Location, Module, Op, terminator};
use rustc_hash::FxHashSet;

/// Instructions of `NonSemantic.Shader.DebugInfo.100` that are read.
mod number {
    pub(super) const DEBUG_FUNCTION: u32 = 20;
    pub(super) const DEBUG_SOURCE: u32 = 35;
    pub(super) const DEBUG_FUNCTION_DEFINITION: u32 = 101;
    pub(super) const DEBUG_LINE: u32 = 103;
    pub(super) const DEBUG_NO_LINE: u32 = 104;
}

/// First operand of an extended instruction behind set and number.
const OPERANDS: usize = 2;

/// A place in a source file. Displays as `file:line:column`.
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

/// Looks up where instructions come from.
#[derive(Debug)]
pub struct Sources<'m> {
    module: &'m Module,
    sets: FxHashSet<Inst>,
}

/// The instruction set of debug information for shaders.
const DEBUG_INFORMATION: &str = "NonSemantic.Shader.DebugInfo.100";

/// What one instruction says about lines.
enum Said {
    Place(SourcePlace),
    Nothing,
    FromHereUnknown,
}

impl<'m> Sources<'m> {
    /// Looks for the debug information that the module has. Linear in the instructions at module level.
    pub fn new(module: &'m Module) -> Sources<'m> {
        let is_set = |global: &Inst| {
            module.op(*global) == Op::ExtInstImport
                && module.operands(*global).next().is_some_and(|name| module.literal_text(name) == DEBUG_INFORMATION)
        };
        Sources { module, sets: module.globals().filter(is_set).collect() }
    }

    /// Where an instruction comes from: the line that holds for it in its block. A `loop` is where its header says, a block where its
    /// first line says, a function where it is declared. Linear in the distance to the line.
    pub fn place(&self, inst: Inst) -> Option<SourcePlace> {
        let module = self.module;
        match module.op(inst) {
            Op::Loop => self.loop_place(inst),
            Op::Block | Op::EdgeBlock => self.explicit(inst).or_else(|| self.first_place(inst)),
            Op::Function => self.explicit(inst).or_else(|| self.function_place(inst)),
            _ => self.place_before(inst),
        }
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
        let header = self.module.cast(self.module.operand(inst, terminator::operand::TARGET));
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
        let definition = module.children(entry).find(|&inst| self.is(inst, number::DEBUG_FUNCTION_DEFINITION))?;
        let declared = self.debug_operand(definition, 0).filter(|&inst| self.is(inst, number::DEBUG_FUNCTION))?;
        self.debug_place(declared, [2, 3, 4])
    }

    fn explicit(&self, inst: Inst) -> Option<SourcePlace> {
        match self.said(inst) {
            Said::Place(place) => Some(place),
            _ => None,
        }
    }

    fn said(&self, inst: Inst) -> Said {
        match self.module.explicit_location(inst) {
            Some(Location::None) => Said::FromHereUnknown,
            Some(Location::Line { file, line, column }) => {
                let file = self.module.operands(file).next().map(|text| self.module.literal_text(text));
                Said::Place(SourcePlace { file: file.unwrap_or_default(), line, column })
            }
            None if self.is(inst, number::DEBUG_NO_LINE) => Said::FromHereUnknown,
            None if self.is(inst, number::DEBUG_LINE) => {
                self.debug_place(inst, [0, 1, 3]).map_or(Said::Nothing, Said::Place)
            }
            None => Said::Nothing,
        }
    }

    /// Source, line and column, which are operands of these numbers.
    fn debug_place(&self, inst: Inst, [source, line, column]: [usize; 3]) -> Option<SourcePlace> {
        let module = self.module;
        let word = |index: usize| self.debug_operand(inst, index).and_then(|operand| module.literal_word(operand));
        let source = self.debug_operand(inst, source).filter(|&source| self.is(source, number::DEBUG_SOURCE))?;
        let file = self.debug_operand(source, 0).filter(|&file| module.op(file) == Op::String)?;
        let file = module.operands(file).next().map(|text| module.literal_text(text))?;
        Some(SourcePlace { file, line: word(line)?, column: word(column).unwrap_or(0) })
    }

    fn is(&self, inst: Inst, number: u32) -> bool {
        let module = self.module;
        module.op(inst) == Op::ExtInst
            && self.sets.contains(&module.operand(inst, 0))
            && module.literal_word(module.operand(inst, 1)) == Some(number)
    }

    fn debug_operand(&self, inst: Inst, index: usize) -> Option<Inst> {
        self.module.operands(inst).nth(OPERANDS + index)
    }
}
