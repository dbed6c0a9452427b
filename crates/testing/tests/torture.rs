//! A slice of each rung of the torture ladder, seconds each; `cargo xtask torture` runs the whole.

use reconverge_testing::torture::{Effort, exhaustive};

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
