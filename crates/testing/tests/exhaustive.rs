//! Every graph of up to four blocks; of five with `RECONVERGE_DEEP=1`.

use reconverge_restructure::Options;
use reconverge_testing::generators::exhaustive::exhaustive;
use reconverge_testing::judge::Validator;
use reconverge_testing::trial::trial;

/// How many functions are judged as one module.
const BATCH: usize = 400;

fn try_all(count: usize, expected: usize) {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let graphs = exhaustive(count);
    assert_eq!(graphs.len(), expected);
    for (index, batch) in graphs.chunks(BATCH).enumerate() {
        if let Err(message) = trial(batch, index as u64, &Options::default(), Some(&validator)) {
            panic!("{count} blocks, batch {index} of {BATCH}: {message}");
        }
    }
}

#[test]
fn all_graphs_of_up_to_three_blocks() {
    try_all(1, 1);
    try_all(2, 2);
    try_all(3, 40);
}

#[test]
fn all_graphs_of_four_blocks() {
    try_all(4, 1_000);
}

#[test]
#[ignore = "takes long; `cargo xtask test --deep` runs it"]
fn all_graphs_of_five_blocks() {
    try_all(5, 31_263);
}

#[test]
fn all_graphs_of_four_blocks_in_flat_form() {
    let options = Options::new().nesting_limit(0);
    for batch in exhaustive(4).chunks(BATCH) {
        if let Err(message) = trial(batch, 1, &options, None) {
            panic!("{message}");
        }
    }
}
