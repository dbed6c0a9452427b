//! Functions with low precision requirements: `native_` has none, `half_` 8192 units in the last place. The device's instructions are used.

use spirv::GlslStd450Op as Glsl;

use super::numbers::LOG10_2;
use crate::formula::Value;

pub(super) fn divide<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0] / operands[1]
}

pub(super) fn reciprocal<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].constant(1.0) / operands[0]
}

pub(super) fn exponential_10<'w>(operands: &[Value<'w>]) -> Value<'w> {
    (operands[0] * LOG10_2.0.recip()).glsl(Glsl::Exp2)
}

pub(super) fn logarithm_10<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].glsl(Glsl::Log2) * LOG10_2.0
}
