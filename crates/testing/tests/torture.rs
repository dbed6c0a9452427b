//! A slice of each rung of the torture ladder, seconds each; `cargo xtask torture` runs the whole.

use reconverge_testing::destroy::Destroyer;
use reconverge_testing::judge::Validator;
use reconverge_testing::torture::{Effort, destroyers, exhaustive, fleshing};

#[test]
fn t0_every_graph_of_up_to_four_blocks_and_some_of_more() {
    for count in 1..=4 {
        let tally = exhaustive::run(count, 2, 1, &Effort::tries(1, 0));
        tally.expect_clean();
        assert_eq!(tally.tried, exhaustive::TWO_WAY[count]);
    }
    exhaustive::run(5, 2, 7, &Effort::tries(1, 0)).expect_clean();
    exhaustive::run(4, 3, 1, &Effort::tries(1, 0)).expect_clean();
}

#[test]
fn t1_random_graphs() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    fleshing::run(&Effort::tries(1, 2_000), Some(&validator)).expect_clean();
}

#[test]
fn t3_destroyed_programs() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let tally = destroyers::run(&Effort::tries(1, 300), Some(&validator));
    tally.expect_clean();
    for destroyer in Destroyer::ALL.into_iter().filter(|&destroyer| destroyer != Destroyer::StripMerges) {
        let changes = tally.counts.get(&format!("changed by {destroyer:?} alone"));
        assert!(changes.is_some_and(|&changes| changes > 0), "{destroyer:?} changes nothing: {:?}", tally.counts);
    }
}
