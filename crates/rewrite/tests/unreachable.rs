//! Blocks that control cannot reach are removed, and what they passed with them.

use reconverge_ir::{Module, Op, text};
use reconverge_rewrite::remove_unreachable;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module, structurized};

fn cleaned(before: &Module) -> (Module, usize) {
    let mut after = before.clone();
    let removed = functions(before).into_iter().map(|function| remove_unreachable(&mut after, function)).sum();
    hold_verified(&after);
    hold_equal(before, &after);
    (after, removed)
}

#[test]
fn edges_into_joins_go() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^m(%n)
         block ^never:
           %v: %u32 = i_add %n, %one
           branch ^also_never(%v)
         block ^also_never(%w: %u32):
           branch ^m(%w)
         block ^m(%p: %u32):
           return_value %p
         }",
    );
    let (after, removed) = cleaned(&before);
    assert_eq!((removed, count(&after, Op::Branch)), (2, 1));
    assert!(!text::print(&after).contains("undef"), "nothing that stays used a removed value");
    structurized(&before);
}

#[test]
fn rings_that_nothing_enters_go() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           return_value %n
         block ^a(%x: %u32):
           %y: %u32 = i_add %x, %one
           branch ^b(%y)
         block ^b(%z: %u32):
           branch ^a(%z)
         }",
    );
    assert_eq!(cleaned(&before).1, 2);
}

#[test]
fn a_named_merge_block_stays_with_what_it_reaches() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) stage structured {
         block ^entry:
           if %c ^a ^b merge ^m control 0
         block ^a:
           return_value %n
         block ^b:
           return_value %one
         block ^m:
           branch ^after
         block ^after:
           unreachable
         }",
    );
    assert_eq!(cleaned(&before).1, 0);
}

#[test]
fn values_of_removed_blocks_become_one_undef_a_type() {
    // The merge block is never reached but stays; it uses what a removed block defines.
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) stage structured {
         block ^entry:
           if %c ^a ^b merge ^m control 0
         block ^a:
           return_value %n
         block ^b:
           return_value %one
         block ^never:
           %v: %u32 = i_add %n, %one
           %w: %u32 = i_add %v, %one
           branch ^never
         block ^m:
           %x: %u32 = i_add %v, %w
           return_value %x
         }",
    );
    let mut after = before.clone();
    assert_eq!(remove_unreachable(&mut after, functions(&before)[0]), 1);
    hold_verified(&after);
    assert_eq!(after.globals().filter(|&global| after.op(global) == Op::Undef).count(), 1);
}

#[test]
fn removing_twice_is_removing_once() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           return_value %n
         block ^never:
           unreachable
         }",
    );
    let (once, removed) = cleaned(&before);
    assert_eq!(removed, 1);
    let (twice, removed) = cleaned(&once);
    assert_eq!((removed, text::print(&once)), (0, text::print(&twice)));
}
