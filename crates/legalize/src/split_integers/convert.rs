//! Conversions between pairs and other types.

use reconverge_ir::{Builder, Inst, Op};

use super::arithmetic::{negate, select};
use super::bits::{shift, sign};
use super::pairs::Pair;
use reconverge_rewrite::scalars::{vector_type, word};

/// The pair of a narrower integer, or of as many bits of another type.
pub(super) fn widen(build: &mut Builder<'_>, op: Op, value: Inst) -> Pair {
    let u32_type = build.int_type(32);
    let from = build.module().ty(value).expect("invariant: a value has a type");
    let low = match build.module().width(from) {
        Some(32) if from == u32_type => value,
        Some(32) => build.bitcast(u32_type, &[value]),
        _ => build.emit(op, Some(u32_type), &[value]),
    };
    let high = if op == Op::SConvert { sign(build, low) } else { word(build, 0) };
    Pair { low, high }
}

/// The low bits of a pair as a narrower integer.
pub(super) fn narrow(build: &mut Builder<'_>, value: Pair, ty: Inst) -> Inst {
    let u32_type = build.int_type(32);
    match build.module().width(ty) {
        Some(32) if ty == u32_type => value.low,
        Some(32) => build.bitcast(ty, &[value.low]),
        _ => build.u_convert(ty, &[value.low]),
    }
}

/// A pair as a vector of two, low half first.
pub(super) fn join(build: &mut Builder<'_>, value: Pair) -> Inst {
    let u32_type = build.int_type(32);
    let two = vector_type(build, u32_type, 2);
    build.composite_construct(two, &[value.low, value.high])
}

/// The pair of a vector of two, low half first.
pub(super) fn part(build: &mut Builder<'_>, vector: Inst) -> Pair {
    let u32_type = build.int_type(32);
    let (first, second) = (build.editor().word(0), build.editor().word(1));
    let low = build.composite_extract(u32_type, &[vector, first]);
    Pair { low, high: build.composite_extract(u32_type, &[vector, second]) }
}

/// The pair of any other 64-bit value.
pub(super) fn from_bits(build: &mut Builder<'_>, value: Inst) -> Pair {
    let u32_type = build.int_type(32);
    let two = vector_type(build, u32_type, 2);
    let vector = if build.module().ty(value) == Some(two) { value } else { build.bitcast(two, &[value]) };
    part(build, vector)
}

/// A pair as another 64-bit type.
pub(super) fn to_bits(build: &mut Builder<'_>, value: Pair, ty: Inst) -> Inst {
    let vector = join(build, value);
    if build.module().ty(vector) == Some(ty) { vector } else { build.bitcast(ty, &[vector]) }
}

/// A pair as a floating-point number, rounded once.
///
/// For 32 bits: the pair is shifted left until its top bit is set. Its upper half, with a sticky bit for the lower half, has 32 bits, of
/// which 24 are kept, so converting it rounds as converting the whole pair would. Scaling by a power of two is exact.
/// For 64 bits: both halves are exact, and so is the scaling; the sum rounds once.
/// `None` for 16 bits.
pub(super) fn to_float(build: &mut Builder<'_>, op: Op, value: Pair, ty: Inst) -> Option<Inst> {
    let is_signed = op == Op::ConvertSToF;
    match build.module().width(ty) {
        Some(64) => {
            let high = build.emit(op, Some(ty), &[value.high]);
            let low = build.convert_u_to_f(ty, &[value.low]);
            let scale = double(build, ty, 4_294_967_296.0);
            let scaled = build.f_mul(ty, &[high, scale]);
            Some(build.f_add(ty, &[scaled, low]))
        }
        Some(32) => {
            let bool_type = build.bool_type();
            let zero = word(build, 0);
            let is_negative = build.s_less_than(bool_type, &[value.high, zero]);
            let magnitude = match is_signed {
                true => {
                    let negated = negate(build, value);
                    select(build, is_negative, negated, value)
                }
                false => value,
            };
            let number = magnitude_to_single(build, magnitude, ty);
            if !is_signed {
                return Some(number);
            }
            let negated = build.f_negate(ty, &[number]);
            Some(build.select(ty, &[is_negative, negated, number]))
        }
        _ => None,
    }
}

