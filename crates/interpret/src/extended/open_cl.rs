//! The instructions of `OpenCL.std`, except those that access memory (`pointers.rs`).
//!
//! Results follow the OpenCL C specification of the function of that name, including its sections on edge cases (7.5.1 and 7.5.2).
//! Functions with low precision requirements, `half_*`, `native_*` and `fast_*`, are as precise as the others.
//!
//! | family | computed in | error, in units of the last place |
//! | --- | --- | --- |
//! | `fabs`, `ceil` … `trunc`, `fmod`, `remainder`, `remquo`, `frexp`, `logb`, `nextafter`, `fmin` … | integers and doubles | 0 |
//! | `fma`, `mad`, `sqrt`, division, `fdim`, `fract`, `ldexp` | doubles, sums of two of them, integers | ½ |
//! | `exp*`, `log*`, `pow*`, `rootn`, `cbrt`, `rsqrt`, `hypot` | sums of two doubles | ½ |
//! | `sin*`, `cos*`, `tan*`, `asin*`, `acos*`, `atan*`, and the hyperbolic ones | sums of two doubles | ½ |
//! | `erf`, `erfc`, `tgamma`, `lgamma` | sums of two doubles | ½; near a negative zero of `lgamma` see `gamma.rs` |
//! | `degrees`, `radians`, `length`, `distance`, `normalize`, `cross` | sums of two doubles | ½ |
//! | `mix`, `smoothstep` | doubles, operation by operation | 16 and 32 bits: ½ and a bit; 64 bits: as the formula |
//! | integers | 128 bits | 0 |
//!
//! ½ means correctly rounded: about 100 bits are known before the result is rounded, once. Measured against results of 400 to 5000 bits:
//! for each of 46 functions 1,500 random operands of each width, 207,000 in all, and 448 hard cases (next to zeros of `lgamma`, angles of
//! the greatest magnitude and near multiples of π / 2, results among the least numbers). Every result was the nearest float.
//! `tests/extended_reference.rs` contains a part of them.
//!
//! Undefined: `fclamp`, `s_clamp` and `u_clamp` with bounds in the wrong order; `mix` with a weight outside 0 to 1; `smoothstep` with edges
//! in the wrong order or NaN; `fmax_common` and `fmin_common` of NaN (the specification excludes infinities too, which every implementation
//! supports); factors of more than 24 bits of `mul24` and `mad24`, which are implementation-defined. `mad` is fused, one of its two allowed
//! results.

use spirv::OpenclStd100Op as OpenCl;

use super::formula::Formula::{self, Element, Float1, Float2, FloatInt, Fused, Int1, Int2, Int3};
use super::formula::Formula::{Sized1, Sized2, Some2, Some3, SomeInt2, Whole, Wide1, Wide2};
use super::{circular, constants, error_function, exact, exponential, gamma, geometric, glsl, hyperbolic, integer};
use super::{inverse_circular, logarithm, power, vector};
use crate::Value;

pub(super) fn formula(op: OpenCl) -> Option<Formula> {
    match op {
        OpenCl::shuffle | OpenCl::shuffle2 => Some(Whole(vector::shuffle)),
        OpenCl::bitselect => Some(Element(vector::bit_select)),
        OpenCl::select => Some(Whole(vector::select)),
        _ => inverse(op).or_else(|| math(op)).or_else(|| coarse(op)).or_else(|| common(op)).or_else(|| integers(op)),
    }
}

fn inverse(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::acos => Wide1(inverse_circular::acos),
        OpenCl::acosh => Wide1(hyperbolic::acosh),
        OpenCl::acospi => Wide1(inverse_circular::acos_pi),
        OpenCl::asin => Wide1(inverse_circular::asin),
        OpenCl::asinh => Wide1(hyperbolic::asinh),
        OpenCl::asinpi => Wide1(inverse_circular::asin_pi),
        OpenCl::atan => Wide1(inverse_circular::atan),
        OpenCl::atan2 => Wide2(inverse_circular::atan2),
        OpenCl::atanh => Wide1(hyperbolic::atanh),
        OpenCl::atanpi => Wide1(inverse_circular::atan_pi),
        OpenCl::atan2pi => Wide2(inverse_circular::atan2_pi),
        _ => return None,
    })
}

