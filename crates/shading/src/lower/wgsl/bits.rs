//! Bits of integers, and bit casts.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::numbers::BitFunctions;
use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, ScalarKind, Type};
use crate::write::WriteCode;

const FUNCTIONS: BitFunctions =
    BitFunctions { insert: "insertBits", extract: "extractBits", reverse: "reverseBits", count: "countOneBits" };

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

    /// An instruction on the bits of integers.
    pub(in crate::lower) fn wgsl_bit_op(&mut self, inst: Inst, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        self.bit_function(inst, operands, &FUNCTIONS)
    }
}
