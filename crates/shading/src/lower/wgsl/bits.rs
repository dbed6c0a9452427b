//! Bits of integers, and bit casts.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, ScalarKind, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The bits of numbers as numbers of another type.
    pub(in crate::lower) fn wgsl_bit_cast(&mut self, operand: Expr, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        let (from, to) = (self.numbers_of(operand), self.numbers_of_type(ty));
        if from == to {
            return Ok(operand);
        }
        if from.scalar.is_integer() && from.scalar.width == to.scalar.width && to.scalar.is_integer() {
            return Ok(self.cast(operand, to.scalar.kind));
        }
        let bits = |numbers: Numbers| u32::from(numbers.scalar.width) * u32::from(numbers.size);
        // There is no integer of 16 bits.
        let is_half = bits(from) == 16 || bits(to) == 16 || bits(from) == 48;
        if bits(from) != bits(to) || is_half || from.scalar.kind == ScalarKind::Bool {
            let message = format!("a bit cast from {} to {} bits in WGSL", bits(from), bits(to));
            return self.refuse(WriteCode::Op, place, message);
        }
        Ok(self.call("bitcast", &[operand], ty))
    }

    /// Bit fields and counts.
    pub(super) fn wgsl_bits_of(&mut self, inst: Inst, op: Op, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let result = self.numbers(inst)?;
        let values = if op == Op::BitFieldInsert { 2 } else { 1 };
        let numbers = self.numbers(operands[0])?;
        let (name, kind) = match op {
            Op::BitFieldInsert => ("insertBits", result.scalar.kind),
            Op::BitFieldSExtract => ("extractBits", ScalarKind::Int),
            Op::BitFieldUExtract => ("extractBits", ScalarKind::Uint),
            Op::BitReverse => ("reverseBits", result.scalar.kind),
            _ => ("countOneBits", numbers.scalar.kind),
        };
        let mut arguments = Vec::new();
        for (number, &operand) in operands.iter().enumerate() {
            let kind = if number < values { kind } else { ScalarKind::Uint };
            arguments.push(self.value_as(operand, kind)?);
        }
        let own = self.type_of(arguments[0]);
        let computed = self.call(name, &arguments, own);
        self.as_result(inst, computed)
    }
}
