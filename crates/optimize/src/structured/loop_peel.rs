//! Peels loops: emits the first iterations before the loop, which continues from there.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and convergence; peeled instructions exist once more for each
//! peeled iteration. *Breaks* nothing. Idempotent: the loop control is removed after peeling, and the condition that was the reason is
//! constant then.
//!
//! ```text
//! loop ^h(%true, %a) …                           first iteration, %true for %first
//! ^h(%first, %x): if %first …            ⇒       loop ^h(%a.1) …
//!   branch ^h(%false, %a)                        ^h(%x): if %false …
//! ```
//!
//! A loop is peeled if its loop control has a `PeelCount`; or if its header has a boolean parameter that is one constant in the first
//! iteration and the other one in all others, the body is small, and it contains no convergent operation: a barrier is not copied unless
//! requested. `lower_continue_constructs` creates such loops.
//!
//! Inner loops come first. `iterations/` describes copies and convergence. Termination: each loop is processed once, and copies contain
//! only loops that were processed. Linear in function and copies for each level of nesting.

use reconverge_analysis::trip_count::{TripCount, TripCounts};
use reconverge_analysis::{Extents, LoopControl};
use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Node};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::DemandCode;
use super::blocks::remove_settled_parameters;
use super::iterations::{Before, Copied, LoopShape, Rest, Tested, innermost_of, prepare, write_out};
use super::order::put_dominators_first;
use super::view::{make_tree_shaped, tree_of};
use reconverge_rewrite::capabilities::Carriable;
use reconverge_rewrite::remove_unreachable::remove_unreachable;

/// The maximal number of instructions of the copies of a loop with `PeelCount`.
const FORCED_LIMIT: usize = 1 << 16;
/// The maximal number of instructions of a loop that is peeled without `PeelCount`.
const AUTOMATIC_LIMIT: usize = 64;

/// Peels loops. Returns whether anything changed. See the description of this file.
///
/// # Errors
/// The function is not structured. [`DemandCode`], at the `loop`, if a loop with `PeelCount` cannot be peeled:
/// `peel-growth` (exceeds the limit), `peel-shape`.
pub fn loop_peel(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if module.entry(function).is_none() {
        return Ok(false);
    }
    let (mut tree, changed) = make_tree_shaped(module, function)?;
    let mut peeling = Peeling { refused: FxHashSet::default(), changed };
    loop {
        let counts = TripCounts::compute(module, function);
        let chosen = peeling.choose(module, &tree);
        if chosen.is_empty() {
            break;
        }
        peeling.peel(module, function, chosen, &counts)?;
        tree = tree_of(module, function)?;
    }
    // The arguments of the first iteration are no longer arguments in its copy; in unreachable code they may be defined after it.
    if peeling.changed {
        put_dominators_first(module, function);
    }
    Ok(peeling.changed)
}

/// The reason why a loop is peeled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Its control gives the number of iterations.
    Demanded(u32),
    /// A condition differs only in the first iteration.
    FirstDiffers,
}

struct Peeling {
    /// Headers of loops that are not peeled, although there is a reason.
    refused: FxHashSet<Block>,
    changed: bool,
}

impl Peeling {
    fn choose(&self, module: &Module, tree: &ControlTree) -> Vec<(Construct, Reason)> {
        let mut reasons: FxHashMap<Construct, Reason> = FxHashMap::default();
        for data in tree.constructs().filter(|data| data.kind == ConstructKind::Loop) {
            if let Some(reason) = self.reason(module, tree, data) {
                reasons.insert(data.name(), reason);
            }
        }
        let chosen: FxHashSet<Construct> = reasons.keys().copied().collect();
        innermost_of(tree, &chosen).into_iter().map(|construct| (construct, reasons[&construct])).collect()
    }

    fn reason(&self, module: &Module, tree: &ControlTree, data: &ConstructData) -> Option<Reason> {
        let control = LoopControl::of(module, module.terminator(data.opener)?);
        if let Some(count) = control.peel_count() {
            return Some(Reason::Demanded(count));
        }
        let header = data.loop_header.filter(|header| !self.refused.contains(header) && !control.is_dont_unroll())?;
        let blocks = tree.blocks_of(Node::Construct(data.name()));
        let inside = || blocks.iter().flat_map(|&block| module.children(block));
        let is_small = inside().nth(AUTOMATIC_LIMIT).is_none();
        let is_convergent = is_small && inside().any(|inst| module.op(inst).effects().is_convergent());
        (is_small && !is_convergent && first_differs(module, header)).then_some(Reason::FirstDiffers)
    }

