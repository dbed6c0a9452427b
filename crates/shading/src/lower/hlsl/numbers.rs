//! Numbers where HLSL differs from C: products of matrices are functions, logic of vectors differs between HLSL 2018 and 2021, so it goes by
//! component, and infinities have no literal.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::{Body, Numbers};
use crate::syntax::{Arguments, Binary, Callee, Effects, Expr, Literal, Scalar, ScalarKind, Shape, Type};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// A number that is infinite or NaN, from its bits.
    pub(in crate::lower) fn hlsl_special_float(
        &mut self,
        bits: u64,
        ty: Type,
        place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let width = self.text.types.scalar(ty).map_or(32, |scalar| scalar.width);
        let (name, arguments): (_, Arguments) = match width {
            16 => {
                let short = self.text.types.numbers(Scalar { kind: ScalarKind::Uint, width: 16 }, 1);
                ("asfloat16", std::iter::once(self.literal(Literal::Uint(bits & 0xffff), short)).collect())
            }
            32 => ("asfloat", std::iter::once(self.word(bits as u32)).collect()),
            64 => {
                let words = [self.word(bits as u32), self.word((bits >> 32) as u32)];
                ("asdouble", words.into_iter().collect())
            }
            _ => return self.refuse(WriteCode::Constant, place, "a NaN or an infinity as a constant"),
        };
        Ok(self.text.expressions.add(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty, Effects::PURE))
    }

    /// Returns whether the shader model has numbers of a type.
    pub(in crate::lower) fn hlsl_has_scalar(&mut self, scalar: Scalar, _place: Inst) -> bool {
        let hlsl = self.target.hlsl();
        match (scalar.kind, scalar.width) {
            (ScalarKind::Bool, _) | (_, 32) | (ScalarKind::Float, 64) => true,
            (_, 64) => hlsl.has(6, 0),
            (_, 16) => hlsl.has(6, 2),
            _ => false,
        }
    }
}

impl Body<'_, '_> {
    /// The remainder with the sign of the dividend.
    pub(in crate::lower) fn hlsl_signed_remainder(&mut self, left: Expr, right: Expr, ty: Type) -> Expr {
        self.binary(Binary::Remainder, left, right, ty)
    }

    /// Instructions on numbers that other languages spell in another way. Returns whether it is one.
    ///
    /// # Errors
    /// The shader model has no such instruction.
    pub(super) fn hlsl_number_op(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.source.op(inst);
        let operands: Vec<Inst> = self.source.operands(inst).collect();
        if operands.iter().any(|&operand| self.source.ty(operand).is_none()) || self.source.ty(inst).is_none() {
            return Ok(false);
        }
        let ty = self.cx.type_of(inst)?;
        let value = match (op, &operands[..]) {
            (Op::IAddCarry | Op::ISubBorrow, &[left, right]) => {
                self.carried(inst, op, [left, right])?;
                return Ok(true);
            }
            (Op::UMulExtended | Op::SMulExtended, &[left, right]) => {
                self.long_product(inst, op, [left, right])?;
                return Ok(true);
            }
            (Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract, _) => {
                self.bit_field(inst, op, &operands)?
            }
            (Op::BitReverse, &[operand]) => self.bits_by("reversebits", operand, inst)?,
            (Op::BitCount, &[operand]) => self.bits_by("countbits", operand, inst)?,
            (Op::FMod, &[left, right]) => self.remainder_by("floor", [left, right], ty)?,
            (Op::FRem, _) => self.function_of("fmod", &operands, ty)?,
            (Op::Dot, _) => self.function_of("dot", &operands, ty)?,
            (Op::OuterProduct, &[left, right]) => self.outer_product([left, right], ty)?,
            (Op::Any, _) => self.function_of("any", &operands, ty)?,
            (Op::All, _) => self.function_of("all", &operands, ty)?,
            (Op::IsNan, _) => self.function_of("isnan", &operands, ty)?,
            (Op::IsInf, _) => self.function_of("isinf", &operands, ty)?,
            // The rows of the text are the columns of the module.
            (Op::VectorTimesMatrix | Op::MatrixTimesVector | Op::MatrixTimesMatrix, &[left, right]) => {
                self.function_of("mul", &[right, left], ty)?
            }
            (Op::QuantizeToF16, &[operand]) => {
                let value = self.value(operand)?;
                let numbers = Numbers { scalar: Scalar::UINT, ..self.numbers_of(value) };
                let words = self.type_of_numbers(numbers);
                let packed = self.call("f32tof16", &[value], words);
                self.call("f16tof32", &[packed], ty)
            }
            (Op::ExpectKHR, &[value, _]) => self.value(value)?,
            _ => match self.logic_op(inst, op, &operands)? {
                Some(value) => value,
                None => return Ok(false),
            },
        };
        self.define(inst, value)?;
        Ok(true)
    }

