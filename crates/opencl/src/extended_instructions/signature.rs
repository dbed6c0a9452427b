//! What the operands of instructions must be: a module may say anything, and formulas take it that their operands are right.

use reconverge_ir::Op;

use super::shape::{Scalar, Shape};

/// What an operand must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A float, or a vector of floats, all such operands of one width.
    Float,
    /// An integer, or a vector of integers, all such operands of one width.
    Int,
    /// A float or an integer, all such operands of one type.
    Either,
    /// A truth value or an integer.
    Choice,
    /// Whatever it is.
    Any,
}

use Kind::{Any, Choice, Either, Float, Int};

/// What the operands of an instruction of OpenCL.std must be, those apart that are pointers or are read in a way of their own.
fn of_extended(number: u32) -> &'static [Kind] {
    match number {
        34 | 49 | 54 => &[Float, Int],
        46 => &[Int],
        26 | 42 | 95 | 99 | 102 => &[Float, Float, Float],
        7 | 10 | 13 | 24 | 27..=29 | 32 | 43 | 44 | 47 | 48 | 50..=52 => &[Float, Float],
        68 | 75 | 82 | 89 | 97 | 98 | 101 | 104 | 105 | 108 => &[Float, Float],
        0..=110 => &[Float],
        141 | 151 | 152 | 166 | 201 => &[Int],
        149 | 150 | 153..=155 | 167 | 168 | 204 => &[Int, Int, Int],
        186 => &[Either, Either, Either],
        187 => &[Either, Either, Choice],
        _ => &[Int, Int],
    }
}

/// What the operands of a plain instruction must be.
pub(super) fn of_plain(op: Op) -> &'static [Kind] {
    match op {
        Op::IsFinite | Op::IsNormal | Op::SignBitSet => &[Float],
        Op::LessOrGreater | Op::Ordered | Op::Unordered | Op::FRem | Op::FMod => &[Float, Float],
        Op::ConvertFToU | Op::ConvertFToS | Op::FConvert => &[Float],
        Op::ConvertSToF | Op::ConvertUToF | Op::SatConvertSToU | Op::SatConvertUToS => &[Int],
        Op::BitCount | Op::BitReverse | Op::SConvert | Op::UConvert => &[Int],
        Op::SMod => &[Int, Int],
        _ => &[Any],
    }
}

/// Whether an instruction of OpenCL.std can have operands of these shapes.
pub(super) fn fits_extended(number: u32, shapes: &[Shape]) -> bool {
    let count = shapes.first().map_or(1, |shape| shape.count);
    let of_number = match number {
        104 => matches!(count, 3 | 4),
        105..=110 => count <= 4,
        // The result is twice as wide.
        164 | 165 => shapes.iter().all(|shape| shape.width() <= 32),
        _ => true,
    };
    of_number && fits(of_extended(number), shapes)
}

/// Whether operands are what they must be: the kinds, the widths, and components that are equal in number or single.
pub(super) fn fits(kinds: &[Kind], shapes: &[Shape]) -> bool {
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

fn is_of(kind: Kind, shape: Shape) -> bool {
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
