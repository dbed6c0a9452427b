//! Transcendental functions of 32-bit floats and halves, computed in doubles and rounded once to a float.
//!
//! A double has 29 bits more than a float, so plain formulas and Taylor series are exact enough: before the last rounding the error is below
//! 2⁻³² of the value, and results are within 0.51 ulp. Overflow and subnormal results come out of that rounding. `angle.rs` has the
//! circular functions and their inverses.
//!
//! - 2^t: t = n + r with |r| ≤ ½, 2^r by the series of e^(r · ln 2), n added to the exponent.
//! - log₂ x: x = 2^e · m with √½ ≤ m < √2, and ln m = 2 · artanh s with s = (m − 1) / (m + 1), |s| < 0.172.
//! - Functions that are odd have their series near zero, where the difference of exponentials has too few bits.

use std::f64::consts::{LN_2, LOG2_E};

use spirv::GlslStd450Op as Glsl;

use super::Registers;
use super::compare::predicate;
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Rounding, Size, Source};
use crate::machine::VReg;

/// Beyond this exponent every result is zero or infinite as a float, also its square root.
const LIMIT: f64 = 600.0;
const FRACTION: u32 = 52;
const BIAS: u64 = 1023;

/// The base of the logarithm and of the exponential.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Radix {
    Two,
    E,
}

