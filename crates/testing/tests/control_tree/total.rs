//! Every structured function has a tree, and is the same when it is built anew from it.

use reconverge_testing::is_deep;
use reconverge_testing::rebuild::{Figures, judge, structured_module};

/// 2,000 modules; with `RECONVERGE_DEEP=1` 80,000. `cargo run --example control_trees` of this crate takes more, and files of SPIR-V.
#[test]
fn every_structured_function_has_a_tree_and_is_built_anew_from_it() {
    let mut sum = Figures::default();
    for seed in 0..if is_deep() { 80_000 } else { 2_000 } {
        let held = structured_module(seed).and_then(|module| judge(&module, seed));
        sum = sum.and(held.unwrap_or_else(|message| panic!("seed {seed}: {message}")));
    }
    println!("{sum:?}");
    assert!(sum.functions > 2_500 && sum.scopes > 1_000 && sum.runs > 10_000, "{sum:?}");
}
