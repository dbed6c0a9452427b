//! The functions `half_*` and `native_*` (OpenCL C 3.0, section 6.15.2), which are less exact: 8192 ulp in 32 bits, and open.
//!
//! The project promises much more: `half_*` are as exact as the functions without that prefix or as an operation of Vulkan, `native_*` are
//! operations of Vulkan with their bounds. Operands are brought into the ranges where the bounds hold.

use super::float::{float, of};
use super::number::{Number, Type};
use super::row::{Row, Wanted};
use super::transcendental::power_of_magnitude;

/// The functions, which exist in 32 bits.
pub(super) fn rows(ty: Type) -> Vec<Row> {
    if ty.bits() != 32 {
        return Vec::new();
    }
    let mut rows = as_exact(ty);
    rows.extend(exponential(ty));
    rows.extend(rational(ty));
    rows.extend(native(ty));
    rows
}

fn row(ty: Type, text: &str, ulps: f64, definition: fn(&Row, &[Number]) -> Wanted) -> Row {
    Row::new(text, &[ty], ty, definition).within(ulps).inexact(0.0)
}

/// The functions that are as exact as those without `half_`.
fn as_exact(ty: Type) -> Vec<Row> {
    vec![
        row(ty, "half_cos(fmod(a, 65536.0f))", 1.0, of!([a](a % 65536.0).cos())),
        row(ty, "half_sin(fmod(a, 65536.0f))", 1.0, of!([a](a % 65536.0).sin())),
        row(ty, "half_tan(fmod(a, 65536.0f))", 2.0, of!([a](a % 65536.0).tan())),
        row(ty, "half_log(a)", 1.0, of!([a] a.ln())),
        row(ty, "half_log2(a)", 1.0, of!([a] a.log2())),
        row(ty, "half_log10(a)", 1.0, of!([a] a.log10())),
        Row::new("half_powr(fabs(a), b)", &[ty, ty], ty, power_of_magnitude).within(1.0).inexact(0.0),
    ]
}

/// `Exp2` of Vulkan.
fn exponential(ty: Type) -> Vec<Row> {
    fn grown(base: fn(f64) -> f64, operand: f64, factor: f64) -> Wanted {
        // Where the result overflows or vanishes so does the bound's meaning: OpenCL's is left.
        Wanted::Float { exact: base(operand), ulps: (3.0 + factor * operand.abs()).min(8192.0) }
    }
    let mut rows = Vec::new();
    for prefix in ["half", "native"] {
        let row = |name: &str, definition| row(ty, &format!("{prefix}_{name}(a)"), 0.0, definition);
        rows.push(row("exp", |_, operands| grown(f64::exp, float(operands[0]), 2.0)));
        rows.push(row("exp2", |_, operands| grown(f64::exp2, float(operands[0]), 2.0)));
        rows.push(row("exp10", |_, operands| grown(|a| 10f64.powf(a), float(operands[0]), 7.0)));
    }
    rows
}

/// Quotients and roots.
fn rational(ty: Type) -> Vec<Row> {
    let mut rows = Vec::new();
    for prefix in ["half", "native"] {
        let row = |name: &str, ulps, definition| row(ty, &format!("{prefix}_{name}(a)"), ulps, definition);
        rows.push(row("recip", 2.5, of!([a] 1.0 / a)));
        rows.push(row("rsqrt", 2.0, of!([a] if a < 0.0 { f64::NAN } else { 1.0 / a.sqrt() })));
        rows.push(row("sqrt", 3.0, of!([a] a.sqrt())));
        let quotient = of!([a, b] a / b);
        rows.push(Row::new(&format!("{prefix}_divide(a, b)"), &[ty, ty], ty, quotient).within(2.5).inexact(0.0));
    }
    rows
}

/// The functions that Vulkan bounds absolutely, or by other operations.
fn native(ty: Type) -> Vec<Row> {
    vec![
        row(ty, "native_cos(fmod(a, 3.0f))", 0.0, |_, operands| angle(operands, f64::cos)),
        row(ty, "native_sin(fmod(a, 3.0f))", 0.0, |_, operands| angle(operands, f64::sin)),
        row(ty, "native_tan(fmod(a, 3.0f))", 0.0, tangent),
        row(ty, "native_log(a)", 3.0, |row, operands| logarithm(row, operands, f64::ln)),
        row(ty, "native_log2(a)", 3.0, |row, operands| logarithm(row, operands, f64::log2)),
        row(ty, "native_log10(a)", 4.0, |row, operands| logarithm(row, operands, f64::log10)),
        Row::new("native_powr(fabs(a), b)", &[ty, ty], ty, power).inexact(0.0),
    ]
}

/// The least error that Vulkan allows for `Sin` and `Cos`.
const ANGLE: f64 = 1.0 / 2048.0;

fn angle(operands: &[Number], function: fn(f64) -> f64) -> Wanted {
    let a = float(operands[0]) % 3.0;
    if a.is_finite() { Wanted::Near { exact: function(a), distance: ANGLE } } else { Wanted::Any }
}

/// A quotient of a sine and a cosine with their errors.
fn tangent(_: &Row, operands: &[Number]) -> Wanted {
    let a = float(operands[0]) % 3.0;
    let (sin, cos) = (a.sin(), a.cos());
    if !a.is_finite() || cos.abs() < 2.0 * ANGLE {
        return Wanted::Any;
    }
    let greatest = (sin.abs() + ANGLE) / (cos.abs() - ANGLE);
    Wanted::Near { exact: sin / cos, distance: greatest - (sin / cos).abs() }
}

fn logarithm(row: &Row, operands: &[Number], function: fn(f64) -> f64) -> Wanted {
    let a = float(operands[0]);
    let exact = function(a);
    match (0.5..=2.0).contains(&a) {
        true => Wanted::Near { exact, distance: (-21f64).exp2() },
        false => Wanted::Float { exact, ulps: row.ulps },
    }
}

/// `Exp2(b * Log2(a))`: the errors of the logarithm and of the product are those of an exponent.
fn power(_: &Row, operands: &[Number]) -> Wanted {
    let (a, b) = (float(operands[0]).abs(), float(operands[1]));
    let logarithm = a.log2();
    if !(a.is_finite() && b.is_finite() && logarithm.is_finite()) {
        return Wanted::Any;
    }
    let single = Type::Float { bits: 32 };
    let error = if (0.5..=2.0).contains(&a) { (-21f64).exp2() } else { 3.0 * single.ulp(logarithm) };
    let exponent = b * logarithm;
    let error = error * b.abs() + single.ulp(exponent);
    let (least, most) = ((exponent - error).exp2(), (exponent + error).exp2());
    let exact = a.powf(b);
    if !most.is_finite() || most > single.greatest_float() {
        return Wanted::Any;
    }
    let of_the_power = (3.0 + 2.0 * exponent.abs()) * single.ulp(most);
    Wanted::Near { exact, distance: (most - exact).max(exact - least) + of_the_power }
}
