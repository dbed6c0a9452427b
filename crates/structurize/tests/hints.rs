//! Hints: which block is whose merge, what is inside of a loop, and what becomes of hints that cannot hold.

use crate::common::{Lists, Random, check, generate, show, simulate};
use reconverge_structurize::{
    Assumption, Branch, BreakBlocks, ControlFlow, Convergence, HintFault, Hints, InputBlock, LoopHint, Merge,
    MergeRule, Options, Origin, Plan, PlanBlock, structurize,
};

/// A graph that knows where lanes meet.
#[derive(Clone, Debug)]
struct Hinted {
    lists: Lists,
    hints: Vec<Hints>,
    /// What ends in `unreachable`.
    unreachable: Vec<bool>,
}

impl Hinted {
    fn new(lists: &[Vec<usize>]) -> Hinted {
        let hints = vec![Hints::default(); lists.len()];
        Hinted { lists: Lists::new(lists), hints, unreachable: vec![false; lists.len()] }
    }

    fn switch(mut self, block: usize) -> Hinted {
        self.lists.switches[block] = true;
        self
    }

    fn unreachable(mut self, blocks: &[usize]) -> Hinted {
        blocks.iter().for_each(|&block| self.unreachable[block] = true);
        self
    }

    fn convergent(mut self, blocks: &[usize]) -> Hinted {
        blocks.iter().for_each(|&block| self.lists.convergence[block] = Convergence::Lanes);
        self
    }

    fn selection(mut self, header: usize, merge: usize) -> Hinted {
        self.hints[header].selection_merge = Some(InputBlock::new(merge));
        self
    }

    fn repeats(mut self, header: usize, merge: Option<usize>, continue_target: Option<usize>) -> Hinted {
        let [merge, continue_target] = [merge, continue_target].map(|block| block.map(InputBlock::new));
        self.hints[header].repeats = Some(LoopHint { merge, continue_target });
        self
    }

    /// The plan, held against all rules.
    fn plan(&self) -> Plan {
        self.plan_with(&Options::default())
    }

    fn plan_with(&self, options: &Options) -> Plan {
        let plan = structurize(self, options).expect("within the limits");
        let fail = |message: String| -> ! { panic!("{message}\n{self:?}\n{}", show(&plan)) };
        if let Some(fallback) = plan.fell_back {
            fail(format!("fell back: {fallback}"));
        }
        if let Err(message) = check::check(&self.lists, &plan) {
            fail(message);
        }
        if let Err(message) = simulate::compare(&self.lists, &plan) {
            fail(message);
        }
        plan
    }
}

impl ControlFlow for Hinted {
    fn block_count(&self) -> usize {
        self.lists.block_count()
    }
    fn entry(&self) -> InputBlock {
        self.lists.entry()
    }
    fn branch(&self, block: InputBlock) -> Branch {
        if self.unreachable[block.index()] { Branch::Unreachable } else { self.lists.branch(block) }
    }
    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        self.lists.successors(block)
    }
    fn convergence(&self, block: InputBlock) -> Convergence {
        self.lists.convergence(block)
    }
    fn hints(&self, block: InputBlock) -> Hints {
        self.hints[block.index()]
    }
}

fn planned(plan: &Plan, block: usize) -> PlanBlock {
    let is_it = |one: &reconverge_structurize::Block| one.origin == Origin::Input(InputBlock::new(block));
    PlanBlock::new(plan.blocks.iter().position(is_it).expect("the block is in the plan"))
}

/// Whether an input block is inside of the loop of an input header: reached from it, and not through its merge.
fn is_in_loop(plan: &Plan, header: usize, block: usize) -> bool {
    let header = planned(plan, header);
    let Merge::Loop { merge, .. } = plan.blocks[header.index()].merge else { panic!("{header} heads no loop") };
    let mut seen = vec![false; plan.blocks.len()];
    let mut stack = vec![header];
    seen[header.index()] = true;
    seen[merge.index()] = true;
    while let Some(at) = stack.pop() {
        for edge in plan.blocks[at.index()].terminator.edges() {
            if !std::mem::replace(&mut seen[edge.target.index()], true) {
                stack.push(edge.target);
            }
        }
    }
    seen[merge.index()] = false;
    seen[planned(plan, block).index()]
}

fn added(plan: &Plan) -> Vec<String> {
    plan.explain()
}

