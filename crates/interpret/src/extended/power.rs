//! Powers and roots.
//!
//! `|x|^y = e^(y ln |x|)`: the logarithm has a relative error of 2⁻¹⁰³, so if the power is in the range of the format, the error of the
//! exponent is below 2⁻⁹³, and so is that of the power. The rules of C99 (section F.9.4) and OpenCL C (section 7.5.1) for zeros, infinities
//! and NaN are separate cases.

use super::exponential::exponential;
use super::logarithm::logarithm;
use super::wide::{Scaled, Wide, power_of_two, split};

/// `x^y` as in C99.
pub(super) fn pow(x: f64, y: f64) -> Scaled {
    if y == 0.0 || x == 1.0 {
        return 1.0.into();
    }
    if x.is_nan() || y.is_nan() {
        return Scaled::NAN;
    }
    let is_odd = is_odd(y);
    if y.is_infinite() {
        let grows = (x.abs() > 1.0) == (y > 0.0);
        return if x == -1.0 { 1.0 } else { zero_or_infinity(grows) }.into();
    }
    if x == 0.0 || x.is_infinite() {
        return Scaled::from(zero_or_infinity((x == 0.0) == (y < 0.0))).with_sign(x.is_sign_negative() && is_odd);
    }
    if x < 0.0 && y.fract() != 0.0 {
        return Scaled::NAN;
    }
    magnitude(x, y).with_sign(x < 0.0 && is_odd)
}

/// `x^y` of single precision.
pub(crate) fn pow_single(x: f32, y: f32) -> f32 {
    pow(f64::from(x), f64::from(y)).rounded(32).as_f32().unwrap_or(f32::NAN)
}

/// `x^y` for an integer `y`.
pub(super) fn pown(x: f64, y: i64) -> Scaled {
    pow(x, y as f64)
}

/// `x^y` as `e^(y ln x)`: NaN if the logarithm is.
pub(super) fn powr(x: f64, y: f64) -> Scaled {
    if x.is_nan() || y.is_nan() || x < 0.0 {
        return Scaled::NAN;
    }
    let is_edge = x == 0.0 || x.is_infinite();
    if is_edge && y == 0.0 || x == 1.0 && y.is_infinite() {
        return Scaled::NAN;
    }
    if is_edge {
        return zero_or_infinity((x == 0.0) == (y < 0.0)).into();
    }
    pow(x, y)
}

/// The root of degree `y`.
pub(super) fn rootn(x: f64, y: i64) -> Scaled {
    let is_odd = y % 2 != 0;
    if x.is_nan() || y == 0 || x < 0.0 && !is_odd {
        return Scaled::NAN;
    }
    let root = match x {
        _ if x == 0.0 || x.is_infinite() => zero_or_infinity((x == 0.0) == (y < 0)).into(),
        _ => exponential(logarithm(Wide::new(x.abs())) / y as f64),
    };
    root.with_sign(x.is_sign_negative() && is_odd)
}

pub(super) fn cbrt(x: f64) -> Scaled {
    rootn(x, 3)
}

/// `1 / √x`.
pub(super) fn inverse_sqrt(x: f64) -> Scaled {
    if x == 0.0 || x.is_nan() || x < 0.0 || x.is_infinite() {
        return (1.0 / x.sqrt()).into();
    }
    let (significand, exponent) = split(x);
    let half = exponent.div_euclid(2);
    let rest = significand * power_of_two(exponent - 2 * half);
    Scaled::new(Wide::ONE / Wide::new(rest).sqrt(), -half)
}

/// `√(x² + y²)`; infinite if one operand is, even if the other is NaN.
pub(super) fn hypot(x: f64, y: f64) -> Scaled {
    norm(&[x, y])
}

/// The root of the sum of the squares; infinite if one operand is, even if another is NaN.
pub(super) fn norm(elements: &[f64]) -> Scaled {
    if elements.iter().any(|element| element.is_infinite()) {
        return f64::INFINITY.into();
    }
    let greatest = elements.iter().fold(0.0, |greatest: f64, element| greatest.max(element.abs()));
    if greatest == 0.0 || elements.iter().any(|element| element.is_nan()) {
        return elements.iter().map(|element| element.abs()).sum::<f64>().into();
    }
    let exponent = split(greatest).1;
    let squares = elements.iter().map(|&element| Wide::new(element).doubled(-exponent).square());
    Scaled::new(squares.fold(Wide::new(0.0), |sum, square| sum + square).sqrt(), exponent)
}

/// `|x|^y` of finite numbers, of which `x` is not zero.
fn magnitude(x: f64, y: f64) -> Scaled {
    let logarithm = logarithm(Wide::new(x.abs()));
    let about = logarithm.high * y;
    exponential(if about.abs() < 10_000.0 { logarithm * y } else { Wide::new(about) })
}

/// Returns whether a finite number is an odd integer.
fn is_odd(y: f64) -> bool {
    (y % 2.0).abs() == 1.0
}

fn zero_or_infinity(is_infinite: bool) -> f64 {
    if is_infinite { f64::INFINITY } else { 0.0 }
}
