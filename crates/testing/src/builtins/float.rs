//! Functions of floats: mathematical (OpenCL C 3.0, section 6.15.2, errors in section 7.4), common (6.15.4), geometric (6.15.5) and relational
//! (6.15.6) ones.
//!
//! The exact values are those of the standard library in 64 bits, whose error is below one ulp of 64 bits; so functions of `double` are
//! allowed one ulp more. The bounds for half are those of `cl_khr_fp16`.

use super::number::{Number, Rounding, Type, exponent_of};
use super::row::{Lengths, Row, Wanted};

fn float(value: Number) -> f64 {
    match value {
        Number::Float(value) => value,
        Number::Int(value) => value as f64,
    }
}

macro_rules! of {
    ([$($name:ident),*] $value:expr) => {
        |row: &Row, operands: &[Number]| {
            let [$($name),*] = operands[..] else { panic!("invariant: the row has its operands") };
            $(let $name = float($name);)*
            Wanted::Float { exact: $value, ulps: row.ulps }
        }
    };
}

/// The functions on floats of each type.
pub(super) fn rows() -> Vec<Row> {
    Type::FLOATS.into_iter().flat_map(of_type).collect()
}

fn of_type(ty: Type) -> Vec<Row> {
    let mut rows = exact(ty);
    rows.extend(transcendental(ty));
    rows.extend(relational(ty));
    rows.extend(common(ty));
    rows.extend(geometric(ty));
    rows
}

/// A precision, by type: that for 32 bits and doubles, and that for halves.
fn precision(ty: Type, [single, half]: [f64; 2]) -> f64 {
    match ty.bits() {
        16 => half,
        32 => single,
        _ => single + 1.0,
    }
}

fn exact(ty: Type) -> Vec<Row> {
    let word = Type::Int { is_signed: true, bits: 32 };
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    vec![
        Row::new("fabs(a)", one, ty, of!([a] a.abs())),
        Row::new("ceil(a)", one, ty, of!([a] a.ceil())),
        Row::new("floor(a)", one, ty, of!([a] a.floor())),
        Row::new("trunc(a)", one, ty, of!([a] a.trunc())),
        Row::new("rint(a)", one, ty, of!([a] a.round_ties_even())),
        Row::new("round(a)", one, ty, of!([a] a.round())),
        Row::new("copysign(a, b)", two, ty, |_, operands| {
            let (a, b) = (float(operands[0]), float(operands[1]));
            if b.is_nan() { Wanted::Any } else { Wanted::Float { exact: a.copysign(b), ulps: 0.0 } }
        }),
        Row::new("fmax(a, b)", two, ty, of!([a, b] a.max(b))),
        Row::new("fmin(a, b)", two, ty, of!([a, b] a.min(b))),
        Row::new("fdim(a, b)", two, ty, of!([a, b] if a > b { a - b } else if a <= b { 0.0 } else { f64::NAN })),
        Row::new("fmod(a, b)", two, ty, of!([a, b] a % b)),
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
            // In 64 bits a product of narrower floats is exact, and the sum is rounded twice, within half an ulp of the narrow type.
            let exact = if row.operand().bits() == 64 { a.mul_add(b, c) } else { a * b + c };
            Wanted::Float { exact, ulps: if row.operand().bits() == 64 { 0.0 } else { 0.51 } }
        }),
        Row::new("a + b", two, ty, of!([a, b] a + b)),
        Row::new("a - b", two, ty, of!([a, b] a - b)),
        Row::new("a * b", two, ty, of!([a, b] a * b)),
        Row::new("a / b", two, ty, of!([a, b] a / b)).within(2.5),
        Row::new("ilogb(a)", one, word, |_, operands| match float(operands[0]) {
            value if value == 0.0 || !value.is_finite() => Wanted::Any,
            value => Wanted::Int(exponent_of(value).into()),
        }),
        Row::new("logb(a)", one, ty, |_, operands| {
            let value = float(operands[0]);
            let exact = match value {
                0.0 => f64::NEG_INFINITY,
                _ if value.is_nan() => value,
                _ if value.is_infinite() => f64::INFINITY,
                _ => f64::from(exponent_of(value)),
            };
            Wanted::Float { exact, ulps: 0.0 }
        }),
        Row::new("ldexp(a, b & 31)", &[ty, word], ty, of!([a, b] a * f64::from(b as i32 & 31).exp2())),
        Row::new("ldexp(a, 3)", one, ty, of!([a] a * 8.0)),
        Row::new("({ $T p; fract(a, &p); })", one, ty, |row, operands| {
            let value = float(operands[0]);
            let below = row.result.round(1.0 - row.result.ulp(0.75), Rounding::Nearest);
            let exact = match value {
                _ if value.is_nan() => value,
                _ if value.is_infinite() => 0.0f64.copysign(value),
                _ => (value - value.floor()).min(below),
            };
            Wanted::Float { exact, ulps: 0.0 }
        }),
        Row::new("({ $T p; fract(a, &p); p; })", one, ty, of!([a] a.floor())),
        Row::new("({ $T p; modf(a, &p); })", one, ty, of!([a] if a.is_infinite() { 0.0 } else { a.fract() })),
        Row::new("({ $T p; modf(a, &p); p; })", one, ty, of!([a] a.trunc())),
        Row::new("({ $I p; frexp(a, &p); })", one, ty, |_, operands| {
            let value = float(operands[0]);
            let is_plain = value != 0.0 && value.is_finite();
            let exact = if is_plain { value / f64::from(exponent_of(value)).exp2() / 2.0 } else { value };
            Wanted::Float { exact, ulps: 0.0 }
        }),
        Row::new("({ $I p; frexp(a, &p); p; })", one, word, |_, operands| match float(operands[0]) {
            0.0 => Wanted::Int(0),
            value if !value.is_finite() => Wanted::Any,
            value => Wanted::Int((exponent_of(value) + 1).into()),
        }),
        Row::new("remainder(a, b)", two, ty, of!([a, b] remainder(a, b))),
    ]
}

