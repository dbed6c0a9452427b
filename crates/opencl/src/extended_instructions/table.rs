//! The table of OpenCL.std: every instruction, what it becomes, and how exact that is.
//!
//! `docs/opencl-std.md` is this table as a page.
//!
//! What is given for the formulas of this folder was measured: the largest error among 12,000 operands or more in 32 bits and 2,500 or
//! more in 64, over the whole range and where it matters most, by the reference interpreter, against arithmetic of 160 bits. It holds
//! where sums, differences and products are rounded to the nearest float, as Vulkan has it. What is given for instructions of
//! GLSL.std.450 is what Vulkan promises ("Precision of GLSL.std.450 instructions").

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
use super::value::Value;
use super::writer::Writer;
use crate::KernelError;

/// What a function computes, as a formula of its operands.
pub(super) type Formula = for<'w> fn(&[Value<'w>]) -> Value<'w>;

/// What takes the operands as they are: pointers, literals, vectors as a whole.
pub(super) type Special = for<'w> fn(&'w Writer<'w>, &Call) -> Result<Option<Value<'w>>, KernelError>;

/// What an instruction becomes.
#[derive(Clone, Copy)]
pub(super) enum Lowering {
    /// One instruction of GLSL.std.450, of that number and name.
    Glsl(u32, &'static str),
    /// A formula.
    Formula(Formula),
    /// A formula for the value, and one for what is stored through the last operand.
    Stored(Formula, Formula),
    /// Something of its own.
    Special(Special),
    /// Nothing: it is not supported.
    Unsupported,
}

/// Where a formula is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Where the instruction stands.
    InPlace,
    /// In a function of scalars, once for each type, that is called there for each component.
    Function,
}

/// For which floating-point types a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Widths {
    /// For 16, 32 and 64 bits alike, or for integers of every width.
    All,
    /// For 32 and 64 bits; halves are computed in 32 bits and rounded.
    Wide,
    /// For 32 bits; halves are computed in 32 bits and rounded, doubles are not supported.
    Single,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The number in OpenCL.std.
    pub(super) number: u32,
    /// The name in OpenCL.std.
    pub(super) name: &'static str,
    /// What it becomes.
    pub(super) lowering: Lowering,
    /// Where its formulas are written.
    pub(super) form: Form,
    /// For which types.
    pub(super) widths: Widths,
    /// What OpenCL asks for, for 32 bits.
    pub(super) required: &'static str,
    /// What the lowering gives on every Vulkan device.
    pub(super) given: &'static str,
}

/// The row of an instruction.
pub(super) fn row(number: u32) -> Option<&'static Row> {
    ROWS.binary_search_by_key(&number, |row| row.number).ok().map(|index| &ROWS[index])
}

const EXACT: &str = "exact";

/// A row of a function that has one right result, which is what comes out.
const fn exactly(number: u32, name: &'static str, lowering: Lowering) -> Row {
    rounded(number, name, lowering, (Form::InPlace, Widths::All), [EXACT, EXACT])
}

