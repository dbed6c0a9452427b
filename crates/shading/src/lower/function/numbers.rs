//! Instructions on numbers that most languages spell in one way. What differs is in the file of the same name of each language.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::{Body, Numbers};
use crate::syntax::{Binary, Expr, Scalar, ScalarKind, Type};

/// The functions of a language on the bits of integers.
pub(in crate::lower) struct BitFunctions {
    pub(in crate::lower) insert: &'static str,
    pub(in crate::lower) extract: &'static str,
    pub(in crate::lower) reverse: &'static str,
    pub(in crate::lower) count: &'static str,
}

impl Body<'_, '_> {
    /// An instruction on numbers. Returns whether it is one.
    ///
    /// # Errors
    /// The language has no such instruction.
    pub(in crate::lower) fn number_op(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.source.op(inst);
        let operands: Vec<Inst> = self.source.operands(inst).collect();
        if operands.iter().any(|&operand| self.source.ty(operand).is_none()) || self.source.ty(inst).is_none() {
            return Ok(false);
        }
        if let (Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended, &[left, right]) =
            (op, &operands[..])
        {
            self.two_parts(inst, [left, right])?;
            return Ok(true);
        }
        let ty = self.cx.type_of(inst)?;
        let value = match self.own_number(inst, &operands, ty)? {
            Some(value) => value,
            None => match self.common_number(inst, &operands, ty)? {
                Some(value) => value,
                None => return Ok(false),
            },
        };
        self.define(inst, value)?;
        Ok(true)
    }

    fn common_number(&mut self, inst: Inst, operands: &[Inst], ty: Type) -> Result<Option<Expr>, Diagnostic> {
        let op = self.source.op(inst);
        Ok(Some(match (op, operands) {
            (Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract | Op::BitReverse | Op::BitCount, _) => {
                self.bit_op(inst, operands)?
            }
            (Op::FMod, &[left, right]) => self.remainder_by("floor", [left, right], ty)?,
            (Op::Dot, _) => self.function_of("dot", operands, ty)?,
            (Op::OuterProduct, &[left, right]) => self.outer_product([left, right], ty)?,
            (Op::Any, _) => self.function_of("any", operands, ty)?,
            (Op::All, _) => self.function_of("all", operands, ty)?,
            (Op::IsNan, _) => self.function_of("isnan", operands, ty)?,
            (Op::IsInf, _) => self.function_of("isinf", operands, ty)?,
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
                self.logical_not(operand)
            }
            (Op::LogicalAnd | Op::LogicalOr, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let operator = if op == Op::LogicalAnd { Binary::And } else { Binary::Or };
                self.both(operator, left, right, ty)?
            }
            (Op::LogicalEqual | Op::LogicalNotEqual, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let operator = if op == Op::LogicalEqual { Binary::Equal } else { Binary::NotEqual };
                self.compare_by(operator, left, right, ty)?
            }
            (Op::ExpectKHR, &[value, _]) => self.value(value)?,
            _ => return Ok(None),
        }))
    }

    /// A sum with its carry, a difference with its borrow, in a language without functions for them.
    ///
    /// ```text
    /// sum = x + y; carry = uint(sum < x);      difference = x - y; borrow = uint(x < y);
    /// ```
    pub(in crate::lower) fn carried(&mut self, inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        let is_sum = self.source.op(inst) == Op::IAddCarry;
        let [left, right] = operands.map(|operand| self.value_as(operand, ScalarKind::Uint));
        let (left, right) = (left?, right?);
        let numbers = self.numbers_of(left);
        let own = self.type_of(left);
        let conditions = self.type_of_numbers(Numbers { scalar: Scalar::BOOL, ..numbers });
        let (left, right) = (self.repeated(left), self.repeated(right));
        let (one, other) = (self.local(left), self.local(right));
        let low = self.binary(if is_sum { Binary::Add } else { Binary::Subtract }, one, other, own);
        let low = self.name_value(low);
        let [less, than] = if is_sum { [low, left] } else { [left, right] }.map(|name| self.local(name));
        let is_over = self.binary(Binary::Less, less, than, conditions);
        let high = self.construct([is_over], own);
        let high = self.name_value(high);
        self.define_two(inst, [low, high])
    }

    /// A product in two parts: its low half as a product of unsigned numbers, its high half as computed from both operands.
    pub(in crate::lower) fn product_in_two(
        &mut self,
        inst: Inst,
        operands: [Inst; 2],
        high_half: impl FnOnce(&mut Self, [Expr; 2], Type) -> Result<Expr, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let kind = if self.source.op(inst) == Op::SMulExtended { ScalarKind::Int } else { ScalarKind::Uint };
        let [left, right] = operands.map(|operand| self.value_as(operand, kind));
        let (left, right) = (left?, right?);
        let own = self.type_of(left);
        let (left, right) = (self.repeated(left), self.repeated(right));
        let [one, other] = [left, right].map(|name| {
            let read = self.local(name);
            self.cast(read, ScalarKind::Uint)
        });
        let unsigned = self.type_of(one);
        let low = self.binary(Binary::Multiply, one, other, unsigned);
        let low = self.cast(low, kind);
        let low = self.name_value(low);
        let both = [left, right].map(|name| self.local(name));
        let high = high_half(self, both, own)?;
        let high = self.name_value(high);
        self.define_two(inst, [low, high])
    }

    /// An instruction on the bits of integers, by a function that is overloaded for signed and unsigned numbers.
    pub(in crate::lower) fn bit_function(
        &mut self,
        inst: Inst,
        operands: &[Inst],
        functions: &BitFunctions,
    ) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let result = self.numbers(inst)?;
        let values = if op == Op::BitFieldInsert { 2 } else { 1 };
        let (name, kind) = match op {
            Op::BitFieldInsert => (functions.insert, result.scalar.kind),
            Op::BitFieldSExtract => (functions.extract, ScalarKind::Int),
            Op::BitFieldUExtract => (functions.extract, ScalarKind::Uint),
            Op::BitReverse => (functions.reverse, result.scalar.kind),
            _ => (functions.count, self.numbers(operands[0])?.scalar.kind),
        };
        let mut arguments = Vec::new();
        for (number, &operand) in operands.iter().enumerate() {
            if number < values {
                arguments.push(self.value_as(operand, kind)?);
                continue;
            }
            // Offsets and counts have 32 bits.
            let value = self.value_as(operand, ScalarKind::Uint)?;
            arguments.push(self.numbers_to(value, Scalar::UINT, 1));
        }
        let own = self.type_of(arguments[0]);
        let computed = self.call(name, &arguments, own);
        let computed = self.numbers_to(computed, result.scalar.with(kind), result.size);
        self.as_result(inst, computed)
    }
}
