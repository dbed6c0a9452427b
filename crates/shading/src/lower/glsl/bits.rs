//! Bits of integers, and bit casts, by the widths of the operand and of the result.
//!
//! | | 16 bits | 32 bits | 64 bits |
//! |---|---|---|---|
//! | float ↔ integer | `float16BitsToUint16` | `floatBitsToUint` | `doubleBitsToUint64` |
//! | to a number of twice the width | `packUint2x16` | `packUint2x32` | |
//! | to two numbers of half the width | | `unpackUint2x16` | `unpackUint2x32` |
//!
//! A cast between other counts of components goes over unsigned integers of 32 bits.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, Scalar, ScalarKind, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The bits of numbers as numbers of another type.
    pub(in crate::lower) fn glsl_bit_cast(&mut self, operand: Expr, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        let (from, to) = (self.numbers_of(operand), self.numbers_of_type(ty));
        if from == to {
            return Ok(operand);
        }
        if from.scalar.width == to.scalar.width && from.size == to.size {
            return self.same_width(operand, to, place);
        }
        // To unsigned integers of the operand's width, then of the result's width, then to the result.
        let bits = Numbers { scalar: from.scalar.with(ScalarKind::Uint), ..from };
        let bits = self.same_width(operand, bits, place)?;
        let wanted = Numbers { scalar: to.scalar.with(ScalarKind::Uint), ..to };
        let bits = self.repack(bits, wanted, place)?;
        self.same_width(bits, to, place)
    }

    /// The same bits in numbers of the same width.
    fn same_width(&mut self, operand: Expr, to: Numbers, place: Inst) -> Result<Expr, Diagnostic> {
        let from = self.numbers_of(operand);
        if from == to {
            return Ok(operand);
        }
        let ty = self.type_of_numbers(to);
        let name = match (from.scalar.kind, to.scalar.kind, to.scalar.width) {
            (ScalarKind::Int | ScalarKind::Uint, ScalarKind::Int | ScalarKind::Uint, _) => {
                return Ok(self.cast(operand, to.scalar.kind));
            }
            (ScalarKind::Float, ScalarKind::Int, 32) => "floatBitsToInt",
            (ScalarKind::Float, ScalarKind::Uint, 32) => "floatBitsToUint",
            (ScalarKind::Int, ScalarKind::Float, 32) => "intBitsToFloat",
            (ScalarKind::Uint, ScalarKind::Float, 32) => "uintBitsToFloat",
            (ScalarKind::Float, ScalarKind::Int, 16) => "float16BitsToInt16",
            (ScalarKind::Float, ScalarKind::Uint, 16) => "float16BitsToUint16",
            (ScalarKind::Int, ScalarKind::Float, 16) => "int16BitsToFloat16",
            (ScalarKind::Uint, ScalarKind::Float, 16) => "uint16BitsToFloat16",
            (ScalarKind::Float, ScalarKind::Int, 64) => "doubleBitsToInt64",
            (ScalarKind::Float, ScalarKind::Uint, 64) => "doubleBitsToUint64",
            (ScalarKind::Int, ScalarKind::Float, 64) => "int64BitsToDouble",
            (ScalarKind::Uint, ScalarKind::Float, 64) => "uint64BitsToDouble",
            _ => return self.refuse(WriteCode::Op, place, format!("bitcast of {} bits", to.scalar.width)),
        };
        if to.scalar.width == 64 {
            self.cx.require("GL_EXT_shader_explicit_arithmetic_types_int64", place);
        }
        Ok(self.call(name, &[operand], ty))
    }

    /// Unsigned integers with the same bits in another width.
    fn repack(&mut self, operand: Expr, to: Numbers, place: Inst) -> Result<Expr, Diagnostic> {
        let from = self.numbers_of(operand);
        if from == to {
            return Ok(operand);
        }
        let ratio = |wide: u8, narrow: u8| wide / narrow;
        let step = match to.scalar.width > from.scalar.width {
            true => pack(from.scalar.width, to.scalar.width),
            false => unpack(from.scalar.width, to.scalar.width),
        };
        let Some(name) = step else {
            return self.refuse(
                WriteCode::Op,
                place,
                format!("bitcast from {} to {} bits in GLSL", from.scalar.width, to.scalar.width),
            );
        };
        for scalar in [from.scalar, to.scalar] {
            self.cx.note_scalar(scalar, place);
        }
        let whole = self.repeated(operand);
        let ty = self.type_of_numbers(to);
        let mut parts = Vec::new();
        if to.scalar.width > from.scalar.width {
            let count = ratio(to.scalar.width, from.scalar.width);
            let one = self.cx.text.types.numbers(to.scalar, 1);
            for first in (0..from.size).step_by(usize::from(count)) {
                let components: Vec<u8> = (first..first + count).collect();
                let whole = self.local(whole);
                let part = if from.size == count { whole } else { self.swizzle(whole, &components) };
                parts.push(self.call(name, &[part], one));
            }
        } else {
            let count = ratio(from.scalar.width, to.scalar.width);
            let several = self.cx.text.types.numbers(to.scalar, count);
            for component in 0..from.size {
                let whole = self.local(whole);
                let part = if from.size == 1 { whole } else { self.swizzle(whole, &[component]) };
                parts.push(self.call(name, &[part], several));
            }
        }
        Ok(match parts[..] {
            [only] => only,
            _ => self.construct(parts, ty),
        })
    }

    /// Bit fields and counts. GLSL has them for 32 bits.
    pub(in crate::lower) fn glsl_bit_op(&mut self, inst: Inst, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let numbers = self.numbers(operands[0])?;
        if numbers.scalar.width != 32 {
            let message = format!("{} of {} bits in GLSL", op.name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let result = self.numbers(inst)?;
        let int = Numbers { scalar: Scalar::INT, size: result.size };
        let (name, kind, own) = match op {
            Op::BitFieldInsert => ("bitfieldInsert", result.scalar.kind, result),
            Op::BitFieldSExtract => ("bitfieldExtract", ScalarKind::Int, int),
            Op::BitFieldUExtract => ("bitfieldExtract", ScalarKind::Uint, Numbers { scalar: Scalar::UINT, ..result }),
            Op::BitReverse => ("bitfieldReverse", result.scalar.kind, result),
            _ => ("bitCount", numbers.scalar.kind, int),
        };
        let values = if op == Op::BitFieldInsert { 2 } else { 1 };
        let mut arguments = Vec::new();
        for (number, &operand) in operands.iter().enumerate() {
            // Offsets and counts are signed.
            arguments.push(self.value_as(operand, if number < values { kind } else { ScalarKind::Int })?);
        }
        let ty = self.type_of_numbers(own);
        let computed = self.call(name, &arguments, ty);
        self.as_result(inst, computed)
    }
}

/// The function that makes one integer of several narrower ones.
fn pack(from: u8, to: u8) -> Option<&'static str> {
    Some(match (from, to) {
        (8, 16) => "pack16",
        (8, 32) => "pack32",
        (16, 32) => "packUint2x16",
        (16, 64) => "packUint4x16",
        (32, 64) => "packUint2x32",
        _ => return None,
    })
}

/// The function that makes several integers of a wider one.
fn unpack(from: u8, to: u8) -> Option<&'static str> {
    Some(match (from, to) {
        (16 | 32, 8) => "unpack8",
        (32, 16) => "unpackUint2x16",
        (64, 16) => "unpackUint4x16",
        (64, 32) => "unpackUint2x32",
        _ => return None,
    })
}
