//! Sine, cosine, tangent and their inverses, computed in doubles (`transcendental.rs`).
//!
//! An angle is x = n · π/2 + r with |r| ≤ π/4. Up to 2³⁰, n is the nearest integer to x · 2/π, and r = (x − n · P) − n · Q, where P + Q is
//! π/2 with 106 bits: each product and difference is rounded once, so the error of r is below 2⁻⁵² of it and 2⁻⁷⁶ more. No float below 2³⁰ is
//! nearer than 2⁻³³ to a multiple of π/2 but zero.
//!
//! Greater angles take a branch of their own. 2/π is cut into seven pieces of 29 bits. The product of a float and a piece is exact, and so is
//! its rest modulo 4, which is all that counts (M. Payne and R. Hanek, "Radian reduction for trigonometric functions", 1983). The sum of the
//! rests carries its rounding errors along. The pieces go down to 2⁻²⁰³; for floats, which are below 2¹²⁸, 75 bits remain after the point.
//!
//! arctan is odd; arctan t = π/2 − arctan 1/t and arctan t = π/4 + arctan (t − 1) / (t + 1) bring the argument below √2 − 1.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

use spirv::GlslStd450Op as Glsl;

use super::Registers;
use super::compare::predicate;
use super::emulate::Order;
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Rounding, Size, Source};
use crate::machine::{Class, Terminator, VReg};

/// π/2 − [`FRAC_PI_2`].
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;
/// The bound between the two reductions.
const GREAT: f64 = 1_073_741_824.0;
/// The bits of a piece of 2/π.
const PIECE: i32 = 29;
/// 2/π, [`PIECE`] bits at a time.
const PIECES: [u32; 7] = [341_782_637, 423_170_132, 352_195_499, 488_592_205, 461_485_765, 90_590_992, 478_285_810];

/// An angle as a number of right angles and a rest.
#[derive(Clone, Copy)]
struct Reduced {
    /// An integer as a double.
    quadrant: VReg,
    rest: VReg,
}

impl Lanes<'_, '_> {
    /// Sine, cosine or tangent of floats.
    pub(super) fn circular(&mut self, op: Glsl, a: VReg) -> VReg {
        let parts: Vec<VReg> = self.widened(V::Vcvtps2pd, a).into_vec();
        let reduced = self.reduced(a, &parts);
        let mut results = Registers::new();
        for angle in reduced {
            results.push(self.sized(Size::Quad).circular_of(op, angle));
        }
        self.narrowed(V::Vcvtpd2ps, &results)
    }

    /// The angles reduced; the block of the emitter is another one after it.
    fn reduced(&mut self, a: VReg, parts: &[VReg]) -> Vec<Reduced> {
        let small: Vec<Reduced> = parts.iter().map(|&part| self.sized(Size::Quad).reduced_small(part)).collect();
        let [slow, quick, join] = [(); 3].map(|()| self.emitter.new_block());
        let (magnitude, great) = (self.magnitude(a), self.float(GREAT));
        let is_great = self.float_compare(predicate::GREATER_EQUAL, magnitude, great);
        let condition = self.emitter.element_flags(self.shape, is_great);
        self.emitter.end(Terminator::Branch { condition, then: slow, otherwise: quick });
        let arguments = |angles: &[Reduced]| angles.iter().flat_map(|angle| [angle.quadrant, angle.rest]).collect();
        self.emitter.block = quick;
        self.emitter.end(Terminator::Jump(join, arguments(&small)));
        self.emitter.block = slow;
        let mixed: Vec<Reduced> =
            parts.iter().zip(&small).map(|(&part, &small)| self.sized(Size::Quad).reduced_great(part, small)).collect();
        self.emitter.end(Terminator::Jump(join, arguments(&mixed)));
        self.emitter.block = join;
        let mut parameters = Vec::new();
        for _ in 0..2 * parts.len() {
            parameters.push(self.emitter.function.register(Class::Vector));
        }
        self.emitter.function.blocks[join.0 as usize].parameters.clone_from(&parameters);
        parameters.chunks(2).map(|pair| Reduced { quadrant: pair[0], rest: pair[1] }).collect()
    }

    fn reduced_small(&mut self, x: VReg) -> Reduced {
        let (factor, high, low) = (self.float(FRAC_2_PI), self.float(FRAC_PI_2), self.float(FRAC_PI_2_REST));
        let quadrant = self.float_multiply(x, factor);
        let quadrant = self.rounded(quadrant, Rounding::Even);
        let (high, low) = (self.register(high), self.register(low));
        let rest = self.fnma(quadrant, high, x);
        Reduced { quadrant, rest: self.fnma(quadrant, low, rest) }
    }

    /// The angle modulo 4 right angles, where it is great; else the other one.
    fn reduced_great(&mut self, x: VReg, small: Reduced) -> Reduced {
        let (quarter, four) = (self.float(0.25), self.float(4.0));
        let four = self.register(four);
        let mut sum: Option<VReg> = None;
        let mut error: Option<VReg> = None;
        for (index, &piece) in PIECES.iter().enumerate() {
            let piece = self.float(f64::from(piece) * 2f64.powi(-PIECE * (index as i32 + 1)));
            let product = self.float_multiply(x, piece);
            let turns = self.float_multiply(product, quarter);
            let turns = self.rounded(turns, Rounding::Even);
            let rest = self.fnma(turns, four, product);
            let Some(before) = sum else {
                sum = Some(rest);
                continue;
            };
            let (total, lost) = self.exact_sum(before, rest);
            sum = Some(total);
            error = Some(match error {
                Some(error) => self.float_add(error, lost),
                None => lost,
            });
        }
        let sum = sum.expect("invariant: there are pieces");
        let error = error.expect("invariant: there is more than one piece");
        let quadrant = self.rounded(sum, Rounding::Even);
        let fraction = self.float_subtract(sum, quadrant);
        let fraction = self.float_add(fraction, error);
        let right = self.float(FRAC_PI_2);
        let rest = self.float_multiply(fraction, right);
        let (magnitude, great) = (self.magnitude(x), self.float(GREAT));
        let is_great = self.float_compare(predicate::NOT_LESS, magnitude, great);
        Reduced {
            quadrant: self.blend(is_great, quadrant, small.quadrant),
            rest: self.blend(is_great, rest, small.rest),
        }
    }

