//! Values with operators: see `writer.rs`.
//!
//! `+ - *` operate on components, floating-point or integer; `/` divides floats; `& | ^ !` operate on the bits of integers and on booleans;
//! `<< >>` shift integers, `>>` logically. The other operand is a value of the same shape, or a number that becomes a constant of that
//! shape. Comparisons of integers are unsigned unless the name says otherwise; those of floats are false for NaN.

use std::ops;

use reconverge_ir::{Inst, Op};
use spirv::GlslStd450Op as Glsl;

use super::shape::{Format, Scalar, Shape, float_bits};
use super::writer::FormulaWriter;

/// An instruction, its shape, and the writer for values computed from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'w> {
    writer: &'w FormulaWriter<'w>,
    inst: Inst,
    shape: Shape,
}

/// The other operand of an operator: a value or a number.
pub(crate) trait Beside<'w> {
    /// Converts this to a value of the shape of `other`.
    fn like(self, other: Value<'w>) -> Value<'w>;
}

impl<'w> Beside<'w> for Value<'w> {
    fn like(self, _: Value<'w>) -> Value<'w> {
        self
    }
}

impl<'w> Beside<'w> for f64 {
    fn like(self, other: Value<'w>) -> Value<'w> {
        other.writer.constant(other.shape, float_bits(other.shape.width(), self))
    }
}

impl<'w> Beside<'w> for u64 {
    fn like(self, other: Value<'w>) -> Value<'w> {
        other.writer.constant(other.shape, self)
    }
}

impl<'w> Value<'w> {
    pub(crate) fn new(writer: &'w FormulaWriter<'w>, inst: Inst, shape: Shape) -> Value<'w> {
        Value { writer, inst, shape }
    }

    /// The instruction.
    pub(crate) fn inst(self) -> Inst {
        self.inst
    }

    /// The writer.
    pub(crate) fn writer(self) -> &'w FormulaWriter<'w> {
        self.writer
    }

    /// The shape.
    pub(crate) fn shape(self) -> Shape {
        self.shape
    }

    /// The layout of the floating-point number.
    pub(crate) fn format(self) -> Format {
        Format::of(self.shape.width())
    }

    /// A constant of this value's shape; for integers and booleans, its bits.
    pub(crate) fn constant(self, number: impl Beside<'w>) -> Value<'w> {
        number.like(self)
    }

    fn is_float(self) -> bool {
        self.shape.is_float()
    }

    fn unary(self, op: Op) -> Value<'w> {
        self.writer.emit(op, self.shape, &[self])
    }

    fn binary(self, op: Op, other: impl Beside<'w>) -> Value<'w> {
        self.writer.emit(op, self.shape, &[self, other.like(self)])
    }

    fn compare(self, op: Op, other: impl Beside<'w>) -> Value<'w> {
        self.writer.emit(op, self.shape.with(Scalar::Bool), &[self, other.like(self)])
    }

    fn pick(self, float: Op, int: Op) -> Op {
        if self.is_float() { float } else { int }
    }
}

/// Comparisons.
impl<'w> Value<'w> {
    /// `self < other`.
    pub(crate) fn less(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FOrdLessThan, Op::ULessThan), other)
    }

    /// `self <= other`.
    pub(crate) fn at_most(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FOrdLessThanEqual, Op::ULessThanEqual), other)
    }

    /// `self > other`.
    pub(crate) fn greater(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FOrdGreaterThan, Op::UGreaterThan), other)
    }

    /// `self >= other`.
    pub(crate) fn at_least(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FOrdGreaterThanEqual, Op::UGreaterThanEqual), other)
    }

    /// `self < other` of signed integers.
    pub(crate) fn signed_less(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(Op::SLessThan, other)
    }

    /// `self > other` of signed integers.
    pub(crate) fn signed_greater(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(Op::SGreaterThan, other)
    }

    /// Computes whether a signed integer is below zero.
    pub(crate) fn is_negative(self) -> Value<'w> {
        self.signed_less(0)
    }

    /// `self == other`.
    pub(crate) fn equals(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FOrdEqual, Op::IEqual), other)
    }

    /// `self != other`; for floats true if one is NaN.
    pub(crate) fn differs(self, other: impl Beside<'w>) -> Value<'w> {
        self.compare(self.pick(Op::FUnordNotEqual, Op::INotEqual), other)
    }

    /// A select: the first value where this is true, the second otherwise.
    pub(crate) fn select(self, yes: Value<'w>, no: impl Beside<'w>) -> Value<'w> {
        self.writer.emit(Op::Select, yes.shape, &[self, yes, no.like(yes)])
    }
}

