//! Numbers where MSL differs from others: special floats by their bits, choices of vectors, carries, remainders, outer products.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::{Body, Numbers};
use crate::syntax::{Arguments, Binary, Callee, Effects, Expr, Literal, Scalar, ScalarKind, Shape, Type, TypeShape};
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

    /// An instruction on numbers that the language spells in its own way.
    pub(in crate::lower) fn msl_number(
        &mut self,
        inst: Inst,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(Some(match (self.source.op(inst), operands) {
            (Op::FRem, _) => self.function_of("fmod", operands, ty)?,
            (Op::QuantizeToF16, &[operand]) => {
                let (value, numbers) = (self.value(operand)?, self.numbers(operand)?);
                let half = Scalar { width: 16, ..numbers.scalar };
                let halves = self.numbers_to(value, half, numbers.size);
                self.construct([halves], ty)
            }
            _ => return Ok(None),
        }))
    }

    /// A sum with its carry, a product with its high half: `mulhi`.
    pub(in crate::lower) fn msl_two_parts(&mut self, inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let (op, width) = (self.source.op(inst), self.numbers(operands[0])?.scalar.width);
        if width < 32 {
            return self.refuse(WriteCode::Op, inst, format!("{} of {width} bits in MSL", op.name()));
        }
        if matches!(op, Op::IAddCarry | Op::ISubBorrow) {
            return self.carried(inst, operands);
        }
        self.product_in_two(inst, operands, |body, both, ty| Ok(body.call("mulhi", &both, ty)))
    }

    /// The type without a value.
    pub(super) fn void(&mut self) -> Type {
        self.cx.text.types.of(TypeShape::Void)
    }
}
