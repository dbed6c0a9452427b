//! Integers as they are in C++: a signed overflow is undefined, and operands of less than 32 bits are computed with 32.
//!
//! ```text
//! i_add %a, %b: i32      ⇒      int(uint(a) + uint(b)), or a + b where nothing can overflow
//! i_add %a, %b: u16      ⇒      ushort(a + b)
//! ```
//!
//! A sum cannot overflow where the ranges of its operands show it (`ranges.rs`).

use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use super::ranges::Range;
use crate::syntax::{Binary, Expr, Scalar, ScalarKind, Unary};

impl Body<'_, '_> {
    /// An operator on integers of one type.
    pub(in crate::lower) fn msl_integer(&mut self, operator: Binary, left: Expr, right: Expr, place: Inst) -> Expr {
        let numbers = self.numbers_of(left);
        let ty = self.type_of(left);
        let scalar = numbers.scalar;
        if scalar.width < 32 && numbers.size == 1 && scalar.kind != ScalarKind::Bool {
            return self.promoted(operator, left, right);
        }
        let can_wrap = matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft);
        if scalar.kind != ScalarKind::Int || !can_wrap || self.cannot_overflow(operator, place) {
            return self.binary(operator, left, right, ty);
        }
        let left = self.cast(left, ScalarKind::Uint);
        let right = if operator == Binary::ShiftLeft { right } else { self.cast(right, ScalarKind::Uint) };
        let unsigned = self.type_of(left);
        let computed = self.binary(operator, left, right, unsigned);
        self.cast(computed, ScalarKind::Int)
    }

    /// A number of 8 or 16 bits: the operands become numbers of 32 bits, and the result is converted.
    fn promoted(&mut self, operator: Binary, left: Expr, right: Expr) -> Expr {
        let ty = self.type_of(left);
        let is_product = operator == Binary::Multiply
            && self.numbers_of(left).scalar == Scalar { kind: ScalarKind::Uint, width: 16 };
        let wide = if is_product { Scalar::UINT } else { Scalar::INT };
        let wide_type = self.cx.text.types.numbers(wide, 1);
        // 65,535 × 65,535 is no `int`.
        let left = if is_product { self.construct([left], wide_type) } else { left };
        let computed = self.binary(operator, left, right, wide_type);
        self.construct([computed], ty)
    }

    /// An operator before an integer.
    pub(in crate::lower) fn msl_prefix(&mut self, operator: Unary, operand: Expr, place: Inst) -> Expr {
        let numbers = self.numbers_of(operand);
        if numbers.scalar.width < 32 && numbers.size == 1 {
            let ty = self.type_of(operand);
            let wide = self.cx.text.types.numbers(Scalar::INT, 1);
            let computed = self.pure(crate::syntax::Shape::Unary { operator, operand }, wide);
            return self.construct([computed], ty);
        }
        let is_safe = operator == Unary::Complement
            || numbers.scalar.kind != ScalarKind::Int
            || self.range_at(self.source.operand(place, 0), place).is_some_and(|range| range.least > least(numbers));
        if is_safe {
            return self.unary(operator, operand);
        }
        let unsigned = self.cast(operand, ScalarKind::Uint);
        let computed = self.unary(operator, unsigned);
        self.cast(computed, ScalarKind::Int)
    }

    /// Returns whether the exact result of an instruction on signed integers is one of its type.
    fn cannot_overflow(&self, operator: Binary, place: Inst) -> bool {
        let op = match operator {
            Binary::Add => Op::IAdd,
            Binary::Subtract => Op::ISub,
            Binary::Multiply => Op::IMul,
            _ => return false,
        };
        let Some(ty) = self.source.ty(place).filter(|_| self.source.op(place) == op) else { return false };
        let (component, _) = self.source.components(ty);
        let all = Range::of_width(self.source.width(component).unwrap_or(32));
        let [left, right] = [0, 1].map(|operand| self.range_at(self.source.operand(place, operand), place));
        left.zip(right).and_then(|(left, right)| left.combined(op, right)).is_some_and(|exact| all.contains(exact))
    }
}

fn least(numbers: Numbers) -> i128 {
    -(1_i128 << (numbers.scalar.width - 1))
}
