//! The arena: records, operand slots and use lists, in arrays.
//!
//! An instruction is a record of 28 bytes. An operand is a slot of 16 bytes: a value, and links in the list of that value's uses. The slots
//! of one instruction are contiguous: the operands, before them the type, if the op has one, and before that, for containers, two slots for
//! the first and the last child. A record refers to the first operand, since operands are read most often.
//!
//! ```text
//! records   op count start first_use parent next previous
//!                      └──────────────────────┐
//! values    … [first child] [last child] [type] [operand 0] [operand 1] …
//! links     …                            [user next previous] …             one for each value
//!
//! words     … [length] [word 0] [word 1] …       of a literal, which has no slots: its record names the length
//! ```
//!
//! A deleted instruction is marked by its op, and its slots leave the use lists at once (`storage/use_lists.rs`). Unused slots, including
//! those that an instruction left when its operands no longer fitted, are reclaimed once they outnumber the used ones: [`Storage::compact`]
//! costs amortized constant time per edit.
//!
//! Instructions are never recycled: a handle means the same instruction for the lifetime of the module.

mod use_lists;

use crate::Op;
use use_lists::Links;

pub(crate) const NONE: u32 = u32::MAX;

/// Below this many unused slots they are not reclaimed.
const COMPACT_FLOOR: usize = 1024;

/// One instruction. 28 bytes; checked below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// [`Op::Dead`] or [`Op::Merged`] for removed instructions.
    pub(crate) op: Op,
    /// The number of operands, without the type.
    pub(crate) count: u32,
    /// Slot of the first operand, or where it would be; for a literal the index of its length among the words; [`NONE`] if no instruction
    /// was ever created here.
    start: u32,
    /// The first slot in the list of uses.
    first_use: u32,
    pub(crate) parent: u32,
    /// For a merged instruction, the one that it was merged into.
    pub(crate) next: u32,
    pub(crate) previous: u32,
}

const _: () = assert!(size_of::<Record>() == 28 && size_of::<u32>() + size_of::<Links>() == 16);

impl Record {
    const VACANT: Record =
        Record { op: Op::Dead, count: 0, start: NONE, first_use: NONE, parent: NONE, next: NONE, previous: NONE };

    fn new(op: Op, count: u32, start: u32) -> Record {
        Record { op, count, start, ..Record::VACANT }
    }

    pub(crate) fn is_live(&self) -> bool {
        !matches!(self.op, Op::Dead | Op::Merged)
    }

    /// Returns whether no instruction was ever created here.
    pub(crate) fn is_vacant(&self) -> bool {
        self.start == NONE
    }

    /// Slots before the operands.
    fn lead(&self) -> usize {
        2 * usize::from(self.op.is_container()) + usize::from(self.op.has_type())
    }

    /// All slots. Removed instructions and literals have none.
    fn slots(&self) -> std::ops::Range<usize> {
        if !self.is_live() || self.op.is_literal() {
            return 0..0;
        }
        let start = self.start as usize;
        start - self.lead()..start + self.count as usize
    }
}

/// The arrays of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    pub(crate) records: Vec<Record>,
    values: Vec<u32>,
    links: Vec<Links>,
    words: Vec<u32>,
    unused_slots: usize,
}

impl Storage {
    /// Returns an empty storage, with memory for this number of instructions and operands.
    pub(crate) fn with_room(instructions: usize, operands: usize) -> Storage {
        let records = Vec::with_capacity(instructions);
        let (values, links) = (Vec::with_capacity(operands), Vec::with_capacity(operands));
        Storage { records, values, links, ..Storage::default() }
    }

    /// Adds vacant indices up to `bound`: for given numbers, and for instructions that are used before they are created.
    pub(crate) fn reserve_numbers(&mut self, bound: u32) {
        debug_assert!(self.records.len() <= bound as usize);
        self.records.resize(bound as usize, Record::VACANT);
    }

    /// Reserves memory for more instructions, and for their operands, types and ends.
    pub(crate) fn reserve(&mut self, instructions: usize, slots: usize) {
        self.records.reserve(instructions);
        self.values.reserve(slots);
        self.links.reserve(slots);
    }

