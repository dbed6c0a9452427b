//! Sums of products of four bytes (`cl_khr_integer_dot_product`), with and without an addend and saturation, of vectors and of words.

use super::number::{Number, Type, signed, unsigned};
use super::row::{Lengths, Row, Wanted};

fn sum(operands: &[Vec<Number>]) -> i128 {
    let whole = |number: Number| match number {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    };
    operands[0].iter().zip(&operands[1]).map(|(&a, &b)| whole(a) * whole(b)).sum()
}

/// The functions for each sign of both operands; the sum is unsigned if both are.
pub(super) fn rows() -> Vec<Row> {
    let (signed, unsigned) = (signed(8), unsigned(8));
    let pairs = [(signed, signed), (unsigned, unsigned), (signed, unsigned), (unsigned, signed)];
    pairs.into_iter().flat_map(|(a, b)| of_bytes(a, b)).collect()
}

/// The functions for bytes of these types.
fn of_bytes(a: Type, b: Type) -> Vec<Row> {
    let result = if a.is_signed() || b.is_signed() { signed(32) } else { unsigned(32) };
    let letter = |ty: Type| if ty.is_signed() { 's' } else { 'u' };
    let packed = format!("4x8packed_{}{}_{}", letter(a), letter(b), result.name());
    let (two, three) = (vec![a, b], vec![a, b, result]);
    let dot = |text: String| {
        Row::whole(&text, &two, result, |_, operands| vec![Wanted::Int(sum(operands))]).of(Lengths::FourToScalar)
    };
    let saturated = |text: String| {
        let definition = |row: &Row, operands: &[Vec<Number>]| {
            let Number::Int(addend) = operands[2][0] else { return vec![Wanted::Any] };
            vec![Wanted::Int(row.result.saturate(sum(operands) + addend))]
        };
        Row::whole(&text, &three, result, definition).of(Lengths::FourToScalar)
    };
    vec![
        dot("dot(a, b)".to_owned()),
        dot(format!("dot_{packed}(as_uint(a), as_uint(b))")),
        saturated("dot_acc_sat(a, b, c.x)".to_owned()),
        saturated(format!("dot_acc_sat_{packed}(as_uint(a), as_uint(b), c.x)")),
    ]
}
