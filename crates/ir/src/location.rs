//! Source locations.

use crate::{Inst, Module};

/// Where in the source an instruction comes from, as debug information says it. Each of the three parts says nothing where it is `None`.
///
/// A location holds, with all its parts, from the instruction it is written at to the end of the block or to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Location {
    /// What `OpLine` says (SPIR-V section 3.3.3, debug instructions).
    pub line: Option<Line>,
    /// What `DebugLine` says: a `debug_line` with the instruction set, source, and first and last lines and columns.
    pub range: Option<Inst>,
    /// What `DebugScope` says: a `debug_scope` with the instruction set, the lexical scope, and the `DebugInlinedAt` if there is one.
    pub scope: Option<Inst>,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// The `string` instruction with the file's name.
    pub file: Inst,
    /// Line, as the source language counts.
    pub line: u32,
    /// Column; 0 where unknown.
    pub column: u32,
}

impl Location {
    /// From here on nothing is known.
    pub const NONE: Location = Location { line: None, range: None, scope: None };

    /// A line of a file and nothing else.
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

    /// The same, where some of what it names may have been merged into something equal.
    pub(crate) fn resolved(self, module: &Module) -> Location {
        self.map(|part| module.resolve(part))
    }
}
