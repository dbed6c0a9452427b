//! The table of OpenCL.std: every instruction, its lowering, and its precision.
//!
//! `docs/opencl-std.md` is this table as a page.
//!
//! The precision of the formulas in this folder was measured: the largest error among 12,000 operands or more in 32 bits and 2,500 or more
//! in 64, over the whole range and in its critical parts, by the reference interpreter, against arithmetic of 160 bits. It requires that
//! sums, differences and products are rounded to the nearest float, as Vulkan specifies. The precision of instructions of GLSL.std.450 is
//! what Vulkan guarantees ("Precision of GLSL.std.450 instructions").

use reconverge_diagnostic::Diagnostic;
use spirv::{GlslStd450Op, OpenclStd100Op as OpenCl};

use super::arctangent;
use super::call::Call;
use super::error_function;
use super::exact;
use super::exponential;
use super::fused;
use super::gamma;
use super::geometric;
use super::hyperbolic;
use super::integer;
use super::logarithm;
use super::memory;
use super::native;
use super::power;
use super::relational;
use super::remainder;
use super::shuffle;
use super::trigonometric;

/// The formula of a function, of its operands.
pub(super) type Formula = for<'w> fn(&[Value<'w>]) -> Value<'w>;

/// A lowering that needs the operands themselves: pointers, literals, whole vectors.
pub(super) type Special = for<'w> fn(&'w FormulaWriter<'w>, &Call) -> Result<Option<Value<'w>>, Diagnostic>;

/// The lowering of an instruction.
#[derive(Clone, Copy)]
pub(super) enum Lowering {
    /// One instruction of GLSL.std.450.
    Glsl(GlslStd450Op),
    /// A formula.
    Formula(Formula),
    /// A formula for the value, and one for the value that is stored through the last operand.
    Stored(Formula, Formula),
    /// A special lowering.
    Special(Special),
    /// None: an earlier pass replaces it.
    Earlier,
}

/// The place where a formula is emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// In place of the instruction.
    InPlace,
    /// In a function of scalars, once for each type, which is called for each component.
    Function,
}

/// The floating-point types of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Widths {
    /// 16, 32 and 64 bits, or integers of every width.
    All,
    /// 32 and 64 bits; halves are computed in 32 bits and rounded.
    Wide,
    /// 32 bits; halves are computed in 32 bits and rounded, doubles are not supported.
    Single,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(super) struct OpenClLowering {
    /// The instruction of OpenCL.std.
    pub(super) instruction: OpenCl,
    /// Its lowering.
    pub(super) lowering: Lowering,
    /// The place where its formulas are emitted.
    pub(super) form: Form,
    /// Its types.
    pub(super) widths: Widths,
    /// The precision that OpenCL requires, for 32 bits.
    pub(super) required: &'static str,
    /// The precision of the lowering on every Vulkan device.
    pub(super) given: &'static str,
}

/// The row of an instruction.
pub(super) fn row(instruction: OpenCl) -> &'static OpenClLowering {
    let index = ROWS.binary_search_by_key(&instruction, |row| row.instruction);
    &ROWS[index.expect("invariant: every instruction has a row")]
}

const EXACT: &str = "exact";

/// A row of a function with one correct result, which the lowering returns.
const fn exactly(instruction: OpenCl, lowering: Lowering) -> OpenClLowering {
    rounded(instruction, lowering, Form::InPlace, Widths::All, [EXACT, EXACT])
}

