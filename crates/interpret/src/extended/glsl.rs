//! The instructions of `GLSL.std.450`.
//!
//! An operation has no result if the specification defines none: outside the domain of a function, and where it leaves open which of two
//! operands is returned. Instructions that were removed from the specification are unknown.

use spirv::GlslStd450Op as Glsl;

use super::formula::Formula::{self, Float1, Float2, FloatInt, Fused, Int1, Int2, Int3};
use super::formula::Formula::{Some1, Some2, Some3, Whole, Wide1, WideWhere1, WideWhere2};
use super::wide::Scaled;
use super::{circular, constants, exact, exponential, geometric, hyperbolic, integer, inverse_circular, logarithm};
use super::{packing, power};
use crate::Value;

pub(super) fn formula(op: Glsl) -> Option<Formula> {
    Some(match op {
        Glsl::Round | Glsl::RoundEven => Float1(f64::round_ties_even),
        Glsl::Trunc => Float1(f64::trunc),
        Glsl::FAbs => Float1(f64::abs),
        Glsl::SAbs => Int1(integer::s_abs),
        Glsl::FSign => Some1(|a| (!a.is_nan()).then(|| exact::sign(a) + 0.0)),
        Glsl::SSign => Int1(integer::s_sign),
        Glsl::Floor => Float1(f64::floor),
        Glsl::Ceil => Float1(f64::ceil),
        Glsl::Fract => Float1(|a| a - a.floor()),
        Glsl::Radians => Wide1(|a| times(constants::RADIANS_PER_DEGREE, a)),
        Glsl::Degrees => Wide1(|a| times(constants::DEGREES_PER_RADIAN, a)),
        Glsl::Determinant => Whole(geometric::determinant),
        Glsl::MatrixInverse => Whole(geometric::matrix_inverse),
        Glsl::Ldexp => FloatInt(ldexp),
        Glsl::PackSnorm4x8 => Whole(packing::pack_signed_4x8),
        Glsl::PackUnorm4x8 => Whole(packing::pack_unsigned_4x8),
        Glsl::PackSnorm2x16 => Whole(packing::pack_signed_2x16),
        Glsl::PackUnorm2x16 => Whole(packing::pack_unsigned_2x16),
        Glsl::PackHalf2x16 => Whole(packing::pack_half_2x16),
        Glsl::PackDouble2x32 => Whole(packing::pack_double),
        Glsl::UnpackSnorm2x16 => Whole(packing::unpack_signed_2x16),
        Glsl::UnpackUnorm2x16 => Whole(packing::unpack_unsigned_2x16),
        Glsl::UnpackHalf2x16 => Whole(packing::unpack_half_2x16),
        Glsl::UnpackSnorm4x8 => Whole(packing::unpack_signed_4x8),
        Glsl::UnpackUnorm4x8 => Whole(packing::unpack_unsigned_4x8),
        Glsl::UnpackDouble2x32 => Whole(packing::unpack_double),
        Glsl::Length => Whole(geometric::length),
        Glsl::Distance => Whole(geometric::distance),
        Glsl::Cross => Whole(geometric::cross),
        Glsl::Normalize => Whole(geometric::normalize),
        Glsl::FaceForward => Whole(geometric::face_forward),
        Glsl::Reflect => Whole(geometric::reflect),
        Glsl::Refract => Whole(geometric::refract),
        Glsl::FindILsb => Int1(integer::lowest_bit),
        Glsl::FindSMsb => Int1(integer::highest_signed_bit),
        Glsl::FindUMsb => Int1(integer::highest_bit),
        _ => return circular(op).or_else(|| exponential(op)).or_else(|| common(op)),
    })
}

