//! Undoes moves if too many values would be live at once.
//!
//! An instruction that moves up lives longer, and one that moves down extends its operands' lifetimes. Placement ignores both. So first a
//! place is chosen for everything, and live values are counted; if there are many, also those without moves. If a block exceeds the limit,
//! moves whose path could pass it are undone, those that save least first: as many as there are excess values, then twice as many, until
//! the limit is met. An instruction that stays forces its operands to stay above it, so places are chosen again each time.
//!
//! The limit is the maximum of the original function plus a tenth, or [`FEW`] if that is more: below that, registers do not limit a
//! program. At most [`ROUNDS`] rounds, each near-linear; in the last one nothing moves.

use reconverge_ir::{Function, Module};

use super::Placement;
use super::facts::MotionFacts;
use super::live::LiveCounter;
use super::placement::Plan;

/// So many values that live at once are never too many.
pub(super) const FEW: u32 = 16;
/// How often places are chosen again.
const ROUNDS: u32 = 6;

/// The most values that live at once, and what it took to keep them few.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PressureReport {
    /// The most values that lived at once in a block before. Counted where they would have been many with all moves.
    pub before: Option<u32>,
    /// The same after. Counted where anything was to be moved.
    pub after: Option<u32>,
    /// How many instructions had to stay where they were, although another place would have been cheaper.
    pub kept: usize,
}

/// The plan of what moves, without what would make too many values live at once.
pub(super) fn plan_within_limit(
    module: &Module,
    function: Function,
    facts: &mut MotionFacts<'_>,
) -> (Plan, PressureReport) {
    let mut plan = Plan::compute(facts, Placement::Cheapest);
    let mut report = PressureReport::default();
    if plan.moved(facts.body).next().is_none() {
        return (plan, report);
    }
    let counter = LiveCounter::new(module, function, facts.body);
    for round in 0..=ROUNDS {
        let counts = counter.count(facts.body, plan.places());
        let after = highest(&counts);
        report.after = Some(after);
        if after <= FEW || round == ROUNDS {
            break;
        }
        let before = *report.before.get_or_insert_with(|| highest(&counter.count(facts.body, facts.body.blocks())));
        let limit = (before + before / 10).max(FEW);
        if after <= limit {
            break;
        }
        if round + 1 == ROUNDS {
            report.kept += plan.moved(facts.body).count();
            facts.pin_all();
        } else {
            let share = ((after - limit) as usize) << round;
            let stay = choose(facts, &plan, &counts, limit, share);
            report.kept += stay.len();
            stay.into_iter().for_each(|inst| facts.pin(inst));
        }
        plan = Plan::compute(facts, Placement::Cheapest);
    }
    (plan, report)
}

fn highest(counts: &[u32]) -> u32 {
    counts.iter().copied().max().unwrap_or(0)
}

/// Moves to take back: at most so many of those whose upper block is above one with too many values, the least useful first; all that
/// move if none is.
fn choose(facts: &MotionFacts<'_>, plan: &Plan, counts: &[u32], limit: u32, share: usize) -> Vec<u32> {
    let body = facts.body;
    let mut full_before = vec![0_u32; counts.len() + 1];
    for (block, &count) in counts.iter().enumerate() {
        full_before[block + 1] = full_before[block] + u32::from(count > limit);
    }
    let is_suspect = |inst: u32| {
        let upper = plan.place(inst).min(body.block_of(inst));
        let below = body.below(upper);
        full_before[below.end as usize] > full_before[below.start as usize]
    };
    let mut suspects: Vec<u32> = plan.moved(body).filter(|&inst| is_suspect(inst)).collect();
    if suspects.is_empty() {
        return plan.moved(body).collect();
    }
    let gain = |inst: u32| facts.ways.cost(body.block_of(inst)).saturating_sub(facts.ways.cost(plan.place(inst)));
    suspects.sort_by_key(|&inst| (gain(inst), inst));
    suspects.truncate(share);
    suspects
}
