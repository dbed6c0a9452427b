//! Geometric functions and functions of square matrices.
//!
//! Lengths and products are computed from wide numbers that are first scaled by the greatest element, so that squares neither overflow nor
//! underflow; results are rounded once. Functions that only GLSL.std.450 has are computed in doubles, operation by operation.

use reconverge_ir::Op;

use super::formula::undefined_among;
use super::power::norm;
use super::wide::{Scaled, Wide, split};
use crate::Value;
use crate::compute::arithmetic::rounded;
use crate::fault::Fault;

/// The length of a vector, or the magnitude of a number.
pub(crate) fn length(operands: &[&Value]) -> Result<Value, Fault> {
    let &[vector] = operands else { return Err(wrong()) };
    Ok(Elements::of(vector)?.map_or(Value::Undefined, |vector| norm(&vector.doubles).rounded(vector.width)))
}

/// The length of the difference.
pub(crate) fn distance(operands: &[&Value]) -> Result<Value, Fault> {
    let Some((width, [a, b])) = vectors(operands)? else { return Ok(Value::Undefined) };
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    if differences.iter().any(|difference| !difference.is_finite()) {
        return Ok(norm(&differences).rounded(width));
    }
    let exponent = differences.iter().filter(|&&value| value != 0.0).map(|&value| split(value).1).max().unwrap_or(0);
    let squares = a.iter().zip(&b).map(|(a, b)| Wide::sum(*a, -b).doubled(-exponent).square());
    Ok(Scaled::new(squares.fold(Wide::new(0.0), |sum, square| sum + square).sqrt(), exponent).rounded(width))
}

/// The normalized vector. A vector without a direction is returned unchanged (OpenCL C, section 7.5.1).
pub(super) fn normalize(operands: &[&Value]) -> Result<Value, Fault> {
    let &[vector] = operands else { return Err(wrong()) };
    let Some(Elements { width, doubles: mut elements }) = Elements::of(vector)? else { return Ok(Value::Undefined) };
    if elements.iter().any(|element| element.is_nan()) {
        elements.fill(f64::NAN);
    } else if elements.iter().any(|element| element.is_infinite()) {
        for element in &mut elements {
            *element = if element.is_infinite() { 1f64.copysign(*element) } else { 0.0 * *element };
        }
    }
    let length = norm(&elements);
    let one = |element: f64| {
        if element == 0.0 || element.is_nan() {
            return rounded(width, element);
        }
        let (part, exponent) = split(element);
        Scaled::new(Wide::new(part) / length.value, exponent - length.exponent).rounded(width)
    };
    Ok(shaped(vector, elements.into_iter().map(one)))
}

/// The cross product; a fourth element is zero.
pub(super) fn cross(operands: &[&Value]) -> Result<Value, Fault> {
    let Some((width, [a, b])) = vectors(operands)? else { return Ok(Value::Undefined) };
    let (&[a0, a1, a2, ..], &[b0, b1, b2, ..]) = (&a[..], &b[..]) else { return Err(wrong()) };
    let difference = |[a, b, c, d]: [f64; 4]| match Wide::product(a, b) - Wide::product(c, d) {
        exact if exact.high.is_finite() && exact.low.is_finite() && exact.high != 0.0 => {
            Scaled::from(exact).rounded(width)
        }
        _ => rounded(width, a * b - c * d),
    };
    let mut product = [[a1, b2, a2, b1], [a2, b0, a0, b2], [a0, b1, a1, b0]].map(difference).to_vec();
    if a.len() == 4 {
        product.push(rounded(width, 0.0));
    }
    Ok(Value::composite(product))
}

/// `N`, or `-N` if it points to the other side than `I`.
pub(super) fn face_forward(operands: &[&Value]) -> Result<Value, Fault> {
    let &[normal, ..] = operands else { return Err(wrong()) };
    let Some((width, [turned, incident, reference])) = vectors(operands)? else { return Ok(Value::Undefined) };
    let sign = if dot(&reference, &incident) < 0.0 { 1.0 } else { -1.0 };
    Ok(shaped(normal, turned.into_iter().map(|element| rounded(width, sign * element))))
}

/// `I − 2 (N · I) N`.
pub(super) fn reflect(operands: &[&Value]) -> Result<Value, Fault> {
    let &[shape, ..] = operands else { return Err(wrong()) };
    let Some((width, [incident, normal])) = vectors(operands)? else { return Ok(Value::Undefined) };
    let twice = 2.0 * dot(&normal, &incident);
    Ok(shaped(shape, incident.iter().zip(&normal).map(|(i, n)| rounded(width, i - twice * n))))
}

/// The refracted direction, for a ratio of indices of refraction; zero for total reflection.
pub(super) fn refract(operands: &[&Value]) -> Result<Value, Fault> {
    let &[shape, normal, ratio] = operands else { return Err(wrong()) };
    let Some((width, [incident, normal])) = vectors(&[shape, normal])? else { return Ok(Value::Undefined) };
    let Some(ratio) = ratio.as_f64() else { return undefined_among(&[ratio]) };
    let cosine = dot(&normal, &incident);
    let rest = 1.0 - ratio * ratio * (1.0 - cosine * cosine);
    let one = |(i, n): (&f64, &f64)| match rest < 0.0 {
        true => rounded(width, 0.0),
        false => rounded(width, ratio * i - (ratio * cosine + rest.sqrt()) * n),
    };
    Ok(shaped(shape, incident.iter().zip(&normal).map(one)))
}