/// The next float of the type toward another.
fn next_after(row: &Row, operands: &[Number]) -> Wanted {
    let (a, b) = (float(operands[0]), float(operands[1]));
    let ty = row.operand();
    if a.is_nan() || b.is_nan() {
        return Wanted::Float { exact: f64::NAN, ulps: 0.0 };
    }
    if a == b {
        return Wanted::Float { exact: b, ulps: 0.0 };
    }
    // The bits of floats of one sign are in the order of the floats.
    let bytes = ty.write(Number::Float(a.abs()));
    let Number::Int(bits) = ty.as_int(false).read(&bytes) else { panic!("invariant: the bits are an integer") };
    let grows = (b > a) == (a > 0.0);
    let (bits, sign) = match a {
        0.0 => (1, b),
        _ => (if grows { bits + 1 } else { bits - 1 }, a),
    };
    let Number::Float(next) = ty.read(&ty.as_int(false).write(Number::Int(bits))) else {
        panic!("invariant: the bits are a float")
    };
    Wanted::Float { exact: next.copysign(sign), ulps: 0.0 }
}

/// The remainder of the division that is rounded to the nearest integer, ties to even.
fn remainder(a: f64, b: f64) -> f64 {
    if !a.is_finite() || b == 0.0 || b.is_nan() {
        return f64::NAN;
    }
    if b.is_infinite() {
        return a;
    }
    let b = b.abs();
    // The remainder of twice the divisor tells whether the quotient is odd; if that overflows, the quotient is below two.
    let mut rest = if b < f64::MAX / 2.0 { a.abs() % (b + b) } else { a.abs() };
    // Twice a small float is exact, and so is half of a large one.
    let is_above = |rest: f64| if b < 1.0 { rest + rest > b } else { rest > b / 2.0 };
    let is_below = |rest: f64| if b < 1.0 { rest + rest < b } else { rest < b / 2.0 };
    if is_above(rest) {
        rest -= b;
        if !is_below(rest) {
            rest -= b;
        }
    }
    if rest == 0.0 { 0.0f64.copysign(a) } else { rest * 1f64.copysign(a) }
}

