//! Integer functions, exact for 8, 16, 32 and 64 bits.
//!
//! GLSL.std.450 has some of these functions (`SMin`, `FindUMsb` and so on). Vulkan supports the bit searches and `OpBitCount` for 32 bits
//! only, so other widths are widened or split. Minimum and maximum of other widths are a comparison and a select.

use crate::formula::Value;
use reconverge_ir::Op;
use spirv::GlslStd450Op as Glsl;

fn either<'w>(choice: Glsl, is_first: impl Fn(Value<'w>, Value<'w>) -> Value<'w>, [a, b]: [Value<'w>; 2]) -> Value<'w> {
    match a.shape().width() {
        32 => a.writer().glsl(choice, a.shape(), &[a, b]),
        _ => is_first(a, b).select(a, b),
    }
}

pub(super) fn signed_minimum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    either(Glsl::SMin, |a, b| a.signed_less(b), [operands[0], operands[1]])
}

pub(super) fn minimum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    either(Glsl::UMin, |a, b| a.less(b), [operands[0], operands[1]])
}

pub(super) fn signed_maximum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    either(Glsl::SMax, |a, b| a.signed_greater(b), [operands[0], operands[1]])
}

pub(super) fn maximum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    either(Glsl::UMax, |a, b| a.greater(b), [operands[0], operands[1]])
}

pub(super) fn signed_clamp<'w>(operands: &[Value<'w>]) -> Value<'w> {
    signed_minimum(&[signed_maximum(&operands[..2]), operands[2]])
}

pub(super) fn clamp<'w>(operands: &[Value<'w>]) -> Value<'w> {
    minimum(&[maximum(&operands[..2]), operands[2]])
}

/// The magnitude of a signed integer, as an unsigned one: exact for the least integer.
pub(super) fn absolute<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let a = operands[0];
    a.is_negative().select(-a, a)
}

pub(super) fn same<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0]
}

pub(super) fn signed_difference<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    a.signed_less(b).select(b - a, a - b)
}

pub(super) fn difference<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    a.less(b).select(b - a, a - b)
}

fn greatest_signed(width: u32) -> u64 {
    (1 << (width - 1)) - 1
}

fn all_ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The limit with the sign of `a`: the least integer if it is negative, the greatest otherwise.
fn limit_beyond(a: Value<'_>) -> Value<'_> {
    let width = a.shape().width();
    a.shift_right_signed(u64::from(width - 1)) ^ greatest_signed(width)
}

pub(super) fn signed_add_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    let sum = a + b;
    // The sum overflowed if its sign differs from that of both operands.
    ((a ^ sum) & (b ^ sum)).is_negative().select(limit_beyond(a), sum)
}

pub(super) fn add_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    let sum = a + b;
    sum.less(a).select(a.constant(all_ones(a.shape().width())), sum)
}

pub(super) fn signed_subtract_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    let difference = a - b;
    ((a ^ b) & (a ^ difference)).is_negative().select(limit_beyond(a), difference)
}

pub(super) fn subtract_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    a.less(b).select(a.constant(0), a - b)
}

/// Half the sum, rounded down: the common bits, and half of the bits of only one operand.
pub(super) fn signed_half_sum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    (a & b) + (a ^ b).shift_right_signed(1)
}

pub(super) fn half_sum<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    (a & b) + ((a ^ b) >> 1)
}

/// Half the sum, rounded up.
pub(super) fn signed_half_sum_up<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    (a | b) - (a ^ b).shift_right_signed(1)
}

pub(super) fn half_sum_up<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    (a | b) - ((a ^ b) >> 1)
}

/// The low and the high half of an integer of 64 bits.
fn halves(a: Value<'_>) -> [Value<'_>; 2] {
    [a.to_width(32), (a >> 32).to_width(32)]
}

/// The number of leading zero bits; the width for zero.
pub(super) fn leading_zeros<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let a = operands[0];
    // FindUMsb returns -1 for zero.
    let zeros = |a: Value<'w>| a.constant(31) - a.glsl(Glsl::FindUMsb);
    match a.shape().width() {
        32 => zeros(a),
        64 => {
            let [low, high] = halves(a);
            high.equals(0).select(zeros(low) + 32, zeros(high)).to_width(64)
        }
        width => (zeros(a.to_width(32)) - u64::from(32 - width)).to_width(width),
    }
}

