//! Mathematical functions with an error (OpenCL C 3.0, section 6.15.2).

use std::f64::consts::PI;

use super::exact::WORD;
use super::float::{bound, float, of};
use super::number::{Number, Type};
use super::row::{Row, Wanted};
use super::special::{acosh, cos_pi, erf, erfc, gamma, ln_gamma, root, sin_pi, tan_pi};

/// The functions on floats of a type.
pub(super) fn rows(ty: Type) -> Vec<Row> {
    let mut rows = circular(ty);
    rows.extend(exponential(ty));
    rows.extend(of_two(ty));
    rows.extend(gamma_functions(ty));
    rows
}

/// A function of one float by its bound in 32 and 64 bits.
fn row(ty: Type, text: &str, single: f64, definition: fn(&Row, &[Number]) -> Wanted) -> Row {
    Row::new(text, &[ty], ty, definition).within(bound(ty, single)).inexact(1.0)
}

fn circular(ty: Type) -> Vec<Row> {
    let row = |text: &str, single, definition| row(ty, text, single, definition);
    let mut rows = vec![
        row("acos(a)", 1.0, of!([a] a.acos())),
        row("asin(a)", 1.0, of!([a] a.asin())),
        row("atan(a)", 1.0, of!([a] a.atan())),
        row("acospi(a)", 1.0, of!([a] a.acos() / PI)).inexact(2.0),
        row("asinpi(a)", 1.5, of!([a] a.asin() / PI)).inexact(2.0),
        row("atanpi(a)", 1.5, of!([a] a.atan() / PI)).inexact(2.0),
        row("cos(a)", 1.0, of!([a] a.cos())),
        row("sin(a)", 1.0, of!([a] a.sin())),
        row("tan(a)", 2.0, of!([a] a.tan())),
        row("cospi(a)", 1.0, of!([a] cos_pi(a))).inexact(2.0),
        row("sinpi(a)", 1.0, of!([a] sin_pi(a))).inexact(2.0),
        row("tanpi(a)", 2.5, of!([a] tan_pi(a))).inexact(4.0),
        row("acosh(a)", 1.0, of!([a] acosh(a))).inexact(3.0),
        row("asinh(a)", 1.0, asinh).inexact(3.0),
        // The standard library's function is inexact near -1, and the function is odd.
        row("atanh(a)", 1.0, of!([a] a.abs().atanh().copysign(a))).inexact(3.0),
        row("cosh(a)", 1.5, of!([a] a.cosh())),
        row("sinh(a)", 2.5, of!([a] a.sinh())).inexact(2.0),
        row("tanh(a)", 2.5, of!([a] a.tanh())).inexact(2.0),
    ];
    for (variable, pointer, value) in [("$T p;", "&p", "p"), ("", "$L", "*$L"), ("", "$G", "*$G")] {
        let text = format!("({{ {variable} sincos(a, {pointer}); }})");
        rows.push(row(&text, 1.0, of!([a] a.sin())));
        let text = format!("({{ {variable} sincos(a, {pointer}); {value}; }})");
        rows.push(row(&text, 1.0, of!([a] a.cos())));
    }
    rows
}

/// The standard library's function overflows for large operands.
fn asinh(row: &Row, operands: &[Number]) -> Wanted {
    let a = float(operands[0]);
    let magnitude = a.abs();
    let exact = if magnitude > 1e100 { magnitude.ln() + std::f64::consts::LN_2 } else { magnitude.asinh() };
    Wanted::Float { exact: exact.copysign(a), ulps: row.ulps }
}

fn exponential(ty: Type) -> Vec<Row> {
    let row = |text, single, definition| row(ty, text, single, definition);
    // OpenCL rounds square roots of halves and doubles correctly, and allows 3 and 2 ulp in 32 bits.
    let [root, reciprocal_root] = match ty.bits() {
        16 => [0.0, 1.0],
        32 => [3.0, 2.0],
        _ => [0.0, 2.0],
    };
    vec![
        row("cbrt(a)", 1.0, of!([a] a.cbrt())).inexact(3.0),
        row("exp(a)", 1.0, of!([a] a.exp())),
        row("exp2(a)", 1.0, of!([a] a.exp2())),
        row("exp10(a)", 1.0, of!([a] 10f64.powf(a))),
        row("expm1(a)", 2.0, of!([a] a.exp_m1())),
        row("log(a)", 1.0, of!([a] a.ln())),
        row("log2(a)", 1.0, of!([a] a.log2())),
        row("log10(a)", 1.0, of!([a] a.log10())).inexact(2.0),
        row("log1p(a)", 1.0, of!([a] a.ln_1p())),
        row("rsqrt(a)", 2.0, of!([a] if a < 0.0 { f64::NAN } else { 1.0 / a.sqrt() })).within(reciprocal_root),
        row("sqrt(a)", 3.0, of!([a] a.sqrt())).within(root).inexact(0.0),
    ]
}

