//! Few sizes for another allocator.
//!
//! ```text
//! asked for   5   24   40   96   100   …        lists of so many words, of so many pairs, of so many records
//! asks for   32   32   64  128   128   …        a power of two
//! ```
//!
//! Allocators keep blocks of one size side by side, in memory of that size class alone, and begin each class on pages of its own. A process
//! that runs for two milliseconds makes a few thousand lists of some hundred different sizes, spread over as many pages, and waits for the
//! system at each of them the first time. Sizes that are powers of two share those pages; and a list that grows often stays where it is.
//! Blocks of more than [`LEAST`](crate::LEAST) bytes are less than twice as large as they have to be, and those above [`LIMIT`] as large as
//! they were asked for: a few of them fill their pages anyway.

use std::alloc::{GlobalAlloc, Layout};

use crate::LIMIT;
use crate::lists::{class_of, class_size};

/// Asks another allocator for the sizes of few classes: powers of two, from [`LEAST`](crate::LEAST) to [`LIMIT`].
///
/// ```
/// use std::alloc::System;
///
/// use reconverge_allocator::SizeClasses;
///
/// #[global_allocator]
/// static ALLOCATOR: SizeClasses<System> = SizeClasses::over(System);
///
/// fn main() {
///     let mut list = vec![1, 2, 3];
///     list.push(4);
///     assert_eq!(list, [1, 2, 3, 4]);
/// }
/// ```
#[derive(Debug)]
pub struct SizeClasses<A>(A);

impl<A> SizeClasses<A> {
    /// Puts size classes in front of an allocator.
    pub const fn over(allocator: A) -> SizeClasses<A> {
        SizeClasses(allocator)
    }
}

/// The size of the class that a size belongs to, in bytes.
const fn class(size: usize) -> usize {
    if size > LIMIT { size } else { class_size(class_of(size)) }
}

/// The layout that is asked for in place of another: at least as large, and as much aligned. Layouts that are equal have equal ones.
fn widened(layout: Layout) -> Layout {
    Layout::from_size_align(class(layout.size()), layout.align()).unwrap_or(layout)
}

// SAFETY: what is handed out comes from the other allocator, for a layout that is at least as large and as much aligned as the one that was
// asked for; and the same layout goes back with it, since `widened` depends on nothing but what it is given. Nothing here panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for SizeClasses<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: a layout that is not empty is not empty when it is widened.
        unsafe { self.0.alloc(widened(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: a layout that is not empty is not empty when it is widened.
        unsafe { self.0.alloc_zeroed(widened(layout)) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the block was asked for with this layout, so the other allocator gave it for the widened one.
        unsafe { self.0.dealloc(pointer, widened(layout)) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let old = widened(layout);
        let new = Layout::from_size_align(new_size, layout.align()).map_or(new_size, |layout| widened(layout).size());
        if old.size() == new {
            return pointer;
        }
        // SAFETY: the block was given for the widened layout. The new size is not zero, and a layout can have it, as it can have the one
        // that was asked for.
        unsafe { self.0.realloc(pointer, old, new) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::LEAST;
    use crate::ledger::{Ledger, layout};

    #[test]
    fn there_are_few_classes_and_above_the_least_none_is_twice_as_large() {
        let classes: BTreeSet<usize> = (1..=LIMIT).map(class).collect();
        assert_eq!(classes.len(), 12);
        for size in 1..=2 * LIMIT {
            assert!(class(size) >= size);
            assert!(class(size) < 2 * size.max(LEAST));
            assert_eq!(class(class(size)), class(size));
        }
        assert_eq!((class(LIMIT), class(LIMIT + 1)), (LIMIT, LIMIT + 1));
    }

    #[test]
    fn what_was_given_goes_back_with_the_same_layout() {
        let allocator = SizeClasses::over(Ledger::new());
        for (size, align) in [(1, 1), (24, 8), (33, 1), (40, 16), (100, 128), (4096, 4096), (LIMIT, 8), (LIMIT + 1, 8)]
        {
            // SAFETY: the layout is not empty, and the block goes back with it.
            unsafe {
                let pointer = allocator.alloc(layout(size, align));
                assert_eq!(pointer.addr() % align, 0);
                pointer.write_bytes(7, size);
                allocator.dealloc(pointer, layout(size, align));
            }
        }
        assert_eq!(allocator.0.count(), 0);
    }

    #[test]
    fn a_block_that_grows_keeps_what_it_holds() {
        let allocator = SizeClasses::over(Ledger::new());
        // SAFETY: sizes are not zero, and each block is used for its own size and given back with its own layout.
        unsafe {
            let mut pointer = allocator.alloc_zeroed(layout(1, 8));
            for size in 1..3 * LIMIT {
                assert_eq!(*pointer.add(size - 1), if size == 1 { 0 } else { size as u8 });
                let grown = allocator.realloc(pointer, layout(size, 8), size + 1);
                assert!(class(size) != class(size + 1) || grown == pointer);
                pointer = grown;
                *pointer.add(size) = (size + 1) as u8;
            }
            assert!((1..3 * LIMIT).all(|at| *pointer.add(at) == (at + 1) as u8));
            let shrunk = allocator.realloc(pointer, layout(3 * LIMIT, 8), 10);
            assert_eq!(*shrunk.add(9), 10);
            allocator.dealloc(shrunk, layout(10, 8));
        }
    }
}
