//! Words between registers and memory by DMA, through a row of the vertex pipe memory. The mutex is held from the first setup to the last wait.
//!
//! ```text
//! store   vpm write setup ← row;  vpm ← value;  dma setup ← row, words;  dma address ← address;  wait
//! load    dma setup ← row, words;  dma address ← address;  wait;  vpm read setup ← row;  value ← vpm
//! ```
//!
//! Lanes with consecutive addresses are one access of 16 words, and loads of lanes with the same address are one of a word. Others go one
//! after another. DMA takes the address of lane 0, so the vector of addresses is rotated; an inactive lane has address zero and is skipped:
//!
//! ```text
//!       count = −16
//! lane: r5 ← −count;  r5 ← lane 0 of (addresses rotated by r5)
//!       if r5 = 0: next                      some lanes may be inactive
//!       wait;  one word at column count + 16
//! next: count += 1;  until it is zero
//!       wait
//! ```
//!
//! The word of a lane is under way while the address of the next one is made.
//!
//! Words of the setup registers: VideoCore IV 3D Architecture Reference Guide, section 7.

use reconverge_diagnostic::Diagnostic;
use reconverge_lanes::CodeRole;

use crate::machine::{AddOp, BranchCondition, Condition, ReadPort, VReg, WritePort};

use super::emit::{Emitter, Word};
use super::frame::TRANSFER_ROW;
use super::selector::Selector;
use crate::LANES;

/// One row of words of 32 bits, horizontal, to be read or written by the QPU.
const ROW_SETUP: u32 = 0x1a00;
/// One row to be read.
const READ_ONE: u32 = 1 << 20;
/// A DMA store of words: one unit, horizontal.
const STORE: u32 = 1 << 31 | 1 << 23 | 1 << 14;
/// The bit position of the depth of a unit.
const STORE_DEPTH: u32 = 16;
/// The distance between units of a store, which is never used.
const STORE_STRIDE: u32 = 3 << 30;
/// A DMA load of words: one row, pitch of one row in the vertex pipe memory, 8 bytes in memory, which is never used.
const LOAD: u32 = 1 << 31 | 1 << 16 | 1 << 12;
/// The bit position of the number of words of a row.
const LOAD_LENGTH: u32 = 20;
/// The number of lanes, negative.
const FIRST_COUNT: u32 = LANES.wrapping_neg();

/// A lane whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Its address, for all lanes.
    pub(crate) address: Word,
    /// Its number less 16.
    pub(crate) count: VReg,
}

