//! Blocks may stand in any order in which dominators come first, and edge blocks that vanish anywhere: no pass over structured functions
//! counts on more. The programs of the filetests with their blocks shuffled.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Stage, text};
use reconverge_optimize::structured::{
    fold_constant_branches, if_conversion, invert_empty_arms, join_equal_jumps, loop_peel, loop_rotate_all,
    loop_unroll, lower_continue_constructs, lower_returns, merge_terminators, remove_dead_control_flow,
};
use reconverge_testing::block_order::shuffle_blocks;
use reconverge_testing::filetest::{folder, modules_below};
use reconverge_testing::random::Random;
use reconverge_verify::verify;

type Pass = fn(&mut Module, Function) -> Result<bool, Diagnostic>;

const PASSES: [(&str, Pass); 11] = [
    ("fold_constant_branches", fold_constant_branches),
    ("if_conversion", if_conversion),
    ("invert_empty_arms", invert_empty_arms),
    ("loop_rotate_all", loop_rotate_all),
    ("join_equal_jumps", join_equal_jumps),
    ("lower_continue_constructs", lower_continue_constructs),
    ("lower_returns", lower_returns),
    ("merge_terminators", merge_terminators),
    ("loop_peel", loop_peel),
    ("remove_dead_control_flow", remove_dead_control_flow),
    ("loop_unroll", loop_unroll),
];

const SEEDS: u64 = 12;

#[test]
fn no_pass_counts_on_the_order_of_blocks() {
    let folder = folder();
    let mut failures = String::new();
    let mut count = 0;
    for (path, module) in
        ["structured", "bugs"].iter().flat_map(|name| modules_below(&folder.join(name)).expect("files"))
    {
        for seed in 0..SEEDS {
            let mut random = Random::new(seed);
            let mut before = module.clone();
            let is_structured =
                |&function: &Function| module.stage(function) == Stage::Structured && module.entry(function).is_some();
            let functions: Vec<Function> = module.functions().filter(is_structured).collect();
            functions.iter().for_each(|&function| shuffle_blocks(&mut before, function, &mut random));
            let findings = verify(&before);
            assert!(findings.is_empty(), "{}, seed {seed}: {}\n{}", path.display(), findings[0], text::print(&before));
            for (name, pass) in PASSES {
                let mut after = before.clone();
                let is_done = functions.iter().all(|&function| pass(&mut after, function).is_ok());
                let findings = verify(&after);
                count += functions.len();
                if let Some(finding) = findings.first().filter(|_| is_done) {
                    let place = format!("{name}, {}, seed {seed}", path.display());
                    failures += &format!("{place}: {finding}\n{}{}\n", text::print(&before), text::print(&after));
                }
            }
        }
    }
    assert!(count > 1000, "only {count} functions were tried");
    assert!(failures.is_empty(), "{failures}");
}
