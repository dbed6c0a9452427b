//! Source locations.

use crate::{Inst, Module};

/// The source location of an instruction, from debug information. A part that is `None` is unknown.
///
/// A location applies, with all its parts, from its instruction to the end of the block or to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Location {
    /// From `OpLine` (SPIR-V section 3.3.3, debug instructions).
    pub line: Option<Line>,
    /// From `DebugLine`: a `debug_line` with the instruction set, source, and first and last lines and columns.
    pub range: Option<Inst>,
    /// From `DebugScope`: a `debug_scope` with the instruction set, the lexical scope, and the `DebugInlinedAt` if there is one.
    pub scope: Option<Inst>,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// The `string` instruction with the file's name.
    pub file: Inst,
    /// Line, as the source language counts.
    pub line: u32,
    /// Column; 0 if unknown.
    pub column: u32,
}

impl Location {
    /// An unknown location.
    pub const NONE: Location = Location { line: None, range: None, scope: None };

    /// Only a line of a file.
    pub const fn at(file: Inst, line: u32, column: u32) -> Location {
        Location { line: Some(Line { file, line, column }), ..Location::NONE }
    }

    /// The instructions that it names.
    pub fn parts(self) -> impl Iterator<Item = Inst> {
        self.line.map(|line| line.file).into_iter().chain(self.range).chain(self.scope)
    }

    /// The same with other instructions.
    #[must_use]
    pub fn map(self, mut image: impl FnMut(Inst) -> Inst) -> Location {
        Location {
            line: self.line.map(|line| Line { file: image(line.file), ..line }),
            range: self.range.map(&mut image),
            scope: self.scope.map(image),
        }
    }

    /// The same, with instructions resolved that were merged into equal ones.
    pub(crate) fn resolved(self, module: &Module) -> Location {
        self.map(|part| module.resolve(part))
    }
}
