//! Values that are equal because of block parameters.
//!
//! ```text
//!   a = x + y ──▶ m(p) ◀── b = x + y      c = x + y in m is p, if x and y are defined above m
//!
//!   h(i, j) ◀── (i − 1, j − 1)            i is j, if both begin as one value: assumed of the pair, held of what each way gives
//! ```
//!
//! - C3: a parameter is equal to its representative, or represents an operation that every path to it executed.
//!
//! Pairs of equal values are followed through equal pure operations, and are assumed to be equal on cycles, as in Hopcroft and Karp's test
//! of the equivalence of two automata ("A Linear Algorithm for Testing Equivalence of Finite Automata", 1971). The number of assumptions is
//! bounded: beyond this many pairs or parameters a claim is rejected.

use std::collections::HashSet;

use reconverge_ir::{Block, Inst, Op};

use super::Motion;
use super::frame::arguments;
use super::memory::Read;
use super::origins::{EffectPlace, is_commutative, is_one_operation};
use super::reads::{is_written_between, place_before};

/// The maximal numbers of pairs of values, and of parameters, for one claim.
const LIMIT: usize = 1_000;

/// Returns whether a parameter gets its representative on every incoming edge that can be taken. Pairs of values of which one is a
/// parameter are assumed to be equal, and are then checked in the same way; their number is limited. Of two parameters of one block, each
/// edge passes equal arguments. Otherwise one value is defined above the block of the other, which gets it on every incoming edge; no path
/// from that block to the uses of both passes the definition above without passing the block again. The operands of two pure operations of
/// one kind are paired: where both are defined, each is the operation on the values of its operands there. A representative of several
/// values is defined where any of them was, and where it is now; the claims of these values check that all are equal.
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

/// The pairs that two equal operations depend on.
#[derive(Default)]
struct Common {
    /// Operands that are equal.
    values: HashSet<Inst>,
    /// Loads of one operation, with the equal loads of the other.
    loads: HashSet<(Inst, Inst)>,
}

impl Common {
    /// Follows pairs through equal pure operations and loads. `None` if the two values are not equal.
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

/// Returns whether a parameter represents an operation that every path to it executed: each argument is that operation on the same values,
/// or a parameter with the same property. The values are defined above all these blocks, so they do not change on the path to the removed
/// instruction; the memory that the operation reads must not change either.
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

/// The reads on the paths to parameters, and the operations that repeat them.
struct Reads<'a, 'm> {
    motion: &'a Motion<'a, 'm>,
    /// Loads, and the ends of blocks that pass their results on.
    made: Vec<(Inst, EffectPlace)>,
    /// Parameters, and where they are passed on or where the removed instruction was.
    carried: Vec<(Inst, EffectPlace)>,
    /// The loads that were removed.
    again: HashSet<Inst>,
}

impl Reads<'_, '_> {
    /// Returns whether nothing is written between a first load and the last.
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

/// The arguments for a parameter on each edge that can be taken, with their blocks; none for any other value.
fn given_to<'a>(motion: &'a Motion<'_, '_>, value: Inst) -> Option<impl Iterator<Item = (Block, Inst)> + 'a> {
    let before = motion.before.module;
    let block = before.block_of(value).filter(|_| before.op(value) == Op::BlockParameter)?;
    let index = before.parameters(block).position(|other| other.inst() == value)?;
    let is_reachable = |source: Block| motion.dominance.is_reachable(motion.before.number(source) as u32);
    Some(arguments(before, block, index, is_reachable))
}

/// The operands of two instructions in pairs, if both are one operation of the function's code; commutative operands in the order in which
/// a pair is equal.
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
    // Operations without operands are not paired: two undefined values are not equal.
    (!left.is_empty()).then(|| left.into_iter().zip(right).collect())
}

/// Returns whether a value, or one that it represents, is defined outside the function's code, or in a block that strictly dominates that
/// of another value, in either version; both have the same blocks.
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