fn transcendental(ty: Type) -> Vec<Row> {
    use std::f64::consts::{LN_10, PI};
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    let within =
        |text: &str, precisions, definition| Row::new(text, one, ty, definition).within(precision(ty, precisions));
    let of_two =
        |text: &str, precisions, definition| Row::new(text, two, ty, definition).within(precision(ty, precisions));
    let mut rows = vec![
        within("acos(a)", [4.0, 2.0], of!([a] a.acos())),
        within("asin(a)", [4.0, 2.0], of!([a] a.asin())),
        within("atan(a)", [5.0, 2.0], of!([a] a.atan())),
        within("acospi(a)", [5.0, 2.0], of!([a] a.acos() / PI)),
        within("asinpi(a)", [5.0, 2.0], of!([a] a.asin() / PI)),
        within("atanpi(a)", [5.0, 2.0], of!([a] a.atan() / PI)),
        within("acosh(a)", [4.0, 2.0], of!([a] if a < 1.0 { f64::NAN } else { a.acosh() })),
        within("asinh(a)", [4.0, 2.0], asinh),
        // The standard library's function is inexact near -1, and the function is odd.
        within("atanh(a)", [5.0, 2.0], of!([a] a.abs().atanh().copysign(a))),
        within("cbrt(a)", [2.0, 2.0], of!([a] a.cbrt())),
        within("cos(a)", [4.0, 2.0], of!([a] a.cos())),
        within("sin(a)", [4.0, 2.0], of!([a] a.sin())),
        within("tan(a)", [5.0, 2.0], of!([a] a.tan())),
        within("({ $T p; sincos(a, &p); })", [4.0, 2.0], of!([a] a.sin())),
        within("({ $T p; sincos(a, &p); p; })", [4.0, 2.0], of!([a] a.cos())),
        within("cosh(a)", [4.0, 2.0], of!([a] a.cosh())),
        within("sinh(a)", [4.0, 2.0], of!([a] a.sinh())),
        within("tanh(a)", [5.0, 2.0], of!([a] a.tanh())),
        within("exp(a)", [3.0, 2.0], of!([a] a.exp())),
        within("exp2(a)", [3.0, 2.0], of!([a] a.exp2())),
        within("exp10(a)", [3.0, 2.0], of!([a] 10f64.powf(a))),
        within("expm1(a)", [3.0, 2.0], of!([a] a.exp_m1())),
        within("log(a)", [3.0, 2.0], of!([a] a.ln())),
        within("log2(a)", [3.0, 2.0], of!([a] a.log2())),
        within("log10(a)", [3.0, 2.0], of!([a] a.log10())),
        within("log1p(a)", [2.0, 2.0], of!([a] a.ln_1p())),
        within("rsqrt(a)", [2.0, 1.0], of!([a] if a < 0.0 { f64::NAN } else { 1.0 / a.sqrt() })),
        within("sqrt(a)", [3.0, 0.0], of!([a] a.sqrt())),
        of_two("atan2(a, b)", [6.0, 2.0], of!([a, b] a.atan2(b))),
        of_two("atan2pi(a, b)", [6.0, 2.0], of!([a, b] a.atan2(b) / PI)),
        of_two("hypot(a, b)", [4.0, 2.0], of!([a, b] a.hypot(b))),
        of_two("pow(a, b)", [16.0, 4.0], of!([a, b] a.powf(b))),
        of_two("powr(fabs(a), b)", [16.0, 4.0], |row, operands| {
            let (a, b) = (float(operands[0]).abs(), float(operands[1]));
            // powr is exp(b * log(a)), also where pow is defined otherwise.
            let is_open = a == 0.0 && b == 0.0 || a == 1.0 && b.is_infinite() || a.is_infinite() && b == 0.0;
            let exact = if is_open || a.is_nan() || b.is_nan() { f64::NAN } else { a.powf(b) };
            Wanted::Float { exact, ulps: row.ulps }
        }),
    ];
    if ty.bits() == 32 {
        let native = |text: &str, ulps: f64, definition| Row::new(text, one, ty, definition).within(ulps);
        rows.push(native("half_cos(fmod(a, ($T)3.0f))", 8192.0, of!([a](a % 3.0).cos())));
        rows.push(native("half_sin(fmod(a, ($T)3.0f))", 8192.0, of!([a](a % 3.0).sin())));
        rows.push(native("half_exp(fmod(a, ($T)8.0f))", 8192.0, of!([a](a % 8.0).exp())));
        rows.push(native("half_log2(fabs(a))", 8192.0, of!([a] a.abs().log2())));
        rows.push(native("half_log10(fabs(a))", 8192.0, of!([a] a.abs().ln() / LN_10)));
        rows.push(native("half_sqrt(fabs(a))", 8192.0, of!([a] a.abs().sqrt())));
        rows.push(native("half_rsqrt(fabs(a))", 8192.0, of!([a] 1.0 / a.abs().sqrt())));
        rows.push(native("half_recip(a)", 8192.0, of!([a] 1.0 / a)));
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

macro_rules! test {
    ([$($name:ident),*] $value:expr) => {
        |row: &Row, operands: &[Number]| {
            let [$($name),*] = operands[..] else { panic!("invariant: the row has its operands") };
            $(let $name = float($name);)*
            let is_vector = matches!(row.lengths, Lengths::Vectors);
            Wanted::Int(if $value { if is_vector { -1 } else { 1 } } else { 0 })
        }
    };
}

fn relational(ty: Type) -> Vec<Row> {
    let word = Type::Int { is_signed: true, bits: 32 };
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    let rows = [
        Row::new("isequal(a, b)", two, word, test!([a, b] a == b)),
        Row::new("isnotequal(a, b)", two, word, test!([a, b] a != b)),
        Row::new("isgreater(a, b)", two, word, test!([a, b] a > b)),
        Row::new("isgreaterequal(a, b)", two, word, test!([a, b] a >= b)),
        Row::new("isless(a, b)", two, word, test!([a, b] a < b)),
        Row::new("islessequal(a, b)", two, word, test!([a, b] a <= b)),
        Row::new("islessgreater(a, b)", two, word, test!([a, b] a != b && !a.is_nan() && !b.is_nan())),
        Row::new("isordered(a, b)", two, word, test!([a, b] !a.is_nan() && !b.is_nan())),
        Row::new("isunordered(a, b)", two, word, test!([a, b] a.is_nan() || b.is_nan())),
        Row::new("isfinite(a)", one, word, test!([a] a.is_finite())),
        Row::new("isinf(a)", one, word, test!([a] a.is_infinite())),
        Row::new("isnan(a)", one, word, test!([a] a.is_nan())),
        Row::new("isnormal(a)", one, word, |row, operands| {
            let value = float(operands[0]);
            let is_normal = value.is_finite() && value.abs() >= row.operand().least_normal();
            let yes = if matches!(row.lengths, Lengths::Vectors) { -1 } else { 1 };
            Wanted::Int(if is_normal { yes } else { 0 })
        }),
        Row::new("signbit(a)", one, word, |row, operands| {
            let value = float(operands[0]);
            let yes = if matches!(row.lengths, Lengths::Vectors) { -1 } else { 1 };
            // The sign of a NaN is lost on the way through this table.
            if value.is_nan() { Wanted::Any } else { Wanted::Int(if value.is_sign_negative() { yes } else { 0 }) }
        }),
    ];
    // A scalar test is an int; a test of vectors has integers as wide as the floats.
    let scalars = rows.clone().map(|row| row.of(Lengths::Scalar));
    let vectors = rows.map(|row| Row { result: ty.as_int(true), ..row }.of(Lengths::Vectors));
    let choices = [
        Row::new("select(a, b, c)", &[ty, ty, ty.as_int(true)], ty, |_, operands| {
            let chosen = if float(operands[2]) < 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Vectors),
        Row::new("select(a, b, c)", &[ty, ty, ty.as_int(false)], ty, |_, operands| {
            let chosen = if float(operands[2]) != 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Scalar),
    ];
    scalars.into_iter().chain(vectors).chain(choices).collect()
}

fn common(ty: Type) -> Vec<Row> {
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    vec![
        Row::new("clamp(a, ($t)-2, ($t)9)", one, ty, |_, operands| {
            let value = float(operands[0]);
            if value.is_nan() { Wanted::Any } else { Wanted::Float { exact: value.clamp(-2.0, 9.0), ulps: 0.0 } }
        }),
        Row::new("degrees(a)", one, ty, of!([a] a.to_degrees())).within(precision(ty, [2.0, 2.0])),
        Row::new("radians(a)", one, ty, of!([a] a.to_radians())).within(precision(ty, [2.0, 2.0])),
        Row::new("max(a, b)", two, ty, |_, operands| either(operands, f64::max)),
        Row::new("min(a, b)", two, ty, |_, operands| either(operands, f64::min)),
        Row::new("step(a, b)", two, ty, |_, operands| {
            let (edge, value) = (float(operands[0]), float(operands[1]));
            let is_open = edge.is_nan() || value.is_nan();
            if is_open { Wanted::Any } else { Wanted::Float { exact: if value < edge { 0.0 } else { 1.0 }, ulps: 0.0 } }
        }),
        Row::new("sign(a)", one, ty, of!([a] if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else { 0.0 })),
        Row::new("mix(a, b, ($t)0.25)", two, ty, |row, operands| {
            let (a, b) = (float(operands[0]), float(operands[1]));
            let largest = a.abs().max(b.abs());
            let is_open = largest.is_nan() || largest >= row.result.greatest_float() / 4.0;
            let distance = 4.0 * row.result.ulp(largest);
            if is_open { Wanted::Any } else { Wanted::Near { exact: a + (b - a) * 0.25, distance } }
        }),
        Row::new("smoothstep(($t)-1, ($t)2, a)", one, ty, |row, operands| {
            let value = float(operands[0]);
            let t = ((value + 1.0) / 3.0).clamp(0.0, 1.0);
            let distance = 8.0 * row.result.ulp(1.0);
            if value.is_nan() { Wanted::Any } else { Wanted::Near { exact: t * t * (3.0 - 2.0 * t), distance } }
        }),
        Row::new("mad(a, b, c)", three, ty, |row, operands| {
            let [a, b, c] = [0, 1, 2].map(|index| float(operands[index]));
            let largest = (a * b).abs().max(c.abs());
            let is_open = largest.is_nan() || largest >= row.result.greatest_float() / 2.0;
            let distance = 2.0 * row.result.ulp(largest);
            if is_open { Wanted::Any } else { Wanted::Near { exact: a * b + c, distance } }
        }),
    ]
}

/// A choice whose result for NaN is open.
fn either(operands: &[Number], choose: fn(f64, f64) -> f64) -> Wanted {
    let (a, b) = (float(operands[0]), float(operands[1]));
    if a.is_nan() || b.is_nan() { Wanted::Any } else { Wanted::Float { exact: choose(a, b), ulps: 0.0 } }
}

/// The operands as floats, if all are small enough that no square overflows or is denormal.
fn plain(row: &Row, operands: &[Vec<Number>]) -> Option<Vec<Vec<f64>>> {
    let bound = row.operand().greatest_float().sqrt() / 8.0;
    let is_plain = |value: f64| value == 0.0 || value.abs() < bound && value.abs() > 1.0 / bound;
    let floats: Vec<Vec<f64>> =
        operands.iter().map(|operand| operand.iter().map(|&value| float(value)).collect()).collect();
    floats.iter().flatten().all(|&value| is_plain(value)).then_some(floats)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A result near an exact value, within some ulp of the largest term.
fn near(row: &Row, exact: f64, largest: f64) -> Wanted {
    Wanted::Near { exact, distance: 8.0 * row.result.ulp(largest).max(row.result.ulp(exact)) }
}

fn geometric(ty: Type) -> Vec<Row> {
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    vec![
        Row::whole("dot(a, b)", two, ty, |row, operands| {
            let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
            let largest = floats[0].iter().zip(&floats[1]).map(|(a, b)| (a * b).abs()).fold(0.0, f64::max);
            vec![near(row, product(&floats[0], &floats[1]), largest)]
        })
        .of(Lengths::ToScalar),
        Row::whole("length(a)", one, ty, |row, operands| {
            let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
            vec![near(row, product(&floats[0], &floats[0]).sqrt(), 0.0)]
        })
        .of(Lengths::ToScalar),
        Row::whole("distance(a, b)", two, ty, |row, operands| {
            let Some(floats) = plain(row, operands) else { return vec![Wanted::Any] };
            let apart: Vec<f64> = floats[0].iter().zip(&floats[1]).map(|(a, b)| a - b).collect();
            let largest = floats.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
            vec![near(row, product(&apart, &apart).sqrt(), largest)]
        })
        .of(Lengths::ToScalar),
        Row::whole("cross(a, b)", two, ty, |row, operands| {
            let count = operands[0].len();
            let Some(floats) = plain(row, operands) else { return vec![Wanted::Any; count] };
            let (a, b) = (&floats[0], &floats[1]);
            let at =
                |i: usize, j: usize| near(row, a[i] * b[j] - a[j] * b[i], (a[i] * b[j]).abs().max((a[j] * b[i]).abs()));
            let mut wanted = vec![at(1, 2), at(2, 0), at(0, 1)];
            wanted.resize(count, Wanted::Float { exact: 0.0, ulps: 0.0 });
            wanted
        })
        .of(Lengths::Cross),
    ]
}
