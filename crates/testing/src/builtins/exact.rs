//! Functions of floats whose results are exact or rounded once: those of section 6.15.2 without an error, and the operators.

use super::float::{float, of};
use super::number::{Number, Rounding, Type, exponent_of};
use super::row::{Row, Wanted};
use super::special::{fused, quotient};

/// `int`, of exponents and quotients.
pub(super) const WORD: Type = Type::Int { is_signed: true, bits: 32 };

/// The functions on floats of a type.
pub(super) fn rows(ty: Type) -> Vec<Row> {
    let mut rows = of_one(ty);
    rows.extend(of_several(ty));
    rows.extend(operators(ty));
    rows.extend(exponents(ty));
    rows.extend(parts(ty));
    rows.push(Row::new("nan(a)", &[ty.as_unsigned()], ty, |_, _| exactly(f64::NAN)));
    rows
}

fn exactly(exact: f64) -> Wanted {
    Wanted::Float { exact, ulps: 0.0 }
}

fn of_one(ty: Type) -> Vec<Row> {
    let one = &[ty][..];
    vec![
        Row::new("fabs(a)", one, ty, of!([a] a.abs())),
        Row::new("ceil(a)", one, ty, of!([a] a.ceil())),
        Row::new("floor(a)", one, ty, of!([a] a.floor())),
        Row::new("trunc(a)", one, ty, of!([a] a.trunc())),
        Row::new("rint(a)", one, ty, of!([a] a.round_ties_even())),
        Row::new("round(a)", one, ty, of!([a] a.round())),
        Row::new("-a", one, ty, of!([a] - a)),
    ]
}

fn of_several(ty: Type) -> Vec<Row> {
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    vec![
        Row::new("copysign(a, b)", two, ty, |_, operands| {
            let (a, b) = (float(operands[0]), float(operands[1]));
            if b.is_nan() { Wanted::Any } else { exactly(a.copysign(b)) }
        }),
        Row::new("fmax(a, b)", two, ty, of!([a, b] a.max(b))),
        Row::new("fmin(a, b)", two, ty, of!([a, b] a.min(b))),
        Row::new("fmax(a, ($t)1.5f)", one, ty, of!([a] a.max(1.5))),
        Row::new("fmin(a, ($t)1.5f)", one, ty, of!([a] a.min(1.5))),
        Row::new("fdim(a, b)", two, ty, of!([a, b] if a > b { a - b } else if a <= b { 0.0 } else { f64::NAN })),
        Row::new("fmod(a, b)", two, ty, of!([a, b] a % b)),
        Row::new("remainder(a, b)", two, ty, of!([a, b] quotient(a, b).1)),
        Row::new(
            "maxmag(a, b)",
            two,
            ty,
            of!([a, b] {
                if a.abs() > b.abs() { a } else if b.abs() > a.abs() { b } else { a.max(b) }
            }),
        ),
        Row::new(
            "minmag(a, b)",
            two,
            ty,
            of!([a, b] {
                if a.abs() < b.abs() { a } else if b.abs() < a.abs() { b } else { a.min(b) }
            }),
        ),
        Row::new("nextafter(a, b)", two, ty, next_after),
        Row::new("fma(a, b, c)", three, ty, |row, operands| {
            let [a, b, c] = [0, 1, 2].map(|index| float(operands[index]));
            exactly(fused(row.operand(), a, b, c))
        }),
    ]
}

/// Operators. OpenCL rounds a quotient of halves or doubles correctly, and allows 2.5 ulp for one in 32 bits.
fn operators(ty: Type) -> Vec<Row> {
    let two = &[ty, ty][..];
    vec![
        Row::new("a + b", two, ty, of!([a, b] a + b)),
        Row::new("a - b", two, ty, of!([a, b] a - b)),
        Row::new("a * b", two, ty, of!([a, b] a * b)),
        Row::new("a / b", two, ty, of!([a, b] a / b)).within(if ty.bits() == 32 { 2.5 } else { 0.0 }).inexact(0.0),
    ]
}

