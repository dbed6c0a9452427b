//! The system's allocator, which for tests keeps account of what it gave.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The layout of each block that it gave.
#[derive(Debug)]
pub(crate) struct Ledger(Mutex<BTreeMap<usize, Layout>>);

impl Ledger {
    pub(crate) const fn new() -> Ledger {
        Ledger(Mutex::new(BTreeMap::new()))
    }

    /// How many blocks are out.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().expect("no test panics here").len()
    }
}

// SAFETY: what is asked for is handed on to the system's allocator; `realloc` and `alloc_zeroed` are those of the trait, which rest on
// the two here. A wrong layout ends the test by a panic that nothing catches.
unsafe impl GlobalAlloc for Ledger {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: handed on.
        let block = unsafe { System.alloc(layout) };
        self.0.lock().expect("no test panics here").insert(block.addr(), layout);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        assert_eq!(self.0.lock().expect("no test panics here").remove(&block.addr()), Some(layout));
        // SAFETY: handed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// A layout of a test.
pub(crate) fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).expect("it is small")
}
