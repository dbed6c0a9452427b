//! Where instructions came from: their old places, and those of what they stand for now.
//!
//! - C3: what is there was there, or is a copy of what was; it is the same operation on the same values as each instruction that it stands
//!   for; and what was replaced is gone.
//!
//! Values are compared by their *representative*: what stands for a value under the claims, copies standing for what they were
//! copied from.

use std::collections::{HashMap, HashSet};

use reconverge_ir::{Block, Inst, Module, Op};

use super::frame::arguments;
use super::reads::is_forwarded;
use super::{Claims, Motion};
use crate::Code;
use crate::report::Report;

/// The claims, by value.
pub(super) struct Origins {
    representatives: HashMap<Inst, Inst>,
    copied: HashMap<Inst, Inst>,
    /// By representative: the values that it stands for, in the order of the claims.
    replaced: HashMap<Inst, Vec<Inst>>,
    claims: Vec<(Inst, Inst)>,
}

/// A place between instructions with an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) block: u32,
    /// How many instructions with an effect stand before it in the block.
    pub(super) step: u32,
}

/// An instruction that stands elsewhere now, or for something that stood elsewhere.
pub(super) struct Moved {
    pub(super) inst: Inst,
    pub(super) to: Place,
    pub(super) from: Vec<Place>,
}

impl Origins {
    /// Linear in the claims. A chain of claims that bites its own tail stands for nothing but itself.
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

    /// What stands for a value.
    pub(super) fn representative(&self, value: Inst) -> Inst {
        self.representatives.get(&value).copied().unwrap_or(value)
    }

    /// The values that are gone and that this one stands for.
    pub(super) fn replaced_by(&self, representative: Inst) -> &[Inst] {
        self.replaced.get(&representative).map_or(&[], Vec::as_slice)
    }

