//! Memory for the buffers of a launch, with nothing around it.
//!
//! ```text
//! no access, 96 GiB | … 0 0 | buffer | no access, 96 GiB | … 0 0 | buffer | no access, 96 GiB      a buffer ends where a page ends
//! ```
//!
//! All of it is one map, and no other memory of the process is in it. An access that begins at most [`REACH`] from a buffer is in the map: it
//! reaches memory of a buffer, or is a fault. So an index of 32 bits, times the size of an element of up to 16 bytes, leads to no other
//! memory. What may lead farther is tested in guarded code ([`crate::select::Bounds`]): an address that is [`Near`] the buffers is in the
//! map, also with an index of 32 bits, a scale of 8 and a displacement of 32 bits added to it.
//!
//! ```text
//! space = 96 GiB  ≥  32 GiB (near) + 16 GiB (index) + 2 GiB (displacement) + 8 GiB (a narrow gather, whose index may wrap)
//! space = 96 GiB  ≥  64 GiB (reach) + 8 GiB
//! ```
//!
//! If the system gives less address space, there is less around buffers: enough to report most faults, not enough for guarded code. A
//! buffer is aligned as its size is, up to 128 bytes, the size of the largest OpenCL type.
#![expect(unsafe_code, reason = "pages are mapped by the system")]

use std::io;

/// The space on each side of a buffer.
const SPACE: usize = 96 << 30;

/// The largest distance from the beginning of a buffer of the bytes that guarded code accesses without a test.
pub(crate) const REACH: i128 = 64 << 30;

/// The largest distance from the buffers of an address that is near them.
const NEAR: u64 = 32 << 30;

/// The memory of buffers.
#[derive(Debug)]
pub struct Arena {
    pages: Pages,
    buffers: Vec<Place>,
}

/// The place of a buffer in the pages.
#[derive(Debug)]
struct Place {
    start: usize,
    count: usize,
}

/// A buffer of an arena, and how far from it an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nearby {
    /// The number of the buffer.
    pub buffer: usize,
    /// The address, as an offset in bytes from the beginning of the buffer.
    pub offset: i64,
}

/// The addresses that are near the buffers of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Near {
    /// The first one.
    pub(crate) first: u64,
    /// The number of them.
    pub(crate) count: u64,
}

impl Arena {
    /// Copies buffers.
    ///
    /// # Errors
    /// The system has no memory for them.
    pub fn new<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> io::Result<Arena> {
        let contents: Vec<&[u8]> = contents.into_iter().collect();
        let counts: Vec<usize> = contents.iter().map(|bytes| bytes.len()).collect();
        let (pages, buffers) = Pages::new(&counts)?;
        let mut arena = Arena { pages, buffers };
        for (buffer, bytes) in contents.into_iter().enumerate() {
            arena.bytes_mut(buffer).copy_from_slice(bytes);
        }
        Ok(arena)
    }

    /// Returns whether there is enough space around the buffers for guarded code.
    pub fn is_guarded(&self) -> bool {
        self.pages.space() == SPACE
    }

    /// Returns whether an arena with that number of buffers is guarded. Reserves the address space, and releases it.
    pub fn can_guard(buffers: usize) -> bool {
        Pages::new(&vec![1; buffers]).is_ok_and(|(pages, _)| pages.space() == SPACE)
    }

    /// The address of a buffer.
    pub fn address(&self, buffer: usize) -> u64 {
        self.pages.address() + self.buffers[buffer].start as u64
    }

    /// The bytes of a buffer.
    pub fn bytes(&self, buffer: usize) -> &[u8] {
        let Place { start, count } = self.buffers[buffer];
        self.pages.bytes(start, count)
    }

    /// The bytes of a buffer, to change them.
    pub fn bytes_mut(&mut self, buffer: usize) -> &mut [u8] {
        let Place { start, count } = self.buffers[buffer];
        self.pages.bytes_mut(start, count)
    }

    /// The number of buffers.
    pub fn count(&self) -> usize {
        self.buffers.len()
    }

    /// The buffer that is closest to an address in the map.
    pub fn nearby(&self, address: u64) -> Option<Nearby> {
        let offset_from = |buffer: usize| address.wrapping_sub(self.address(buffer)).cast_signed();
        let distance = |&buffer: &usize| match offset_from(buffer) {
            before if before < 0 => before.unsigned_abs(),
            offset => offset.unsigned_abs().saturating_sub(self.buffers[buffer].count as u64),
        };
        let buffer = (0..self.buffers.len()).min_by_key(distance).filter(|_| self.pages.has(address))?;
        Some(Nearby { buffer, offset: offset_from(buffer) })
    }

    /// Returns whether an address is that of a byte of a buffer, or the one after its last byte.
    pub(crate) fn has(&self, address: u64) -> bool {
        let has = |buffer| address.wrapping_sub(self.address(buffer)) <= self.buffers[buffer].count as u64;
        (0..self.buffers.len()).any(has)
    }

