//! Single behaviours: reasons, limits, options, convergence, odd entries.

use crate::common::{Lists, shapes, verify};
use reconverge_structurize::{
    Assumption, Convergence, InputBlock, LimitCode, Merge, Options, Origin, Plan, Reason, Selector, Terminator,
    structurize,
};

fn reasons(plan: &Plan) -> Vec<&'static str> {
    let name = |block: &reconverge_structurize::Block| match &block.origin {
        Origin::Added(reason) => Some(reason.name()),
        Origin::Input(_) => None,
    };
    plan.blocks.iter().filter_map(name).collect()
}

fn plan_of(lists: &[Vec<usize>]) -> Plan {
    verify(&Lists::new(lists), &Options::default())
}

#[test]
fn an_entry_that_is_branched_to_gets_an_empty_one_in_front() {
    let plan = plan_of(&[vec![0, 1], vec![]]);
    assert_eq!(reasons(&plan), ["entry"]);
    // A loop of one block is its own continue target.
    assert!(matches!(plan.blocks[1].merge, Merge::Loop { continue_target, .. } if continue_target.index() == 1));
}

#[test]
fn an_infinite_loop_gets_an_unreachable_merge() {
    let plan = plan_of(&[vec![1], vec![2], vec![1]]);
    assert_eq!(reasons(&plan), ["unreachable merge"]);
    let merge = plan.blocks.last().expect("a block");
    assert_eq!(merge.terminator, Terminator::Unreachable);
}

#[test]
fn a_do_while_keeps_its_latch() {
    let plan = plan_of(&[vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![]]);
    assert!(reasons(&plan).iter().all(|&reason| reason == "header split"), "{:?}", plan.explain());
}

#[test]
fn a_break_block_stays_in_the_loop_and_the_rest_comes_after() {
    // loop { if a { break } if b { found; break } } rest
    let plan = plan_of(&[vec![1], vec![5, 2], vec![3, 4], vec![5], vec![1], vec![]]);
    assert!(reasons(&plan).is_empty(), "{:?}", plan.explain());
}

#[test]
fn an_irreducible_cycle_gets_one_dispatch() {
    let plan = plan_of(&[vec![1, 2], vec![2, 3], vec![1], vec![]]);
    assert!(reasons(&plan).contains(&"irreducible dispatch"), "{:?}", plan.explain());
    let line = plan.explain().join("\n");
    assert!(line.contains("a cycle is entered at b1, b2") || line.contains("a cycle is entered at b2, b1"), "{line}");
}

#[test]
fn two_loops_that_leave_to_two_places_pass_a_number() {
    // Inner loop breaks to after the inner or after the outer loop.
    let plan = plan_of(&[vec![1], vec![2], vec![3, 4], vec![2, 5], vec![1], vec![]]);
    let dispatch = plan.blocks.iter().find(|block| {
        matches!(&block.origin, Origin::Added(Reason::LoopExitDispatch { witnesses, .. }) if witnesses.len() == 2)
    });
    assert!(dispatch.is_some_and(|block| block.has_selector), "{:?}", plan.explain());
    let passed = plan.blocks.iter().flat_map(|block| block.terminator.edges()).filter_map(|edge| edge.selector.clone());
    let mut passed: Vec<Selector> = passed.collect();
    passed.dedup();
    assert_eq!(passed, [Selector::Constant(4), Selector::Constant(5)]);
}

#[test]
fn unreachable_blocks_and_equal_targets_vanish() {
    let plan = plan_of(&[vec![1, 1], vec![], vec![0, 1]]);
    assert_eq!(plan.blocks.len(), 2);
    assert!(matches!(&plan.blocks[0].terminator, Terminator::Branch(edge) if edge.carries.len() == 2));
}

#[test]
fn the_entry_need_not_be_the_first_block() {
    let mut graph = Lists::new(&[vec![], vec![2, 0], vec![0]]);
    graph.entry = 1;
    let plan = verify(&graph, &Options::default());
    assert_eq!(plan.blocks[0].origin, Origin::Input(InputBlock::new(1)));
}

fn assumed(lists: &[Vec<usize>], convergent: usize) -> Vec<Assumption> {
    let mut graph = Lists::new(lists);
    graph.convergence[convergent] = Convergence::Lanes;
    verify(&graph, &Options::default()).assumptions
}

#[test]
fn a_convergent_block_before_a_break_stays_however_large() {
    // loop { if a { ballot; …; return } if !b { return } }
    let lists = [vec![1], vec![2, 3], vec![4], vec![1, 7], vec![5], vec![6], vec![], vec![]];
    let header = InputBlock::new(1);
    assert_eq!(assumed(&lists, 2), [Assumption::AfterLoop { block: InputBlock::new(2), header }]);
    // The same behind a further test: no longer an exit from the header.
    let lists = [vec![1], vec![8], vec![4], vec![1, 7], vec![5], vec![6], vec![], vec![], vec![2, 3]];
    assert_eq!(assumed(&lists, 2), [Assumption::BeforeBreak { block: InputBlock::new(2), header }]);
}

#[test]
fn a_convergent_block_behind_the_latch_comes_after() {
    let (block, header) = (InputBlock::new(2), InputBlock::new(1));
    assert_eq!(assumed(&[vec![1], vec![1, 2], vec![]], 2), [Assumption::AfterLoop { block, header }]);
}

#[test]
fn limits_are_errors_that_name_the_limit() {
    let said = |graph: &_, options: &_| {
        let error = structurize(graph, options).expect_err("the graph is too large");
        assert_eq!(error.code, LimitCode::Limit);
        error.message
    };
    let graph = shapes::seqif(10);
    let options = Options::new().block_limit(30);
    assert_eq!(said(&graph, &options), "the graph has 31 blocks, the limit is 30");
    let graph = shapes::nest_loops(12);
    let options = Options::new().block_limit(27);
    assert_eq!(said(&graph, &options), "the structured graph has 38 blocks, the limit is 27");
}

#[test]
fn a_nesting_limit_of_zero_flattens_everything() {
    let plan = verify(&shapes::seqif(4), &Options::new().nesting_limit(0));
    assert_eq!(plan.nesting_depth, 2);
    for name in ["entry", "flat header", "flat switch", "flat merge", "flat latch"] {
        assert!(reasons(&plan).contains(&name), "{name}");
    }
}

#[test]
fn every_added_block_is_explained_in_one_line() {
    let plan = verify(&shapes::complete(6), &Options::default());
    let lines = plan.explain();
    assert_eq!(lines.len(), plan.blocks.len() - plan.statistics().input_blocks);
    assert!(lines.iter().all(|line| !line.contains('\n') && line.starts_with('p')));
}
