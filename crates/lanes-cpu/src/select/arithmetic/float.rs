//! Floating-point arithmetic. Halves are computed as 32-bit floats and rounded, which gives the correctly rounded result for each of these
//! operations: a float has twice the bits of a half and two more.

use reconverge_ir::Op;

use super::Emitter;
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Rounding, Size, Source};
use crate::machine::VReg;
use crate::select::value::{ScalarType, Value};

/// A ratio below 2²⁷⁷ loses 52 bits a step.
const STEPS_OF_FLOATS: u32 = 6;

impl Emitter<'_> {
    pub(super) fn float_binary(&mut self, op: Op, bits: u32, a: &Value, b: &Value) -> Option<Value> {
        self.map(ScalarType::Float(bits), [a, b], |lanes, [a, b]| {
            let result = match op {
                Op::FAdd => lanes.float_add(a, b),
                Op::FSub => lanes.float_subtract(a, b),
                Op::FMul => lanes.float_multiply(a, b),
                Op::FDiv => lanes.float_divide(a, b),
                Op::FRem | Op::FMod if bits <= 32 => lanes.float_remainder(op, a, b),
                _ => return None,
            };
            Some(lanes.half_rounded(bits, result))
        })
    }
}

impl Lanes<'_, '_> {
    /// The nearest half where the type is one.
    pub(super) fn half_rounded(&mut self, bits: u32, a: VReg) -> VReg {
        if bits != 16 {
            return a;
        }
        let half = self.nearest_half(a);
        self.one(V::Vcvtph2ps, half)
    }

    /// The bits of the nearest halves, close together in the lower half of a register.
    pub(super) fn nearest_half(&mut self, a: VReg) -> VReg {
        self.one_immediate(V::Vcvtps2ph, a, 0)
    }

    /// The remainder with the sign of `a`, or of `b` for `FMod`, computed in doubles.
    ///
    /// In each step `q` is the quotient rounded to 53 bits and toward zero to an integer, and r − q · b is exact: it is a multiple of the
    /// product of the units of `q` and `b`, or of the unit of `r`, and not greater than 2²⁴ such units. When the quotient is less
    /// than 2⁵³, it may have been rounded up to an integer, which makes the remainder negative: then `b` is added once.
    fn float_remainder(&mut self, op: Op, a: Source, b: Source) -> VReg {
        let (a, b) = (self.register(a), self.register(b));
        let (wide_a, wide_b) = (self.widened(V::Vcvtps2pd, a), self.widened(V::Vcvtps2pd, b));
        let mut results = super::Registers::new();
        for (&a, &b) in wide_a.iter().zip(&wide_b) {
            results.push(self.sized(Size::Quad).remainder_of_doubles(op, a, b));
        }
        self.narrowed(V::Vcvtpd2ps, &results)
    }

    fn remainder_of_doubles(&mut self, op: Op, a: VReg, b: VReg) -> VReg {
        const EQUAL: i64 = 0;
        let infinity = self.float(f64::INFINITY);
        let (magnitude, divisor) = (self.magnitude(a), self.magnitude(b));
        let mut rest = magnitude;
        for _ in 0..STEPS_OF_FLOATS {
            let quotient = self.float_divide(rest, divisor);
            let quotient = self.rounded(quotient, Rounding::Zero);
            rest = self.fnma(quotient, divisor, rest);
        }
        let is_negative = self.float_compare(1, rest, Source::Constant(0));
        let sum = self.float_add(rest, divisor);
        let rest = self.blend(is_negative, sum, rest);
        // A finite number is its own remainder by infinity; the steps made zero times infinity of it.
        let is_infinite = self.float_compare(EQUAL, divisor, infinity);
        let is_number = self.float_compare(1, magnitude, infinity);
        let is_itself = self.both(is_infinite, is_number);
        let rest = self.blend(is_itself, magnitude, rest);
        let sign = self.sign_of(a);
        let remainder = self.or(rest, sign);
        if op == Op::FRem {
            return remainder;
        }
        self.floored_float(remainder, b)
    }

    /// The remainder with the sign of the divisor.
    fn floored_float(&mut self, remainder: VReg, b: VReg) -> VReg {
        const NOT_EQUAL: i64 = 4;
        let (signed, differs) = (self.sign_of(b), self.xor(remainder, b));
        let plain = self.magnitude(remainder);
        let same = self.or(plain, signed);
        let differs = self.sign_of(differs);
        let is_same = self.is_zero(differs);
        let is_some = self.float_compare(NOT_EQUAL, remainder, Source::Constant(0));
        let sum = self.float_add(remainder, b);
        let corrected = self.blend(is_same, same, sum);
        self.blend(is_some, corrected, same)
    }
}
