//! Functions that the standard library lacks, in 64 bits, by their definitions.
//!
//! - `erf` is its power series without cancellation (Abramowitz and Stegun, *Handbook of mathematical functions*, 7.1.6), `erfc` its
//!   continued fraction (7.1.14).
//! - The gamma function is the series of its reciprocal around 1 (6.1.34), and its recurrence; Stirling's series for large logarithms
//!   (6.1.41), and the reflection (6.1.17).
//! - Multiples of π are reduced before they are multiplied, exactly.
//! - A product and a sum of floats of at most 32 bits are rounded to odd in 64 bits, so that the second rounding is right (Boldo and
//!   Melquiond, *Emulation of FMA and correctly rounded sums*, 2008).

use std::f64::consts::PI;

use super::number::{Rounding, Type};

/// `a * b + c`, rounded once.
pub(super) fn fused(ty: Type, a: f64, b: f64, c: f64) -> f64 {
    if ty.bits() == 64 {
        return a.mul_add(b, c);
    }
    // The product is exact. The error of the sum is exact, too.
    let (product, sum) = (a * b, a * b + c);
    if !sum.is_finite() || !product.is_finite() || !c.is_finite() {
        return sum;
    }
    let other = sum - product;
    let error = (product - (sum - other)) + (c - other);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return ty.round(sum, Rounding::Nearest);
    }
    // The neighbour toward the exact sum is odd.
    let away = (error > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    ty.round(f64::from_bits(if away { bits + 1 } else { bits - 1 }), Rounding::Nearest)
}

/// The quotient rounded to the nearest integer, ties to even, reduced to its low seven bits, with its sign; and the remainder.
pub(super) fn quotient(a: f64, b: f64) -> (i32, f64) {
    if !a.is_finite() || b == 0.0 || b.is_nan() {
        return (0, f64::NAN);
    }
    if b.is_infinite() {
        return (0, a);
    }
    let (size, step) = (a.abs(), b.abs());
    let mut rest = if (step * 128.0).is_finite() { size % (step * 128.0) } else { size };
    let mut whole = 0;
    // Each difference is exact: both terms are multiples of the lesser one's last bit, and so is the result, which is less.
    for bit in [64, 32, 16, 8, 4, 2, 1] {
        if rest >= step * f64::from(bit) {
            rest -= step * f64::from(bit);
            whole += bit;
        }
    }
    // Twice a small float is exact, and so is half of a large one.
    let (twice, once) = if step < 1.0 { (rest + rest, step) } else { (rest, step / 2.0) };
    if twice > once || twice == once && whole % 2 == 1 {
        rest -= step;
        whole += 1;
    }
    let sign = if (a < 0.0) == (b < 0.0) { 1 } else { -1 };
    (sign * (whole & 127), if rest == 0.0 { 0.0f64.copysign(a) } else { rest * 1f64.copysign(a) })
}

/// The area hyperbolic cosine: near one by the difference from it, and without overflow.
pub(super) fn acosh(x: f64) -> f64 {
    let above = x - 1.0;
    match x {
        1e100.. => x.ln() + std::f64::consts::LN_2,
        1.0.. => (above + (above * (above + 2.0)).sqrt()).ln_1p(),
        _ => f64::NAN,
    }
}