    /// Creates an instruction without a parent. `number` selects a vacant reserved index, which may be in use as an operand.
    pub(crate) fn create(&mut self, number: Option<u32>, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let index = number.unwrap_or(self.records.len() as u32);
        if op.is_container() {
            self.values.extend([NONE; 2]);
        }
        let first = self.values.len();
        if op.has_type() {
            self.values.push(ty);
        }
        self.place(index, Record::new(op, operands.len() as u32, self.values.len() as u32));
        // A loop: operands are few, and a call to copy them takes longer.
        self.values.extend(operands.iter().copied());
        let end = self.values.len();
        self.links.resize(end, Links::of(index));
        (first..end).rev().for_each(|slot| self.link(slot));
        index
    }

    /// Creates a literal with the payload `words`.
    pub(crate) fn create_literal(&mut self, op: Op, words: &[u32]) -> u32 {
        let index = self.records.len() as u32;
        self.place(index, Record::new(op, 0, self.words.len() as u32));
        self.words.push(words.len() as u32);
        self.words.extend_from_slice(words);
        index
    }

    fn place(&mut self, index: u32, record: Record) {
        if index as usize == self.records.len() {
            self.records.push(record);
        } else {
            let first_use = self.records[index as usize].first_use;
            self.records[index as usize] = Record { first_use, ..record };
        }
    }

    pub(crate) fn record(&self, inst: u32) -> &Record {
        &self.records[inst as usize]
    }

    pub(crate) fn record_mut(&mut self, inst: u32) -> &mut Record {
        &mut self.records[inst as usize]
    }

    /// The words of a literal.
    pub(crate) fn literal_words(&self, literal: u32) -> &[u32] {
        let start = self.record(literal).start as usize;
        &self.words[start + 1..][..self.words[start] as usize]
    }

    /// The type; only of an op that has one.
    pub(crate) fn ty(&self, inst: u32) -> u32 {
        self.values[self.type_slot(inst)]
    }

    /// The slot of the type; only for ops that have one.
    pub(crate) fn type_slot(&self, inst: u32) -> usize {
        self.record(inst).start as usize - 1
    }

