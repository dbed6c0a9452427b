//! The arena: records, operand slots and use lists, in arrays.
//!
//! An instruction is a 24-byte record; an operand is an 8-byte slot, a value and a link. The slots of one instruction lie side by
//! side: first, for containers, one that holds the ends of the list of children; then the type, if the op has one; then the
//! operands.
//!
//! ```text
//! records   op count start first_use parent next previous
//!                      │
//! values    … [ends] [type] [operand 0] [operand 1] … [ghosts]
//! links     …        [ next user of that value … ]
//! ```
//!
//! **Use lists** are chains of *instructions*, not of slots: `first_use` names the first user, and the link to the next one lies
//! in that user's first slot that holds the value. One link an operand is enough, since the slots of a user are found by looking
//! through it. What a singly linked chain cannot do is take out a link in the middle in constant time. Three things keep every
//! edit cheap all the same:
//! - a deleted user stays in the chains, marked, and is skipped; [`Storage::rebuild`] drops what is dead once it outweighs what
//!   lives, so the cost is constant an edit, amortized;
//! - an operand that is overwritten looks for its predecessor only [`WALK_LIMIT`] steps far;
//! - beyond that it leaves a *ghost*: the user gets one more slot, which is no operand, to carry the old link until the rebuild.
//!
//! Instructions are never recycled: a handle means the same instruction for as long as the module lives.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Op;

pub(crate) const NONE: u32 = u32::MAX;
/// In `parent`: the instruction was deleted.
pub(crate) const DEAD: u32 = u32::MAX - 1;
/// In `parent`: the instruction was merged into the one that `next` names.
pub(crate) const MERGED: u32 = u32::MAX - 2;

/// How far an overwritten operand looks for its predecessor in the use chain. Most values have one or two users; beyond a few
/// cache lines of walking a ghost slot is cheaper.
const WALK_LIMIT: usize = 64;
/// Above this many slots a ghost, which copies them all, would cost more than the walk.
const GHOST_LIMIT: usize = 256;
/// Above this many slots a set finds repeated operands faster than looking back.
const LOOK_BACK_LIMIT: usize = 32;
/// Below this many dead slots a rebuild is not worth its fixed cost.
const REBUILD_FLOOR: usize = 1024;

/// One instruction. 24 bytes; checked below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) op: Op,
    /// Operands, the type not counted; for a literal its words.
    pub(crate) count: u16,
    /// First slot; for a literal its first word.
    pub(crate) start: u32,
    pub(crate) first_use: u32,
    pub(crate) parent: u32,
    pub(crate) next: u32,
    pub(crate) previous: u32,
}

const _: () = assert!(size_of::<Record>() == 24);

impl Record {
    const VACANT: Record =
        Record { op: Op::Dead, count: 0, start: 0, first_use: NONE, parent: DEAD, next: NONE, previous: DEAD };

    pub(crate) fn is_live(&self) -> bool {
        self.parent != DEAD && self.parent != MERGED
    }

    /// Whether no instruction was ever made here.
    pub(crate) fn is_vacant(&self) -> bool {
        self.previous == DEAD
    }

    /// Slots before the operands.
    fn lead(&self) -> usize {
        usize::from(self.op.is_container()) + usize::from(self.op.has_type())
    }
}

/// The arrays behind a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    pub(crate) records: Vec<Record>,
    pub(crate) values: Vec<u32>,
    links: Vec<u32>,
    pub(crate) words: Vec<u32>,
    ghosts: FxHashMap<u32, u32>,
    dead_slots: usize,
}

impl Storage {
    /// Makes room for instructions whose numbers come from outside: the first `bound` indices stand vacant.
    pub(crate) fn reserve_numbers(&mut self, bound: u32) {
        debug_assert!(self.records.len() <= bound as usize);
        self.records.resize(bound as usize, Record::VACANT);
    }

    /// Creates an instruction without a parent. `number` picks a vacant reserved index.
    pub(crate) fn create(&mut self, number: Option<u32>, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let index = number.unwrap_or(self.records.len() as u32);
        let start = self.values.len() as u32;
        let count = u16::try_from(operands.len()).expect("limit: at most 65,535 operands an instruction");
        let record = Record { op, count, start, first_use: NONE, parent: NONE, next: NONE, previous: NONE };
        if op.is_container() {
            self.values.push(NONE);
            self.links.push(NONE);
        }
        self.place(index, record);
        if op.has_type() {
            self.values.push(ty);
        }
        self.values.extend_from_slice(operands);
        self.links.resize(self.values.len(), NONE);
        self.link_all(index);
        index
    }

