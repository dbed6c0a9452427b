//! The vertex pipe memory: 64 rows of 16 words, read and written by vectors of 16 elements.
//!
//! The setup of an access states the first vector and the step to the next one. A vector of 32-bit elements is a row, or 16 words of a
//! column (rows 0 to 15, 16 to 31 and so on). Elements of 8 and 16 bits are zero extended when they are read. They are
//!
//! | | horizontal | vertical |
//! |---|---|---|
//! | packed | in consecutive bytes of a row | in consecutive bytes of the words of a column |
//! | laned | in one byte or half of each word of a row | in one byte or half of each of 16 words of a column |
//!
//! The lowest bits of the address select the byte or half: the quarter or half of the row (or of the 16 words) for packed elements.
//!
//! # Mutual exclusion
//!
//! The model has one set of setups, as if all QPUs shared it. With more than one QPU, every setup, every access to data and every start of
//! DMA needs the mutex, and setups are valid until the mutex is acquired again, because another QPU may have changed them since.

use std::collections::VecDeque;

use crate::dma::{DmaState, LoadSetup, StoreSetup};
use crate::fault::FaultKind;
use crate::lanes::{LANES, Lanes};
use crate::moment::Moment;

/// Rows of the memory.
pub(crate) const ROWS: usize = 64;

/// Bytes of a row.
pub(crate) const ROW_BYTES: usize = 64;

/// The minimum number of instructions between a read setup and the first read.
const READ_DISTANCE: u64 = 3;

/// The memory, its setups and its DMA.
#[derive(Debug)]
pub(crate) struct Vpm {
    pub(crate) bytes: Box<[u8; ROWS * ROW_BYTES]>,
    pub(crate) setups: Setups,
    pub(crate) dma: DmaState,
    /// True if a read waits for a vector whose setup is recent.
    pub(crate) waits: bool,
}

/// The contents of the setup registers.
#[derive(Debug, Default)]
pub(crate) struct Setups {
    write: Option<Access>,
    reads: VecDeque<PendingRead>,
    /// True if a read setup was written: a read without a pending vector then exceeds it.
    has_read: bool,
    pub(crate) load: Option<LoadSetup>,
    pub(crate) load_pitch: Option<u32>,
    pub(crate) store: Option<StoreSetup>,
    pub(crate) store_stride: Option<u32>,
}

/// A vector that a read setup requests.
#[derive(Debug)]
struct PendingRead {
    vector: Vector,
    setup: Moment,
}

/// The part of a setup that reading and writing have in common.
#[derive(Debug, Clone, Copy)]
struct Access {
    next: Vector,
    stride: usize,
}

/// The position of a vector.
#[derive(Debug, Clone, Copy)]
struct Vector {
    address: usize,
    /// Bytes of an element.
    size: usize,
    is_laned: bool,
    is_horizontal: bool,
}

impl Access {
    fn decode(word: u32) -> Result<Access, FaultKind> {
        let size = match word >> 8 & 3 {
            3 => return Err(FaultKind::InvalidSetup),
            code => 1 << code,
        };
        let next = Vector {
            address: (word & 0xFF) as usize,
            size,
            is_laned: word >> 10 & 1 != 0,
            is_horizontal: word >> 11 & 1 != 0,
        };
        Ok(Access { next, stride: zero_means(word >> 12 & 0x3F, 64) })
    }

    fn advance(&mut self) -> Vector {
        let vector = self.next;
        self.next.address += self.stride;
        vector
    }
}

/// The value of a field in which 0 represents the largest value.
pub(crate) fn zero_means(field: u32, value: usize) -> usize {
    if field == 0 { value } else { field as usize }
}

impl Vector {
    /// The number of elements of this size in a word, and the index of the one that the address selects.
    fn split(self) -> Result<(usize, usize), FaultKind> {
        let parts = 4 / self.size;
        if self.address >= ROWS * parts {
            return Err(FaultKind::VpmOutOfRange);
        }
        Ok((self.address / parts, self.address % parts))
    }

    fn first_row(self) -> Result<usize, FaultKind> {
        let (word_address, _) = self.split()?;
        Ok(if self.is_horizontal { word_address } else { word_address / 16 * 16 })
    }

    /// The number of rows in which the vector may lie.
    fn rows(self) -> usize {
        if self.is_horizontal { 1 } else { 16 }
    }

