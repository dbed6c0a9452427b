//! Origins of instructions: their old places, and those of the instructions that they replace.
//!
//! - C3: each instruction existed before, or is a copy of one that did; it is the same operation on the same values as each instruction
//!   that it replaces; and replaced instructions are removed.
//!
//! Values are compared by their *representative*: the value that replaces them under the claims; copies are represented by their originals.

use std::collections::{HashMap, HashSet};

use reconverge_ir::{Inst, Module, Op};

use super::parameters::{is_given, is_parameter_held};
use super::reads::is_forwarded;
use super::{Claims, Motion};
use crate::Code;
use crate::report::Report;

/// The claims, by value.
pub(super) struct Origins {
    representatives: HashMap<Inst, Inst>,
    copied: HashMap<Inst, Inst>,
    /// By representative: the values that it represents, in the order of the claims.
    replaced: HashMap<Inst, Vec<Inst>>,
    claims: Vec<(Inst, Inst)>,
}

/// A position relative to instructions with an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EffectPlace {
    pub(super) block: u32,
    /// The number of instructions with an effect before it in the block.
    pub(super) step: u32,
}

/// An instruction that moved, or that replaces one at another place.
pub(super) struct Moved {
    pub(super) inst: Inst,
    pub(super) to: EffectPlace,
    pub(super) from: Vec<EffectPlace>,
}

impl Origins {
    /// Linear in the claims. A cycle of claims is ignored.
    pub(super) fn new(claims: &Claims) -> Origins {
        let direct: HashMap<Inst, Inst> = claims.replaced.iter().copied().collect();
        let copied: HashMap<Inst, Inst> = claims.copies.iter().copied().collect();
        let mut representatives: HashMap<Inst, Inst> = HashMap::new();
        for &start in direct.keys().chain(copied.keys()) {
            let (mut path, mut seen, mut at) = (Vec::new(), HashSet::new(), start);
            while let Some(&next) = direct.get(&at).or_else(|| copied.get(&at)).filter(|_| seen.insert(at)) {
                path.push(at);
                at = representatives.get(&next).copied().unwrap_or(next);
            }
            representatives.extend(path.into_iter().filter(|&value| value != at).map(|value| (value, at)));
        }
        let mut replaced: HashMap<Inst, Vec<Inst>> = HashMap::new();
        for &(gone, _) in &claims.replaced {
            let representative = representatives.get(&gone).copied().unwrap_or(gone);
            replaced.entry(representative).or_default().push(gone);
        }
        Origins { representatives, copied, replaced, claims: claims.replaced.clone() }
    }

    /// The representative of a value.
    pub(super) fn representative(&self, value: Inst) -> Inst {
        self.representatives.get(&value).copied().unwrap_or(value)
    }

    /// The removed values that this one represents.
    pub(super) fn replaced_by(&self, representative: Inst) -> &[Inst] {
        self.replaced.get(&representative).map_or(&[], Vec::as_slice)
    }

    /// Returns whether two instructions are one operation on the same values. Arguments for replaced parameters count as well.
    pub(super) fn is_same(&self, before: &Module, old: Inst, after: &Module, new: Inst) -> bool {
        if !is_one_operation(before, old, after, new) {
            return false;
        }
        let op = before.op(old);
        let olds = before.operands(old).map(|value| self.representative(value));
        let news: Vec<Inst> = after.operands(new).map(|value| self.representative(value)).collect();
        let is_swapped = || {
            let olds: Vec<Inst> = before.operands(old).map(|value| self.representative(value)).collect();
            is_commutative(op) && olds.iter().rev().eq(&news)
        };
        olds.eq(news.iter().copied()) || is_swapped()
    }
}

/// Returns whether two instructions are the same operation, whatever their operands.
pub(super) fn is_one_operation(before: &Module, old: Inst, after: &Module, new: Inst) -> bool {
    before.op(old) == after.op(new)
        && before.ty(old) == after.ty(new)
        && before.operand_count(old) == after.operand_count(new)
}

