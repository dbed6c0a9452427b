//! The memory that a launch may access, as checked and guarded code reads it.

use crate::Arena;
use crate::arena::Near;
use crate::call_memory::ranges;

/// Bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryRange {
    /// The address of the first one.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// True if they may be written.
    pub is_writable: bool,
}

/// The ranges of a launch.
#[derive(Debug)]
pub struct Ranges {
    words: Box<[u64]>,
    near: Near,
}

impl Ranges {
    /// The table of the buffers of an arena.
    pub fn of_arena(arena: &Arena) -> Ranges {
        let buffer = |buffer| MemoryRange {
            address: arena.address(buffer),
            bytes: arena.bytes(buffer).len() as u64,
            is_writable: true,
        };
        let buffers: Vec<MemoryRange> = (0..arena.count()).map(buffer).collect();
        Ranges { near: arena.near(), ..Ranges::new(&buffers) }
    }

    /// The table of ranges.
    pub fn new(given: &[MemoryRange]) -> Ranges {
        // One that nothing is in, so that there is a first one to look at.
        let none = MemoryRange { address: 0, bytes: 0, is_writable: true };
        let all = std::iter::once(&none).chain(given);
        let (to_write, to_read): (Vec<&MemoryRange>, Vec<&MemoryRange>) = all.partition(|range| range.is_writable);
        let mut words = vec![0; 2];
        let writes = to_write.len();
        for range in to_write.into_iter().chain(to_read) {
            words.push(range.address);
            words.extend([1, 2, 4, 8].map(|bytes: u64| (range.bytes + 1).saturating_sub(bytes)));
        }
        let mut words = words.into_boxed_slice();
        let start = words.as_ptr() as u64 + ranges::FIRST as u64;
        let behind = |count: usize| start + ranges::SIZE as u64 * count as u64;
        (words[0], words[1]) = (behind(writes), behind(1 + given.len()));
        Ranges { words, near: Near::default() }
    }

    pub(crate) fn address(&self) -> u64 {
        self.words.as_ptr() as u64
    }

    /// The addresses that guarded code takes for near.
    pub(crate) fn near(&self) -> Near {
        self.near
    }
}