fn of_two(ty: Type) -> Vec<Row> {
    let row = |text, operands: &[Type], single, definition| {
        Row::new(text, operands, ty, definition).within(bound(ty, single)).inexact(1.0)
    };
    let (two, powers) = (&[ty, ty][..], &[ty, WORD][..]);
    vec![
        row("atan2(a, b)", two, 2.5, of!([a, b] a.atan2(b))),
        row("atan2pi(a, b)", two, 2.5, of!([a, b] a.atan2(b) / PI)).inexact(2.0),
        row("hypot(a, b)", two, 1.0, of!([a, b] a.hypot(b))),
        row("pow(a, b)", two, 1.0, of!([a, b] a.powf(b))),
        row("pown(a, b)", powers, 1.0, of!([a, b] a.powf(b))),
        row("pown(a, b % 9)", powers, 1.0, |row, operands| {
            let Number::Int(power) = operands[1] else { return Wanted::Any };
            Wanted::Float { exact: float(operands[0]).powf((power % 9) as f64), ulps: row.ulps }
        }),
        row("rootn(a, b)", powers, 1.0, roots).inexact(2.0),
        row("powr(fabs(a), b)", two, 1.0, power_of_magnitude),
    ]
}

fn roots(row: &Row, operands: &[Number]) -> Wanted {
    let Number::Int(degree) = operands[1] else { return Wanted::Any };
    Wanted::Float { exact: root(float(operands[0]), degree as i32), ulps: row.ulps }
}

/// powr is exp(b * log(a)), also where pow is defined otherwise.
pub(super) fn power_of_magnitude(row: &Row, operands: &[Number]) -> Wanted {
    let (a, b) = (float(operands[0]).abs(), float(operands[1]));
    let is_open = a == 0.0 && b == 0.0 || a == 1.0 && b.is_infinite() || a.is_infinite() && b == 0.0;
    let exact = if is_open || a.is_nan() || b.is_nan() { f64::NAN } else { a.powf(b) };
    Wanted::Float { exact, ulps: row.ulps }
}

fn gamma_functions(ty: Type) -> Vec<Row> {
    let row = |text: &str, definition| row(ty, text, 1.2, definition).inexact(4.0);
    // The definition is inexact near the zeros at negative operands, which matters in 64 bits alone.
    let logarithms = |text: &str| Row { is_nearest: ty.bits() < 64, ..row(text, logarithm) };
    let mut rows = vec![
        row("erf(a)", of!([a] erf(a))).within(bound(ty, 2.5)),
        row("erfc(a)", of!([a] erfc(a))).within(bound(ty, 4.0)).inexact(6.0),
        row("tgamma(a)", of!([a] gamma(a))).within(bound(ty, 5.0)).inexact(24.0),
        logarithms("lgamma(a)"),
    ];
    for (variable, pointer, value) in [("$I p;", "&p", "p"), ("", "$J", "*$J"), ("", "$H", "*$H")] {
        rows.push(logarithms(&format!("({{ {variable} lgamma_r(a, {pointer}); }})")));
        let text = format!("({{ {variable} lgamma_r(a, {pointer}); {value}; }})");
        rows.push(Row::new(&text, &[ty], WORD, |_, operands| {
            let a = float(operands[0]);
            // The sign at a pole is open.
            let is_open = !a.is_finite() || a <= 0.0 && a == a.floor();
            if is_open { Wanted::Any } else { Wanted::Int(ln_gamma(a).1.into()) }
        }));
    }
    rows
}

/// OpenCL leaves the error open. At negative operands it is absolute near the zeros, where the terms cancel.
fn logarithm(row: &Row, operands: &[Number]) -> Wanted {
    let a = float(operands[0]);
    let exact = ln_gamma(a).0;
    if a.is_nan() || a >= 0.0 || exact.is_infinite() {
        return Wanted::Float { exact, ulps: row.ulps };
    }
    let ty = row.result;
    let absolute = if ty.bits() == 64 { 40.0 * ty.ulp(0.5 + a.abs()) } else { Type::Float { bits: 32 }.ulp(0.5) };
    let relative = (row.ulps + row.definition_error()) * ty.ulp(exact);
    Wanted::Near { exact, distance: relative.max(absolute) }
}
