//! Fields of bits, by shifts and masks.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Expr, Scalar, ScalarKind, Shape, Type, Unary};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An insertion or extraction of bits.
    pub(super) fn bit_field(&mut self, inst: Inst, op: Op, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers(operands[0])?;
        if numbers.scalar.width != 32 {
            let message = format!("{} of {} bits in HLSL", op.name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let value = match (op, operands) {
            (Op::BitFieldInsert, &[base, insert, offset, count]) => self.inserted([base, insert], [offset, count])?,
            (Op::BitFieldSExtract, &[base, offset, count]) => self.extracted(base, ScalarKind::Int, [offset, count])?,
            (_, &[base, offset, count]) => self.extracted(base, ScalarKind::Uint, [offset, count])?,
            _ => return self.unknown(inst),
        };
        self.as_result(inst, value)
    }

    /// `x << (32 - count - offset) >> (32 - count)`, and zero for no bits.
    fn extracted(&mut self, base: Inst, kind: ScalarKind, [offset, count]: [Inst; 2]) -> Result<Expr, Diagnostic> {
        let value = self.value_as(base, kind)?;
        let (ty, numbers) = (self.type_of(value), self.numbers_of(value));
        if let (Some(offset), Some(count)) = (self.word(offset), self.word(count)) {
            if count == 0 || offset + count > 32 {
                return Ok(self.splat(0, numbers));
            }
            return Ok(match kind {
                ScalarKind::Uint => {
                    let shifted = self.shifted(Binary::ShiftRight, value, offset, ty);
                    if offset + count == 32 { shifted } else { self.masked(shifted, mask(count), ty) }
                }
                _ => {
                    let left = self.shifted(Binary::ShiftLeft, value, 32 - count - offset, ty);
                    self.shifted(Binary::ShiftRight, left, 32 - count, ty)
                }
            });
        }
        let [offset, count] = self.field([offset, count])?;
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let (whole, number) = (self.cx.word(32), self.local(count));
        let free = self.binary(Binary::Subtract, whole, number, word);
        let free = self.name_value(free);
        let (right, offset) = (self.local(free), self.local(offset));
        let up = self.binary(Binary::Subtract, right, offset, word);
        let left = self.binary(Binary::ShiftLeft, value, up, ty);
        let down = self.local(free);
        let accept = self.binary(Binary::ShiftRight, left, down, ty);
        let (number, none) = (self.local(count), self.cx.word(0));
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let condition = self.binary(Binary::NotEqual, number, none, boolean);
        let reject = self.splat(0, numbers);
        Ok(self.pure(Shape::Choice { condition, accept, reject }, ty))
    }

    /// `(base & ~mask) | ((insert << offset) & mask)`.
    fn inserted(&mut self, [base, insert]: [Inst; 2], [offset, count]: [Inst; 2]) -> Result<Expr, Diagnostic> {
        let (base, insert) = (self.value_as(base, ScalarKind::Uint)?, self.value_as(insert, ScalarKind::Uint)?);
        let ty = self.type_of(base);
        if let (Some(offset), Some(count)) = (self.word(offset), self.word(count)) {
            if count == 0 || offset + count > 32 {
                return Ok(base);
            }
            let bits = mask(count) << offset;
            let kept = self.masked(base, !bits, ty);
            let moved = self.shifted(Binary::ShiftLeft, insert, offset, ty);
            let moved = self.masked(moved, bits, ty);
            return Ok(self.binary(Binary::BitOr, kept, moved, ty));
        }
        let [offset, count] = self.field([offset, count])?;
        let bits = self.field_mask([offset, count]);
        let bits = self.name_value(bits);
        let read = self.local(bits);
        let others = self.unary(Unary::Complement, read);
        let kept = self.binary(Binary::BitAnd, base, others, ty);
        let up = self.local(offset);
        let moved = self.binary(Binary::ShiftLeft, insert, up, ty);
        let read = self.local(bits);
        let moved = self.binary(Binary::BitAnd, moved, read, ty);
        Ok(self.binary(Binary::BitOr, kept, moved, ty))
    }

    /// `(count < 32 ? (1 << count) - 1 : ~0) << offset`.
    fn field_mask(&mut self, [offset, count]: [crate::syntax::LocalId; 2]) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (number, all) = (self.local(count), self.cx.word(32));
        let condition = self.binary(Binary::Less, number, all, boolean);
        let (one, number) = (self.cx.word(1), self.local(count));
        let power = self.binary(Binary::ShiftLeft, one, number, word);
        let one = self.cx.word(1);
        let accept = self.binary(Binary::Subtract, power, one, word);
        let reject = self.cx.word(u32::MAX);
        let bits = self.pure(Shape::Choice { condition, accept, reject }, word);
        let up = self.local(offset);
        self.binary(Binary::ShiftLeft, bits, up, word)
    }

    /// The names of the offset and the count of a field.
    fn field(&mut self, parts: [Inst; 2]) -> Result<[crate::syntax::LocalId; 2], Diagnostic> {
        let [offset, count] = parts.map(|part| self.value_as(part, ScalarKind::Uint));
        let (offset, count) = (offset?, count?);
        Ok([self.repeated(offset), self.repeated(count)])
    }

    /// Numbers shifted by a constant.
    pub(super) fn shifted(&mut self, operator: Binary, value: Expr, bits: u32, ty: Type) -> Expr {
        if bits == 0 {
            return value;
        }
        let numbers = self.numbers_of(value);
        let amount = self.cx.word(bits);
        let amount = if numbers.scalar.kind == ScalarKind::Int { self.cast(amount, ScalarKind::Int) } else { amount };
        self.binary(operator, value, amount, ty)
    }

    /// The bits of a mask in numbers.
    pub(super) fn masked(&mut self, value: Expr, bits: u32, ty: Type) -> Expr {
        let scalar = Numbers { size: 1, ..self.numbers_of(value) };
        let mask = self.cx.word(bits);
        let mask = self.cast(mask, scalar.scalar.kind);
        self.binary(Binary::BitAnd, value, mask, ty)
    }
}

/// The lowest bits.
fn mask(count: u32) -> u32 {
    u32::MAX >> (32 - count)
}
