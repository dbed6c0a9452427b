//! Instructions that depend on their operands alone, by class.

use reconverge_ir::{Class, Op};

use crate::outcome::Fault;
use crate::types::{TypeId, TypeTable};
use crate::{Value, arithmetic, bits, compare, composite, conversion};

/// What is done, without the values it is done to.
pub(crate) struct Operation<'a> {
    pub(crate) op: Op,
    /// The type of the result.
    pub(crate) ty: TypeId,
    /// The words of the operands that are literals.
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
