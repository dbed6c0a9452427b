//! Unrolls loops completely: one copy of the body for each iteration, and no loop.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and convergence; a barrier in the body exists once for each
//! iteration, which is the meaning of unrolling. *Breaks* nothing. Idempotent.
//!
//! ```text
//! loop ^h(%zero) …                                   body with 0 for %i
//! ^h(%i): branch_if (%i < 3) ^body ^exit      ⇒      body with 1 for %i
//! ^body: …  branch ^h(%i + 1)                        body with 2 for %i
//! ```
//!
//! A loop is unrolled if its trip count is known (`reconverge_analysis::trip_count`) and
//!
//! - its loop control has `Unroll`, and the copies are within the limit for such loops. Other exits of the loop stay, and so does a test of
//!   which only an upper bound is known, in every copy but the last; or
//! - it has no loop control, the count is exact, no other edge leads to its break block, and the copies are few and small.
//!
//! A counter may be a variable: its loads are constants in the copies. If a copy could not be left otherwise, exits go through the continue
//! target with a flag. If a loop with `Unroll` cannot be unrolled, the pass returns an error, by the same rule as the diagnosis F06
//! (`reconverge_analysis::trip_count::FullUnrolls`); an unreachable loop is ignored.
//!
//! Loops without an inner loop that is unrolled come first. Then the remaining loops are checked again, since a counter that became
//! constant may determine the trip count of an inner loop. `iterations/` describes copies and convergence.
//!
//! Termination: each round removes loops; the loops that it copies nest less deep. Each round writes at least one copy, and the limits
//! bound their number. Linear in function and copies for each round; there are at most as many rounds as nested loops.

use reconverge_analysis::trip_count::{Counted, FullUnroll, FullUnrolls, Specialization, TripCount, TripCounts};
use reconverge_analysis::{Extents, LoopControl};
use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::DemandCode;
use super::blocks::{remove_settled_parameters, repair_failed};
use super::iterations::{Before, Copied, LoopShape, Rest, Tested, divert_exits, innermost_of, prepare, write_out};
use super::order::put_dominators_first;
use super::view::{make_tree_shaped, tree_of};
use reconverge_rewrite::capabilities::Carriable;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::ssa_repair::repair_ssa;

/// Limits of unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnrollLimits {
    /// The maximal number of instructions of the copies of a loop without `Unroll`.
    pub automatic: usize,
    /// The maximal number of instructions of the copies of a loop with `Unroll`.
    pub forced: usize,
    /// The maximal number of instructions of all copies in a function.
    pub total: usize,
}

impl Default for UnrollLimits {
    fn default() -> UnrollLimits {
        UnrollLimits { automatic: 128, forced: FullUnroll::LIMIT as usize, total: 1 << 20 }
    }
}

/// Unrolls loops within [`UnrollLimits::default`]. Returns whether anything changed. See the description of this file.
///
/// # Errors
/// Does the same as [`loop_unroll_within`], with the default limits.
pub fn loop_unroll(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    loop_unroll_within(module, function, &UnrollLimits::default())
}

/// Unrolls loops. Returns whether anything changed.
///
/// # Errors
/// The function is not structured. [`DemandCode`], at the `loop`, if a loop with `Unroll` cannot be unrolled:
/// `unroll-infinite`, `unroll-unknown` (no known trip count), `unroll-growth` (exceeds a limit), `unroll-shape`.
pub fn loop_unroll_within(module: &mut Module, function: Function, limits: &UnrollLimits) -> Result<bool, Diagnostic> {
    if module.entry(function).is_none() {
        return Ok(false);
    }
    let (mut tree, changed) = make_tree_shaped(module, function)?;
    let mut unrolling = Unrolling { limits, written: 0, refused: FxHashMap::default(), changed };
    loop {
        let counts = TripCounts::compute(module, function);
        let chosen = unrolling.choose(module, &tree, &counts);
        if chosen.is_empty() {
            unrolling.check_demands(module, function, &tree, &counts)?;
            break;
        }
        unrolling.unroll(module, function, chosen)?;
        tree = tree_of(module, function)?;
    }
    // The arguments of the first iteration are no longer arguments in its copy; in unreachable code they may be defined after it.
    if unrolling.changed {
        put_dominators_first(module, function);
    }
    Ok(unrolling.changed)
}