fn exponents(ty: Type) -> Vec<Row> {
    let one = &[ty][..];
    vec![
        // The macros FP_ILOGB0 and FP_ILOGBNAN of clang are the least and the greatest integer.
        Row::new("ilogb(a)", one, WORD, |_, operands| match float(operands[0]) {
            0.0 => Wanted::Int(i32::MIN.into()),
            value if !value.is_finite() => Wanted::Int(i32::MAX.into()),
            value => Wanted::Int(exponent_of(value).into()),
        }),
        Row::new("logb(a)", one, ty, |_, operands| {
            let value = float(operands[0]);
            exactly(match value {
                0.0 => f64::NEG_INFINITY,
                _ if value.is_nan() => value,
                _ if value.is_infinite() => f64::INFINITY,
                _ => f64::from(exponent_of(value)),
            })
        }),
        Row::new("ldexp(a, b)", &[ty, WORD], ty, |row, operands| match operands[1] {
            Number::Int(by) => exactly(row.result.round_scaled(float(operands[0]), by)),
            Number::Float(_) => Wanted::Any,
        }),
        Row::new("ldexp(a, 3)", one, ty, |row, operands| exactly(row.result.round_scaled(float(operands[0]), 3))),
        Row::new("({ $I p; frexp(a, &p); })", one, ty, mantissa),
        Row::new("frexp(a, $J)", one, ty, mantissa),
        Row::new("frexp(a, $H)", one, ty, mantissa),
        Row::new("({ $I p; frexp(a, &p); p; })", one, WORD, exponent),
        Row::new("({ frexp(a, $J); *$J; })", one, WORD, exponent),
        Row::new("({ frexp(a, $H); *$H; })", one, WORD, exponent),
    ]
}

fn mantissa(row: &Row, operands: &[Number]) -> Wanted {
    let value = float(operands[0]);
    let is_plain = value != 0.0 && value.is_finite();
    exactly(if is_plain { row.result.round_scaled(value, i128::from(-exponent_of(value) - 1)) } else { value })
}

fn exponent(_: &Row, operands: &[Number]) -> Wanted {
    match float(operands[0]) {
        0.0 => Wanted::Int(0),
        value if !value.is_finite() => Wanted::Any,
        value => Wanted::Int((exponent_of(value) + 1).into()),
    }
}

/// Functions with two results, one of them through a pointer to private, local or global memory.
fn parts(ty: Type) -> Vec<Row> {
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    let mut rows = Vec::new();
    let pointers = [("$T p;", "&p", "p"), ("", "$L", "*$L"), ("", "$G", "*$G")];
    for (variable, pointer, value) in pointers {
        let row = |text: String, definition| Row::new(&text, one, ty, definition);
        rows.push(row(format!("({{ {variable} fract(a, {pointer}); }})"), fraction));
        rows.push(row(format!("({{ {variable} fract(a, {pointer}); {value}; }})"), of!([a] a.floor())));
        let rest = of!([a] if a.is_infinite() { 0.0 } else { a.fract() });
        rows.push(row(format!("({{ {variable} modf(a, {pointer}); }})"), rest));
        rows.push(row(format!("({{ {variable} modf(a, {pointer}); {value}; }})"), of!([a] a.trunc())));
    }
    for (variable, pointer, value) in [("$I p;", "&p", "p"), ("", "$J", "*$J"), ("", "$H", "*$H")] {
        let text = format!("({{ {variable} remquo(a, b, {pointer}); }})");
        rows.push(Row::new(&text, two, ty, of!([a, b] quotient(a, b).1)));
        let text = format!("({{ {variable} remquo(a, b, {pointer}); {value}; }})");
        rows.push(Row::new(&text, two, WORD, |_, operands| {
            let (quotient, rest) = quotient(float(operands[0]), float(operands[1]));
            if rest.is_nan() { Wanted::Int(0) } else { Wanted::Int(quotient.into()) }
        }));
    }
    rows
}

/// The fraction above the integer below; less than one also where it rounds to one.
fn fraction(row: &Row, operands: &[Number]) -> Wanted {
    let value = float(operands[0]);
    let below = row.result.round(1.0 - row.result.ulp(0.75), Rounding::Nearest);
    exactly(match value {
        _ if value.is_nan() => value,
        _ if value.is_infinite() => 0.0f64.copysign(value),
        _ => (value - value.floor()).min(below),
    })
}

/// The next float of the type toward another.
fn next_after(row: &Row, operands: &[Number]) -> Wanted {
    let (a, b) = (float(operands[0]), float(operands[1]));
    let ty = row.operand();
    if a.is_nan() || b.is_nan() {
        return exactly(f64::NAN);
    }
    if a == b {
        return exactly(b);
    }
    // The bits of floats of one sign are in the order of the floats.
    let bytes = ty.write(Number::Float(a.abs()));
    let Number::Int(bits) = ty.as_unsigned().read(&bytes) else { panic!("invariant: the bits are an integer") };
    let grows = (b > a) == (a > 0.0);
    let (bits, sign) = match a {
        0.0 => (1, b),
        _ => (if grows { bits + 1 } else { bits - 1 }, a),
    };
    let Number::Float(next) = ty.read(&ty.as_unsigned().write(Number::Int(bits))) else {
        panic!("invariant: the bits are a float")
    };
    exactly(next.copysign(sign))
}
