//! The memory of the device: regions of bytes with gaps between them.

use std::fmt;

/// The number of bytes of a cache line.
pub const LINE_BYTES: u32 = 64;

/// The memory of the device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Sorted by address, without overlaps.
    regions: Vec<Region>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Region {
    address: u32,
    bytes: Vec<u8>,
}

/// The position of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) region: usize,
    pub(crate) offset: usize,
}

/// The reason why a region cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryError {
    /// The region overlaps another one.
    Overlap,
    /// The region ends after the last address of 32 bits.
    BeyondAddressSpace,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            MemoryError::Overlap => "the region overlaps another one",
            MemoryError::BeyondAddressSpace => "the region leaves the address space",
        })
    }
}

impl std::error::Error for MemoryError {}

impl Memory {
    /// Memory without a region.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds a region that begins at `address`. An access has to lie in one region, even where two touch.
    pub fn add(&mut self, address: u32, bytes: Vec<u8>) -> Result<(), MemoryError> {
        let end = u64::from(address) + bytes.len() as u64;
        if end > 1 << 32 {
            return Err(MemoryError::BeyondAddressSpace);
        }
        let index = self.regions.partition_point(|region| region.address <= address);
        let overlaps_previous =
            index.checked_sub(1).is_some_and(|previous| self.regions[previous].end() > address.into());
        let overlaps_next = self.regions.get(index).is_some_and(|next| end > next.address.into());
        if overlaps_previous || overlaps_next {
            return Err(MemoryError::Overlap);
        }
        self.regions.insert(index, Region { address, bytes });
        Ok(())
    }

    /// The bytes from `address` to the end of its region.
    pub fn bytes(&self, address: u32) -> Option<&[u8]> {
        let place = self.find(address, 0)?;
        Some(&self.regions[place.region].bytes[place.offset..])
    }

    /// The little-endian word at `address`.
    pub fn word(&self, address: u32) -> Option<u32> {
        let place = self.find(address, 4)?;
        Some(self.word_at(place))
    }

    pub(crate) fn find(&self, address: u32, length: usize) -> Option<Place> {
        let region = self.regions.partition_point(|region| region.address <= address).checked_sub(1)?;
        let offset = (address - self.regions[region].address) as usize;
        (offset + length <= self.regions[region].bytes.len()).then_some(Place { region, offset })
    }

    pub(crate) fn word_at(&self, place: Place) -> u32 {
        let bytes = &self.regions[place.region].bytes[place.offset..place.offset + 4];
        u32::from_le_bytes(bytes.try_into().expect("invariant: four bytes"))
    }

    pub(crate) fn bytes_at(&self, place: Place, length: usize) -> &[u8] {
        &self.regions[place.region].bytes[place.offset..place.offset + length]
    }

    pub(crate) fn bytes_at_mut(&mut self, place: Place, length: usize) -> &mut [u8] {
        &mut self.regions[place.region].bytes[place.offset..place.offset + length]
    }
}

impl Region {
    fn end(&self) -> u64 {
        u64::from(self.address) + self.bytes.len() as u64
    }
}

/// The lines of memory that DMA has written since the launch began: one bit for each line, for each region.
#[derive(Debug)]
pub(crate) struct WrittenLines {
    regions: Vec<LinesOfRegion>,
}

#[derive(Debug)]
struct LinesOfRegion {
    /// The offset of the region's start in its first line.
    shift: usize,
    bits: Vec<u64>,
}

impl WrittenLines {
    pub(crate) fn new(memory: &Memory) -> WrittenLines {
        let lines_of = |region: &Region| {
            let shift = (region.address % LINE_BYTES) as usize;
            let lines = (shift + region.bytes.len()).div_ceil(LINE_BYTES as usize);
            LinesOfRegion { shift, bits: vec![0; lines.div_ceil(64)] }
        };
        WrittenLines { regions: memory.regions.iter().map(lines_of).collect() }
    }

    /// Marks the lines of `length` bytes; `length` is not 0.
    pub(crate) fn mark(&mut self, place: Place, length: usize) {
        let region = &mut self.regions[place.region];
        let first = (region.shift + place.offset) / LINE_BYTES as usize;
        let last = (region.shift + place.offset + length - 1) / LINE_BYTES as usize;
        for line in first..=last {
            region.bits[line / 64] |= 1 << (line % 64);
        }
    }

    pub(crate) fn contains(&self, place: Place) -> bool {
        let region = &self.regions[place.region];
        let line = (region.shift + place.offset) / LINE_BYTES as usize;
        region.bits[line / 64] >> (line % 64) & 1 != 0
    }
}
