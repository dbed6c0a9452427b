//! What a front end wrote comes back as it was: graph in, exact structure out, no block added.
//!
//! The structure is told block by block, in the order of the plan:
//!
//! ```text
//! 0 if 1 3 merge 3            a conditional that heads a selection
//! 1 if 2 3                    a conditional without a merge: one side leaves
//! 2 loop merge 5 continue 4   a loop header that goes on to one block; with `if` where it decides
//! 3 switch 7 4 5 merge 7      default first
//! 4 scope 5 merge 9           a switch with only a default
//! ```

use crate::common::{Lists, verify};
use reconverge_structurize::{
    Branch, ControlFlow, InputBlock, Merge, Options, Origin, Plan, PlanBlock, Policy, Terminator, Test, structurize,
};

fn number(plan: &Plan, block: PlanBlock) -> String {
    match &plan.blocks[block.index()].origin {
        Origin::Input(input) => input.index().to_string(),
        Origin::Added(reason) => format!("<{}>", reason.name()),
    }
}

fn outline(plan: &Plan) -> Vec<String> {
    let line = |(index, block): (usize, &reconverge_structurize::Block)| {
        let mut line = number(plan, PlanBlock::new(index));
        if let Merge::Loop { merge, continue_target } = block.merge {
            line += &format!(" loop merge {} continue {}", number(plan, merge), number(plan, continue_target));
        }
        line += match &block.terminator {
            Terminator::Exit => " exit",
            Terminator::Unreachable => " unreachable",
            Terminator::Branch(_) => " to",
            Terminator::Conditional { .. } => " if",
            Terminator::Switch { test: Test::Zero, .. } => " scope",
            Terminator::Switch { .. } => " switch",
        };
        for edge in block.terminator.edges() {
            line += &format!(" {}", number(plan, edge.target));
        }
        if let Merge::Selection { merge } = block.merge {
            line += &format!(" merge {}", number(plan, merge));
        }
        line
    };
    plan.blocks.iter().enumerate().map(line).collect()
}

fn structure(lists: &[Vec<usize>]) -> Vec<String> {
    let mut graph = Lists::new(lists);
    for (block, list) in lists.iter().enumerate() {
        graph.switches[block] = list.len() > 2;
    }
    outline(&verify(&graph, &Options::default()))
}

#[test]
fn if_and_else() {
    assert_eq!(structure(&[vec![1, 2], vec![2], vec![]]), ["0 if 1 2 merge 2", "1 to 2", "2 exit"]);
    assert_eq!(structure(&[vec![1, 2], vec![3], vec![3], vec![]]), ["0 if 1 2 merge 3", "1 to 3", "2 to 3", "3 exit"]);
}

#[test]
fn else_if_chain_with_a_merge_for_each() {
    // if 0 {1} else { if 2 {3} else { if 4 {5} else {6} 7 } 8 } 9
    let lists = [vec![1, 2], vec![9], vec![3, 4], vec![8], vec![5, 6], vec![7], vec![7], vec![8], vec![9], vec![]];
    assert_eq!(
        structure(&lists),
        [
            "0 if 1 2 merge 9",
            "1 to 9",
            "2 if 3 4 merge 8",
            "3 to 8",
            "4 if 5 6 merge 7",
            "5 to 7",
            "6 to 7",
            "7 to 8",
            "8 to 9",
            "9 exit"
        ]
    );
}

#[test]
fn and() {
    // if a && b && c { 3 } 4
    assert_eq!(
        structure(&[vec![1, 4], vec![2, 4], vec![3, 4], vec![4], vec![]]),
        ["0 if 1 4 merge 4", "1 if 2 4", "2 if 3 4", "3 to 4", "4 exit"]
    );
}

#[test]
fn or() {
    // if a || b { 2 } 3
    assert_eq!(
        structure(&[vec![1], vec![3, 2], vec![3, 4], vec![4], vec![]]),
        ["0 scope 1 merge 4", "1 if 3 2 merge 3", "2 if 3 4", "3 to 4", "4 exit"]
    );
}

#[test]
fn a_scope_without_a_block_is_explained() {
    let graph = Lists::new(&[vec![1], vec![3, 2], vec![3, 4], vec![4], vec![]]);
    let plan = verify(&graph, &Options::default());
    assert_eq!(plan.explain(), ["p0: scope on b0: edges inside it leave several selections at once to p4"]);
    assert_eq!(plan.statistics().to_string(), "5 → 5 blocks, 0 selectors, 1 one-trip construct, nesting 1 → 2");
}

