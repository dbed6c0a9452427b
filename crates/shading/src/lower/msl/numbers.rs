//! Numbers where MSL differs from others: special floats by their bits, choices of vectors, carries, remainders, outer products.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::{Body, Numbers};
use crate::syntax::{
    Arguments, Binary, Callee, Effects, Expr, Literal, Scalar, ScalarKind, Shape, Type, TypeShape, Unary,
};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// A number that is infinite or NaN, from its bits.
    pub(in crate::lower) fn msl_special_float(
        &mut self,
        bits: u64,
        ty: Type,
        _place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let width = self.text.types.scalar(ty).map_or(32, |scalar| scalar.width);
        let unsigned = self.text.types.numbers(Scalar { kind: ScalarKind::Uint, width }, 1);
        let unused = 64 - u32::from(width);
        let literal = self.literal(Literal::Uint(bits << unused >> unused), unsigned);
        let arguments: Arguments = std::iter::once(literal).collect();
        let callee = Callee::Intrinsic("as_type");
        Ok(self.text.expressions.add(Shape::Call { callee, arguments }, ty, Effects::PURE))
    }

    /// Returns whether the language has numbers of a type.
    pub(in crate::lower) fn msl_has_scalar(&mut self, scalar: Scalar, _place: Inst) -> bool {
        match (scalar.kind, scalar.width) {
            (ScalarKind::Float, 64) => false,
            (ScalarKind::Int | ScalarKind::Uint, 64) => self.target.msl().has(2, 2),
            _ => true,
        }
    }
}

impl Body<'_, '_> {
    /// The remainder with the sign of the dividend.
    pub(in crate::lower) fn msl_signed_remainder(&mut self, left: Expr, right: Expr, ty: Type) -> Expr {
        let remainder = self.binary(Binary::Remainder, left, right, ty);
        match self.numbers_of(remainder) {
            Numbers { scalar: Scalar { width: 8 | 16, .. }, size: 1 } => {
                let wide = self.cx.text.types.numbers(Scalar::INT, 1);
                let computed = self.binary(Binary::Remainder, left, right, wide);
                self.construct([computed], ty)
            }
            _ => remainder,
        }
    }