    /// A sum and what rounding it loses (D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2, theorem B).
    fn exact_sum(&mut self, a: VReg, b: VReg) -> (VReg, VReg) {
        let sum = self.float_add(a, b);
        let of_b = self.float_subtract(sum, a);
        let of_a = self.float_subtract(sum, of_b);
        let (lost_b, lost_a) = (self.float_subtract(b, of_b), self.float_subtract(a, of_a));
        (sum, self.float_add(lost_a, lost_b))
    }

    fn circular_of(&mut self, op: Glsl, angle: Reduced) -> VReg {
        let square = self.float_multiply(angle.rest, angle.rest);
        let sine = self.polynomial(square, &series(1, 7));
        let sine = self.float_multiply(sine, angle.rest);
        let cosine = self.polynomial(square, &series(0, 8));
        // The integer lies in the low bits of the sum. Two of them count.
        let magic = self.float(6_755_399_441_055_744.0 + if op == Glsl::Cos { 1.0 } else { 0.0 });
        let quadrant = self.float_add(angle.quadrant, magic);
        let odd = self.shifted_left(quadrant, 63);
        let is_odd = self.compare(Order::Signed(Order::LESS), odd.into(), Source::Constant(0));
        let first = self.blend(is_odd, cosine, sine);
        if op == Glsl::Tan {
            let second = self.blend(is_odd, sine, cosine);
            let ratio = self.float_divide(first, second);
            return self.xor(ratio, odd);
        }
        let half = self.shifted_left(quadrant, 62);
        let sign = self.sign_of(half);
        self.xor(first, sign)
    }

    /// An inverse by the angle of a point on the unit circle, or on the line x = 1.
    pub(super) fn inverse_circular(&mut self, op: Glsl, x: VReg) -> VReg {
        let one = self.float(1.0);
        if op == Glsl::Atan {
            let one = self.register(one);
            return self.angle(x, one);
        }
        let (above, below) = (self.float_add(x, one), self.float_subtract(one, x));
        let square = self.float_multiply(above, below);
        let other = self.square_root(square);
        if op == Glsl::Asin { self.angle(x, other) } else { self.angle(other, x) }
    }

    /// The angle of a point: arctan y / x in the quadrant of the point.
    pub(super) fn angle(&mut self, y: VReg, x: VReg) -> VReg {
        let (infinity, one, tiny) = (self.float(f64::INFINITY), self.float(1.0), self.float(f64::MIN_POSITIVE));
        let (height, width) = (self.magnitude(y), self.magnitude(x));
        let is_steep = self.float_compare(predicate::GREATER, height, width);
        let (lesser, greater) = (self.float_least(height, width), self.float_greatest(height, width));
        // Both infinite are like both one; both zero are like zero and anything.
        let is_diagonal = self.float_compare(predicate::EQUAL, lesser, infinity);
        let (lesser, greater) = (self.blend(is_diagonal, one, lesser), self.blend(is_diagonal, one, greater));
        let greater = self.float_greatest(greater, tiny);
        let limit = self.float(std::f64::consts::SQRT_2 - 1.0);
        let limit = self.float_multiply(greater, limit);
        let is_far = self.float_compare(predicate::GREATER, lesser, limit);
        let (difference, sum) = (self.float_subtract(lesser, greater), self.float_add(lesser, greater));
        let (above, below) = (self.blend(is_far, difference, lesser), self.blend(is_far, sum, greater));
        let ratio = self.float_divide(above, below);
        let square = self.float_multiply(ratio, ratio);
        let coefficients: Vec<f64> =
            (0..15).rev().map(|k| (1.0 - 2.0 * f64::from(k % 2)) / f64::from(2 * k + 1)).collect();
        let series = self.polynomial(square, &coefficients);
        let angle = self.float_multiply(series, ratio);
        let (eighth, quarter, half) = (self.float(FRAC_PI_4), self.float(FRAC_PI_2), self.float(PI));
        let turned = self.float_add(angle, eighth);
        let angle = self.blend(is_far, turned, angle);
        let turned = self.float_subtract(quarter, angle);
        let angle = self.blend(is_steep, turned, angle);
        let is_left = self.compare(Order::Signed(Order::LESS), x.into(), Source::Constant(0));
        let turned = self.float_subtract(half, angle);
        let angle = self.blend(is_left, turned, angle);
        let sign = self.sign_of(y);
        let angle = self.or(angle, sign);
        let is_unordered = self.float_compare(predicate::UNORDERED, x, y);
        let nan = self.float_add(x, y);
        self.blend(is_unordered, nan, angle)
    }
}

/// The coefficients of sine (`first` 1) or cosine (0) in powers of the square, highest first.
fn series(first: u32, count: u32) -> Vec<f64> {
    let mut coefficients = Vec::new();
    let mut coefficient = 1.0;
    for index in 0..count {
        coefficients.push(coefficient);
        let next = f64::from(2 * index + first);
        coefficient /= -(next + 1.0) * (next + 2.0);
    }
    coefficients.reverse();
    coefficients
}