#[test]
fn or_with_an_else() {
    // if a || b { 3 } else { 4 } 5
    assert_eq!(
        structure(&[vec![1], vec![3, 2], vec![3, 4], vec![5], vec![5], vec![]]),
        ["0 scope 1 merge 5", "1 if 3 2 merge 3", "2 if 3 4", "4 to 5", "3 to 5", "5 exit"]
    );
}

#[test]
fn and_with_an_else() {
    // if a && b { 3 } else { 4 } 5
    assert_eq!(
        structure(&[vec![1], vec![2, 4], vec![3, 4], vec![5], vec![5], vec![]]),
        ["0 scope 1 merge 5", "1 if 2 4 merge 4", "2 if 3 4", "3 to 5", "4 to 5", "5 exit"]
    );
}

#[test]
fn mixed_short_circuit() {
    // if (a && b) || (c && d) { 5 } 6: out of the selection of a go edges to 3 and to 5, to which d goes past 3.
    assert_eq!(
        structure(&[vec![1], vec![2, 3], vec![5, 3], vec![4, 6], vec![5, 6], vec![6], vec![]]),
        [
            "0 scope 1 merge <merge dispatch>",
            "1 if 2 3 merge 3",
            "2 if <merge dispatch> 3",
            "3 if 4 <merge dispatch> merge 4",
            "4 to <merge dispatch>",
            "<merge dispatch> if 5 6 merge 6",
            "5 to 6",
            "6 exit"
        ]
    );
    // if a && (b || c) { 4 } 5
    assert_eq!(
        structure(&[vec![1], vec![2, 5], vec![4, 3], vec![4, 5], vec![5], vec![]]),
        ["0 scope 1 merge 5", "1 if 2 5 merge 2", "2 if 4 3 merge 4", "3 if 4 5", "4 to 5", "5 exit"]
    );
}