    /// The first value where a component of the condition holds, the second elsewhere.
    pub(in crate::lower) fn msl_choose_components(
        &mut self,
        condition: Expr,
        accept: Expr,
        reject: Expr,
    ) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of(accept);
        let ty = self.type_of(accept);
        if numbers.scalar.kind != ScalarKind::Bool {
            return Ok(self.call("select", &[reject, accept, condition], ty));
        }
        self.choose_by_component(condition, accept, reject)
    }

    /// Instructions on numbers that languages spell in their own way.
    ///
    /// # Errors
    /// The language has no such instruction.
    pub(super) fn msl_number_op(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.source.op(inst);
        let operands: Vec<Inst> = self.source.operands(inst).collect();
        if operands.iter().any(|&operand| self.source.ty(operand).is_none()) || self.source.ty(inst).is_none() {
            return Ok(false);
        }
        let ty = self.cx.type_of(inst)?;
        let value = match (op, &operands[..]) {
            (Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended, &[left, right]) => {
                self.two_parts(inst, op, [left, right])?;
                return Ok(true);
            }
            (Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract | Op::BitReverse | Op::BitCount, _) => {
                self.bits_of(inst, op, &operands)?
            }
            (Op::FMod, &[left, right]) => self.remainder_by("floor", [left, right], ty)?,
            (Op::FRem, _) => self.function_of("fmod", &operands, ty)?,
            (Op::Dot, _) => self.function_of("dot", &operands, ty)?,
            (Op::OuterProduct, &[left, right]) => self.outer_product([left, right], ty)?,
            (Op::Any, _) => self.function_of("any", &operands, ty)?,
            (Op::All, _) => self.function_of("all", &operands, ty)?,
            (Op::IsNan, _) => self.function_of("isnan", &operands, ty)?,
            (Op::IsInf, _) => self.function_of("isinf", &operands, ty)?,
            (Op::VectorTimesMatrix | Op::MatrixTimesVector | Op::MatrixTimesMatrix, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(Binary::Multiply, left, right, ty)
            }
            (Op::SRem, &[left, right]) => {
                let (left, right) = (self.value_as(left, ScalarKind::Int)?, self.value_as(right, ScalarKind::Int)?);
                let own = self.type_of(left);
                let remainder = self.signed_remainder(left, right, own);
                self.as_result(inst, remainder)?
            }
            (Op::LogicalNot, &[operand]) => {
                let operand = self.value(operand)?;
                self.unary(Unary::Not, operand)
            }
            (Op::LogicalAnd | Op::LogicalOr | Op::LogicalEqual | Op::LogicalNotEqual, &[left, right]) => {
                let operator = match op {
                    Op::LogicalAnd => Binary::And,
                    Op::LogicalOr => Binary::Or,
                    Op::LogicalEqual => Binary::Equal,
                    _ => Binary::NotEqual,
                };
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(operator, left, right, ty)
            }
            (Op::QuantizeToF16, &[operand]) => {
                let (value, numbers) = (self.value(operand)?, self.numbers(operand)?);
                let half = Scalar { width: 16, ..numbers.scalar };
                let halves = self.numbers_to(value, half, numbers.size);
                self.construct([halves], ty)
            }
            (Op::ExpectKHR, &[value, _]) => self.value(value)?,
            _ => return Ok(false),
        };
        self.define(inst, value)?;
        Ok(true)
    }

    /// A sum with its carry, a product with its high half.
    ///
    /// ```text
    /// sum = x + y; carry = uint(sum < x);      low = x * y; high = mulhi(x, y);
    /// ```
    fn two_parts(&mut self, inst: Inst, op: Op, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let kind = if op == Op::SMulExtended { ScalarKind::Int } else { ScalarKind::Uint };
        let [left, right] = operands.map(|operand| self.value_as(operand, kind));
        let (left, right) = (left?, right?);
        let numbers = self.numbers_of(left);
        if numbers.scalar.width < 32 {
            let message = format!("{} of {} bits in MSL", op.name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let own = self.type_of(left);
        let (left, right) = (self.repeated(left), self.repeated(right));
        let (one, other) = (self.local(left), self.local(right));
        let conditions = self.cx.text.types.numbers(Scalar::BOOL, numbers.size);
        let (first, second) = match op {
            Op::IAddCarry => {
                let sum = self.binary(Binary::Add, one, other, own);
                let sum = self.name_value(sum);
                let (sum_read, left) = (self.local(sum), self.local(left));
                let wrapped = self.binary(Binary::Less, sum_read, left, conditions);
                (sum, self.construct([wrapped], own))
            }
            Op::ISubBorrow => {
                let difference = self.binary(Binary::Subtract, one, other, own);
                let difference = self.name_value(difference);
                let (left, right) = (self.local(left), self.local(right));
                let wrapped = self.binary(Binary::Less, left, right, conditions);
                (difference, self.construct([wrapped], own))
            }
            _ => {
                let (one, other) = (self.cast(one, ScalarKind::Uint), self.cast(other, ScalarKind::Uint));
                let unsigned = self.type_of(one);
                let low = self.binary(Binary::Multiply, one, other, unsigned);
                let low = self.cast(low, kind);
                let low = self.name_value(low);
                let (left, right) = (self.local(left), self.local(right));
                (low, self.call("mulhi", &[left, right], own))
            }
        };
        let second = self.name_value(second);
        self.define_two(inst, [first, second])
    }

    /// The type without a value.
    pub(super) fn void(&mut self) -> Type {
        self.cx.text.types.of(TypeShape::Void)
    }
}
