//! Selection of bits and components; classification of floats.

use crate::formula::{Scalar, Value};
use reconverge_ir::Op;

fn bits(value: Value<'_>) -> Value<'_> {
    if value.shape().is_float() { value.bits() } else { value }
}

fn of_bits<'w>(bits: Value<'w>, like: Value<'w>) -> Value<'w> {
    if like.shape().is_float() { bits.float_of_bits() } else { bits }
}

/// The bits of `b` where `c` has ones, those of `a` otherwise.
pub(super) fn select_bits<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b, c) = (bits(operands[0]), bits(operands[1]), bits(operands[2]));
    of_bits(a ^ (c & (a ^ b)), operands[0])
}

/// `b` where `c` is true, `a` otherwise: a scalar is true if it is not zero, a component of a vector if its highest bit is set.
pub(super) fn select<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b, c) = (operands[0], operands[1], operands[2]);
    let chosen = match (c.shape().scalar, c.shape().count) {
        (Scalar::Bool, _) => c,
        (_, 1) => c.differs(0),
        _ => c.is_negative(),
    };
    chosen.select(b, a)
}

/// Computes whether a float is finite.
pub(super) fn is_finite<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    (x.bits() & (x.format().sign() - 1)).less(x.format().infinity())
}

/// Computes whether a float is normal.
pub(super) fn is_normal<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let format = x.format();
    let least = 1 << format.fraction;
    // Subnormal numbers and zeros wrap around.
    ((x.bits() & (format.sign() - 1)) - least).less(format.infinity() - least)
}

/// Computes whether the sign bit of a float is set, also for NaN.
pub(super) fn has_sign<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].bits().is_negative()
}

pub(super) fn is_less_or_greater<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    x.writer().emit(Op::FOrdNotEqual, x.shape().with(Scalar::Bool), &[x, y])
}

pub(super) fn is_ordered<'w>(operands: &[Value<'w>]) -> Value<'w> {
    !is_unordered(operands)
}

pub(super) fn is_unordered<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].is_nan() | operands[1].is_nan()
}
