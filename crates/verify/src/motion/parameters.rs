//! Values that are equal because of the parameters of blocks.
//!
//! ```text
//!   a = x + y ──▶ m(p) ◀── b = x + y      c = x + y in m is p, if x and y are defined above m
//!
//!   h(i, j) ◀── (i − 1, j − 1)            i is j, if both begin as one value: assumed of the pair, held of what each way gives
//! ```
//!
//! - C3: a parameter is what stands for it, or stands for an operation that was done on every path to it.
//!
//! Pairs of equal values are followed through equal pure operations, and assumed to be equal where the question comes back to itself, as in
//! Hopcroft and Karp's test of the equivalence of two automata ("A Linear Algorithm for Testing Equivalence of Finite Automata", 1971).
//! The number of assumptions is bounded: beyond this many pairs or parameters a claim is rejected.

use std::collections::HashSet;

use reconverge_ir::{Block, Inst, Op};

use super::Motion;
use super::frame::arguments;
use super::memory::Read;
use super::origins::{EffectPlace, is_commutative, is_one_operation};
use super::reads::{is_written_between, place_before};

/// How many pairs of values, and how many parameters, one claim may take.
const LIMIT: usize = 1_000;

/// Whether a parameter is given, on every path in that can be taken, what stands for it. Pairs of values of which one is a parameter are assumed
/// to be the same where that is needed, and have to stand the same question; no more than so many of them.
///
/// Of two parameters of one block each way in gives the same to both. Else the one is defined above the block of the other, which is given
/// it on every path in; no way from that block to where both are read comes by the definition above without coming by the block again.
/// Of two pure operations of one kind the operands are paired: where both are defined, each is the operation on what its operands are there.
/// What stands for several values is defined where any of them was, and where it is now: that all are the same is held by their own claims.
pub(super) fn is_parameter_held(motion: &Motion<'_, '_>, parameter: Inst, standing: Inst) -> bool {
    let (before, origins) = (motion.before.module, motion.origins);
    let given = |value: Inst| Some(given_to(motion, value)?.map(|(_, value)| origins.representative(value)));
    let first = (parameter, origins.representative(standing));
    let (mut known, mut pending) = (HashSet::from([first]), vec![first]);
    while let Some((one, other)) = pending.pop() {
        let pairs: Option<Vec<(Inst, Inst)>> = match (given(one), given(other)) {
            (Some(left), Some(right)) if before.block_of(one) == before.block_of(other) => {
                Some(left.zip(right).collect())
            }
            (Some(left), _) if stands_above(motion, other, one) => Some(left.map(|value| (value, other)).collect()),
            (_, Some(right)) if stands_above(motion, one, other) => Some(right.map(|value| (one, value)).collect()),
            (None, None) if before.op(one).effects().is_pure() => pair_operands(motion, one, other),
            _ => None,
        };
        let Some(pairs) = pairs else { return false };
        pending.extend(pairs.into_iter().filter(|&(left, right)| left != right && known.insert((left, right))));
        if known.len() > LIMIT {
            return false;
        }
    }
    true
}

/// What two equal operations rest on.
#[derive(Default)]
struct Common {
    /// Operands that are one value.
    values: HashSet<Inst>,
    /// Loads of the one, and their equals of the other.
    loads: HashSet<(Inst, Inst)>,
}

impl Common {
    /// Looks through pairs of equal pure operations and loads. Nothing if the two are not equal.
    fn find(motion: &Motion<'_, '_>, one: Inst, other: Inst) -> Option<Common> {
        let mut common = Common::default();
        let mut pending = common.follow(motion, one, other)?;
        let mut known = HashSet::new();
        while let Some((left, right)) = pending.pop() {
            if left == right {
                common.values.insert(left);
            } else if known.insert((left, right)) {
                pending.extend(common.follow(motion, left, right).filter(|_| known.len() <= LIMIT)?);
            }
        }
        Some(common)
    }

