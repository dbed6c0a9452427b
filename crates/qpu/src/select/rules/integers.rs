//! Integers: sums, products, quotients, logic of bits. Those of 8 and 16 bits are computed in 32, and cut.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, WORDS, rule};
use crate::machine::{AddOp, Condition};
use crate::select::emit::{Emitter, Word};
use crate::select::selector::Selector;
use crate::select::value::{Words, one, two};
use crate::select::values::Selected;

const LONG: Types = Types::INT64;

pub(super) const RULES: &[Rule] = &[
    rule(&[Operation::Op(Op::SNegate)], &[WORDS], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let negated = selector.emit.sub(Word::Constant(0), a[0]);
        Ok(selector.emit.narrowed(negated, computation.ty).into())
    }),
    rule(&[Operation::Op(Op::SNegate)], &[LONG], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(selector.emit.sub_wide(&two(Word::Constant(0), Word::Constant(0)), &a).into())
    }),
    rule(&[Operation::Op(Op::Not)], &[WORDS], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let inverted = selector.emit.not(a[0]);
        Ok(selector.emit.narrowed(inverted, computation.ty).into())
    }),
    rule(&[Operation::Op(Op::Not)], &[LONG], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let words: Words = a.iter().map(|&word| selector.emit.not(word)).collect();
        Ok(words.into())
    }),
    rule(&[Operation::Op(Op::IAdd)], &[WORDS], WORDS, |selector, computation| {
        of_words(selector, computation, |emit, a, b| emit.add(a, b))
    }),
    rule(&[Operation::Op(Op::ISub)], &[WORDS], WORDS, |selector, computation| {
        of_words(selector, computation, |emit, a, b| emit.sub(a, b))
    }),
    rule(&[Operation::Op(Op::IMul)], &[WORDS], WORDS, |selector, computation| {
        let bounds = [0, 1].map(|place| selector.values.bound(computation.operand(place)));
        of_words(selector, computation, |emit, a, b| emit.product((a, bounds[0]), (b, bounds[1])))
    }),
    rule(&[Operation::Op(Op::UDiv)], &[WORDS], WORDS, |selector, computation| {
        of_words(selector, computation, |emit, a, b| emit.divide(a, b).0)
    }),
    rule(&[Operation::Op(Op::UMod)], &[WORDS], WORDS, |selector, computation| {
        of_words(selector, computation, |emit, a, b| emit.divide(a, b).1)
    }),
    rule(&[Operation::Op(Op::BitwiseAnd)], &[WORDS], WORDS, |selector, computation| {
        of_bits(selector, computation, |emit, a, b| emit.and(a, b))
    }),
    rule(&[Operation::Op(Op::BitwiseOr)], &[WORDS], WORDS, |selector, computation| {
        of_bits(selector, computation, |emit, a, b| emit.or(a, b))
    }),
    rule(&[Operation::Op(Op::BitwiseXor)], &[WORDS], WORDS, |selector, computation| {
        of_bits(selector, computation, |emit, a, b| emit.xor(a, b))
    }),
    rule(&[Operation::Op(Op::IAdd)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| emit.add_wide(a, b))
    }),
    rule(&[Operation::Op(Op::ISub)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| emit.sub_wide(a, b))
    }),
    rule(&[Operation::Op(Op::IMul)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| match (a[1], b[1], b[0]) {
            (_, Word::Constant(0), Word::Constant(factor)) if factor.is_power_of_two() => {
                emit.shift_wide_by(AddOp::Shl, a, factor.trailing_zeros())
            }
            _ => emit.product_wide(a, b),
        })
    }),
    rule(&[Operation::Op(Op::UDiv)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| emit.divide_wide(a, b).0)
    }),
    rule(&[Operation::Op(Op::UMod)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| emit.divide_wide(a, b).1)
    }),
    rule(&[Operation::Op(Op::BitwiseAnd)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| two(emit.and(a[0], b[0]), emit.and(a[1], b[1])))
    }),
    rule(&[Operation::Op(Op::BitwiseOr)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| two(emit.or(a[0], b[0]), emit.or(a[1], b[1])))
    }),
    rule(&[Operation::Op(Op::BitwiseXor)], &[LONG], LONG, |selector, computation| {
        of_longs(selector, computation, |emit, a, b| two(emit.xor(a[0], b[0]), emit.xor(a[1], b[1])))
    }),
    rule(&[Operation::Op(Op::IAddCarry)], &[Types::INT32], Types::INT32, |selector, computation| {
        pair(selector, computation, |emit, a, b| emit.with_carry(AddOp::Add, a, b))
    }),
    rule(&[Operation::Op(Op::ISubBorrow)], &[Types::INT32], Types::INT32, |selector, computation| {
        pair(selector, computation, |emit, a, b| emit.with_carry(AddOp::Sub, a, b))
    }),
    rule(&[Operation::Op(Op::UMulExtended)], &[Types::INT32], Types::INT32, |selector, computation| {
        pair(selector, computation, |emit, a, b| [emit.product_of_words(a, b), emit.high_product(a, b)])
    }),
    rule(&[Operation::Op(Op::SMulExtended)], &[Types::INT32], Types::INT32, |selector, computation| {
        pair(selector, computation, |emit, a, b| [emit.product_of_words(a, b), emit.high_product_signed(a, b)])
    }),
];

/// An operation on two words, whose result is cut.
fn of_words(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, Word, Word) -> Word,
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    let word = operation(&mut selector.emit, a[0], b[0]);
    Ok(selector.emit.narrowed(word, computation.ty).into())
}

/// An operation on two words that sets no bit above those of its operands.
fn of_bits(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, Word, Word) -> Word,
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    Ok(one(operation(&mut selector.emit, a[0], b[0])).into())
}

/// An operation on two integers of 64 bits.
fn of_longs(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, &Words, &Words) -> Words,
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    Ok(operation(&mut selector.emit, &a, &b).into())
}

/// An operation whose result has two parts.
fn pair(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, Word, Word) -> [Word; 2],
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    let emit = &mut selector.emit;
    let (a, b) = (Word::Register(emit.in_register(a[0])), Word::Register(emit.in_register(b[0])));
    Ok(Selected::Pair(operation(emit, a, b).map(one)))
}

impl Emitter {
    /// A sum or difference, and its carry or borrow.
    fn with_carry(&mut self, op: AddOp, a: Word, b: Word) -> [Word; 2] {
        let result = self.binary(op, a, b);
        self.flags(op, a, b);
        [result, self.choose(Condition::CarrySet, Word::Constant(1), Word::Constant(0))]
    }
}
