//! Shifts, counts of bits, bit fields.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, WORDS, rule};
use crate::machine::{AddOp, Condition};
use crate::select::emit::{Emitter, Word};
use crate::select::selector::{Selected, Selector};
use crate::select::value::{ScalarType, Words, one, two};

const LONG: Types = Types::INT64;

pub(super) const RULES: &[Rule] = &[
    rule(&[Operation::Op(Op::ShiftLeftLogical)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Shl)
    }),
    rule(&[Operation::Op(Op::ShiftRightLogical)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Shr)
    }),
    rule(&[Operation::Op(Op::ShiftRightArithmetic)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Asr)
    }),
    rule(&[Operation::Op(Op::ShiftLeftLogical)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Shl)
    }),
    rule(&[Operation::Op(Op::ShiftRightLogical)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Shr)
    }),
    rule(&[Operation::Op(Op::ShiftRightArithmetic)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Asr)
    }),
    rule(&[Operation::Op(Op::BitCount)], &[WORDS], Types::INTS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let count = selector.emit.bit_count(a[0]);
        Ok(extended(count, computation.ty))
    }),
    rule(&[Operation::Op(Op::BitCount)], &[LONG], Types::INTS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let count = selector.emit.bit_count(a[0]);
        let upper = selector.emit.bit_count(a[1]);
        let count = selector.emit.add(count, upper);
        Ok(extended(count, computation.ty))
    }),
    rule(&[Operation::Op(Op::BitReverse)], &[WORDS], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let reversed = selector.emit.bit_reverse(a[0]);
        Ok(one(match computation.from {
            ScalarType::Int(bits @ (8 | 16)) => selector.emit.shift(AddOp::Shr, reversed, 32 - bits),
            _ => reversed,
        })
        .into())
    }),
    rule(&[Operation::Op(Op::BitReverse)], &[LONG], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(two(selector.emit.bit_reverse(a[1]), selector.emit.bit_reverse(a[0])).into())
    }),
    rule(&[Operation::Op(Op::BitFieldInsert)], &[WORDS, WORDS, Types::INTS], WORDS, |selector, computation| {
        let [base, insert, offset, count] = first_words(selector, computation)?;
        let emit = &mut selector.emit;
        let mask = emit.low_bits(count);
        let mask = emit.binary(AddOp::Shl, mask, offset);
        let moved = emit.binary(AddOp::Shl, insert, offset);
        let inserted = emit.and(moved, mask);
        let others = emit.not(mask);
        let kept = emit.and(base, others);
        let word = emit.or(kept, inserted);
        Ok(selector.narrowed(word, computation.ty).into())
    }),
    rule(&[Operation::Op(Op::BitFieldUExtract)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        let [base, offset, count] = first_words(selector, computation)?;
        let moved = selector.emit.binary(AddOp::Shr, base, offset);
        let mask = selector.emit.low_bits(count);
        Ok(one(selector.emit.and(moved, mask)).into())
    }),
    rule(&[Operation::Op(Op::BitFieldSExtract)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        let [base, offset, count] = first_words(selector, computation)?;
        // Up to the sign bit and down again, the last bit apart: no bits are none.
        let emit = &mut selector.emit;
        let sum = emit.add(offset, count);
        let up = emit.sub(Word::Constant(32), sum);
        let moved = emit.binary(AddOp::Shl, base, up);
        let down = emit.sub(Word::Constant(32), count);
        let moved = emit.binary(AddOp::Asr, moved, down);
        emit.test(count);
        let word = emit.choose(Condition::ZeroSet, Word::Constant(0), moved);
        Ok(selector.narrowed(word, computation.ty).into())
    }),
];

fn shift(selector: &mut Selector<'_>, computation: &Computation, op: AddOp) -> Result<Selected, Diagnostic> {
    let (a, amount) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    let base = if op == AddOp::Asr { selector.signed(a[0], computation.ty) } else { a[0] };
    let word = match amount[0] {
        Word::Constant(amount) => selector.emit.shift(op, base, amount & 31),
        amount => selector.emit.binary(op, base, amount),
    };
    Ok(selector.narrowed(word, computation.ty).into())
}

fn shift_wide(selector: &mut Selector<'_>, computation: &Computation, op: AddOp) -> Result<Selected, Diagnostic> {
    let (a, amount) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    Ok(selector.emit.shift_wide(op, &a, amount[0]).into())
}

/// A small number in an integer type.
fn extended(number: Word, ty: ScalarType) -> Selected {
    let words: Words = if ty.words() == 2 { two(number, Word::Constant(0)) } else { one(number) };
    words.into()
}

/// The low word of each operand.
fn first_words<const N: usize>(
    selector: &mut Selector<'_>,
    computation: &Computation,
) -> Result<[Word; N], Diagnostic> {
    let mut words = [Word::Constant(0); N];
    for (place, word) in words.iter_mut().enumerate() {
        *word = computation.words(selector, place)?[0];
    }
    Ok(words)
}

impl Emitter {
    /// All ones in the low bits: of no bits and of 32 too.
    fn low_bits(&mut self, count: Word) -> Word {
        if let Word::Constant(count) = count {
            return Word::Constant(1_u32.checked_shl(count).unwrap_or(0).wrapping_sub(1));
        }
        let count = Word::Register(self.in_register(count));
        let bit = self.binary(AddOp::Shl, Word::Constant(1), count);
        let mask = self.sub(bit, Word::Constant(1));
        // A shift by 32 is one by zero.
        self.flags(AddOp::And, count, Word::Constant(32));
        self.choose(Condition::ZeroClear, Word::Constant(u32::MAX), mask)
    }
}
