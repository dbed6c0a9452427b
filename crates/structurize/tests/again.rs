//! What was structured comes back as it was: a plan read as a graph, with its merges as hints, needs no block more.

use crate::common::{Lists, Random, check, generate, show, simulate};
use reconverge_structurize::{
    Hints, InputBlock, LoopHint, Merge, Options, Plan, PlanBlock, Policy, Terminator, structurize,
};

/// The plan as a graph: planned block i is block i.
fn read(plan: &Plan) -> Lists {
    let number = |block: PlanBlock| InputBlock::new(block.index());
    let targets = |terminator: &Terminator| terminator.edges().map(|edge| edge.target.index()).collect();
    let mut graph = Lists::new(&plan.blocks.iter().map(|block| targets(&block.terminator)).collect::<Vec<_>>());
    for (index, block) in plan.blocks.iter().enumerate() {
        graph.switches[index] = matches!(block.terminator, Terminator::Switch { .. });
        graph.hints[index] = match block.merge {
            Merge::None => Hints::default(),
            Merge::Selection { merge } => Hints { selection_merge: Some(number(merge)), repeats: None },
            Merge::Loop { merge, continue_target } => {
                let repeats = LoopHint { merge: Some(number(merge)), continue_target: Some(number(continue_target)) };
                Hints { selection_merge: None, repeats: Some(repeats) }
            }
        };
    }
    graph
}

#[test]
fn structured_graphs_come_back_with_their_merges_as_hints() {
    // What is left: a case that is fallen into beside a merge that the switch alone leads to. The join becomes the merge then.
    let grown = count_grown(Policy::Bare);
    assert!(grown[..3] == [0; 3] && grown[3..].iter().all(|&count| count <= 3), "{grown:?}");
    // A merge that an exit was given is a merge that is asked for the second time, and a dispatch is a block like any other, where a chain of exits
    // may begin.
    let grown = count_grown(Policy::Spirv);
    assert!(grown[..2] == [0; 2] && grown[2] <= 3 && grown[3..].iter().all(|&count| count <= 20), "{grown:?}");
}

/// How many of 400 graphs of each kind get more blocks when their plan is structurized again.
fn count_grown(policy: Policy) -> [usize; 5] {
    let options = Options::new().policy(policy);
    let kinds =
        [generate::structured, generate::loop_simplified, generate::reducible, generate::irreducible, generate::wild];
    let mut grown = [0; 5];
    for (kind, generate) in kinds.into_iter().enumerate() {
        for (seed, size) in (0..400).zip([4, 6, 9, 14, 30].into_iter().cycle()) {
            let graph = generate(&mut Random::new(seed * 31 + size as u64), size);
            let plan = structurize(&graph, &options).expect("within the limits");
            let graph = read(&plan);
            let again = structurize(&graph, &options).expect("within the limits");
            let fail = |message: String| -> ! { panic!("{message}\n{}\n{}", show(&plan), show(&again)) };
            check::check(&graph, &again).unwrap_or_else(|message| fail(message));
            simulate::compare(&graph, &again).unwrap_or_else(|message| fail(message));
            grown[kind] += usize::from(again.blocks.len() > plan.blocks.len());
        }
    }
    grown
}
