//! The check of one plan, by independent checkers that share nothing with the structurizer.

use reconverge_plan_check::{Lists, rules, show, trace};
use reconverge_structurize::{Convergence, InputBlock, LoopHint, Options, Plan, structurize};

use super::tally::{Culprit, Fault, FaultKind};
use crate::plain_graph::{Ending, PlainGraph};
use crate::random::{Random, mix};

/// The result of one test.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All checks passed.
    Fine {
        /// Reachable blocks before.
        before: usize,
        /// Blocks after.
        after: usize,
        /// True if traces are equal for decisions of any length, not only up to the limit.
        is_complete: bool,
    },
    /// A check failed.
    Fault(Fault),
}

/// The maximal number of blocks of a plan: four for each block and eight, and one for each edge after the second of a block.
pub fn block_bound(graph: &PlainGraph) -> usize {
    let reached = graph.reached();
    let blocks = (0..graph.len()).filter(|&block| reached[block]);
    blocks.map(|block| 4 + graph.successor_count(block).saturating_sub(2)).sum::<usize>() + 8
}

/// Structurizes a graph and checks: within the limits, no fallback, every rule, the block bound, equal traces.
pub fn judge_plan(graph: &PlainGraph, options: &Options) -> Verdict {
    match judge(graph, &to_lists(graph), options) {
        Ok(verdict) => verdict,
        Err((kind, message, plan)) => {
            let plan = plan.as_ref().map(show).unwrap_or_default();
            let message = format!("{message}\n{graph}\n{plan}");
            Verdict::Fault(Fault::new(kind, message).on(Culprit::Graph(graph.clone(), options.clone())))
        }
    }
}

/// The same for a graph with random hints and convergent blocks. A hint is never an error; the plan must be as valid as without. The block
/// bound is not checked: blocks that a hint keeps in a loop may cost more.
pub fn judge_hinted(graph: &PlainGraph, seed: u64, options: &Options) -> Verdict {
    let mut lists = to_lists(graph);
    let mut random = Random::new(mix(seed) ^ 0x4117);
    let count = graph.len();
    let some =
        |percent: usize, random: &mut Random| random.chance(percent).then(|| InputBlock::new(random.below(count)));
    for block in 0..count {
        let seen = if random.chance(50) { Convergence::Quad } else { Convergence::Lanes };
        lists.convergence[block] = if random.chance(20) { seen } else { Convergence::None };
        lists.hints[block].selection_merge = some(30, &mut random);
        if random.chance(15) {
            let (merge, continue_target) = (some(80, &mut random), some(70, &mut random));
            lists.hints[block].repeats = Some(LoopHint { merge, continue_target });
        }
    }
    match judge_plan_of(&lists, options) {
        Ok((plan, is_complete)) => {
            let before = plan.statistics().input_blocks;
            Verdict::Fine { before, after: plan.blocks.len(), is_complete }
        }
        Err((kind, message, plan)) => {
            let plan = plan.as_ref().map(show).unwrap_or_default();
            Verdict::Fault(Fault::new(kind, format!("{message}\nseed {seed} {options:?}\n{lists:?}\n{graph}\n{plan}")))
        }
    }
}

type Failure = (FaultKind, String, Option<Plan>);

fn judge(graph: &PlainGraph, lists: &Lists, options: &Options) -> Result<Verdict, Failure> {
    let (plan, is_complete) = judge_plan_of(lists, options)?;
    let bound = block_bound(graph);
    if plan.blocks.len() > bound {
        let message = format!("{} blocks, the bound is {bound}", plan.blocks.len());
        return Err((FaultKind::Growth, message, Some(plan)));
    }
    let before = plan.statistics().input_blocks;
    Ok(Verdict::Fine { before, after: plan.blocks.len(), is_complete })
}

/// The plan, checked except for the block bound, and whether every state was visited.
fn judge_plan_of(lists: &Lists, options: &Options) -> Result<(Plan, bool), Failure> {
    let plan = structurize(lists, options).map_err(|error| (FaultKind::Invalid, error.to_string(), None))?;
    if let Some(fallback) = plan.fell_back {
        return Err((FaultKind::Fallback, fallback.to_string(), Some(plan)));
    }
    if let Err(message) = rules::check(lists, &plan) {
        return Err((FaultKind::Invalid, message, Some(plan)));
    }
    match trace::compare(lists, &plan) {
        Ok(walked) => Ok((plan, walked.is_complete)),
        Err(message) => Err((FaultKind::Unequal, message, Some(plan))),
    }
}

/// The graph as input of the structurizer.
pub(super) fn to_lists(graph: &PlainGraph) -> Lists {
    let mut lists = Lists::new(&graph.to_successors());
    for block in 0..graph.len() {
        lists.switches[block] = graph.ending(block) == Ending::Switch;
    }
    lists
}