/// Returns whether operands are commutative. This list is written again here, so that an error in the op table is detected.
pub(super) fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::IAdd
            | Op::FAdd
            | Op::IMul
            | Op::FMul
            | Op::Dot
            | Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::LogicalAnd
            | Op::LogicalOr
            | Op::LogicalEqual
            | Op::LogicalNotEqual
            | Op::IEqual
            | Op::INotEqual
            | Op::PtrEqual
            | Op::PtrNotEqual
            | Op::FOrdEqual
            | Op::FOrdNotEqual
            | Op::FUnordEqual
            | Op::FUnordNotEqual
            | Op::Ordered
            | Op::Unordered
            | Op::IAddCarry
            | Op::UMulExtended
            | Op::SMulExtended
    )
}

/// The moved instructions. Checks C3 for all movable instructions and for every claim. Linear in the function and its claims.
pub(super) fn verify_origins(report: &mut Report<'_>, motion: &Motion<'_, '_>) -> Vec<Moved> {
    let (before, after, origins) = (motion.before, motion.after, motion.origins);
    for &(gone, standing) in &origins.claims {
        if before.module.function_of(gone) == Some(motion.function()) {
            verify_claim(report, motion, gone, standing);
        }
    }
    let mut moved = Vec::new();
    for (block, &at) in (0..).zip(after.blocks) {
        let fixed = motion.steps.fixed(block);
        let mut step = 0;
        for inst in after.module.children(at) {
            if fixed.get(step as usize) == Some(&inst) {
                step += 1;
                continue;
            }
            if after.module.op(inst) == Op::BlockParameter || after.module.op(inst).is_terminator() {
                continue;
            }
            let to = EffectPlace { block, step };
            let from: Vec<EffectPlace> = old_places(report, motion, inst);
            if from.iter().any(|&from| from != to) {
                moved.push(Moved { inst, to, from });
            }
        }
    }
    moved
}

/// The old places of an instruction and of all instructions that it represents.
fn old_places(report: &mut Report<'_>, motion: &Motion<'_, '_>, inst: Inst) -> Vec<EffectPlace> {
    let (before, origins) = (motion.before.module, motion.origins);
    let source = origins.copied.get(&inst).copied().unwrap_or(inst);
    let stands_for = origins.replaced_by(origins.representative(inst));
    let mut places = Vec::new();
    for old in [source].into_iter().chain(stands_for.iter().copied()) {
        let was_there = old.index() < before.capacity() && before.is_live(old);
        let block = was_there.then(|| before.block_of(old)).flatten();
        let Some(block) = block.filter(|_| before.function_of(old) == Some(motion.function())) else { continue };
        // A replacement by an instruction of another kind has another reason, which is checked with its claim.
        if before.op(old) != motion.after.module.op(inst) {
            continue;
        }
        // A load of the value that was stored at the address of the old load.
        if old != source && before.op(old) == Op::Load && is_forwarded(motion, old, inst) {
            continue;
        }
        if !origins.is_same(before, old, motion.after.module, inst) {
            let name = report.name(inst);
            report.at(
                Code::C3,
                inst,
                format!("{name} is not equal to the value that it replaces: the type or the operands differ"),
            );
        }
        let block = motion.before.number(block) as u32;
        places.push(EffectPlace { block, step: motion.steps.step(motion.before, block, old) });
    }
    if places.is_empty() {
        report.at(Code::C3, inst, "no equal instruction existed before, and no claim names its origin");
    }
    places
}

/// Checks the consequences of one claim.
fn verify_claim(report: &mut Report<'_>, motion: &Motion<'_, '_>, gone: Inst, standing: Inst) {
    let (before, after) = (motion.before.module, motion.after.module);
    let Some(place) = before.block_of(gone) else { return };
    if after.is_live(gone) && after.is_used(gone) {
        report.at(Code::C3, gone, "it was claimed to be removed, but is used");
    }
    let is_held = match before.op(gone) {
        Op::BlockParameter => is_parameter_held(motion, gone, standing),
        // Two operations of one kind are compared at the place of the representative.
        op if after.op(standing) == op => true,
        Op::Load if is_forwarded(motion, gone, standing) => true,
        _ => is_given(motion, gone, standing),
    };
    if !is_held {
        let name = report.name(standing);
        report.at(Code::C3, place, format!("a value of this block was replaced by {name}, which is not equal to it"));
    }
}
