//! The use lists: chains of users, and where in a user the link to the next one lies.
//!
//! An instruction of more than [`WIDE`] slots has an index of them beside it ([`WideSlots`]), and its ghosts there; any other is looked
//! through. The first user in a chain lives: what dies at the head leaves the chain with the dead behind it.

use super::{IN_CHAIN, NONE, Storage, WALK_LIMIT, WIDE};
use crate::wide::{Removed, WideSlots};

impl Storage {
    /// Adds a fresh instruction to the use chains of its operands.
    pub(super) fn link_all(&mut self, user: u32) {
        let slots = self.linked_slots(user);
        let wide = (slots.len() > WIDE).then(|| WideSlots::of(&self.values[slots.clone()]));
        for slot in slots.clone() {
            let value = self.values[slot];
            let repeated = match &wide {
                Some(wide) => wide.head(value) != Some((slot - slots.start) as u32),
                None => self.values[slots.start..slot].contains(&value),
            };
            if value != NONE && !repeated {
                self.links[slot] = self.record(value).first_use;
                self.record_mut(value).first_use = user;
            }
        }
        if let Some(wide) = wide {
            self.wide.insert(user, wide);
        }
    }

    /// The index of the slots of an instruction, if it has one.
    fn wide_slots(&self, user: u32) -> Option<&WideSlots> {
        if self.linked_slots(user).len() > WIDE { self.wide.get(&user) } else { None }
    }

    /// The link of `user` in the chain of `value`, and whether an operand or the type holds the value, not a ghost.
    pub(super) fn link_of(&self, user: u32, value: u32) -> (u32, bool) {
        let slots = self.linked_slots(user);
        match self.wide_slots(user) {
            Some(wide) => match wide.head(value) {
                Some(offset) => (self.links[slots.start + offset as usize], true),
                None => (wide.left(value).expect(IN_CHAIN), false),
            },
            None => {
                let offset = self.values[slots.clone()].iter().position(|&held| held == value);
                let slot = slots.start + offset.expect(IN_CHAIN);
                (self.links[slot], slot < self.operand_slots(user).end)
            }
        }
    }

    fn set_link(&mut self, user: u32, value: u32, link: u32) {
        let slots = self.linked_slots(user);
        let head = self.wide_slots(user).map(|wide| wide.head(value));
        match head {
            Some(Some(offset)) => self.links[slots.start + offset as usize] = link,
            Some(None) => self.wide.get_mut(&user).expect(IN_CHAIN).leave(value, link),
            None => {
                let offset = self.values[slots.clone()].iter().position(|&held| held == value);
                self.links[slots.start + offset.expect(IN_CHAIN)] = link;
            }
        }
    }

    /// The numbers of the operands of an instruction of many slots that are a value, in order; nothing for any other instruction.
    pub(crate) fn indexed_operands(&self, user: u32, value: u32) -> Option<Vec<usize>> {
        let lead = self.operand_slots(user).start - self.linked_slots(user).start;
        let offsets = self.wide_slots(user)?.holding(value).into_iter();
        Some(offsets.filter_map(|offset| (offset as usize).checked_sub(lead)).collect())
    }

    /// Overwrites one slot and keeps the chains.
    pub(crate) fn set_slot(&mut self, user: u32, slot: usize, value: u32) {
        if self.values[slot] == value {
            return;
        }
        let offset = slot - self.linked_slots(user).start;
        self.unlink(user, slot);
        // A ghost may have moved the slots.
        let slot = self.linked_slots(user).start + offset;
        self.values[slot] = value;
        self.links[slot] = NONE;
        self.link(user, slot);
        if self.linked_slots(user).len() > WIDE && !self.wide.contains_key(&user) {
            self.index(user);
        }
    }

