//! Scalars and the results of operations on them that are the same on every device.
//!
//! Constant folding may choose among the results that devices are allowed to return; here a count depends on the results that they do
//! return. Vulkan leaves open how a device rounds, whether it flushes subnormal numbers, and how it treats infinities, NaN and the sign of
//! zero. So no result that had to be rounded is known, and no subnormal, infinite or NaN value, constants included; the bits of a zero are
//! not known either. Then all modes agree, and none has to be considered. Division is inexact on devices and has no result.

use reconverge_ir::{Inst, Module, Op};

use super::Specialization;
use crate::constant_folding::evaluate_scalars;
pub(super) use crate::constant_folding::{Scalar, ScalarKind, mask, signed};

/// The value of a constant; for a specialization constant, its default if `specialization` allows it.
pub(super) fn scalar_of(module: &Module, constant: Inst, specialization: Specialization) -> Option<Scalar> {
    let kind = ScalarKind::of(module, module.ty(constant)?)?;
    let op = module.op(constant);
    if op.is_specialization_constant() && specialization == Specialization::Open {
        return None;
    }
    let scalar = match op {
        Op::ConstantTrue | Op::SpecConstantTrue => Scalar::new(kind, 1),
        Op::ConstantFalse | Op::SpecConstantFalse | Op::ConstantNull => Scalar::new(kind, 0),
        Op::Constant | Op::SpecConstant => Scalar::from_words(kind, module.constant_words(constant)?)?,
        _ => return None,
    };
    is_kept(scalar).then_some(scalar)
}

/// The result of an instruction for these operands; `None` if it is unknown or not the same everywhere.
pub(super) fn evaluate(op: Op, result: ScalarKind, operands: &[Scalar]) -> Option<Scalar> {
    let sees_sign = matches!(op, Op::Bitcast | Op::SignBitSet);
    let is_certain = |scalar: &Scalar| is_kept(*scalar) && !(sees_sign && scalar.as_float() == Some(0.0));
    let is_known = op != Op::FDiv && operands.iter().all(is_certain);
    is_known.then(|| evaluate_scalars(op, result, operands)).flatten().filter(|&scalar| is_kept(scalar))
}

/// Returns whether every device preserves a value.
fn is_kept(scalar: Scalar) -> bool {
    !matches!(scalar.kind, ScalarKind::Float(_)) || scalar.as_float().is_some()
}
