//! Decides whether two files are the same program.
//!
//! The same program means: the same instructions in the same blocks in the same order. Ids may differ consistently, and order is irrelevant
//! among names, decorations, types and constants, and among the pairs of a phi. Two declarations of one type or constant count as one, and
//! decoration groups count as their expansion. In functions, the line and scope that hold for an instruction matter, not the place where
//! they are stated (`positions.rs`).
//!
//! The method is that of bisimulation: two ids at the same place are assumed to be equal, and become a pair whose definitions must then be
//! equal as well (`pairs.rs`). Functions are compared in step (`body.rs`).

mod body;
mod globals;
mod pairs;
mod positions;
mod side;

use std::fmt;

use pairs::Pairs;
use reconverge_diagnostic::{Diagnostic, Place};

use side::Side;

/// A difference between two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Word in the first file.
    pub first: usize,
    /// Word in the second file.
    pub second: usize,
    /// The difference: lower case, no full stop.
    pub message: String,
}

impl Difference {
    fn new(first: usize, second: usize, message: impl Into<String>) -> Difference {
        Difference { first, second, message: message.into() }
    }
}

fn word_of(error: &Diagnostic) -> usize {
    if let Place::Word(word) = error.place { word } else { 0 }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "words {} and {}: {}", self.first, self.second, self.message)
    }
}

impl std::error::Error for Difference {}

/// Compares two binary SPIR-V modules, by the rules in the documentation of this module.
///
/// # Errors
/// The first difference. A file that cannot be read differs from every other.
///
/// # Complexity
/// Linear in the files, except for types and constants that nothing uses: those are searched among all with equal visible parts.
pub fn same_program(first: &[u8], second: &[u8]) -> Result<(), Difference> {
    let first = Side::of(first).map_err(|error| Difference::new(word_of(&error), 0, format!("first file: {error}")))?;
    let second =
        Side::of(second).map_err(|error| Difference::new(0, word_of(&error), format!("second file: {error}")))?;
    for (word, what) in [(1, "version"), (2, "generator"), (4, "schema")] {
        if first.words[word] != second.words[word] {
            return Err(Difference::new(word, word, format!("the headers have different {what} words")));
        }
    }
    let mut pairs = Pairs::new(&first, &second);
    pairs.match_listed_globals()?;
    pairs.match_functions()?;
    pairs.settle()?;
    pairs.match_unused()?;
    pairs.settle()?;
    pairs.match_notes()?;
    pairs.settle()
}
