//! Numbers: the ids of a file as numbers of the IR.
//!
//! An id is kept, so that a module that is read and written has the same ids. Memory is then proportional to the bound in the header, which
//! can be arbitrarily large in a broken file. If the bound is out of proportion to the file, the ids are renumbered in the order of their
//! definitions.

use reconverge_diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use crate::binary;
use crate::grammar::{self, Results};

/// The numbering of ids.
pub(crate) enum Numbers {
    /// The number is the id.
    Same {
        /// The exclusive bound of the ids.
        bound: u32,
    },
    /// Defined ids have numbers from 1 up.
    Compact {
        /// The number of each id.
        numbers: FxHashMap<u32, u32>,
    },
}

impl Numbers {
    /// Chooses the numbering for a file.
    pub(crate) fn choose(words: &[u32]) -> Result<Numbers, Diagnostic> {
        let bound = words[3];
        let reasonable = words.len().saturating_mul(4).saturating_add(1024);
        if bound as usize <= reasonable && bound <= binary::GREATEST_BOUND {
            return Ok(Numbers::Same { bound });
        }
        let mut numbers = FxHashMap::default();
        for instruction in binary::all_instructions(words) {
            let instruction = instruction?;
            let Some(row) = grammar::core_instruction(instruction.opcode) else { continue };
            let Results { has_type, has_result } = grammar::results(row);
            let result = instruction.words.get(1 + usize::from(has_type)).filter(|_| has_result);
            if let Some(&id) = result {
                let next = numbers.len() as u32 + 1;
                numbers.entry(id).or_insert(next);
            }
        }
        Ok(Numbers::Compact { numbers })
    }

    /// Exclusive bound of the numbers.
    pub(crate) fn bound(&self) -> u32 {
        match self {
            Numbers::Same { bound } => *bound,
            Numbers::Compact { numbers } => numbers.len() as u32 + 1,
        }
    }

    /// Returns whether numbers are equal to ids.
    pub(crate) fn keeps_ids(&self) -> bool {
        matches!(self, Numbers::Same { .. })
    }

    /// The number of an id; `None` if the id is 0, not below the bound, or, where ids are renumbered, not defined.
    pub(crate) fn number(&self, id: u32) -> Option<u32> {
        match self {
            Numbers::Same { bound } => (id != 0 && id < *bound).then_some(id),
            Numbers::Compact { numbers } => numbers.get(&id).copied().filter(|_| id != 0),
        }
    }
}
