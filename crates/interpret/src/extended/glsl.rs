//! The instructions of `GLSL.std.450` by number.
//!
//! Where the specification gives no result, there is none: outside the domain of a function, and where it leaves open which of two
//! operands comes out. What was taken out of the specification is not known.

use super::formula::Formula::{self, Float1, Float2, FloatInt, Fused, Int1, Int2, Int3};
use super::formula::Formula::{Some1, Some2, Some3, Whole, Wide1, WideWhere1, WideWhere2};
use super::wide::Scaled;
use super::{circular, constants, exact, exponential, geometric, hyperbolic, integer, inverse_circular, logarithm};
use super::{packing, power};
use crate::Value;

pub(crate) fn formula(number: u32) -> Option<Formula> {
    Some(match number {
        1 | 2 => Float1(f64::round_ties_even),
        3 => Float1(f64::trunc),
        4 => Float1(f64::abs),
        5 => Int1(integer::s_abs),
        6 => Some1(|a| (!a.is_nan()).then(|| exact::sign(a) + 0.0)),
        7 => Int1(integer::s_sign),
        8 => Float1(f64::floor),
        9 => Float1(f64::ceil),
        10 => Float1(|a| a - a.floor()),
        11 => Wide1(|a| times(constants::RADIANS_PER_DEGREE, a)),
        12 => Wide1(|a| times(constants::DEGREES_PER_RADIAN, a)),
        13..=25 => return circular(number),
        26..=32 => return exponential(number),
        33 => Whole(geometric::determinant),
        34 => Whole(geometric::matrix_inverse),
        37..=50 | 79..=81 => return common(number),
        53 => FloatInt(ldexp),
        54 => Whole(packing::pack_signed_4x8),
        55 => Whole(packing::pack_unsigned_4x8),
        56 => Whole(packing::pack_signed_2x16),
        57 => Whole(packing::pack_unsigned_2x16),
        58 => Whole(packing::pack_half_2x16),
        59 => Whole(packing::pack_double),
        60 => Whole(packing::unpack_signed_2x16),
        61 => Whole(packing::unpack_unsigned_2x16),
        62 => Whole(packing::unpack_half_2x16),
        63 => Whole(packing::unpack_signed_4x8),
        64 => Whole(packing::unpack_unsigned_4x8),
        65 => Whole(packing::unpack_double),
        66 => Whole(geometric::length),
        67 => Whole(geometric::distance),
        68 => Whole(geometric::cross),
        69 => Whole(geometric::normalize),
        70 => Whole(geometric::face_forward),
        71 => Whole(geometric::reflect),
        72 => Whole(geometric::refract),
        73 => Int1(integer::lowest_bit),
        74 => Int1(integer::highest_signed_bit),
        75 => Int1(integer::highest_bit),
        _ => return None,
    })
}

fn circular(number: u32) -> Option<Formula> {
    Some(match number {
        13 => Wide1(circular::sin),
        14 => Wide1(circular::cos),
        15 => Wide1(circular::tan),
        16 => WideWhere1(is_in_unit, inverse_circular::asin),
        17 => WideWhere1(is_in_unit, inverse_circular::acos),
        18 => Wide1(inverse_circular::atan),
        19 => Wide1(hyperbolic::sinh),
        20 => Wide1(hyperbolic::cosh),
        21 => Wide1(hyperbolic::tanh),
        22 => Wide1(hyperbolic::asinh),
        23 => WideWhere1(|a| a.is_nan() || a >= 1.0, hyperbolic::acosh),
        24 => WideWhere1(|a| a.is_nan() || a.abs() < 1.0, hyperbolic::atanh),
        25 => WideWhere2(|y, x| y != 0.0 || x != 0.0, inverse_circular::atan2),
        _ => return None,
    })
}