    /// Whether two instructions are one operation on the same values. Arguments of a jump to what was replaced count as well.
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

/// Whether two instructions do the same with their operands.
fn is_one_operation(before: &Module, old: Inst, after: &Module, new: Inst) -> bool {
    before.op(old) == after.op(new)
        && before.ty(old) == after.ty(new)
        && before.operand_count(old) == after.operand_count(new)
}

/// Whether the operands may change places. Written down here again, so that a wrong entry elsewhere shows.
fn is_commutative(op: Op) -> bool {
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

/// What moved, with C3 held for all that can move and for every claim. Linear in the function and the claims about it.
pub(super) fn verify_origins(report: &mut Report<'_>, motion: &Motion<'_, '_>) -> Vec<Moved> {
    let (before, after, origins) = (motion.before, motion.after, motion.origins);
    for &(gone, standing) in &origins.claims {
        if before.module.function_of(gone) == Some(motion.function()) {
            verify_claim(report, motion, gone, standing);
        }
    }
    let mut moved = Vec::new();
    for (block, &at) in (0..).zip(&after.blocks) {
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
            let to = Place { block, step };
            let from: Vec<Place> = old_places(report, motion, inst);
            if from.iter().any(|&from| from != to) {
                moved.push(Moved { inst, to, from });
            }
        }
    }
    moved
}

/// The old places of an instruction and of everything that it stands for.
fn old_places(report: &mut Report<'_>, motion: &Motion<'_, '_>, inst: Inst) -> Vec<Place> {
    let (before, origins) = (motion.before.module, motion.origins);
    let source = origins.copied.get(&inst).copied().unwrap_or(inst);
    let stands_for = origins.replaced_by(origins.representative(inst));
    let mut places = Vec::new();
    for old in [source].into_iter().chain(stands_for.iter().copied()) {
        let was_there = old.index() < before.capacity() && before.is_live(old);
        let block = was_there.then(|| before.block_of(old)).flatten();
        let Some(block) = block.filter(|_| before.function_of(old) == Some(motion.function())) else { continue };
        // A value of another kind was replaced for another reason, which its claim is held by.
        if before.op(old) != motion.after.module.op(inst) {
            continue;
        }
        // A load of what was stored where the old one read.
        if old != source && before.op(old) == Op::Load && is_forwarded(motion, old, inst) {
            continue;
        }
        if !origins.is_same(before, old, motion.after.module, inst) {
            let name = report.name(inst);
            report.at(Code::C3, inst, format!("{name} is not what it stands for: another type or other operands"));
        }
        let block = motion.before.number(block) as u32;
        places.push(Place { block, step: motion.steps.step(motion.before, block, old) });
    }
    if places.is_empty() {
        report.at(Code::C3, inst, "nothing like it was there before, and no claim says where it came from");
    }
    places
}

/// Holds one claim by its consequences.
fn verify_claim(report: &mut Report<'_>, motion: &Motion<'_, '_>, gone: Inst, standing: Inst) {
    let (before, after) = (motion.before.module, motion.after.module);
    let Some(place) = before.block_of(gone) else { return };
    if after.is_live(gone) && after.is_used(gone) {
        report.at(Code::C3, gone, "it is said to be gone, and is used");
    }
    let is_held = match before.op(gone) {
        Op::BlockParameter => is_parameter_held(motion, gone, standing),
        // Two of one kind are compared where the one that stands is.
        op if after.op(standing) == op => true,
        Op::Load => is_forwarded(motion, gone, standing),
        _ => is_given(motion, gone, standing),
    };
    if !is_held {
        let name = report.name(standing);
        report.at(Code::C3, place, format!("a value of this block is not the same as {name}, which stands for it now"));
    }
}

/// Whether a parameter is given, on every way in that can be taken, what stands for it. Pairs of values of which one is a parameter are assumed
/// to be the same where that is needed, and have to stand the same question; no more than so many of them.
///
/// Of two parameters of one block each way in gives the same to both. Else the one is defined above the block of the other, which is given
/// it on every way in; no way from that block to where both are read comes by the definition above without coming by the block again.
/// Of two pure operations of one kind the operands are paired: where both are at hand, each is the operation on what its operands are there.
/// What stands for several values is defined where any of them was, and where it is now: that all are the same is held by their own claims.
fn is_parameter_held(motion: &Motion<'_, '_>, parameter: Inst, standing: Inst) -> bool {
    const PAIRS: usize = 1_000;
    let (before, origins) = (motion.before.module, motion.origins);
    let is_reachable = |source: Block| motion.dominance.is_reachable(motion.before.number(source) as u32);
    let given = |parameter: Inst| {
        let block = before.block_of(parameter).filter(|_| before.op(parameter) == Op::BlockParameter)?;
        let number = before.parameters(block).position(|other| other.inst() == parameter)?;
        Some(arguments(before, block, number, is_reachable).map(|value| origins.representative(value)))
    };
    let first = (parameter, origins.representative(standing));
    let (mut known, mut pending) = (HashSet::from([first]), vec![first]);
    while let Some((one, other)) = pending.pop() {
        let pairs: Vec<(Inst, Inst)> = match (given(one), given(other)) {
            (Some(left), Some(right)) if before.block_of(one) == before.block_of(other) => left.zip(right).collect(),
            (Some(left), _) if stands_above(motion, other, one) => left.map(|value| (value, other)).collect(),
            (_, Some(right)) if stands_above(motion, one, other) => right.map(|value| (one, value)).collect(),
            (None, None) => match pair_operands(motion, one, other) {
                Some(pairs) => pairs,
                None => return false,
            },
            _ => return false,
        };
        pending.extend(pairs.into_iter().filter(|&(left, right)| left != right && known.insert((left, right))));
        if known.len() > PAIRS {
            return false;
        }
    }
    true
}

/// The operands of two instructions in pairs, if both are one pure operation of the function's code; where they may change places, in the order
/// in which a pair is one value already.
fn pair_operands(motion: &Motion<'_, '_>, one: Inst, other: Inst) -> Option<Vec<(Inst, Inst)>> {
    let (before, origins) = (motion.before.module, motion.origins);
    let is_inside = |value: Inst| value.index() < before.capacity() && before.block_of(value).is_some();
    if !is_inside(one) || !is_inside(other) || !is_one_operation(before, one, before, other) {
        return None;
    }
    let operands = |value: Inst| before.operands(value).map(|operand| origins.representative(operand));
    let (left, mut right): (Vec<Inst>, Vec<Inst>) = (operands(one).collect(), operands(other).collect());
    let is_swapped = left.iter().zip(right.iter().rev()).any(|(left, right)| left == right);
    if is_swapped && is_commutative(before.op(one)) {
        right.reverse();
    }
    // Without operands, two would be one for nothing: undefined values are not.
    (!left.is_empty() && before.op(one).effects().is_pure()).then(|| left.into_iter().zip(right).collect())
}

/// Whether a parameter stands for an operation that was done on every way to it: whatever it is given is that operation on the same values, or
/// a parameter of which the same holds. The values are defined above all these blocks, so none of them changes on the way to what is gone.
fn is_given(motion: &Motion<'_, '_>, gone: Inst, standing: Inst) -> bool {
    const PARAMETERS: usize = 1_000;
    let (before, origins) = (motion.before.module, motion.origins);
    let is_reachable = |source: Block| motion.dominance.is_reachable(motion.before.number(source) as u32);
    let values: Vec<Inst> = before.operands(gone).map(|value| origins.representative(value)).collect();
    let (mut known, mut pending) = (HashSet::from([standing]), vec![standing]);
    while let Some(parameter) = pending.pop() {
        let block = before.block_of(parameter).filter(|_| before.op(parameter) == Op::BlockParameter);
        let Some(block) = block else { return false };
        let Some(number) = before.parameters(block).position(|other| other.inst() == parameter) else { return false };
        if !values.iter().all(|&value| stands_above(motion, value, parameter)) || known.len() > PARAMETERS {
            return false;
        }
        let given = arguments(before, block, number, is_reachable);
        let others =
            given.filter(|&value| before.op(value) != before.op(gone) || !origins.is_same(before, gone, before, value));
        pending.extend(others.filter(|&value| known.insert(value)));
    }
    before.op(gone).effects().is_pure()
}

/// Whether a value, or one that it stands for, is defined outside the function's code, or in a block that strictly dominates that of another:
/// where it was, or where it is now, as the blocks are the same.
fn stands_above(motion: &Motion<'_, '_>, value: Inst, other: Inst) -> bool {
    let (before, after) = (motion.before.module, motion.after.module);
    let Some(target) = before.block_of(other) else { return false };
    let number = |block: Block| motion.before.number(block) as u32;
    let is_above = |block: Option<Block>| {
        block.is_none_or(|block| block != target && motion.dominance.dominates(number(block), number(target)))
    };
    let stands_for = motion.origins.replaced_by(value).iter().copied();
    [value].into_iter().chain(stands_for).any(|value| is_above(before.block_of(value)))
        || after.is_live(value) && is_above(after.block_of(value))
}
