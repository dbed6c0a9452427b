//! Emission of the replacement of a match.

use reconverge_analysis::constant_folding::{Constant, Scalar, evaluate};
use reconverge_ir::{Inst, Module, Op, OpGroup, view};
use smallvec::SmallVec;

use super::Rewritten;
use super::matching::{Bound, component_kind, known_bits};
use super::rule::{Known, Term};
use reconverge_rewrite::constants::constant_inst;

/// The replacement that a rule gives for `root`; `None` if the types do not allow it, or a constant in it is not known.
pub(super) fn apply(module: &mut Module, to: &Term, bound: &Bound, root: Inst) -> Option<Rewritten> {
    let ty = module.ty(root)?;
    match *to {
        Term::Op(op, operands) => {
            let near = operands.iter().find_map(|operand| match operand {
                Term::Value(number) => module.ty(bound.value(*number)?),
                _ => None,
            });
            let values = operands.iter().map(|operand| value(module, operand, bound, near?, ty));
            let values: SmallVec<[Inst; 4]> = values.collect::<Option<_>>()?;
            is_typed(module, op, &values, ty).then_some(Rewritten::New(op, values))
        }
        _ => {
            let value = value(module, to, bound, ty, ty)?;
            (module.ty(value) == Some(ty)).then_some(Rewritten::Value(value))
        }
    }
}

/// The instruction for an operand. A constant that is the same for all types gets the type `near`; `result` is the type of the whole
/// replacement.
fn value(module: &mut Module, term: &Term, bound: &Bound, near: Inst, result: Inst) -> Option<Inst> {
    match term {
        Term::Value(number) => bound.value(*number),
        Term::Constant(number) => bound.constant(*number).map(|(inst, _)| inst),
        Term::Is(_) => {
            let (ty, constant) = constant(module, term, bound, near)?;
            Some(constant_inst(module, ty, &constant))
        }
        Term::Fold(..) => {
            let (ty, constant) = constant(module, term, bound, result)?;
            Some(constant_inst(module, ty, &constant))
        }
        Term::Op(..) => unreachable!("what stands in the place of a pattern holds one operation"),
    }
}

/// The type and value of a constant.
fn constant(module: &Module, term: &Term, bound: &Bound, result: Inst) -> Option<(Inst, Constant)> {
    match term {
        Term::Constant(number) => {
            let (inst, constant) = bound.constant(*number)?;
            Some((module.ty(inst)?, constant.clone()))
        }
        Term::Is(known) => Some((result, known_constant(module, result, *known)?)),
        Term::Fold(op, operands) => {
            let parts: Option<SmallVec<[(Inst, Constant); 2]>> =
                operands.iter().map(|operand| constant(module, operand, bound, result)).collect();
            let parts = parts?;
            let ty = parts.first()?.0;
            let values: SmallVec<[Constant; 2]> = parts.into_iter().map(|(_, constant)| constant).collect();
            Some((ty, evaluate(module, *op, ty, &values, &[])?))
        }
        Term::Value(_) | Term::Op(..) => None,
    }
}

/// A constant in every component of a type.
pub(super) fn known_constant(module: &Module, ty: Inst, known: Known) -> Option<Constant> {
    let kind = component_kind(module, ty)?;
    let scalar = Constant::Scalar(Scalar::new(kind, known_bits(known, kind)?));
    match view::TypeVector::of(module, ty) {
        Some(vector) => Constant::composite(vec![scalar; vector.count as usize]),
        None => Some(scalar),
    }
}

/// Returns whether operands of a match have types that the op allows. Integers may differ in signedness for most ops; booleans and the arms
/// of a select have the type of the result.
fn is_typed(module: &Module, op: Op, operands: &[Inst], ty: Inst) -> bool {
    let is_result = |operand: &Inst| module.ty(*operand) == Some(ty);
    match op {
        Op::Select => operands[view::Select::SLOT.true_value..].iter().all(is_result),
        _ if op.group() == OpGroup::BooleanLogic => operands.iter().all(is_result),
        _ => true,
    }
}
