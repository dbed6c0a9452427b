//! The use lists: for each value, the slots that hold it.
//!
//! ```text
//! record of %v    first_use ──▶ slot ◀──▶ slot ◀──▶ slot
//! links           user:         %z        %y        %x
//! ```
//!
//! A doubly linked list through the slots themselves. A slot that gets a value is inserted at the front of that value's list, and removed
//! when it gets another: both take constant time. A slot without a value is in no list. The slots of a new instruction are in order in the
//! lists of its operands, since they are linked from the last to the first.

use super::{NONE, Storage};
use crate::{Inst, Slot, Use};

/// The instruction that a slot belongs to, and the slots around it in the list of its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    user: u32,
    next: u32,
    previous: u32,
}

impl Links {
    /// The links of a slot that is in no list.
    pub(super) fn of(user: u32) -> Links {
        Links { user, next: NONE, previous: NONE }
    }

    /// The links after the slots were renumbered.
    pub(super) fn map(self, number: impl Fn(u32) -> u32) -> Links {
        Links { next: number(self.next), previous: number(self.previous), ..self }
    }
}

impl Storage {
    /// Inserts a slot at the front of the list of its value.
    pub(super) fn link(&mut self, slot: usize) {
        let value = self.values[slot];
        if value == NONE {
            return;
        }
        let behind = std::mem::replace(&mut self.record_mut(value).first_use, slot as u32);
        (self.links[slot].next, self.links[slot].previous) = (behind, NONE);
        if behind != NONE {
            self.links[behind as usize].previous = slot as u32;
        }
    }

    /// Removes a slot from the list of its value.
    pub(super) fn unlink(&mut self, slot: usize) {
        let value = self.values[slot];
        if value == NONE {
            return;
        }
        let Links { next, previous, .. } = self.links[slot];
        self.set_next(value, previous, next);
        self.set_previous(next, previous);
    }

    /// Updates the neighbours of a slot that was moved together with its links.
    pub(super) fn renumber(&mut self, slot: usize) {
        let value = self.values[slot];
        if value == NONE {
            return;
        }
        let Links { next, previous, .. } = self.links[slot];
        self.set_next(value, previous, slot as u32);
        self.set_previous(next, slot as u32);
    }

    /// Sets the slot after a slot in the list of a value: after [`NONE`] comes the first.
    fn set_next(&mut self, value: u32, slot: u32, next: u32) {
        match slot {
            NONE => self.record_mut(value).first_use = next,
            slot => self.links[slot as usize].next = next,
        }
    }

    fn set_previous(&mut self, slot: u32, previous: u32) {
        if slot != NONE {
            self.links[slot as usize].previous = previous;
        }
    }

    /// The uses of a value.
    pub(crate) fn uses(&self, value: u32) -> Uses<'_> {
        Uses { storage: self, slot: self.record(value).first_use }
    }

    /// Returns whether anything uses a value.
    pub(crate) fn is_used(&self, value: u32) -> bool {
        self.record(value).first_use != NONE
    }
}

/// Iterator over the uses of a value.
#[derive(Clone)]
pub(crate) struct Uses<'a> {
    storage: &'a Storage,
    slot: u32,
}

impl Iterator for Uses<'_> {
    type Item = Use;

    fn next(&mut self) -> Option<Use> {
        if self.slot == NONE {
            return None;
        }
        let slot = self.slot as usize;
        let Links { user, next, .. } = self.storage.links[slot];
        self.slot = next;
        let operand = slot.checked_sub(self.storage.operand_slots(user).start);
        Some(Use { user: Inst(user), slot: operand.map_or(Slot::Type, Slot::Operand) })
    }
}
