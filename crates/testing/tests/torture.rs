//! A slice of each rung of the torture ladder, seconds each; `cargo xtask torture` runs the whole.

use reconverge_testing::judge::Validator;
use reconverge_testing::torture::scaling::{self, Timed};
use reconverge_testing::torture::{Effort, consumers, damage, exhaustive, filling, unstructurers};
use reconverge_testing::unstructure::Unstructurer;

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
    filling::run(&Effort::tries(1, 2_000), Some(&validator)).expect_clean();
}

#[test]
fn t3_destroyed_programs() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let tally = unstructurers::run(&Effort::tries(1, 300), Some(&validator));
    tally.expect_clean();
    for unstructurer in Unstructurer::ALL.into_iter().filter(|&unstructurer| unstructurer != Unstructurer::StripMerges)
    {
        let changes = tally.counts.get(&format!("changed by {unstructurer:?} alone"));
        assert!(changes.is_some_and(|&changes| changes > 0), "{unstructurer:?} changes nothing: {:?}", tally.counts);
    }
}

#[test]
fn t4_consumers_take_it() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let tally = consumers::run(&Effort::tries(1, 20), Some(&validator));
    tally.expect_clean();
    println!("{:#?}\nnot installed: {:?}", tally.counts, consumers::missing());
}

#[test]
fn t5_damaged_plans_and_modules_are_seen() {
    let tally = damage::run_plans(&Effort::tries(1, 4_000));
    tally.expect_clean();
    println!("{:#?}", tally.counts);
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let tally = damage::run_modules(&Effort::tries(1, 150), &validator);
    println!("{:#?}", tally.counts);
    tally.expect_clean();
}

#[test]
fn t6_shapes_grow_as_declared() {
    let (tally, curves) = scaling::run(&Effort::tries(1, 0), 10_000, Timed::No);
    tally.expect_clean();
    assert_eq!(curves.len(), scaling::shapes().count());
}
