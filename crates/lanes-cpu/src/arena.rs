//! Memory for the buffers of a launch, with nothing around it.
//!
//! ```text
//! no access, 32 GiB | … 0 0 | buffer | no access, 32 GiB         a buffer ends where a page ends
//! ```
//!
//! An index of 32 bits, times the size of an element of up to 16 bytes, does not lead from one buffer past the space around it. So an access
//! out of bounds is a fault, unless it is to the rest of the first page; that memory is of no other use. Where the system gives less address
//! space, the space around buffers is smaller.
//!
//! A buffer is aligned as its size is, up to 128 bytes, the size of the largest OpenCL type.
#![expect(unsafe_code, reason = "pages are mapped by the system")]

use std::io;

/// The space on each side of a buffer.
const SPACE: usize = 1 << 35;

/// The memory of buffers.
#[derive(Debug)]
pub struct Arena {
    buffers: Vec<Pages>,
}

/// A buffer of an arena, and how far from it an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nearby {
    /// The number of the buffer.
    pub buffer: usize,
    /// The address, as an offset in bytes from the beginning of the buffer.
    pub offset: i64,
}

impl Arena {
    /// Copies buffers.
    ///
    /// # Errors
    /// The system has no memory for them.
    pub fn new<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> io::Result<Arena> {
        let buffers = contents.into_iter().map(|bytes| {
            let mut pages = Pages::new(bytes.len())?;
            pages.bytes_mut().copy_from_slice(bytes);
            Ok(pages)
        });
        Ok(Arena { buffers: buffers.collect::<io::Result<_>>()? })
    }

    /// The address of a buffer.
    pub fn address(&self, buffer: usize) -> u64 {
        self.buffers[buffer].start as u64
    }

    /// The bytes of a buffer.
    pub fn bytes(&self, buffer: usize) -> &[u8] {
        self.buffers[buffer].bytes()
    }

    /// The bytes of a buffer, to change them.
    pub fn bytes_mut(&mut self, buffer: usize) -> &mut [u8] {
        self.buffers[buffer].bytes_mut()
    }

    /// The buffer with the address in it or in the space around it.
    pub fn nearby(&self, address: u64) -> Option<Nearby> {
        let buffer = self.buffers.iter().position(|pages| pages.is_around(address))?;
        Some(Nearby { buffer, offset: address.wrapping_sub(self.address(buffer)).cast_signed() })
    }
}

#[cfg(target_os = "linux")]
mod pages {
    use std::{io, ptr, slice};

    use super::SPACE;

    /// The size of a page, or of several.
    const PAGE: usize = 1 << 12;

    /// Pages of one buffer, and those around it.
    #[derive(Debug)]
    pub(super) struct Pages {
        map: *mut u8,
        length: usize,
        pub(super) start: *mut u8,
        count: usize,
    }

    impl Pages {
        pub(super) fn new(count: usize) -> io::Result<Pages> {
            let used = count.max(1).next_multiple_of(PAGE);
            let mut space = SPACE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let (map, length) = loop {
                let length = used + 2 * space;
                // SAFETY: a new map at a place that the system chooses takes nothing from anyone.
                let map = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0) };
                match map {
                    libc::MAP_FAILED if space > PAGE => space /= 2,
                    libc::MAP_FAILED => return Err(io::Error::last_os_error()),
                    map => break (map.cast::<u8>(), length),
                }
            };
            // SAFETY: the pages are in the map.
            let (pages, start) = unsafe { (map.add(space), map.add(space + used - count)) };
            // SAFETY: as above; nothing refers to them yet.
            let result = unsafe { libc::mprotect(pages.cast(), used, libc::PROT_READ | libc::PROT_WRITE) };
            let pages = Pages { map, length, start, count };
            if result == 0 { Ok(pages) } else { Err(io::Error::last_os_error()) }
        }

        pub(super) fn bytes(&self) -> &[u8] {
            // SAFETY: so many bytes can be read there as long as the map exists.
            unsafe { slice::from_raw_parts(self.start, self.count) }
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above, and written, by the only one who has them.
            unsafe { slice::from_raw_parts_mut(self.start, self.count) }
        }

        pub(super) fn is_around(&self, address: u64) -> bool {
            address.wrapping_sub(self.map as u64) < self.length as u64
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

    /// The size of the largest OpenCL type.
    const ALIGNMENT: usize = 128;

    /// Memory of one buffer, without space around it.
    #[derive(Debug)]
    pub(super) struct Pages {
        memory: Vec<u8>,
        pub(super) start: *mut u8,
        count: usize,
    }

    impl Pages {
        pub(super) fn new(count: usize) -> io::Result<Pages> {
            let mut memory = vec![0; count + ALIGNMENT];
            let skipped = memory.as_ptr().align_offset(ALIGNMENT);
            let start = memory[skipped..].as_mut_ptr();
            Ok(Pages { memory, start, count })
        }

        fn first(&self) -> usize {
            self.start as usize - self.memory.as_ptr() as usize
        }

        pub(super) fn bytes(&self) -> &[u8] {
            let first = self.first();
            &self.memory[first..first + self.count]
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            let first = self.first();
            &mut self.memory[first..first + self.count]
        }

        pub(super) fn is_around(&self, address: u64) -> bool {
            address.wrapping_sub(self.start as u64) <= self.count as u64
        }
    }
}

use pages::Pages;
