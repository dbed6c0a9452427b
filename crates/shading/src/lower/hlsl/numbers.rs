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
            // The text has 32 bits for 8: `narrow.rs`.
            (ScalarKind::Bool, _) | (_, 32 | 8) | (ScalarKind::Float, 64) => true,
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

    /// An instruction on numbers that the language spells in its own way.
    pub(in crate::lower) fn hlsl_number(
        &mut self,
        inst: Inst,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(Some(match (self.source.op(inst), operands) {
            (Op::FRem, _) => self.function_of("fmod", operands, ty)?,
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
            _ => return Ok(None),
        }))
    }

    /// An instruction on the bits of integers.
    pub(in crate::lower) fn hlsl_bit_op(&mut self, inst: Inst, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        match (self.source.op(inst), operands) {
            (Op::BitReverse, &[operand]) => self.bits_by("reversebits", operand, inst),
            (Op::BitCount, &[operand]) => self.bits_by("countbits", operand, inst),
            (op, _) => self.bit_field(inst, op, operands),
        }
    }

    /// A sum with its carry, a product with its high half.
    pub(in crate::lower) fn hlsl_two_parts(&mut self, inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::IAddCarry | Op::ISubBorrow => self.carried(inst, operands),
            op => self.long_product(inst, op, operands),
        }
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