fn math(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::cbrt => Wide1(power::cbrt),
        OpenCl::cos => Wide1(circular::cos),
        OpenCl::cosh => Wide1(hyperbolic::cosh),
        OpenCl::cospi => Wide1(circular::cos_pi),
        OpenCl::erfc => Wide1(error_function::erfc),
        OpenCl::erf => Wide1(error_function::erf),
        OpenCl::exp => Wide1(exponential::exp),
        OpenCl::exp2 => Wide1(exponential::exp2),
        OpenCl::exp10 => Wide1(exponential::exp10),
        OpenCl::expm1 => Wide1(exponential::exp_minus_one),
        OpenCl::fma | OpenCl::mad => Fused,
        OpenCl::hypot => Wide2(power::hypot),
        OpenCl::lgamma => Wide1(|a| gamma::ln_gamma(a).0),
        OpenCl::log => Wide1(logarithm::ln),
        OpenCl::log2 => Wide1(logarithm::log2),
        OpenCl::log10 => Wide1(logarithm::log10),
        OpenCl::log1p => Wide1(logarithm::ln_plus_one),
        OpenCl::pow => Wide2(power::pow),
        OpenCl::pown => FloatInt(|width, a, b| power::pown(a, b).rounded(width)),
        OpenCl::powr => Wide2(power::powr),
        OpenCl::rootn => FloatInt(|width, a, b| power::rootn(a, b).rounded(width)),
        OpenCl::rsqrt => Wide1(power::inverse_sqrt),
        OpenCl::sin => Wide1(circular::sin),
        OpenCl::sinh => Wide1(hyperbolic::sinh),
        OpenCl::sinpi => Wide1(circular::sin_pi),
        OpenCl::sqrt => Float1(f64::sqrt),
        OpenCl::tan => Wide1(circular::tan),
        OpenCl::tanh => Wide1(hyperbolic::tanh),
        OpenCl::tanpi => Wide1(circular::tan_pi),
        OpenCl::tgamma => Wide1(gamma::gamma),
        _ => return exact_math(op),
    })
}

fn exact_math(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::ceil => Float1(f64::ceil),
        OpenCl::copysign => Float2(f64::copysign),
        OpenCl::fabs => Float1(f64::abs),
        OpenCl::fdim => Float2(exact::fdim),
        OpenCl::floor => Float1(f64::floor),
        OpenCl::fmax => Float2(exact::fmax),
        OpenCl::fmin => Float2(exact::fmin),
        OpenCl::fmod => Float2(exact::fmod),
        OpenCl::ilogb => Sized1(|_, a| Value::i32(exact::ilogb(a))),
        OpenCl::ldexp => FloatInt(exact::ldexp),
        OpenCl::logb => Float1(exact::logb),
        OpenCl::maxmag => Float2(exact::maxmag),
        OpenCl::minmag => Float2(exact::minmag),
        OpenCl::nan => Element(vector::nan),
        OpenCl::nextafter => Sized2(exact::nextafter),
        OpenCl::remainder => Float2(exact::remainder),
        OpenCl::rint => Float1(f64::round_ties_even),
        OpenCl::round => Float1(f64::round),
        OpenCl::trunc => Float1(f64::trunc),
        _ => return None,
    })
}

/// The functions `half_*` and `native_*`.
fn coarse(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::half_cos | OpenCl::native_cos => Wide1(circular::cos),
        OpenCl::half_divide | OpenCl::native_divide => Float2(|a, b| a / b),
        OpenCl::half_exp | OpenCl::native_exp => Wide1(exponential::exp),
        OpenCl::half_exp2 | OpenCl::native_exp2 => Wide1(exponential::exp2),
        OpenCl::half_exp10 | OpenCl::native_exp10 => Wide1(exponential::exp10),
        OpenCl::half_log | OpenCl::native_log => Wide1(logarithm::ln),
        OpenCl::half_log2 | OpenCl::native_log2 => Wide1(logarithm::log2),
        OpenCl::half_log10 | OpenCl::native_log10 => Wide1(logarithm::log10),
        OpenCl::half_powr | OpenCl::native_powr => Wide2(power::powr),
        OpenCl::half_recip | OpenCl::native_recip => Float1(f64::recip),
        OpenCl::half_rsqrt | OpenCl::native_rsqrt => Wide1(power::inverse_sqrt),
        OpenCl::half_sin | OpenCl::native_sin => Wide1(circular::sin),
        OpenCl::half_sqrt | OpenCl::native_sqrt => Float1(f64::sqrt),
        OpenCl::half_tan | OpenCl::native_tan => Wide1(circular::tan),
        _ => return None,
    })
}

