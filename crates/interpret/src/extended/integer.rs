//! Functions of integers. Each gets the width and the bits, zero-extended; its result is truncated to the width.

use crate::value::{mask, sign_extended};

pub(super) fn s_abs(width: u8, a: u64) -> u64 {
    sign_extended(width, a).unsigned_abs()
}

pub(super) fn s_sign(width: u8, a: u64) -> u64 {
    sign_extended(width, a).signum().cast_unsigned()
}

pub(super) fn s_abs_diff(width: u8, a: u64, b: u64) -> u64 {
    (signed(width, a) - signed(width, b)).unsigned_abs() as u64
}

pub(super) fn s_add_sat(width: u8, a: u64, b: u64) -> u64 {
    s_saturated(width, signed(width, a) + signed(width, b))
}

pub(super) fn u_add_sat(width: u8, a: u64, b: u64) -> u64 {
    u_saturated(width, u128::from(a) + u128::from(b))
}

pub(super) fn s_sub_sat(width: u8, a: u64, b: u64) -> u64 {
    s_saturated(width, signed(width, a) - signed(width, b))
}

/// The mean, rounded down.
pub(super) fn s_hadd(width: u8, a: u64, b: u64) -> u64 {
    ((signed(width, a) + signed(width, b)) >> 1) as u64
}

pub(super) fn u_hadd(_: u8, a: u64, b: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) >> 1) as u64
}

/// The mean, rounded up.
pub(super) fn s_rhadd(width: u8, a: u64, b: u64) -> u64 {
    ((signed(width, a) + signed(width, b) + 1) >> 1) as u64
}

pub(super) fn u_rhadd(_: u8, a: u64, b: u64) -> u64 {
    ((u128::from(a) + u128::from(b) + 1) >> 1) as u64
}

/// Undefined if the minimum is greater than the maximum.
pub(super) fn s_clamp(width: u8, [a, least, greatest]: [u64; 3]) -> Option<u64> {
    (!less(width, greatest, least)).then(|| s_min(width, s_max(width, a, least), greatest))
}

pub(super) fn u_clamp(_: u8, [a, least, greatest]: [u64; 3]) -> Option<u64> {
    (least <= greatest).then(|| a.clamp(least, greatest))
}

pub(super) fn s_max(width: u8, a: u64, b: u64) -> u64 {
    if less(width, a, b) { b } else { a }
}

pub(super) fn s_min(width: u8, a: u64, b: u64) -> u64 {
    if less(width, b, a) { b } else { a }
}

/// The number of leading zeros.
pub(crate) fn leading_zeros(width: u8, a: u64) -> u64 {
    u64::from(a.leading_zeros()) - (64 - u64::from(width))
}

/// The number of trailing zeros.
pub(crate) fn trailing_zeros(width: u8, a: u64) -> u64 {
    u64::from(a.trailing_zeros()).min(u64::from(width))
}

pub(super) fn s_mul_hi(width: u8, a: u64, b: u64) -> u64 {
    ((signed(width, a) * signed(width, b)) >> width) as u64
}

pub(super) fn u_mul_hi(width: u8, a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> width) as u64
}

pub(super) fn s_mad_hi(width: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    Some(s_mul_hi(width, a, b).wrapping_add(c))
}

pub(super) fn u_mad_hi(width: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    Some(u_mul_hi(width, a, b).wrapping_add(c))
}

/// The product of two numbers of 64 bits and a third one fit into 128 bits.
pub(super) fn s_mad_sat(width: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    Some(s_saturated(width, signed(width, a) * signed(width, b) + signed(width, c)))
}

pub(super) fn u_mad_sat(width: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    Some(u_saturated(width, u128::from(a) * u128::from(b) + u128::from(c)))
}

/// The product of two 24-bit numbers. For other numbers the result is implementation-defined.
pub(super) fn s_mad24(width: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    let fits = |value| (-(1 << 23)..1 << 23).contains(&sign_extended(width, value));
    (fits(a) && fits(b)).then(|| a.wrapping_mul(b).wrapping_add(c))
}

pub(super) fn u_mad24(_: u8, [a, b, c]: [u64; 3]) -> Option<u64> {
    (a < 1 << 24 && b < 1 << 24).then(|| a.wrapping_mul(b).wrapping_add(c))
}

/// Rotates the bits.
pub(super) fn rotated_left(width: u8, a: u64, amount: u64) -> u64 {
    let amount = (amount % u64::from(width)) as u32;
    if amount == 0 { a } else { a << amount | a >> (u32::from(width) - amount) }
}

/// The number of the lowest set bit; minus one for zero.
pub(super) fn lowest_bit(width: u8, a: u64) -> u64 {
    if a == 0 { mask(width) } else { u64::from(a.trailing_zeros()) }
}

/// The number of the highest set bit; minus one for zero.
pub(super) fn highest_bit(width: u8, a: u64) -> u64 {
    if a == 0 { mask(width) } else { 63 - u64::from(a.leading_zeros()) }
}

/// The number of the highest bit that differs from the sign; minus one if there is none.
pub(super) fn highest_signed_bit(width: u8, a: u64) -> u64 {
    highest_bit(width, if sign_extended(width, a) < 0 { !a & mask(width) } else { a })
}

fn less(width: u8, a: u64, b: u64) -> bool {
    sign_extended(width, a) < sign_extended(width, b)
}

fn signed(width: u8, a: u64) -> i128 {
    i128::from(sign_extended(width, a))
}

fn s_saturated(width: u8, value: i128) -> u64 {
    let greatest = i128::from(mask(width) >> 1);
    value.clamp(-greatest - 1, greatest) as u64
}

fn u_saturated(width: u8, value: u128) -> u64 {
    value.min(u128::from(mask(width))) as u64
}
