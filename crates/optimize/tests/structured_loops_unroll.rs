//! `loop_unroll` on what other passes made of the loops of its filetests.

use crate::structured_loops_support::{check_same, passed};
use reconverge_ir::text;
use reconverge_optimize::structured::{
    loop_peel, loop_rotate_all, loop_unroll, lower_continue_constructs, lower_returns,
};
use reconverge_testing::filetest::input;
use reconverge_testing::programs::functions;

/// Loops that are marked to be unrolled: the pass refuses them where it cannot count them.
const MARKED: [&str; 5] = [
    "variable",
    "left_and_continued",
    "left_and_continued_barrier",
    "left_and_continued_return",
    "break_out_of_a_scope",
];

#[test]
fn what_passes_before_made_of_a_loop_does_not_lose_its_count() {
    for name in MARKED {
        let module = input(&format!("structured/loop_unroll/{name}.ir"));
        for before in [lower_returns, lower_continue_constructs, loop_peel, loop_rotate_all] {
            let lowered = passed(&module, before);
            let mut after = lowered.clone();
            let function = functions(&after)[0];
            let done = loop_unroll(&mut after, function);
            assert!(done.is_ok(), "{name}: {done:?}\n{}", text::print(&lowered));
            check_same(&lowered, &after);
        }
    }
}