struct Unrolling<'a> {
    limits: &'a UnrollLimits,
    written: usize,
    /// Loops that cannot be unrolled, by header, with the reason.
    refused: FxHashMap<Block, &'static str>,
    changed: bool,
}

/// A trip count, and what the test does before it certainly leaves.
struct KnownTrips {
    counted: Counted,
    before: Before,
}

impl KnownTrips {
    fn copied(&self) -> Copied<'_> {
        let Counted { test, repeats, counters, .. } = &self.counted;
        let tested = Tested { test: *test, repeats: *repeats, before: self.before };
        Copied { count: repeats + 1, rest: Rest::Nothing, test: Some(tested), counters }
    }
}

/// Redirects exits through continue targets if copies could not be left otherwise. Returns whether there was such a loop.
fn divert(module: &mut Module, function: Function, chosen: &[(Construct, KnownTrips)]) -> Result<bool, Diagnostic> {
    let tree = tree_of(module, function)?;
    let shapes = chosen.iter().filter_map(|(construct, known)| {
        let shape = LoopShape::gather(module, &tree, *construct)?;
        shape.must_divert(module, &known.copied()).then_some(shape)
    });
    let shapes: Vec<LoopShape> = shapes.collect();
    if shapes.is_empty() {
        return Ok(false);
    }
    let original = OriginalDominance::compute(module, function);
    shapes.iter().for_each(|shape| divert_exits(module, shape));
    repair_ssa(module, function, &original).map_err(|error| repair_failed(module, error))?;
    Ok(true)
}

