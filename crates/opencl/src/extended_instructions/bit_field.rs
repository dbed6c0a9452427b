//! Bit fields of integers that do not have 32 bits, which Vulkan lacks.
//!
//! A field may have no bits, or all bits of its integer; shift amounts are masked, so that no shift is as wide as its operand.

use crate::formula::Value;

/// The operands after the integers: the offset and the number of bits, as integers of the same width.
fn place<'w>(like: Value<'w>, operands: &[Value<'w>]) -> [Value<'w>; 2] {
    let width = like.shape().width();
    [operands[0].to_width(width), operands[1].to_width(width)]
}

/// An amount that is below the width.
fn within(amount: Value<'_>) -> Value<'_> {
    amount & u64::from(amount.shape().width() - 1)
}

/// The lowest `count` bits.
fn mask(count: Value<'_>) -> Value<'_> {
    let width = count.shape().width();
    let one = count.constant(1);
    count.less(u64::from(width)).select((one << within(count)) - 1, u64::MAX >> (64 - width))
}

pub(super) fn insert<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (base, inserted) = (operands[0], operands[1]);
    let [offset, count] = place(base, &operands[2..]);
    let (mask, offset) = (mask(count), within(offset));
    (base & !(mask << offset)) | ((inserted & mask) << offset)
}

pub(super) fn extract<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let [offset, count] = place(operands[0], &operands[1..]);
    (operands[0] >> within(offset)) & mask(count)
}

pub(super) fn signed_extract<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let [offset, count] = place(operands[0], &operands[1..]);
    let above = within(-count);
    let field = ((operands[0] >> within(offset)) << above).shift_right_signed(above);
    count.equals(0).select(count.constant(0), field)
}