/// ```text
/// loop { if a { found } else { next }  }  rest       0 ▶ 1 ▶ {2, 3}, 2 ▶ 4, 3 ▶ 1
/// ```
fn search() -> Hinted {
    Hinted::new(&[vec![1], vec![2, 3], vec![4], vec![1], vec![]])
}

#[test]
fn what_the_merge_does_not_dominate_stays_in_the_loop() {
    // The loop is left to 2 alone, which ends it as far as edges tell: 2 comes after. The hint says that 4 does.
    assert!(!is_in_loop(&search().convergent(&[2]).plan(), 1, 2));
    let plan = search().convergent(&[2, 4]).repeats(1, Some(4), Some(3)).plan();
    assert!(is_in_loop(&plan, 1, 2) && !is_in_loop(&plan, 1, 4));
    assert_eq!(plan.assumptions, [], "nothing has to be assumed");
    // And if it says that 2 is the merge, 2 is, and 4 behind it.
    let plan = search().convergent(&[2, 4]).repeats(1, Some(2), Some(3)).plan();
    assert!(!is_in_loop(&plan, 1, 2) && !is_in_loop(&plan, 1, 4));
}

#[test]
fn code_before_a_return_stays_in_the_loop() {
    // loop { if a { ballot; return }; if b { break } } rest; return: the first way out is the header's own.
    let graph = Hinted::new(&[vec![1], vec![2, 3], vec![], vec![4, 1], vec![]]).convergent(&[2, 4]);
    let plan = graph.clone().repeats(1, Some(4), None).plan();
    assert!(is_in_loop(&plan, 1, 2) && !is_in_loop(&plan, 1, 4));
    // Where nothing tells, the header's way out is how the loop ends.
    assert!(!is_in_loop(&graph.plan(), 1, 2));
}

#[test]
fn a_loop_that_is_never_left_for_what_follows_holds_everything() {
    let plan = search().convergent(&[2, 4]).repeats(1, None, Some(3)).plan();
    assert!(is_in_loop(&plan, 1, 2) && is_in_loop(&plan, 1, 4));
}

#[test]
fn a_join_of_break_paths_stays_in_the_loop() {
    // loop { if a { x; break 5 }; if b { y; break 5 } }: both join in 5, a ballot; 6 is the merge.
    let lists = [vec![1], vec![2, 3], vec![5], vec![4, 7], vec![5], vec![6], vec![], vec![1]];
    let graph = Hinted::new(&lists).convergent(&[5, 6]);
    assert!(!is_in_loop(&graph.plan(), 1, 5), "a join goes after the loop where no hint tells");
    let plan = graph.repeats(1, Some(6), Some(7)).plan();
    assert!(is_in_loop(&plan, 1, 5) && !is_in_loop(&plan, 1, 6));
}

#[test]
fn a_break_out_of_two_loops_runs_in_the_inner_one() {
    // loop { loop { if a { 3: ballot; break out of both to 6 }; if b break } 4 } 6
    let lists = [vec![1], vec![2], vec![3, 5], vec![6], vec![1], vec![2, 4], vec![]];
    let graph = Hinted::new(&lists).convergent(&[3, 4, 6]);
    let plan = graph.repeats(1, Some(6), Some(4)).repeats(2, Some(4), Some(5)).plan();
    assert!(is_in_loop(&plan, 2, 3) && is_in_loop(&plan, 1, 3));
    assert!(!is_in_loop(&plan, 2, 4) && is_in_loop(&plan, 1, 4) && !is_in_loop(&plan, 1, 6));
    assert_eq!(plan.assumptions, []);
}

#[test]
fn a_continue_out_of_an_inner_loop_runs_in_the_inner_one() {
    // loop { loop { if a { 3: ballot; continue outer }; if b break } 5; 6: continue target }: 3 and 5 lead to 6.
    let lists = [vec![1], vec![2], vec![3, 4], vec![6], vec![2, 5], vec![6], vec![1, 7], vec![]];
    let graph = Hinted::new(&lists).convergent(&[3, 5, 6]);
    let plan = graph.repeats(1, Some(7), Some(6)).repeats(2, Some(5), Some(4)).plan();
    assert!(is_in_loop(&plan, 2, 3) && !is_in_loop(&plan, 2, 5) && !is_in_loop(&plan, 2, 6));
    assert!(is_in_loop(&plan, 1, 6) && !is_in_loop(&plan, 1, 7));
    let Merge::Loop { continue_target, .. } = plan.blocks[planned(&plan, 1).index()].merge else { panic!() };
    assert_eq!(continue_target, planned(&plan, 6), "the continue target is the hinted one");
}

