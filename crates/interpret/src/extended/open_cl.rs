//! The instructions of `OpenCL.std` by number, those that access memory excepted (`pointers.rs`).
//!
//! Results are what OpenCL C says of the function of that name, its sections on edge cases (7.5.1 and 7.5.2) included. The functions
//! that are allowed to be coarse, `half_*`, `native_*` and `fast_*`, are as good as the others.
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
//! ½ means the nearest number: about 100 bits are known before the result is rounded, once. Measured against results of 400 to 5000
//! bits: for each of 46 functions 1,500 random operands of each width, 207,000 in all, and 448 that are hard (next to zeros of `lgamma`,
//! angles of the greatest magnitude and near multiples of π / 2, results among the least numbers). Every result was the nearest one.
//! `tests/extended_reference.rs` keeps a part of them.
//!
//! Not defined: `fclamp`, `s_clamp` and `u_clamp` with bounds in the wrong order; `mix` with a part outside 0 to 1; `smoothstep` with
//! edges in the wrong order or without a number; `fmax_common` and `fmin_common` of what is no number (the specification excludes
//! infinities too, which every implementation knows); factors of more than 24 bits of `mul24` and `mad24`, which are up to the
//! implementation. `mad` is fused, one of the two results that it may have.

use super::formula::Formula::{self, Element, Float1, Float2, FloatInt, Fused, Int1, Int2, Int3};
use super::formula::Formula::{Sized1, Sized2, Some2, Some3, SomeInt2, Whole, Wide1, Wide2};
use super::{circular, constants, error_function, exact, exponential, gamma, geometric, glsl, hyperbolic, integer};
use super::{inverse_circular, logarithm, power, vector};
use crate::Value;

pub(crate) fn formula(number: u32) -> Option<Formula> {
    match number {
        0..=10 => inverse(number),
        11..=66 => math(number),
        67..=94 => coarse(number),
        95..=110 => common(number),
        141..=170 | 201..=204 => integers(number),
        182 | 183 => Some(Whole(vector::shuffle)),
        186 => Some(Element(vector::bit_select)),
        187 => Some(Whole(vector::select)),
        _ => None,
    }
}

fn inverse(number: u32) -> Option<Formula> {
    Some(match number {
        0 => Wide1(inverse_circular::acos),
        1 => Wide1(hyperbolic::acosh),
        2 => Wide1(inverse_circular::acos_pi),
        3 => Wide1(inverse_circular::asin),
        4 => Wide1(hyperbolic::asinh),
        5 => Wide1(inverse_circular::asin_pi),
        6 => Wide1(inverse_circular::atan),
        7 => Wide2(inverse_circular::atan2),
        8 => Wide1(hyperbolic::atanh),
        9 => Wide1(inverse_circular::atan_pi),
        10 => Wide2(inverse_circular::atan2_pi),
        _ => return None,
    })
}

fn math(number: u32) -> Option<Formula> {
    Some(match number {
        11 => Wide1(power::cbrt),
        14 => Wide1(circular::cos),
        15 => Wide1(hyperbolic::cosh),
        16 => Wide1(circular::cos_pi),
        17 => Wide1(error_function::erfc),
        18 => Wide1(error_function::erf),
        19 => Wide1(exponential::exp),
        20 => Wide1(exponential::exp2),
        21 => Wide1(exponential::exp10),
        22 => Wide1(exponential::exp_minus_one),
        26 | 42 => Fused,
        32 => Wide2(power::hypot),
        35 => Wide1(|a| gamma::ln_gamma(a).0),
        37 => Wide1(logarithm::ln),
        38 => Wide1(logarithm::log2),
        39 => Wide1(logarithm::log10),
        40 => Wide1(logarithm::ln_plus_one),
        48 => Wide2(power::pow),
        49 => FloatInt(|width, a, b| power::pown(a, b).rounded(width)),
        50 => Wide2(power::powr),
        54 => FloatInt(|width, a, b| power::rootn(a, b).rounded(width)),
        56 => Wide1(power::inverse_sqrt),
        57 => Wide1(circular::sin),
        59 => Wide1(hyperbolic::sinh),
        60 => Wide1(circular::sin_pi),
        61 => Float1(f64::sqrt),
        62 => Wide1(circular::tan),
        63 => Wide1(hyperbolic::tanh),
        64 => Wide1(circular::tan_pi),
        65 => Wide1(gamma::gamma),
        _ => return exact_math(number),
    })
}

