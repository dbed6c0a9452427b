//! Floating-point functions beyond the operations of the ALUs. Denormals are zero, and there are no NaNs.

use crate::machine::{AddOp, Condition, Destination, Inst, MulOp, Operation, WritePort};

use super::emit::{Emitter, SIGN, Word};

/// The integers around a number.
struct Neighbours {
    /// The one toward zero.
    near: Word,
    /// The other one.
    far: Word,
    /// The distance of the number from the one toward zero.
    fraction: Word,
}

/// The direction in which a number is rounded to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Down,
    Up,
}

impl Emitter {
    pub(crate) fn fadd(&mut self, a: Word, b: Word) -> Word {
        self.binary(AddOp::FAdd, a, b)
    }

    pub(crate) fn fsub(&mut self, a: Word, b: Word) -> Word {
        self.binary(AddOp::FSub, a, b)
    }

    pub(crate) fn fmul(&mut self, a: Word, b: Word) -> Word {
        self.multiply(MulOp::FMul, a, b)
    }

    /// Compares two floats, and gives the condition that neither is greater.
    pub(crate) fn float_equality(&mut self, a: Word, b: Word) -> Condition {
        let (a, b) = (Word::Register(self.in_register(a)), Word::Register(self.in_register(b)));
        self.flags(AddOp::FMax, a, b);
        let [left, right] = [b, a].map(|word| self.source(word));
        let other = Inst::binary(Operation::Add(AddOp::FMax), Destination::Null, left, right).setting_flags();
        self.push(other.when(Condition::CarryClear));
        Condition::CarryClear
    }

    pub(crate) fn float(value: f32) -> Word {
        Word::Constant(value.to_bits())
    }

    pub(crate) fn fabs(&mut self, a: Word) -> Word {
        self.and(a, Word::Constant(!SIGN))
    }

    /// A quotient: the reciprocal of the special functions unit, two steps of Newton's method, and one step on the quotient.
    ///
    /// ```text
    /// x ≈ 1 / b;   x = x + x · (1 − b · x), twice;   q = a · x;   q = q + x · (a − q · b)
    /// the number after q is taken if its product with b is a
    /// ```
    ///
    /// Sums are rounded toward zero, so a quotient that is a number may come out as the one before it.
    pub(crate) fn fdiv(&mut self, a: Word, b: Word) -> Word {
        let b = Word::Register(self.in_register(b));
        let mut inverse = self.special_function(WritePort::Reciprocal, b);
        for _ in 0..2 {
            let product = self.fmul(b, inverse);
            let rest = self.fsub(Emitter::float(1.0), product);
            let step = self.fmul(inverse, rest);
            inverse = self.fadd(inverse, step);
        }
        let quotient = self.fmul(a, inverse);
        let product = self.fmul(quotient, b);
        let rest = self.fsub(a, product);
        let step = self.fmul(inverse, rest);
        let quotient = self.fadd(quotient, step);
        let next = self.add(quotient, Word::Constant(1));
        let product = self.fmul(next, b);
        self.flags(AddOp::Xor, product, a);
        self.choose(Condition::ZeroSet, next, quotient)
    }

    /// The bits of the denormal half nearest to a float below 2⁻¹⁴, ties to even.
    fn denormal_half(&mut self, size: Word) -> Word {
        let exponent = self.shift(AddOp::Shr, size, 23);
        let amount = self.sub(Word::Constant(126), exponent);
        // From 25 bits on nothing is left.
        let amount = self.binary(AddOp::Min, amount, Word::Constant(25));
        let mantissa = self.and(size, Word::Constant(0x007f_ffff));
        let mantissa = self.or(mantissa, Word::Constant(0x0080_0000));
        let odd = self.binary(AddOp::Shr, mantissa, amount);
        let odd = self.and(odd, Word::Constant(1));
        let before = self.sub(amount, Word::Constant(1));
        let half = self.binary(AddOp::Shl, Word::Constant(1), before);
        let rounding = self.add(half, odd);
        let sum = self.add(mantissa, rounding);
        let sum = self.sub(sum, Word::Constant(1));
        self.binary(AddOp::Shr, sum, amount)
    }

    /// `1 / √a`, by the special functions unit and two steps of Newton's method: `x = x + x / 2 · (1 − a · x · x)`.
    pub(crate) fn inverse_sqrt(&mut self, a: Word) -> Word {
        let a = Word::Register(self.in_register(a));
        let mut root = self.special_function(WritePort::ReciprocalSqrt, a);
        for _ in 0..2 {
            let product = self.fmul(a, root);
            let square = self.fmul(product, root);
            let rest = self.fsub(Emitter::float(1.0), square);
            let half = self.fmul(root, Emitter::float(0.5));
            let step = self.fmul(half, rest);
            root = self.fadd(root, step);
        }
        root
    }

