//! The arena: records, operand slots and use lists, in arrays.
//!
//! An instruction is a 24-byte record; an operand is an 8-byte slot, a value and a link. The slots of one instruction lie side by
//! side: the operands, in front of them the type, if the op has one, and in front of that, for containers, one that holds the ends of the
//! list of children. A record names the first operand, since operands are what is asked for most.
//!
//! ```text
//! records   op count start first_use parent next previous
//!                      └────────┐
//! values    … [ends] [type] [operand 0] [operand 1] … [ghosts]
//! links     …        [ next user of that value … ]
//!
//! words     … [length] [word 0] [word 1] …       of a literal, which has no slots: its record names the length
//! ```
//!
//! What is gone says so in its op, so that whoever asks for an op asks for nothing else. Whether it had a type its op says no more;
//! `previous` does, which it needs no longer.
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
//! An instruction of more than [`WIDE`] slots has an index of them beside it (`wide.rs`), and its ghosts there. The first user in a chain
//! lives: what dies at the head leaves the chain at once, with the dead behind it, so that to ask for one user costs no walk over the dead.
//!
//! Instructions are never recycled: a handle means the same instruction for as long as the module lives.

mod use_lists;

use rustc_hash::FxHashMap;

use crate::Op;
use crate::wide::WideSlots;
pub(crate) use use_lists::Users;

pub(crate) const NONE: u32 = u32::MAX;
/// In `previous`: no instruction was ever made here.
const VACANT: u32 = u32::MAX - 1;
/// In `previous`: the instruction is gone, and had a type.
const WAS_TYPED: u32 = u32::MAX - 2;

/// How far an overwritten operand looks for its predecessor in the use chain. Most values have one or two users; beyond a few
/// cache lines of walking a ghost slot is cheaper.
const WALK_LIMIT: usize = 64;
/// Above this many slots an instruction has an index of them.
pub(crate) const WIDE: usize = 32;
/// Below this many dead slots a rebuild is not worth its fixed cost.
const REBUILD_FLOOR: usize = 1024;

const IN_CHAIN: &str = "invariant: an instruction in a use chain has a link that belongs to the value";

/// One instruction. 24 bytes; checked below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// [`Op::Dead`] or [`Op::Merged`] for what is gone.
    pub(crate) op: Op,
    /// Operands, the type not counted.
    pub(crate) count: u16,
    /// Slot of the first operand, or where it would be; for a literal where its length stands among the words.
    pub(crate) start: u32,
    pub(crate) first_use: u32,
    pub(crate) parent: u32,
    /// For what was merged into another, that one.
    pub(crate) next: u32,
    previous: u32,
}

const _: () = assert!(size_of::<Record>() == 24);

impl Record {
    const EMPTY: Record =
        Record { op: Op::Dead, count: 0, start: 0, first_use: NONE, parent: NONE, next: NONE, previous: VACANT };

    pub(crate) fn is_live(&self) -> bool {
        !matches!(self.op, Op::Dead | Op::Merged)
    }

    /// Whether no instruction was ever made here.
    pub(crate) fn is_vacant(&self) -> bool {
        self.previous == VACANT
    }

    /// The instruction before this one in the list of children.
    pub(crate) fn previous(&self) -> Option<u32> {
        Some(self.previous).filter(|&previous| previous < WAS_TYPED)
    }

    pub(crate) fn set_previous(&mut self, previous: Option<u32>) {
        self.previous = previous.unwrap_or(NONE);
    }

    /// Whether there is a slot for a type.
    fn is_typed(&self) -> bool {
        self.op.has_type() || self.previous == WAS_TYPED
    }

    /// Slots before the operands.
    fn lead(&self) -> usize {
        usize::from(self.op.is_container()) + usize::from(self.is_typed())
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
    /// The indices of instructions of many slots.
    wide: FxHashMap<u32, WideSlots>,
    dead_slots: usize,
}

impl Storage {
    /// Makes room for instructions whose numbers come from outside: the first `bound` indices stand vacant.
    pub(crate) fn reserve_numbers(&mut self, bound: u32) {
        debug_assert!(self.records.len() <= bound as usize);
        self.records.resize(bound as usize, Record::EMPTY);
    }

    /// Creates an instruction without a parent. `number` picks a vacant reserved index.
    pub(crate) fn create(&mut self, number: Option<u32>, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let index = number.unwrap_or(self.records.len() as u32);
        let count = u16::try_from(operands.len()).expect("limit: at most 65,535 operands an instruction");
        if op.is_container() {
            self.values.push(NONE);
        }
        if op.has_type() {
            self.values.push(ty);
        }
        let start = self.values.len() as u32;
        self.place(index, Record { op, count, start, first_use: NONE, parent: NONE, next: NONE, previous: NONE });
        self.values.extend_from_slice(operands);
        self.links.resize(self.values.len(), NONE);
        self.link_all(index);
        index
    }

    /// Creates a literal, whose payload is `words`.
    pub(crate) fn create_literal(&mut self, op: Op, words: &[u32]) -> u32 {
        let index = self.records.len() as u32;
        let length = u16::try_from(words.len()).expect("limit: at most 65,535 words a literal");
        let start = self.words.len() as u32;
        self.words.push(length.into());
        self.words.extend_from_slice(words);
        self.place(index, Record { op, count: 0, start, first_use: NONE, parent: NONE, next: NONE, previous: NONE });
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

    /// The words of a literal.
    pub(crate) fn literal_words(&self, literal: u32) -> &[u32] {
        let start = self.record(literal).start as usize;
        &self.words[start + 1..][..self.words[start] as usize]
    }

    /// The slot of the type; only for ops that have one.
    pub(crate) fn type_slot(&self, inst: u32) -> usize {
        self.record(inst).start as usize - 1
    }

    /// The slots of the operands; an empty range, anywhere, for a literal and for what was gone when slots were laid out anew.
    pub(crate) fn operand_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let record = self.record(inst);
        let first = record.start as usize;
        first..first + record.count as usize
    }

