//! Numbers where GLSL differs from C: comparisons and logic of vectors are functions, remainders of negative integers are undefined, and
//! infinities have no literal.

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
    pub(in crate::lower) fn glsl_special_float(
        &mut self,
        bits: u64,
        ty: Type,
        place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let width = self.text.types.scalar(ty).map_or(32, |scalar| scalar.width);
        let (name, argument) = match width {
            16 => {
                let short = self.text.types.numbers(Scalar { kind: ScalarKind::Uint, width: 16 }, 1);
                ("uint16BitsToFloat16", self.literal(Literal::Uint(bits & 0xffff), short))
            }
            32 => ("uintBitsToFloat", self.word(bits as u32)),
            64 => {
                let words = [self.word(bits as u32), self.word((bits >> 32) as u32)];
                let pair = self.text.types.numbers(Scalar::UINT, 2);
                let pair =
                    self.text.expressions.add(Shape::Construct(words.into_iter().collect()), pair, Effects::PURE);
                ("packDouble2x32", pair)
            }
            _ => return self.refuse(WriteCode::Constant, place, "a NaN or an infinity as a constant"),
        };
        let arguments: Arguments = std::iter::once(argument).collect();
        Ok(self.text.expressions.add(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty, Effects::PURE))
    }

    /// Returns whether the language has numbers of a type, and notes the extension that it needs.
    pub(in crate::lower) fn glsl_has_scalar(&mut self, scalar: Scalar, place: Inst) -> bool {
        self.note_scalar(scalar, place)
    }
}

impl Body<'_, '_> {
    /// A comparison of numbers of one type.
    pub(in crate::lower) fn glsl_compare_by(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        if self.numbers_of(left).size == 1 {
            return Ok(self.binary(operator, left, right, ty));
        }
        let name = match operator {
            Binary::Less => "lessThan",
            Binary::LessEqual => "lessThanEqual",
            Binary::Greater => "greaterThan",
            Binary::GreaterEqual => "greaterThanEqual",
            Binary::Equal => "equal",
            _ => "notEqual",
        };
        Ok(self.call(name, &[left, right], ty))
    }

    /// The opposite of a condition.
    pub(in crate::lower) fn glsl_logical_not(&mut self, operand: Expr) -> Expr {
        if self.numbers_of(operand).size == 1 {
            return self.unary(Unary::Not, operand);
        }
        let ty = self.type_of(operand);
        self.call("not", &[operand], ty)
    }

    /// `x - y * (x / y)`: the remainder with the sign of the dividend. `%` is undefined for negative operands.
    pub(in crate::lower) fn glsl_signed_remainder(&mut self, left: Expr, right: Expr, ty: Type) -> Expr {
        let (left, right) = (self.repeated(left), self.repeated(right));
        let (dividend, divisor) = (self.local(left), self.local(right));
        let quotient = self.binary(Binary::Divide, dividend, divisor, ty);
        let divisor = self.local(right);
        let whole = self.binary(Binary::Multiply, divisor, quotient, ty);
        let dividend = self.local(left);
        self.binary(Binary::Subtract, dividend, whole, ty)
    }

    /// The first value where a component of the condition holds, the second elsewhere.
    pub(in crate::lower) fn glsl_choose_components(
        &mut self,
        condition: Expr,
        accept: Expr,
        reject: Expr,
    ) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of(accept);
        let ty = self.type_of(accept);
        let glsl = self.cx.target.glsl();
        let has_mix = match numbers.scalar.kind {
            ScalarKind::Float => true,
            _ => glsl.has(450, 310),
        };
        if has_mix {
            return Ok(self.call("mix", &[reject, accept, condition], ty));
        }
        self.choose_by_component(condition, accept, reject)
    }

    /// An instruction on numbers that the language spells in its own way.
    pub(in crate::lower) fn glsl_number(
        &mut self,
        inst: Inst,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(Some(match (self.source.op(inst), operands) {
            (Op::FMod, _) => self.function_of("mod", operands, ty)?,
            (Op::FRem, &[left, right]) => self.remainder_by("trunc", [left, right], ty)?,
            (Op::OuterProduct, _) => self.function_of("outerProduct", operands, ty)?,
            (Op::QuantizeToF16, &[operand]) => self.quantized(operand, ty)?,
            _ => return Ok(None),
        }))
    }

    /// The nearest value that 16 bits can hold: packed and unpacked.
    fn quantized(&mut self, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        self.by_pairs(value, ty, |body, pair| {
            let word = body.cx.text.types.numbers(Scalar::UINT, 1);
            let pair_type = body.type_of(pair);
            let packed = body.call("packHalf2x16", &[pair], word);
            body.call("unpackHalf2x16", &[packed], pair_type)
        })
    }

    /// Computes numbers in pairs, of which the last is filled up with zero.
    pub(in crate::lower) fn by_pairs(
        &mut self,
        value: Expr,
        ty: Type,
        compute: impl Fn(&mut Self, Expr) -> Expr,
    ) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of(value);
        let name = self.repeated(value);
        let pair_type = self.type_of_numbers(Numbers { size: 2, ..numbers });
        let mut parts = Vec::new();
        for first in (0..numbers.size).step_by(2) {
            let whole = self.local(name);
            if first + 1 < numbers.size {
                let pair = if numbers.size == 2 { whole } else { self.swizzle(whole, &[first, first + 1]) };
                parts.push(compute(self, pair));
            } else {
                let one = if numbers.size == 1 { whole } else { self.swizzle(whole, &[first]) };
                let zero = self.splat(0, Numbers { size: 1, ..numbers });
                let pair = self.construct([one, zero], pair_type);
                let computed = compute(self, pair);
                parts.push(self.swizzle(computed, &[0]));
            }
        }
        Ok(match parts[..] {
            [only] => only,
            _ => self.construct(parts, ty),
        })
    }

    /// Results in two parts: a sum with its carry, a product with its high half.
    ///
    /// ```text
    /// uint carry; uint sum = uaddCarry(x, y, carry);      uint high, low; umulExtended(x, y, high, low);
    /// ```
    pub(in crate::lower) fn glsl_two_parts(&mut self, inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let kind = if op == Op::SMulExtended { ScalarKind::Int } else { ScalarKind::Uint };
        let [left, right] = operands.map(|operand| self.value_as(operand, kind));
        let (left, right) = (left?, right?);
        let numbers = self.numbers_of(left);
        if numbers.scalar.width != 32 {
            let message = format!("{} of {} bits in GLSL", op.name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let own = self.type_of(left);
        let void = self.cx.text.types.of(TypeShape::Void);
        let written = Effects::WRITES;
        let (low, high) = match op {
            Op::IAddCarry | Op::ISubBorrow => {
                let is_sum = op == Op::IAddCarry;
                let carry = self.variable(if is_sum { "carry" } else { "borrow" }, own);
                let out = self.local(carry);
                let name = if is_sum { "uaddCarry" } else { "usubBorrow" };
                let sum = self.call_with(name, &[left, right, out], own, written);
                (self.name_value(sum), carry)
            }
            _ => {
                let (high, low) = (self.variable("high", own), self.variable("low", own));
                let outs = [self.local(high), self.local(low)];
                let name = if op == Op::SMulExtended { "imulExtended" } else { "umulExtended" };
                let call = self.call_with(name, &[left, right, outs[0], outs[1]], void, written);
                self.statement(crate::syntax::StatementKind::Expression(call));
                (low, high)
            }
        };
        self.define_two(inst, [low, high])
    }
}
