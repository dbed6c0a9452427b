//! Where an instruction of many operands holds its values.
//!
//! A use list names users, and where in a user the value lies is found by looking through the user's slots. Of an instruction with
//! thousands of operands, a switch or the interface of an entry point, every value would be looked for among all of them: quadratic.
//! Such an instruction has an index beside it.
//!
//! ```text
//! slots      %a %b %a %c          heads    %a: 0   %b: 1   %c: 3
//!                                 next     2  –  –  –                 slots that hold the same value
//!                                 left     %d: link                   no longer an operand, still in the use list of %d
//! ```
//!
//! The link of a value lies in the slot that is its head. What is no operand any more keeps its link in `left`, as a ghost keeps it in a slot.
//! Every edit takes constant time.

use rustc_hash::FxHashMap;

use crate::storage::NONE;

/// The slots of one instruction by what they hold, each counted from the first that can carry a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideSlots {
    heads: FxHashMap<u32, u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    left: FxHashMap<u32, u32>,
}

/// What taking a value out of a slot leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Removed {
    /// Another slot holds the value and its link.
    Repeated,
    /// This slot held the link, and that other one is to hold it now.
    Head(u32),
    /// No slot holds the value any more.
    Last,
}

impl WideSlots {
    /// The index of slots that hold these values.
    pub(crate) fn of(values: &[u32]) -> WideSlots {
        let mut slots = WideSlots {
            heads: FxHashMap::default(),
            next: vec![NONE; values.len()],
            previous: vec![NONE; values.len()],
            left: FxHashMap::default(),
        };
        for (offset, &value) in (0..values.len() as u32).zip(values).rev() {
            if value != NONE {
                slots.push(offset, value);
            }
        }
        slots
    }

    /// Makes a slot the head of those that hold a value.
    fn push(&mut self, offset: u32, value: u32) {
        let behind = self.heads.insert(value, offset).unwrap_or(NONE);
        (self.next[offset as usize], self.previous[offset as usize]) = (behind, NONE);
        if behind != NONE {
            self.previous[behind as usize] = offset;
        }
    }

    /// The slot that carries the link of a value.
    pub(crate) fn head(&self, value: u32) -> Option<u32> {
        self.heads.get(&value).copied()
    }

    /// All slots that hold a value, in order.
    pub(crate) fn holding(&self, value: u32) -> Vec<u32> {
        let next = |&offset: &u32| Some(self.next[offset as usize]).filter(|&next| next != NONE);
        let mut offsets: Vec<u32> = std::iter::successors(self.head(value), next).collect();
        offsets.sort_unstable();
        offsets
    }

    /// Puts a value into an empty slot. Whether no other slot holds it: then this one carries the link.
    pub(crate) fn add(&mut self, offset: u32, value: u32) -> bool {
        let Some(head) = self.head(value) else {
            self.push(offset, value);
            return true;
        };
        let behind = std::mem::replace(&mut self.next[head as usize], offset);
        (self.next[offset as usize], self.previous[offset as usize]) = (behind, head);
        if behind != NONE {
            self.previous[behind as usize] = offset;
        }
        false
    }

    /// Takes a value out of a slot that holds it.
    pub(crate) fn remove(&mut self, offset: u32, value: u32) -> Removed {
        let (before, behind) = (self.previous[offset as usize], self.next[offset as usize]);
        if behind != NONE {
            self.previous[behind as usize] = before;
        }
        if before != NONE {
            self.next[before as usize] = behind;
            return Removed::Repeated;
        }
        if behind == NONE {
            self.heads.remove(&value);
            return Removed::Last;
        }
        self.heads.insert(value, behind);
        Removed::Head(behind)
    }

    /// The link of a value that no slot holds any more.
    pub(crate) fn left(&self, value: u32) -> Option<u32> {
        self.left.get(&value).copied()
    }

    /// Keeps the link of a value that no slot holds any more.
    pub(crate) fn leave(&mut self, value: u32, link: u32) {
        self.left.insert(value, link);
    }

    /// Gives back the link of a value that no slot held any more.
    pub(crate) fn take_left(&mut self, value: u32) -> Option<u32> {
        self.left.remove(&value)
    }

    /// The values that no slot holds any more, with their links, by value.
    pub(crate) fn into_left(self) -> Vec<(u32, u32)> {
        let mut left: Vec<(u32, u32)> = self.left.into_iter().collect();
        left.sort_unstable();
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_one_head_as_long_as_a_slot_holds_it() {
        let mut slots = WideSlots::of(&[7, 8, 7, NONE, 7]);
        assert_eq!((slots.head(7), slots.holding(7), slots.holding(9)), (Some(0), vec![0, 2, 4], vec![]));
        assert_eq!(slots.remove(2, 7), Removed::Repeated);
        assert_eq!(slots.remove(0, 7), Removed::Head(4));
        assert!(!slots.add(3, 7));
        assert_eq!((slots.head(7), slots.holding(7)), (Some(4), vec![3, 4]));
        assert_eq!((slots.remove(4, 7), slots.remove(3, 7)), (Removed::Head(3), Removed::Last));
        assert!(slots.add(0, 7));
        assert_eq!(slots.holding(8), [1]);
    }
}
