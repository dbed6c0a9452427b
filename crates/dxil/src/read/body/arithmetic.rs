//! Arithmetic, conversions, comparisons, selection.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::error::Code;
use crate::module::{BinaryFlags, BinaryOp, CastOp, FloatFlags, FloatPredicate, IntPredicate, Operation, Type, TypeId};
use crate::read::casts::is_legal_cast;
use crate::read::operands::Operands;

/// Operations on integers, by number.
const INTEGER: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];

/// Operations on floating-point numbers, by number; those without sign do not exist.
const FLOAT: [Option<BinaryOp>; 7] = [
    Some(BinaryOp::FAdd),
    Some(BinaryOp::FSub),
    Some(BinaryOp::FMul),
    None,
    Some(BinaryOp::FDiv),
    None,
    Some(BinaryOp::FRem),
];

/// The number of the first comparison of integers.
const FIRST_INT_PREDICATE: u64 = 32;

impl Body<'_, '_> {
    /// `[lhs, rhs, operation, (flags)]`
    pub(super) fn binary(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (lhs, ty) = self.typed(&mut operands)?;
        let rhs = self.of_type(ty, &mut operands)?;
        let scalar = self.types().scalar(ty);
        let op = if self.types().is_integer(scalar) {
            operands.choice(&INTEGER, "an operation on integers")?
        } else {
            Self::require(self.types().is_float(scalar), "numbers of the same type", &operands)?;
            let op = operands.choice(&FLOAT, "an operation on floating-point numbers")?;
            op.ok_or_else(|| operands.error(Code::Record, "expected an operation on floating-point numbers"))?
        };
        let flags = if operands.left() > 0 { operands.number("flags")? } else { 0 };
        self.push(Operation::Binary { op, flags: binary_flags(op, flags), lhs, rhs }, ty, &operands)
    }

    /// `[value, type, operation]`
    pub(super) fn cast(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (value, from) = self.typed(&mut operands)?;
        let to = self.first_class(&mut operands)?;
        let op = operands.choice(CastOp::ALL, "a conversion")?;
        let is_legal = is_legal_cast(self.types(), op, from, to);
        Self::require(is_legal, &format!("types that `{}` converts between", op.name()), &operands)?;
        self.push(Operation::Cast { op, value }, to, &operands)
    }

    /// `[lhs, rhs, predicate, (flags)]`
    pub(super) fn compare(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (lhs, ty) = self.typed(&mut operands)?;
        let rhs = self.of_type(ty, &mut operands)?;
        let result = self.boolean_like(ty);
        let scalar = self.types().scalar(ty);
        let operation = if self.types().is_float(scalar) {
            let predicate = operands.choice(FloatPredicate::ALL, "a comparison of floating-point numbers")?;
            let flags = if operands.left() > 0 { operands.number("flags")? } else { 0 };
            Operation::FloatCompare { predicate, flags: float_flags(flags), lhs, rhs }
        } else {
            let is_comparable = matches!(self.types()[scalar], Type::Integer { .. } | Type::Pointer { .. });
            Self::require(is_comparable, "numbers or pointers of the same type", &operands)?;
            let number = operands.number("a comparison")?;
            let index = number.checked_sub(FIRST_INT_PREDICATE).and_then(|index| usize::try_from(index).ok());
            let Some(&predicate) = index.and_then(|index| IntPredicate::ALL.get(index)) else {
                return Err(
                    operands.error(Code::Record, format!("expected a comparison of integers, found number {number}"))
                );
            };
            Operation::IntCompare { predicate, lhs, rhs }
        };
        self.push(operation, result, &operands)
    }

    /// `[if true, if false, condition]`.
    pub(super) fn select(&mut self, mut operands: Operands<'_>, form: Condition) -> Result<(), Diagnostic> {
        let (if_true, ty) = self.typed(&mut operands)?;
        let if_false = self.of_type(ty, &mut operands)?;
        let (condition, condition_type) = match form {
            Condition::Typed => self.typed(&mut operands)?,
            Condition::Boolean => (self.of_type(self.boolean, &mut operands)?, self.boolean),
        };
        let is_legal = condition_type == self.boolean
            || self.types().vector_length(ty).is_some() && condition_type == self.boolean_like(ty);
        Self::require(is_legal, "a boolean, or as many booleans as the values have elements", &operands)?;
        self.push(Operation::Select { condition, if_true, if_false }, ty, &operands)
    }

    /// A boolean, or a vector of them, one for each element of a type.
    fn boolean_like(&mut self, ty: TypeId) -> TypeId {
        match self.types().vector_length(ty) {
            Some(length) => self.reader.module.types.intern(Type::Vector { element: self.boolean, length }),
            None => self.boolean,
        }
    }
}

/// The form of the condition of a `select`.
#[derive(Clone, Copy)]
pub(super) enum Condition {
    /// A boolean.
    Boolean,
    /// A value with its type: a boolean or a vector of them.
    Typed,
}

fn binary_flags(op: BinaryOp, flags: u64) -> BinaryFlags {
    let (first, second) = (flags & 1 != 0, flags & 2 != 0);
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
            BinaryFlags { no_unsigned_wrap: first, no_signed_wrap: second, ..BinaryFlags::default() }
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => {
            BinaryFlags { is_exact: first, ..BinaryFlags::default() }
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            BinaryFlags { float: float_flags(flags), ..BinaryFlags::default() }
        }
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => BinaryFlags::default(),
    }
}

fn float_flags(flags: u64) -> FloatFlags {
    let is_fast = flags & 1 != 0;
    FloatFlags {
        is_fast,
        no_nan: is_fast || flags & 2 != 0,
        no_infinity: is_fast || flags & 4 != 0,
        no_signed_zero: is_fast || flags & 8 != 0,
        allow_reciprocal: is_fast || flags & 16 != 0,
    }
}