#[test]
fn a_selection_may_end_before_the_loop_is_left() {
    // loop { if a { x } else { y; if c continue }; 6: ballot; break } 7, the loop without a hint, the selection with one.
    let lists = [vec![1], vec![2], vec![4, 5], vec![1], vec![6], vec![6, 3], vec![7], vec![]];
    let graph = Hinted::new(&lists).convergent(&[6, 7]);
    assert!(!is_in_loop(&graph.plan(), 1, 6));
    assert!(is_in_loop(&graph.selection(2, 6).plan(), 1, 6));
}

#[test]
fn two_headers_may_name_one_merge() {
    // if a { if b { x } else { y } } else { z }; 6: the inner merge was empty and is gone.
    let lists = [vec![1, 2], vec![3, 4], vec![6], vec![6], vec![6], vec![], vec![]];
    let graph = Hinted::new(&lists).selection(0, 6).selection(1, 6);
    assert_eq!(graph.plan().assumptions, [], "who parted at the inner one is among those who meet");
}

#[test]
fn hints_that_cannot_hold_are_told_and_do_no_harm() {
    let [b1, b2, b3, b4] = [1, 2, 3, 4].map(InputBlock::new);
    let ignored = |header, block, fault| vec![Assumption::HintIgnored { header, block, fault }];
    // A diamond whose one arm says that its lanes meet in the join, where others come too.
    let diamond = Hinted::new(&[vec![1, 2], vec![3, 4], vec![4], vec![4], vec![]]);
    let plan = diamond.selection(1, 4).plan();
    assert_eq!(plan.assumptions, ignored(b1, b4, HintFault::OthersCome));
    // The merge of a loop inside of it, and a continue target outside.
    let plan = search().repeats(1, Some(3), None).plan();
    assert_eq!(plan.assumptions, ignored(b1, b3, HintFault::InsideLoop));
    let plan = search().repeats(1, Some(4), Some(2)).plan();
    assert_eq!(plan.assumptions, ignored(b1, b2, HintFault::OutsideLoop));
    // A selection that would begin before a loop and end in it.
    let plan = Hinted::new(&[vec![1], vec![2], vec![3, 4], vec![2], vec![]]).selection(1, 3).plan();
    assert_eq!(plan.assumptions, ignored(b1, b3, HintFault::Crossing));
    // Code that control never reaches says nothing.
    let dead = Hinted::new(&[vec![1, 2], vec![], vec![], vec![1]]).selection(0, 3).selection(3, 1);
    assert_eq!(dead.plan().assumptions, []);
}

#[test]
fn a_hint_on_a_latch_that_leaves_for_a_break_block_moves_the_back_edge() {
    // do { … } while (b), with code before the break behind the latch: 3 stays inside, so the latch cannot be the continue target.
    let graph = Hinted::new(&[vec![1], vec![2], vec![1, 3], vec![4], vec![]]).convergent(&[3, 4]);
    let plan = graph.repeats(1, Some(4), Some(2)).plan();
    assert!(is_in_loop(&plan, 1, 3) && !is_in_loop(&plan, 1, 4));
}

#[test]
fn a_case_that_is_fallen_into_unites_nobody() {
    // switch { case 1: 2, falls into 3; case 2: 3; default: 4 } 5; 6: a ballot in each.
    let lists = [vec![1], vec![4, 2, 3], vec![3], vec![5], vec![5], vec![6], vec![]];
    let graph = Hinted::new(&lists).switch(1).convergent(&[2, 3, 4, 5]);
    let leads = |plan: &Plan, from: usize, to: usize| {
        let edges = plan.blocks[planned(plan, from).index()].terminator.edges();
        edges.map(|edge| edge.target).any(|target| target == planned(plan, to))
    };
    let is_merge = |plan: &Plan, block: usize| {
        let block = planned(plan, block);
        plan.blocks.iter().any(|one| matches!(one.merge, Merge::Selection { merge } if merge == block))
    };
    // With its merge known the switch comes back as it was.
    let plan = graph.clone().selection(1, 5).plan();
    assert!(leads(&plan, 2, 3) && !is_merge(&plan, 3) && is_merge(&plan, 5), "{}", show(&plan));
    assert_eq!(added(&plan), Vec::<String>::new());
    // In a bare graph all who are in the same iteration meet at a join, so it is no case.
    assert!(!leads(&graph.plan(), 2, 3), "{}", show(&graph.plan()));
    // Where nobody but quads that are together could tell, it stays one: a derivative.
    let mut derivative = graph.clone();
    derivative.lists.convergence[3] = Convergence::Quad;
    let plan = derivative.plan();
    assert!(leads(&plan, 2, 3) && !is_merge(&plan, 3), "{}", show(&plan));
    // Without anything that could tell it stays one.
    let silent = Hinted { lists: Lists { convergence: vec![Convergence::None; 7], ..graph.lists }, ..graph };
    let plan = silent.plan();
    assert!(leads(&plan, 2, 3) && !is_merge(&plan, 3), "{}", show(&plan));
}