    /// The operands of two equal operations, in pairs.
    fn follow(&mut self, motion: &Motion<'_, '_>, left: Inst, right: Inst) -> Option<Vec<(Inst, Inst)>> {
        let before = motion.before.module;
        let is_load = before.op(left) == Op::Load;
        let is_followed = is_load || before.op(left) != Op::BlockParameter && before.op(left).effects().is_pure();
        let pairs = pair_operands(motion, left, right).filter(|_| is_followed)?;
        self.loads.extend(is_load.then_some((left, right)));
        Some(pairs)
    }
}

/// Whether a parameter stands for an operation that was done on every path to it: whatever it is given is that operation on the same values, or
/// a parameter of which the same holds. The values are defined above all these blocks, so none of them changes on the path to what is gone; nor
/// does the memory that it reads, if it does.
pub(super) fn is_given(motion: &Motion<'_, '_>, gone: Inst, standing: Inst) -> bool {
    let (mut known, mut pending, mut values) = (HashSet::from([standing]), vec![standing], HashSet::new());
    let mut reads = Reads { motion, made: Vec::new(), carried: Vec::new(), again: HashSet::new() };
    reads.carried.extend(place_before(motion, gone).map(|place| (standing, place)));
    while let Some(parameter) = pending.pop() {
        let Some(given) = given_to(motion, parameter).filter(|_| known.len() <= LIMIT) else { return false };
        for (source, value) in given {
            let end = motion.steps.end(motion.before.number(source) as u32);
            match Common::find(motion, gone, value) {
                Some(common) => {
                    values.extend(common.values);
                    reads.again.extend(common.loads.iter().map(|&(left, _)| left));
                    reads.made.extend(common.loads.into_iter().map(|(_, right)| (right, end)));
                }
                None => {
                    reads.carried.push((value, end));
                    pending.extend(known.insert(value).then_some(value));
                }
            }
        }
    }
    values.iter().all(|&value| known.iter().all(|&parameter| stands_above(motion, value, parameter)))
        && reads.are_clean()
}

/// What is read on the paths to parameters, and once more where an operation was.
struct Reads<'a, 'm> {
    motion: &'a Motion<'a, 'm>,
    /// Loads, and where what is made of them is passed on.
    made: Vec<(Inst, EffectPlace)>,
    /// Parameters, and where they are passed on or what is gone was.
    carried: Vec<(Inst, EffectPlace)>,
    /// The loads that were done again.
    again: HashSet<Inst>,
}

impl Reads<'_, '_> {
    /// Whether nothing is written between a first load and the last.
    fn are_clean(&self) -> bool {
        let module = self.motion.before.module;
        let is_clean = |&(upper, lower): &(Inst, EffectPlace), read: &Read| {
            matches!(read, Read::Nothing)
                || place_before(self.motion, upper)
                    .is_some_and(|upper| !is_written_between(self.motion, upper, lower, read))
        };
        self.made.iter().all(|way| is_clean(way, &Read::of(module, way.0)))
            && self.again.iter().all(|&load| {
                let read = Read::of(module, load);
                self.carried.iter().all(|way| is_clean(way, &read))
            })
    }
}

/// What a parameter is given on each path in that can be taken, and by which block; nothing for any other value.
fn given_to<'a>(motion: &'a Motion<'_, '_>, value: Inst) -> Option<impl Iterator<Item = (Block, Inst)> + 'a> {
    let before = motion.before.module;
    let block = before.block_of(value).filter(|_| before.op(value) == Op::BlockParameter)?;
    let index = before.parameters(block).position(|other| other.inst() == value)?;
    let is_reachable = |source: Block| motion.dominance.is_reachable(motion.before.number(source) as u32);
    Some(arguments(before, block, index, is_reachable))
}

/// The operands of two instructions in pairs, if both are one operation of the function's code; where they may change places, in the order
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
    (!left.is_empty()).then(|| left.into_iter().zip(right).collect())
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
