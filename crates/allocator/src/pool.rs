//! A pool in front of another allocator.
//!
//! ```text
//! ┌────┬────┬────────┬────┬────────────┬┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┐
//! │ 64 │ 32 │  256   │ 32 │    1024    │  untouched    │     blocks stand where the one before ended, whatever their sizes
//! └────┴────┴────────┴────┴────────────┴┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘
//!        │      ╰ given back: the next block of its class, or two of 128, or of 64 and 128 …
//!        ╰ given back: the next block of 32
//! ```
//!
//! A process that compiles one shader runs for two milliseconds. It makes a few thousand lists of some hundred sizes, of which a quarter of
//! a mebibyte lives at once, and waits for the system at each page that it touches the first time, longer than to write it. An allocator
//! that is made for gigabytes and many threads lays every size on pages of its own. Here a free block is cut up for smaller ones before a
//! page is touched that was not yet, and the pool is part of the program: nothing is set up.
//!
//! The pool ends at [`SIZE`] bytes, and serves one thread, the first that asks; all else goes to the allocator behind it. So whatever is
//! bad about so simple a design is bad for no more than that: what was cut up is never one block again, and a block that another thread
//! gives back is lost. Constant time. (Bonwick 1994 and Berger, Zorn and McKinley 2001 build allocators in layers; lists of free blocks by
//! powers of two are those of Kingsley's allocator in 4.2BSD.)

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::lists::{Lists, Taken, class_of};
use crate::{LARGEST, LEAST, SIZE};

/// Serves blocks from a pool of its own as long as that suffices, and then asks another allocator.
///
/// ```
/// use std::alloc::System;
///
/// use reconverge_allocator::Pool;
///
/// #[global_allocator]
/// static ALLOCATOR: Pool<System> = Pool::before(System);
///
/// fn main() {
///     let mut list = vec![1, 2, 3];
///     list.push(4);
///     assert_eq!(list, [1, 2, 3, 4]);
/// }
/// ```
#[derive(Debug)]
pub struct Pool<A> {
    memory: UnsafeCell<Memory>,
    lists: UnsafeCell<Lists>,
    /// Which thread the pool serves, [`NOBODY`] until one asks.
    owner: AtomicUsize,
    behind: A,
}

/// Zeros, so that a program with a pool in it is no larger on disk.
#[derive(Debug)]
#[repr(C, align(4096))]
struct Memory([u8; SIZE]);

/// No thread.
const NOBODY: usize = 0;

thread_local! {
    /// Its address names the thread. What takes its place once the thread has ended may take the pool over: nobody else uses it.
    static HERE: u8 = const { 0 };
}

// SAFETY: `memory` and `lists` are used by the owner alone (`Pool::take`, `Pool::give_back`), but for blocks, each of which belongs to who asked for it.
unsafe impl<A: Sync> Sync for Pool<A> {}

impl<A> Pool<A> {
    /// Puts a pool in front of an allocator.
    pub const fn before(behind: A) -> Pool<A> {
        let memory = UnsafeCell::new(Memory([0; SIZE]));
        Pool { memory, lists: UnsafeCell::new(Lists::new()), owner: AtomicUsize::new(NOBODY), behind }
    }

    /// Whether the pool serves this thread; the first that asks becomes the owner.
    fn is_owner(&self) -> bool {
        let here = HERE.with(|here| ptr::from_ref(here).addr());
        let owner = self.owner.load(Ordering::Relaxed);
        owner == here || (owner == NOBODY && self.claim(here))
    }

    #[cold]
    fn claim(&self, here: usize) -> bool {
        self.owner.compare_exchange(NOBODY, here, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Where the pool begins.
    fn base(&self) -> *mut u8 {
        self.memory.get().cast()
    }

    /// How far into the pool a block begins, if it is one of the pool's.
    fn offset(&self, block: *mut u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.base().addr());
        (offset < SIZE).then_some(offset)
    }

    /// A block for a layout, if the pool has one.
    fn take(&self, layout: Layout) -> Option<(*mut u8, Taken)> {
        if layout.size() > LARGEST || layout.align() > LEAST || !self.is_owner() {
            return None;
        }
        // SAFETY: this is the owner, and the reference ends before anything else is called. Lists hold free blocks alone, so what they read
        // and write in the pool belongs to nobody.
        let taken = unsafe { (*self.lists.get()).take(self.base(), class_of(layout.size())) }?;
        // SAFETY: lists give offsets of whole blocks inside the pool.
        Some((unsafe { self.base().add(taken.offset()) }, taken))
    }

    /// Takes a block back that was given for a size. One that comes from another thread than the owner is lost.
    ///
    /// # Safety
    /// The block must be one of this pool, given for this size, and nobody may use it any more.
    unsafe fn give_back(&self, offset: usize, size: usize) {
        if self.is_owner() {
            // SAFETY: as in `take`; and the block belongs to nobody from here on.
            unsafe { (*self.lists.get()).give_back(self.base(), offset, class_of(size)) };
        }
    }
}

// SAFETY: blocks come from the pool, where no two that are in use share a byte, each is as large as its class and aligned to `LEAST`; or
// from the allocator behind, to which they go back with the same layout. Which of the two it was, the address tells. Nothing here panics,
// and nothing allocates where the linker lays out what belongs to a thread: the mark is constant and has nothing to drop.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Pool<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            Some((block, _)) => block,
            // SAFETY: handed on.
            None => unsafe { self.behind.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            Some((block, Taken::Untouched(_))) => block,
            Some((block, Taken::Used(_))) => {
                // SAFETY: the block is at least as large as the layout, and nobody else's.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            // SAFETY: handed on.
            None => unsafe { self.behind.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.offset(block) {
            // SAFETY: it lies in the pool, so it was given for this layout from there.
            Some(offset) => unsafe { self.give_back(offset, layout.size()) },
            // SAFETY: what does not lie in the pool came from behind it, for this layout.
            None => unsafe { self.behind.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if self.offset(block).is_none() {
            // SAFETY: as in `dealloc`.
            return unsafe { self.behind.realloc(block, layout, new_size) };
        }
        if class_of(new_size) == class_of(layout.size()) {
            return block;
        }
        // SAFETY: the caller sees to it that a layout can have the new size, which is not zero. The old block is as large as the old size,
        // the new one as the new size, and they are two.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests;