    /// The slots of the operands; an empty range, anywhere, for a literal and for removed instructions.
    pub(crate) fn operand_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let record = self.record(inst);
        let first = record.start as usize;
        first..first + record.count as usize
    }

    /// The operands.
    pub(crate) fn operands(&self, inst: u32) -> &[u32] {
        // The range of a literal may be past the end.
        self.values.get(self.operand_slots(inst)).unwrap_or_default()
    }

    /// The number of slots of an instruction.
    pub(crate) fn slot_count(&self, inst: u32) -> usize {
        self.record(inst).slots().len()
    }

    /// The slots that are uses: type and operands.
    fn linked_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let operands = self.operand_slots(inst);
        operands.start - usize::from(self.record(inst).op.has_type())..operands.end
    }

    /// First and last child of a container, [`NONE`] if it is empty.
    pub(crate) fn ends(&self, container: u32) -> (u32, u32) {
        let slot = self.record(container).slots().start;
        (self.values[slot], self.values[slot + 1])
    }

    pub(crate) fn set_ends(&mut self, container: u32, first: u32, last: u32) {
        let slot = self.record(container).slots().start;
        (self.values[slot], self.values[slot + 1]) = (first, last);
    }

    /// Places an instruction without a parent after the last child of a container.
    pub(crate) fn append_child(&mut self, container: u32, child: u32) {
        let holder = self.record(container);
        let first_slot = holder.start as usize - holder.lead();
        let last = std::mem::replace(&mut self.values[first_slot + 1], child);
        match last {
            NONE => self.values[first_slot] = child,
            last => self.record_mut(last).next = child,
        }
        let record = self.record_mut(child);
        (record.parent, record.previous) = (container, last);
    }

    /// Replaces the value in a slot of the type or of an operand.
    pub(crate) fn set_slot(&mut self, slot: usize, value: u32) {
        if self.values[slot] != value {
            self.unlink(slot);
            self.values[slot] = value;
            self.link(slot);
        }
    }

    /// Replaces the list of operands, by one of any length.
    pub(crate) fn set_operands(&mut self, user: u32, operands: &[u32]) {
        let count = self.record(user).count as usize;
        if operands.len() == count {
            let slots = self.operand_slots(user);
            slots.zip(operands).rev().for_each(|(slot, &operand)| self.set_slot(slot, operand));
            return;
        }
        self.operand_slots(user).for_each(|slot| self.unlink(slot));
        match operands.len() > count {
            true => self.move_behind_all(user, operands.len()),
            false => self.unused_slots += count - operands.len(),
        }
        self.record_mut(user).count = operands.len() as u32;
        let slots = self.operand_slots(user);
        self.values[slots.clone()].copy_from_slice(operands);
        slots.rev().for_each(|slot| self.link(slot));
        self.compact_if_worth_it();
    }

    /// Moves the slots of an instruction, whose operands are in no list, to a place with `count` operands.
    fn move_behind_all(&mut self, user: u32, count: usize) {
        let (old, lead) = (self.record(user).slots(), self.record(user).lead());
        self.unused_slots += old.len();
        let start = self.values.len() + lead;
        self.values.extend_from_within(old.start..old.start + lead);
        self.links.extend_from_within(old.start..old.start + lead);
        self.values.resize(start + count, NONE);
        self.links.resize(start + count, Links::of(user));
        self.record_mut(user).start = start as u32;
        if self.record(user).op.has_type() {
            self.renumber(start - 1);
        }
    }

    /// Marks an instruction as removed. It has no uses of other values any more.
    pub(crate) fn bury(&mut self, inst: u32) {
        if self.record(inst).is_vacant() {
            return;
        }
        self.linked_slots(inst).for_each(|slot| self.unlink(slot));
        self.unused_slots += self.record(inst).slots().len();
        let record = self.record_mut(inst);
        *record = Record { first_use: record.first_use, ..Record::new(Op::Dead, 0, 0) };
        self.compact_if_worth_it();
    }

    /// Records into which instruction a removed one was merged.
    pub(crate) fn forward(&mut self, inst: u32, survivor: u32) {
        let record = self.record_mut(inst);
        (record.op, record.next) = (Op::Merged, survivor);
    }

    /// Reclaims unused slots once they outnumber the used ones.
    fn compact_if_worth_it(&mut self) {
        if self.unused_slots > COMPACT_FLOOR && self.unused_slots * 2 > self.values.len() {
            self.compact();
        }
    }

    /// Rearranges the slots without the unused ones. Use lists keep their order.
    fn compact(&mut self) {
        let kept = self.values.len() - self.unused_slots;
        let (mut values, mut links) = (Vec::with_capacity(kept), Vec::with_capacity(kept));
        let mut moved = vec![NONE; self.values.len()];
        for record in &mut self.records {
            if !record.is_live() || record.op.is_literal() {
                continue;
            }
            // Without slots too: the place must exist where they may be added.
            let slots = record.slots();
            record.start = (values.len() + record.lead()) as u32;
            moved[slots.clone()].iter_mut().zip(values.len() as u32..).for_each(|(slot, place)| *slot = place);
            values.extend_from_slice(&self.values[slots.clone()]);
            links.extend_from_slice(&self.links[slots]);
        }
        let moved = |slot: u32| if slot == NONE { NONE } else { moved[slot as usize] };
        links.iter_mut().for_each(|links: &mut Links| *links = links.map(moved));
        self.records.iter_mut().for_each(|record| record.first_use = moved(record.first_use));
        (self.values, self.links, self.unused_slots) = (values, links, 0);
    }

    /// Bytes of the records and slots, for instructions and for operands.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let slot = size_of::<u32>() + size_of::<Links>();
        (self.records.len() * size_of::<Record>(), self.values.len() * slot + self.words.len() * size_of::<u32>())
    }
}
