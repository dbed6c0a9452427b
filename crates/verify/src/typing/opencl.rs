//! Extended instructions of OpenCL.std (its specification, section 2): part of T11.

use spirv::OpenclStd100Op;

use super::facts::{FLOAT, FLOATS, INT, INTS, OTHER, POINTER};
use super::rule::Check::{Bits, By, Is, Same};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule};

const OF_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(ALL, RESULT)];
const OF_INTEGERS: Rule = &[Is(RESULT, INT | INTS), Same(ALL, RESULT)];
/// The same for 32-bit integers only.
const OF_WORDS: Rule = &[Is(RESULT, INT | INTS), Bits(RESULT, &[32]), Same(ALL, RESULT)];
/// Shuffles: the result has the components of the operand.
const OF_VECTORS: Rule = &[Is(RESULT, FLOATS | INTS), Is(FIRST, FLOATS | INTS), By(has_its_components)];
const OF_POINTERS_TO_GLOBAL: Rule = &[Is(FIRST, POINTER), By(points_to_global)];
/// Not checked.
const ANY: Rule = &[];

/// Float functions of one type.
#[rustfmt::skip]
const FLOATS_ALONE: &[OpenclStd100Op] = {
    use OpenclStd100Op::*;
    &[
        acos, acosh, acospi, asin, asinh, asinpi, atan, atan2, atanh, atanpi, atan2pi, cbrt, ceil, copysign, cos, cosh,
        cospi, erfc, erf, exp, exp2, exp10, expm1, fabs, fdim, floor, fma, fmax, fmin, fmod, hypot, lgamma, log, log2,
        log10, log1p, logb, mad, maxmag, minmag, nextafter, pow, powr, remainder, rint, round, rsqrt, sin, sinh, sinpi,
        sqrt, tan, tanh, tanpi, tgamma, trunc, half_cos, half_divide, half_exp, half_exp2, half_exp10, half_log,
        half_log2, half_log10, half_powr, half_recip, half_rsqrt, half_sin, half_sqrt, half_tan, native_cos,
        native_divide, native_exp, native_exp2, native_exp10, native_log, native_log2, native_log10, native_powr,
        native_recip, native_rsqrt, native_sin, native_sqrt, native_tan, fclamp, degrees, fmax_common, fmin_common, mix,
        radians, step, smoothstep, sign, normalize, fast_normalize,
    ]
};
/// Integer functions of one type.
#[rustfmt::skip]
const INTEGERS_ALONE: &[OpenclStd100Op] = {
    use OpenclStd100Op::*;
    &[
        s_abs, s_abs_diff, s_add_sat, u_add_sat, s_hadd, u_hadd, s_rhadd, u_rhadd, s_clamp, u_clamp, clz, ctz, s_mad_hi,
        u_mad_sat, s_mad_sat, s_max, u_max, s_min, u_min, s_mul_hi, rotate, s_sub_sat, u_sub_sat, popcount, u_abs,
        u_abs_diff, u_mul_hi, u_mad_hi,
    ]
};

/// The rule of an instruction: functions of values of one type. Functions that take pointers, or values of several types, are not checked.
pub(super) fn rule(op: OpenclStd100Op) -> Rule {
    match op {
        OpenclStd100Op::s_mad24 | OpenclStd100Op::u_mad24 | OpenclStd100Op::s_mul24 | OpenclStd100Op::u_mul24 => {
            OF_WORDS
        }
        OpenclStd100Op::shuffle | OpenclStd100Op::shuffle2 => OF_VECTORS,
        OpenclStd100Op::prefetch => OF_POINTERS_TO_GLOBAL,
        op if FLOATS_ALONE.contains(&op) => OF_FLOATS,
        op if INTEGERS_ALONE.contains(&op) => OF_INTEGERS,
        _ => ANY,
    }
}

fn has_its_components(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, from) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    (result.part != from.part && result.kind | from.kind != OTHER)
        .then(|| "the result should have components of the type of those of operand 0".to_owned())
}

fn points_to_global(asked: &Asked<'_, '_>) -> Option<String> {
    let class = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?.class;
    (class != spirv::StorageClass::CrossWorkgroup as u32).then(|| "operand 0 should point to global memory".to_owned())
}