fn common(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::fclamp => Some3(glsl::clamped),
        OpenCl::degrees => Wide1(|a| glsl::times(constants::DEGREES_PER_RADIAN, a)),
        OpenCl::fmax_common => Some2(|a, b| (!a.is_nan() && !b.is_nan()).then(|| exact::fmax(a, b))),
        OpenCl::fmin_common => Some2(|a, b| (!a.is_nan() && !b.is_nan()).then(|| exact::fmin(a, b))),
        OpenCl::mix => Some3(|[a, b, part]| (0.0..=1.0).contains(&part).then_some(a + (b - a) * part)),
        OpenCl::radians => Wide1(|a| glsl::times(constants::RADIANS_PER_DEGREE, a)),
        OpenCl::step => Float2(glsl::step),
        OpenCl::smoothstep => Some3(glsl::smooth_step),
        OpenCl::sign => Float1(exact::sign),
        OpenCl::cross => Whole(geometric::cross),
        OpenCl::distance | OpenCl::fast_distance => Whole(geometric::distance),
        OpenCl::length | OpenCl::fast_length => Whole(geometric::length),
        OpenCl::normalize | OpenCl::fast_normalize => Whole(geometric::normalize),
        _ => return None,
    })
}

fn integers(op: OpenCl) -> Option<Formula> {
    Some(match op {
        OpenCl::s_abs => Int1(integer::s_abs),
        OpenCl::s_abs_diff => Int2(integer::s_abs_diff),
        OpenCl::s_add_sat => Int2(integer::s_add_sat),
        OpenCl::u_add_sat => Int2(integer::u_add_sat),
        OpenCl::s_hadd => Int2(integer::s_hadd),
        OpenCl::u_hadd => Int2(integer::u_hadd),
        OpenCl::s_rhadd => Int2(integer::s_rhadd),
        OpenCl::u_rhadd => Int2(integer::u_rhadd),
        OpenCl::s_clamp => Int3(integer::s_clamp),
        OpenCl::u_clamp => Int3(integer::u_clamp),
        OpenCl::clz => Int1(integer::leading_zeros),
        OpenCl::ctz => Int1(integer::trailing_zeros),
        OpenCl::s_mad_hi => Int3(integer::s_mad_hi),
        OpenCl::u_mad_sat => Int3(integer::u_mad_sat),
        OpenCl::s_mad_sat => Int3(integer::s_mad_sat),
        OpenCl::s_max => Int2(integer::s_max),
        OpenCl::u_max => Int2(|_, a, b| a.max(b)),
        OpenCl::s_min => Int2(integer::s_min),
        OpenCl::u_min => Int2(|_, a, b| a.min(b)),
        OpenCl::s_mul_hi => Int2(integer::s_mul_hi),
        OpenCl::rotate => Int2(integer::rotated_left),
        OpenCl::s_sub_sat => Int2(integer::s_sub_sat),
        OpenCl::u_sub_sat => Int2(|_, a, b| a.saturating_sub(b)),
        OpenCl::u_upsample | OpenCl::s_upsample => Element(vector::upsample),
        OpenCl::popcount => Int1(|_, a| u64::from(a.count_ones())),
        OpenCl::s_mad24 => Int3(integer::s_mad24),
        OpenCl::u_mad24 => Int3(integer::u_mad24),
        OpenCl::s_mul24 => SomeInt2(|width, a, b| integer::s_mad24(width, [a, b, 0])),
        OpenCl::u_mul24 => SomeInt2(|width, a, b| integer::u_mad24(width, [a, b, 0])),
        OpenCl::u_abs => Int1(|_, a| a),
        OpenCl::u_abs_diff => Int2(|_, a, b| a.abs_diff(b)),
        OpenCl::u_mul_hi => Int2(integer::u_mul_hi),
        OpenCl::u_mad_hi => Int3(integer::u_mad_hi),
        _ => return None,
    })
}