#[test]
fn what_brings_lanes_together_elsewhere_is_told() {
    let b4 = InputBlock::new(4);
    // A join that no hint names: two ways into 4, the merge is 5.
    let lists = [vec![1, 2], vec![3, 4], vec![4], vec![5], vec![5], vec![]];
    let graph = Hinted::new(&lists).convergent(&[4]).selection(0, 5);
    assert_eq!(graph.plan().assumptions, [Assumption::Meets { block: b4 }]);
    assert_eq!(graph.selection(0, 4).plan().assumptions, [], "now one does");
    // A cycle of several entries.
    let graph = Hinted::new(&[vec![1, 2], vec![2, 3], vec![1], vec![]]).convergent(&[1]);
    assert!(matches!(graph.plan().assumptions[..], [Assumption::Irreducible { .. }]));
    // A flat form.
    let graph = Hinted::new(&[vec![1], vec![2, 3], vec![3], vec![]]).convergent(&[3]);
    let plan = graph.plan_with(&Options::new().nesting_limit(0));
    assert_eq!(plan.assumptions, [Assumption::Flat { root: InputBlock::new(0) }]);
    assert!(plan.assumptions[0].to_string().contains("b0"));
}

#[test]
fn what_leads_to_unreachable_is_no_way_out() {
    // loop { if a break; switch (b) { default: unreachable; case 0: 4; case 1: 5 } } 6: barrier
    let lists = [vec![1], vec![2], vec![3, 6], vec![7, 4, 5], vec![8], vec![8], vec![], vec![], vec![1]];
    let graph = Hinted::new(&lists).switch(3).convergent(&[6]);
    assert!(is_in_loop(&graph.plan(), 1, 6), "left to 7 as well");
    let complete = graph.unreachable(&[7]);
    let plan = complete.plan();
    assert!(!is_in_loop(&plan, 1, 6), "{}", show(&plan));
    assert_eq!(plan.assumptions.len(), 1);
    // By way of a block that only goes there, and where it does something that others see.
    let mut lists = lists.to_vec();
    lists[7] = vec![9];
    lists.push(vec![]);
    let behind = Hinted::new(&lists).switch(3).convergent(&[6, 7]);
    assert!(is_in_loop(&behind.plan(), 1, 6));
    assert!(!is_in_loop(&behind.unreachable(&[9]).plan(), 1, 6));
    // Two switches of one loop in another share it: it is behind both as far as anybody can tell, and nobody goes there.
    let lists = [vec![1], vec![2], vec![3, 6], vec![7, 4, 5], vec![8], vec![8], vec![], vec![], vec![7, 1, 2]];
    let graph = Hinted::new(&lists).switch(3).switch(8).convergent(&[6]);
    assert!(is_in_loop(&graph.plan(), 1, 6));
    assert!(!is_in_loop(&graph.unreachable(&[7]).plan(), 1, 6));
    // The latch leads there, and what is no way out comes after the loop with it.
    let lists = [vec![1], vec![2], vec![3, 4], vec![1, 5], vec![], vec![]];
    let graph = Hinted::new(&lists).convergent(&[4]);
    assert!(is_in_loop(&graph.plan(), 1, 4));
    assert!(!is_in_loop(&graph.unreachable(&[5]).plan(), 1, 4));
}

