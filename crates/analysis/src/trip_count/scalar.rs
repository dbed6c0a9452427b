//! Scalars and what operations make of them, as far as the result is the same on every device.
//!
//! What folds constants may choose among the results that devices may give; here a count depends on what they do give. Vulkan leaves it
//! open how a device rounds, whether it flushes subnormal numbers, and what it makes of infinities, NaN and the sign of zero: so there is
//! no result that had to be rounded, and no value that is subnormal, infinite or no number, constants among them; the bits of a zero are
//! not known either. Then all modes agree, and none has to be asked about. Division is inexact on devices and has no result.

use reconverge_ir::{Inst, Module, Op};

use super::Specialization;
use crate::constant_folding::evaluate_scalars;
pub(super) use crate::constant_folding::{Scalar, ScalarKind, mask, signed};

/// The value of a constant; that of a specialization constant, if it is taken for its default.
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

/// What an instruction gives for these operands, `None` if that is not known or not the same everywhere.
pub(super) fn evaluate(op: Op, result: ScalarKind, operands: &[Scalar]) -> Option<Scalar> {
    let sees_sign = matches!(op, Op::Bitcast | Op::SignBitSet);
    let is_certain = |scalar: &Scalar| is_kept(*scalar) && !(sees_sign && scalar.as_float() == Some(0.0));
    let is_known = op != Op::FDiv && operands.iter().all(is_certain);
    is_known.then(|| evaluate_scalars(op, result, operands)).flatten().filter(|&scalar| is_kept(scalar))
}

/// Returns whether every device keeps a value as it is.
fn is_kept(scalar: Scalar) -> bool {
    !matches!(scalar.kind, ScalarKind::Float(_)) || scalar.as_float().is_some()
}
