//! DMA between the vertex pipe memory and memory: blocks of rows, each a run of elements in memory.
//!
//! A row of the block is a row of the VPM (horizontal) or a column (vertical). Elements of 8 and 16 bits are packed in consecutive bytes
//! along that direction, or laned (stores only): one in each word. The next row of a store is the next row or column of the VPM. The next
//! row of a load is `VPITCH` further down in both directions; for 8- and 16-bit elements the pitch counts in {row, byte} or {row, half}.
//! The bit of the block mode of stores has no effect: VC4C sets it in programs that work by rows.
//!
//! The bytes are copied when the address is written. Until the QPU that started the DMA has awaited its end (it reads the wait register, or
//! the busy register returns 0), no other access may use the rows, and no other DMA in that direction may start.

use crate::fault::FaultKind;
use crate::moment::Moment;
use crate::tmu::Bus;
use crate::vpm::{ROW_BYTES, ROWS, Vpm, zero_means};

/// Cycles of any DMA.
pub const DMA_LATENCY: u64 = 12;

/// Words that DMA moves in a cycle.
pub const DMA_WORDS_PER_CYCLE: u64 = 4;

/// A direction of DMA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Load,
    Store,
}

/// DMA that was not awaited.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    qpu: usize,
    end: u64,
    first_row: usize,
    rows: usize,
}

impl Transfer {
    fn overlaps(&self, first_row: usize, rows: usize) -> bool {
        first_row < self.first_row + self.rows && self.first_row < first_row + rows
    }
}

/// The DMA that was not awaited, in both directions.
#[derive(Debug, Default)]
pub(crate) struct DmaState {
    load: Option<Transfer>,
    store: Option<Transfer>,
}

impl DmaState {
    fn transfer(&mut self, direction: Direction) -> &mut Option<Transfer> {
        match direction {
            Direction::Load => &mut self.load,
            Direction::Store => &mut self.store,
        }
    }

    /// Returns an error if no DMA may start.
    fn check_idle(&mut self, direction: Direction) -> Result<(), FaultKind> {
        if self.transfer(direction).is_some() { Err(FaultKind::DmaBusy) } else { Ok(()) }
    }

    /// Returns an error if rows of the VPM may not be read.
    pub(crate) fn check_read(&self, first_row: usize, rows: usize) -> Result<(), FaultKind> {
        let is_busy = self.load.is_some_and(|load| load.overlaps(first_row, rows));
        if is_busy { Err(FaultKind::VpmRowInDma) } else { Ok(()) }
    }

    /// Returns an error if rows of the VPM may not be written.
    pub(crate) fn check_write(&self, first_row: usize, rows: usize) -> Result<(), FaultKind> {
        let is_busy = self.store.is_some_and(|store| store.overlaps(first_row, rows));
        if is_busy { Err(FaultKind::VpmRowInDma) } else { self.check_read(first_row, rows) }
    }

    /// Returns whether the QPU has DMA that it did not await.
    pub(crate) fn is_pending(&self, qpu: usize) -> bool {
        [self.load, self.store].into_iter().flatten().any(|transfer| transfer.qpu == qpu)
    }

    /// The cycle in which the QPU's DMA ends, if it has not ended. If it has, it counts as awaited.
    pub(crate) fn await_end(&mut self, direction: Direction, now: Moment) -> Option<u64> {
        let transfer = self.transfer(direction);
        let own = transfer.filter(|transfer| transfer.qpu == now.qpu)?;
        if own.end > now.cycle {
            return Some(own.end);
        }
        *transfer = None;
        None
    }
}

/// The layout of elements in the VPM.
#[derive(Debug, Clone, Copy)]
struct Layout {
    size: usize,
    is_laned: bool,
    is_horizontal: bool,
}

/// The position of the first element of a row: a word, and the byte or half of it.
#[derive(Debug, Clone, Copy)]
struct Origin {
    y: usize,
    x: usize,
    part: usize,
}

impl Layout {
    /// The index of the first byte of an element.
    fn position(self, origin: Origin, element: usize) -> Result<usize, FaultKind> {
        let byte = match self.is_laned {
            true => element * 4 + origin.part * self.size,
            false => (origin.part + element) * self.size,
        };
        let (y, byte) = match self.is_horizontal {
            true => (origin.y, origin.x * 4 + byte),
            false => (origin.y + byte / 4, origin.x * 4 + byte % 4),
        };
        if y < ROWS && origin.x < 16 && byte + self.size <= ROW_BYTES {
            Ok(y * ROW_BYTES + byte)
        } else {
            Err(FaultKind::VpmOutOfRange)
        }
    }
}

/// Bytes of an element and the part of the word that a mode selects.
fn decode_mode(mode: u32) -> Result<(usize, usize), FaultKind> {
    match mode {
        0 => Ok((4, 0)),
        2 | 3 => Ok((2, (mode & 1) as usize)),
        4..=7 => Ok((1, (mode & 3) as usize)),
        _ => Err(FaultKind::InvalidSetup),
    }
}

/// The setup of a store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoreSetup {
    rows: usize,
    length: usize,
    layout: Layout,
    origin: Origin,
}

impl StoreSetup {
    pub(crate) fn decode(word: u32) -> Result<StoreSetup, FaultKind> {
        let (size, part) = decode_mode(word & 7)?;
        let is_laned = word >> 15 & 1 != 0 && size < 4;
        Ok(StoreSetup {
            rows: zero_means(word >> 23 & 0x7F, 128),
            length: zero_means(word >> 16 & 0x7F, 128),
            layout: Layout { size, is_laned, is_horizontal: word >> 14 & 1 != 0 },
            origin: Origin { y: (word >> 7 & 0x7F) as usize, x: (word >> 3 & 0xF) as usize, part },
        })
    }
}

