//! The micro corpus: 53 small control flow graphs with the verdict of the SPIR-V specification on each.

use crate::common;
use reconverge_verify::{Code, verify};

/// Name, graph, and the codes that fire.
#[rustfmt::skip]
const GRAPHS: &[(&str, &str, &[Code])] = &[
    ("01_if_break_loop", "e br h | h L lm c br b | b S sm if x sm | x br lm | sm br c | c br h | lm return", &[]),
    ("02_if_continue_loop", "e br h | h L lm c br b | b S sm if x sm | x br c | sm br c | c br h | lm return", &[]),
    ("03_switch_case_to_loopmerge", "e br h | h L lm c br b | b S sm sw sm 0:x | x br lm | sm br c | c br h | lm return", &[]),
    ("04_switch_case_to_continue", "e br h | h L lm c br b | b S sm sw sm 0:x | x br c | sm br c | c br h | lm return", &[]),
    ("05_if_in_switch_to_switchmerge", "e S sm sw sm 0:x | x S im if y im | y br sm | im br sm | sm return", &[]),
    ("06_loop_in_switch_to_switchmerge", "e S sm sw sm 0:h | h L lm c if b lm | b S im if y im | y br sm | im br c | c br h | lm br sm | sm return", &[Code::R24]),
    ("07_innerloop_to_outermerge", "e br h1 | h1 L m1 c1 br h2 | h2 L m2 c2 if b m2 | b S im if y im | y br m1 | im br c2 | c2 br h2 | m2 br c1 | c1 br h1 | m1 return", &[Code::R24]),
    ("08_innerloop_to_outercontinue", "e br h1 | h1 L m1 c1 br h2 | h2 L m2 c2 if b m2 | b S im if y im | y br c1 | im br c2 | c2 br h2 | m2 br c1 | c1 if h1 m1 | m1 return", &[Code::R24]),
    ("09_if_in_if_to_outermerge", "e S om if a om | a S im if x im | x br om | im br om | om return", &[Code::R24]),
    ("10_if_in_switchcase_swdefaultonly", "e S om sw a | a S im if x im | x br om | im br om | om return", &[]),
    ("11_switch_in_switch_to_outer", "e S om sw a | a S im sw im 0:x | x br om | im br om | om return", &[Code::R24]),
    ("12_selmerge_is_continue", "e br h | h L lm c br b | b S c if x c | x br c | c br h | lm return", &[Code::R18]),
    ("13_innerloopmerge_is_outercontinue", "e br h1 | h1 L m1 c1 if h2 m1 | h2 L c1 c2 if c2 c1 | c2 br h2 | c1 br h1 | m1 return", &[Code::R18]),
    ("14_shared_merge", "e S om if a om | a S om if x om | x br om | om return", &[Code::R17]),
    ("15_cond_no_merge_break", "e br h | h L lm c br b | b if b2 lm | b2 br c | c br h | lm return", &[]),
    ("16_cond_no_merge_two_inner", "e br h | h L lm c br b | b if x y | x br c | y br c | c br h | lm return", &[Code::R16]),
    ("17_return_in_continue", "e br h | h L lm c if b lm | b br c | c S c2 if r c2 | r return | c2 br h | lm return", &[Code::R22]),
    ("18_break_in_continue_nonlatch", "e br h | h L lm c br b | b br c | c if c2 lm | c2 br h | lm return", &[Code::R22]),
    ("19_latch_cond_break", "e br h | h L lm c br b | b br c | c if h lm | lm return", &[]),
    ("20_fallthrough_ok", "e S sm sw sm 0:x 1:y | x br y | y br sm | sm return", &[]),
    ("21_fallthrough_wrong_order", "e S sm sw sm 1:y 0:x | x br y | y br sm | sm return", &[Code::R32]),
    ("22_two_fall_to_one", "e S sm sw sm 0:x 1:z 2:y | x br y | z br y | y br sm | sm return", &[Code::R31, Code::R32]),
    ("23_case_fall_via_inner_if", "e S sm sw sm 0:x 1:y | x S xm if xa xm | xa br y | xm br sm | y br sm | sm return", &[Code::R24]),
    ("24_fall_to_default_then_case", "e S sm sw d 0:x 1:y | x br d | d br y | y br sm | sm return", &[]),
    ("25_case_label_nonconsecutive", "e S sm sw sm 0:x 1:y 2:x | x br sm | y br sm | sm return", &[Code::R34]),
    ("26_infinite_loop_unreach_merge", "e br h | h L lm c br c | c br h | lm unreachable", &[]),
    ("27_loop_no_backedge_cont_unreachable", "e br h | h L lm c br b | b br lm | c unreachable | lm return", &[Code::R19]),
    ("28_loop_once_cont_backedge_dead", "e br h | h L lm c br b | b br lm | c br h | lm return", &[]),
    ("29_single_block_loop", "e br h | h L lm h if h lm | lm return", &[]),
    ("30_multi_block_cont_is_header", "e br h | h L lm h br b | b if h lm | lm return", &[Code::R22]),
    ("31_merge_is_loop_header", "e S h if a h | a br h | h L lm c if c lm | c br h | lm return", &[]),
    ("32_kill_in_body", "e br h | h L lm c br b | b S sm if x sm | x kill | sm br c | c br h | lm return", &[]),
    ("33_terminate_in_body", "e br h | h L lm c br b | b S sm if x sm | x terminate | sm br c | c br h | lm return", &[]),
    ("34_branch_into_selection", "e S m if a b | a S am if x am | x br am | am br m | b br x | m return", &[Code::R18]),
    ("35_same_labels_16", "e if a a | a return", &[Code::R8]),
    ("36_irreducible", "e S m if a b | a if b m | b if a m | m return", &[Code::R14]),
    ("37_loop_header_switch", "e br h | h L lm c sw lm 0:c | c br h | lm return", &[Code::R11, Code::R15]),
    ("38_loop_header_cond_two_body", "e br h | h L lm c if x y | x br c | y br lm | c br h | lm return", &[Code::R16]),
    ("39_cond_in_if_both_exit", "e S m if a m | a if x m | x br m | m return", &[]),
    ("40_cond_targets_seen_case", "e S sm sw sm 0:x 1:y | x if y sm | y br sm | sm return", &[]),
    ("41_dead_selmerge_exit_loopmerge(6383)", "e br h | h L lm c br b | b S sm sw x | x br lm | sm unreachable | c br h | lm return", &[]),
    ("42_mr_multi_pred_nonmerge", "e S sm sw sm 0:x 1:y | x if y sm | y br sm | sm return", &[]),
    ("43_return_in_selection", "e S m if a m | a return | m return", &[]),
    ("44_unreach_block_into_construct", "e S m if a m | a br m | u br a | m return", &[]),
    ("45_block_order_dom", "e S m if a m | m return | a br m", &[]),
    ("46_block_order_bad", "e br a | b return | a br b", &[Code::R3]),
    ("47_cond_merge_only_loopmerge_both", "e br h | h L lm c br b | b if c lm | c br h | lm return", &[]),
    ("48_header_branches_both_to_merge_sel", "e S m if m a | a br m | m return", &[]),
    ("49_selection_in_continue", "e br h | h L lm c if b lm | b br c | c S c2 if x c2 | x br c2 | c2 br h | lm return", &[]),
    ("50_loop_in_continue", "e br h | h L lm c if b lm | b br c | c L c3 c2 if c2 c3 | c2 br c | c3 br h | lm return", &[]),
    // The edge to the continue block is critical here, and its edge block stays as a trampoline; the next graph needs none.
    ("51_sw_target_is_loop_continue", "e br h | h L lm c br b | b S sm sw sm 0:c | sm br c | c br h | lm return", &[]),
    ("51_without_trampoline", "e br h | h L lm c br b | b S sm sw sm 0:c | sm br lm | c br h | lm return", &[Code::R29]),
    ("52_sw_target_is_loop_merge", "e br h | h L lm c br b | b S sm sw sm 0:lm | sm br c | c br h | lm return", &[Code::R29]),
    ("53_sel_target_is_loop_merge_w_merge", "e br h | h L lm c br b | b S sm if lm sm | sm br c | c br h | lm return", &[]),
];

#[test]
fn every_graph_gets_the_verdict_of_the_specification() {
    let mut wrong = String::new();
    for (name, table, expected) in GRAPHS {
        let module = common::build(table);
        let found = common::codes(&module);
        if found != *expected {
            let findings = common::show(&verify(&module));
            wrong += &format!("{name}: expected {expected:?}, found {found:?}\n{findings}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