impl Unrolling<'_> {
    /// The loops that are unrolled in this round, with their counts.
    fn choose(&self, module: &Module, tree: &ControlTree, counts: &TripCounts) -> Vec<(Construct, KnownTrips)> {
        let extents = Extents::compute(module, tree);
        let mut known: FxHashMap<Construct, KnownTrips> = FxHashMap::default();
        for data in tree.constructs().filter(|data| data.kind == ConstructKind::Loop) {
            let Some(header) = data.loop_header.filter(|header| !self.refused.contains_key(header)) else { continue };
            if let Some(decided) = self.decide(module, data, extents.size(tree, data.name()), counts.trip_count(header))
            {
                known.insert(data.name(), decided);
            }
        }
        let chosen: FxHashSet<Construct> = known.keys().copied().collect();
        let innermost = innermost_of(tree, &chosen);
        innermost.into_iter().filter_map(|construct| Some((construct, known.remove(&construct)?))).collect()
    }

    fn decide(&self, module: &Module, data: &ConstructData, size: usize, count: &TripCount) -> Option<KnownTrips> {
        let control = LoopControl::of(module, module.terminator(data.opener)?);
        let (counted, before) = match count {
            TripCount::Exact(counted) => (counted, Before::Stays),
            TripCount::AtMost(counted) if control.is_unroll() => (counted, Before::MayLeave),
            _ => return None,
        };
        let is_wanted = match control.is_unroll() {
            true => self.is_within(counted, size, self.limits.forced),
            false => control.is_silent() && counted.exits == 1 && self.is_within(counted, size, self.limits.automatic),
        };
        is_wanted.then(|| KnownTrips { counted: counted.clone(), before })
    }

    fn is_within(&self, counted: &Counted, size: usize, limit: usize) -> bool {
        let copies = usize::try_from(counted.repeats).ok().and_then(|repeats| repeats.checked_add(1));
        let written = copies.and_then(|copies| copies.checked_mul(size));
        written.is_some_and(|written| written <= limit && self.written + written <= self.limits.total)
    }

    fn unroll(
        &mut self,
        module: &mut Module,
        function: Function,
        chosen: Vec<(Construct, KnownTrips)>,
    ) -> Result<(), Diagnostic> {
        for (construct, _) in &chosen {
            let opening = module.terminator(construct.opener()).expect("invariant: an opener has a terminator");
            self.changed |= prepare(module, opening);
        }
        self.changed |= divert(module, function, &chosen)?;
        let tree = tree_of(module, function)?;
        let extents = Extents::compute(module, &tree);
        let shapes = chosen.into_iter().filter_map(|(construct, known)| {
            Some((LoopShape::gather(module, &tree, construct)?, extents.size(&tree, construct), known))
        });
        let shapes: Vec<(LoopShape, usize, KnownTrips)> = shapes.collect();
        let carriable = Carriable::compute(module);
        let mut settled = Vec::new();
        for (shape, size, known) in &shapes {
            let (counted, copied) = (&known.counted, known.copied());
            if let Some(why) = shape.refusal(module, &copied, carriable) {
                self.refused.insert(shape.header, why);
                continue;
            }
            let size = size * (counted.repeats as usize + 1);
            if self.written + size > self.limits.total {
                self.refused.insert(shape.header, "there would be too many copies");
                continue;
            }
            self.written += size;
            self.changed = true;
            settled.extend(write_out(module, shape, &copied));
            settled.push(shape.exit);
        }
        remove_unreachable(module, function);
        remove_settled_parameters(module, &settled);
        Ok(())
    }

    /// No unrolling that a reachable loop requires was omitted.
    fn check_demands(
        &self,
        module: &Module,
        function: Function,
        tree: &ControlTree,
        counts: &TripCounts,
    ) -> Result<(), Diagnostic> {
        let mut judged = None;
        for data in tree.constructs().filter(|data| data.kind == ConstructKind::Loop) {
            let (Some(opening), Some(header)) = (module.terminator(data.opener), data.loop_header) else { continue };
            let is_done = *counts.trip_count(header) == TripCount::NeverRepeats;
            if is_done || !LoopControl::of(module, opening).is_unroll() {
                continue;
            }
            let judged = judged.get_or_insert_with(|| self.judge(module, function));
            let Some((code, why)) = self.missed(header, judged) else { continue };
            let message = format!("the loop must be unrolled, but {why}");
            return Err(Diagnostic::new(code, opening.inst(), message));
        }
        Ok(())
    }

    /// The decision about the remaining loops: as they are, and with the default values of specialization constants.
    fn judge(&self, module: &Module, function: Function) -> [FullUnrolls; 2] {
        let limit = self.limits.forced as u64;
        [Specialization::Open, Specialization::Default]
            .map(|specialization| FullUnrolls::compute(module, function, specialization, limit))
    }

    /// The reason why a loop with `Unroll` is not unrolled, if there is a reason.
    fn missed(&self, header: Block, [open, default]: &[FullUnrolls; 2]) -> Option<(DemandCode, String)> {
        let judgement = open.full_unroll(header)?;
        let code = match (judgement, self.refused.get(&header)) {
            (_, Some(why)) => return Some((DemandCode::UnrollShape, (*why).to_owned())),
            (FullUnroll::Infinite, _) => DemandCode::UnrollInfinite,
            (FullUnroll::Unknown, _) if default.full_unroll(header) == Some(&FullUnroll::Possible) => {
                let why = "its trip count depends on specialization constants, which have no values yet";
                return Some((DemandCode::UnrollUnknown, why.to_owned()));
            }
            (FullUnroll::Unknown, _) => DemandCode::UnrollUnknown,
            (FullUnroll::TooLarge { .. }, _) => DemandCode::UnrollGrowth,
            (FullUnroll::Possible, _) => {
                let why =
                    format!("the copies in this function would have more than {} instructions", self.limits.total);
                return Some((DemandCode::UnrollGrowth, why));
            }
        };
        Some((code, judgement.reason().unwrap_or_default()))
    }
}
