//! Blocks keep what they hold, share no byte, and go back to where they came from.

use std::slice;

use super::*;
use crate::ledger::{Ledger, layout};
use crate::lists::class_size;

/// Takes a block of a size.
fn take(pool: &Pool<Ledger>, size: usize) -> *mut u8 {
    // SAFETY: no size here is zero.
    let block = unsafe { pool.alloc(layout(size, 8)) };
    assert!(!block.is_null());
    block
}

/// Gives a block back that was taken for a size.
fn give_back(pool: &Pool<Ledger>, block: *mut u8, size: usize) {
    // SAFETY: each test does so once with each block.
    unsafe { pool.dealloc(block, layout(size, 8)) }
}

#[test]
fn there_are_few_classes_and_above_the_least_none_is_twice_as_large() {
    for size in (1..=LARGEST).step_by(if cfg!(miri) { 97 } else { 1 }) {
        let class = class_size(class_of(size));
        assert!(class >= size && class < 2 * size.max(LEAST), "{size}");
        assert_eq!(class_of(class), class_of(size));
    }
    assert_eq!((class_of(1), class_of(LARGEST)), (0, 13));
    assert_ne!(class_of(LARGEST), class_of(LARGEST + 1));
}

/// A block that is in use, and the byte that it is full of.
struct Used {
    block: *mut u8,
    layout: Layout,
    full_of: u8,
}

impl Used {
    fn new(block: *mut u8, layout: Layout, full_of: u8) -> Used {
        assert!(!block.is_null() && block.addr().is_multiple_of(layout.align()));
        // SAFETY: the block is as large as its layout.
        unsafe { block.write_bytes(full_of, layout.size()) };
        Used { block, layout, full_of }
    }

    fn holds(&self, size: usize) -> bool {
        // SAFETY: the block was filled, and is at least this large.
        unsafe { slice::from_raw_parts(self.block, size) }.iter().all(|&byte| byte == self.full_of)
    }
}

/// How many steps, and bits of a size; few where an interpreter looks for undefined behaviour.
const STEPS: (usize, usize) = if cfg!(miri) { (400, 10) } else { (60_000, 19) };

#[test]
fn blocks_keep_what_they_hold_until_they_go_back() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut used: Vec<Used> = Vec::new();
    let mut pooled = 0;
    for step in 0..STEPS.0 {
        let bits = below(STEPS.1);
        let asked = layout(1 + below(1 << bits), 1 << below(7));
        // Near a hundred blocks, half a mebibyte: sometimes the pool suffices, and sometimes not.
        let (what, any) = (below(8), below(used.len().max(1)));
        // SAFETY: sizes are not zero, layouts those of the blocks, and what went back is used no more.
        unsafe {
            if used.len() < 20 || (what < 4 && used.len() < 200) {
                let block = if what % 2 == 0 { pool.alloc(asked) } else { pool.alloc_zeroed(asked) };
                assert!(what % 2 == 0 || slice::from_raw_parts(block, asked.size()).iter().all(|&byte| byte == 0));
                used.push(Used::new(block, asked, step as u8));
            } else if what < 6 {
                let Used { block, layout: old, full_of } = used.swap_remove(any);
                let new = layout(asked.size(), old.align());
                let moved = Used { block: pool.realloc(block, old, new.size()), layout: new, full_of };
                assert!(moved.holds(old.size().min(new.size())));
                used.push(Used::new(moved.block, new, step as u8));
            } else {
                let gone = used.swap_remove(any);
                assert!(gone.holds(gone.layout.size()));
                pool.dealloc(gone.block, gone.layout);
            }
        }
        pooled += used.last().map_or(0, |last| usize::from(pool.offset(last.block).is_some()));
    }
    let both = pooled > STEPS.0 / 10 && pool.behind.count() > 1;
    assert!(both, "{pooled} in the pool, {} behind", pool.behind.count());
    for Used { block, layout, .. } in used {
        // SAFETY: as above.
        unsafe { pool.dealloc(block, layout) };
    }
    assert_eq!(pool.behind.count(), 0);
}