/// A row of any function: the required and the actual precision are the last arguments.
const fn rounded(
    instruction: OpenCl,
    lowering: Lowering,
    form: Form,
    widths: Widths,
    [required, given]: [&'static str; 2],
) -> OpenClLowering {
    OpenClLowering { instruction, lowering, form, widths, required, given }
}

use crate::formula::{FormulaWriter, Value};
use Lowering::{Earlier, Formula as F, Glsl, Special as S, Stored};

/// Every instruction of OpenCL.std, by number.
#[rustfmt::skip]
pub(super) static ROWS: &[OpenClLowering] = &[
    rounded(OpenCl::acos, F(arctangent::arccosine), Form::Function, Widths::Wide, ["4 ulp", "0.6 ulp"]),
    rounded(OpenCl::acosh, F(hyperbolic::inverse_cosine), Form::Function, Widths::Wide, ["4 ulp", "0.5 ulp"]),
    rounded(OpenCl::acospi, F(arctangent::arccosine_in_half_turns), Form::Function, Widths::Wide, ["5 ulp", "0.6 ulp"]),
    rounded(OpenCl::asin, F(arctangent::arcsine), Form::Function, Widths::Wide, ["4 ulp", "0.6 ulp"]),
    rounded(OpenCl::asinh, F(hyperbolic::inverse_sine), Form::Function, Widths::Wide, ["4 ulp", "0.5 ulp"]),
    rounded(OpenCl::asinpi, F(arctangent::arcsine_in_half_turns), Form::Function, Widths::Wide, ["5 ulp", "1.0 ulp"]),
    rounded(OpenCl::atan, F(arctangent::arctangent), Form::Function, Widths::Wide, ["5 ulp", "0.6 ulp"]),
    rounded(OpenCl::atan2, F(arctangent::arctangent_of_quotient), Form::Function, Widths::Wide, ["6 ulp", "0.6 ulp"]),
    rounded(OpenCl::atanh, F(hyperbolic::inverse_tangent), Form::Function, Widths::Wide, ["5 ulp", "0.5 ulp"]),
    rounded(OpenCl::atanpi, F(arctangent::arctangent_in_half_turns), Form::Function, Widths::Wide, ["5 ulp", "0.9 ulp"]),
    rounded(OpenCl::atan2pi, F(arctangent::arctangent_of_quotient_in_half_turns), Form::Function, Widths::Wide, ["6 ulp", "0.6 ulp"]),
    rounded(OpenCl::cbrt, F(power::cube_root), Form::Function, Widths::Wide, ["2 ulp", "0.7 ulp"]),
    exactly(OpenCl::ceil, Glsl(GlslStd450Op::Ceil)),
    exactly(OpenCl::copysign, F(exact::copy_sign)),
    rounded(OpenCl::cos, F(trigonometric::cosine), Form::Function, Widths::Wide, ["4 ulp", "0.8 ulp"]),
    rounded(OpenCl::cosh, F(hyperbolic::cosine), Form::Function, Widths::Wide, ["4 ulp", "1.1 ulp"]),
    rounded(OpenCl::cospi, F(trigonometric::cosine_of_half_turns), Form::Function, Widths::Wide, ["4 ulp", "0.8 ulp"]),
    rounded(OpenCl::erfc, F(error_function::complement), Form::Function, Widths::Wide, ["16 ulp", "3.8 ulp"]),
    rounded(OpenCl::erf, F(error_function::error_function), Form::Function, Widths::Wide, ["16 ulp", "2.3 ulp"]),
    rounded(OpenCl::exp, F(exponential::exponential), Form::Function, Widths::Wide, ["3 ulp", "0.7 ulp"]),
    rounded(OpenCl::exp2, F(exponential::exponential_2), Form::Function, Widths::Wide, ["3 ulp", "0.7 ulp"]),
    rounded(OpenCl::exp10, F(exponential::exponential_10), Form::Function, Widths::Wide, ["3 ulp", "0.6 ulp"]),
    rounded(OpenCl::expm1, F(exponential::exponential_minus_one), Form::Function, Widths::Wide, ["3 ulp", "1.4 ulp"]),
    exactly(OpenCl::fabs, F(exact::magnitude)),
    exactly(OpenCl::fdim, F(exact::positive_difference)),
    exactly(OpenCl::floor, Glsl(GlslStd450Op::Floor)),
    rounded(OpenCl::fma, F(fused::multiply_add), Form::Function, Widths::All, ["correctly rounded", "with `--fma exact` correctly rounded, else as `Fma`"]),
    exactly(OpenCl::fmax, Glsl(GlslStd450Op::NMax)),
    exactly(OpenCl::fmin, Glsl(GlslStd450Op::NMin)),
    rounded(OpenCl::fmod, F(remainder::of_truncated), Form::Function, Widths::All, ["exact", "exact"]),
    exactly(OpenCl::fract, Stored(exact::fraction, exact::floor)),
    exactly(OpenCl::frexp, Stored(exact::significand, exact::exponent)),
    rounded(OpenCl::hypot, F(power::hypotenuse), Form::Function, Widths::Wide, ["4 ulp", "0.6 ulp"]),
    exactly(OpenCl::ilogb, F(exact::integer_logarithm)),
    rounded(OpenCl::ldexp, F(exact::scale), Form::Function, Widths::All, ["correctly rounded", "correctly rounded"]),
    rounded(OpenCl::lgamma, F(gamma::logarithm_of_gamma), Form::Function, Widths::Wide, ["none", "1 ulp; near its zeros at negative x: 2^-24 and 2^-53"]),
    rounded(OpenCl::lgamma_r, Stored(gamma::logarithm_of_gamma, gamma::sign_of_gamma), Form::Function, Widths::Wide, ["none", "1 ulp; near its zeros at negative x: 2^-24 and 2^-53"]),
    rounded(OpenCl::log, F(logarithm::logarithm), Form::Function, Widths::Wide, ["3 ulp", "0.5 ulp"]),
    rounded(OpenCl::log2, F(logarithm::logarithm_2), Form::Function, Widths::Wide, ["3 ulp", "0.5 ulp"]),
    rounded(OpenCl::log10, F(logarithm::logarithm_10), Form::Function, Widths::Wide, ["3 ulp", "0.5 ulp"]),
    rounded(OpenCl::log1p, F(logarithm::logarithm_of_one_plus), Form::Function, Widths::Wide, ["2 ulp", "0.6 ulp"]),
    exactly(OpenCl::logb, F(exact::exponent_part)),
    rounded(OpenCl::mad, Glsl(GlslStd450Op::Fma), Form::InPlace, Widths::All, ["none", "a product and a sum, rounded once or twice"]),
    exactly(OpenCl::maxmag, F(exact::larger_magnitude)),
    exactly(OpenCl::minmag, F(exact::smaller_magnitude)),
    exactly(OpenCl::modf, Stored(exact::fraction_toward_zero, exact::truncate)),
    exactly(OpenCl::nan, F(exact::nan)),
    exactly(OpenCl::nextafter, F(exact::next_toward)),
    rounded(OpenCl::pow, F(power::power), Form::Function, Widths::Wide, ["16 ulp", "0.6 ulp"]),
    rounded(OpenCl::pown, F(power::power_of_integer), Form::Function, Widths::Wide, ["16 ulp", "0.7 ulp"]),
    rounded(OpenCl::powr, F(power::power_of_positive), Form::Function, Widths::Wide, ["16 ulp", "0.6 ulp"]),
    rounded(OpenCl::remainder, F(remainder::of_nearest), Form::Function, Widths::All, ["exact", "exact"]),
    rounded(OpenCl::remquo, Stored(remainder::of_nearest, remainder::quotient_of_nearest), Form::Function, Widths::All, ["exact", "exact"]),
    exactly(OpenCl::rint, F(exact::rint)),
    rounded(OpenCl::rootn, F(power::root), Form::Function, Widths::Wide, ["16 ulp", "0.6 ulp"]),
    exactly(OpenCl::round, F(exact::round)),
    rounded(OpenCl::rsqrt, F(exact::inverse_square_root), Form::InPlace, Widths::All, ["2 ulp", "2 ulp"]),
    rounded(OpenCl::sin, F(trigonometric::sine), Form::Function, Widths::Wide, ["4 ulp", "0.8 ulp"]),
    rounded(OpenCl::sincos, Stored(trigonometric::sine, trigonometric::cosine), Form::Function, Widths::Wide, ["4 ulp", "0.8 ulp"]),
    rounded(OpenCl::sinh, F(hyperbolic::sine), Form::Function, Widths::Wide, ["4 ulp", "1.9 ulp"]),
    rounded(OpenCl::sinpi, F(trigonometric::sine_of_half_turns), Form::Function, Widths::Wide, ["4 ulp", "0.8 ulp"]),
    rounded(OpenCl::sqrt, F(exact::square_root), Form::InPlace, Widths::All, ["3 ulp", "that of 1 / InverseSqrt, 2.5 and 2 ulp: worse than required, unless the device is better"]),
    rounded(OpenCl::tan, F(trigonometric::tangent), Form::Function, Widths::Wide, ["5 ulp", "1.8 ulp"]),
    rounded(OpenCl::tanh, F(hyperbolic::tangent), Form::Function, Widths::Wide, ["5 ulp", "2.0 ulp"]),
    rounded(OpenCl::tanpi, F(trigonometric::tangent_of_half_turns), Form::Function, Widths::Wide, ["6 ulp", "1.9 ulp"]),
    rounded(OpenCl::tgamma, F(gamma::gamma), Form::Function, Widths::Wide, ["16 ulp", "4.6 ulp"]),
    exactly(OpenCl::trunc, Glsl(GlslStd450Op::Trunc)),
    rounded(OpenCl::half_cos, F(trigonometric::cosine), Form::Function, Widths::Single, ["8192 ulp", "as cos"]),
    rounded(OpenCl::half_divide, F(native::divide), Form::InPlace, Widths::Single, ["8192 ulp", "2.5 ulp"]),
    rounded(OpenCl::half_exp, Glsl(GlslStd450Op::Exp), Form::InPlace, Widths::Single, ["8192 ulp", "3 + 2 |x| ulp"]),
    rounded(OpenCl::half_exp2, Glsl(GlslStd450Op::Exp2), Form::InPlace, Widths::Single, ["8192 ulp", "3 + 2 |x| ulp"]),
    rounded(OpenCl::half_exp10, F(native::exponential_10), Form::InPlace, Widths::Single, ["8192 ulp", "3 + 7 |x| ulp"]),
    rounded(OpenCl::half_log, F(logarithm::logarithm), Form::Function, Widths::Single, ["8192 ulp", "as log"]),
    rounded(OpenCl::half_log2, F(logarithm::logarithm_2), Form::Function, Widths::Single, ["8192 ulp", "as log2"]),
    rounded(OpenCl::half_log10, F(logarithm::logarithm_10), Form::Function, Widths::Single, ["8192 ulp", "as log10"]),
    rounded(OpenCl::half_powr, F(power::power_of_positive), Form::Function, Widths::Single, ["8192 ulp", "as powr"]),
    rounded(OpenCl::half_recip, F(native::reciprocal), Form::InPlace, Widths::Single, ["8192 ulp", "2.5 ulp"]),
    rounded(OpenCl::half_rsqrt, F(exact::inverse_square_root), Form::InPlace, Widths::Single, ["8192 ulp", "2 ulp"]),
    rounded(OpenCl::half_sin, F(trigonometric::sine), Form::Function, Widths::Single, ["8192 ulp", "as sin"]),
    rounded(OpenCl::half_sqrt, F(exact::square_root), Form::InPlace, Widths::Single, ["8192 ulp", "that of 1 / InverseSqrt"]),
    rounded(OpenCl::half_tan, F(trigonometric::tangent), Form::Function, Widths::Single, ["8192 ulp", "as tan"]),
    rounded(OpenCl::native_cos, Glsl(GlslStd450Op::Cos), Form::InPlace, Widths::Single, ["none", "2^-11 in [-pi, pi]"]),
    rounded(OpenCl::native_divide, F(native::divide), Form::InPlace, Widths::Single, ["none", "2.5 ulp"]),
    rounded(OpenCl::native_exp, Glsl(GlslStd450Op::Exp), Form::InPlace, Widths::Single, ["none", "3 + 2 |x| ulp"]),
    rounded(OpenCl::native_exp2, Glsl(GlslStd450Op::Exp2), Form::InPlace, Widths::Single, ["none", "3 + 2 |x| ulp"]),
    rounded(OpenCl::native_exp10, F(native::exponential_10), Form::InPlace, Widths::Single, ["none", "3 + 7 |x| ulp"]),
    rounded(OpenCl::native_log, Glsl(GlslStd450Op::Log), Form::InPlace, Widths::Single, ["none", "3 ulp; 2^-21 in [0.5, 2]"]),
    rounded(OpenCl::native_log2, Glsl(GlslStd450Op::Log2), Form::InPlace, Widths::Single, ["none", "3 ulp; 2^-21 in [0.5, 2]"]),
    rounded(OpenCl::native_log10, F(native::logarithm_10), Form::InPlace, Widths::Single, ["none", "4 ulp; 2^-22 in [0.5, 2]"]),
    rounded(OpenCl::native_powr, Glsl(GlslStd450Op::Pow), Form::InPlace, Widths::Single, ["none", "that of Exp2(y * Log2(x))"]),
    rounded(OpenCl::native_recip, F(native::reciprocal), Form::InPlace, Widths::Single, ["none", "2.5 ulp"]),
    rounded(OpenCl::native_rsqrt, Glsl(GlslStd450Op::InverseSqrt), Form::InPlace, Widths::Single, ["none", "2 ulp"]),
    rounded(OpenCl::native_sin, Glsl(GlslStd450Op::Sin), Form::InPlace, Widths::Single, ["none", "2^-11 in [-pi, pi]"]),
    rounded(OpenCl::native_sqrt, Glsl(GlslStd450Op::Sqrt), Form::InPlace, Widths::Single, ["none", "that of 1 / InverseSqrt"]),
    rounded(OpenCl::native_tan, Glsl(GlslStd450Op::Tan), Form::InPlace, Widths::Single, ["none", "that of Sin(x) / Cos(x)"]),
    exactly(OpenCl::fclamp, Glsl(GlslStd450Op::NClamp)),
    rounded(OpenCl::degrees, F(exact::degrees), Form::InPlace, Widths::Wide, ["2 ulp", "1 ulp"]),
    exactly(OpenCl::fmax_common, Glsl(GlslStd450Op::FMax)),
    exactly(OpenCl::fmin_common, Glsl(GlslStd450Op::FMin)),
    rounded(OpenCl::mix, F(exact::mix), Form::InPlace, Widths::All, ["none", "three roundings"]),
    rounded(OpenCl::radians, F(exact::radians), Form::InPlace, Widths::Wide, ["2 ulp", "1 ulp"]),
    exactly(OpenCl::step, F(exact::step)),
    rounded(OpenCl::smoothstep, F(exact::smooth_step), Form::InPlace, Widths::All, ["none", "a division, then five roundings"]),
    exactly(OpenCl::sign, F(exact::sign)),
    rounded(OpenCl::cross, F(geometric::cross), Form::InPlace, Widths::Wide, ["none", "two roundings a component"]),
    rounded(OpenCl::distance, F(geometric::distance), Form::InPlace, Widths::Wide, ["2.5 + 2 n ulp", "that of sqrt, and n + 1 roundings"]),
    rounded(OpenCl::length, F(geometric::length), Form::InPlace, Widths::Wide, ["3 + n / 2 ulp", "that of sqrt, and n roundings"]),
    rounded(OpenCl::normalize, F(geometric::normalize), Form::InPlace, Widths::Wide, ["2 + n ulp", "that of a division and of sqrt, and n roundings"]),
    rounded(OpenCl::fast_distance, F(geometric::fast_distance), Form::InPlace, Widths::Wide, ["8191.5 + 2 n ulp", "that of sqrt, and n + 1 roundings"]),
    rounded(OpenCl::fast_length, F(geometric::fast_length), Form::InPlace, Widths::Wide, ["8191.5 + n ulp", "that of sqrt, and n roundings"]),
    rounded(OpenCl::fast_normalize, F(geometric::fast_normalize), Form::InPlace, Widths::Wide, ["8191.5 + n ulp", "2 ulp, and n + 1 roundings"]),
    exactly(OpenCl::s_abs, F(integer::absolute)),
    exactly(OpenCl::s_abs_diff, F(integer::signed_difference)),
    exactly(OpenCl::s_add_sat, F(integer::signed_add_saturated)),
    exactly(OpenCl::u_add_sat, F(integer::add_saturated)),
    exactly(OpenCl::s_hadd, F(integer::signed_half_sum)),
    exactly(OpenCl::u_hadd, F(integer::half_sum)),
    exactly(OpenCl::s_rhadd, F(integer::signed_half_sum_up)),
    exactly(OpenCl::u_rhadd, F(integer::half_sum_up)),
    exactly(OpenCl::s_clamp, F(integer::signed_clamp)),
    exactly(OpenCl::u_clamp, F(integer::clamp)),
    exactly(OpenCl::clz, F(integer::leading_zeros)),
    exactly(OpenCl::ctz, F(integer::trailing_zeros)),
    exactly(OpenCl::s_mad_hi, F(integer::signed_multiply_add_high)),
    exactly(OpenCl::u_mad_sat, F(integer::multiply_add_saturated)),
    exactly(OpenCl::s_mad_sat, F(integer::signed_multiply_add_saturated)),
    exactly(OpenCl::s_max, F(integer::signed_maximum)),
    exactly(OpenCl::u_max, F(integer::maximum)),
    exactly(OpenCl::s_min, F(integer::signed_minimum)),
    exactly(OpenCl::u_min, F(integer::minimum)),
    exactly(OpenCl::s_mul_hi, F(integer::signed_multiply_high)),
    exactly(OpenCl::rotate, F(integer::rotate)),
    exactly(OpenCl::s_sub_sat, F(integer::signed_subtract_saturated)),
    exactly(OpenCl::u_sub_sat, F(integer::subtract_saturated)),
    exactly(OpenCl::u_upsample, F(integer::join)),
    exactly(OpenCl::s_upsample, F(integer::join)),
    exactly(OpenCl::popcount, F(integer::count_ones)),
    exactly(OpenCl::s_mad24, F(integer::multiply_add)),
    exactly(OpenCl::u_mad24, F(integer::multiply_add)),
    exactly(OpenCl::s_mul24, F(integer::multiply)),
    exactly(OpenCl::u_mul24, F(integer::multiply)),
    exactly(OpenCl::vloadn, S(memory::load_vector)),
    exactly(OpenCl::vstoren, S(memory::store_vector)),
    exactly(OpenCl::vload_half, S(memory::load_halves)),
    exactly(OpenCl::vload_halfn, S(memory::load_halves)),
    exactly(OpenCl::vstore_half, S(memory::store_halves)),
    exactly(OpenCl::vstore_half_r, S(memory::store_halves)),
    exactly(OpenCl::vstore_halfn, S(memory::store_halves)),
    exactly(OpenCl::vstore_halfn_r, S(memory::store_halves)),
    exactly(OpenCl::vloada_halfn, S(memory::load_aligned_halves)),
    exactly(OpenCl::vstorea_halfn, S(memory::store_aligned_halves)),
    exactly(OpenCl::vstorea_halfn_r, S(memory::store_aligned_halves)),
    exactly(OpenCl::shuffle, S(shuffle::shuffle)),
    exactly(OpenCl::shuffle2, S(shuffle::shuffle_two)),
    exactly(OpenCl::printf, Earlier),
    exactly(OpenCl::prefetch, S(memory::prefetch)),
    exactly(OpenCl::bitselect, F(relational::select_bits)),
    exactly(OpenCl::select, F(relational::select)),
    exactly(OpenCl::u_abs, F(integer::same)),
    exactly(OpenCl::u_abs_diff, F(integer::difference)),
    exactly(OpenCl::u_mul_hi, F(integer::multiply_high)),
    exactly(OpenCl::u_mad_hi, F(integer::multiply_add_high)),
];
