//! Reads see the same memory as before.
//!
//! - C5: between the new place of a read and each of its old places, no path contains an instruction that may write its memory. One of the
//!   two places dominates the other, so that the value of one can be the value of the other.
//!
//! ```text
//!   upper ──▶ store %q ──▶ lower     not held if %q and what is read may be the same memory
//!     ▲ └──▶      …     ──────▲      held on this path; paths that come to `upper` again read again, and do not count further back
//! ```
//!
//! Each moved read costs a backwards traversal from the lower place to the upper one.

use std::collections::HashSet;

use reconverge_ir::{Inst, view};

use super::Motion;
use super::memory::{Read, may_change};
use super::origins::{EffectPlace, Moved};
use super::places::Target;
use crate::Code;
use crate::report::Report;

/// Checks C5 for every read that moved.
pub(super) fn verify_reads(report: &mut Report<'_>, motion: &Motion<'_, '_>, moved: &[Moved]) {
    for Moved { inst, to, from } in moved {
        let read = Read::of(motion.after.module, *inst);
        if matches!(read, Read::Nothing) {
            continue;
        }
        for &old in from {
            match is_clean(motion, *to, old, &read) {
                Some(true) => {}
                Some(false) => {
                    report.at(Code::C5, *inst, "its memory may be written between its old place and its new place")
                }
                None => report.at(Code::C5, *inst, "it was read on paths that do not pass its new place"),
            }
        }
    }
}

/// Tests whether nothing is written between two places; `None` if neither dominates the other.
fn is_clean(motion: &Motion<'_, '_>, one: EffectPlace, other: EffectPlace, read: &Read) -> Option<bool> {
    if !motion.dominance.is_reachable(one.block) || !motion.dominance.is_reachable(other.block) {
        return Some(true);
    }
    let (upper, lower) = match (is_above(motion, one, other), is_above(motion, other, one)) {
        (true, _) => (one, other),
        (_, true) => (other, one),
        _ => return None,
    };
    Some(!is_written_between(motion, upper, lower, read))
}

fn is_above(motion: &Motion<'_, '_>, upper: EffectPlace, lower: EffectPlace) -> bool {
    match upper.block == lower.block {
        true => upper.step <= lower.step,
        false => motion.dominance.dominates(upper.block, lower.block),
    }
}

/// Goes backwards from the lower place to the upper one. Linear in the blocks between.
pub(super) fn is_written_between(motion: &Motion<'_, '_>, upper: EffectPlace, lower: EffectPlace, read: &Read) -> bool {
    let module = motion.after.module;
    let writes = |block: u32, from: u32, to: u32| {
        let fixed = &motion.steps.fixed(block)[from as usize..to as usize];
        fixed.iter().any(|&inst| may_change(module, inst, read))
    };
    if upper.block == lower.block {
        return writes(upper.block, upper.step, lower.step);
    }
    if writes(lower.block, 0, lower.step) {
        return true;
    }
    let (mut known, mut pending) = (HashSet::new(), vec![lower.block]);
    while let Some(block) = pending.pop() {
        for source in motion.graph.predecessors(block).filter(|&source| motion.dominance.is_reachable(source)) {
            if !known.insert(source) {
                continue;
            }
            let from = if source == upper.block { upper.step } else { 0 };
            if writes(source, from, motion.steps.end(source).step) {
                return true;
            }
            if source != upper.block {
                pending.push(source);
            }
        }
    }
    false
}

/// Returns whether a load read the value of the last store on each path to it, through the same pointer; or the initial value of a
/// variable.
pub(super) fn is_forwarded(motion: &Motion<'_, '_>, load: Inst, stored: Inst) -> bool {
    let (before, origins) = (motion.before.module, motion.origins);
    let Some(lower) = place_before(motion, load) else { return false };
    let Some(view::Load { pointer: loaded, .. }) = view::Load::of(before, load) else { return false };
    let pointer = origins.representative(loaded);
    let read = Read::Target(Target::of(before, loaded));
    let follows = |written: Inst| {
        let Some(place) = place_before(motion, written) else { return false };
        let upper = EffectPlace { step: place.step + 1, ..place };
        is_above(motion, upper, lower) && !is_written_between(motion, upper, lower, &read)
    };
    let initializer = view::Variable::of(before, pointer).and_then(|variable| variable.initializer);
    if initializer == Some(stored) && follows(pointer) {
        return true;
    }
    let values = [origins.representative(stored)].into_iter().chain(origins.replaced_by(stored).iter().copied());
    let mut stores =
        values.filter(|&value| value.index() < before.capacity() && before.is_live(value)).flat_map(|value| {
            let users = before.uses(value).map(|used| used.user);
            let stores = users.filter_map(|user| Some((user, view::Store::of(before, user)?)));
            stores.filter(move |(_, store)| store.object == value)
        });
    stores.any(|(inst, store)| origins.representative(store.pointer) == pointer && follows(inst))
}

/// The old place of an instruction, if it was in this function.
pub(super) fn place_before(motion: &Motion<'_, '_>, inst: Inst) -> Option<EffectPlace> {
    let body = motion.before;
    let block = body.module.block_of(inst).filter(|_| body.module.function_of(inst) == Some(motion.function()))?;
    let block = body.number(block) as u32;
    Some(EffectPlace { block, step: motion.steps.step(body, block, inst) })
}