#[test]
fn a_free_block_is_cut_up_before_more_is_touched() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let (large, wall) = (take(pool, 1024), take(pool, 32));
    give_back(pool, large, 1024);
    let sizes = [32, 100, 60, 512, 250, 32];
    let parts = sizes.map(|size| take(pool, size));
    for (part, size) in parts.iter().zip(sizes) {
        assert!(*part >= large && part.addr() + size <= wall.addr());
    }
    assert_eq!(take(pool, 32).addr(), wall.addr() + 32, "nothing is left of it");
}

#[test]
fn the_smallest_block_that_is_large_enough_is_cut_up() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let sizes = [4096, 128, 1024];
    let free = sizes.map(|size| take(pool, size));
    free.iter().zip(sizes).for_each(|(&block, size)| give_back(pool, block, size));
    assert_eq!([64, 64, 64].map(|_| take(pool, 64)), [free[1], free[1].wrapping_add(64), free[2]]);
}

#[test]
fn a_block_that_grows_inside_its_class_stays() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let block = take(pool, 33);
    // SAFETY: the sizes are those of the block.
    let (grown, moved) = unsafe {
        let grown = pool.realloc(block, layout(33, 8), 64);
        (grown, pool.realloc(grown, layout(64, 8), 65))
    };
    assert!(grown == block && moved != block);
    assert_eq!(take(pool, 40), block, "what it left is free");
    // SAFETY: as above.
    let shrunk = unsafe { pool.realloc(moved, layout(65, 8), 64) };
    assert_eq!((take(pool, 100), shrunk == moved), (moved, false), "so is what was too large");
}

#[test]
fn what_the_pool_has_no_room_for_comes_from_behind() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let blocks: Vec<*mut u8> = (0..SIZE / LARGEST).map(|_| take(pool, LARGEST)).collect();
    assert_eq!(pool.behind.count(), 0);
    let behind = take(pool, 1);
    assert_eq!(pool.behind.count(), 1);
    give_back(pool, blocks[1], LARGEST);
    assert_eq!(take(pool, LARGEST / 2 + 1), blocks[1]);
    give_back(pool, behind, 1);
    assert_eq!(pool.behind.count(), 0);
    give_back(pool, blocks[0], LARGEST);
    let (large, aligned) = (layout(LARGEST + 1, 8), layout(8, 2 * LEAST));
    // SAFETY: the layouts are not empty, and each block goes back with its own.
    unsafe {
        let blocks = (pool.alloc(large), pool.alloc(aligned));
        assert_eq!(pool.behind.count(), 2);
        pool.dealloc(blocks.0, large);
        pool.dealloc(blocks.1, aligned);
    }
}

#[test]
fn what_is_too_large_for_the_rest_of_the_pool_leaves_it_to_others() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    (0..3).for_each(|_| _ = take(pool, LARGEST));
    take(pool, LARGEST / 2);
    let large = take(pool, LARGEST);
    // All of the rest, up to its last byte.
    let rest: Vec<*mut u8> = (0..LARGEST / 2 / LEAST).map(|_| take(pool, LEAST)).collect();
    assert_eq!((pool.offset(large), pool.behind.count()), (None, 1));
    let last = rest[rest.len() - 1];
    assert_eq!((pool.offset(last), pool.offset(last.wrapping_add(LEAST))), (Some(SIZE - LEAST), None));
    give_back(pool, last, LEAST);
    assert_eq!(take(pool, 1), last);
    let small = take(pool, 1);
    assert_eq!((pool.offset(small), pool.behind.count()), (None, 2));
    give_back(pool, large, LARGEST);
    give_back(pool, small, 1);
}

#[test]
fn other_threads_are_served_from_behind() {
    static POOL: Pool<Ledger> = Pool::before(Ledger::new());
    let pool = &POOL;
    let first = take(pool, 100).expose_provenance();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let own = take(pool, 100);
            assert_eq!((pool.offset(own), pool.behind.count()), (None, 1));
            give_back(pool, own, 100);
            // What the first thread was given may go back here, or grow; in the pool nothing changes.
            let lost = ptr::with_exposed_provenance_mut(first);
            // SAFETY: the first thread does not use the block any more.
            let grown = unsafe { pool.realloc(lost, layout(100, 8), 1000) };
            assert_eq!(pool.offset(grown), None);
            give_back(pool, grown, 1000);
        });
        other.join().expect("it does not panic");
    });
    assert_ne!(take(pool, 100).addr(), first);
    assert_eq!(pool.behind.count(), 0);
}
