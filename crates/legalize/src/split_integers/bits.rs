//! Bitwise operations and shifts of pairs.

use reconverge_ir::{Builder, Inst, Op};

use super::arithmetic::select;
use super::pairs::Pair;
use reconverge_rewrite::scalars::{constant_value, word};

/// A bitwise operation.
pub(super) fn bitwise(build: &mut Builder<'_>, op: Op, operands: &[Pair]) -> Pair {
    let u32_type = build.int_type(32);
    let lows: Vec<Inst> = operands.iter().map(|pair| pair.low).collect();
    let highs: Vec<Inst> = operands.iter().map(|pair| pair.high).collect();
    Pair { low: build.emit(op, Some(u32_type), &lows), high: build.emit(op, Some(u32_type), &highs) }
}

/// A shift by a 32-bit amount, which is below 64.
///
/// ```text
///            amount below 32                          from 32 on
/// left       low << n                                 0
///            (high << n) | ((low >> 1) >> (31 - n))   low << (n - 32)
/// ```
/// and the mirror image for right shifts. Shifting by one first keeps the amount below 32 if `n` is 0.
pub(super) fn shift(build: &mut Builder<'_>, op: Op, value: Pair, amount: Inst) -> Pair {
    let is_left = op == Op::ShiftLeftLogical;
    let (far, near) = if is_left { (value.high, value.low) } else { (value.low, value.high) };
    let pair =
        |near: Inst, far: Inst| if is_left { Pair { low: near, high: far } } else { Pair { low: far, high: near } };
    if let Some(amount) = constant_value(build.module(), amount) {
        let (near, far) = by_constant(build, op, near, far, amount as u32);
        return pair(near, far);
    }
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let (one, last) = (word(build, 1), word(build, 31));
    let within = build.bitwise_and(u32_type, &[amount, last]);
    let back = if is_left { Op::ShiftRightLogical } else { Op::ShiftLeftLogical };
    // The bits that are shifted out of the near half are shifted into the far one.
    let half_way = build.emit(back, Some(u32_type), &[near, one]);
    let rest = build.bitwise_xor(u32_type, &[within, last]);
    let crossing = build.emit(back, Some(u32_type), &[half_way, rest]);
    let logical = if is_left { Op::ShiftLeftLogical } else { Op::ShiftRightLogical };
    let far_shifted = build.emit(logical, Some(u32_type), &[far, within]);
    let far_small = build.bitwise_or(u32_type, &[far_shifted, crossing]);
    let near_small = build.emit(op, Some(u32_type), &[near, within]);
    let emptied = fill(build, op, near);
    let limit = word(build, 32);
    let is_small = build.u_less_than(bool_type, &[amount, limit]);
    select(build, is_small, pair(near_small, far_small), pair(emptied, near_small))
}

/// The near and far half, shifted by a constant amount.
fn by_constant(build: &mut Builder<'_>, op: Op, near: Inst, far: Inst, amount: u32) -> (Inst, Inst) {
    let u32_type = build.int_type(32);
    match amount {
        0 => (near, far),
        32 => (fill(build, op, near), near),
        1..32 => {
            let is_left = op == Op::ShiftLeftLogical;
            let (onward, back) = match is_left {
                true => (Op::ShiftLeftLogical, Op::ShiftRightLogical),
                false => (Op::ShiftRightLogical, Op::ShiftLeftLogical),
            };
            let (by, rest) = (word(build, amount), word(build, 32 - amount));
            let crossing = build.emit(back, Some(u32_type), &[near, rest]);
            let shifted = build.emit(onward, Some(u32_type), &[far, by]);
            let far = build.bitwise_or(u32_type, &[shifted, crossing]);
            (build.emit(op, Some(u32_type), &[near, by]), far)
        }
        _ => {
            // The result for an amount of 64 or more is undefined.
            let by = word(build, (amount - 32) % 32);
            let far = build.emit(op, Some(u32_type), &[near, by]);
            (fill(build, op, near), far)
        }
    }
}

/// The bits that are shifted in: zeros, or copies of the sign.
fn fill(build: &mut Builder<'_>, op: Op, near: Inst) -> Inst {
    match op {
        Op::ShiftRightArithmetic => sign(build, near),
        _ => word(build, 0),
    }
}

/// 32 copies of the sign of a half.
pub(super) fn sign(build: &mut Builder<'_>, high: Inst) -> Inst {
    let (u32_type, last) = (build.int_type(32), word(build, 31));
    build.shift_right_arithmetic(u32_type, &[high, last])
}
