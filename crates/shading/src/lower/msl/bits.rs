//! Bits of integers, and bit casts: `as_type` between numbers of the same size.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::numbers::BitFunctions;
use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, ScalarKind, Type};
use crate::write::WriteCode;

const FUNCTIONS: BitFunctions =
    BitFunctions { insert: "insert_bits", extract: "extract_bits", reverse: "reverse_bits", count: "popcount" };

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

    /// An instruction on the bits of integers.
    pub(in crate::lower) fn msl_bit_op(&mut self, inst: Inst, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        self.bit_function(inst, operands, &FUNCTIONS)
    }
}