/// The setup of a load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadSetup {
    rows: usize,
    length: usize,
    layout: Layout,
    origin: Origin,
    /// The distance of rows in memory; if `None`, the pitch register has it.
    memory_pitch: Option<u32>,
    pitch: usize,
}

impl LoadSetup {
    pub(crate) fn decode(word: u32) -> Result<LoadSetup, FaultKind> {
        let (size, part) = decode_mode(word >> 28 & 7)?;
        let memory_pitch = word >> 24 & 0xF;
        Ok(LoadSetup {
            rows: zero_means(word >> 16 & 0xF, 16),
            length: zero_means(word >> 20 & 0xF, 16),
            layout: Layout { size, is_laned: false, is_horizontal: word >> 11 & 1 == 0 },
            origin: Origin { y: (word >> 4 & 0x7F) as usize, x: (word & 0xF) as usize, part },
            memory_pitch: (memory_pitch != 0).then(|| 8 << memory_pitch),
            pitch: zero_means(word >> 12 & 0xF, 16),
        })
    }

    fn origin_of(&self, row: usize) -> Origin {
        let parts = 4 / self.layout.size;
        let linear = self.origin.y * parts + self.origin.part + row * self.pitch;
        Origin { y: linear / parts, x: self.origin.x, part: linear % parts }
    }
}

impl Vpm {
    /// Stores a block to memory.
    pub(crate) fn store(&mut self, address: u32, bus: &mut Bus<'_>, now: Moment) -> Result<(), FaultKind> {
        self.dma.check_idle(Direction::Store)?;
        let StoreSetup { rows, length, layout, origin } = self.setups.store.ok_or(FaultKind::VpmWithoutSetup)?;
        let bytes = length * layout.size;
        let gap = match self.setups.store_stride {
            None if rows > 1 => return Err(FaultKind::VpmWithoutSetup),
            stride => stride.unwrap_or(0),
        };
        let mut row_address = address;
        let mut touched = Touched::default();
        for row in 0..rows {
            let origin = match layout.is_horizontal {
                true => Origin { y: origin.y + row, ..origin },
                false => Origin { x: origin.x + row, ..origin },
            };
            let place = find_row(bus, row_address, bytes, layout.size)?;
            bus.written.mark(place, bytes);
            let target = bus.memory.bytes_at_mut(place, bytes);
            for (element, target) in target.chunks_exact_mut(layout.size).enumerate() {
                let position = layout.position(origin, element)?;
                touched.add(position);
                target.copy_from_slice(&self.bytes[position..position + layout.size]);
            }
            row_address = row_address.wrapping_add(bytes as u32).wrapping_add(gap);
        }
        self.dma.check_read(touched.first_row, touched.rows())?;
        self.start(Direction::Store, touched, rows * bytes, now);
        Ok(())
    }

    /// Loads a block from memory.
    pub(crate) fn load(&mut self, address: u32, bus: &Bus<'_>, now: Moment) -> Result<(), FaultKind> {
        self.dma.check_idle(Direction::Load)?;
        let setup = self.setups.load.ok_or(FaultKind::VpmWithoutSetup)?;
        let LoadSetup { rows, length, layout, memory_pitch, .. } = setup;
        let pitch = match memory_pitch.or(self.setups.load_pitch) {
            None if rows > 1 => return Err(FaultKind::VpmWithoutSetup),
            pitch => pitch.unwrap_or(0),
        };
        let bytes = length * layout.size;
        let mut row_address = address;
        let mut touched = Touched::default();
        for row in 0..rows {
            let origin = setup.origin_of(row);
            let place = find_row(bus, row_address, bytes, layout.size)?;
            let source = bus.memory.bytes_at(place, bytes);
            for (element, source) in source.chunks_exact(layout.size).enumerate() {
                let position = layout.position(origin, element)?;
                touched.add(position);
                self.bytes[position..position + layout.size].copy_from_slice(source);
            }
            row_address = row_address.wrapping_add(pitch);
        }
        self.dma.check_write(touched.first_row, touched.rows())?;
        self.start(Direction::Load, touched, rows * bytes, now);
        Ok(())
    }

    fn start(&mut self, direction: Direction, touched: Touched, bytes: usize, now: Moment) {
        let end = now.cycle + DMA_LATENCY + (bytes as u64 / 4).div_ceil(DMA_WORDS_PER_CYCLE);
        let transfer = Transfer { qpu: now.qpu, end, first_row: touched.first_row, rows: touched.rows() };
        *self.dma.transfer(direction) = Some(transfer);
    }
}

fn find_row(bus: &Bus<'_>, address: u32, bytes: usize, size: usize) -> Result<crate::memory::Place, FaultKind> {
    if !address.is_multiple_of(size as u32) {
        return Err(FaultKind::MemoryMisaligned);
    }
    bus.memory.find(address, bytes).ok_or(FaultKind::MemoryOutOfBounds)
}

/// The rows of the VPM that DMA uses.
#[derive(Debug, Clone, Copy)]
struct Touched {
    first_row: usize,
    last_row: usize,
}

impl Default for Touched {
    fn default() -> Touched {
        Touched { first_row: usize::MAX, last_row: 0 }
    }
}

impl Touched {
    fn add(&mut self, position: usize) {
        self.first_row = self.first_row.min(position / ROW_BYTES);
        self.last_row = self.last_row.max(position / ROW_BYTES);
    }

    fn rows(&self) -> usize {
        self.last_row + 1 - self.first_row
    }
}
