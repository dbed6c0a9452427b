//! The extended instructions of `GLSL.std.450`: functions of the language with the same meaning.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::GlslStd450Op as Glsl;

use super::super::function::{Body, Numbers};
use crate::syntax::{Effects, Expr, Scalar, ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An extended instruction.
    pub(in crate::lower) fn glsl_extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(extended) = view::ExtInst::of(self.source, inst) else { return self.unknown(inst) };
        let set = view::ExtInstImport::of(self.source, extended.set);
        if set.is_some_and(|set| set.name.starts_with("NonSemantic.DebugPrintf")) {
            let operands = extended.operands.to_vec();
            return self.debug_print(inst, &operands);
        }
        if set.is_some_and(|set| set.name.starts_with("NonSemantic.")) {
            return Ok(());
        }
        let Some(op) = self.source.glsl_op(inst) else {
            let name = set.map_or_else(String::new, |set| set.name.to_string());
            return self.refuse(WriteCode::Op, inst, format!("instruction {} of {name}", extended.instruction));
        };
        let operands = extended.operands.to_vec();
        let ty = self.cx.type_of(inst)?;
        let value = match op {
            Glsl::Modf | Glsl::Frexp => return self.parts_by_pointer(inst, op, [operands[0], operands[1]]),
            Glsl::ModfStruct | Glsl::FrexpStruct => return self.parts_of_float(inst, op, operands[0]),
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => self.find_bit(inst, op, operands[0])?,
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => {
                self.interpolate(op, &operands, ty)?
            }
            Glsl::Ldexp => {
                let (value, exponent) = (self.value(operands[0])?, self.value_as(operands[1], ScalarKind::Int)?);
                self.call("ldexp", &[value, exponent], ty)
            }
            Glsl::PackSnorm4x8
            | Glsl::PackUnorm4x8
            | Glsl::PackSnorm2x16
            | Glsl::PackUnorm2x16
            | Glsl::PackHalf2x16 => {
                let value = self.value(operands[0])?;
                let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
                let packed = self.call(packing(op), &[value], word);
                self.as_result(inst, packed)?
            }
            Glsl::UnpackSnorm4x8
            | Glsl::UnpackUnorm4x8
            | Glsl::UnpackSnorm2x16
            | Glsl::UnpackUnorm2x16
            | Glsl::UnpackHalf2x16 => {
                let value = self.value_as(operands[0], ScalarKind::Uint)?;
                self.call(packing(op), &[value], ty)
            }
            Glsl::PackDouble2x32 => {
                let value = self.value_as(operands[0], ScalarKind::Uint)?;
                self.call("packDouble2x32", &[value], ty)
            }
            Glsl::UnpackDouble2x32 => {
                let value = self.value(operands[0])?;
                let pair = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 2 });
                let words = self.call("unpackDouble2x32", &[value], pair);
                self.as_result(inst, words)?
            }
            _ => match function(op) {
                Some((name, sign)) => self.function_with_sign(inst, name, sign, &operands)?,
                None => return self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in GLSL")),
            },
        };
        self.define(inst, value)
    }

    /// A function on integers of this signedness, or on other numbers.
    fn function_with_sign(
        &mut self,
        inst: Inst,
        name: &'static str,
        sign: Option<ScalarKind>,
        operands: &[Inst],
    ) -> Result<Expr, Diagnostic> {
        let mut arguments = Vec::new();
        for &operand in operands {
            arguments.push(match sign {
                Some(sign) => self.value_as(operand, sign)?,
                None => self.value(operand)?,
            });
        }
        let own = match sign {
            Some(sign) => {
                let numbers = self.numbers(inst)?;
                self.type_of_numbers(Numbers { scalar: numbers.scalar.with(sign), ..numbers })
            }
            None => self.cx.type_of(inst)?,
        };
        let value = self.call(name, &arguments, own);
        match sign {
            Some(_) => self.as_result(inst, value),
            None => Ok(value),
        }
    }

    /// The position of a bit, which is signed.
    fn find_bit(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers(operand)?;
        if numbers.scalar.width != 32 {
            return self.refuse(WriteCode::Op, inst, format!("{op:?} of {} bits in GLSL", numbers.scalar.width));
        }
        let (name, kind) = match op {
            Glsl::FindILsb => ("findLSB", numbers.scalar.kind),
            Glsl::FindSMsb => ("findMSB", ScalarKind::Int),
            _ => ("findMSB", ScalarKind::Uint),
        };
        let value = self.value_as(operand, kind)?;
        let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, size: numbers.size });
        let found = self.call(name, &[value], int);
        self.as_result(inst, found)
    }

    fn interpolate(&mut self, op: Glsl, operands: &[Inst], ty: Type) -> Result<Expr, Diagnostic> {
        let place = self.place(operands[0])?;
        let (name, second) = match op {
            Glsl::InterpolateAtCentroid => ("interpolateAtCentroid", None),
            Glsl::InterpolateAtSample => ("interpolateAtSample", Some(self.value_as(operands[1], ScalarKind::Int)?)),
            _ => ("interpolateAtOffset", Some(self.value(operands[1])?)),
        };
        let arguments: Vec<Expr> = std::iter::once(place).chain(second).collect();
        Ok(self.call(name, &arguments, ty))
    }

    /// `modf` and `frexp` that store their second result.
    fn parts_by_pointer(&mut self, inst: Inst, op: Glsl, [operand, pointer]: [Inst; 2]) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let (first, second) = self.float_parts(op, operand, ty)?;
        let value = self.local(second);
        self.store_value(pointer, value, inst)?;
        self.know(inst, first)
    }

    fn parts_of_float(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<(), Diagnostic> {
        let types = self.part_types(inst)?;
        let &[first_type, second_type] = &types[..] else { return self.unknown(inst) };
        let (first, second) = self.float_parts(op, operand, first_type)?;
        let value = self.local(second);
        let value = self.convert(value, second_type, inst)?;
        let second = self.repeated(value);
        let value = self.local(first);
        let first = self.repeated(value);
        self.define_parts(inst, &[first, second])
    }

    /// ```text
    /// float whole; float part = modf(x, whole);      int exponent; float significand = frexp(x, exponent);
    /// ```
    fn float_parts(
        &mut self,
        op: Glsl,
        operand: Inst,
        ty: Type,
    ) -> Result<(crate::syntax::LocalId, crate::syntax::LocalId), Diagnostic> {
        let numbers = self.numbers(operand)?;
        let is_modf = matches!(op, Glsl::Modf | Glsl::ModfStruct);
        let second = match is_modf {
            true => ty,
            false => self.type_of_numbers(Numbers { scalar: Scalar::INT, size: numbers.size }),
        };
        let out = self.variable(if is_modf { "whole" } else { "exponent" }, second);
        let (value, target) = (self.value(operand)?, self.local(out));
        let name = if is_modf { "modf" } else { "frexp" };
        let first = self.call_with(name, &[value, target], ty, Effects::WRITES);
        Ok((self.name_value(first), out))
    }

    /// `debugPrintfEXT`: the format is a string of the module.
    fn debug_print(&mut self, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
        let Some((&format, values)) = operands.split_first() else { return self.unknown(inst) };
        let Some(format) = view::String::of(self.source, format).map(|string| string.text.to_string()) else {
            return self.unknown(inst);
        };
        self.cx.require("GL_EXT_debug_printf", inst);
        let void = self.cx.text.types.of(TypeShape::Void);
        let quoted = self.cx.quoted(&format);
        let format = self.cx.global(quoted);
        let values = self.values(values)?;
        let arguments: Vec<Expr> = std::iter::once(format).chain(values).collect();
        let call = self.call_with("debugPrintfEXT", &arguments, void, Effects::WRITES);
        self.statement(crate::syntax::StatementKind::Expression(call));
        Ok(())
    }
}