#[test]
fn short_circuit_in_a_loop_condition() {
    // while a && b { 3 } 4
    assert_eq!(
        structure(&[vec![1], vec![2, 4], vec![3, 4], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 4 continue 3 if 2 4", "2 if 3 4", "3 to 1", "4 exit"]
    );
    // while a || b { 3 } 4
    assert_eq!(
        structure(&[vec![1], vec![3, 2], vec![3, 4], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 4 continue 3 if 3 2", "2 if 3 4", "3 to 1", "4 exit"]
    );
    // do { 1 } while a && b
    assert_eq!(
        structure(&[vec![1], vec![2, 3], vec![1, 3], vec![]]),
        ["0 to 1", "1 loop merge 3 continue <latch> if 2 3", "2 if <latch> 3", "<latch> to 1", "3 exit"]
    );
}

#[test]
fn early_return() {
    // if a { 1; return } 2; if b { 3; return } 4
    assert_eq!(
        structure(&[vec![1, 2], vec![], vec![3, 4], vec![], vec![]]),
        ["0 if 1 2 merge 2", "1 exit", "2 if 3 4 merge 4", "3 exit", "4 exit"]
    );
}

#[test]
fn return_out_of_a_loop() {
    // while a { if b { 3; return } 4 } 5
    assert_eq!(
        structure(&[vec![1], vec![2, 5], vec![3, 4], vec![], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 5 continue 4 if 2 5", "2 if 3 4 merge 3", "3 exit", "4 to 1", "5 exit"]
    );
}

#[test]
fn return_out_of_an_inner_loop() {
    // while 1 { loop { 2; if 3 break; if 4 { 5; return } 6 } 7 } 9
    assert_eq!(
        structure(&[vec![1], vec![2, 9], vec![3], vec![4, 7], vec![5, 6], vec![], vec![2], vec![8], vec![1], vec![]]),
        [
            "0 to 1",
            "1 loop merge 9 continue 8 if 2 9",
            "2 loop merge 7 continue 6 to 3",
            "3 if 4 7",
            "4 if 5 6 merge 5",
            "5 exit",
            "6 to 2",
            "7 to 8",
            "8 to 1",
            "9 exit"
        ]
    );
}

#[test]
fn while_and_do_while() {
    assert_eq!(
        structure(&[vec![1], vec![2, 3], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 3 continue 2 if 2 3", "2 to 1", "3 exit"]
    );
    assert_eq!(
        structure(&[vec![1], vec![2], vec![1, 3], vec![]]),
        ["0 to 1", "1 loop merge 3 continue 2 to 2", "2 if 1 3", "3 exit"]
    );
}

#[test]
fn one_block_loop() {
    assert_eq!(structure(&[vec![1], vec![1, 2], vec![]]), ["0 to 1", "1 loop merge 2 continue 1 if 1 2", "2 exit"]);
}

#[test]
fn one_block_loop_behind_a_selection() {
    assert_eq!(
        structure(&[vec![1, 2], vec![2], vec![2, 3], vec![]]),
        ["0 if 1 2 merge 2", "1 to 2", "2 loop merge 3 continue 2 if 2 3", "3 exit"]
    );
}

#[test]
fn break_with_code_before_it() {
    // loop { 1; if a { 2; break } 3 } 4
    assert_eq!(
        structure(&[vec![1], vec![5, 2], vec![3, 4], vec![5], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 5 continue 4 if 5 2", "2 if 3 4 merge 3", "3 to 5", "4 to 1", "5 exit"]
    );
}

#[test]
fn continue_with_code_before_it() {
    // for (; 1; 5) { 2: if a { 3; continue } 4 } 6
    assert_eq!(
        structure(&[vec![1], vec![2, 6], vec![3, 4], vec![5], vec![5], vec![1], vec![]]),
        ["0 to 1", "1 loop merge 6 continue 5 if 2 6", "2 if 3 4 merge 4", "3 to 5", "4 to 5", "5 to 1", "6 exit"]
    );
}

#[test]
fn for_with_continue() {
    // for (; 1; 5) { 2: if a continue; 3: if b { 4 } } 6
    assert_eq!(
        structure(&[vec![1], vec![2, 6], vec![5, 3], vec![4, 5], vec![5], vec![1], vec![]]),
        [
            "0 to 1",
            "1 loop merge 6 continue 5 if 2 6",
            "2 if 5 3 merge 3",
            "3 if 4 5 merge 4",
            "4 to 5",
            "5 to 1",
            "6 exit"
        ]
    );
}

#[test]
fn latch_that_decides() {
    // do { 1; if a { 2 } 3 } while 3; 4
    assert_eq!(
        structure(&[vec![1], vec![2], vec![3, 4], vec![4], vec![1, 5], vec![]]),
        ["0 to 1", "1 loop merge 5 continue 4 to 2", "2 if 3 4 merge 3", "3 to 4", "4 if 1 5", "5 exit"]
    );
}

#[test]
fn nested_loops_with_breaks() {
    // while 1 { while 2 { if 3 break; 4 } 5 } 6
    assert_eq!(
        structure(&[vec![1], vec![2, 7], vec![3, 5], vec![5, 4], vec![2], vec![6], vec![1], vec![]]),
        [
            "0 to 1",
            "1 loop merge 7 continue 6 if 2 7",
            "2 loop merge 5 continue 4 if 3 5",
            "3 if 5 4",
            "4 to 2",
            "5 to 6",
            "6 to 1",
            "7 exit"
        ]
    );
}

#[test]
fn endless_loop_with_breaks() {
    // loop { 1: if a break; 2: if b { 3; break } 4 } 5
    assert_eq!(
        structure(&[vec![1], vec![2], vec![5, 3], vec![4, 6], vec![5], vec![], vec![1]]),
        ["0 to 1", "1 loop merge 5 continue 6 to 2", "2 if 5 3", "3 if 4 6 merge 4", "4 to 5", "6 to 1", "5 exit"]
    );
}

/// Three exits of a loop, the first at its header: loop { 1: if a break; 2: if b break; 3: if c break; 4 } 5
#[test]
fn chain_of_breaks_that_begins_at_a_header() {
    let lists = [vec![1], vec![5, 2], vec![5, 3], vec![5, 4], vec![1], vec![]];
    let chain = ["2 if 5 3 merge 3", "3 if 5 4", "4 to 1", "5 exit"];
    assert_eq!(structure(&lists), [&["0 to 1", "1 loop merge 5 continue 4 if 5 2"], &chain[..]].concat());
    let passing = Lists { passes_values: true, ..Lists::new(&lists) };
    let plan = structurize(&passing, &Options::default()).expect("within the limits");
    let header = ["0 to 1", "1 loop merge 5 continue 4 to <header split>", "<header split> if 5 2 merge 2"];
    assert_eq!(outline(&plan), [&header[..], &chain].concat());
    let bare = Options::new().policy(Policy::Bare);
    let plan = structurize(&passing, &bare).expect("within the limits");
    assert_eq!(outline(&plan)[1..4], ["1 loop merge 5 continue 4 if 5 2", "2 if 5 3", "3 if 5 4"]);
}

/// The latch leaves the loop where the block before it does: loop { 1: if a break; 2; if b break } 3
#[test]
fn chain_of_breaks_that_ends_at_the_latch() {
    assert_eq!(
        structure(&[vec![1], vec![3, 2], vec![1, 3], vec![]]),
        ["0 to 1", "1 loop merge 3 continue <latch> if 3 2", "2 if <latch> 3", "<latch> to 1", "3 exit"]
    );
}

#[test]
fn switch_with_fall_through() {
    // switch { case 1: 1; case 2: 2; break; default: 3 } 4
    assert_eq!(
        structure(&[vec![3, 1, 2], vec![2], vec![4], vec![4], vec![]]),
        ["0 switch 3 1 2 merge 4", "1 to 2", "2 to 4", "3 to 4", "4 exit"]
    );
}

#[test]
fn switch_with_the_default_in_the_middle() {
    // switch { case 1: 1; default: 2; if a break; case 2: 3 } 4
    assert_eq!(
        structure(&[vec![2, 1, 3], vec![2], vec![4, 3], vec![4], vec![]]),
        ["0 switch 2 1 3 merge 4", "1 to 2", "2 if 4 3", "3 to 4", "4 exit"]
    );
}

#[test]
fn switch_without_a_default() {
    // switch { case 1: 1; case 2: 2 } 3
    assert_eq!(
        structure(&[vec![3, 1, 2], vec![3], vec![3], vec![]]),
        ["0 switch 3 1 2 merge 3", "1 to 3", "2 to 3", "3 exit"]
    );
}

#[test]
fn break_out_of_a_selection_in_a_switch() {
    // switch { case 1: 1: if a break; 2; case 2: 3 } 4
    assert_eq!(
        structure(&[vec![4, 1, 3], vec![4, 2], vec![4], vec![4], vec![]]),
        ["0 switch 4 1 3 merge 4", "1 if 4 2 merge 2", "2 to 4", "3 to 4", "4 exit"]
    );
}

#[test]
fn switch_in_a_loop_that_continues() {
    // while 1 { switch 2 { case 1: 3; continue; case 2: 4 } 5 } 6
    assert_eq!(
        structure(&[vec![1], vec![2, 7], vec![5, 3, 4], vec![6], vec![5], vec![6], vec![1], vec![]]),
        [
            "0 to 1",
            "1 loop merge 7 continue 6 if 2 7",
            "2 switch 5 3 4 merge 5",
            "3 to 6",
            "4 to 5",
            "5 to 6",
            "6 to 1",
            "7 exit"
        ]
    );
}

/// A graph whose blocks weigh what they are said to.
struct Weighed<'a>(&'a Lists, &'a [u32]);

impl ControlFlow for Weighed<'_> {
    fn block_count(&self) -> usize {
        self.0.block_count()
    }
    fn entry(&self) -> InputBlock {
        self.0.entry()
    }
    fn branch(&self, block: InputBlock) -> Branch {
        self.0.branch(block)
    }
    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        self.0.successors(block)
    }
    fn weight(&self, block: InputBlock) -> u32 {
        self.1[block.index()]
    }
}

#[test]
fn a_small_edit_does_not_turn_arms_around() {
    // if a { 1; return } 2; if b { 3; return } 4
    let graph = Lists::new(&[vec![1, 2], vec![], vec![3, 4], vec![], vec![]]);
    let plan =
        |weights: &[u32]| structurize(&Weighed(&graph, weights), &Options::default()).expect("within the limits");
    let expected = plan(&[10; 5]);
    for block in 0..5 {
        for weight in [7, 9, 11, 15] {
            let mut weights = [10; 5];
            weights[block] = weight;
            assert_eq!(plan(&weights), expected, "block {block} weighs {weight}");
        }
    }
    // What is much heavier is not nested, wherever it stands.
    assert_eq!(outline(&plan(&[10, 90, 10, 10, 10]))[0], "0 if 1 2 merge 1");
}

#[test]
fn a_small_edit_does_not_turn_a_switch_around() {
    // switch { case 1: 1; return; case 2: 2; return; default: 3; return }
    let mut graph = Lists::new(&[vec![3, 1, 2], vec![], vec![], vec![]]);
    graph.switches[0] = true;
    for weights in [[5, 5, 5, 5], [5, 8, 5, 5], [5, 9, 5, 6], [5, 5, 9, 5]] {
        let plan = structurize(&Weighed(&graph, &weights), &Options::default()).expect("within the limits");
        assert_eq!(outline(&plan)[0], "0 switch 3 1 2 merge 3", "{weights:?}");
    }
}