    /// The index of the first byte of each element.
    fn positions(self) -> Result<[usize; LANES], FaultKind> {
        let (word_address, part) = self.split()?;
        let mut positions = [0; LANES];
        for (lane, position) in positions.iter_mut().enumerate() {
            let byte = match self.is_laned && self.size < 4 {
                true => lane * 4 + part * self.size,
                false => (part * LANES + lane) * self.size,
            };
            *position = match self.is_horizontal {
                true => word_address * ROW_BYTES + byte,
                false => (word_address / 16 * 16 + byte / 4) * ROW_BYTES + word_address % 16 * 4 + byte % 4,
            };
        }
        Ok(positions)
    }
}

impl Vpm {
    /// A memory with the given words, whose reads wait for nothing.
    pub(crate) fn new(word_at: impl Fn(usize) -> u32) -> Vpm {
        let mut bytes = Box::new([0; ROWS * ROW_BYTES]);
        for (index, word) in bytes.chunks_exact_mut(4).enumerate() {
            word.copy_from_slice(&word_at(index).to_le_bytes());
        }
        Vpm { bytes, setups: Setups::default(), dma: DmaState::default(), waits: false }
    }

    /// Writes the setup register of reading and of DMA loads.
    pub(crate) fn write_read_setup(&mut self, word: u32, now: Moment) -> Result<(), FaultKind> {
        match word >> 28 {
            0..=3 => self.set_up_reads(word, now)?,
            9 => self.setups.load_pitch = Some(word & 0x1FFF),
            8.. => self.setups.load = Some(LoadSetup::decode(word)?),
            _ => return Err(FaultKind::InvalidSetup),
        }
        Ok(())
    }

    fn set_up_reads(&mut self, word: u32, now: Moment) -> Result<(), FaultKind> {
        let setups = &mut self.setups;
        if setups.reads.len() > 1 {
            return Err(FaultKind::VpmReadSetupBusy);
        }
        let mut access = Access::decode(word)?;
        for _ in 0..zero_means(word >> 20 & 0xF, 16) {
            setups.reads.push_back(PendingRead { vector: access.advance(), setup: now });
        }
        setups.has_read = true;
        Ok(())
    }

    /// Writes the setup register of writing and of DMA stores.
    pub(crate) fn write_write_setup(&mut self, word: u32) -> Result<(), FaultKind> {
        match word >> 30 {
            0 => self.setups.write = Some(Access::decode(word)?),
            2 => self.setups.store = Some(StoreSetup::decode(word)?),
            3 => self.setups.store_stride = Some(word & 0xFFFF),
            _ => return Err(FaultKind::InvalidSetup),
        }
        Ok(())
    }

    /// Returns whether there are vectors that were set up and not read.
    pub(crate) fn has_unread_vectors(&self) -> bool {
        !self.setups.reads.is_empty()
    }

    /// The cycle in which the next vector is available, if a read waits for it.
    pub(crate) fn ready_at(&self) -> u64 {
        let next = self.setups.reads.front().filter(|_| self.waits);
        next.map_or(0, |read| read.setup.cycle + READ_DISTANCE + 1)
    }

    /// Reads the next vector.
    pub(crate) fn read(&mut self, now: Moment) -> Result<Lanes, FaultKind> {
        let missing = if self.setups.has_read { FaultKind::VpmReadBeyondSetup } else { FaultKind::VpmWithoutSetup };
        let PendingRead { vector, setup } = self.setups.reads.pop_front().ok_or(missing)?;
        if !self.waits && now.number <= setup.number + READ_DISTANCE {
            return Err(FaultKind::VpmReadTooEarly);
        }
        let first_row = vector.first_row()?;
        self.dma.check_read(first_row, vector.rows())?;
        let positions = vector.positions()?;
        Ok(positions.map(|position| {
            let mut word = [0; 4];
            word[..vector.size].copy_from_slice(&self.bytes[position..position + vector.size]);
            u32::from_le_bytes(word)
        }))
    }

    /// Writes the next vector.
    pub(crate) fn write(&mut self, values: &Lanes) -> Result<(), FaultKind> {
        let access = self.setups.write.as_mut().ok_or(FaultKind::VpmWithoutSetup)?;
        let vector = access.advance();
        self.dma.check_write(vector.first_row()?, vector.rows())?;
        for (position, value) in vector.positions()?.into_iter().zip(values) {
            self.bytes[position..position + vector.size].copy_from_slice(&value.to_le_bytes()[..vector.size]);
        }
        Ok(())
    }
}
