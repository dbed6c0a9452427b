//! Instructions that depend only on their operands, by class.

pub(crate) mod arithmetic;
mod bits;
mod compare;
pub(crate) mod composite;
pub(crate) mod conversion;
mod integer_dot;
pub(crate) mod lift;
mod matrix;
pub(crate) mod rounding;

use reconverge_ir::{Class, Op};

use crate::Value;
use crate::fault::Fault;
use crate::types::{TypeId, TypeTable};

/// A pure operation, without its operands.
pub(crate) struct Operation<'a> {
    pub(crate) op: Op,
    /// The type of the result.
    pub(crate) ty: TypeId,
    /// The literal operands.
    pub(crate) literals: &'a [u32],
    pub(crate) types: &'a TypeTable,
}

/// The result of an operation.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    match operation.op.class() {
        Class::Arithmetic => arithmetic::evaluate(operation, operands),
        Class::Logical => compare::evaluate(operation.op, operands),
        Class::Bit => bits::evaluate(operation, operands),
        Class::Conversion => conversion::evaluate(operation, operands),
        Class::Composite => composite::evaluate(operation, operands),
        _ => match (operation.op, operands) {
            (Op::ExpectKHR, [value, _]) => Ok((*value).clone()),
            (op, _) => Err(Fault::op(op)),
        },
    }
}