/// Conversions.
impl<'w> Value<'w> {
    fn cast(self, op: Op, scalar: Scalar) -> Value<'w> {
        match self.shape.scalar == scalar {
            true => self,
            false => self.writer.emit(op, self.shape.with(scalar), &[self]),
        }
    }

    /// The bits of a float as an integer.
    pub(crate) fn bits(self) -> Value<'w> {
        self.cast(Op::Bitcast, Scalar::Int(self.shape.width()))
    }

    /// The float that has the bits of this integer.
    pub(crate) fn float_of_bits(self) -> Value<'w> {
        self.cast(Op::Bitcast, Scalar::Float(self.shape.width()))
    }

    /// An integer of that width; zero-extended or truncated.
    pub(crate) fn to_width(self, width: u32) -> Value<'w> {
        self.cast(Op::UConvert, Scalar::Int(width))
    }

    /// An integer of that width; sign-extended or truncated.
    pub(crate) fn to_signed_width(self, width: u32) -> Value<'w> {
        self.cast(Op::SConvert, Scalar::Int(width))
    }

    /// A float of that width; rounded if necessary.
    pub(crate) fn to_float_width(self, width: u32) -> Value<'w> {
        self.cast(Op::FConvert, Scalar::Float(width))
    }

    /// A signed integer as a float.
    pub(crate) fn signed_to_float(self, width: u32) -> Value<'w> {
        self.cast(Op::ConvertSToF, Scalar::Float(width))
    }

    /// An unsigned integer as a float.
    pub(crate) fn unsigned_to_float(self, width: u32) -> Value<'w> {
        self.cast(Op::ConvertUToF, Scalar::Float(width))
    }

    /// A float as a signed integer, toward zero.
    pub(crate) fn to_signed(self, width: u32) -> Value<'w> {
        self.cast(Op::ConvertFToS, Scalar::Int(width))
    }

    /// A float as an unsigned integer, toward zero.
    pub(crate) fn to_unsigned(self, width: u32) -> Value<'w> {
        self.cast(Op::ConvertFToU, Scalar::Int(width))
    }

    /// A boolean as an integer, 0 or 1.
    pub(crate) fn to_int(self, width: u32) -> Value<'w> {
        let shape = self.shape.with(Scalar::Int(width));
        let one = self.writer.constant(shape, 1);
        self.select(one, 0)
    }
}

/// Functions of several instructions, or without an operator.
impl<'w> Value<'w> {
    /// An arithmetic right shift.
    pub(crate) fn shift_right_signed(self, amount: impl Beside<'w>) -> Value<'w> {
        self.binary(Op::ShiftRightArithmetic, amount)
    }

    /// An instruction of GLSL.std.450 on this value, with a result of its shape.
    pub(crate) fn glsl(self, instruction: Glsl) -> Value<'w> {
        self.writer.glsl(instruction, self.shape, &[self])
    }

