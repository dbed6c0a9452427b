//! Private variables in rows of the vertex pipe memory. A row has a word of every lane, so an element that all lanes index alike is one row.
//!
//! If lanes have different indices, all rows of the variable are read one after the other, and each lane keeps its own:
//!
//! ```text
//! load    vpm read setup ← first row, count          for each row k:  sub.sf null, index, k;  mov.zs result, vpm
//! store   both setups                                for each row k:  mov old, vpm;  sub.sf null, index, k;  mov.zs old, value;  mov vpm, old
//! ```
//!
//! Up to 16 rows are read in a straight line, more in a loop, eight at a time. An index outside of its variable reads an undefined value and writes nothing, or another row of the same QPU.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::emit::{Emitter, Word};
use super::frame::{Place, PlaceRoot, leaves};
use super::selector::Selector;
use super::value::{ScalarType, Words, one, two};
use crate::LANES;
use crate::machine::{AddOp, BranchCondition, Condition, Destination, ReadPort, VReg, WritePort};
use crate::program::Uniform;

/// Rows that one setup reads.
const READS: u32 = 16;
/// Rows of one iteration where a variable has more than one setup reads.
pub(crate) const CHUNK: u32 = 8;

/// Rows of a variable, after its first one.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    start: Word,
    rows: u32,
}

/// The row of a word in a private variable.
#[derive(Clone, Copy, Debug)]
enum Row {
    /// The same for all lanes, counted from the first row of the QPU.
    Same(Word),
    /// Different: the number in the variable, its first row, and how many it has.
    Different { index: Word, first: u32, rows: u32 },
}

