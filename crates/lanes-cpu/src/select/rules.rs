//! Rules of instruction selection for instructions that depend on their operands alone.
//!
//! A rule is a row: operations, types of operands and result ⇒ the function that selects. How values vary between lanes does not matter for which
//! rule it is: each function takes uniform and varying operands. Each instruction that [`requirements`](crate::requirements) does not refuse has
//! exactly one rule; the tests `selection` of `reconverge-run` compare both tables with all instructions that the verifier accepts, and run each rule.

use std::sync::LazyLock;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::patterns::{Operation, Pattern, Row, Table, Typed, Types};
use spirv::GlslStd450Op as Glsl;

use super::selector::Selector;
use super::value::Value;

/// A function that selects an instruction. There is no result if the emitter has no form for the operation.
type Select<T> = fn(&mut Selector<'_>, Inst) -> Result<Option<T>, Diagnostic>;

/// The function of a rule.
#[derive(Clone, Copy)]
pub(super) enum Emit {
    /// Gives the result.
    Value(Select<Value>),
    /// Gives both parts of the result.
    Pair(Select<[Value; 2]>),
}

/// A rule.
type Rule = Row<Emit>;

const BOOL: Types = Types::BOOL;
const INTS: Types = Types::INTS;
const FLOATS: Types = Types::FLOATS;
const POINTER: Types = Types::POINTER;
/// Halves and floats.
const SHORT_FLOATS: Types = Types::HALF.or(Types::FLOAT);
/// Types of 16 bits.
const BITS_16: Types = Types::INT16.or(Types::HALF);
/// Types of 32 bits.
const BITS_32: Types = Types::INT32.or(Types::FLOAT);
/// Types of 64 bits.
const BITS_64: Types = Types::INT64.or(Types::DOUBLE);

const BINARY: &[Operation] = &[
    Operation::Op(Op::IAdd),
    Operation::Op(Op::ISub),
    Operation::Op(Op::IMul),
    Operation::Op(Op::UDiv),
    Operation::Op(Op::SDiv),
    Operation::Op(Op::UMod),
    Operation::Op(Op::SRem),
    Operation::Op(Op::BitwiseAnd),
    Operation::Op(Op::BitwiseOr),
    Operation::Op(Op::BitwiseXor),
];
const UNARY: &[Operation] =
    &[Operation::Op(Op::SNegate), Operation::Op(Op::Not), Operation::Op(Op::BitReverse), Operation::Op(Op::BitCount)];
const SHIFTS: &[Operation] = &[
    Operation::Op(Op::ShiftLeftLogical),
    Operation::Op(Op::ShiftRightLogical),
    Operation::Op(Op::ShiftRightArithmetic),
];
const BIT_FIELDS: &[Operation] =
    &[Operation::Op(Op::BitFieldInsert), Operation::Op(Op::BitFieldSExtract), Operation::Op(Op::BitFieldUExtract)];
const TWO_PARTS: &[Operation] = &[
    Operation::Op(Op::IAddCarry),
    Operation::Op(Op::ISubBorrow),
    Operation::Op(Op::UMulExtended),
    Operation::Op(Op::SMulExtended),
];
const FLOAT_BINARY: &[Operation] =
    &[Operation::Op(Op::FAdd), Operation::Op(Op::FSub), Operation::Op(Op::FMul), Operation::Op(Op::FDiv)];
const REMAINDERS: &[Operation] = &[Operation::Op(Op::FRem), Operation::Op(Op::FMod)];
const INTEGER_COMPARISONS: &[Operation] = &[
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
const FLOAT_COMPARISONS: &[Operation] = &[
    Operation::Op(Op::LessOrGreater),
    Operation::Op(Op::Ordered),
    Operation::Op(Op::Unordered),
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
const POINTER_COMPARISONS: &[Operation] = &[Operation::Op(Op::PtrEqual), Operation::Op(Op::PtrNotEqual)];
const FLOAT_TESTS: &[Operation] = &[
    Operation::Op(Op::IsNan),
    Operation::Op(Op::IsInf),
    Operation::Op(Op::IsFinite),
    Operation::Op(Op::IsNormal),
    Operation::Op(Op::SignBitSet),
];
const LOGIC: &[Operation] = &[
    Operation::Op(Op::LogicalEqual),
    Operation::Op(Op::LogicalNotEqual),
    Operation::Op(Op::LogicalOr),
    Operation::Op(Op::LogicalAnd),
    Operation::Op(Op::LogicalNot),
];
const RESIZES: &[Operation] = &[Operation::Op(Op::UConvert), Operation::Op(Op::SConvert)];
const TO_FLOAT: &[Operation] = &[Operation::Op(Op::ConvertUToF), Operation::Op(Op::ConvertSToF)];
const TO_INTEGER: &[Operation] = &[Operation::Op(Op::ConvertFToU), Operation::Op(Op::ConvertFToS)];
const BITCAST: &[Operation] = &[Operation::Op(Op::Bitcast)];
const FROM_POINTER: &[Operation] = &[Operation::Op(Op::Bitcast), Operation::Op(Op::ConvertPtrToU)];
const TO_POINTER: &[Operation] = &[Operation::Op(Op::Bitcast), Operation::Op(Op::ConvertUToPtr)];
const BETWEEN_POINTERS: &[Operation] = &[
    Operation::Op(Op::Bitcast),
    Operation::Op(Op::PtrCastToGeneric),
    Operation::Op(Op::GenericCastToPtr),
    Operation::Op(Op::GenericCastToPtrExplicit),
];
const COPIES: &[Operation] = &[Operation::Op(Op::CopyObject), Operation::Op(Op::ExpectKHR)];
/// Functions of floats of any width.
const FUNCTIONS: &[Operation] = &[
    Operation::Glsl(Glsl::Round),
    Operation::Glsl(Glsl::RoundEven),
    Operation::Glsl(Glsl::Trunc),
    Operation::Glsl(Glsl::Floor),
    Operation::Glsl(Glsl::Ceil),
    Operation::Glsl(Glsl::Fract),
    Operation::Glsl(Glsl::FAbs),
    Operation::Glsl(Glsl::FSign),
    Operation::Glsl(Glsl::Sqrt),
    Operation::Glsl(Glsl::InverseSqrt),
    Operation::Glsl(Glsl::Radians),
    Operation::Glsl(Glsl::Degrees),
    Operation::Glsl(Glsl::FMin),
    Operation::Glsl(Glsl::FMax),
    Operation::Glsl(Glsl::NMin),
    Operation::Glsl(Glsl::NMax),
    Operation::Glsl(Glsl::Step),
    Operation::Glsl(Glsl::Fma),
    Operation::Glsl(Glsl::FClamp),
    Operation::Glsl(Glsl::NClamp),
    Operation::Glsl(Glsl::FMix),
    Operation::Glsl(Glsl::SmoothStep),
];
/// Functions that are computed in doubles, of halves and floats.
const TRANSCENDENTAL: &[Operation] = &[
    Operation::Glsl(Glsl::Sin),
    Operation::Glsl(Glsl::Cos),
    Operation::Glsl(Glsl::Tan),
    Operation::Glsl(Glsl::Asin),
    Operation::Glsl(Glsl::Acos),
    Operation::Glsl(Glsl::Atan),
    Operation::Glsl(Glsl::Atan2),
    Operation::Glsl(Glsl::Sinh),
    Operation::Glsl(Glsl::Cosh),
    Operation::Glsl(Glsl::Tanh),
    Operation::Glsl(Glsl::Asinh),
    Operation::Glsl(Glsl::Acosh),
    Operation::Glsl(Glsl::Atanh),
    Operation::Glsl(Glsl::Exp),
    Operation::Glsl(Glsl::Exp2),
    Operation::Glsl(Glsl::Log),
    Operation::Glsl(Glsl::Log2),
    Operation::Glsl(Glsl::Pow),
];
const INTEGER_FUNCTIONS: &[Operation] = &[
    Operation::Glsl(Glsl::SAbs),
    Operation::Glsl(Glsl::SSign),
    Operation::Glsl(Glsl::UMin),
    Operation::Glsl(Glsl::SMin),
    Operation::Glsl(Glsl::UMax),
    Operation::Glsl(Glsl::SMax),
    Operation::Glsl(Glsl::UClamp),
    Operation::Glsl(Glsl::SClamp),
    Operation::Glsl(Glsl::FindILsb),
    Operation::Glsl(Glsl::FindUMsb),
    Operation::Glsl(Glsl::FindSMsb),
];

const RULES: &[Rule] = &[
    rule(BINARY, &[INTS], INTS, |selector, inst| selector.operation_of_two(inst)),
    rule(UNARY, &[INTS], INTS, |selector, inst| selector.operation_of_one(inst)),
    rule(SHIFTS, &[INTS], INTS, |selector, inst| selector.shift(inst)),
    rule(BIT_FIELDS, &[INTS], INTS, |selector, inst| selector.bit_field(inst)),
    Row::new(TWO_PARTS, &[INTS], INTS, Emit::Pair(|selector, inst| selector.two_parts(inst))),
    rule(&[Operation::Op(Op::FNegate)], &[FLOATS], FLOATS, |selector, inst| selector.operation_of_one(inst)),
    rule(FLOAT_BINARY, &[FLOATS], FLOATS, |selector, inst| selector.operation_of_two(inst)),
    rule(REMAINDERS, &[SHORT_FLOATS], SHORT_FLOATS, |selector, inst| selector.operation_of_two(inst)),
    rule(INTEGER_COMPARISONS, &[INTS], BOOL, |selector, inst| match selector.compare_narrowed(inst)? {
        Some(mask) => Ok(Some(mask)),
        None => selector.comparison(inst, selector.values.module.op(inst)),
    }),
    rule(FLOAT_COMPARISONS, &[FLOATS], BOOL, |selector, inst| {
        selector.comparison(inst, selector.values.module.op(inst))
    }),
    rule(POINTER_COMPARISONS, &[POINTER], BOOL, |selector, inst| {
        let is_equality = selector.values.module.op(inst) == Op::PtrEqual;
        selector.comparison(inst, if is_equality { Op::IEqual } else { Op::INotEqual })
    }),
    rule(FLOAT_TESTS, &[FLOATS], BOOL, |selector, inst| selector.float_test(inst)),
    rule(LOGIC, &[BOOL], BOOL, |selector, inst| selector.logic(inst)),
    rule(&[Operation::Op(Op::Select)], &[BOOL, Types::ALL], Types::ALL, |selector, inst| selector.selection(inst)),
    rule(RESIZES, &[INTS], INTS, |selector, inst| selector.conversion(inst)),
    rule(TO_FLOAT, &[INTS], FLOATS, |selector, inst| selector.conversion(inst)),
    rule(TO_INTEGER, &[FLOATS], INTS, |selector, inst| selector.conversion(inst)),
    rule(&[Operation::Op(Op::FConvert)], &[FLOATS], FLOATS, |selector, inst| selector.conversion(inst)),
    rule(&[Operation::Op(Op::QuantizeToF16)], &[Types::FLOAT], Types::FLOAT, |selector, inst| {
        selector.conversion(inst)
    }),
    rule(BITCAST, &[Types::INT8], Types::INT8, |selector, inst| selector.reinterpretation(inst)),
    rule(BITCAST, &[BITS_16], BITS_16, |selector, inst| selector.reinterpretation(inst)),
    rule(BITCAST, &[BITS_32], BITS_32, |selector, inst| selector.reinterpretation(inst)),
    rule(BITCAST, &[BITS_64], BITS_64, |selector, inst| selector.reinterpretation(inst)),
    rule(FROM_POINTER, &[POINTER], INTS, |selector, inst| selector.pointer_conversion(inst)),
    rule(TO_POINTER, &[INTS], POINTER, |selector, inst| selector.pointer_conversion(inst)),
    rule(BETWEEN_POINTERS, &[POINTER], POINTER, |selector, inst| selector.pointer_conversion(inst)),
    rule(COPIES, &[Types::ALL], Types::ALL, |selector, inst| selector.operand(inst, 0).map(Some)),
    rule(FUNCTIONS, &[FLOATS], FLOATS, |selector, inst| selector.function(inst)),
    rule(TRANSCENDENTAL, &[SHORT_FLOATS], SHORT_FLOATS, |selector, inst| selector.function(inst)),
    rule(INTEGER_FUNCTIONS, &[INTS], INTS, |selector, inst| selector.function(inst)),
    rule(&[Operation::Glsl(Glsl::Ldexp)], &[FLOATS, INTS], FLOATS, |selector, inst| selector.load_exponent(inst)),
];

static TABLE: LazyLock<Table<Emit>> = LazyLock::new(|| Table::new(&[RULES]));

/// The rule for an instruction.
pub(super) fn rule_of(typed: &Typed) -> Option<Emit> {
    TABLE.find(typed).copied()
}

/// Returns whether there is a rule for an instruction.
pub(crate) fn has_rule(typed: &Typed) -> bool {
    TABLE.find(typed).is_some()
}

/// The patterns of all rules.
pub(crate) fn patterns() -> impl Iterator<Item = &'static Pattern> {
    RULES.iter().map(|row| &row.pattern)
}

const fn rule(
    operations: &'static [Operation],
    operands: &'static [Types],
    result: Types,
    emit: Select<Value>,
) -> Rule {
    Row::new(operations, operands, result, Emit::Value(emit))
}