fn exact_math(number: u32) -> Option<Formula> {
    Some(match number {
        12 => Float1(f64::ceil),
        13 => Float2(f64::copysign),
        23 => Float1(f64::abs),
        24 => Float2(exact::fdim),
        25 => Float1(f64::floor),
        27 => Float2(exact::fmax),
        28 => Float2(exact::fmin),
        29 => Float2(exact::fmod),
        33 => Sized1(|_, a| Value::i32(exact::ilogb(a))),
        34 => FloatInt(exact::ldexp),
        41 => Float1(exact::logb),
        43 => Float2(exact::maxmag),
        44 => Float2(exact::minmag),
        46 => Element(vector::nan),
        47 => Sized2(exact::nextafter),
        51 => Float2(exact::remainder),
        53 => Float1(f64::round_ties_even),
        55 => Float1(f64::round),
        66 => Float1(f64::trunc),
        _ => return None,
    })
}

/// The functions `half_*`, and `native_*` in the same order.
fn coarse(number: u32) -> Option<Formula> {
    Some(match if number < 81 { number } else { number - 14 } {
        67 => Wide1(circular::cos),
        68 => Float2(|a, b| a / b),
        69 => Wide1(exponential::exp),
        70 => Wide1(exponential::exp2),
        71 => Wide1(exponential::exp10),
        72 => Wide1(logarithm::ln),
        73 => Wide1(logarithm::log2),
        74 => Wide1(logarithm::log10),
        75 => Wide2(power::powr),
        76 => Float1(f64::recip),
        77 => Wide1(power::inverse_sqrt),
        78 => Wide1(circular::sin),
        79 => Float1(f64::sqrt),
        80 => Wide1(circular::tan),
        _ => return None,
    })
}

fn common(number: u32) -> Option<Formula> {
    Some(match number {
        95 => Some3(glsl::clamped),
        96 => Wide1(|a| glsl::times(constants::DEGREES_PER_RADIAN, a)),
        97 => Some2(|a, b| (!a.is_nan() && !b.is_nan()).then(|| exact::fmax(a, b))),
        98 => Some2(|a, b| (!a.is_nan() && !b.is_nan()).then(|| exact::fmin(a, b))),
        99 => Some3(|[a, b, part]| (0.0..=1.0).contains(&part).then_some(a + (b - a) * part)),
        100 => Wide1(|a| glsl::times(constants::RADIANS_PER_DEGREE, a)),
        101 => Float2(glsl::step),
        102 => Some3(glsl::smooth_step),
        103 => Float1(exact::sign),
        104 => Whole(geometric::cross),
        105 | 108 => Whole(geometric::distance),
        106 | 109 => Whole(geometric::length),
        107 | 110 => Whole(geometric::normalize),
        _ => return None,
    })
}

fn integers(number: u32) -> Option<Formula> {
    Some(match number {
        141 => Int1(integer::s_abs),
        142 => Int2(integer::s_abs_diff),
        143 => Int2(integer::s_add_sat),
        144 => Int2(integer::u_add_sat),
        145 => Int2(integer::s_hadd),
        146 => Int2(integer::u_hadd),
        147 => Int2(integer::s_rhadd),
        148 => Int2(integer::u_rhadd),
        149 => Int3(integer::s_clamp),
        150 => Int3(integer::u_clamp),
        151 => Int1(integer::leading_zeros),
        152 => Int1(integer::trailing_zeros),
        153 => Int3(integer::s_mad_hi),
        154 => Int3(integer::u_mad_sat),
        155 => Int3(integer::s_mad_sat),
        156 => Int2(integer::s_max),
        157 => Int2(|_, a, b| a.max(b)),
        158 => Int2(integer::s_min),
        159 => Int2(|_, a, b| a.min(b)),
        160 => Int2(integer::s_mul_hi),
        161 => Int2(integer::rotated_left),
        162 => Int2(integer::s_sub_sat),
        163 => Int2(|_, a, b| a.saturating_sub(b)),
        164 | 165 => Element(vector::upsample),
        166 => Int1(|_, a| u64::from(a.count_ones())),
        167 => Int3(integer::s_mad24),
        168 => Int3(integer::u_mad24),
        169 => SomeInt2(|width, a, b| integer::s_mad24(width, [a, b, 0])),
        170 => SomeInt2(|width, a, b| integer::u_mad24(width, [a, b, 0])),
        201 => Int1(|_, a| a),
        202 => Int2(|_, a, b| a.abs_diff(b)),
        203 => Int2(integer::u_mul_hi),
        204 => Int3(integer::u_mad_hi),
        _ => return None,
    })
}

pub(crate) fn name(number: u32) -> Option<&'static str> {
    (number == 184).then_some("printf")
}