    /// The addresses that guarded code takes for near; none if the arena is not guarded.
    pub(crate) fn near(&self) -> Near {
        match (self.is_guarded(), self.buffers.len().checked_sub(1)) {
            (true, Some(last)) => {
                let first = self.address(0) - NEAR;
                Near { first, count: self.address(last) + self.buffers[last].count as u64 + NEAR - first }
            }
            _ => Near::default(),
        }
    }
}

#[cfg(target_os = "linux")]
mod pages {
    use std::{io, ptr, slice};

    use super::{Place, SPACE};

    /// The size of a page, or of several.
    const PAGE: usize = 1 << 12;

    /// The pages of all buffers, and those around them.
    #[derive(Debug)]
    pub(super) struct Pages {
        map: *mut u8,
        length: usize,
        space: usize,
    }

    impl Pages {
        /// Pages for buffers of these sizes, and the places of the buffers in them.
        pub(super) fn new(counts: &[usize]) -> io::Result<(Pages, Vec<Place>)> {
            let used = |count: usize| count.max(1).checked_next_multiple_of(PAGE);
            let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
            let mut space = SPACE;
            let pages = loop {
                let length =
                    counts.iter().try_fold(space, |sum, &count| sum.checked_add(used(count)?)?.checked_add(space));
                match length.ok_or_else(no_memory).and_then(|length| Pages::map(length, space)) {
                    Err(_) if space > PAGE => space /= 2,
                    pages => break pages?,
                }
            };
            let mut places = Vec::new();
            let mut next = space;
            for &count in counts {
                let used = used(count).ok_or_else(no_memory)?;
                // SAFETY: the pages are in the map; nothing refers to them yet.
                let result =
                    unsafe { libc::mprotect(pages.map.add(next).cast(), used, libc::PROT_READ | libc::PROT_WRITE) };
                if result != 0 {
                    return Err(io::Error::last_os_error());
                }
                places.push(Place { start: next + used - count, count });
                next += used + space;
            }
            Ok((pages, places))
        }

        fn map(length: usize, space: usize) -> io::Result<Pages> {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            // SAFETY: a new map at a place that the system chooses takes nothing from anyone.
            match unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0) } {
                libc::MAP_FAILED => Err(io::Error::last_os_error()),
                map => Ok(Pages { map: map.cast(), length, space }),
            }
        }

        pub(super) fn space(&self) -> usize {
            self.space
        }

        pub(super) fn address(&self) -> u64 {
            self.map as u64
        }

        pub(super) fn has(&self, address: u64) -> bool {
            address.wrapping_sub(self.map as u64) < self.length as u64
        }

        /// Bytes of a place of [`Pages::new`].
        pub(super) fn bytes(&self, start: usize, count: usize) -> &[u8] {
            assert!(start + count <= self.length, "invariant: a place is in the map");
            // SAFETY: that number of bytes can be read there as long as the map exists.
            unsafe { slice::from_raw_parts(self.map.add(start), count) }
        }

        /// Bytes of a place of [`Pages::new`], to change them.
        pub(super) fn bytes_mut(&mut self, start: usize, count: usize) -> &mut [u8] {
            assert!(start + count <= self.length, "invariant: a place is in the map");
            // SAFETY: as above, and written, by the only one who has them.
            unsafe { slice::from_raw_parts_mut(self.map.add(start), count) }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: the map is this one's, and nothing refers to it any more.
            unsafe { libc::munmap(self.map.cast(), self.length) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod pages {
    use std::io;

    use super::Place;

    /// The size of the largest OpenCL type.
    const ALIGNMENT: usize = 128;

    /// The memory of all buffers, without space around it.
    #[derive(Debug)]
    pub(super) struct Pages {
        memory: Vec<u8>,
    }

    impl Pages {
        /// Memory for buffers of these sizes, and the places of the buffers in it.
        pub(super) fn new(counts: &[usize]) -> io::Result<(Pages, Vec<Place>)> {
            let length = counts.iter().fold(ALIGNMENT, |sum, &count| (sum + count).next_multiple_of(ALIGNMENT));
            let memory = vec![0; length];
            let skipped = memory.as_ptr().align_offset(ALIGNMENT);
            let mut next = 0_usize;
            let place = |&count: &usize| {
                let start = skipped + next;
                next = (next + count).next_multiple_of(ALIGNMENT);
                Place { start, count }
            };
            let places = counts.iter().map(place).collect();
            Ok((Pages { memory }, places))
        }

        pub(super) fn space(&self) -> usize {
            0
        }

        pub(super) fn address(&self) -> u64 {
            self.memory.as_ptr() as u64
        }

        pub(super) fn has(&self, address: u64) -> bool {
            address.wrapping_sub(self.address()) < self.memory.len() as u64
        }

        pub(super) fn bytes(&self, start: usize, count: usize) -> &[u8] {
            &self.memory[start..start + count]
        }

        pub(super) fn bytes_mut(&mut self, start: usize, count: usize) -> &mut [u8] {
            &mut self.memory[start..start + count]
        }
    }
}

use pages::Pages;