#[test]
fn options_say_what_is_assumed() {
    // loop { if a { 2: ballot; break }; if b { 4: ballot; break } } 5
    let graph = Hinted::new(&[vec![1], vec![2, 3], vec![5], vec![4, 1], vec![5], vec![]]).convergent(&[2, 4]);
    let inside = |break_blocks: BreakBlocks| {
        let plan = graph.plan_with(&Options::new().break_blocks(break_blocks));
        (is_in_loop(&plan, 1, 2), is_in_loop(&plan, 1, 4), plan.assumptions.len())
    };
    assert_eq!(inside(BreakBlocks::Ordinary), (false, false, 2), "one leaves from the header, one from the latch");
    assert_eq!(inside(BreakBlocks::Inside), (true, false, 2));
    assert_eq!(inside(BreakBlocks::Outside), (false, false, 2));
    // Hints can be left unread.
    let hinted = graph.repeats(1, Some(5), None);
    let plan = hinted.plan();
    assert!(is_in_loop(&plan, 1, 2) && is_in_loop(&plan, 1, 4));
    let plan = hinted.plan_with(&Options::new().merges(MergeRule::PostDominators));
    assert!(!is_in_loop(&plan, 1, 2) && !is_in_loop(&plan, 1, 4));
}

/// Whatever hints say, the plan is valid and does the same.
#[test]
fn any_hints_give_valid_plans() {
    let kinds =
        [generate::reducible, generate::irreducible, generate::structured, generate::loop_simplified, generate::wild];
    for generate in kinds {
        for (seed, size) in (0..120).zip([4, 6, 9, 14, 30].into_iter().cycle()) {
            let mut random = Random::new(seed * 31 + size as u64);
            let lists = generate(&mut random, size);
            let count = lists.successors.len();
            let unreachable = (0..count).map(|block| lists.successors[block].is_empty() && random.chance(50)).collect();
            let mut graph = Hinted { lists, hints: Vec::new(), unreachable };
            for _ in 0..count {
                let mut any = |percent: usize| random.chance(percent).then(|| InputBlock::new(random.below(count)));
                let (selection_merge, merge, continue_target) = (any(40), any(60), any(60));
                let repeats = random.chance(50).then_some(LoopHint { merge, continue_target });
                graph.hints.push(Hints { selection_merge, repeats });
            }
            for block in 0..count {
                let seen = [Convergence::Quad, Convergence::Lanes][random.below(2)];
                graph.lists.convergence[block] = if random.chance(30) { seen } else { Convergence::None };
            }
            graph.plan();
            graph.plan_with(&Options::new().nesting_limit(3).chain_limit(1));
        }
    }
}

/// Which blocks are reached from `from` without `without`.
fn reach(lists: &Lists, from: usize, without: usize) -> Vec<bool> {
    let mut seen = vec![false; lists.successors.len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if at != without && !std::mem::replace(&mut seen[at], true) {
            stack.extend(lists.targets(at));
        }
    }
    seen
}

/// By brute force: what a hinted header dominates, and no named block leads to, is inside of its loop.
#[test]
fn nothing_leaves_a_hinted_loop_but_through_its_merge() {
    let mut held = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed + 7_000);
        let lists = generate::reducible(&mut random, 6 + seed as usize % 20);
        let count = lists.successors.len();
        let is_reached = reach(&lists, lists.entry, usize::MAX);
        let dominates = |above: usize, below: usize| {
            is_reached[below] && (above == lists.entry || !reach(&lists, lists.entry, above)[below])
        };
        let headers: Vec<usize> = (0..count)
            .filter(|&header| {
                is_reached[header]
                    && (0..count).any(|source| dominates(header, source) && lists.targets(source).contains(&header))
            })
            .collect();
        let mut graph =
            Hinted { lists: lists.clone(), hints: vec![Hints::default(); count], unreachable: vec![false; count] };
        let mut named = Vec::new();
        for &header in &headers {
            let is_outside = |block: usize| dominates(header, block) && !reach(&lists, block, usize::MAX)[header];
            let outside: Vec<usize> = (0..count).filter(|&block| is_outside(block)).collect();
            let merge = (!outside.is_empty()).then(|| outside[random.below(outside.len())]);
            named.extend(merge);
            graph = graph.repeats(header, merge, None);
        }
        let plan = graph.plan();
        for &header in &headers {
            for block in (0..count).filter(|&block| dominates(header, block)) {
                let leads = |&merge: &usize| reach(&lists, merge, header)[block];
                if !named.iter().any(leads) {
                    assert!(is_in_loop(&plan, header, block), "b{block} left b{header}: {graph:?}\n{}", show(&plan));
                    held += 1;
                }
            }
        }
    }
    assert!(held > 1_000, "{held}");
}
