//! The value of an operation on constants.
//!
//! ```text
//! %a: %v2u = constant_composite %one, %two
//! %b = i_add %a, %a            ⇒  (2, 4)
//! %c = composite_extract %b 1  ⇒  4
//! ```
//!
//! Constants are scalars, and vectors, matrices, arrays and structs of them (`constant.rs`). `evaluate.rs` computes operations on scalars;
//! here they are extended to vectors. A value is known only if every device that follows SPIR-V computes it, or may: see there about
//! floats. Specialization constants have no value before a pipeline is built, and undefined values have none at all: each use of one may be
//! different, so an operation with such an operand is not known.
//!
//! Constants are bounded ([`Constant::LEAF_LIMIT`], [`Constant::DEPTH_LIMIT`]), so that folding takes bounded time.

mod composites;
mod constant;
mod evaluate;
mod scalar;

use reconverge_ir::{Class, Inst, Module, Op, OpGroup};
use smallvec::SmallVec;
use spirv::Decoration;

pub use constant::Constant;
pub use evaluate::evaluate_scalars;
pub use scalar::{Scalar, ScalarKind, mask, signed};

/// The maximum number of operands of a folded operation.
const OPERAND_LIMIT: usize = Constant::LEAF_LIMIT;
/// Decorations under which a conversion gives another result.
const CONVERSION_DECORATIONS: [Decoration; 2] = [Decoration::SaturatedConversion, Decoration::FPRoundingMode];

/// Returns whether [`fold`] may compute the value of this op.
pub fn is_foldable(op: Op) -> bool {
    matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion | Class::Composite)
}

/// The value of an instruction, if it is known. `value` returns the operands; it is not called for literals.
pub fn fold(module: &Module, inst: Inst, mut value: impl FnMut(Inst) -> Option<Constant>) -> Option<Constant> {
    let op = module.op(inst);
    if !is_foldable(op) || module.operand_count(inst) > OPERAND_LIMIT || is_decorated_conversion(module, inst) {
        return None;
    }
    let (mut operands, mut literals) = (SmallVec::<[Constant; 4]>::new(), SmallVec::<[u32; 4]>::new());
    for operand in module.operands(inst) {
        match module.op(operand).is_literal() {
            true => literals.push(module.literal_word(operand)?),
            false => operands.push(value(operand)?),
        }
    }
    evaluate(module, op, module.ty(inst)?, &operands, &literals)
}

/// The result of an operation for constants and literals, in operand order, if it is known.
pub fn evaluate(module: &Module, op: Op, ty: Inst, operands: &[Constant], literals: &[u32]) -> Option<Constant> {
    if let Some(result) = composites::evaluate(module, op, ty, operands, literals) {
        return result;
    }
    match (op, operands) {
        (Op::Any | Op::All, [vector]) => quantify(op, vector),
        (op, [left, right]) if op.group() == OpGroup::WideArithmetic => wide(module, op, ty, left, right),
        (Op::VectorTimesScalar, _) => lifted(module, Op::FMul, ty, operands),
        _ => lifted(module, op, ty, operands),
    }
}

fn is_decorated_conversion(module: &Module, inst: Inst) -> bool {
    module.op(inst).class() == Class::Conversion
        && CONVERSION_DECORATIONS.iter().any(|&kind| module.decorated(inst).has(kind))
}

/// Evaluates an operation on scalars, or on vectors component by component. A scalar among vectors is used for all components.
fn lifted(module: &Module, op: Op, ty: Inst, operands: &[Constant]) -> Option<Constant> {
    if let Some(kind) = ScalarKind::of(module, ty) {
        let scalars: Option<SmallVec<[Scalar; 4]>> = operands.iter().map(Constant::as_scalar).collect();
        return evaluate_scalars(op, kind, &scalars?).map(Constant::Scalar);
    }
    let (component, count) = constant::vector_shape(module, ty)?;
    let kind = ScalarKind::of(module, component)?;
    let component = |index: usize| {
        let scalars = operands.iter().map(|operand| match operand {
            Constant::Scalar(scalar) => Some(*scalar),
            Constant::Composite(_) => operand.elements().filter(|parts| parts.len() == count)?[index].as_scalar(),
        });
        let scalars: Option<SmallVec<[Scalar; 4]>> = scalars.collect();
        evaluate_scalars(op, kind, &scalars?).map(Constant::Scalar)
    };
    Constant::composite((0..count).map(component).collect::<Option<Vec<Constant>>>()?)
}

fn quantify(op: Op, vector: &Constant) -> Option<Constant> {
    let parts = vector.elements()?;
    let bools: Option<SmallVec<[bool; 4]>> = parts.iter().map(|part| part.as_scalar()?.as_bool()).collect();
    let bools = bools?;
    let holds = if op == Op::Any { bools.contains(&true) } else { !bools.contains(&false) };
    Some(Constant::Scalar(Scalar::bool(holds)))
}

/// A struct of the low and the high halves.
fn wide(module: &Module, op: Op, ty: Inst, left: &Constant, right: &Constant) -> Option<Constant> {
    if module.op(ty) != Op::TypeStruct {
        return None;
    }
    let pairs: Option<Vec<[Scalar; 2]>> = match (left, right) {
        (Constant::Scalar(left), Constant::Scalar(right)) => {
            let [low, high] = evaluate::wide(op, *left, *right)?.map(Constant::Scalar);
            return Constant::composite(vec![low, high]);
        }
        _ => {
            let parts = left.elements()?.iter().zip(right.elements()?);
            parts.map(|(left, right)| evaluate::wide(op, left.as_scalar()?, right.as_scalar()?)).collect()
        }
    };
    let pairs = pairs?;
    let half = |index: usize| Constant::composite(pairs.iter().map(|pair| Constant::Scalar(pair[index])).collect());
    Constant::composite(vec![half(0)?, half(1)?])
}
