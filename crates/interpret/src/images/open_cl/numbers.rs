//! Numbers of channels: from the bits in memory to floats and integers, and back (OpenCL 3.0, section 8.3).
//!
//! ```text
//! unorm8   0 … 255      ⇒  c · (1/255)             0.0 … 1.0
//! snorm8   −128 … 127   ⇒  max(−1, c · (1/127))   −1.0 … 1.0
//! uint8    300 written  ⇒  255                     integers saturate
//! ```
//!
//! OpenCL allows an error of 1.5 ulp for a read, and any rounding for a write; these are this project's choice.

use crate::value::{half, sign_extended};

/// The greatest number of that many bits, as a float.
fn greatest(bits: u32) -> f32 {
    ((1u64 << bits) - 1) as f32
}

/// The number from 0 to 1 that an integer of that many bits stands for.
pub(crate) fn from_unorm(bits: u32, number: u64) -> f32 {
    number as f32 * (1.0 / greatest(bits))
}

/// The number from −1 to 1 that a signed integer of that many bits stands for.
pub(crate) fn from_snorm(bits: u32, number: u64) -> f32 {
    let number = sign_extended(bits as u8, number) as f32;
    (number * (1.0 / greatest(bits - 1))).max(-1.0)
}

/// The integer of that many bits that stands for a number from 0 to 1; NaN is 0.
pub(crate) fn to_unorm(bits: u32, number: f32) -> u64 {
    if number.is_nan() {
        return 0;
    }
    (number.clamp(0.0, 1.0) * greatest(bits)).round_ties_even() as u64
}

/// The signed integer of that many bits that stands for a number from −1 to 1; NaN is 0.
pub(crate) fn to_snorm(bits: u32, number: f32) -> u64 {
    if number.is_nan() {
        return 0;
    }
    let integer = (number.clamp(-1.0, 1.0) * greatest(bits - 1)).round_ties_even() as i64;
    low_bits(bits, integer)
}

/// The float that a half is.
pub(crate) fn from_half(bits: u64) -> f32 {
    half::to_f64(bits as u16) as f32
}

/// The half nearest to a float, ties to even.
pub(crate) fn to_half(number: f32) -> u64 {
    u64::from(half::from_f64(f64::from(number)))
}

/// The 32 bits of a signed integer of that many bits.
pub(crate) fn from_signed(bits: u32, number: u64) -> u32 {
    sign_extended(bits as u8, number) as u32
}

/// The signed integer of that many bits nearest to one of 32 bits.
pub(crate) fn to_signed(bits: u32, number: u32) -> u64 {
    let limit = 1i64 << (bits - 1);
    low_bits(bits, i64::from(number.cast_signed()).clamp(-limit, limit - 1))
}

/// The integer of that many bits nearest to one of 32 bits.
pub(crate) fn to_unsigned(bits: u32, number: u32) -> u64 {
    u64::from(number).min((1 << bits) - 1)
}

fn low_bits(bits: u32, integer: i64) -> u64 {
    integer.cast_unsigned() & ((1 << bits) - 1)
}