impl<'a> Lanes<'_, 'a> {
    /// A function of one float.
    pub(super) fn transcendental(&mut self, op: Glsl, a: VReg) -> Option<VReg> {
        match op {
            Glsl::Sin | Glsl::Cos | Glsl::Tan => return Some(self.circular(op, a)),
            Glsl::Exp | Glsl::Exp2 | Glsl::Log | Glsl::Log2 | Glsl::Asin | Glsl::Acos | Glsl::Atan => {}
            Glsl::Sinh | Glsl::Cosh | Glsl::Tanh | Glsl::Asinh | Glsl::Acosh | Glsl::Atanh => {}
            _ => return None,
        }
        Some(self.in_doubles([a], |lanes, [x]| match op {
            Glsl::Exp => lanes.exponential(Radix::E, x),
            Glsl::Exp2 => lanes.exponential(Radix::Two, x),
            Glsl::Log => lanes.logarithm(Radix::E, x),
            Glsl::Log2 => lanes.logarithm(Radix::Two, x),
            Glsl::Asin | Glsl::Acos | Glsl::Atan => lanes.inverse_circular(op, x),
            Glsl::Sinh | Glsl::Cosh | Glsl::Tanh => lanes.hyperbolic(op, x),
            _ => lanes.inverse_hyperbolic(op, x),
        }))
    }

    /// A function of two floats.
    pub(super) fn transcendental_of_two(&mut self, op: Glsl, a: VReg, b: VReg) -> Option<VReg> {
        match op {
            Glsl::Pow => Some(self.in_doubles([a, b], |lanes, [x, y]| lanes.power(x, y))),
            Glsl::Atan2 => Some(self.in_doubles([a, b], |lanes, [y, x]| lanes.angle(y, x))),
            _ => None,
        }
    }

    /// `function` of doubles, rounded to floats.
    fn in_doubles<const N: usize>(
        &mut self,
        operands: [VReg; N],
        mut function: impl FnMut(&mut Lanes<'_, 'a>, [VReg; N]) -> VReg,
    ) -> VReg {
        let wide = operands.map(|operand| self.widened(V::Vcvtps2pd, operand));
        let mut results = Registers::new();
        let parts = (0..wide[0].len()).map(|part| std::array::from_fn(|operand| wide[operand][part]));
        for operands in parts {
            results.push(function(&mut self.sized(Size::Quad), operands));
        }
        self.narrowed(V::Vcvtpd2ps, &results)
    }

    fn exponential(&mut self, radix: Radix, x: VReg) -> VReg {
        let factor = self.float(LOG2_E);
        let t = if radix == Radix::E { self.float_multiply(x, factor) } else { x };
        // Minimum and maximum give their second operand where it is no number.
        let (least, greatest) = (self.float(-LIMIT), self.float(LIMIT));
        let t = self.float_greatest(least, t);
        let t = self.float_least(greatest, t);
        let whole = self.rounded(t, Rounding::Even);
        let rest = self.float_subtract(t, whole);
        let natural = self.float(LN_2);
        let rest = self.float_multiply(rest, natural);
        let mut coefficients = [1.0; 11];
        for index in (0..10).rev() {
            coefficients[index] = coefficients[index + 1] / (10 - index) as f64;
        }
        let power = self.polynomial(rest, &coefficients);
        // The integer in the low bits of the sum goes to the exponent.
        let magic = self.float(6_755_399_441_055_744.0);
        let exponent = self.float_add(whole, magic);
        let exponent = self.shifted_left(exponent, FRACTION);
        self.add(power, exponent)
    }

    fn logarithm(&mut self, radix: Radix, x: VReg) -> VReg {
        let offset = std::f64::consts::FRAC_1_SQRT_2.to_bits();
        let moved = self.add(x, Source::Constant((BIAS << FRACTION).wrapping_sub(offset)));
        let exponent = self.shifted_right(moved, FRACTION);
        let bits = self.shifted_left(exponent, FRACTION);
        let mantissa = self.subtract(x, bits);
        let mantissa = self.add(mantissa, Source::Constant(BIAS << FRACTION));
        let two_to_52 = 2f64.powi(52);
        let exponent = self.or(exponent, Source::Constant(two_to_52.to_bits()));
        let bias = self.float(two_to_52 + BIAS as f64);
        let exponent = self.float_subtract(exponent, bias);
        let one = self.float(1.0);
        let (above, below) = (self.float_subtract(mantissa, one), self.float_add(mantissa, one));
        let s = self.float_divide(above, below);
        let square = self.float_multiply(s, s);
        let coefficients: Vec<f64> = (0..10).rev().map(|index| 2.0 / f64::from(2 * index + 1)).collect();
        let series = self.polynomial(square, &coefficients);
        let natural = self.float_multiply(series, s);
        let factor = self.float(if radix == Radix::E { LN_2 } else { LOG2_E });
        let result = match radix {
            Radix::E => self.fma(exponent, factor, natural),
            Radix::Two => self.fma(natural, factor, exponent),
        };
        self.logarithm_of_special(x, result)
    }

    /// Of zero, of infinity, and of what is negative or no number.
    fn logarithm_of_special(&mut self, x: VReg, result: VReg) -> VReg {
        let (infinity, minus, nan) = (self.float(f64::INFINITY), self.float(f64::NEG_INFINITY), self.float(f64::NAN));
        let is_infinite = self.float_compare(predicate::EQUAL, x, infinity);
        let result = self.blend(is_infinite, infinity, result);
        let is_zero = self.float_compare(predicate::EQUAL, x, Source::Constant(0));
        let result = self.blend(is_zero, minus, result);
        let is_outside = self.float_compare(predicate::NOT_GREATER_EQUAL, x, Source::Constant(0));
        self.blend(is_outside, nan, result)
    }

    /// x^y for x ≥ 0. One, to any power, and anything to the power of zero are one.
    fn power(&mut self, x: VReg, y: VReg) -> VReg {
        let logarithm = self.logarithm(Radix::Two, x);
        let exponent = self.float_multiply(logarithm, y);
        let power = self.exponential(Radix::Two, exponent);
        let one = self.float(1.0);
        let is_one = self.float_compare(predicate::EQUAL, x, one);
        let is_zero = self.float_compare(predicate::EQUAL, y, Source::Constant(0));
        let is_trivial = self.either(is_one, is_zero);
        self.blend(is_trivial, one, power)
    }

    /// A function, and near zero its series: an odd polynomial, highest coefficient first.
    fn with_series(&mut self, x: VReg, result: VReg, coefficients: &[f64]) -> VReg {
        const NEAR: f64 = 0.0625;
        let square = self.float_multiply(x, x);
        let series = self.polynomial(square, coefficients);
        let series = self.float_multiply(series, x);
        let (magnitude, near) = (self.magnitude(x), self.float(NEAR));
        let is_near = self.float_compare(predicate::LESS, magnitude, near);
        self.blend(is_near, series, result)
    }

    fn hyperbolic(&mut self, op: Glsl, x: VReg) -> VReg {
        let (one, half) = (self.float(1.0), self.float(0.5));
        if op == Glsl::Tanh {
            let twice = self.float_add(x, x);
            let power = self.exponential(Radix::E, twice);
            let (below, above) = (self.float_subtract(power, one), self.float_add(power, one));
            let result = self.float_divide(below, above);
            return self.with_series(x, result, &[-17.0 / 315.0, 2.0 / 15.0, -1.0 / 3.0, 1.0]);
        }
        let power = self.exponential(Radix::E, x);
        let inverse = self.float_divide(one, power);
        if op == Glsl::Cosh {
            let sum = self.float_add(power, inverse);
            return self.float_multiply(sum, half);
        }
        let difference = self.float_subtract(power, inverse);
        let result = self.float_multiply(difference, half);
        self.with_series(x, result, &[1.0 / 5040.0, 1.0 / 120.0, 1.0 / 6.0, 1.0])
    }

    fn inverse_hyperbolic(&mut self, op: Glsl, x: VReg) -> VReg {
        let (one, half) = (self.float(1.0), self.float(0.5));
        match op {
            Glsl::Asinh => {
                let magnitude = self.magnitude(x);
                let square = self.fma(x, x, one);
                let root = self.square_root(square);
                let sum = self.float_add(magnitude, root);
                let result = self.logarithm(Radix::E, sum);
                let sign = self.sign_of(x);
                let result = self.or(result, sign);
                self.with_series(x, result, &[-5.0 / 112.0, 3.0 / 40.0, -1.0 / 6.0, 1.0])
            }
            Glsl::Acosh => {
                let (below, above) = (self.float_subtract(x, one), self.float_add(x, one));
                let product = self.float_multiply(below, above);
                let root = self.square_root(product);
                let sum = self.float_add(x, root);
                self.logarithm(Radix::E, sum)
            }
            _ => {
                let (above, below) = (self.float_add(x, one), self.float_subtract(one, x));
                let ratio = self.float_divide(above, below);
                let result = self.logarithm(Radix::E, ratio);
                let result = self.float_multiply(result, half);
                self.with_series(x, result, &[1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0])
            }
        }
    }
}
