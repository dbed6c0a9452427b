//! Phis: converts values by parent to arguments by predecessor.
//!
//! ```text
//! %x = OpPhi %t %a ^p %b ^q           ^p: branch ^b(%a)
//! %y = OpPhi %t %c ^q %d ^p     ⇒     ^q: branch ^b(%b)   with the columns in the order of the phis
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use rustc_hash::FxHashMap;

use super::Slot;
use crate::binary::Instruction;
use crate::error::{ReadCode, at_word};

/// The phis of a block.
pub(super) struct Phis {
    /// The index of each predecessor in the list of predecessors.
    places: FxHashMap<usize, usize>,
    /// The block parameter of the last phi.
    pub(super) last: Option<Inst>,
    /// The type of each phi.
    types: Vec<Inst>,
    /// For each phi, the numbers of its values in the order of the predecessors.
    values: Vec<u32>,
}

impl Phis {
    /// An empty list of phis for a block with these predecessors.
    pub(super) fn new(predecessors: &[u32]) -> Phis {
        let places = predecessors.iter().enumerate().map(|(place, &block)| (block as usize, place)).collect();
        Phis { places, last: None, types: Vec::new(), values: Vec::new() }
    }

    /// The number of phis.
    pub(super) fn count(&self) -> usize {
        self.types.len()
    }

    /// The types of the phis.
    pub(super) fn types(&self) -> &[Inst] {
        &self.types
    }

    /// Adds a phi. Each pair consists of the value, the parent's index if it is a block of the function, and the index of the parent in the
    /// instruction's words.
    pub(super) fn add(
        &mut self,
        ty: Inst,
        instruction: &Instruction<'_>,
        pairs: impl Iterator<Item = (u32, Option<usize>, usize)>,
    ) -> Result<(), Diagnostic> {
        let width = self.places.len();
        let first = self.values.len();
        self.values.resize(first + width, 0);
        let mut found = 0;
        for (value, parent, word) in pairs {
            let place = parent.and_then(|parent| self.places.get(&parent)).copied();
            let place = place.filter(|place| self.values[first + place] == 0);
            let Some(place) = place else {
                let message = format!("expected each predecessor of the block once, found {}", instruction.words[word]);
                return Err(at_word(ReadCode::Phi, instruction.offset + word, message));
            };
            self.values[first + place] = value;
            found += 1;
        }
        if found != width {
            let message = format!("expected a value for each of {width} predecessors, found {found}");
            return Err(at_word(ReadCode::Phi, instruction.offset, message));
        }
        self.types.push(ty);
        Ok(())
    }

    /// The arguments that a predecessor passes to the phis, in their order.
    pub(super) fn arguments(&self, predecessor: usize) -> impl Iterator<Item = Slot> + '_ {
        let width = self.places.len();
        let place = self.places.get(&predecessor).copied().unwrap_or(width);
        self.values.iter().skip(place).step_by(width.max(1)).map(|&value| Slot::Number(value))
    }
}
