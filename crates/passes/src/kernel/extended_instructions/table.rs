//! The table of OpenCL.std: every instruction, what it becomes, and how exact that is.
//!
//! `docs/opencl-std.md` is this table as a page.

use super::call::Call;
use super::exact;
use super::fused;
use super::geometric;
use super::integer;
use super::memory;
use super::relational;
use super::shuffle;
use super::value::Value;
use super::writer::Writer;
use crate::kernel::KernelError;

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
    /// In a function, once for each type, that is called there.
    Function,
}

/// For which floating-point types a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Widths {
    /// For 16, 32 and 64 bits alike, or for integers of every width.
    All,
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

const fn exactly(number: u32, name: &'static str, lowering: Lowering) -> Row {
    Row { number, name, lowering, form: Form::InPlace, widths: Widths::All, required: EXACT, given: EXACT }
}

use Lowering::{Formula as F, Glsl, Special as S, Stored, Unsupported};

/// Every instruction of OpenCL.std, by number.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    exactly(12, "ceil", Glsl(9, "Ceil")),
    exactly(13, "copysign", F(exact::copy_sign)),
    exactly(23, "fabs", F(exact::magnitude)),
    exactly(24, "fdim", F(exact::positive_difference)),
    exactly(25, "floor", Glsl(8, "Floor")),
    Row { number: 26, name: "fma", lowering: F(fused::multiply_add), form: Form::Function, widths: Widths::All, required: "correctly rounded", given: "correctly rounded" },
    exactly(27, "fmax", Glsl(80, "NMax")),
    exactly(28, "fmin", Glsl(79, "NMin")),
    exactly(30, "fract", Stored(exact::fraction, exact::floor)),
    exactly(31, "frexp", Stored(exact::significand, exact::exponent)),
    exactly(33, "ilogb", F(exact::integer_logarithm)),
    exactly(34, "ldexp", F(exact::scale)),
    exactly(41, "logb", F(exact::exponent_part)),
    exactly(43, "maxmag", F(exact::larger_magnitude)),
    exactly(44, "minmag", F(exact::smaller_magnitude)),
    exactly(45, "modf", Stored(exact::fraction_toward_zero, exact::truncate)),
    exactly(46, "nan", F(exact::nan)),
    exactly(47, "nextafter", F(exact::next_toward)),
    exactly(53, "rint", Glsl(2, "RoundEven")),
    exactly(55, "round", F(exact::round)),
    Row { number: 61, name: "sqrt", lowering: Glsl(31, "Sqrt"), form: Form::InPlace, widths: Widths::All, required: "3 ulp", given: "inherited from 1 / InverseSqrt: 2.5 + 2 ulp" },
    exactly(66, "trunc", Glsl(3, "Trunc")),
    exactly(95, "fclamp", Glsl(81, "NClamp")),
    exactly(97, "fmax_common", Glsl(40, "FMax")),
    exactly(98, "fmin_common", Glsl(37, "FMin")),
    exactly(101, "step", F(exact::step)),
    exactly(103, "sign", F(exact::sign)),
    exactly(104, "cross", F(geometric::cross)),
    exactly(105, "distance", F(geometric::distance)),
    exactly(106, "length", F(geometric::length)),
    exactly(107, "normalize", F(geometric::normalize)),
    exactly(108, "fast_distance", F(geometric::fast_distance)),
    exactly(109, "fast_length", F(geometric::fast_length)),
    exactly(110, "fast_normalize", F(geometric::fast_normalize)),
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