    /// The operands.
    pub(crate) fn operands(&self, inst: u32) -> &[u32] {
        // The range of a literal may lie past the end.
        self.values.get(self.operand_slots(inst)).unwrap_or_default()
    }

    /// The slot that holds the first and last child of a container.
    fn ends_slot(&self, container: u32) -> usize {
        let record = self.record(container);
        record.start as usize - 1 - usize::from(record.op == Op::Function)
    }

    /// The first child of a container, [`NONE`] if it is empty.
    pub(crate) fn first_child(&self, container: u32) -> u32 {
        self.values[self.ends_slot(container)]
    }

    /// The last child of a container, [`NONE`] if it is empty.
    pub(crate) fn last_child(&self, container: u32) -> u32 {
        self.links[self.ends_slot(container)]
    }

    /// First and last child of a container.
    pub(crate) fn ends(&self, container: u32) -> (u32, u32) {
        let slot = self.ends_slot(container);
        (self.values[slot], self.links[slot])
    }

    pub(crate) fn set_ends(&mut self, container: u32, first: u32, last: u32) {
        let slot = self.ends_slot(container);
        (self.values[slot], self.links[slot]) = (first, last);
    }

    /// Every slot that can carry a link: type, operands, ghosts.
    fn linked_slots(&self, inst: u32) -> std::ops::Range<usize> {
        let record = self.record(inst);
        let ghosts = if self.ghosts.is_empty() { 0 } else { self.ghosts.get(&inst).copied().unwrap_or(0) as usize };
        let first = record.start as usize;
        first - usize::from(record.is_typed())..first + record.count as usize + ghosts
    }

    fn add_ghost(&mut self, user: u32, value: u32, link: u32) {
        let (end, lead) = (self.linked_slots(user).end, self.record(user).lead());
        let first = self.record(user).start as usize - lead;
        self.dead_slots += end - first;
        let moved = self.values.len() + lead;
        self.values.extend_from_within(first..end);
        self.links.extend_from_within(first..end);
        self.values.push(value);
        self.links.push(link);
        self.record_mut(user).start = moved as u32;
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
        self.rebuild_if_worth_it();
    }

    /// Moves the slots of an instruction, whose operands are all empty, to room for `count` of them.
    fn resize_operands(&mut self, user: u32, count: usize) {
        let (operands, end) = (self.operand_slots(user), self.linked_slots(user).end);
        let first = operands.start - self.record(user).lead();
        self.dead_slots += end - first;
        let ghosts: Vec<(u32, u32)> = match self.wide.remove(&user) {
            Some(wide) => wide.into_left(),
            None => (operands.end..end).map(|slot| (self.values[slot], self.links[slot])).collect(),
        };
        self.values.extend_from_within(first..operands.start);
        self.links.extend_from_within(first..operands.start);
        let moved = self.values.len() as u32;
        self.values.resize(self.values.len() + count, NONE);
        self.links.resize(self.values.len(), NONE);
        self.values.extend(ghosts.iter().map(|&(value, _)| value));
        self.links.extend(ghosts.iter().map(|&(_, link)| link));
        match ghosts.len() as u32 {
            0 => drop(self.ghosts.remove(&user)),
            ghosts => drop(self.ghosts.insert(user, ghosts)),
        }
        let record = self.record_mut(user);
        record.start = moved;
        record.count = u16::try_from(count).expect("limit: at most 65,535 operands an instruction");
        self.index(user);
    }

    /// Marks an instruction as gone. It stays in the use chains of its operands until the next rebuild.
    pub(crate) fn bury(&mut self, inst: u32) {
        if self.record(inst).is_vacant() {
            return;
        }
        self.dead_slots += self.linked_slots(inst).len();
        let record = self.record_mut(inst);
        record.previous = if record.is_typed() { WAS_TYPED } else { NONE };
        (record.op, record.parent, record.next) = (Op::Dead, NONE, NONE);
        for slot in self.linked_slots(inst) {
            let value = self.values[slot];
            if value != NONE && self.record(value).first_use == inst {
                self.drop_dead_users(value);
            }
        }
        self.rebuild_if_worth_it();
    }

    /// Lays out the slots anew once what is dead outweighs what lives.
    fn rebuild_if_worth_it(&mut self) {
        if self.dead_slots > REBUILD_FLOOR && self.dead_slots * 2 > self.values.len() {
            self.rebuild();
        }
    }

    /// Notes into which other instruction one that is gone was merged.
    pub(crate) fn forward(&mut self, inst: u32, survivor: u32) {
        let record = self.record_mut(inst);
        (record.op, record.next) = (Op::Merged, survivor);
    }

    /// Lays out the slots of what lives anew, without ghosts and without the dead.
    fn rebuild(&mut self) {
        let (old_values, old_links) = (std::mem::take(&mut self.values), std::mem::take(&mut self.links));
        self.ghosts.clear();
        self.wide.clear();
        self.dead_slots = 0;
        for record in &mut self.records {
            record.first_use = NONE;
            if record.op.is_literal() || record.is_vacant() {
                continue;
            }
            if !record.is_live() {
                (record.count, record.start, record.previous) = (0, 0, NONE);
                continue;
            }
            let (start, lead) = (record.start as usize, record.lead());
            let first = self.values.len();
            self.values.extend_from_slice(&old_values[start - lead..start + record.count as usize]);
            self.links.resize(self.values.len(), NONE);
            record.start = (first + lead) as u32;
            if record.op.is_container() {
                self.links[first] = old_links[start - lead];
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