impl Selector<'_> {
    /// A setup word: a constant with the number of a row of this QPU at a bit.
    fn setup(&mut self, constant: u32, row: u32, shift: u8) -> Word {
        let base = self.first_row(shift);
        self.emit.add(base, Word::Constant(constant + (row << shift)))
    }

    /// Sets up rows to be written, from this one on.
    pub(crate) fn begin_row_writes(&mut self, row: Word) {
        let base = self.first_row(0);
        let setup = self.emit.add(row, Word::Constant(ROW_SETUP));
        let setup = self.emit.add(base, setup);
        self.emit.write(WritePort::VpmWriteSetup, setup);
    }

    /// Sets up at most 16 rows to be read, from this one on.
    pub(crate) fn begin_row_reads(&mut self, row: Word, count: u32) {
        let base = self.first_row(0);
        let setup = self.emit.add(row, Word::Constant(ROW_SETUP | (count & 15) << 20));
        let setup = self.emit.add(base, setup);
        self.emit.write(WritePort::VpmReadSetup, setup);
    }

    fn write_transfer_row(&mut self, value: Word) {
        self.begin_row_writes(Word::Constant(TRANSFER_ROW));
        self.emit.write(WritePort::Vpm, value);
    }

    pub(crate) fn read_transfer_row(&mut self) -> Word {
        let setup = self.setup(ROW_SETUP | READ_ONE, TRANSFER_ROW, 0);
        self.emit.write(WritePort::VpmReadSetup, setup);
        self.emit.read(ReadPort::Vpm)
    }

    /// Stores 16 words at the address of lane 0, all lanes active.
    pub(crate) fn store_row(&mut self, address: Word, value: Word) {
        self.emit.lock();
        self.write_transfer_row(value);
        let setup = self.setup(STORE | LANES << STORE_DEPTH, TRANSFER_ROW, 7);
        self.emit.write(WritePort::VpmWriteSetup, setup);
        self.emit.write(WritePort::VpmWriteSetup, Word::Constant(STORE_STRIDE));
        self.emit.write(WritePort::DmaStoreAddress, address);
        self.emit.wait(ReadPort::DmaStoreWait);
        self.emit.unlock();
    }

    /// Loads 16 words from the address of lane 0, all lanes active.
    pub(crate) fn load_row(&mut self, address: Word) -> Word {
        self.load_transfer_row(address, LOAD)
    }

    /// Loads a word for all lanes. The address is the same for all that are active: the first one of them loads.
    pub(crate) fn load_same(&mut self, address: Word) -> Result<Word, Diagnostic> {
        if self.emit.is_whole {
            let row = self.load_transfer_row(address, LOAD | 1 << LOAD_LENGTH);
            return Ok(self.emit.of_lane(row, Word::Constant(0)));
        }
        let base = self.load_base();
        let addresses = self.emit.addresses_of_active(address);
        let (done, mut lane) = (self.emit.label(), Word::Constant(0));
        self.emit.lock();
        self.each_active_lane(addresses, &mut |selector, turn| {
            selector.load_word(base, turn);
            selector.emit.jump(done);
            lane = Word::Register(turn.count);
            Ok(())
        })?;
        self.emit.place(done);
        let row = self.read_transfer_row();
        self.emit.unlock();
        Ok(self.emit.of_lane(row, lane))
    }

    fn load_transfer_row(&mut self, address: Word, setup: u32) -> Word {
        self.emit.lock();
        let setup = self.setup(setup, TRANSFER_ROW, 4);
        self.emit.write(WritePort::VpmReadSetup, setup);
        self.emit.write(WritePort::DmaLoadAddress, address);
        self.emit.wait(ReadPort::DmaLoadWait);
        let value = self.read_transfer_row();
        self.emit.unlock();
        value
    }

    /// Stores the values of active lanes one after another: 4, 2 or 1 bytes each.
    pub(crate) fn store_lanes(&mut self, addresses: Word, value: Word, bytes: u32) -> Result<(), Diagnostic> {
        let mode = match bytes {
            1 => 4,
            2 => 2,
            _ => 0,
        };
        let base = self.setup(STORE | 1 << STORE_DEPTH | mode, TRANSFER_ROW, 7);
        let base = self.emit.add(base, Word::Constant(LANES << 3));
        let addresses = self.emit.addresses_of_active(addresses);
        self.emit.lock();
        self.write_transfer_row(value);
        self.emit.write(WritePort::VpmWriteSetup, Word::Constant(STORE_STRIDE));
        self.each_active_lane(addresses, &mut |selector, turn| {
            let column = selector.emit.shift(AddOp::Shl, Word::Register(turn.count), 3);
            let setup = selector.emit.add(base, column);
            selector.emit.wait(ReadPort::DmaStoreWait);
            selector.emit.write(WritePort::VpmWriteSetup, setup);
            selector.emit.write(WritePort::DmaStoreAddress, turn.address);
            Ok(())
        })?;
        self.emit.wait(ReadPort::DmaStoreWait);
        self.emit.unlock();
        Ok(())
    }

    /// Loads the words of active lanes one after another.
    pub(crate) fn load_lanes(&mut self, addresses: Word) -> Result<Word, Diagnostic> {
        let base = self.load_base();
        let addresses = self.emit.addresses_of_active(addresses);
        self.emit.lock();
        self.each_active_lane(addresses, &mut |selector, turn| {
            let setup = selector.emit.add(base, Word::Register(turn.count));
            selector.emit.wait(ReadPort::DmaLoadWait);
            selector.emit.write(WritePort::VpmReadSetup, setup);
            selector.emit.write(WritePort::DmaLoadAddress, turn.address);
            Ok(())
        })?;
        self.emit.wait(ReadPort::DmaLoadWait);
        let value = self.read_transfer_row();
        self.emit.unlock();
        Ok(value)
    }

    /// The setup of a load of one word, less the column.
    pub(crate) fn load_base(&mut self) -> Word {
        let base = self.setup(LOAD | 1 << LOAD_LENGTH, TRANSFER_ROW, 4);
        self.emit.add(base, Word::Constant(LANES))
    }

    /// Loads the word of a lane into its column of the transfer row.
    pub(crate) fn load_word(&mut self, base: Word, turn: Turn) {
        let setup = self.emit.add(base, Word::Register(turn.count));
        self.emit.write(WritePort::VpmReadSetup, setup);
        self.emit.write(WritePort::DmaLoadAddress, turn.address);
        self.emit.wait(ReadPort::DmaLoadWait);
    }

    /// Stores the word of a lane from its column of the transfer row.
    pub(crate) fn store_word(&mut self, value: Word, turn: Turn) {
        self.write_transfer_row(value);
        let base = self.setup(STORE | 1 << STORE_DEPTH, TRANSFER_ROW, 7);
        let base = self.emit.add(base, Word::Constant(LANES << 3));
        let column = self.emit.shift(AddOp::Shl, Word::Register(turn.count), 3);
        let setup = self.emit.add(base, column);
        self.emit.write(WritePort::VpmWriteSetup, setup);
        self.emit.write(WritePort::VpmWriteSetup, Word::Constant(STORE_STRIDE));
        self.emit.write(WritePort::DmaStoreAddress, turn.address);
        self.emit.wait(ReadPort::DmaStoreWait);
    }

    /// Writes code that runs for each active lane, one after another.
    pub(crate) fn each_active_lane(
        &mut self,
        addresses: Word,
        body: &mut dyn FnMut(&mut Self, Turn) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let addresses = Word::Register(self.emit.in_register(addresses));
        let next = self.emit.label();
        self.each_lane(&mut |selector, count| {
            let lane = Word::Register(count);
            let address = selector.emit.of_lane(addresses, lane);
            if !selector.emit.is_whole {
                selector.emit.test(address);
                selector.emit.branch(BranchCondition::All(Condition::ZeroSet), next);
            }
            body(selector, Turn { address, count })?;
            selector.emit.place(next);
            Ok(())
        })
    }

    /// Writes code that runs for each lane, one after another: with its number less 16.
    pub(crate) fn each_lane(
        &mut self,
        body: &mut dyn FnMut(&mut Self, VReg) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let count = self.emit.copied(Word::Constant(FIRST_COUNT));
        let head = self.emit.label();
        let role = self.emit.set_role(CodeRole::LaneLoop);
        self.emit.place(head);
        let is_in_loop = std::mem::replace(&mut self.emit.is_in_loop, true);
        body(self, count)?;
        self.emit.is_in_loop = is_in_loop;
        self.emit.count_up(count);
        self.emit.set_role(role);
        self.emit.branch(BranchCondition::Any(Condition::ZeroClear), head);
        Ok(())
    }
}