/// A row of any function: what is required and what is given come last.
const fn rounded(
    number: u32,
    name: &'static str,
    lowering: Lowering,
    (form, widths): (Form, Widths),
    [required, given]: [&'static str; 2],
) -> Row {
    Row { number, name, lowering, form, widths, required, given }
}

use Lowering::{Formula as F, Glsl, Special as S, Stored, Unsupported};

/// Every instruction of OpenCL.std, by number.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    rounded(0, "acos", F(arctangent::arccosine), (Form::Function, Widths::Wide), ["4 ulp", "0.6 ulp"]),
    rounded(1, "acosh", F(hyperbolic::inverse_cosine), (Form::Function, Widths::Wide), ["4 ulp", "0.5 ulp"]),
    rounded(2, "acospi", F(arctangent::arccosine_in_half_turns), (Form::Function, Widths::Wide), ["5 ulp", "0.6 ulp"]),
    rounded(3, "asin", F(arctangent::arcsine), (Form::Function, Widths::Wide), ["4 ulp", "0.6 ulp"]),
    rounded(4, "asinh", F(hyperbolic::inverse_sine), (Form::Function, Widths::Wide), ["4 ulp", "0.5 ulp"]),
    rounded(5, "asinpi", F(arctangent::arcsine_in_half_turns), (Form::Function, Widths::Wide), ["5 ulp", "1.0 ulp"]),
    rounded(6, "atan", F(arctangent::arctangent), (Form::Function, Widths::Wide), ["5 ulp", "0.6 ulp"]),
    rounded(7, "atan2", F(arctangent::arctangent_of_quotient), (Form::Function, Widths::Wide), ["6 ulp", "0.6 ulp"]),
    rounded(8, "atanh", F(hyperbolic::inverse_tangent), (Form::Function, Widths::Wide), ["5 ulp", "0.5 ulp"]),
    rounded(9, "atanpi", F(arctangent::arctangent_in_half_turns), (Form::Function, Widths::Wide), ["5 ulp", "0.9 ulp"]),
    rounded(10, "atan2pi", F(arctangent::arctangent_of_quotient_in_half_turns), (Form::Function, Widths::Wide), ["6 ulp", "0.6 ulp"]),
    rounded(11, "cbrt", F(power::cube_root), (Form::Function, Widths::Wide), ["2 ulp", "0.7 ulp"]),
    exactly(12, "ceil", Glsl(9, "Ceil")),
    exactly(13, "copysign", F(exact::copy_sign)),
    rounded(14, "cos", F(trigonometric::cosine), (Form::Function, Widths::Wide), ["4 ulp", "0.8 ulp"]),
    rounded(15, "cosh", F(hyperbolic::cosine), (Form::Function, Widths::Wide), ["4 ulp", "1.1 ulp"]),
    rounded(16, "cospi", F(trigonometric::cosine_of_half_turns), (Form::Function, Widths::Wide), ["4 ulp", "0.8 ulp"]),
    rounded(17, "erfc", F(error_function::complement), (Form::Function, Widths::Wide), ["16 ulp", "3.8 ulp"]),
    rounded(18, "erf", F(error_function::error_function), (Form::Function, Widths::Wide), ["16 ulp", "2.3 ulp"]),
    rounded(19, "exp", F(exponential::exponential), (Form::Function, Widths::Wide), ["3 ulp", "0.7 ulp"]),
    rounded(20, "exp2", F(exponential::exponential_2), (Form::Function, Widths::Wide), ["3 ulp", "0.7 ulp"]),
    rounded(21, "exp10", F(exponential::exponential_10), (Form::Function, Widths::Wide), ["3 ulp", "0.6 ulp"]),
    rounded(22, "expm1", F(exponential::exponential_minus_one), (Form::Function, Widths::Wide), ["3 ulp", "1.4 ulp"]),
    exactly(23, "fabs", F(exact::magnitude)),
    exactly(24, "fdim", F(exact::positive_difference)),
    exactly(25, "floor", Glsl(8, "Floor")),
    rounded(26, "fma", F(fused::multiply_add), (Form::Function, Widths::All), ["correctly rounded", "with `--fma exact` correctly rounded, else as `Fma`"]),
    exactly(27, "fmax", Glsl(80, "NMax")),
    exactly(28, "fmin", Glsl(79, "NMin")),
    rounded(29, "fmod", F(remainder::of_truncated), (Form::Function, Widths::All), ["exact", "exact"]),
    exactly(30, "fract", Stored(exact::fraction, exact::floor)),
    exactly(31, "frexp", Stored(exact::significand, exact::exponent)),
    rounded(32, "hypot", F(power::hypotenuse), (Form::Function, Widths::Wide), ["4 ulp", "0.6 ulp"]),
    exactly(33, "ilogb", F(exact::integer_logarithm)),
    rounded(34, "ldexp", F(exact::scale), (Form::Function, Widths::All), ["correctly rounded", "correctly rounded"]),
    rounded(35, "lgamma", F(gamma::logarithm_of_gamma), (Form::Function, Widths::Wide), ["none", "1 ulp, but near its zeros below zero: 2^-24 and 2^-53"]),
    rounded(36, "lgamma_r", Stored(gamma::logarithm_of_gamma, gamma::sign_of_gamma), (Form::Function, Widths::Wide), ["none", "1 ulp, but near its zeros below zero: 2^-24 and 2^-53"]),
    rounded(37, "log", F(logarithm::logarithm), (Form::Function, Widths::Wide), ["3 ulp", "0.5 ulp"]),
    rounded(38, "log2", F(logarithm::logarithm_2), (Form::Function, Widths::Wide), ["3 ulp", "0.5 ulp"]),
    rounded(39, "log10", F(logarithm::logarithm_10), (Form::Function, Widths::Wide), ["3 ulp", "0.5 ulp"]),
    rounded(40, "log1p", F(logarithm::logarithm_of_one_plus), (Form::Function, Widths::Wide), ["2 ulp", "0.6 ulp"]),
    exactly(41, "logb", F(exact::exponent_part)),
    rounded(42, "mad", Glsl(50, "Fma"), (Form::InPlace, Widths::All), ["none", "a product and a sum, rounded once or twice"]),
    exactly(43, "maxmag", F(exact::larger_magnitude)),
    exactly(44, "minmag", F(exact::smaller_magnitude)),
    exactly(45, "modf", Stored(exact::fraction_toward_zero, exact::truncate)),
    exactly(46, "nan", F(exact::nan)),
    exactly(47, "nextafter", F(exact::next_toward)),
    rounded(48, "pow", F(power::power), (Form::Function, Widths::Wide), ["16 ulp", "0.6 ulp"]),
    rounded(49, "pown", F(power::power_of_integer), (Form::Function, Widths::Wide), ["16 ulp", "0.7 ulp"]),
    rounded(50, "powr", F(power::power_of_positive), (Form::Function, Widths::Wide), ["16 ulp", "0.6 ulp"]),
    rounded(51, "remainder", F(remainder::of_nearest), (Form::Function, Widths::All), ["exact", "exact"]),
    rounded(52, "remquo", Stored(remainder::of_nearest, remainder::quotient_of_nearest), (Form::Function, Widths::All), ["exact", "exact"]),
    exactly(53, "rint", Glsl(2, "RoundEven")),
    rounded(54, "rootn", F(power::root), (Form::Function, Widths::Wide), ["16 ulp", "0.6 ulp"]),
    exactly(55, "round", F(exact::round)),
    rounded(56, "rsqrt", F(exact::inverse_square_root), (Form::InPlace, Widths::All), ["2 ulp", "2 ulp"]),
    rounded(57, "sin", F(trigonometric::sine), (Form::Function, Widths::Wide), ["4 ulp", "0.8 ulp"]),
    rounded(58, "sincos", Stored(trigonometric::sine, trigonometric::cosine), (Form::Function, Widths::Wide), ["4 ulp", "0.8 ulp"]),
    rounded(59, "sinh", F(hyperbolic::sine), (Form::Function, Widths::Wide), ["4 ulp", "1.9 ulp"]),
    rounded(60, "sinpi", F(trigonometric::sine_of_half_turns), (Form::Function, Widths::Wide), ["4 ulp", "0.8 ulp"]),
    rounded(61, "sqrt", F(exact::square_root), (Form::InPlace, Widths::All), ["3 ulp", "that of 1 / InverseSqrt, 2.5 and 2 ulp: worse than asked for on a device that is no better"]),
    rounded(62, "tan", F(trigonometric::tangent), (Form::Function, Widths::Wide), ["5 ulp", "1.8 ulp"]),
    rounded(63, "tanh", F(hyperbolic::tangent), (Form::Function, Widths::Wide), ["5 ulp", "2.0 ulp"]),
    rounded(64, "tanpi", F(trigonometric::tangent_of_half_turns), (Form::Function, Widths::Wide), ["6 ulp", "1.9 ulp"]),
    rounded(65, "tgamma", F(gamma::gamma), (Form::Function, Widths::Wide), ["16 ulp", "4.6 ulp"]),
    exactly(66, "trunc", Glsl(3, "Trunc")),
    rounded(67, "half_cos", F(trigonometric::cosine), (Form::Function, Widths::Single), ["8192 ulp", "as cos"]),
    rounded(68, "half_divide", F(native::divide), (Form::InPlace, Widths::Single), ["8192 ulp", "2.5 ulp"]),
    rounded(69, "half_exp", Glsl(27, "Exp"), (Form::InPlace, Widths::Single), ["8192 ulp", "3 + 2 |x| ulp"]),
    rounded(70, "half_exp2", Glsl(29, "Exp2"), (Form::InPlace, Widths::Single), ["8192 ulp", "3 + 2 |x| ulp"]),
    rounded(71, "half_exp10", F(native::exponential_10), (Form::InPlace, Widths::Single), ["8192 ulp", "3 + 7 |x| ulp"]),
    rounded(72, "half_log", F(logarithm::logarithm), (Form::Function, Widths::Single), ["8192 ulp", "as log"]),
    rounded(73, "half_log2", F(logarithm::logarithm_2), (Form::Function, Widths::Single), ["8192 ulp", "as log2"]),
    rounded(74, "half_log10", F(logarithm::logarithm_10), (Form::Function, Widths::Single), ["8192 ulp", "as log10"]),
    rounded(75, "half_powr", F(power::power_of_positive), (Form::Function, Widths::Single), ["8192 ulp", "as powr"]),
    rounded(76, "half_recip", F(native::reciprocal), (Form::InPlace, Widths::Single), ["8192 ulp", "2.5 ulp"]),
    rounded(77, "half_rsqrt", F(exact::inverse_square_root), (Form::InPlace, Widths::Single), ["8192 ulp", "2 ulp"]),
    rounded(78, "half_sin", F(trigonometric::sine), (Form::Function, Widths::Single), ["8192 ulp", "as sin"]),
    rounded(79, "half_sqrt", F(exact::square_root), (Form::InPlace, Widths::Single), ["8192 ulp", "that of 1 / InverseSqrt"]),
    rounded(80, "half_tan", F(trigonometric::tangent), (Form::Function, Widths::Single), ["8192 ulp", "as tan"]),
    rounded(81, "native_cos", Glsl(14, "Cos"), (Form::InPlace, Widths::Single), ["none", "2^-11 in [-pi, pi]"]),
    rounded(82, "native_divide", F(native::divide), (Form::InPlace, Widths::Single), ["none", "2.5 ulp"]),
    rounded(83, "native_exp", Glsl(27, "Exp"), (Form::InPlace, Widths::Single), ["none", "3 + 2 |x| ulp"]),
    rounded(84, "native_exp2", Glsl(29, "Exp2"), (Form::InPlace, Widths::Single), ["none", "3 + 2 |x| ulp"]),
    rounded(85, "native_exp10", F(native::exponential_10), (Form::InPlace, Widths::Single), ["none", "3 + 7 |x| ulp"]),
    rounded(86, "native_log", Glsl(28, "Log"), (Form::InPlace, Widths::Single), ["none", "3 ulp; 2^-21 in [0.5, 2]"]),
    rounded(87, "native_log2", Glsl(30, "Log2"), (Form::InPlace, Widths::Single), ["none", "3 ulp; 2^-21 in [0.5, 2]"]),
    rounded(88, "native_log10", F(native::logarithm_10), (Form::InPlace, Widths::Single), ["none", "4 ulp; 2^-22 in [0.5, 2]"]),
    rounded(89, "native_powr", Glsl(26, "Pow"), (Form::InPlace, Widths::Single), ["none", "that of Exp2(y * Log2(x))"]),
    rounded(90, "native_recip", F(native::reciprocal), (Form::InPlace, Widths::Single), ["none", "2.5 ulp"]),
    rounded(91, "native_rsqrt", Glsl(32, "InverseSqrt"), (Form::InPlace, Widths::Single), ["none", "2 ulp"]),
    rounded(92, "native_sin", Glsl(13, "Sin"), (Form::InPlace, Widths::Single), ["none", "2^-11 in [-pi, pi]"]),
    rounded(93, "native_sqrt", Glsl(31, "Sqrt"), (Form::InPlace, Widths::Single), ["none", "that of 1 / InverseSqrt"]),
    rounded(94, "native_tan", Glsl(15, "Tan"), (Form::InPlace, Widths::Single), ["none", "that of Sin(x) / Cos(x)"]),
    exactly(95, "fclamp", Glsl(81, "NClamp")),
    rounded(96, "degrees", F(exact::degrees), (Form::InPlace, Widths::Wide), ["2 ulp", "1 ulp"]),
    exactly(97, "fmax_common", Glsl(40, "FMax")),
    exactly(98, "fmin_common", Glsl(37, "FMin")),
    rounded(99, "mix", F(exact::mix), (Form::InPlace, Widths::All), ["none", "three roundings"]),
    rounded(100, "radians", F(exact::radians), (Form::InPlace, Widths::Wide), ["2 ulp", "1 ulp"]),
    exactly(101, "step", F(exact::step)),
    rounded(102, "smoothstep", F(exact::smooth_step), (Form::InPlace, Widths::All), ["none", "a division, then five roundings"]),
    exactly(103, "sign", F(exact::sign)),
    rounded(104, "cross", F(geometric::cross), (Form::InPlace, Widths::Wide), ["none", "two roundings a component"]),
    rounded(105, "distance", F(geometric::distance), (Form::InPlace, Widths::Wide), ["2.5 + 2 n ulp", "that of sqrt, and n + 1 roundings"]),
    rounded(106, "length", F(geometric::length), (Form::InPlace, Widths::Wide), ["3 + n / 2 ulp", "that of sqrt, and n roundings"]),
    rounded(107, "normalize", F(geometric::normalize), (Form::InPlace, Widths::Wide), ["2 + n ulp", "that of a division and of sqrt, and n roundings"]),
    rounded(108, "fast_distance", F(geometric::fast_distance), (Form::InPlace, Widths::Wide), ["8191.5 + 2 n ulp", "that of sqrt, and n + 1 roundings"]),
    rounded(109, "fast_length", F(geometric::fast_length), (Form::InPlace, Widths::Wide), ["8191.5 + n ulp", "that of sqrt, and n roundings"]),
    rounded(110, "fast_normalize", F(geometric::fast_normalize), (Form::InPlace, Widths::Wide), ["8191.5 + n ulp", "2 ulp, and n + 1 roundings"]),
    exactly(141, "s_abs", F(integer::absolute)),
    exactly(142, "s_abs_diff", F(integer::signed_difference)),
    exactly(143, "s_add_sat", F(integer::signed_add_saturated)),
    exactly(144, "u_add_sat", F(integer::add_saturated)),
    exactly(145, "s_hadd", F(integer::signed_half_sum)),
    exactly(146, "u_hadd", F(integer::half_sum)),
    exactly(147, "s_rhadd", F(integer::signed_half_sum_up)),
    exactly(148, "u_rhadd", F(integer::half_sum_up)),
    exactly(149, "s_clamp", F(integer::signed_clamp)),
    exactly(150, "u_clamp", F(integer::clamp)),
    exactly(151, "clz", F(integer::leading_zeros)),
    exactly(152, "ctz", F(integer::trailing_zeros)),
    exactly(153, "s_mad_hi", F(integer::signed_multiply_add_high)),
    exactly(154, "u_mad_sat", F(integer::multiply_add_saturated)),
    exactly(155, "s_mad_sat", F(integer::signed_multiply_add_saturated)),
    exactly(156, "s_max", F(integer::signed_maximum)),
    exactly(157, "u_max", F(integer::maximum)),
    exactly(158, "s_min", F(integer::signed_minimum)),
    exactly(159, "u_min", F(integer::minimum)),
    exactly(160, "s_mul_hi", F(integer::signed_multiply_high)),
    exactly(161, "rotate", F(integer::rotate)),
    exactly(162, "s_sub_sat", F(integer::signed_subtract_saturated)),
    exactly(163, "u_sub_sat", F(integer::subtract_saturated)),
    exactly(164, "u_upsample", F(integer::join)),
    exactly(165, "s_upsample", F(integer::join)),
    exactly(166, "popcount", F(integer::count_ones)),
    exactly(167, "s_mad24", F(integer::multiply_add)),
    exactly(168, "u_mad24", F(integer::multiply_add)),
    exactly(169, "s_mul24", F(integer::multiply)),
    exactly(170, "u_mul24", F(integer::multiply)),
    exactly(171, "vloadn", S(memory::load_vector)),
    exactly(172, "vstoren", S(memory::store_vector)),
    exactly(173, "vload_half", S(memory::load_halves)),
    exactly(174, "vload_halfn", S(memory::load_halves)),
    exactly(175, "vstore_half", S(memory::store_halves)),
    exactly(176, "vstore_half_r", S(memory::store_halves)),
    exactly(177, "vstore_halfn", S(memory::store_halves)),
    exactly(178, "vstore_halfn_r", S(memory::store_halves)),
    exactly(179, "vloada_halfn", S(memory::load_aligned_halves)),
    exactly(180, "vstorea_halfn", S(memory::store_aligned_halves)),
    exactly(181, "vstorea_halfn_r", S(memory::store_aligned_halves)),
    exactly(182, "shuffle", S(shuffle::shuffle)),
    exactly(183, "shuffle2", S(shuffle::shuffle_two)),
    exactly(184, "printf", Unsupported),
    exactly(185, "prefetch", S(memory::prefetch)),
    exactly(186, "bitselect", F(relational::select_bits)),
    exactly(187, "select", F(relational::select)),
    exactly(201, "u_abs", F(integer::same)),
    exactly(202, "u_abs_diff", F(integer::difference)),
    exactly(203, "u_mul_hi", F(integer::multiply_high)),
    exactly(204, "u_mad_hi", F(integer::multiply_add_high)),
];