/// The error function.
pub(super) fn erf(x: f64) -> f64 {
    if x.abs() >= 1.0 {
        return if x.is_nan() { x } else { (1.0 - complement(x.abs())).copysign(x) };
    }
    let (mut term, mut sum) = (x, x);
    for step in 1..60 {
        term *= 2.0 * x * x / f64::from(2 * step + 1);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// The complement of the error function.
pub(super) fn erfc(x: f64) -> f64 {
    match x {
        _ if x.is_nan() => x,
        _ if x >= 1.0 => complement(x),
        _ if x <= -1.0 => 2.0 - complement(-x),
        _ => 1.0 - erf(x),
    }
}

/// The complement, from one on.
fn complement(x: f64) -> f64 {
    if x > 30.0 {
        return 0.0;
    }
    let fraction = (1..=400).rev().fold(x, |rest, step| x + f64::from(step) / 2.0 / rest);
    // The square of the upper digits is exact.
    let upper = f64::from(x as f32);
    (-upper * upper).exp() * (-(x - upper) * (x + upper)).exp() / PI.sqrt() / fraction
}

/// The coefficients of the reciprocal of the gamma function around zero, from the second power on.
const RECIPROCAL: [f64; 25] = [
    0.577_215_664_901_532_9,
    -0.655_878_071_520_253_8,
    -0.042_002_635_034_095_2,
    0.166_538_611_382_291_5,
    -0.042_197_734_555_544_3,
    -0.009_621_971_527_877,
    0.007_218_943_246_663,
    -0.001_165_167_591_859_1,
    -0.000_215_241_674_114_9,
    0.000_128_050_282_388_2,
    -0.000_020_134_854_780_7,
    -0.000_001_250_493_482_1,
    0.000_001_133_027_232,
    -0.000_000_205_633_841_7,
    0.000_000_006_116_095,
    0.000_000_005_002_007_5,
    -0.000_000_001_181_274_6,
    0.000_000_000_104_342_7,
    0.000_000_000_007_782_3,
    -0.000_000_000_003_696_8,
    0.000_000_000_000_51,
    -0.000_000_000_000_020_6,
    -0.000_000_000_000_005_4,
    0.000_000_000_000_001_4,
    0.000_000_000_000_000_1,
];

/// `1 / gamma(1 + r) - 1` for magnitudes up to a half.
fn reciprocal(r: f64) -> f64 {
    RECIPROCAL.iter().rev().fold(0.0, |sum, coefficient| sum * r + coefficient) * r
}

/// The gamma function.
pub(super) fn gamma(x: f64) -> f64 {
    let whole = x.round();
    match x {
        0.0 => return f64::INFINITY.copysign(x),
        _ if x.is_nan() || x < 0.0 && (whole == x || x.is_infinite()) => return f64::NAN,
        200.0.. => return f64::INFINITY,
        ..-190.0 => return 0.0,
        _ => {}
    }
    let rest = x - whole;
    let mut value = 1.0 / (1.0 + reciprocal(rest));
    (1..whole as i32).for_each(|step| value *= rest + f64::from(step));
    (whole as i32..=0).rev().for_each(|step| value /= rest + f64::from(step));
    value
}

/// The logarithm of the magnitude of the gamma function, and the sign of that.
pub(super) fn ln_gamma(x: f64) -> (f64, i32) {
    if x == 0.0 || x.is_infinite() || x < 0.0 && x == x.floor() {
        return (f64::INFINITY, if x == 0.0 && x.is_sign_negative() { -1 } else { 1 });
    }
    // Between even and odd negative integers the function is negative every second time.
    let sign = if x < 0.0 && (x.floor() / 2.0).fract() != 0.0 { -1 } else { 1 };
    let size = x.abs();
    let value = match x {
        _ if x.is_nan() => x,
        0.5..=1.5 => -reciprocal(x - 1.0).ln_1p(),
        1.5..=2.5 => (x - 2.0).ln_1p() - reciprocal(x - 2.0).ln_1p(),
        _ if size < 1e-200 => -size.ln(),
        -20.0..20.0 => gamma(x).abs().ln(),
        20.0.. => stirling(x),
        _ => (PI / sin_pi(x).abs()).ln() - size.ln() - stirling(size),
    };
    (value, sign)
}

fn stirling(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0];
    let series = terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / x;
    x * (x.ln() - 1.0) - 0.5 * x.ln() + 0.5 * (2.0 * PI).ln() + series
}

/// `sin(π x)`.
pub(super) fn sin_pi(x: f64) -> f64 {
    let rest = x % 2.0;
    let size = rest.abs();
    let value = match size {
        _ if x.is_nan() || x.is_infinite() => return f64::NAN,
        0.0..0.25 => (PI * size).sin(),
        0.25..0.75 => (PI * (0.5 - size)).cos(),
        0.75..1.25 => (PI * (1.0 - size)).sin(),
        1.25..1.75 => -(PI * (1.5 - size)).cos(),
        _ => -(PI * (2.0 - size)).sin(),
    };
    if x < 0.0 { -value } else { value }
}

/// `cos(π x)`: where the difference from a half could lose digits, the cosine itself.
pub(super) fn cos_pi(x: f64) -> f64 {
    let size = (x % 2.0).abs();
    if size < 0.25 { (PI * size).cos() } else { sin_pi(0.5 - size) }
}

/// `tan(π x)`: infinite half between integers, positive above even ones.
pub(super) fn tan_pi(x: f64) -> f64 {
    let below = x.floor();
    if x - below == 0.5 {
        return if below % 2.0 == 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    sin_pi(x) / cos_pi(x)
}

/// The root of an integral degree.
pub(super) fn root(a: f64, degree: i32) -> f64 {
    let is_odd = degree % 2 != 0;
    if degree == 0 || a.is_nan() || a < 0.0 && !is_odd {
        return f64::NAN;
    }
    let degree = f64::from(degree);
    let near = a.abs().powf(1.0 / degree);
    // The exponent is rounded; what that changes follows from a power of the result, half of the degree so that it stays a normal number.
    let error = a.abs().sqrt() / near.powf(degree / 2.0) - 1.0;
    let size = if error.is_finite() && error.abs() < 0.1 { near * (1.0 + error / (degree / 2.0)) } else { near };
    if is_odd { size.copysign(a) } else { size }
}