fn circular(op: Glsl) -> Option<Formula> {
    Some(match op {
        Glsl::Sin => Wide1(circular::sin),
        Glsl::Cos => Wide1(circular::cos),
        Glsl::Tan => Wide1(circular::tan),
        Glsl::Asin => WideWhere1(is_in_unit, inverse_circular::asin),
        Glsl::Acos => WideWhere1(is_in_unit, inverse_circular::acos),
        Glsl::Atan => Wide1(inverse_circular::atan),
        Glsl::Sinh => Wide1(hyperbolic::sinh),
        Glsl::Cosh => Wide1(hyperbolic::cosh),
        Glsl::Tanh => Wide1(hyperbolic::tanh),
        Glsl::Asinh => Wide1(hyperbolic::asinh),
        Glsl::Acosh => WideWhere1(|a| a.is_nan() || a >= 1.0, hyperbolic::acosh),
        Glsl::Atanh => WideWhere1(|a| a.is_nan() || a.abs() < 1.0, hyperbolic::atanh),
        Glsl::Atan2 => WideWhere2(|y, x| y != 0.0 || x != 0.0, inverse_circular::atan2),
        _ => return None,
    })
}

fn exponential(op: Glsl) -> Option<Formula> {
    Some(match op {
        Glsl::Pow => WideWhere2(|x, y| !(x < 0.0 || x == 0.0 && y <= 0.0), power::pow),
        Glsl::Exp => Wide1(exponential::exp),
        Glsl::Log => WideWhere1(is_positive, logarithm::ln),
        Glsl::Exp2 => Wide1(exponential::exp2),
        Glsl::Log2 => WideWhere1(is_positive, logarithm::log2),
        Glsl::Sqrt => Some1(|a| (a.is_nan() || a >= 0.0).then(|| a.sqrt())),
        Glsl::InverseSqrt => WideWhere1(is_positive, power::inverse_sqrt),
        _ => return None,
    })
}

fn common(op: Glsl) -> Option<Formula> {
    Some(match op {
        Glsl::FMin => Some2(|a, b| is_decided(a, b).then(|| exact::fmin(a, b))),
        Glsl::UMin => Int2(|_, a, b| a.min(b)),
        Glsl::SMin => Int2(integer::s_min),
        Glsl::FMax => Some2(|a, b| is_decided(a, b).then(|| exact::fmax(a, b))),
        Glsl::UMax => Int2(|_, a, b| a.max(b)),
        Glsl::SMax => Int2(integer::s_max),
        Glsl::FClamp => {
            Some3(|[a, least, greatest]| (least <= greatest && !a.is_nan()).then(|| a.clamp(least, greatest)))
        }
        Glsl::UClamp => Int3(integer::u_clamp),
        Glsl::SClamp => Int3(integer::s_clamp),
        Glsl::FMix => Some3(|[a, b, part]| Some(a * (1.0 - part) + b * part)),
        Glsl::Step => Float2(step),
        Glsl::SmoothStep => Some3(smooth_step),
        Glsl::Fma => Fused,
        Glsl::NMin => Float2(exact::fmin),
        Glsl::NMax => Float2(exact::fmax),
        Glsl::NClamp => Some3(clamped),
        _ => return None,
    })
}

/// Returns whether an instruction reads inputs of a fragment shader (`interpolation.rs`).
pub(super) fn is_interpolation(op: Glsl) -> bool {
    matches!(op, Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset)
}

pub(crate) fn step(edge: f64, a: f64) -> f64 {
    if a < edge { 0.0 } else { 1.0 }
}

/// Clamps to two bounds; undefined if they are not in order.
pub(super) fn clamped([a, least, greatest]: [f64; 3]) -> Option<f64> {
    let is_out_of_order = least > greatest;
    (!is_out_of_order).then(|| exact::fmin(exact::fmax(a, least), greatest))
}

/// Hermite interpolation between two edges; undefined if they are not in order.
pub(super) fn smooth_step([low, high, a]: [f64; 3]) -> Option<f64> {
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

/// An overflow is undefined, and so is a power that is NaN.
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

/// Returns whether it is defined which operand is returned: for NaN it may be either.
fn is_decided(a: f64, b: f64) -> bool {
    a.is_nan() == b.is_nan()
}

fn is_in_unit(a: f64) -> bool {
    a.is_nan() || a.abs() <= 1.0
}

fn is_positive(a: f64) -> bool {
    a.is_nan() || a > 0.0
}