    /// Creates a literal, whose payload is `words`.
    pub(crate) fn create_literal(&mut self, op: Op, words: &[u32]) -> u32 {
        let index = self.records.len() as u32;
        let count = u16::try_from(words.len()).expect("limit: at most 65,535 words a literal");
        let start = self.words.len() as u32;
        self.words.extend_from_slice(words);
        self.place(index, Record { op, count, start, first_use: NONE, parent: NONE, next: NONE, previous: NONE });
        index
    }

    fn place(&mut self, index: u32, record: Record) {
        if index as usize == self.records.len() {
            self.records.push(record);
        } else {
            self.records[index as usize] = record;
        }
    }

    pub(crate) fn record(&self, inst: u32) -> &Record {
        &self.records[inst as usize]
    }

    pub(crate) fn record_mut(&mut self, inst: u32) -> &mut Record {
        &mut self.records[inst as usize]
    }

    /// The slot of the type; only for ops that have one.
    pub(crate) fn type_slot(&self, inst: u32) -> usize {
        let record = self.record(inst);
        record.start as usize + usize::from(record.op.is_container())
    }

    /// The slots of the operands.
    pub(crate) fn operand_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let record = self.record(inst);
        if record.op.is_literal() {
            return 0..0;
        }
        let first = record.start as usize + record.lead();
        first..first + record.count as usize
    }

    /// First and last child of a container.
    pub(crate) fn ends(&self, container: u32) -> (u32, u32) {
        let slot = self.record(container).start as usize;
        (self.values[slot], self.links[slot])
    }

    pub(crate) fn set_ends(&mut self, container: u32, first: u32, last: u32) {
        let slot = self.record(container).start as usize;
        (self.values[slot], self.links[slot]) = (first, last);
    }

    /// Every slot that can carry a link: type, operands, ghosts.
    fn linked_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let record = self.record(inst);
        if record.op.is_literal() {
            return 0..0;
        }
        let ghosts = if self.ghosts.is_empty() { 0 } else { self.ghosts.get(&inst).copied().unwrap_or(0) as usize };
        let first = record.start as usize + usize::from(record.op.is_container());
        first..record.start as usize + record.lead() + record.count as usize + ghosts
    }

    /// Adds a fresh instruction to the use chains of its operands.
    fn link_all(&mut self, user: u32) {
        let slots = self.linked_slots(user);
        let mut seen = FxHashSet::default();
        let wide = slots.len() > LOOK_BACK_LIMIT;
        for slot in slots.clone() {
            let value = self.values[slot];
            let repeated = match wide {
                true => !seen.insert(value),
                false => self.values[slots.start..slot].contains(&value),
            };
            if value != NONE && !repeated {
                self.links[slot] = self.record(value).first_use;
                self.record_mut(value).first_use = user;
            }
        }
    }

    /// The slot of `user` that carries its link in the chain of `value`.
    fn holder(&self, user: u32, value: u32) -> usize {
        let slots = self.linked_slots(user);
        let offset = self.values[slots.clone()].iter().position(|&held| held == value);
        slots.start + offset.expect("invariant: an instruction in a use chain has a slot that holds the value")
    }

    /// Overwrites one slot and keeps the chains.
    pub(crate) fn set_slot(&mut self, user: u32, slot: usize, value: u32) {
        if self.values[slot] == value {
            return;
        }
        let offset = slot - self.record(user).start as usize;
        self.unlink(user, slot);
        // A ghost may have moved the slots.
        let slot = self.record(user).start as usize + offset;
        self.values[slot] = value;
        self.links[slot] = NONE;
        self.link(user, slot);
    }

    fn link(&mut self, user: u32, slot: usize) {
        let value = self.values[slot];
        let slots = self.linked_slots(user);
        if value == NONE || self.values[slots.start..slot].contains(&value) {
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
        self.links[slot] = self.record(value).first_use;
        self.record_mut(value).first_use = user;
    }

    fn unlink(&mut self, user: u32, slot: usize) {
        let value = self.values[slot];
        let slots = self.linked_slots(user);
        if value == NONE || self.values[slots.start..slot].contains(&value) {
            return;
        }
        let link = self.links[slot];
        if let Some(offset) = self.values[slot + 1..slots.end].iter().position(|&held| held == value) {
            self.links[slot + 1 + offset] = link;
            return;
        }
        if self.record(value).first_use == user {
            self.record_mut(value).first_use = link;
            return;
        }
        let limit = if slots.len() > GHOST_LIMIT { usize::MAX } else { WALK_LIMIT };
        match self.predecessor_in_chain(user, value, limit) {
            Some(previous) => self.links[previous] = link,
            None => self.add_ghost(user, value, link),
        }
    }

    /// The slot whose link in the chain of `value` names `user`, if it is among the first `limit` users.
    fn predecessor_in_chain(&self, user: u32, value: u32, limit: usize) -> Option<usize> {
        let mut current = self.record(value).first_use;
        for _ in 0..limit {
            let slot = self.holder(current, value);
            if self.links[slot] == user {
                return Some(slot);
            }
            current = self.links[slot];
        }
        None
    }

    fn add_ghost(&mut self, user: u32, value: u32, link: u32) {
        let end = self.linked_slots(user).end;
        let start = self.record(user).start as usize;
        self.dead_slots += end - start;
        let moved = self.values.len() as u32;
        self.values.extend_from_within(start..end);
        self.links.extend_from_within(start..end);
        self.values.push(value);
        self.links.push(link);
        self.record_mut(user).start = moved;
        *self.ghosts.entry(user).or_insert(0) += 1;
    }

    /// Gives an instruction another list of operands, of any length.
    pub(crate) fn set_operands(&mut self, user: u32, operands: &[u32]) {
        let same_length = operands.len() == self.record(user).count as usize;
        if same_length {
            for (offset, &operand) in operands.iter().enumerate() {
                let slot = self.operand_slots(user).start + offset;
                self.set_slot(user, slot, operand);
            }
            return;
        }
        for offset in (0..self.record(user).count as usize).rev() {
            let slot = self.operand_slots(user).start + offset;
            self.set_slot(user, slot, NONE);
        }
        self.resize_operands(user, operands.len());
        for (offset, &operand) in operands.iter().enumerate() {
            let slot = self.operand_slots(user).start + offset;
            self.set_slot(user, slot, operand);
        }
    }

    /// Moves the slots of an instruction, whose operands are all empty, to room for `count` of them.
    fn resize_operands(&mut self, user: u32, count: usize) {
        let record = *self.record(user);
        let (start, operands) = (record.start as usize, self.operand_slots(user));
        let end = self.linked_slots(user).end;
        self.dead_slots += end - start;
        let moved = self.values.len() as u32;
        self.values.extend_from_within(start..operands.start);
        self.links.extend_from_within(start..operands.start);
        self.values.resize(self.values.len() + count, NONE);
        self.links.resize(self.values.len(), NONE);
        self.values.extend_from_within(operands.end..end);
        self.links.extend_from_within(operands.end..end);
        let record = self.record_mut(user);
        record.start = moved;
        record.count = u16::try_from(count).expect("limit: at most 65,535 operands an instruction");
    }

    /// Marks an instruction as gone. It stays in the use chains of its operands until the next rebuild.
    pub(crate) fn bury(&mut self, inst: u32, mark: u32) {
        self.dead_slots += self.linked_slots(inst).len();
        self.record_mut(inst).parent = mark;
        if self.dead_slots > REBUILD_FLOOR && self.dead_slots * 2 > self.values.len() {
            self.rebuild();
        }
    }

    /// Lays out the slots of what lives anew, without ghosts and without the dead.
    fn rebuild(&mut self) {
        let (old_values, old_links) = (std::mem::take(&mut self.values), std::mem::take(&mut self.links));
        self.ghosts.clear();
        self.dead_slots = 0;
        for record in &mut self.records {
            record.first_use = NONE;
            if record.op.is_literal() {
                continue;
            }
            if !record.is_live() {
                (record.count, record.start, record.op) = (0, 0, Op::Dead);
                continue;
            }
            let old = record.start as usize..record.start as usize + record.lead() + record.count as usize;
            record.start = self.values.len() as u32;
            self.values.extend_from_slice(&old_values[old.clone()]);
            self.links.resize(self.values.len(), NONE);
            if record.op.is_container() {
                self.links[record.start as usize] = old_links[old.start];
            }
        }
        for index in (0..self.records.len() as u32).rev() {
            if self.record(index).is_live() {
                self.link_all(index);
            }
        }
    }

    /// The users of `value` that live, each once, and for each the slots that hold the value.
    pub(crate) fn users(&self, value: u32) -> Users<'_> {
        Users { storage: self, value, user: self.record(value).first_use }
    }

    /// Bytes that the records and slots take, for instructions and for operands.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let slot = 2 * size_of::<u32>();
        (self.records.len() * size_of::<Record>(), self.values.len() * slot + self.words.len() * size_of::<u32>())
    }
}

/// Iterator over the users of a value.
#[derive(Clone)]
pub(crate) struct Users<'a> {
    storage: &'a Storage,
    value: u32,
    user: u32,
}

impl Iterator for Users<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.user != NONE {
            let user = self.user;
            let slot = self.storage.holder(user, self.value);
            self.user = self.storage.links[slot];
            if self.storage.record(user).is_live() && slot < self.storage.operand_slots(user).end {
                return Some(user);
            }
        }
        None
    }
}
