//! Bits of integers, and bit casts: `as_type` between numbers of the same size.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, ScalarKind, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The bits of numbers as numbers of another type.
    pub(in crate::lower) fn msl_bit_cast(&mut self, operand: Expr, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        let (from, to) = (self.numbers_of(operand), self.numbers_of_type(ty));
        if from == to {
            return Ok(operand);
        }
        if from.scalar.is_integer() && from.scalar.width == to.scalar.width && to.scalar.is_integer() {
            return Ok(self.cast(operand, to.scalar.kind));
        }
        let bits = |numbers: Numbers| u32::from(numbers.scalar.width) * u32::from(numbers.size);
        let has_three = from.size == 3 && to.size != 3 || to.size == 3 && from.size != 3;
        if bits(from) != bits(to) || has_three || from.scalar.kind == ScalarKind::Bool {
            let message = format!("a bit cast from {} to {} bits in MSL", bits(from), bits(to));
            return self.refuse(WriteCode::Op, place, message);
        }
        Ok(self.call("as_type", &[operand], ty))
    }

    /// Bit fields and counts.
    pub(super) fn bits_of(&mut self, inst: Inst, op: Op, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let result = self.numbers(inst)?;
        let values = if op == Op::BitFieldInsert { 2 } else { 1 };
        let numbers = self.numbers(operands[0])?;
        let (name, kind) = match op {
            Op::BitFieldInsert => ("insert_bits", result.scalar.kind),
            Op::BitFieldSExtract => ("extract_bits", ScalarKind::Int),
            Op::BitFieldUExtract => ("extract_bits", ScalarKind::Uint),
            Op::BitReverse => ("reverse_bits", result.scalar.kind),
            _ => ("popcount", numbers.scalar.kind),
        };
        let mut arguments = Vec::new();
        for (number, &operand) in operands.iter().enumerate() {
            if number < values {
                arguments.push(self.value_as(operand, kind)?);
                continue;
            }
            // Offsets and counts are of 32 bits.
            let value = self.value_as(operand, ScalarKind::Uint)?;
            arguments.push(self.numbers_to(value, crate::syntax::Scalar::UINT, 1));
        }
        let own = self.type_of(arguments[0]);
        let computed = self.call(name, &arguments, own);
        let scalar = result.scalar.with(kind);
        let computed = self.numbers_to(computed, scalar, result.size);
        self.as_result(inst, computed)
    }
}
