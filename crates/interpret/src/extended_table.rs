//! What the extended instructions do: which formula stands behind which number.

use crate::value::{mask, sign_extended};

/// What an extended instruction does. Integer formulas get the width and the bits, zero-extended; their result is cut to the width.
#[derive(Clone, Copy)]
pub(crate) enum Formula {
    Float1(fn(f64) -> f64),
    Float2(fn(f64, f64) -> f64),
    /// Gets the width too.
    Float3(fn(u8, [f64; 3]) -> f64),
    Int1(fn(u8, u64) -> u64),
    Int2(fn(u8, u64, u64) -> u64),
    Int3(fn(u8, [u64; 3]) -> u64),
    Length,
    Distance,
    Normalize,
    Cross,
}

use Formula::{Float1, Float2, Float3, Int1, Int2, Int3};

/// The formulas of `GLSL.std.450`.
pub(crate) fn glsl(number: u32) -> Option<Formula> {
    Some(match number {
        1 | 2 => Float1(f64::round_ties_even),
        3 => Float1(f64::trunc),
        4 => Float1(f64::abs),
        5 => Int1(|width, a| sign_extended(width, a).unsigned_abs()),
        6 => Float1(sign),
        7 => Int1(|width, a| sign_extended(width, a).signum().cast_unsigned()),
        8 => Float1(f64::floor),
        9 => Float1(f64::ceil),
        10 => Float1(|a| a - a.floor()),
        11 => Float1(f64::to_radians),
        12 => Float1(f64::to_degrees),
        13..=24 => Float1(trigonometric(number - 13)),
        25 => Float2(f64::atan2),
        26 => Float2(f64::powf),
        27 => Float1(f64::exp),
        28 => Float1(f64::ln),
        29 => Float1(f64::exp2),
        30 => Float1(f64::log2),
        31 => Float1(f64::sqrt),
        32 => Float1(|a| 1.0 / a.sqrt()),
        37 | 79 => Float2(f64::min),
        38 => Int2(|_, a, b| a.min(b)),
        39 => Int2(|width, a, b| if less(width, b, a) { b } else { a }),
        40 | 80 => Float2(f64::max),
        41 => Int2(|_, a, b| a.max(b)),
        42 => Int2(|width, a, b| if less(width, a, b) { b } else { a }),
        43 | 81 => Float3(|_, [a, low, high]| a.max(low).min(high)),
        44 => Int3(|_, [a, low, high]| a.max(low).min(high)),
        45 => Int3(signed_clamp),
        46 => Float3(|_, [a, b, part]| a * (1.0 - part) + b * part),
        48 => Float2(|edge, a| if a < edge { 0.0 } else { 1.0 }),
        49 => Float3(smooth_step),
        50 => Float3(fused),
        66 => Formula::Length,
        67 => Formula::Distance,
        68 => Formula::Cross,
        69 => Formula::Normalize,
        73 => Int1(|width, a| if a == 0 { mask(width) } else { u64::from(a.trailing_zeros()) }),
        74 => Int1(|width, a| highest_bit(width, if sign_extended(width, a) < 0 { !a & mask(width) } else { a })),
        75 => Int1(highest_bit),
        _ => return None,
    })
}

/// The formulas of `OpenCL.std`.
pub(crate) fn open_cl(number: u32) -> Option<Formula> {
    match number {
        0..=103 => open_cl_float(number),
        104 => Some(Formula::Cross),
        105 => Some(Formula::Distance),
        106 => Some(Formula::Length),
        107 => Some(Formula::Normalize),
        _ => open_cl_integer(number),
    }
}

fn open_cl_float(number: u32) -> Option<Formula> {
    Some(match number {
        0 => Float1(f64::acos),
        3 => Float1(f64::asin),
        6 => Float1(f64::atan),
        7 => Float2(f64::atan2),
        12 => Float1(f64::ceil),
        13 => Float2(f64::copysign),
        14 | 67 | 81 => Float1(f64::cos),
        19 | 69 | 83 => Float1(f64::exp),
        20 | 70 | 84 => Float1(f64::exp2),
        23 => Float1(f64::abs),
        24 => Float2(|a, b| {
            if a > b {
                a - b
            } else if a <= b {
                0.0
            } else {
                f64::NAN
            }
        }),
        25 => Float1(f64::floor),
        26 => Float3(fused),
        27 | 97 => Float2(f64::max),
        28 | 98 => Float2(f64::min),
        29 => Float2(|a, b| a % b),
        37 | 72 | 86 => Float1(f64::ln),
        38 | 73 | 87 => Float1(f64::log2),
        42 => Float3(fused),
        48 | 75 | 89 => Float2(f64::powf),
        53 => Float1(f64::round_ties_even),
        55 => Float1(f64::round),
        56 | 77 | 91 => Float1(|a| 1.0 / a.sqrt()),
        57 | 78 | 92 => Float1(f64::sin),
        61 | 79 | 93 => Float1(f64::sqrt),
        62 | 80 | 94 => Float1(f64::tan),
        66 => Float1(f64::trunc),
        76 | 90 => Float1(|a| 1.0 / a),
        68 | 82 => Float2(|a, b| a / b),
        95 => Float3(|_, [a, low, high]| a.max(low).min(high)),
        96 => Float1(f64::to_degrees),
        99 => Float3(|_, [a, b, part]| a + (b - a) * part),
        100 => Float1(f64::to_radians),
        101 => Float2(|edge, a| if a < edge { 0.0 } else { 1.0 }),
        102 => Float3(smooth_step),
        103 => Float1(sign),
        _ => return None,
    })
}

