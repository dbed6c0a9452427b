//! The control tree under random edits of random structured functions, against brute force after each edit.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

mod accepted;
mod build;
mod judge;
mod repair;
mod start;
mod texts;
mod total;
mod trial;

use reconverge_control_tree::{ControlTree, pad};
use reconverge_ir::{Function, Module};
use reconverge_testing::early_joins::join_early;
use reconverge_testing::is_deep;
use reconverge_testing::random::Random;
use reconverge_verify::verify;

use self::judge::check_tree;
use self::start::structured_function;
use self::texts::{is_unpadded, written_function};
use self::trial::{Counts, make_edits};

/// Three of four are structurized graphs, the others written by hand. In every second of the former ways meet early.
fn function(seed: u64) -> (Module, Function) {
    if seed % 4 == 3 {
        return written_function(seed / 4);
    }
    let (mut module, function) = structured_function(seed);
    if seed / 4 % 2 == 1 {
        join_early(&mut module, function, 4, &mut Random::new(seed));
    }
    (module, function)
}

#[test]
fn structured_functions_are_trees() {
    for seed in 0..400 {
        let (mut module, function) = function(seed);
        assert_eq!(verify(&module).len(), 0, "seed {seed}: {:?}", verify(&module));
        let tree = ControlTree::compute(&module, function).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(tree.needs_pad(), seed % 4 == 3 && is_unpadded(seed / 4), "seed {seed}");
        assert!(tree.outside().is_empty());
        if !tree.needs_pad() {
            check_tree(&module, function, &tree).unwrap();
        }
        pad(&mut module, function).unwrap();
        check_tree(&module, function, &ControlTree::compute(&module, function).unwrap()).unwrap();
        assert!(!pad(&mut module, function).unwrap(), "seed {seed}: padding twice");
        assert_eq!(verify(&module).len(), 0, "seed {seed}");
    }
}

/// 4,000 edits; with `RECONVERGE_DEEP=1` 100,000.
#[test]
fn random_edits_keep_the_function_a_tree() {
    let functions = if is_deep() { 5_000 } else { 200 };
    let mut counts = Counts::new();
    for seed in 0..functions {
        let (mut module, function) = function(seed);
        for (kind, [made, refused]) in make_edits(&mut module, function, seed, 20) {
            let count = counts.entry(kind).or_default();
            *count = [count[0] + made, count[1] + refused];
        }
    }
    let sum = counts.values().fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
    println!("made, refused: {counts:?}, in all {sum:?}");
    assert_eq!(sum[0] + sum[1], 20 * functions as usize);
    assert!(sum[0] > sum[1], "too many edits are refused: {counts:?}");
    assert!(counts.values().all(|count| count[0] > 0 || functions < 5_000), "a kind was never made: {counts:?}");
}
