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

/// A number of live values that is never too high.
pub(super) const FEW: u32 = 16;
/// The maximal number of rounds.
const ROUNDS: u32 = 6;

/// The pressure of a function before and after code motion, and the moves that it prevented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PressureReport {
    /// The maximal number of live values in a block before code motion. Counted only if all moves together give a high pressure.
    pub before: Option<u32>,
    /// The same after code motion. Counted only if there are moves.
    pub after: Option<u32>,
    /// The number of instructions that stayed because of the limit although another block is cheaper.
    pub kept: usize,
}

/// The plan of moves without those that would exceed the limit.
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

/// Selects moves to undo: those whose upper block is above a block that exceeds the limit, at most this many, the least profitable first;
/// all moves if there is no such move.
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