    /// Gives an instruction an index if it has many slots, to which its ghosts go.
    pub(super) fn index(&mut self, user: u32) {
        let (slots, operands) = (self.linked_slots(user), self.operand_slots(user));
        if slots.len() <= WIDE {
            return;
        }
        let ghosts: Vec<(u32, u32)> = (operands.end..slots.end)
            .map(|slot| (std::mem::replace(&mut self.values[slot], NONE), self.links[slot]))
            .collect();
        let mut wide = WideSlots::of(&self.values[slots]);
        ghosts.into_iter().filter(|&(value, _)| value != NONE).for_each(|(value, link)| wide.leave(value, link));
        self.wide.insert(user, wide);
    }

    fn link(&mut self, user: u32, slot: usize) {
        let value = self.values[slot];
        let slots = self.linked_slots(user);
        if value == NONE {
            return;
        }
        if self.wide_slots(user).is_some() {
            let wide = self.wide.get_mut(&user).expect(IN_CHAIN);
            if !wide.add((slot - slots.start) as u32, value) {
                return;
            }
            if let Some(link) = wide.take_left(value) {
                self.links[slot] = link;
                return;
            }
        } else {
            if self.values[slots.start..slot].contains(&value) {
                return;
            }
            if let Some(offset) = self.values[slot + 1..slots.end].iter().position(|&held| held == value) {
                let later = slot + 1 + offset;
                self.links[slot] = std::mem::replace(&mut self.links[later], NONE);
                if later >= self.operand_slots(user).end {
                    self.values[later] = NONE;
                }
                return;
            }
        }
        self.links[slot] = self.record(value).first_use;
        self.record_mut(value).first_use = user;
    }

    fn unlink(&mut self, user: u32, slot: usize) {
        let value = self.values[slot];
        let slots = self.linked_slots(user);
        if value == NONE {
            return;
        }
        let link = self.links[slot];
        let is_wide = self.wide_slots(user).is_some();
        if is_wide {
            let wide = self.wide.get_mut(&user).expect(IN_CHAIN);
            match wide.remove((slot - slots.start) as u32, value) {
                Removed::Repeated => return,
                Removed::Head(offset) => {
                    self.links[slots.start + offset as usize] = link;
                    return;
                }
                Removed::Last => {}
            }
        } else {
            if self.values[slots.start..slot].contains(&value) {
                return;
            }
            if let Some(offset) = self.values[slot + 1..slots.end].iter().position(|&held| held == value) {
                self.links[slot + 1 + offset] = link;
                return;
            }
        }
        if self.record(value).first_use == user {
            self.record_mut(value).first_use = link;
            return;
        }
        match self.predecessor_in_chain(user, value) {
            Some(previous) => self.set_link(previous, value, link),
            None if is_wide => self.wide.get_mut(&user).expect(IN_CHAIN).leave(value, link),
            None => self.add_ghost(user, value, link),
        }
    }

    /// The user before `user` in the chain of `value`, if it is among the first [`WALK_LIMIT`].
    fn predecessor_in_chain(&self, user: u32, value: u32) -> Option<u32> {
        let mut current = self.record(value).first_use;
        for _ in 0..WALK_LIMIT {
            if current == NONE {
                return None;
            }
            let (next, _) = self.link_of(current, value);
            if next == user {
                return Some(current);
            }
            current = next;
        }
        None
    }

    /// Takes the dead at the head of a chain out of it.
    pub(super) fn drop_dead_users(&mut self, value: u32) {
        loop {
            let first = self.record(value).first_use;
            if first == NONE || self.record(first).is_live() {
                return;
            }
            self.record_mut(value).first_use = self.link_of(first, value).0;
        }
    }
}

/// Iterator over the users of a value.
#[derive(Clone)]
pub(crate) struct Users<'a> {
    pub(super) storage: &'a Storage,
    pub(super) value: u32,
    pub(super) user: u32,
}

impl Iterator for Users<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.user != NONE {
            let user = self.user;
            let (next, is_held) = self.storage.link_of(user, self.value);
            self.user = next;
            if is_held && self.storage.record(user).is_live() {
                return Some(user);
            }
        }
        None
    }
}
