//! Comparisons whose boolean is needed, logic of booleans, choices, copies.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, SHORT_FLOATS, rule};
use crate::select::emit::{Emitter, Word};
use crate::select::selector::{FlagLanes, Selector};
use crate::select::value::one;
use crate::select::values::Selected;

const BOOL: Types = Types::BOOL;

/// The comparisons of integers.
const OF_INTEGERS: &[Operation] = &[
    Operation::Op(Op::IEqual),
    Operation::Op(Op::INotEqual),
    Operation::Op(Op::ULessThan),
    Operation::Op(Op::ULessThanEqual),
    Operation::Op(Op::UGreaterThan),
    Operation::Op(Op::UGreaterThanEqual),
    Operation::Op(Op::SLessThan),
    Operation::Op(Op::SLessThanEqual),
    Operation::Op(Op::SGreaterThan),
    Operation::Op(Op::SGreaterThanEqual),
];
/// The comparisons of floats that say something of their order.
const OF_FLOATS: &[Operation] = &[
    Operation::Op(Op::LessOrGreater),
    Operation::Op(Op::FOrdEqual),
    Operation::Op(Op::FUnordEqual),
    Operation::Op(Op::FOrdNotEqual),
    Operation::Op(Op::FUnordNotEqual),
    Operation::Op(Op::FOrdLessThan),
    Operation::Op(Op::FUnordLessThan),
    Operation::Op(Op::FOrdGreaterThan),
    Operation::Op(Op::FUnordGreaterThan),
    Operation::Op(Op::FOrdLessThanEqual),
    Operation::Op(Op::FUnordLessThanEqual),
    Operation::Op(Op::FOrdGreaterThanEqual),
    Operation::Op(Op::FUnordGreaterThanEqual),
];
const OF_POINTERS: &[Operation] = &[Operation::Op(Op::PtrEqual), Operation::Op(Op::PtrNotEqual)];

pub(super) const RULES: &[Rule] = &[
    rule(OF_INTEGERS, &[Types::INTS], BOOL, compare),
    rule(OF_FLOATS, &[SHORT_FLOATS], BOOL, compare),
    rule(OF_POINTERS, &[Types::POINTER], BOOL, compare),
    // Without NaNs every two numbers are ordered.
    rule(&[Operation::Op(Op::Ordered)], &[SHORT_FLOATS], BOOL, |_, _| Ok(one(Word::Constant(u32::MAX)).into())),
    rule(&[Operation::Op(Op::Unordered)], &[SHORT_FLOATS], BOOL, |_, _| Ok(one(Word::Constant(0)).into())),
    rule(&[Operation::Op(Op::LogicalNot)], &[BOOL], BOOL, |selector, computation| {
        let a = computation.words(selector, 0)?[0];
        Ok(one(selector.emit.not(a)).into())
    }),
    rule(&[Operation::Op(Op::LogicalAnd)], &[BOOL], BOOL, |selector, computation| {
        of_booleans(selector, computation, |emit, a, b| emit.and(a, b))
    }),
    rule(&[Operation::Op(Op::LogicalOr)], &[BOOL], BOOL, |selector, computation| {
        of_booleans(selector, computation, |emit, a, b| emit.or(a, b))
    }),
    rule(&[Operation::Op(Op::LogicalNotEqual)], &[BOOL], BOOL, |selector, computation| {
        of_booleans(selector, computation, |emit, a, b| emit.xor(a, b))
    }),
    rule(&[Operation::Op(Op::LogicalEqual)], &[BOOL], BOOL, |selector, computation| {
        of_booleans(selector, computation, |emit, a, b| {
            let differs = emit.xor(a, b);
            emit.not(differs)
        })
    }),
    rule(&[Operation::Op(Op::Select)], &[BOOL, Types::ALL], Types::ALL, |selector, computation| {
        let (chosen, other) = (computation.words(selector, 1)?, computation.words(selector, 2)?);
        let condition = selector.condition(computation.operand(0))?;
        let pairs = chosen.iter().zip(&other);
        let words = pairs.map(|(&chosen, &other)| selector.emit.choose(condition, chosen, other)).collect();
        Ok(Selected::Words(words))
    }),
    rule(
        &[Operation::Op(Op::CopyObject), Operation::Op(Op::ExpectKHR)],
        &[Types::ALL],
        Types::ALL,
        |selector, computation| Ok(computation.words(selector, 0)?.into()),
    ),
];

fn compare(selector: &mut Selector<'_>, computation: &Computation) -> Result<Selected, Diagnostic> {
    let condition = selector.compare_flags(computation.inst, FlagLanes::All)?;
    let condition = condition.expect("invariant: all comparisons but those of active lanes set flags");
    Ok(one(selector.emit.boolean(condition)).into())
}

fn of_booleans(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, Word, Word) -> Word,
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?[0], computation.words(selector, 1)?[0]);
    Ok(one(operation(&mut selector.emit, a, b)).into())
}