fn magnitude_to_single(build: &mut Builder<'_>, value: Pair, ty: Inst) -> Inst {
    let (u32_type, bool_type, zero) = (build.int_type(32), build.bool_type(), word(build, 0));
    // Six steps of a binary search for the leading one: no instruction that some devices lack.
    let mut value = value;
    let mut exponent = word(build, 0);
    for step in [32, 16, 8, 4, 2, 1] {
        let (amount, rest) = (word(build, step), word(build, (32 - step) % 32));
        let top = match step {
            32 => value.high,
            _ => build.shift_right_logical(u32_type, &[value.high, rest]),
        };
        let is_empty = build.i_equal(bool_type, &[top, zero]);
        let shifted = shift(build, Op::ShiftLeftLogical, value, amount);
        value = select(build, is_empty, shifted, value);
        let by = build.select(u32_type, &[is_empty, amount, zero]);
        exponent = build.i_add(u32_type, &[exponent, by]);
    }
    let below = build.i_not_equal(bool_type, &[value.low, zero]);
    let sticky = super::arithmetic::as_word(build, below);
    let top = build.bitwise_or(u32_type, &[value.high, sticky]);
    let number = build.convert_u_to_f(ty, &[top]);
    // 2^(32 - exponent), by its bits: (127 + 32 - exponent) << 23.
    let (bias, mantissa) = (word(build, 127 + 32), word(build, 23));
    let biased = build.i_sub(u32_type, &[bias, exponent]);
    let bits = build.shift_left_logical(u32_type, &[biased, mantissa]);
    let scale = build.bitcast(ty, &[bits]);
    build.f_mul(ty, &[number, scale])
}

/// The pair of a floating-point number in range, rounded towards zero.
///
/// The upper half is the number divided by 2^32, rounded towards zero; subtracting it gives the lower half. Both steps are exact: the
/// converted values have no more bits than the number.
pub(super) fn from_float(build: &mut Builder<'_>, op: Op, value: Inst) -> Pair {
    let ty = build.module().ty(value).expect("invariant: a value has a type");
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let (number, ty) = match build.module().width(ty) {
        Some(16) => {
            let single = build.float_type(32);
            (build.f_convert(single, &[value]), single)
        }
        _ => (value, ty),
    };
    let zero = double(build, ty, 0.0);
    let is_negative = build.f_ord_less_than(bool_type, &[number, zero]);
    let negated = build.f_negate(ty, &[number]);
    let magnitude = match op {
        Op::ConvertFToS => build.select(ty, &[is_negative, negated, number]),
        _ => number,
    };
    let (down, up) = (double(build, ty, 1.0 / 4_294_967_296.0), double(build, ty, 4_294_967_296.0));
    let scaled = build.f_mul(ty, &[magnitude, down]);
    let high = build.convert_f_to_u(u32_type, &[scaled]);
    let whole = build.convert_u_to_f(ty, &[high]);
    let taken = build.f_mul(ty, &[whole, up]);
    let rest = build.f_sub(ty, &[magnitude, taken]);
    let low = build.convert_f_to_u(u32_type, &[rest]);
    let pair = Pair { low, high };
    if op != Op::ConvertFToS {
        return pair;
    }
    let opposite = negate(build, pair);
    select(build, is_negative, opposite, pair)
}

/// The constant of a floating-point type of 32 or 64 bits; the number is exact in both.
fn double(build: &mut Builder<'_>, ty: Inst, value: f64) -> Inst {
    let words = match build.module().width(ty) {
        Some(64) => vec![value.to_bits() as u32, (value.to_bits() >> 32) as u32],
        _ => vec![(value as f32).to_bits()],
    };
    let literal = build.editor().literal(&words);
    build.editor().unique(Op::Constant, Some(ty), &[literal])
}
