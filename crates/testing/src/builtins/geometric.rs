//! Geometric functions (OpenCL C 3.0, section 6.15.5).
//!
//! The bounds are those of section 7.4, by the number of components; halves are computed in 32 bits and rounded once more. Operands are small
//! enough that no square overflows, and large enough that none vanishes.

use super::float::{bound, float};
use super::number::{Number, Type};
use super::row::{Lengths, Row, Wanted};

/// The functions on vectors of a type, and those that are less exact, in 32 bits and for halves.
pub(super) fn rows(ty: Type) -> Vec<Row> {
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    let mut rows = vec![
        Row::whole("dot(a, b)", two, ty, dot).of(Lengths::ToScalar),
        Row::whole("cross(a, b)", two, ty, cross).of(Lengths::Cross),
        Row::whole("length(a)", one, ty, length).of(Lengths::ToScalar).inexact(1.0),
        Row::whole("distance(a, b)", two, ty, distance).of(Lengths::ToScalar),
        Row::whole("normalize(a)", one, ty, normalize).of(Lengths::UpToFour).inexact(2.0),
    ];
    if ty.bits() == 32 {
        rows.push(Row::whole("fast_length(a)", one, ty, length).of(Lengths::ToScalar).inexact(1.0));
        rows.push(Row::whole("fast_distance(a, b)", two, ty, distance).of(Lengths::ToScalar));
        rows.push(Row::whole("fast_normalize(a)", one, ty, normalize).of(Lengths::UpToFour).inexact(2.0));
    }
    rows
}

/// The operands as floats, if all are small enough that no square overflows or is denormal.
fn plain(row: &Row, operands: &[Vec<Number>]) -> Option<Vec<Vec<f64>>> {
    let bound = row.operand().greatest_float().sqrt() / 8.0;
    let is_plain = |value: f64| value == 0.0 || value.abs() < bound && value.abs() > 1.0 / bound;
    let floats: Vec<Vec<f64>> =
        operands.iter().map(|operand| operand.iter().map(|&value| float(value)).collect()).collect();
    floats.iter().flatten().all(|&value| is_plain(value)).then_some(floats)
}

/// The unit in the last place of one.
fn epsilon(ty: Type) -> f64 {
    ty.ulp(1.0)
}

/// A sum of products: each of `n` products and `n - 1` sums is rounded, by at most half an ulp of the sum of the magnitudes.
fn dot(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
    let products: Vec<f64> = floats[0].iter().zip(&floats[1]).map(|(a, b)| a * b).collect();
    let magnitude: f64 = products.iter().map(|product| product.abs()).sum();
    let roundings = products.len() as f64 + if row.result.bits() == 64 { 2.0 } else { 0.0 };
    let distance = roundings * 0.5 * epsilon(row.result) * magnitude + row.result.ulp(0.0);
    vec![Wanted::Near { exact: products.iter().sum(), distance }]
}

/// A difference of two products: three roundings.
fn cross(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let count = operands[0].len();
    let Some(floats) = plain(row, operands) else { return vec![Wanted::Any; count] };
    let (a, b) = (&floats[0], &floats[1]);
    let at = |i: usize, j: usize| {
        let magnitude = (a[i] * b[j]).abs() + (a[j] * b[i]).abs();
        let roundings = if row.result.bits() == 64 { 2.0 } else { 1.0 };
        let distance = roundings * epsilon(row.result) * magnitude + row.result.ulp(0.0);
        Wanted::Near { exact: a[i] * b[j] - a[j] * b[i], distance }
    };
    let mut wanted = vec![at(1, 2), at(2, 0), at(0, 1)];
    wanted.resize(count, Wanted::Float { exact: 0.0, ulps: 0.0 });
    wanted
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn length(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
    let ulps = bound(row.result, 3.0 + 0.5 * floats[0].len() as f64);
    vec![Wanted::Float { exact: norm(&floats[0]), ulps }]
}

/// The differences are rounded, too, by half an ulp of themselves.
fn distance(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
    let apart: Vec<f64> = floats[0].iter().zip(&floats[1]).map(|(a, b)| a - b).collect();
    let ulps = bound(row.result, 2.5 + 2.0 * apart.len() as f64);
    vec![Wanted::Float { exact: norm(&apart), ulps }]
}

/// A vector of length one in the same direction; a vector of zeros stays.
fn normalize(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let count = operands[0].len();
    let Some(floats) = plain(row, operands) else { return vec![Wanted::Any; count] };
    let (norm, ulps) = (norm(&floats[0]), bound(row.result, 2.0 + count as f64));
    let component = |&value: &f64| Wanted::Float { exact: if norm == 0.0 { value } else { value / norm }, ulps };
    floats[0].iter().map(component).collect()
}
