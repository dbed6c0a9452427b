//! Source locations.

use crate::Inst;

/// Where in the source an instruction comes from, as `OpLine` and `OpNoLine` say it (SPIR-V section 3.3.3, debug instructions).
///
/// A location holds from the instruction it is written at to the end of the block or to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// From here on nothing is known.
    None,
    /// A place in a file.
    Line {
        /// The `string` instruction with the file's name.
        file: Inst,
        /// Line, as the source language counts.
        line: u32,
        /// Column; 0 where unknown.
        column: u32,
    },
}
