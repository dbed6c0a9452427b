//! Products of vectors and matrices. A matrix is a composite of its columns.
//!
//! Sums are computed from the first element to the last; each product and each sum is rounded.

use reconverge_ir::Op;

use crate::Value;
use crate::compute::arithmetic::float;
use crate::compute::lift::{binary, float_pair};
use crate::fault::Fault;

/// Evaluates a product with a vector or matrix operand.
pub(crate) fn evaluate(op: Op, operands: &[&Value]) -> Result<Value, Fault> {
    let &[a, b] = operands else { return Err(Fault::op(op)) };
    if a.is_undefined() || b.is_undefined() {
        return Ok(Value::Undefined);
    }
    match op {
        Op::VectorTimesScalar => scaled(op, a, b),
        Op::MatrixTimesScalar => each(op, a, |column| scaled(op, column, b)),
        Op::VectorTimesMatrix => each(op, b, |column| dot(op, a, column)),
        Op::MatrixTimesVector => transform(op, a, b),
        Op::MatrixTimesMatrix => each(op, b, |column| transform(op, a, column)),
        Op::OuterProduct => each(op, b, |element| scaled(op, a, element)),
        Op::Dot => dot(op, a, b),
        _ => Err(Fault::op(op)),
    }
}

/// The matrix whose columns are the rows of another.
pub(crate) fn transpose(matrix: &Value) -> Result<Value, Fault> {
    let op = Op::Transpose;
    let Value::Composite(columns) = matrix else {
        return if matrix.is_undefined() { Ok(Value::Undefined) } else { Err(Fault::operands(op)) };
    };
    // The length of an undefined column is not known.
    let Some(rows) = columns.iter().find_map(|column| column.elements()).map(<[Value]>::len) else {
        return Ok(Value::Undefined);
    };
    let entry = |column: &Value, row: usize| match column {
        Value::Composite(elements) => elements.get(row).cloned().ok_or_else(|| Fault::operands(op)),
        _ => Ok(Value::Undefined),
    };
    let row = |row| columns.iter().map(|column| entry(column, row)).collect::<Result<Vec<Value>, Fault>>();
    (0..rows).map(|index| row(index).map(Value::composite)).collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
}

/// The sum of the products of the elements.
pub(crate) fn dot(op: Op, a: &Value, b: &Value) -> Result<Value, Fault> {
    match binary(op, a, b, multiply(op))? {
        Value::Composite(products) => {
            let mut products = products.iter().cloned();
            let first = products.next().ok_or_else(|| Fault::operands(op))?;
            products.try_fold(first, |sum, product| add(op)(&sum, &product))
        }
        product => Ok(product),
    }
}

fn transform(op: Op, matrix: &Value, vector: &Value) -> Result<Value, Fault> {
    let (Value::Composite(columns), Value::Composite(elements)) = (matrix, vector) else {
        let undefined = matrix.is_undefined() || vector.is_undefined();
        return if undefined { Ok(Value::Undefined) } else { Err(Fault::operands(op)) };
    };
    if columns.len() != elements.len() {
        return Err(Fault::operands(op));
    }
    let mut sum: Option<Value> = None;
    for (column, element) in columns.iter().zip(elements.iter()) {
        let part = scaled(op, column, element)?;
        sum = Some(match sum {
            Some(sum) => binary(op, &sum, &part, add(op))?,
            None => part,
        });
    }
    sum.ok_or_else(|| Fault::operands(op))
}

fn scaled(op: Op, vector: &Value, factor: &Value) -> Result<Value, Fault> {
    each(op, vector, |element| multiply(op)(element, factor))
}

fn each(op: Op, value: &Value, operation: impl Fn(&Value) -> Result<Value, Fault>) -> Result<Value, Fault> {
    match value {
        Value::Composite(elements) => {
            elements.iter().map(operation).collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
        }
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(op)),
    }
}

fn multiply(op: Op) -> impl Fn(&Value, &Value) -> Result<Value, Fault> {
    float_pair(op, |width, a, b| float(Op::FMul, width, a, b))
}

fn add(op: Op) -> impl Fn(&Value, &Value) -> Result<Value, Fault> {
    float_pair(op, |width, a, b| float(Op::FAdd, width, a, b))
}
