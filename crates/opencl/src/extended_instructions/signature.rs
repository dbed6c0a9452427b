//! Checks of operands: a module may be invalid, and formulas require valid operands.

use reconverge_ir::Op;
use spirv::OpenclStd100Op as OpenCl;

/// The requirement of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ParameterKind {
    /// A float, or a vector of floats, all such operands of one width.
    Float,
    /// An integer, or a vector of integers, all such operands of one width.
    Int,
    /// A float or an integer, all such operands of one type.
    Either,
    /// A boolean or an integer.
    Choice,
    /// Any operand.
    Any,
}

use crate::formula::{Scalar, Shape};
use ParameterKind::{Any, Choice, Either, Float, Int};

/// The requirements of the operands of an instruction of OpenCL.std, except pointers and operands that are read separately.
#[rustfmt::skip]
fn of_extended(instruction: OpenCl) -> &'static [ParameterKind] {
    match instruction {
        OpenCl::ldexp | OpenCl::pown | OpenCl::rootn => &[Float, Int],
        OpenCl::nan => &[Int],
        OpenCl::fma | OpenCl::mad | OpenCl::fclamp | OpenCl::mix | OpenCl::smoothstep => &[Float, Float, Float],
        OpenCl::atan2 | OpenCl::atan2pi | OpenCl::copysign | OpenCl::fdim | OpenCl::fmax | OpenCl::fmin
        | OpenCl::fmod | OpenCl::hypot | OpenCl::maxmag | OpenCl::minmag | OpenCl::nextafter | OpenCl::pow
        | OpenCl::powr | OpenCl::remainder | OpenCl::remquo | OpenCl::half_divide | OpenCl::half_powr
        | OpenCl::native_divide | OpenCl::native_powr | OpenCl::fmax_common | OpenCl::fmin_common | OpenCl::step
        | OpenCl::cross | OpenCl::distance | OpenCl::fast_distance => &[Float, Float],
        _ if instruction <= OpenCl::fast_normalize => &[Float],
        OpenCl::s_abs | OpenCl::clz | OpenCl::ctz | OpenCl::popcount | OpenCl::u_abs => &[Int],
        OpenCl::s_clamp | OpenCl::u_clamp | OpenCl::s_mad_hi | OpenCl::u_mad_sat | OpenCl::s_mad_sat
        | OpenCl::s_mad24 | OpenCl::u_mad24 | OpenCl::u_mad_hi => &[Int, Int, Int],
        OpenCl::bitselect => &[Either, Either, Either],
        OpenCl::select => &[Either, Either, Choice],
        _ => &[Int, Int],
    }
}

/// The requirements of the operands of an instruction of SPIR-V.
pub(super) fn of_plain(op: Op) -> &'static [ParameterKind] {
    match op {
        Op::IsFinite | Op::IsNormal | Op::SignBitSet => &[Float],
        Op::LessOrGreater | Op::Ordered | Op::Unordered | Op::FRem | Op::FMod => &[Float, Float],
        Op::ConvertFToU | Op::ConvertFToS | Op::FConvert => &[Float],
        Op::ConvertSToF | Op::ConvertUToF | Op::SatConvertSToU | Op::SatConvertUToS => &[Int],
        Op::BitCount | Op::BitReverse | Op::SConvert | Op::UConvert => &[Int],
        Op::SMod => &[Int, Int],
        Op::BitFieldInsert => &[Int, Int, Any, Any],
        Op::BitFieldUExtract | Op::BitFieldSExtract => &[Int, Any, Any],
        _ => &[Any],
    }
}

/// Returns whether an instruction of OpenCL.std can have operands of these shapes.
pub(super) fn fits_extended(instruction: OpenCl, shapes: &[Shape]) -> bool {
    let count = shapes.first().map_or(1, |shape| shape.count);
    let is_of_size = match instruction {
        OpenCl::cross => matches!(count, 3 | 4),
        OpenCl::distance
        | OpenCl::length
        | OpenCl::normalize
        | OpenCl::fast_distance
        | OpenCl::fast_length
        | OpenCl::fast_normalize => count <= 4,
        // The width of the result is twice that of the operands.
        OpenCl::u_upsample | OpenCl::s_upsample => shapes.iter().all(|shape| shape.width() <= 32),
        _ => true,
    };
    is_of_size && fits(of_extended(instruction), shapes)
}

/// Returns whether operands fulfil the requirements: the kinds, the widths, and numbers of components that are equal or one.
pub(super) fn fits(kinds: &[ParameterKind], shapes: &[Shape]) -> bool {
    let count = shapes.iter().map(|shape| shape.count).max().unwrap_or(1);
    kinds.len() == shapes.len()
        && shapes.iter().all(|shape| shape.count == count || shape.count == 1)
        && kinds.iter().zip(shapes).all(|(&kind, &shape)| is_of(kind, shape))
        && [Float, Int, Either].into_iter().all(|kind| {
            let mut alike =
                kinds.iter().zip(shapes).filter(|&(&other, _)| other == kind).map(|(_, shape)| shape.scalar);
            let first = alike.next();
            alike.all(|scalar| Some(scalar) == first)
        })
}

fn is_of(kind: ParameterKind, shape: Shape) -> bool {
    let is_float = matches!(shape.scalar, Scalar::Float(16 | 32 | 64));
    let is_int = matches!(shape.scalar, Scalar::Int(8 | 16 | 32 | 64));
    match kind {
        Float => is_float,
        Int => is_int,
        Either => is_float || is_int,
        Choice => is_int || shape.scalar == Scalar::Bool,
        Any => true,
    }
}