    /// Logic of vectors, and the remainder of signed integers; `None` for other ops.
    fn logic_op(&mut self, inst: Inst, op: Op, operands: &[Inst]) -> Result<Option<Expr>, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        Ok(Some(match (op, operands) {
            (Op::SRem, &[left, right]) => {
                let (left, right) = (self.value_as(left, ScalarKind::Int)?, self.value_as(right, ScalarKind::Int)?);
                let own = self.type_of(left);
                let remainder = self.signed_remainder(left, right, own);
                self.as_result(inst, remainder)?
            }
            (Op::LogicalNot, &[operand]) => {
                let operand = self.value(operand)?;
                self.logical_not(operand)
            }
            (Op::LogicalEqual | Op::LogicalNotEqual, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let operator = if op == Op::LogicalEqual { Binary::Equal } else { Binary::NotEqual };
                self.binary(operator, left, right, ty)
            }
            (Op::LogicalAnd | Op::LogicalOr, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let operator = if op == Op::LogicalAnd { Binary::And } else { Binary::Or };
                self.both(operator, left, right, ty)?
            }
            _ => return Ok(None),
        }))
    }

    /// A sum with its carry, a difference with its borrow.
    ///
    /// ```text
    /// uint sum = x + y; uint carry = uint(sum < x);
    /// ```
    fn carried(&mut self, inst: Inst, op: Op, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let [left, right] = operands.map(|operand| self.value_as(operand, ScalarKind::Uint));
        let (left, right) = (left?, right?);
        let numbers = self.numbers_of(left);
        let own = self.type_of(left);
        let boolean = self.type_of_numbers(Numbers { scalar: Scalar::BOOL, ..numbers });
        let (left, right) = (self.repeated(left), self.repeated(right));
        let operator = if op == Op::IAddCarry { Binary::Add } else { Binary::Subtract };
        let (x, y) = (self.local(left), self.local(right));
        let low = self.binary(operator, x, y, own);
        let low = self.name_value(low);
        let compared = match op {
            Op::IAddCarry => [self.local(low), self.local(left)],
            _ => [self.local(left), self.local(right)],
        };
        let is_over = self.binary(Binary::Less, compared[0], compared[1], boolean);
        let high = self.construct([is_over], own);
        let high = self.name_value(high);
        self.define_two(inst, [low, high])
    }

    /// A product with its high half, through numbers of twice the width.
    fn long_product(&mut self, inst: Inst, op: Op, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let kind = if op == Op::SMulExtended { ScalarKind::Int } else { ScalarKind::Uint };
        let [left, right] = operands.map(|operand| self.value_as(operand, kind));
        let (left, right) = (left?, right?);
        let numbers = self.numbers_of(left);
        if numbers.scalar.width != 32 || !self.cx.target.hlsl().has(6, 0) {
            let message =
                format!("{} of {} bits in this shader model; 6.0 has 32 bits", op.name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let own = self.type_of(left);
        let long = Scalar { kind, width: 64 };
        let wide = self.type_of_numbers(Numbers { scalar: long, ..numbers });
        let (left, right) = (self.construct([left], wide), self.construct([right], wide));
        let product = self.binary(Binary::Multiply, left, right, wide);
        let product = self.name_value(product);
        let whole = self.local(product);
        let low = self.construct([whole], own);
        let low = self.name_value(low);
        let (whole, bits) = (self.local(product), self.splat(32, Numbers { scalar: long, ..numbers }));
        let high = self.binary(Binary::ShiftRight, whole, bits, wide);
        let high = self.construct([high], own);
        let high = self.name_value(high);
        self.define_two(inst, [low, high])
    }
}
