//! Sums of products of four bytes (`cl_khr_integer_dot_product`), with and without an addend and saturation, of vectors and of words.

use super::number::{Number, Type};
use super::row::{Lengths, Row, Wanted};

const fn int(is_signed: bool, bits: u32) -> Type {
    Type::Int { is_signed, bits }
}

fn sum(operands: &[Vec<Number>]) -> i128 {
    let whole = |number: Number| match number {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    };
    operands[0].iter().zip(&operands[1]).map(|(&a, &b)| whole(a) * whole(b)).sum()
}

/// The functions for each sign of both operands; the sum is unsigned if both are.
pub(super) fn rows() -> Vec<Row> {
    let pairs = [(true, true), (false, false), (true, false), (false, true)];
    pairs.into_iter().flat_map(|(a, b)| of_signs(a, b)).collect()
}

fn of_signs(a: bool, b: bool) -> Vec<Row> {
    let result = int(a || b, 32);
    let letter = |is_signed: bool| if is_signed { 's' } else { 'u' };
    let packed = format!("4x8packed_{}{}_{}", letter(a), letter(b), result.name());
    let (two, three) = (vec![int(a, 8), int(b, 8)], vec![int(a, 8), int(b, 8), result]);
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