pub(super) fn determinant(operands: &[&Value]) -> Result<Value, Fault> {
    let Some((width, columns)) = matrix(operands)? else { return Ok(Value::Undefined) };
    Ok(rounded(width, determinant_of(&columns)))
}

/// The inverse; undefined for a singular matrix.
pub(super) fn matrix_inverse(operands: &[&Value]) -> Result<Value, Fault> {
    let Some((width, columns)) = matrix(operands)? else { return Ok(Value::Undefined) };
    let determinant = determinant_of(&columns);
    if determinant == 0.0 {
        return Ok(Value::Undefined);
    }
    let size = columns.len();
    let entry = |column: usize, row: usize| {
        let sign = if (column + row).is_multiple_of(2) { 1.0 } else { -1.0 };
        rounded(width, sign * determinant_of(&without(&columns, row, column)) / determinant)
    };
    let column = |column| Value::composite((0..size).map(|row| entry(column, row)).collect());
    Ok(Value::composite((0..size).map(column).collect()))
}

/// By expansion along the first column; matrices have at most four.
fn determinant_of(columns: &[Vec<f64>]) -> f64 {
    let Some(first) = columns.first() else { return 1.0 };
    let minor = |row: usize| determinant_of(&without(columns, 0, row));
    let signed = |(row, entry): (usize, &f64)| if row.is_multiple_of(2) { *entry } else { -entry } * minor(row);
    first.iter().enumerate().map(signed).sum()
}

fn without(columns: &[Vec<f64>], column: usize, row: usize) -> Columns {
    let shortened = |entries: &Vec<f64>| {
        entries.iter().enumerate().filter(|&(index, _)| index != row).map(|(_, &entry)| entry).collect()
    };
    columns.iter().enumerate().filter(|&(index, _)| index != column).map(|(_, entries)| shortened(entries)).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The width and the elements of some vectors; `None` if one is undefined.
type Found<const COUNT: usize> = Result<Option<(u8, [Vec<f64>; COUNT])>, Fault>;

/// The columns of a matrix.
type Columns = Vec<Vec<f64>>;

/// The elements of a vector, or of a scalar.
struct Elements {
    width: u8,
    doubles: Vec<f64>,
}

impl Elements {
    /// `None` if one is undefined.
    fn of(vector: &Value) -> Result<Option<Elements>, Fault> {
        let elements = vector.elements().unwrap_or(std::slice::from_ref(vector));
        let mut found = Elements { width: 0, doubles: Vec::with_capacity(elements.len()) };
        for element in elements {
            match (element, element.as_f64()) {
                (Value::Float { width, .. }, Some(value)) => {
                    found.width = *width;
                    found.doubles.push(value);
                }
                (Value::Undefined, _) => return Ok(None),
                _ => return Err(wrong()),
            }
        }
        Ok(Some(found))
    }
}

/// The width and the columns of a square matrix; `None` if an entry is undefined.
fn matrix(operands: &[&Value]) -> Result<Option<(u8, Columns)>, Fault> {
    let &[matrix] = operands else { return Err(wrong()) };
    if matrix.is_undefined() {
        return Ok(None);
    }
    let columns = matrix.elements().ok_or_else(wrong)?.iter().map(Elements::of);
    let Some(columns) = columns.collect::<Result<Option<Vec<Elements>>, Fault>>()? else { return Ok(None) };
    let (width, size) = (columns.first().ok_or_else(wrong)?.width, columns.len());
    match size <= 4 && columns.iter().all(|column| column.doubles.len() == size) {
        true => Ok(Some((width, columns.into_iter().map(|column| column.doubles).collect()))),
        false => Err(wrong()),
    }
}

/// Vectors of one length.
fn vectors<const COUNT: usize>(operands: &[&Value]) -> Found<COUNT> {
    let found = operands.iter().map(|operand| Elements::of(operand));
    let Some(found) = found.collect::<Result<Option<Vec<Elements>>, Fault>>()? else { return Ok(None) };
    let width = found.first().ok_or_else(wrong)?.width;
    let vectors = found.into_iter().map(|vector| vector.doubles).collect::<Columns>();
    let vectors: [Vec<f64>; COUNT] = vectors.try_into().map_err(|_| wrong())?;
    match vectors.iter().all(|vector| vector.len() == vectors[0].len()) {
        true => Ok(Some((width, vectors))),
        false => Err(wrong()),
    }
}

/// A vector if `like` is one, otherwise a scalar.
fn shaped(like: &Value, mut elements: impl Iterator<Item = Value>) -> Value {
    match like {
        Value::Composite(_) => Value::composite(elements.collect()),
        _ => elements.next().unwrap_or(Value::Undefined),
    }
}

fn wrong() -> Fault {
    Fault::operands(Op::ExtInst)
}