fn exponential(number: u32) -> Option<Formula> {
    Some(match number {
        26 => WideWhere2(|x, y| !(x < 0.0 || x == 0.0 && y <= 0.0), power::pow),
        27 => Wide1(exponential::exp),
        28 => WideWhere1(is_positive, logarithm::ln),
        29 => Wide1(exponential::exp2),
        30 => WideWhere1(is_positive, logarithm::log2),
        31 => Some1(|a| (a.is_nan() || a >= 0.0).then(|| a.sqrt())),
        32 => WideWhere1(is_positive, power::inverse_sqrt),
        _ => return None,
    })
}

fn common(number: u32) -> Option<Formula> {
    Some(match number {
        37 => Some2(|a, b| is_decided(a, b).then(|| exact::fmin(a, b))),
        38 => Int2(|_, a, b| a.min(b)),
        39 => Int2(integer::s_min),
        40 => Some2(|a, b| is_decided(a, b).then(|| exact::fmax(a, b))),
        41 => Int2(|_, a, b| a.max(b)),
        42 => Int2(integer::s_max),
        43 => Some3(|[a, least, greatest]| (least <= greatest && !a.is_nan()).then(|| a.clamp(least, greatest))),
        44 => Int3(integer::u_clamp),
        45 => Int3(integer::s_clamp),
        46 => Some3(|[a, b, part]| Some(a * (1.0 - part) + b * part)),
        48 => Float2(step),
        49 => Some3(smooth_step),
        50 => Fused,
        79 => Float2(exact::fmin),
        80 => Float2(exact::fmax),
        81 => Some3(clamped),
        _ => return None,
    })
}

/// What has no name here has none in messages either.
pub(crate) fn name(number: u32) -> Option<&'static str> {
    Some(match number {
        47 => "IMix",
        _ => return None,
    })
}

pub(super) const INTERPOLATE_AT_CENTROID: u32 = 76;

/// Whether an instruction is about the inputs of a fragment shader (`interpolation.rs`).
pub(super) fn is_interpolation(number: u32) -> bool {
    (INTERPOLATE_AT_CENTROID..=78).contains(&number)
}

pub(crate) fn step(edge: f64, a: f64) -> f64 {
    if a < edge { 0.0 } else { 1.0 }
}

/// Between two bounds, of which either may be no number; not defined where they are not in order.
pub(crate) fn clamped([a, least, greatest]: [f64; 3]) -> Option<f64> {
    let is_out_of_order = least > greatest;
    (!is_out_of_order).then(|| exact::fmin(exact::fmax(a, least), greatest))
}

/// Hermite interpolation between two edges; not defined where they are not in order.
pub(crate) fn smooth_step([low, high, a]: [f64; 3]) -> Option<f64> {
    let part = ((a - low) / (high - low)).clamp(0.0, 1.0);
    (low < high && !a.is_nan()).then_some(part * part * (3.0 - 2.0 * part))
}

/// A number times a constant, whatever its exponent.
pub(crate) fn times(constant: super::wide::Wide, a: f64) -> Scaled {
    if a == 0.0 || !a.is_finite() {
        return a.into();
    }
    let (significand, exponent) = super::wide::split(a);
    Scaled::new(constant * significand, exponent)
}

/// A result that is too great is not defined, nor is that of a power that no number is.
fn ldexp(width: u8, a: f64, exponent: i64) -> Value {
    let greatest = match width {
        16 => 16,
        32 => 128,
        _ => 1024,
    };
    let result = exact::ldexp(width, a, exponent);
    let overflows = a.is_finite() && result.as_f64().is_some_and(f64::is_infinite);
    if exponent > greatest || overflows { Value::Undefined } else { result }
}

/// Whether it is clear which operand comes out: what is no number may be either of them.
fn is_decided(a: f64, b: f64) -> bool {
    a.is_nan() == b.is_nan()
}

fn is_in_unit(a: f64) -> bool {
    a.is_nan() || a.abs() <= 1.0
}

fn is_positive(a: f64) -> bool {
    a.is_nan() || a > 0.0
}