fn packing(op: Glsl) -> &'static str {
    match op {
        Glsl::PackSnorm4x8 => "packSnorm4x8",
        Glsl::PackUnorm4x8 => "packUnorm4x8",
        Glsl::PackSnorm2x16 => "packSnorm2x16",
        Glsl::PackUnorm2x16 => "packUnorm2x16",
        Glsl::PackHalf2x16 => "packHalf2x16",
        Glsl::UnpackSnorm4x8 => "unpackSnorm4x8",
        Glsl::UnpackUnorm4x8 => "unpackUnorm4x8",
        Glsl::UnpackSnorm2x16 => "unpackSnorm2x16",
        Glsl::UnpackUnorm2x16 => "unpackUnorm2x16",
        _ => "unpackHalf2x16",
    }
}

/// The function of the language, and the signedness of its integers.
fn function(op: Glsl) -> Option<(&'static str, Option<ScalarKind>)> {
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    Some(match op {
        Glsl::Round => ("round", None),
        Glsl::RoundEven => ("roundEven", None),
        Glsl::Trunc => ("trunc", None),
        Glsl::FAbs => ("abs", None),
        Glsl::SAbs => ("abs", signed),
        Glsl::FSign => ("sign", None),
        Glsl::SSign => ("sign", signed),
        Glsl::Floor => ("floor", None),
        Glsl::Ceil => ("ceil", None),
        Glsl::Fract => ("fract", None),
        Glsl::Radians => ("radians", None),
        Glsl::Degrees => ("degrees", None),
        Glsl::Sin => ("sin", None),
        Glsl::Cos => ("cos", None),
        Glsl::Tan => ("tan", None),
        Glsl::Asin => ("asin", None),
        Glsl::Acos => ("acos", None),
        Glsl::Atan | Glsl::Atan2 => ("atan", None),
        Glsl::Sinh => ("sinh", None),
        Glsl::Cosh => ("cosh", None),
        Glsl::Tanh => ("tanh", None),
        Glsl::Asinh => ("asinh", None),
        Glsl::Acosh => ("acosh", None),
        Glsl::Atanh => ("atanh", None),
        Glsl::Pow => ("pow", None),
        Glsl::Exp => ("exp", None),
        Glsl::Log => ("log", None),
        Glsl::Exp2 => ("exp2", None),
        Glsl::Log2 => ("log2", None),
        Glsl::Sqrt => ("sqrt", None),
        Glsl::InverseSqrt => ("inversesqrt", None),
        Glsl::Determinant => ("determinant", None),
        Glsl::MatrixInverse => ("inverse", None),
        Glsl::FMin | Glsl::NMin => ("min", None),
        Glsl::UMin => ("min", unsigned),
        Glsl::SMin => ("min", signed),
        Glsl::FMax | Glsl::NMax => ("max", None),
        Glsl::UMax => ("max", unsigned),
        Glsl::SMax => ("max", signed),
        Glsl::FClamp | Glsl::NClamp => ("clamp", None),
        Glsl::UClamp => ("clamp", unsigned),
        Glsl::SClamp => ("clamp", signed),
        Glsl::FMix => ("mix", None),
        Glsl::Step => ("step", None),
        Glsl::SmoothStep => ("smoothstep", None),
        Glsl::Fma => ("fma", None),
        Glsl::Length => ("length", None),
        Glsl::Distance => ("distance", None),
        Glsl::Cross => ("cross", None),
        Glsl::Normalize => ("normalize", None),
        Glsl::FaceForward => ("faceforward", None),
        Glsl::Reflect => ("reflect", None),
        Glsl::Refract => ("refract", None),
        _ => return None,
    })
}
