//! The extended instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::{Extended, Signed, shared_function};
use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, Literal, LocalId, Scalar, ScalarKind, Shape, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An extended instruction.
    pub(in crate::lower) fn hlsl_extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(Extended { op, operands }) = self.extended_op(inst)? else { return Ok(()) };
        let ty = self.cx.type_of(inst)?;
        let value = match op {
            Glsl::Modf | Glsl::Frexp => return self.hlsl_parts_by_pointer(inst, op, [operands[0], operands[1]]),
            Glsl::ModfStruct | Glsl::FrexpStruct => return self.hlsl_parts_of_float(inst, op, operands[0]),
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => self.found_bit(inst, op, operands[0])?,
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => {
                self.evaluated(op, &operands, ty)?
            }
            Glsl::PackSnorm4x8
            | Glsl::PackUnorm4x8
            | Glsl::PackSnorm2x16
            | Glsl::PackUnorm2x16
            | Glsl::PackHalf2x16 => self.packed(inst, op, operands[0])?,
            Glsl::UnpackSnorm4x8
            | Glsl::UnpackUnorm4x8
            | Glsl::UnpackSnorm2x16
            | Glsl::UnpackUnorm2x16
            | Glsl::UnpackHalf2x16 => self.hlsl_unpacked(op, operands[0], ty)?,
            Glsl::PackDouble2x32 | Glsl::UnpackDouble2x32 => {
                let value = self.value(operands[0])?;
                self.bit_cast(value, ty, inst)?
            }
            Glsl::Asinh | Glsl::Acosh | Glsl::Atanh => self.area_function(op, operands[0], ty)?,
            Glsl::FSign | Glsl::SSign => self.sign(inst, op, operands[0])?,
            Glsl::Ldexp => {
                let (value, exponent) = (self.value(operands[0])?, self.value_as(operands[1], ScalarKind::Int)?);
                let exponent = self.construct([exponent], ty);
                self.call("ldexp", &[value, exponent], ty)
            }
            Glsl::Fma if self.kind_width(ty) == 64 => self.function_of("fma", &operands, ty)?,
            Glsl::Fma => self.function_of("mad", &operands, ty)?,
            Glsl::MatrixInverse => self.hlsl_inverse(operands[0], inst)?,
            _ => match function(op) {
                Some(function) => self.signed_function(inst, function, &operands)?,
                None => return self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in HLSL")),
            },
        };
        self.define(inst, value)
    }

    fn kind_width(&self, ty: Type) -> u8 {
        self.numbers_of_type(ty).scalar.width
    }

    /// The sign, which the language gives as an integer of 32 bits.
    fn sign(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let value = match op {
            Glsl::SSign => self.value_as(operand, ScalarKind::Int)?,
            _ => self.value(operand)?,
        };
        let numbers = self.numbers_of(value);
        let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, ..numbers });
        let sign = self.call("sign", &[value], int);
        let own = self.numbers_to(sign, numbers.scalar, numbers.size);
        self.as_result(inst, own)
    }

    /// `log(x + sqrt(x * x + 1))`, `log(x + sqrt(x * x - 1))`, `log((1 + x) / (1 - x)) * 0.5`.
    fn area_function(&mut self, op: Glsl, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        let scalar = self.numbers_of(value).scalar;
        let number = self.cx.text.types.numbers(scalar, 1);
        let name = self.repeated(value);
        let one = |body: &mut Self| body.cx.literal(Literal::Float(1.0), number);
        if op == Glsl::Atanh {
            let (first, x) = (one(self), self.local(name));
            let above = self.binary(Binary::Add, x, first, ty);
            let (second, x) = (one(self), self.local(name));
            let below = self.binary(Binary::Subtract, second, x, ty);
            let ratio = self.binary(Binary::Divide, above, below, ty);
            let logarithm = self.call("log", &[ratio], ty);
            let half = self.cx.literal(Literal::Float(0.5), number);
            return Ok(self.binary(Binary::Multiply, logarithm, half, ty));
        }
        let (x, y) = (self.local(name), self.local(name));
        let square = self.binary(Binary::Multiply, x, y, ty);
        let operator = if op == Glsl::Asinh { Binary::Add } else { Binary::Subtract };
        let unit = one(self);
        let under = self.binary(operator, square, unit, ty);
        let root = self.call("sqrt", &[under], ty);
        let x = self.local(name);
        let sum = self.binary(Binary::Add, x, root, ty);
        Ok(self.call("log", &[sum], ty))
    }

    /// The position of a bit; all bits if there is none.
    fn found_bit(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers(operand)?;
        if numbers.scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, format!("{op:?} of {} bits in HLSL", numbers.scalar.width));
        }
        let name = if op == Glsl::FindILsb { "firstbitlow" } else { "firstbithigh" };
        let value = match op {
            // A compiler may take the integer of `firstbithigh` for one without a sign.
            Glsl::FindSMsb => {
                let value = self.value_as(operand, ScalarKind::Int)?;
                let (ty, name) = (self.type_of(value), self.repeated(value));
                let (whole, shifted, distance) = (self.local(name), self.local(name), self.cx.int(31));
                let signs = self.binary(Binary::ShiftRight, shifted, distance, ty);
                let differing = self.binary(Binary::BitXor, whole, signs, ty);
                self.cast(differing, ScalarKind::Uint)
            }
            _ => self.value_as(operand, ScalarKind::Uint)?,
        };
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: numbers.size });
        let found = self.call(name, &[value], word);
        self.as_result(inst, found)
    }

    /// An input at another place. Offsets are counted in sixteenths of a pixel.
    fn evaluated(&mut self, op: Glsl, operands: &[Inst], ty: Type) -> Result<Expr, Diagnostic> {
        let place = self.place(operands[0])?;
        let (name, second) = match op {
            Glsl::InterpolateAtCentroid => ("EvaluateAttributeCentroid", None),
            Glsl::InterpolateAtSample => {
                ("EvaluateAttributeAtSample", Some(self.value_as(operands[1], ScalarKind::Uint)?))
            }
            _ => {
                let offset = self.value(operands[1])?;
                let (pair, number) = (self.type_of(offset), self.cx.text.types.numbers(Scalar::FLOAT, 1));
                let sixteen = self.cx.literal(Literal::Float(16.0), number);
                let scaled = self.binary(Binary::Multiply, offset, sixteen, pair);
                let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, size: 2 });
                ("EvaluateAttributeSnapped", Some(self.construct([scaled], int)))
            }
        };
        let arguments: Vec<Expr> = std::iter::once(place).chain(second).collect();
        Ok(self.call(name, &arguments, ty))
    }

    /// `modf` and `frexp` that store their second result.
    fn hlsl_parts_by_pointer(&mut self, inst: Inst, op: Glsl, [operand, pointer]: [Inst; 2]) -> Result<(), Diagnostic> {
        let (first, second) = self.hlsl_float_parts(inst, op, operand)?;
        let value = self.local(second);
        self.store_value(pointer, value, inst)?;
        self.know(inst, first)
    }

    fn hlsl_parts_of_float(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<(), Diagnostic> {
        let (first, second) = self.hlsl_float_parts(inst, op, operand)?;
        self.define_two(inst, [first, second])
    }

    /// `modf(x, whole)`; `frexp` of the language loses the sign, so its parts are taken from the bits.
    ///
    /// ```text
    /// int exponent = x == 0 ? 0 : int((bits >> 23) & 0xff) - 126;    float significand = x == 0 ? x : asfloat((bits & 0x807fffff) | 0x3f000000);
    /// ```
    fn hlsl_float_parts(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<(LocalId, LocalId), Diagnostic> {
        let value = self.value(operand)?;
        let (ty, numbers) = (self.type_of(value), self.numbers_of(value));
        if matches!(op, Glsl::Modf | Glsl::ModfStruct) {
            let out = self.variable("whole", ty);
            let target = self.local(out);
            let first = self.call_with("modf", &[value, target], ty, Effects::WRITES);
            return Ok((self.name_value(first), out));
        }
        if numbers.scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, format!("frexp of {} bits in HLSL", numbers.scalar.width));
        }
        let significand =
            self.by_component([value], numbers.scalar, ty, |body, [one], ty| body.significand(one, ty, inst))?;
        let significand = self.name_value(significand);
        let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, ..numbers });
        let value = self.value(operand)?;
        let exponent = self.by_component([value], Scalar::INT, int, |body, [one], ty| body.exponent(one, ty, inst))?;
        Ok((significand, self.name_value(exponent)))
    }

    fn significand(&mut self, value: Expr, ty: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        let name = self.repeated(value);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.local(name);
        let bits = self.bit_cast(whole, word, inst)?;
        let kept = self.masked(bits, 0x807f_ffff, word);
        let half = self.cx.word(0x3f00_0000);
        let bits = self.binary(Binary::BitOr, kept, half, word);
        let reject = self.bit_cast(bits, ty, inst)?;
        let (condition, accept) = (self.is_zero(name), self.local(name));
        Ok(self.pure(Shape::Choice { condition, accept, reject }, ty))
    }

    fn exponent(&mut self, value: Expr, ty: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        let name = self.repeated(value);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.local(name);
        let bits = self.bit_cast(whole, word, inst)?;
        let bits = self.shifted(Binary::ShiftRight, bits, 23, word);
        let bits = self.masked(bits, 0xff, word);
        let number = self.cast(bits, ScalarKind::Int);
        let bias = self.cx.int(126);
        let reject = self.binary(Binary::Subtract, number, bias, ty);
        let (condition, accept) = (self.is_zero(name), self.cx.int(0));
        Ok(self.pure(Shape::Choice { condition, accept, reject }, ty))
    }

    fn is_zero(&mut self, name: LocalId) -> Expr {
        let whole = self.local(name);
        let (ty, boolean) = (self.type_of(whole), self.cx.text.types.numbers(Scalar::BOOL, 1));
        let zero = self.cx.literal(Literal::Float(0.0), ty);
        self.binary(Binary::Equal, whole, zero, boolean)
    }
}

/// The function of the language.
fn function(op: Glsl) -> Option<Signed> {
    Some(match op {
        Glsl::Round | Glsl::RoundEven => ("round", None),
        Glsl::Fract => ("frac", None),
        Glsl::Radians => ("radians", None),
        Glsl::Degrees => ("degrees", None),
        Glsl::Atan2 => ("atan2", None),
        Glsl::InverseSqrt => ("rsqrt", None),
        Glsl::FMix => ("lerp", None),
        _ => return shared_function(op),
    })
}