fn open_cl_integer(number: u32) -> Option<Formula> {
    Some(match number {
        141 => Int1(|width, a| sign_extended(width, a).unsigned_abs()),
        142 => Int2(|width, a, b| if less(width, a, b) { b.wrapping_sub(a) } else { a.wrapping_sub(b) }),
        143 => Int2(|width, a, b| saturated(width, signed(width, a) + signed(width, b))),
        144 => Int2(|width, a, b| (u128::from(a) + u128::from(b)).min(u128::from(mask(width))) as u64),
        145 => Int2(|width, a, b| ((signed(width, a) + signed(width, b)) >> 1) as u64),
        146 => Int2(|_, a, b| ((u128::from(a) + u128::from(b)) >> 1) as u64),
        147 => Int2(|width, a, b| ((signed(width, a) + signed(width, b) + 1) >> 1) as u64),
        148 => Int2(|_, a, b| ((u128::from(a) + u128::from(b) + 1) >> 1) as u64),
        149 => Int3(signed_clamp),
        150 => Int3(|_, [a, low, high]| a.max(low).min(high)),
        151 => Int1(|width, a| u64::from(a.leading_zeros()) - (64 - u64::from(width))),
        152 => Int1(|width, a| u64::from(a.trailing_zeros()).min(u64::from(width))),
        153 => Int3(|width, [a, b, c]| signed_high(width, a, b).wrapping_add(c)),
        154 => Int3(|width, [a, b, c]| {
            (u128::from(a) * u128::from(b)).saturating_add(u128::from(c)).min(u128::from(mask(width))) as u64
        }),
        155 => Int3(|width, [a, b, c]| saturated(width, signed(width, a) * signed(width, b) + signed(width, c))),
        156 => Int2(|width, a, b| if less(width, a, b) { b } else { a }),
        157 => Int2(|_, a, b| a.max(b)),
        158 => Int2(|width, a, b| if less(width, b, a) { b } else { a }),
        159 => Int2(|_, a, b| a.min(b)),
        160 => Int2(signed_high),
        161 => Int2(rotated_left),
        162 => Int2(|width, a, b| saturated(width, signed(width, a) - signed(width, b))),
        163 => Int2(|_, a, b| a.saturating_sub(b)),
        166 => Int1(|_, a| u64::from(a.count_ones())),
        167 | 168 => Int3(|_, [a, b, c]| a.wrapping_mul(b).wrapping_add(c)),
        169 | 170 => Int2(|_, a, b| a.wrapping_mul(b)),
        201 => Int1(|_, a| a),
        202 => Int2(|_, a, b| a.abs_diff(b)),
        203 => Int2(unsigned_high),
        204 => Int3(|width, [a, b, c]| unsigned_high(width, a, b).wrapping_add(c)),
        _ => return None,
    })
}

/// Sine to inverse hyperbolic tangent, in the order of `GLSL.std.450`.
fn trigonometric(index: u32) -> fn(f64) -> f64 {
    const FUNCTIONS: [fn(f64) -> f64; 12] = [
        f64::sin,
        f64::cos,
        f64::tan,
        f64::asin,
        f64::acos,
        f64::atan,
        f64::sinh,
        f64::cosh,
        f64::tanh,
        f64::asinh,
        f64::acosh,
        f64::atanh,
    ];
    FUNCTIONS[index as usize]
}

fn sign(a: f64) -> f64 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn smooth_step(_: u8, [low, high, a]: [f64; 3]) -> f64 {
    let part = ((a - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// A product and a sum, rounded once.
fn fused(width: u8, [a, b, c]: [f64; 3]) -> f64 {
    match width {
        32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
        _ => a.mul_add(b, c),
    }
}

fn less(width: u8, a: u64, b: u64) -> bool {
    sign_extended(width, a) < sign_extended(width, b)
}

fn signed(width: u8, a: u64) -> i128 {
    i128::from(sign_extended(width, a))
}

fn signed_clamp(width: u8, [a, low, high]: [u64; 3]) -> u64 {
    let raised = if less(width, a, low) { low } else { a };
    if less(width, high, raised) { high } else { raised }
}

fn saturated(width: u8, value: i128) -> u64 {
    let greatest = i128::from(mask(width) >> 1);
    value.clamp(-greatest - 1, greatest) as u64
}

fn signed_high(width: u8, a: u64, b: u64) -> u64 {
    ((signed(width, a) * signed(width, b)) >> width) as u64
}

fn unsigned_high(width: u8, a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> width) as u64
}

fn rotated_left(width: u8, a: u64, amount: u64) -> u64 {
    let amount = (amount % u64::from(width)) as u32;
    if amount == 0 { a } else { a << amount | a >> (u32::from(width) - amount) }
}

fn highest_bit(width: u8, a: u64) -> u64 {
    if a == 0 { mask(width) } else { 63 - u64::from(a.leading_zeros()) }
}
