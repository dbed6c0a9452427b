//! Common functions of floats (OpenCL C 3.0, section 6.15.4), and `mad`, which is a product and a sum.
//!
//! OpenCL leaves the errors of `mix`, `smoothstep` and `mad` open. What is promised is their formula, with a rounding for each operation:
//! the bounds are the sums of what these roundings change.

use super::float::{bound, float, of};
use super::number::{Number, Type};
use super::row::{Row, Wanted};

/// The functions on floats of a type.
pub(super) fn rows(ty: Type) -> Vec<Row> {
    let mut rows = limits(ty);
    rows.extend(formulas(ty));
    rows
}

fn limits(ty: Type) -> Vec<Row> {
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    let within = |text, definition| Row::new(text, one, ty, definition).within(bound(ty, 1.0)).inexact(1.0);
    vec![
        Row::new("clamp(a, ($t)-2, ($t)9)", one, ty, |_, operands| {
            let value = float(operands[0]);
            if value.is_nan() { Wanted::Any } else { Wanted::Float { exact: value.clamp(-2.0, 9.0), ulps: 0.0 } }
        }),
        Row::new("clamp(a, fmin(b, c), fmax(b, c))", three, ty, |_, operands| {
            let [a, b, c] = [0, 1, 2].map(|index| float(operands[index]));
            let is_open = a.is_nan() || b.is_nan() || c.is_nan();
            if is_open { Wanted::Any } else { Wanted::Float { exact: a.clamp(b.min(c), b.max(c)), ulps: 0.0 } }
        }),
        within("degrees(a)", of!([a] a.to_degrees())),
        within("radians(a)", of!([a] a.to_radians())),
        Row::new("max(a, b)", two, ty, |_, operands| either(operands, f64::max)),
        Row::new("min(a, b)", two, ty, |_, operands| either(operands, f64::min)),
        Row::new("max(a, ($t)1.5f)", one, ty, |_, operands| either(&[operands[0], Number::Float(1.5)], f64::max)),
        Row::new("min(a, ($t)1.5f)", one, ty, |_, operands| either(&[operands[0], Number::Float(1.5)], f64::min)),
        Row::new("step(a, b)", two, ty, |_, operands| step(float(operands[0]), float(operands[1]))),
        Row::new("step(($t)1.5f, a)", one, ty, |_, operands| step(1.5, float(operands[0]))),
        Row::new("sign(a)", one, ty, of!([a] if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else { 0.0 })),
    ]
}

fn step(edge: f64, value: f64) -> Wanted {
    let is_open = edge.is_nan() || value.is_nan();
    if is_open { Wanted::Any } else { Wanted::Float { exact: if value < edge { 0.0 } else { 1.0 }, ulps: 0.0 } }
}

/// A choice whose result for NaN is open.
fn either(operands: &[Number], choose: fn(f64, f64) -> f64) -> Wanted {
    let (a, b) = (float(operands[0]), float(operands[1]));
    if a.is_nan() || b.is_nan() { Wanted::Any } else { Wanted::Float { exact: choose(a, b), ulps: 0.0 } }
}

fn formulas(ty: Type) -> Vec<Row> {
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    vec![
        Row::new("mix(a, b, ($t)0.25f)", two, ty, |row, operands| mix(row, operands, 0.25)),
        Row::new("mix(a, b, clamp(c, ($t)0, ($t)1))", three, ty, |row, operands| {
            mix(row, operands, float(operands[2]).clamp(0.0, 1.0))
        }),
        Row::new("smoothstep(($t)-1, ($t)2, a)", one, ty, |row, operands| smooth(row, -1.0, 2.0, float(operands[0]))),
        Row::new("smoothstep(fmin(a, ($t)0.5f), fmax(b, ($t)1.5f), c)", three, ty, |row, operands| {
            let [a, b, c] = [0, 1, 2].map(|index| float(operands[index]));
            smooth(row, a.min(0.5), b.max(1.5), c)
        }),
        Row::new("mad(a, b, c)", three, ty, |row, operands| {
            let [a, b, c] = [0, 1, 2].map(|index| float(operands[index]));
            let ty = row.result;
            let is_open = is_large(ty, &[a * b, c]);
            let exact = a * b + c;
            let distance = 0.5 * ty.ulp(a * b) + 0.5 * ty.ulp(exact);
            if is_open { Wanted::Any } else { allowed(ty, exact, distance) }
        }),
    ]
}

/// Returns whether a term is so large that a sum may overflow, or NaN.
fn is_large(ty: Type, terms: &[f64]) -> bool {
    terms.iter().any(|term| term.is_nan() || term.abs() >= ty.greatest_float() / 4.0)
}

/// A result within a distance that the exact result's own rounding may carry into the next binade; in 64 bits the exact value has such an
/// error, too.
fn allowed(ty: Type, exact: f64, distance: f64) -> Wanted {
    Wanted::Near { exact, distance: if ty.bits() == 64 { 2.0 * distance + ty.ulp(0.0) } else { 1.01 * distance } }
}

/// `a + (b - a) * t`: three roundings.
fn mix(row: &Row, operands: &[Number], t: f64) -> Wanted {
    let (a, b, ty) = (float(operands[0]), float(operands[1]), row.result);
    if is_large(ty, &[a, b]) || t.is_nan() {
        return Wanted::Any;
    }
    let (difference, exact) = (b - a, a + (b - a) * t);
    let product = difference * t;
    let distance =
        0.5 * ty.ulp(difference) * t + 0.5 * ty.ulp(product) + 0.5 * ty.ulp(exact.abs().max(product.abs() / 2.0));
    allowed(ty, exact, distance)
}

/// `t * t * (3 - 2 * t)` for a quotient `t`, which is a division of two differences: three ulp and a half.
fn smooth(row: &Row, from: f64, to: f64, value: f64) -> Wanted {
    let ty = row.result;
    if is_large(ty, &[from, to, value]) || from >= to {
        return Wanted::Any;
    }
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    let of_quotient = 6.0 * t * (1.0 - t) * 3.5 * ty.ulp(t);
    let exact = t * t * (3.0 - 2.0 * t);
    // Two differences of up to three, and two products.
    let distance = of_quotient + t * t * ty.ulp(1.0) * 1.5 + 2.0 * ty.ulp(exact);
    allowed(ty, exact, distance)
}