    fn peel(
        &mut self,
        module: &mut Module,
        function: Function,
        chosen: Vec<(Construct, Reason)>,
        counts: &TripCounts,
    ) -> Result<(), Diagnostic> {
        for (construct, _) in &chosen {
            let opening = module.terminator(construct.opener()).expect("invariant: an opener has a terminator");
            self.changed |= prepare(module, opening);
        }
        let tree = tree_of(module, function)?;
        let shapes: Vec<Option<LoopShape>> =
            chosen.iter().map(|&(construct, _)| LoopShape::gather(module, &tree, construct)).collect();
        let extents = Extents::compute(module, &tree);
        let carriable = Carriable::compute(module);
        let mut settled = Vec::new();
        for ((construct, reason), shape) in chosen.iter().zip(&shapes) {
            let opening = module.terminator(construct.opener()).expect("invariant: an opener has a terminator");
            let control = LoopControl::of(module, opening);
            let planned =
                shape.as_ref().and_then(|shape| Some((shape, plan(*reason, counts.trip_count(shape.header))?)));
            let Some((shape, copied)) = planned else {
                control.after_peeling(0).write(module, opening);
                self.changed |= control.peel_count().is_some();
                continue;
            };
            let refusal = match shape.refusal(module, &copied, carriable) {
                Some(why) => Some((DemandCode::PeelShape, why)),
                None if copied.count as usize > FORCED_LIMIT / extents.size(&tree, *construct).max(1) => {
                    Some((DemandCode::PeelGrowth, "there would be too many copies"))
                }
                None => None,
            };
            match (refusal, reason) {
                (None, _) => {
                    let peeled = u32::try_from(copied.count).unwrap_or(u32::MAX);
                    control.after_peeling(peeled).write(module, opening);
                    settled.extend(write_out(module, shape, &copied));
                    self.changed = true;
                    settled.extend([shape.exit, shape.header]);
                }
                (Some(_), Reason::FirstDiffers) => {
                    self.refused.insert(shape.header);
                }
                (Some((code, why)), Reason::Demanded(count)) => {
                    let iterations =
                        if *count == 1 { "iteration of the loop is" } else { "iterations of the loop are" };
                    let message = format!("{count} {iterations} to be peeled, but {why}");
                    return Err(Diagnostic::new(code, opening.inst(), message));
                }
            }
        }
        remove_unreachable(module, function);
        remove_settled_parameters(module, &settled);
        Ok(())
    }
}

/// The description of the copies; `None` for a loop without a second iteration, which cannot be peeled.
fn plan(reason: Reason, count: &TripCount) -> Option<Copied<'_>> {
    let peeled = match reason {
        Reason::Demanded(count) => u64::from(count),
        Reason::FirstDiffers => 1,
    };
    let (test, counters) = match count {
        TripCount::NeverRepeats => return None,
        TripCount::Exact(counted) => {
            (Some(Tested { test: counted.test, repeats: counted.repeats, before: Before::Stays }), &*counted.counters)
        }
        TripCount::AtMost(_) | TripCount::Infinite | TripCount::Unknown => (None, [].as_slice()),
    };
    let copied = match test {
        Some(Tested { repeats, .. }) if repeats < peeled => {
            Copied { count: repeats + 1, rest: Rest::Nothing, test, counters }
        }
        _ => Copied { count: peeled, rest: Rest::Loop, test, counters },
    };
    (peeled > 0).then_some(copied)
}

/// Returns whether a boolean parameter of a header is one constant in the first iteration and the other one in all others.
fn first_differs(module: &Module, header: Block) -> bool {
    let edges: Vec<_> = module.in_edges(header).map(|edge| edge.terminator).collect();
    let passed = |jump, number| module.arguments(jump).nth(number).map(|value| module.op(value));
    module.parameters(header).enumerate().any(|(number, _)| {
        let (mut first, mut next) = (None, None);
        for &jump in &edges {
            let value = if module.op(jump) == Op::Loop { &mut first } else { &mut next };
            *value = passed(jump, number);
        }
        matches!(
            (first, next),
            (Some(Op::ConstantTrue), Some(Op::ConstantFalse)) | (Some(Op::ConstantFalse), Some(Op::ConstantTrue))
        )
    })
}
