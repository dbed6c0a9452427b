//! The reach of addresses in guarded code: their distance from the beginning of a buffer.
//!
//! ```text
//! %p = load (push constant, an address)                    reach of %p: [0, 0]
//! %q = i_add %p, %n            %n in [low, high]      ⇒    reach of %q: [low, high]
//! %r = access_chain %q, %i     %i of 32 bits, stride 4     reach of %r: [low − 2³³, high + 2³³)
//! ```
//!
//! An address with a reach is that of a buffer of the launch, plus a number in that range; which buffer does not matter. What has no reach
//! can be anything: it comes from memory, from an integer argument, or from an iteration before. An access whose bytes are all within
//! [`REACH`] of a buffer cannot leave the arena and is not tested. Ranges of integers are those of `PackValues`, which hold for launches of at most
//! the size that the kernel is compiled for.
//!
//! The reaches are found in the order of selection, each from those of its operands. Linear.

use reconverge_ir::{Inst, Op, OpGroup};
use reconverge_lanes::{Range, push_constant_offset};

use super::bounds::{AddressWords, Bounds};
use super::memory::{Memory, Step};
use super::value::ScalarType;
use super::values::Values;
use crate::arena::REACH;

const LONG: ScalarType = ScalarType::Int(64);

/// Numbers beyond this are not followed: no access is that far from a buffer and proved.
const FAR: i128 = 1 << 62;

/// The facts of an address: the address of a buffer plus an offset within this range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    low: i128,
    high: i128,
    /// The words of the push constants that it relies on.
    words: AddressWords,
}

impl Reach {
    fn plus(self, (low, high): Range) -> Option<Reach> {
        let (low, high) = (self.low.checked_add(low)?, self.high.checked_add(high)?);
        (-FAR < low && high < FAR).then_some(Reach { low, high, ..self })
    }

    fn or(self, other: Reach) -> Reach {
        Reach { low: self.low.min(other.low), high: self.high.max(other.high), words: self.words.and(other.words) }
    }
}

impl Memory {
    /// Notes the reach of a value, if it has one. The operands were noted before.
    pub(super) fn note_reach(&mut self, values: &Values<'_>, inst: Inst) {
        if let Bounds::Guarded(words) = values.specialization.bounds
            && values.scalar_type(inst).is_ok_and(|ty| ty == LONG)
            && let Some(reach) = self.reach_of(values, inst, words)
        {
            self.reaches.insert(inst, reach);
        }
    }

    /// Returns whether it is proved that an access stays in the arena.
    pub(super) fn stays_in_arena(&mut self, pointer: Inst, bytes: u32) -> bool {
        let Some(reach) = self.reaches.get(&pointer) else { return false };
        let is_close = reach.low >= -REACH && reach.high + i128::from(bytes) <= REACH;
        if is_close {
            self.address_words = self.address_words.and(reach.words);
        }
        is_close
    }

    fn reach_of(&mut self, values: &Values<'_>, inst: Inst, words: AddressWords) -> Option<Reach> {
        let op = values.module.op(inst);
        let operand = |place: usize| values.module.operands(inst).nth(place);
        let reach = |value: Inst| self.reaches.get(&value).copied();
        let range = |value: Inst| values.ranges.known(values.module, value);
        match op.group() {
            OpGroup::Load => {
                let offset = push_constant_offset(values.module, &mut self.layouts, inst)?;
                words.has(offset).then(|| Reach { low: 0, high: 0, words: AddressWords::at([offset]) })
            }
            OpGroup::Address => self.reach_of_chain(values, inst),
            OpGroup::PointerConversion | OpGroup::Bitcast => {
                let source = operand(0)?;
                values.scalar_type(source).ok().filter(|&ty| ty == LONG).and_then(|_| reach(source))
            }
            OpGroup::Select => Some(reach(operand(1)?)?.or(reach(operand(2)?)?)),
            _ if op == Op::IAdd => {
                let (left, right) = (operand(0)?, operand(1)?);
                match (reach(left), reach(right)) {
                    (Some(address), None) => address.plus(range(right)?),
                    (None, Some(address)) => address.plus(range(left)?),
                    _ => None,
                }
            }
            _ if op == Op::ISub => {
                let (low, high) = range(operand(1)?)?;
                reach(operand(0)?)?.plus((-high, -low))
            }
            _ if op == Op::BlockParameter => self.reach_of_parameter(values, inst),
            _ => None,
        }
    }

    fn reach_of_chain(&mut self, values: &Values<'_>, chain: Inst) -> Option<Reach> {
        let mut operands = values.module.operands(chain);
        let base = operands.next()?;
        let indexes: Vec<Inst> = operands.collect();
        let mut reach = *self.reaches.get(&base)?;
        let mut ty = values.module.pointee(base)?;
        for index in indexes {
            let (part, step) = self.step(values, ty, index, chain).ok()?;
            ty = part;
            reach = match step {
                Step::Constant(bytes) => reach.plus((bytes.into(), bytes.into()))?,
                Step::Scaled(step) => {
                    let (low, high) = values.range_of_index(index)?;
                    let stride = i128::from(step.stride);
                    reach.plus((low.checked_mul(stride)?, high.checked_mul(stride)?))?
                }
            };
        }
        Some(reach)
    }

    /// A parameter has the reaches of its arguments. Of an argument of a back edge, none is known yet.
    fn reach_of_parameter(&self, values: &Values<'_>, parameter: Inst) -> Option<Reach> {
        let block = values.module.block_of(parameter)?;
        let place = values.module.parameters(block).position(|other| Inst::from(other) == parameter)?;
        let mut arguments =
            values.module.in_edges(block).map(|edge| values.module.arguments(edge.terminator).nth(place));
        let first = *self.reaches.get(&arguments.next()??)?;
        arguments.try_fold(first, |reach, argument| Some(reach.or(*self.reaches.get(&argument?)?)))
    }
}

impl Values<'_> {
    /// The numbers that an index can be, which has a sign.
    fn range_of_index(&self, index: Inst) -> Option<Range> {
        let ScalarType::Int(width) = self.scalar_type(index).ok()? else { return None };
        let known = self.ranges.known(self.module, index);
        if width == 64 {
            return known;
        }
        let (least, most) = (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1);
        Some(known.filter(|&(low, high)| least <= low && high <= most).unwrap_or((least, most)))
    }
}