    /// The magnitude of a float.
    pub(crate) fn magnitude(self) -> Value<'w> {
        self.glsl(Glsl::FAbs)
    }

    /// The floor.
    pub(crate) fn floor(self) -> Value<'w> {
        self.glsl(Glsl::Floor)
    }

    /// The value rounded towards zero.
    pub(crate) fn truncate(self) -> Value<'w> {
        self.glsl(Glsl::Trunc)
    }

    /// The nearest integer, ties to even.
    pub(crate) fn round_even(self) -> Value<'w> {
        let is_truncated = self.shape.scalar == Scalar::Float(64) && self.writer.truncates_doubles();
        if is_truncated { crate::extended_instructions::round_even(self) } else { self.glsl(Glsl::RoundEven) }
    }

    /// The square root, in the precision of the device.
    pub(crate) fn square_root(self) -> Value<'w> {
        self.glsl(Glsl::Sqrt)
    }

    /// `self * factor + addend`, rounded once if the device's instruction is fused, else twice.
    pub(crate) fn times_plus(self, factor: Value<'w>, addend: impl Beside<'w>) -> Value<'w> {
        if self.writer.has_fused() { self.fused(factor, addend) } else { self * factor + addend }
    }

    /// `self * factor + addend`, by the device's instruction.
    pub(crate) fn fused(self, factor: Value<'w>, addend: impl Beside<'w>) -> Value<'w> {
        self.writer.glsl(Glsl::Fma, self.shape, &[self, factor, addend.like(self)])
    }

    /// Computes whether a float is NaN. Tests the bits, so that no fast-math assumption of a compiler can make it false.
    pub(crate) fn is_nan(self) -> Value<'w> {
        (self.bits() & (self.format().sign() - 1)).greater(self.format().infinity())
    }

    /// Computes whether a float is infinite, by its bits.
    pub(crate) fn is_infinite(self) -> Value<'w> {
        (self.bits() & (self.format().sign() - 1)).equals(self.format().infinity())
    }

    /// Computes whether a float is finite, by its bits.
    pub(crate) fn is_finite(self) -> Value<'w> {
        (self.bits() & (self.format().sign() - 1)).less(self.format().infinity())
    }

    /// This magnitude with the sign of another float.
    pub(crate) fn with_sign_of(self, other: Value<'w>) -> Value<'w> {
        let sign = self.format().sign();
        ((self.bits() & (sign - 1)) | (other.bits() & sign)).float_of_bits()
    }

    /// A constant of this float's shape, given by its bits.
    pub(crate) fn constant_bits(self, bits: u64) -> Value<'w> {
        self.writer.constant(self.shape, bits)
    }

    /// Components `first` and on, `count` of them.
    pub(crate) fn components(self, first: u32, count: u32) -> Value<'w> {
        if count == self.shape.count {
            return self;
        }
        let word = |number: u32| self.writer.build(|build| build.editor().word(number));
        match count {
            1 => self.writer.emit_raw(Op::CompositeExtract, self.shape.times(1), &[self.inst, word(first)]),
            _ => {
                let operands: Vec<Inst> =
                    [self.inst, self.inst].into_iter().chain((first..first + count).map(word)).collect();
                self.writer.emit_raw(Op::VectorShuffle, self.shape.times(count), &operands)
            }
        }
    }

    /// One component.
    pub(crate) fn component(self, index: u32) -> Value<'w> {
        self.components(index, 1)
    }

    /// A scalar in every component of a vector; a vector unchanged.
    pub(crate) fn splat(self, count: u32) -> Value<'w> {
        match self.shape.count {
            1 => self.writer.vector(&vec![self; count as usize]),
            _ => self,
        }
    }
}

/// The sum of `coefficients[i] * x^i`, from the last to the first (Horner).
pub(crate) fn polynomial<'w>(x: Value<'w>, coefficients: &[f64]) -> Value<'w> {
    let (&last, rest) = coefficients.split_last().expect("invariant: a polynomial has a coefficient");
    rest.iter().rev().fold(x.constant(last), |sum, &coefficient| sum.times_plus(x, coefficient))
}

macro_rules! operators {
    ($($trait:ident $method:ident |$value:ident| $op:expr;)*) => {
        $( impl<'w, B: Beside<'w>> ops::$trait<B> for Value<'w> {
            type Output = Value<'w>;

            fn $method(self, other: B) -> Value<'w> {
                let $value = self;
                self.binary($op, other)
            }
        } )*
    };
}

operators! {
    Add add |value| value.pick(Op::FAdd, Op::IAdd);
    Sub sub |value| value.pick(Op::FSub, Op::ISub);
    Mul mul |value| value.pick(Op::FMul, Op::IMul);
    Div div |_value| Op::FDiv;
    BitAnd bitand |value| if value.shape.scalar == Scalar::Bool { Op::LogicalAnd } else { Op::BitwiseAnd };
    BitOr bitor |value| if value.shape.scalar == Scalar::Bool { Op::LogicalOr } else { Op::BitwiseOr };
    BitXor bitxor |value| if value.shape.scalar == Scalar::Bool { Op::LogicalNotEqual } else { Op::BitwiseXor };
    Shl shl |_value| Op::ShiftLeftLogical;
    Shr shr |_value| Op::ShiftRightLogical;
}

impl<'w> ops::Neg for Value<'w> {
    type Output = Value<'w>;

    fn neg(self) -> Value<'w> {
        self.unary(self.pick(Op::FNegate, Op::SNegate))
    }
}

impl<'w> ops::Not for Value<'w> {
    type Output = Value<'w>;

    fn not(self) -> Value<'w> {
        self.unary(if self.shape.scalar == Scalar::Bool { Op::LogicalNot } else { Op::Not })
    }
}
