//! The extended instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::Extended;
use super::super::function::{Body, Numbers};
use super::functions::{function, inverse, packing};
use crate::syntax::{Binary, Expr, LocalId, Scalar, ScalarKind, Shape, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An extended instruction.
    pub(in crate::lower) fn wgsl_extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(Extended { op, operands }) = self.extended_op(inst)? else { return Ok(()) };
        if matches!(op, Glsl::Modf | Glsl::Frexp) {
            let ty = self.cx.type_of(inst)?;
            let [first, second] = self.wgsl_float_parts(op, operands[0], ty)?;
            let value = self.local(second);
            self.store_value(operands[1], value, inst)?;
            return self.know(inst, first);
        }
        if matches!(op, Glsl::ModfStruct | Glsl::FrexpStruct) {
            let Some(&first) = self.part_types(inst)?.first() else { return self.unknown(inst) };
            let parts = self.wgsl_float_parts(op, operands[0], first)?;
            return self.define_two(inst, parts);
        }
        let value = self.wgsl_extended_value(inst, op, &operands)?;
        self.define(inst, value)
    }

    /// ```text
    /// whole = trunc(x); part = x - whole;      let parts = frexp(x); parts.fract, parts.exp
    /// ```
    fn wgsl_float_parts(&mut self, op: Glsl, operand: Inst, ty: Type) -> Result<[LocalId; 2], Diagnostic> {
        let value = self.value(operand)?;
        if matches!(op, Glsl::Modf | Glsl::ModfStruct) {
            let name = self.repeated(value);
            let read = self.local(name);
            let whole = self.call("trunc", &[read], ty);
            let whole = self.name_value(whole);
            let (read, taken) = (self.local(name), self.local(whole));
            let part = self.binary(Binary::Subtract, read, taken, ty);
            return Ok([self.name_value(part), whole]);
        }
        let size = self.numbers_of(value).size;
        let exponents = self.type_of_numbers(Numbers { scalar: Scalar::INT, size });
        let result = self.language_struct("frexp_result", [("fract", ty), ("exp", exponents)]);
        let parts = self.call("frexp", &[value], result);
        let parts = self.name_value(parts);
        let whole = self.local(parts);
        let part = self.pure(Shape::Member { base: whole, member: 0 }, ty);
        let whole = self.local(parts);
        let exponent = self.pure(Shape::Member { base: whole, member: 1 }, exponents);
        Ok([self.name_value(part), self.name_value(exponent)])
    }

    fn wgsl_extended_value(&mut self, inst: Inst, op: Glsl, operands: &[Inst]) -> Result<Expr, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let is_scalar = matches!(self.cx.text.types[ty], TypeShape::Scalar(_));
        if let Some(name) = packing(op) {
            return self.wgsl_packed(inst, name, operands[0], ty);
        }
        match op {
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => self.wgsl_bit_position(inst, op, operands[0]),
            Glsl::Ldexp => {
                let (value, exponent) = (self.value(operands[0])?, self.value_as(operands[1], ScalarKind::Int)?);
                Ok(self.call("ldexp", &[value, exponent], ty))
            }
            Glsl::MatrixInverse => self.wgsl_inverse(inst, operands[0], ty),
            Glsl::Normalize | Glsl::FaceForward | Glsl::Reflect | Glsl::Refract if is_scalar => {
                self.of_one_component(inst, op, operands, ty)
            }
            _ => match function(op) {
                Some(function) => self.signed_function(inst, function, operands),
                None => self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in WGSL")),
            },
        }
    }

    fn wgsl_packed(&mut self, inst: Inst, name: &'static str, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        if name.starts_with("unpack") {
            let value = self.value_as(operand, ScalarKind::Uint)?;
            return Ok(self.call(name, &[value], ty));
        }
        let value = self.value(operand)?;
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let packed = self.call(name, &[value], word);
        self.as_result(inst, packed)
    }

    /// The position of a bit, or -1.
    fn wgsl_bit_position(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let (name, value) = match op {
            Glsl::FindILsb => ("firstTrailingBit", self.value(operand)?),
            Glsl::FindSMsb => ("firstLeadingBit", self.value_as(operand, ScalarKind::Int)?),
            _ => ("firstLeadingBit", self.value_as(operand, ScalarKind::Uint)?),
        };
        let own = self.type_of(value);
        let found = self.call(name, &[value], own);
        self.as_result(inst, found)
    }

    fn wgsl_inverse(&mut self, inst: Inst, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let TypeShape::Matrix { scalar, columns, .. } = self.cx.text.types[ty] else { return self.unknown(inst) };
        if scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, "the inverse of a matrix of 16 bits in WGSL");
        }
        let (name, lines) = inverse(columns);
        self.add_lines(name, lines);
        let value = self.value(operand)?;
        Ok(self.call(name, &[value], ty))
    }
}
