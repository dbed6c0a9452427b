//! Sums, products and comparisons of pairs.

use reconverge_ir::{Builder, Inst, Op};

use super::pairs::Pair;
use reconverge_rewrite::scalars::word;
use reconverge_rewrite::structs::Structs;

/// `a + b`, and the carry.
pub(super) fn add(build: &mut Builder<'_>, a: Pair, b: Pair) -> (Pair, Inst) {
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let low = build.i_add(u32_type, &[a.low, b.low]);
    let carry = build.u_less_than(bool_type, &[low, a.low]);
    let without = build.i_add(u32_type, &[a.high, b.high]);
    let carried = as_word(build, carry);
    let high = build.i_add(u32_type, &[without, carried]);
    // At most one of the two steps of the upper sum wraps.
    let first = build.u_less_than(bool_type, &[without, a.high]);
    let second = build.u_less_than(bool_type, &[high, without]);
    let out = build.logical_or(bool_type, &[first, second]);
    (Pair { low, high }, out)
}

/// `a - b`, and the borrow.
pub(super) fn subtract(build: &mut Builder<'_>, a: Pair, b: Pair) -> (Pair, Inst) {
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let low = build.i_sub(u32_type, &[a.low, b.low]);
    let borrow = build.u_less_than(bool_type, &[a.low, b.low]);
    let without = build.i_sub(u32_type, &[a.high, b.high]);
    let borrowed = as_word(build, borrow);
    let high = build.i_sub(u32_type, &[without, borrowed]);
    let out = compare(build, Op::ULessThan, a, b);
    (Pair { low, high }, out)
}

/// `-a`.
pub(super) fn negate(build: &mut Builder<'_>, a: Pair) -> Pair {
    let zero = word(build, 0);
    subtract(build, Pair { low: zero, high: zero }, a).0
}

/// The lower 64 bits of `a * b`.
pub(super) fn multiply(build: &mut Builder<'_>, structs: &mut Structs, a: Pair, b: Pair) -> Pair {
    let u32_type = build.int_type(32);
    let product = wide_product(build, structs, a.low, b.low);
    let left = build.i_mul(u32_type, &[a.low, b.high]);
    let right = build.i_mul(u32_type, &[a.high, b.low]);
    let cross = build.i_add(u32_type, &[left, right]);
    let high = build.i_add(u32_type, &[product.high, cross]);
    Pair { low: product.low, high }
}

/// All 128 bits of `a * b`, unsigned: the lower and the upper 64.
pub(super) fn multiply_whole(build: &mut Builder<'_>, structs: &mut Structs, a: Pair, b: Pair) -> [Pair; 2] {
    let zero = word(build, 0);
    let bottom = wide_product(build, structs, a.low, b.low);
    let left = wide_product(build, structs, a.low, b.high);
    let right = wide_product(build, structs, a.high, b.low);
    let top = wide_product(build, structs, a.high, b.high);
    // Neither sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
    let (middle, _) = add(build, left, Pair { low: bottom.high, high: zero });
    let (middle, carry) = add(build, middle, right);
    let carry = as_word(build, carry);
    let (upper, _) = add(build, top, Pair { low: middle.high, high: carry });
    [Pair { low: bottom.low, high: middle.low }, upper]
}

fn wide_product(build: &mut Builder<'_>, structs: &mut Structs, a: Inst, b: Inst) -> Pair {
    let u32_type = build.int_type(32);
    let couple = structs.with(build, &[u32_type, u32_type]);
    let product = build.u_mul_extended(couple, &[a, b]);
    let (first, second) = (build.editor().word(0), build.editor().word(1));
    let low = build.composite_extract(u32_type, &[product, first]);
    let high = build.composite_extract(u32_type, &[product, second]);
    Pair { low, high }
}

/// One of SPIR-V's ten integer comparisons, of two pairs.
pub(super) fn compare(build: &mut Builder<'_>, op: Op, a: Pair, b: Pair) -> Inst {
    let bool_type = build.bool_type();
    // The upper halves decide unless they are equal; then the lower halves do, compared unsigned.
    let (strictly, lower) = match op {
        Op::IEqual | Op::INotEqual => {
            let (low, high) =
                (build.emit(op, Some(bool_type), &[a.low, b.low]), build.emit(op, Some(bool_type), &[a.high, b.high]));
            let both = if op == Op::IEqual { Op::LogicalAnd } else { Op::LogicalOr };
            return build.emit(both, Some(bool_type), &[low, high]);
        }
        Op::ULessThan => (Op::ULessThan, Op::ULessThan),
        Op::ULessThanEqual => (Op::ULessThan, Op::ULessThanEqual),
        Op::UGreaterThan => (Op::UGreaterThan, Op::UGreaterThan),
        Op::UGreaterThanEqual => (Op::UGreaterThan, Op::UGreaterThanEqual),
        Op::SLessThan => (Op::SLessThan, Op::ULessThan),
        Op::SLessThanEqual => (Op::SLessThan, Op::ULessThanEqual),
        Op::SGreaterThan => (Op::SGreaterThan, Op::UGreaterThan),
        _ => (Op::SGreaterThan, Op::UGreaterThanEqual),
    };
    let above = build.emit(strictly, Some(bool_type), &[a.high, b.high]);
    let equal = build.i_equal(bool_type, &[a.high, b.high]);
    let below = build.emit(lower, Some(bool_type), &[a.low, b.low]);
    build.select(bool_type, &[equal, below, above])
}

/// A select between two pairs.
pub(super) fn select(build: &mut Builder<'_>, condition: Inst, a: Pair, b: Pair) -> Pair {
    let u32_type = build.int_type(32);
    let low = build.select(u32_type, &[condition, a.low, b.low]);
    let high = build.select(u32_type, &[condition, a.high, b.high]);
    Pair { low, high }
}

/// 1 for true, 0 for false.
pub(super) fn as_word(build: &mut Builder<'_>, condition: Inst) -> Inst {
    let (u32_type, one, zero) = (build.int_type(32), word(build, 1), word(build, 0));
    build.select(u32_type, &[condition, one, zero])
}