    /// `√a = a / √a`, with one step on the root; zero for zero.
    pub(crate) fn sqrt(&mut self, a: Word) -> Word {
        let a = Word::Register(self.in_register(a));
        let inverse = self.inverse_sqrt(a);
        let root = self.fmul(a, inverse);
        let square = self.fmul(root, root);
        let rest = self.fsub(a, square);
        let half = self.fmul(inverse, Emitter::float(0.5));
        let step = self.fmul(half, rest);
        let root = self.fadd(root, step);
        let root = self.copied(root);
        self.flags(AddOp::FAdd, a, Emitter::float(0.0));
        self.copy_when(root, a, Condition::ZeroSet);
        Word::Register(root)
    }

    /// Rounds toward zero. A number from 2²³ on has no fraction, and may not fit an integer.
    pub(crate) fn truncated(&mut self, a: Word) -> Word {
        let a = Word::Register(self.in_register(a));
        let integer = self.unary(AddOp::FToI, a);
        let rounded = self.unary(AddOp::IToF, integer);
        let sign = self.and(a, Word::Constant(SIGN));
        let rounded = self.or(rounded, sign);
        self.unless_large(a, rounded)
    }

    /// A number if it has no fraction by its size, else another one.
    fn unless_large(&mut self, a: Word, other: Word) -> Word {
        let size = self.fabs(a);
        let limit = Word::Register(self.loaded(8_388_608.0_f32.to_bits()));
        self.flags(AddOp::FMax, limit, size);
        self.choose(Condition::CarrySet, other, a)
    }

    /// Rounds to an integer in a direction.
    pub(crate) fn rounded_to(&mut self, direction: Direction, a: Word) -> Word {
        let a = Word::Register(self.in_register(a));
        let truncated = self.truncated(a);
        let step = match direction {
            Direction::Up => 1.0,
            Direction::Down => -1.0,
        };
        let step = Word::Register(self.loaded(f32::to_bits(step)));
        let next = self.fadd(truncated, step);
        match direction {
            Direction::Up => self.flags(AddOp::FMax, a, truncated),
            Direction::Down => self.flags(AddOp::FMax, truncated, a),
        }
        let result = self.choose(Condition::CarrySet, next, truncated);
        // The sign of zero is that of the operand.
        let sign = self.and(a, Word::Constant(SIGN));
        let signed = self.or(result, sign);
        self.flags(AddOp::FAdd, result, Emitter::float(0.0));
        self.choose(Condition::ZeroSet, signed, result)
    }

    /// Rounds to the nearest integer, ties to even. The ALU rounds sums toward zero, so the fraction decides, which is exact.
    pub(crate) fn rounded_even(&mut self, a: Word) -> Word {
        let Neighbours { near, far, fraction } = self.neighbours(a);
        let integer = self.unary(AddOp::FToI, near);
        let odd = self.and(integer, Word::Constant(1));
        // A tie goes up from an odd integer: as if the fraction were greater than a half.
        let fraction = self.add(fraction, odd);
        self.flags(AddOp::FMax, fraction, Emitter::float(0.5));
        self.choose(Condition::CarrySet, far, near)
    }

    /// Rounds to the nearest integer, ties away from zero.
    pub(crate) fn rounded_away(&mut self, a: Word) -> Word {
        let Neighbours { near, far, fraction } = self.neighbours(a);
        // Carry: 1/2 > fraction.
        self.flags(AddOp::FMax, Emitter::float(0.5), fraction);
        self.choose(Condition::CarryClear, far, near)
    }

    /// The integers around a number.
    fn neighbours(&mut self, a: Word) -> Neighbours {
        let a = Word::Register(self.in_register(a));
        let near = self.truncated(a);
        let fraction = self.fsub(a, near);
        let fraction = self.fabs(fraction);
        let sign = self.and(a, Word::Constant(SIGN));
        let one = self.or(sign, Emitter::float(1.0));
        Neighbours { near, far: self.fadd(near, one), fraction }
    }

    /// An unsigned integer as a float. From 2³¹ on, half of it is converted, with the last bit kept for rounding, and doubled.
    pub(crate) fn unsigned_to_float(&mut self, a: Word, bound: u32) -> Word {
        if bound < SIGN {
            return self.unary(AddOp::IToF, a);
        }
        let a = Word::Register(self.in_register(a));
        let half = self.shift(AddOp::Shr, a, 1);
        let last = self.and(a, Word::Constant(1));
        let half = self.or(half, last);
        let half = self.unary(AddOp::IToF, half);
        let doubled = self.fadd(half, half);
        let plain = self.unary(AddOp::IToF, a);
        self.test(a);
        self.choose(Condition::NegativeSet, doubled, plain)
    }

    /// A float as an unsigned integer, truncated.
    pub(crate) fn float_to_unsigned(&mut self, a: Word) -> Word {
        let a = Word::Register(self.in_register(a));
        let limit = Word::Register(self.loaded(2_147_483_648.0_f32.to_bits()));
        let upper = self.fsub(a, limit);
        let upper = self.unary(AddOp::FToI, upper);
        let upper = self.xor(upper, Word::Constant(SIGN));
        let plain = self.unary(AddOp::FToI, a);
        self.flags(AddOp::FMax, limit, a);
        self.choose(Condition::CarrySet, plain, upper)
    }

