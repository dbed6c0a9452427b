//! Relational functions of floats (OpenCL C 3.0, section 6.15.6), with the choices by their results.

use super::float::float;
use super::number::{Number, Type};
use super::row::{Lengths, Row, Wanted};

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

/// The functions on floats of a type.
pub(super) fn rows(ty: Type) -> Vec<Row> {
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
    let vectors = rows.map(|row| Row { result: ty.as_signed(), ..row }.of(Lengths::Vectors));
    let choices = [
        Row::new("bitselect(a, b, c)", &[ty, ty, ty], ty, |row, operands| {
            let ty = row.result;
            let bits = |index: usize| match ty.as_unsigned().read(&ty.write(operands[index])) {
                Number::Int(bits) => bits,
                Number::Float(_) => panic!("invariant: the bits are an integer"),
            };
            let is_open = operands.iter().any(|&operand| float(operand).is_nan());
            let chosen = Number::Int(bits(0) & !bits(2) | bits(1) & bits(2));
            let exact = float(ty.read(&ty.as_unsigned().write(chosen)));
            if is_open { Wanted::Any } else { Wanted::Float { exact, ulps: 0.0 } }
        }),
        Row::new("select(a, b, as_$U(c))", &[ty, ty, ty.as_signed()], ty, |_, operands| {
            let chosen = if float(operands[2]) < 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Vectors),
        Row::new("select(a, b, c)", &[ty, ty, ty.as_signed()], ty, |_, operands| {
            let chosen = if float(operands[2]) != 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Scalar),
        Row::new("select(a, b, c)", &[ty, ty, ty.as_signed()], ty, |_, operands| {
            let chosen = if float(operands[2]) < 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Vectors),
        Row::new("select(a, b, c)", &[ty, ty, ty.as_unsigned()], ty, |_, operands| {
            let chosen = if float(operands[2]) != 0.0 { operands[1] } else { operands[0] };
            Wanted::Float { exact: float(chosen), ulps: 0.0 }
        })
        .of(Lengths::Scalar),
    ];
    scalars.into_iter().chain(vectors).chain(choices).collect()
}
