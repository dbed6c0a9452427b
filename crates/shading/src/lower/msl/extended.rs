//! The extended instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::Extended;
use super::super::function::{Body, Numbers};
use super::functions::{function, inverse, packing};
use crate::syntax::{Binary, Expr, Literal, Scalar, ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An extended instruction.
    pub(in crate::lower) fn msl_extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(Extended { op, operands }) = self.extended_op(inst)? else { return Ok(()) };
        if matches!(op, Glsl::Modf | Glsl::Frexp) {
            return self.parts_by_pointer(inst, op, [operands[0], operands[1]]);
        }
        if matches!(op, Glsl::ModfStruct | Glsl::FrexpStruct) {
            return self.parts_of_float(inst, op, operands[0]);
        }
        let value = self.extended_value(inst, op, &operands)?;
        self.define(inst, value)
    }

    fn extended_value(&mut self, inst: Inst, op: Glsl, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let is_scalar = matches!(self.cx.text.types[ty], TypeShape::Scalar(_));
        if let Some(name) = packing(op) {
            return self.msl_packed(inst, name, operands[0], ty);
        }
        match op {
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => self.bit_position(inst, op, operands[0]),
            Glsl::Ldexp => {
                let (value, exponent) = (self.value(operands[0])?, self.value_as(operands[1], ScalarKind::Int)?);
                Ok(self.call("ldexp", &[value, exponent], ty))
            }
            Glsl::SSign => {
                let value = self.value_as(operands[0], ScalarKind::Int)?;
                let (numbers, own) = (self.numbers_of(value), self.type_of(value));
                let (low, high) = (self.splat(-1, numbers), self.splat(1, numbers));
                let sign = self.call("clamp", &[value, low, high], own);
                self.as_result(inst, sign)
            }
            Glsl::Radians => self.scaled(operands[0], std::f64::consts::PI / 180.0, ty),
            Glsl::Degrees => self.scaled(operands[0], 180.0 / std::f64::consts::PI, ty),
            Glsl::PackHalf2x16 => {
                let value = self.value(operands[0])?;
                let halves = self.numbers_to(value, Scalar { width: 16, ..Scalar::FLOAT }, 2);
                let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
                let packed = self.call("as_type", &[halves], word);
                self.as_result(inst, packed)
            }
            Glsl::UnpackHalf2x16 => {
                let value = self.value_as(operands[0], ScalarKind::Uint)?;
                let halves = Numbers { scalar: Scalar { width: 16, ..Scalar::FLOAT }, size: 2 };
                let halves = self.type_of_numbers(halves);
                let unpacked = self.call("as_type", &[value], halves);
                Ok(self.construct([unpacked], ty))
            }
            Glsl::MatrixInverse => self.inverted(inst, operands[0], ty),
            Glsl::Length | Glsl::Distance | Glsl::Normalize | Glsl::FaceForward | Glsl::Reflect | Glsl::Refract
                if is_scalar && self.numbers(operands[0])?.size == 1 =>
            {
                self.of_one_component(inst, op, operands, ty)
            }
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => {
                self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in MSL: the writer has none"))
            }
            _ => match function(op) {
                Some(function) => self.signed_function(inst, function, operands),
                None => self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in MSL")),
            },
        }
    }

    fn msl_packed(&mut self, inst: Inst, name: &'static str, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        if name.starts_with("unpack") {
            let value = self.value_as(operand, ScalarKind::Uint)?;
            return Ok(self.call(name, &[value], ty));
        }
        let value = self.value(operand)?;
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let packed = self.call(name, &[value], word);
        self.as_result(inst, packed)
    }

    fn scaled(&mut self, operand: Inst, factor: f64, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        let scalar = self.numbers_of(value).scalar;
        let one = self.cx.text.types.numbers(scalar, 1);
        let factor = if scalar.width == 32 { f64::from(factor as f32) } else { f64::from(half::f16::from_f64(factor)) };
        let factor = self.cx.literal(Literal::Float(factor), one);
        Ok(self.binary(Binary::Multiply, value, factor, ty))
    }

    fn inverted(&mut self, inst: Inst, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let TypeShape::Matrix { scalar, columns, .. } = self.cx.text.types[ty] else { return self.unknown(inst) };
        if scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, "the inverse of a matrix of 16 bits in MSL");
        }
        let (name, lines) = inverse(columns);
        let void = self.void();
        let is_new = !self.cx.text.globals.iter().any(|global| global.name == name);
        self.cx.built_in(name, void);
        if is_new {
            self.cx.text.layouts.extend(lines.iter().map(|line| (*line).to_owned()));
        }
        let value = self.value(operand)?;
        Ok(self.call(name, &[value], ty))
    }

    /// The position of a bit, or -1.
    ///
    /// ```text
    /// least: x == 0 ? -1 : ctz(x)      greatest: 31 - clz(x)      greatest that differs from the sign: 31 - clz(x ^ x >> 31)
    /// ```
    fn bit_position(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers(operand)?;
        if numbers.scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, format!("{op:?} of {} bits in MSL", numbers.scalar.width));
        }
        let kind = if op == Glsl::FindSMsb { ScalarKind::Int } else { ScalarKind::Uint };
        let value = self.value_as(operand, kind)?;
        let numbers = self.numbers_of(value);
        let own = self.type_of(value);
        let unsigned = Numbers { scalar: Scalar::UINT, ..numbers };
        let words = self.type_of_numbers(unsigned);
        let found = match op {
            Glsl::FindILsb => {
                let name = self.repeated(value);
                let (read, zero) = (self.local(name), self.splat(0, numbers));
                let conditions = self.cx.text.types.numbers(Scalar::BOOL, numbers.size);
                let condition = self.binary(Binary::Equal, read, zero, conditions);
                let read = self.local(name);
                let position = self.call("ctz", &[read], words);
                let none = self.splat(-1, unsigned);
                self.call("select", &[position, none, condition], words)
            }
            _ => {
                let bits = match op {
                    Glsl::FindSMsb => {
                        let name = self.repeated(value);
                        let (read, shift) = (self.local(name), self.splat(31, numbers));
                        let sign = self.binary(Binary::ShiftRight, read, shift, own);
                        let read = self.local(name);
                        let changed = self.binary(Binary::BitXor, read, sign, own);
                        self.cast(changed, ScalarKind::Uint)
                    }
                    _ => value,
                };
                let zeros = self.call("clz", &[bits], words);
                let last = self.splat(31, unsigned);
                self.binary(Binary::Subtract, last, zeros, words)
            }
        };
        self.as_result(inst, found)
    }
}