impl Selector<'_> {
    /// The row of a place, and the bit of the value in its word.
    fn row(&mut self, place: &Place, at: Inst) -> Result<(Row, Word), Diagnostic> {
        let PlaceRoot::Private { row, rows } = place.root else {
            return Err(self.values.unsupported(at, "memory of this kind"));
        };
        let Some(offset) = place.offset else {
            let bit = Word::Constant((place.displacement & 3) * 8);
            return Ok((Row::Same(Word::Constant(row.wrapping_add(place.displacement / 4).min(row + rows - 1))), bit));
        };
        let bytes = self.emit.add(offset, Word::Constant(place.displacement));
        let index = self.emit.shift(AddOp::Shr, bytes, 2);
        // Shifts read the lowest five bits of an amount.
        let bit = match bytes {
            Word::Constant(bytes) => Word::Constant((bytes & 3) * 8),
            bytes => self.emit.shift(AddOp::Shl, bytes, 3),
        };
        if place.is_varying {
            return Ok((Row::Different { index, first: row, rows }, bit));
        }
        // An index out of bounds stays in the variable.
        let last = Word::Constant(rows - 1);
        let index = self.emit.unsigned_least(index, last);
        Ok((Row::Same(self.emit.add(index, Word::Constant(row))), bit))
    }

    pub(crate) fn load_private(&mut self, place: &Place, ty: ScalarType, at: Inst) -> Result<Words, Diagnostic> {
        if let PlaceRoot::Scratch(start) = place.root {
            return self.load_scratch(start, place, ty);
        }
        let (row, bit) = self.row(place, at)?;
        Ok(match ty.bytes() {
            8 if ty == ScalarType::Pointer => one(self.read_row(row)),
            8 => {
                let low = self.read_row(row);
                let next = self.emit.next_row(row);
                two(low, self.read_row(next))
            }
            4 => one(self.read_row(row)),
            bytes => {
                let word = self.read_row(row);
                let shifted = match bit {
                    Word::Constant(bit) => self.emit.shift(AddOp::Shr, word, bit),
                    bit => self.emit.binary(AddOp::Shr, word, bit),
                };
                one(self.emit.zero_extended(shifted, bytes * 8))
            }
        })
    }

    pub(crate) fn store_private(
        &mut self,
        place: &Place,
        ty: ScalarType,
        words: &Words,
        at: Inst,
    ) -> Result<(), Diagnostic> {
        if let PlaceRoot::Scratch(start) = place.root {
            return self.store_scratch(start, place, ty, words);
        }
        let (row, bit) = self.row(place, at)?;
        match ty.bytes() {
            4 => self.write_row(row, words[0]),
            8 => {
                self.write_row(row, words[0]);
                let next = self.emit.next_row(row);
                self.write_row(next, words.get(1).copied().unwrap_or(Word::Constant(0)));
            }
            bytes => {
                let mask = Word::Constant((1 << (bytes * 8)) - 1);
                let (mask, value) = match bit {
                    Word::Constant(bit) => {
                        (self.emit.shift(AddOp::Shl, mask, bit), self.emit.shift(AddOp::Shl, words[0], bit))
                    }
                    bit => (self.emit.binary(AddOp::Shl, mask, bit), self.emit.binary(AddOp::Shl, words[0], bit)),
                };
                let others = self.emit.not(mask);
                let before = self.read_row(row);
                let kept = self.emit.and(before, others);
                let word = self.emit.or(kept, value);
                self.write_row(row, word);
            }
        }
        Ok(())
    }

    fn read_row(&mut self, row: Row) -> Word {
        match row {
            Row::Same(row) => {
                self.emit.lock();
                self.begin_row_reads(row, 1);
                let value = self.emit.read(ReadPort::Vpm);
                self.emit.unlock();
                value
            }
            Row::Different { index, first, rows } => {
                let index = Word::Register(self.emit.in_register(index));
                let result = self.emit.copied(Word::Constant(0));
                self.emit.lock();
                self.each_chunk(rows, &mut |selector, chunk| {
                    let row = selector.emit.add(chunk.start, Word::Constant(first));
                    selector.begin_row_reads(row, chunk.rows);
                    let rest = selector.emit.sub(index, chunk.start);
                    for place in 0..chunk.rows {
                        let value = selector.emit.read(ReadPort::Vpm);
                        selector.emit.flags(AddOp::Xor, rest, Word::Constant(place));
                        selector.emit.copy_when(result, value, Condition::ZeroSet);
                    }
                });
                self.emit.unlock();
                Word::Register(result)
            }
        }
    }

    /// Writes code for the rows of a variable, some at a time.
    fn each_chunk(&mut self, rows: u32, body: &mut dyn FnMut(&mut Self, Chunk)) {
        if rows <= READS {
            return body(self, Chunk { start: Word::Constant(0), rows });
        }
        // The frame has rows up to a multiple of a chunk.
        let start = self.emit.copied(Word::Constant(0));
        let head = self.emit.label();
        let last = Word::Register(self.emit.in_register(Word::Constant(rows)));
        self.emit.place(head);
        body(self, Chunk { start: Word::Register(start), rows: CHUNK });
        let destination = Destination::Register(start);
        self.emit.binary_to(destination, AddOp::Add, Word::Register(start), Word::Constant(CHUNK));
        self.emit.flags(AddOp::Sub, Word::Register(start), last);
        self.emit.branch(BranchCondition::Any(Condition::CarrySet), head);
    }

    fn write_row(&mut self, row: Row, value: Word) {
        match row {
            Row::Same(row) if self.emit.is_whole => {
                self.emit.lock();
                self.begin_row_writes(row);
                self.emit.write(WritePort::Vpm, value);
                self.emit.unlock();
            }
            Row::Same(row) => {
                let value = Word::Register(self.emit.in_register(value));
                self.emit.lock();
                self.begin_row_reads(row, 1);
                let before = self.emit.read(ReadPort::Vpm);
                let merged = self.emit.copied(before);
                self.emit.copy_active(merged, value);
                self.begin_row_writes(row);
                self.emit.write(WritePort::Vpm, Word::Register(merged));
                self.emit.unlock();
            }
            Row::Different { index, first, rows } => {
                let index = self.emit.active_index(index);
                let value = Word::Register(self.emit.in_register(value));
                self.emit.lock();
                self.each_chunk(rows, &mut |selector, chunk| {
                    let row = selector.emit.add(chunk.start, Word::Constant(first));
                    selector.begin_row_reads(row, chunk.rows);
                    selector.begin_row_writes(row);
                    let rest = selector.emit.sub(Word::Register(index), chunk.start);
                    for place in 0..chunk.rows {
                        let before = selector.emit.read(ReadPort::Vpm);
                        let merged = selector.emit.copied(before);
                        selector.emit.flags(AddOp::Xor, rest, Word::Constant(place));
                        selector.emit.copy_when(merged, value, Condition::ZeroSet);
                        selector.emit.write(WritePort::Vpm, Word::Register(merged));
                    }
                });
                self.emit.unlock();
            }
        }
    }

    /// Writes the initializer of a variable.
    pub(crate) fn initialize(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(place) = self.memory.frame.place(variable) else { return Ok(()) };
        let found = leaves(self.values.module, variable)?;
        let ends = found.iter().map(|leaf| leaf.offset as usize + leaf.bytes(self.values.module));
        let mut contents = vec![0_u8; ends.max().unwrap_or(0).next_multiple_of(4)];
        for leaf in found {
            leaf.write(self.values.module, &mut contents);
        }
        for (index, word) in contents.chunks_exact(4).enumerate() {
            let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let at = Place { displacement: 4 * index as u32, ..place.clone() };
            self.store_private(&at, ScalarType::Int(32), &one(Word::Constant(word)), variable)?;
        }
        Ok(())
    }

    /// The address of a place in scratch memory, and how it differs between lanes.
    ///
    /// ```text
    /// byte o of lane l     base + 16 · (o & ~3) + 4 · l + (o & 3)
    /// ```
    fn scratch_address(&mut self, start: u32, place: &Place) -> (Word, Option<u32>) {
        let base = self.uniform(Uniform::Scratch);
        let lane = self.emit.read(ReadPort::ElementNumber);
        let lane = self.emit.shift(AddOp::Shl, lane, 2);
        let base = self.emit.add(base, lane);
        let offset = place.offset.unwrap_or(Word::Constant(0));
        let bytes = self.emit.add(offset, Word::Constant(place.displacement));
        let aligned = self.emit.and(bytes, Word::Constant(!3));
        let rows = self.emit.shift(AddOp::Shl, aligned, LANES.trailing_zeros());
        let part = self.emit.and(bytes, Word::Constant(3));
        let address = self.emit.add(base, rows);
        let address = self.emit.add(address, Word::Constant(start));
        (self.emit.add(address, part), (!place.is_varying).then_some(4))
    }

    fn load_scratch(&mut self, start: u32, place: &Place, ty: ScalarType) -> Result<Words, Diagnostic> {
        let (address, stride) = self.scratch_address(start, place);
        let row = Word::Constant(4 * LANES);
        match ty.bytes() {
            8 if ty == ScalarType::Pointer => Ok(one(self.load_written(address, stride)?)),
            8 => {
                let low = self.load_written(address, stride)?;
                let next = self.emit.add(address, row);
                Ok(two(low, self.load_written(next, stride)?))
            }
            4 => Ok(one(self.load_written(address, stride)?)),
            bytes => {
                let aligned = self.emit.and(address, Word::Constant(!3));
                let word = self.load_written(aligned, stride)?;
                let bit = self.emit.shift(AddOp::Shl, address, 3);
                let shifted = self.emit.binary(AddOp::Shr, word, bit);
                Ok(one(self.emit.zero_extended(shifted, bytes * 8)))
            }
        }
    }

    fn store_scratch(&mut self, start: u32, place: &Place, ty: ScalarType, words: &Words) -> Result<(), Diagnostic> {
        let (address, stride) = self.scratch_address(start, place);
        match ty.bytes() {
            8 => {
                let next = self.emit.add(address, Word::Constant(4 * LANES));
                self.store_words(address, words[0], stride)?;
                let high = words.get(1).copied().unwrap_or(Word::Constant(0));
                self.store_words(next, high, stride)
            }
            4 => self.store_words(address, words[0], stride),
            bytes => self.store_lanes(address, words[0], bytes),
        }
    }
}

impl Emitter {
    fn next_row(&mut self, row: Row) -> Row {
        match row {
            Row::Same(row) => Row::Same(self.add(row, Word::Constant(1))),
            Row::Different { index, first, rows } => {
                Row::Different { index: self.add(index, Word::Constant(1)), first, rows }
            }
        }
    }

    /// An index of active lanes; one of no row for others.
    fn active_index(&mut self, index: Word) -> VReg {
        if self.is_whole {
            return self.in_register(index);
        }
        let masked = self.copied(Word::Constant(u32::MAX));
        self.copy_active(masked, index);
        masked
    }
}