/// The number of trailing zero bits; the width for zero.
pub(super) fn trailing_zeros<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let a = operands[0];
    let lowest = |a: Value<'w>| a.glsl(Glsl::FindILsb);
    match a.shape().width() {
        32 => a.equals(0).select(a.constant(32), lowest(a)),
        64 => {
            let [low, high] = halves(a);
            let above = high.equals(0).select(high.constant(64), lowest(high) + 32);
            low.equals(0).select(above, lowest(low)).to_width(64)
        }
        width => lowest(a.to_width(32) | 1 << width).to_width(width),
    }
}

pub(super) fn count_ones<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let a = operands[0];
    let ones = |a: Value<'w>| a.writer().emit(Op::BitCount, a.shape(), &[a]);
    match a.shape().width() {
        32 => ones(a),
        64 => {
            let [low, high] = halves(a);
            (ones(low) + ones(high)).to_width(64)
        }
        width => ones(a.to_width(32)).to_width(width),
    }
}

/// The bits in reverse order.
pub(super) fn reverse_bits<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let a = operands[0];
    let reversed = |a: Value<'w>| a.writer().emit(Op::BitReverse, a.shape(), &[a]);
    match a.shape().width() {
        32 => reversed(a),
        64 => {
            let [low, high] = halves(a);
            (reversed(low).to_width(64) << 32) | reversed(high).to_width(64)
        }
        width => (reversed(a.to_width(32)) >> u64::from(32 - width)).to_width(width),
    }
}

pub(super) fn rotate<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, amount) = (operands[0], operands[1]);
    let last = u64::from(a.shape().width() - 1);
    let left = amount & last;
    (a << left) | (a >> (-left & last))
}

pub(super) fn multiply_high<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    match a.shape().width() {
        32 => a.writer().pair(Op::UMulExtended, [a, b])[1],
        64 => multiply_high_64(a, b),
        width => ((a.to_width(32) * b.to_width(32)) >> u64::from(width)).to_width(width),
    }
}

pub(super) fn signed_multiply_high<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    match a.shape().width() {
        32 => a.writer().pair(Op::SMulExtended, [a, b])[1],
        // A negative factor adds 2^64 too much.
        64 => multiply_high_64(a, b) - (a.shift_right_signed(63) & b) - (b.shift_right_signed(63) & a),
        width => {
            let product = a.to_signed_width(32) * b.to_signed_width(32);
            product.shift_right_signed(u64::from(width)).to_width(width)
        }
    }
}

/// The high half of a product of 128 bits, by halves of the factors. No sum overflows.
fn multiply_high_64<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    let low = |value: Value<'w>| value & 0xffff_ffff;
    let (a_low, a_high, b_low, b_high) = (low(a), a >> 32, low(b), b >> 32);
    let middle = a_high * b_low + ((a_low * b_low) >> 32);
    let other = a_low * b_high + low(middle);
    a_high * b_high + (middle >> 32) + (other >> 32)
}

pub(super) fn multiply_add_high<'w>(operands: &[Value<'w>]) -> Value<'w> {
    multiply_high(&operands[..2]) + operands[2]
}

pub(super) fn signed_multiply_add_high<'w>(operands: &[Value<'w>]) -> Value<'w> {
    signed_multiply_high(&operands[..2]) + operands[2]
}

pub(super) fn multiply_add_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b, c) = (operands[0], operands[1], operands[2]);
    let sum = a * b + c;
    let overflows = multiply_high(&[a, b]).differs(0) | sum.less(c);
    overflows.select(a.constant(all_ones(a.shape().width())), sum)
}

pub(super) fn signed_multiply_add_saturated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b, c) = (operands[0], operands[1], operands[2]);
    let width = a.shape().width();
    let last = u64::from(width - 1);
    let low = a * b + c;
    let carry = low.less(c).to_int(width);
    let high = signed_multiply_high(&[a, b]) + c.shift_right_signed(last) + carry;
    // The product fits if the high half is the sign extension of the low half.
    high.equals(low.shift_right_signed(last)).select(low, limit_beyond(high))
}

/// The remainder with the sign of the divisor. Some devices return it with the sign of the dividend.
pub(super) fn signed_modulo<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    let rest = a.writer().emit(Op::SRem, a.shape(), &[a, b]);
    (rest.differs(0) & (rest ^ b).is_negative()).select(rest + b, rest)
}

/// 24-bit products: exact if the factors have at most 24 bits; otherwise the result is implementation-defined.
pub(super) fn multiply<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0] * operands[1]
}

pub(super) fn multiply_add<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0] * operands[1] + operands[2]
}

/// The first integer as the upper half and the second as the lower half of an integer of twice the width.
pub(super) fn join<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (high, low) = (operands[0], operands[1]);
    let width = high.shape().width();
    (high.to_width(2 * width) << u64::from(width)) | low.to_width(2 * width)
}
