//! Instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Signedness;
use reconverge_lanes::patterns::{Operation, Types};
use spirv::GlslStd450Op as Glsl;

use super::{Computation, Rule, WORDS, rule};
use crate::machine::{AddOp, Condition, WritePort};
use crate::select::emit::{Emitter, SIGN, Word};
use crate::select::float::Direction;
use crate::select::selector::Selector;
use crate::select::value::{Words, one, two};
use crate::select::values::Selected;

const FLOAT: Types = Types::FLOAT;
const LONG: Types = Types::INT64;

/// Functions of one float.
macro_rules! of_float {
    ($op:ident, $function:expr) => {
        rule(&[Operation::Glsl(Glsl::$op)], &[FLOAT], FLOAT, |selector, computation| {
            let words = computation.all_words(selector)?;
            let function: fn(&mut Emitter, Word) -> Word = $function;
            Ok(one(function(&mut selector.emit, words[0][0])).into())
        })
    };
}

/// Functions of several floats.
macro_rules! of_floats {
    ([$($op:ident),+], $function:expr) => {
        rule(&[$(Operation::Glsl(Glsl::$op)),+], &[FLOAT], FLOAT, |selector, computation| {
            let words = computation.all_words(selector)?;
            Ok(one(applied($function, &mut selector.emit, &words)).into())
        })
    };
}

/// Functions of integers of at most 32 bits.
macro_rules! of_words {
    ($op:ident, $function:expr) => {
        rule(&[Operation::Glsl(Glsl::$op)], &[WORDS], WORDS, |selector, computation| {
            of_words(selector, computation, $function)
        })
    };
}

/// The same of signed ones.
macro_rules! of_signed_words {
    ($op:ident, $function:expr) => {
        rule(&[Operation::Glsl(Glsl::$op)], &[WORDS], WORDS, |selector, computation| {
            of_signed_words(selector, computation, $function)
        })
    };
}

/// The lesser or greater of two integers of 64 bits.
macro_rules! extreme_of_longs {
    ($op:ident, $signedness:ident, $least:literal) => {
        rule(&[Operation::Glsl(Glsl::$op)], &[LONG], LONG, |selector, computation| {
            let words = computation.all_words(selector)?;
            Ok(selector
                .emit
                .extreme_of_longs(
                    &words[0],
                    &words[1],
                    Extreme { signedness: Signedness::$signedness, is_least: $least },
                )
                .into())
        })
    };
}