impl Emitter {
    pub(crate) fn lock(&mut self) {
        self.wait(ReadPort::MutexAcquire);
    }

    pub(crate) fn unlock(&mut self) {
        self.write(WritePort::MutexRelease, Word::Constant(0));
    }

    /// The addresses of active lanes; zero for others.
    pub(crate) fn addresses_of_active(&mut self, addresses: Word) -> Word {
        if self.is_whole {
            return addresses;
        }
        let masked = self.copied(Word::Constant(0));
        self.copy_active(masked, addresses);
        Word::Register(masked)
    }

    /// The value of a lane in all lanes; its number counts modulo 16.
    pub(crate) fn of_lane(&mut self, value: Word, lane: Word) -> Word {
        if let Word::Constant(_) = value {
            return value;
        }
        let rotated = match lane {
            Word::Constant(lane) if lane % LANES == 0 => value,
            Word::Constant(lane) => self.rotate(value, Some((LANES - lane % LANES) as u8)),
            lane => {
                let amount = self.binary(AddOp::Sub, Word::Constant(0), lane);
                self.write(WritePort::Broadcast, amount);
                self.rotate(value, None)
            }
        };
        self.write(WritePort::Broadcast, rotated);
        self.read(ReadPort::Broadcast)
    }

    /// Sets the flag zero of the lane with a number less 16, and clears it in all others.
    pub(crate) fn test_lane(&mut self, count: VReg) {
        let lane = self.read(ReadPort::ElementNumber);
        let number = self.and(Word::Register(count), Word::Constant(LANES - 1));
        self.flags(AddOp::Xor, lane, number);
    }
}
