//! Unrolls loops completely: one copy of the body for each iteration, and no loop.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and who executes what together; a barrier in the body is
//! there once for each iteration, which is what unrolling means. *Breaks* nothing. Idempotent.
//!
//! ```text
//! loop ^h(%zero) …                                   body with 0 for %i
//! ^h(%i): branch_if (%i < 3) ^body ^exit      ⇒      body with 1 for %i
//! ^body: …  branch ^h(%i + 1)                        body with 2 for %i
//! ```
//!
//! A loop is taken if its trip count is known (`reconverge_analysis::trip_count`) and
//!
//! - its loop control says `Unroll`, and the copies stay within the limit for these; other ways out of the loop stay, and so does
//!   a test of which only an upper bound is known, in every copy but the last; or
//! - it says nothing, the count is exact, nothing else goes to its break block, and the copies are few and small.
//!
//! Loops that contain none of the others taken come first; what they leave is looked at again, since a counter that has become a
//! constant may tell the trip count of a loop inside. How a copy is made and where lanes come together: `iterations/`.
//!
//! Termination: each round takes loops away; what it copies are loops inside them, which nest less deep. And each round writes
//! at least one copy, of which the limits allow so many. Linear in function and copies for each round; there are at most as many
//! rounds as loops nest.

use reconverge_analysis::trip_count::{Counted, TripCount, TripCounts};
use reconverge_ir::control_tree::{Construct, ConstructData, ConstructKind, ControlTree};
use reconverge_ir::{Block, Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::StructuredError;
use super::blocks::remove_settled_parameters;
use super::iterations::{Before, Copied, Extents, Rest, Shape, Tested, innermost_of, prepare, write_out};
use super::loop_control::LoopControl;
use super::view::{make_tree_shaped, tree_of};
use crate::capabilities::Carriable;
use crate::remove_unreachable::remove_unreachable;

/// How much unrolling may write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnrollLimits {
    /// Instructions that the copies of a loop may have if nobody demands them.
    pub automatic: usize,
    /// Instructions that the copies of a loop may have if its control says `Unroll`.
    pub forced: usize,
    /// Instructions that all copies in a function may have.
    pub total: usize,
}

impl Default for UnrollLimits {
    fn default() -> UnrollLimits {
        UnrollLimits { automatic: 128, forced: 1 << 16, total: 1 << 20 }
    }
}

/// Unrolls loops within [`UnrollLimits::default`]. Whether anything changed. See the file's head.
///
/// # Errors
/// As [`unroll_loops_within`].
pub fn unroll_loops(module: &mut Module, function: Function) -> Result<bool, StructuredError> {
    unroll_loops_within(module, function, &UnrollLimits::default())
}

/// Unrolls loops. Whether anything changed.
///
/// # Errors
/// The function has no control tree. [`StructuredError::Impossible`], at the `loop`, for one that must be unrolled and cannot be:
/// `unroll-infinite`, `unroll-unknown` (no trip count is known), `unroll-growth` (past a limit), `unroll-shape`.
pub fn unroll_loops_within(
    module: &mut Module,
    function: Function,
    limits: &UnrollLimits,
) -> Result<bool, StructuredError> {
    if module.entry(function).is_none() {
        return Ok(false);
    }
    let changed = make_tree_shaped(module, function)?;
    let mut unrolling = Unrolling { limits, written: 0, refused: FxHashMap::default(), changed };
    loop {
        let (tree, counts) = (tree_of(module, function)?, TripCounts::compute(module, function));
        let chosen = unrolling.choose(module, &tree, &counts);
        if chosen.is_empty() {
            unrolling.hold_demands(module, &tree, &counts)?;
            return Ok(unrolling.changed);
        }
        unrolling.unroll(module, function, chosen)?;
    }
}

struct Unrolling<'a> {
    limits: &'a UnrollLimits,
    written: usize,
    /// Loops that cannot be written out, by header, and why.
    refused: FxHashMap<Block, &'static str>,
    changed: bool,
}

/// A trip count, and what the test does before it is sure to leave.
struct Known {
    counted: Counted,
    before: Before,
}

impl Unrolling<'_> {
    /// The loops that are taken in this round, with their counts.
    fn choose(&self, module: &Module, tree: &ControlTree, counts: &TripCounts) -> Vec<(Construct, Known)> {
        let extents = Extents::compute(module, tree);
        let mut known: FxHashMap<Construct, Known> = FxHashMap::default();
        for data in tree.constructs().filter(|data| data.kind == ConstructKind::Loop) {
            let Some(header) = data.loop_header.filter(|header| !self.refused.contains_key(header)) else { continue };
            if let Some(decided) =
                self.decide(module, (data, extents.size(tree, data.name())), counts.trip_count(header))
            {
                known.insert(data.name(), decided);
            }
        }
        let chosen: FxHashSet<Construct> = known.keys().copied().collect();
        let innermost = innermost_of(tree, &chosen);
        innermost.into_iter().filter_map(|construct| Some((construct, known.remove(&construct)?))).collect()
    }

    fn decide(&self, module: &Module, (data, size): (&ConstructData, usize), count: &TripCount) -> Option<Known> {
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
        is_wanted.then(|| Known { counted: counted.clone(), before })
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
        chosen: Vec<(Construct, Known)>,
    ) -> Result<(), StructuredError> {
        for (construct, _) in &chosen {
            let opening = module.terminator(construct.opener()).expect("invariant: an opener has a terminator");
            self.changed |= prepare(module, opening);
        }
        let tree = tree_of(module, function)?;
        let shapes =
            chosen.into_iter().filter_map(|(construct, known)| Some((Shape::gather(module, &tree, construct)?, known)));
        let shapes: Vec<(Shape, Known)> = shapes.collect();
        let carriable = Carriable::compute(module);
        let mut settled = Vec::new();
        for (shape, Known { counted, before }) in &shapes {
            let tested = Tested { test: counted.test, repeats: counted.repeats, before: *before };
            let copied = Copied {
                count: counted.repeats + 1,
                rest: Rest::Nothing,
                test: Some(tested),
                counters: &counted.counters,
            };
            if let Some(why) = shape.refusal(module, &copied, carriable) {
                self.refused.insert(shape.header, why);
                continue;
            }
            let size = shape.size(module) * (counted.repeats as usize + 1);
            if self.written + size > self.limits.total {
                self.refused.insert(shape.header, "the copies would be too many");
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

    /// Nobody demands what was not done.
    fn hold_demands(&self, module: &Module, tree: &ControlTree, counts: &TripCounts) -> Result<(), StructuredError> {
        for data in tree.constructs().filter(|data| data.kind == ConstructKind::Loop) {
            let (Some(opening), Some(header)) = (module.terminator(data.opener), data.loop_header) else { continue };
            if !LoopControl::of(module, opening).is_unroll() {
                continue;
            }
            let (code, why) = match (counts.trip_count(header), self.refused.get(&header)) {
                (TripCount::NeverRepeats, _) => continue,
                (_, Some(why)) => ("unroll-shape", (*why).to_owned()),
                (TripCount::Infinite, _) => ("unroll-infinite", "it never ends".to_owned()),
                (TripCount::Unknown, _) => ("unroll-unknown", "how often it repeats is not known".to_owned()),
                (TripCount::Exact(counted) | TripCount::AtMost(counted), _) => (
                    "unroll-growth",
                    format!("with {} repeats it would need more instructions than the limits allow", counted.repeats),
                ),
            };
            let message = format!("the loop must be unrolled, but {why}");
            return Err(StructuredError::Impossible { code, inst: opening.into(), message });
        }
        Ok(())
    }
}