pub(super) const RULES: &[Rule] = &[
    of_float!(FAbs, |emit, a| emit.fabs(a)),
    of_float!(FSign, |emit, a| {
        let a = Word::Register(emit.in_register(a));
        let sign = emit.and(a, Word::Constant(SIGN));
        let one = emit.or(sign, Emitter::float(1.0));
        emit.flags(AddOp::FAdd, a, Emitter::float(0.0));
        emit.choose(Condition::ZeroSet, a, one)
    }),
    of_float!(Trunc, |emit, a| emit.truncated(a)),
    of_float!(Floor, |emit, a| emit.rounded_to(Direction::Down, a)),
    of_float!(Ceil, |emit, a| emit.rounded_to(Direction::Up, a)),
    of_float!(Round, |emit, a| emit.rounded_away(a)),
    of_float!(RoundEven, |emit, a| emit.rounded_even(a)),
    of_float!(Fract, |emit, a| {
        let floor = emit.rounded_to(Direction::Down, a);
        emit.fsub(a, floor)
    }),
    of_floats!([FMin, NMin], |emit, [a, b]| emit.binary(AddOp::FMin, a, b)),
    of_floats!([FMax, NMax], |emit, [a, b]| emit.binary(AddOp::FMax, a, b)),
    of_floats!([FClamp, NClamp], |emit, [a, least, greatest]| {
        let a = emit.binary(AddOp::FMax, a, least);
        emit.binary(AddOp::FMin, a, greatest)
    }),
    of_floats!([FMix], |emit, [a, b, part]| {
        let rest = emit.fsub(Emitter::float(1.0), part);
        let (first, second) = (emit.fmul(a, rest), emit.fmul(b, part));
        emit.fadd(first, second)
    }),
    of_floats!([Fma], |emit, [a, b, c]| {
        let product = emit.fmul(a, b);
        emit.fadd(product, c)
    }),
    of_floats!([Step], |emit, [edge, a]| {
        emit.flags(AddOp::FMax, edge, a);
        emit.choose(Condition::CarrySet, Word::Constant(0), Emitter::float(1.0))
    }),
    of_float!(Sqrt, |emit, a| emit.sqrt(a)),
    of_float!(InverseSqrt, |emit, a| emit.inverse_sqrt(a)),
    of_float!(Exp2, |emit, a| emit.special_function(WritePort::Exp2, a)),
    of_float!(Log2, |emit, a| emit.special_function(WritePort::Log2, a)),
    of_float!(Exp, |emit, a| {
        let scaled = emit.fmul(a, Emitter::float(std::f32::consts::LOG2_E));
        emit.special_function(WritePort::Exp2, scaled)
    }),
    of_float!(Log, |emit, a| {
        let logarithm = emit.special_function(WritePort::Log2, a);
        emit.fmul(logarithm, Emitter::float(std::f32::consts::LN_2))
    }),
    of_floats!([Pow], |emit, [a, b]| {
        let logarithm = emit.special_function(WritePort::Log2, a);
        let product = emit.fmul(b, logarithm);
        emit.special_function(WritePort::Exp2, product)
    }),
    of_float!(Sin, |emit, a| emit.sine(a, 0.0)),
    of_float!(Cos, |emit, a| emit.sine(a, 0.25)),
    of_float!(Tan, |emit, a| {
        let (sine, cosine) = (emit.sine(a, 0.0), emit.sine(a, 0.25));
        emit.fdiv(sine, cosine)
    }),
    rule(&[Operation::Glsl(Glsl::Ldexp)], &[FLOAT, WORDS], FLOAT, |selector, computation| {
        let words = computation.all_words(selector)?;
        let exponent = selector.values.scalar_type(computation.operand(1))?;
        let exponent = selector.emit.signed(words[1][0], exponent);
        Ok(one(selector.emit.scaled(words[0][0], exponent)).into())
    }),
    of_signed_words!(SAbs, |emit, [a]| emit.absolute(a)),
    of_signed_words!(SSign, |emit, [a]| {
        let least = emit.binary(AddOp::Min, a, Word::Constant(1));
        emit.binary(AddOp::Max, least, Word::Constant(u32::MAX))
    }),
    of_signed_words!(SMin, |emit, [a, b]| emit.binary(AddOp::Min, a, b)),
    of_signed_words!(SMax, |emit, [a, b]| emit.binary(AddOp::Max, a, b)),
    of_signed_words!(SClamp, |emit, [a, least, greatest]| {
        let a = emit.binary(AddOp::Max, a, least);
        emit.binary(AddOp::Min, a, greatest)
    }),
    of_words!(UMin, |emit, [a, b]| emit.unsigned_least(a, b)),
    of_words!(UMax, |emit, [a, b]| emit.unsigned_greatest(a, b)),
    of_words!(UClamp, |emit, [a, least, greatest]| {
        let a = emit.unsigned_greatest(a, least);
        emit.unsigned_least(a, greatest)
    }),
    of_words!(FindUMsb, |emit, [a]| emit.highest_bit(a)),
    extreme_of_longs!(UMin, Unsigned, true),
    extreme_of_longs!(UMax, Unsigned, false),
    extreme_of_longs!(SMin, Signed, true),
    extreme_of_longs!(SMax, Signed, false),
    rule(&[Operation::Glsl(Glsl::SAbs)], &[LONG], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let emit = &mut selector.emit;
        let sign = emit.shift(AddOp::Asr, a[1], 31);
        let flipped = two(emit.xor(a[0], sign), emit.xor(a[1], sign));
        Ok(emit.sub_wide(&flipped, &two(sign, sign)).into())
    }),
];

/// A function of the low words of its operands.
fn applied<const N: usize>(
    function: impl FnOnce(&mut Emitter, [Word; N]) -> Word,
    emit: &mut Emitter,
    operands: &[Words],
) -> Word {
    function(emit, std::array::from_fn(|place| operands[place][0]))
}

fn of_words<const N: usize>(
    selector: &mut Selector<'_>,
    computation: &Computation,
    function: impl FnOnce(&mut Emitter, [Word; N]) -> Word,
) -> Result<Selected, Diagnostic> {
    let operands = computation.all_words(selector)?;
    let word = applied(function, &mut selector.emit, &operands);
    Ok(selector.emit.narrowed(word, computation.ty).into())
}

fn of_signed_words<const N: usize>(
    selector: &mut Selector<'_>,
    computation: &Computation,
    function: impl FnOnce(&mut Emitter, [Word; N]) -> Word,
) -> Result<Selected, Diagnostic> {
    let mut operands = computation.all_words(selector)?;
    for words in &mut operands {
        words[0] = selector.emit.signed(words[0], computation.from);
    }
    let word = applied(function, &mut selector.emit, &operands);
    Ok(selector.emit.narrowed(word, computation.ty).into())
}

/// A minimum or maximum.
#[derive(Clone, Copy)]
struct Extreme {
    signedness: Signedness,
    is_least: bool,
}

impl Emitter {
    /// The number of the highest bit that is set; −1 for zero.
    fn highest_bit(&mut self, word: Word) -> Word {
        let zeros = self.unary(AddOp::Clz, word);
        self.sub(Word::Constant(31), zeros)
    }

    fn extreme_of_longs(&mut self, a: &Words, b: &Words, extreme: Extreme) -> Words {
        let condition = self.wide_less(a, b, extreme.signedness);
        let condition = if extreme.is_least { condition } else { condition.inverted() };
        a.iter().zip(b).map(|(&a, &b)| self.choose(condition, a, b)).collect()
    }
}
