//! Geometric functions of vectors. Lengths are scaled, so that squares neither overflow nor underflow.

use reconverge_ir::Op;
use spirv::GlslStd450Op as Glsl;

use super::exact::magnitude;
use crate::formula::Value;

/// The components of a vector, or the scalar.
fn parts(x: Value<'_>) -> Vec<Value<'_>> {
    (0..x.shape().count).map(|index| x.component(index)).collect()
}

fn dot(x: Value<'_>) -> Value<'_> {
    match x.shape().count {
        1 => x * x,
        _ => x.writer().emit(Op::Dot, x.shape().times(1), &[x, x]),
    }
}

/// A power of two by which the components can be multiplied before they are squared, and its inverse.
fn scales(x: Value<'_>) -> (Value<'_>, Value<'_>) {
    let magnitudes = parts(magnitude(&[x]));
    let (first, rest) = magnitudes.split_first().expect("invariant: a vector has components");
    let greatest = rest.iter().fold(*first, |greatest, &other| other.greater(greatest).select(other, greatest));
    let format = x.format();
    let half = i32::try_from(format.bias / 2).expect("invariant: a bias is small");
    let lift = half + i32::try_from(format.fraction).expect("invariant: a fraction is short");
    let power = |exponent: i32| f64::powi(2.0, exponent);
    let (large, small) = (greatest.greater(power(half - 2)), greatest.less(power(14 - half)));
    let scale = large.select(first.constant(power(-half - 3)), small.select(first.constant(power(lift)), 1.0));
    let inverse = large.select(first.constant(power(half + 3)), small.select(first.constant(power(-lift)), 1.0));
    (scale, inverse)
}

pub(super) fn length<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    if x.shape().count == 1 {
        return magnitude(&[x]);
    }
    let (scale, inverse) = scales(x);
    let scaled = x * scale.splat(x.shape().count);
    let length = dot(scaled).square_root() * inverse;
    let infinite = parts(x).into_iter().map(Value::is_infinite).reduce(|any, other| any | other);
    infinite.expect("invariant: a vector has components").select(length.constant(f64::INFINITY), length)
}

pub(super) fn distance<'w>(operands: &[Value<'w>]) -> Value<'w> {
    length(&[operands[0] - operands[1]])
}

/// The vector divided by its length. A zero vector stays; if components are infinite, only these count.
pub(super) fn normalize<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let count = x.shape().count;
    let is_infinite = x.is_infinite();
    let any = parts(is_infinite).into_iter().reduce(|any, other| any | other);
    let any = any.expect("invariant: a vector has components").splat(count);
    let nan = x.is_nan();
    let direction = is_infinite.select(x.constant(1.0), 0.0).with_sign_of(x);
    let x = any.select(nan.select(x, direction), x);
    if count == 1 {
        return x.equals(0.0).select(x, nan.select(x, x.constant(1.0).with_sign_of(x)));
    }
    let (scale, _) = scales(x);
    let scaled = x * scale.splat(count);
    let squares = dot(scaled);
    squares.equals(0.0).splat(count).select(x, scaled / squares.square_root().splat(count))
}

pub(super) fn fast_length<'w>(operands: &[Value<'w>]) -> Value<'w> {
    match operands[0].shape().count {
        1 => magnitude(operands),
        _ => dot(operands[0]).square_root(),
    }
}

pub(super) fn fast_distance<'w>(operands: &[Value<'w>]) -> Value<'w> {
    fast_length(&[operands[0] - operands[1]])
}

/// The vector multiplied by the inverse square root of its square. A zero vector stays.
pub(super) fn fast_normalize<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let count = x.shape().count;
    let squares = dot(x);
    let inverse = squares.glsl(Glsl::InverseSqrt);
    squares.equals(0.0).splat(count).select(x, x * inverse.splat(count))
}

/// The cross product of the first three components; a fourth is zero.
pub(super) fn cross<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (parts(operands[0]), parts(operands[1]));
    let component = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    let mut product = vec![component(1, 2), component(2, 0), component(0, 1)];
    if a.len() > 3 {
        product.push(a[3].constant(0.0));
    }
    operands[0].writer().vector(&product)
}