    /// The sine of `a + 2π · phase`, by turns: the fraction of a turn nearest to zero, folded to a quarter, and Taylor's series to the ninth power.
    /// The error is less than 2⁻¹⁷ for angles in [−π, π]; it grows with the angle.
    pub(crate) fn sine(&mut self, a: Word, phase: f32) -> Word {
        let turns = self.fmul(a, Emitter::float(0.5 / std::f32::consts::PI));
        let turns = self.fadd(turns, Emitter::float(phase));
        let whole = self.rounded_even(turns);
        let part = self.fsub(turns, whole);
        let part = Word::Register(self.in_register(part));
        // sin(π − x) = sin(x): a part beyond a quarter is as far before a half.
        let sign = self.and(part, Word::Constant(SIGN));
        let size = self.fabs(part);
        let rest = self.fsub(Emitter::float(0.5), size);
        let folded = self.binary(AddOp::FMin, size, rest);
        let folded = self.or(folded, sign);
        let angle = self.fmul(folded, Emitter::float(2.0 * std::f32::consts::PI));
        let square = self.fmul(angle, angle);
        let mut sum = Emitter::float(1.0 / 362_880.0);
        for coefficient in [-1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
            let product = self.fmul(sum, square);
            sum = self.fadd(product, Emitter::float(coefficient));
        }
        self.fmul(sum, angle)
    }

    /// `a · 2^exponent`: two factors, so that neither leaves the range of the exponent.
    pub(crate) fn scaled(&mut self, a: Word, exponent: Word) -> Word {
        let mut rest = self.binary(AddOp::Min, exponent, Word::Constant(252));
        rest = self.binary(AddOp::Max, rest, Word::Constant((-252_i32).cast_unsigned()));
        let half = self.shift(AddOp::Asr, rest, 1);
        let other = self.sub(rest, half);
        let mut result = a;
        for part in [half, other] {
            let biased = self.add(part, Word::Constant(127));
            let factor = self.shift(AddOp::Shl, biased, 23);
            result = self.fmul(result, factor);
        }
        result
    }

    /// The float of the bits of a half.
    ///
    /// ```text
    /// the exponent moves by 127 − 15; a denormal is scaled: its bits are an integer times 2⁻²⁴; 31 becomes 255
    /// ```
    pub(crate) fn half_to_float(&mut self, bits: Word) -> Word {
        let sign = self.shift(AddOp::Shl, bits, 16);
        let sign = self.and(sign, Word::Constant(SIGN));
        let size = self.and(bits, Word::Constant(0x7fff));
        let moved = self.shift(AddOp::Shl, size, 13);
        let normal = self.add(moved, Word::Constant(112 << 23));
        let special = self.add(moved, Word::Constant(224 << 23));
        let integer = self.unary(AddOp::IToF, size);
        let small = self.fmul(integer, Word::Constant((127 - 24) << 23));
        let limit = Word::Register(self.loaded(0x7c00));
        self.flags(AddOp::Sub, size, limit);
        let result = self.choose(Condition::CarrySet, normal, special);
        let least = Word::Register(self.loaded(0x0400));
        self.flags(AddOp::Sub, size, least);
        let result = self.choose(Condition::CarrySet, small, result);
        self.or(result, sign)
    }

    /// The bits of the half that is nearest to a float, ties to even.
    ///
    /// ```text
    /// normal       bits + 0xfff + (bit 13 of bits), shifted by 13, with the exponent moved by 15 − 127; from 65520 on infinity
    /// denormal     the 24 bits of the mantissa, shifted by 126 - exponent, rounded in the same way
    /// ```
    pub(crate) fn float_to_half(&mut self, a: Word) -> Word {
        let sign = self.shift(AddOp::Shr, a, 16);
        let sign = self.and(sign, Word::Constant(0x8000));
        let size = self.fabs(a);
        let odd = self.shift(AddOp::Shr, size, 13);
        let odd = self.and(odd, Word::Constant(1));
        let rounding = self.add(odd, Word::Constant(0xfff_u32.wrapping_sub(112 << 23)));
        let sum = self.add(size, rounding);
        let normal = self.shift(AddOp::Shr, sum, 13);
        let small = self.denormal_half(size);
        // From 2¹⁶ − 16 on it is infinity, a NaN stays one.
        let least = Word::Register(self.loaded(0x3880_0000));
        self.flags(AddOp::Sub, size, least);
        let result = self.choose(Condition::CarrySet, small, normal);
        let limit = Word::Register(self.loaded(0x477f_f000));
        let infinity = Word::Register(self.loaded(0x7c00));
        self.flags(AddOp::Sub, size, limit);
        let result = self.choose(Condition::CarryClear, infinity, result);
        let greatest = Word::Register(self.loaded(0x7f80_0000));
        let nan = Word::Register(self.loaded(0x7e00));
        self.flags(AddOp::Sub, greatest, size);
        let result = self.choose(Condition::CarrySet, nan, result);
        self.or(result, sign)
    }
}
