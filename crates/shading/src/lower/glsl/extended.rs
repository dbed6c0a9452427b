//! The extended instructions of `GLSL.std.450`: functions of the language with the same meaning.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::GlslStd450Op as Glsl;

use super::super::function::extended::{Extended, Signed, shared_function};
use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, Scalar, ScalarKind, Shape, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An extended instruction.
    pub(in crate::lower) fn glsl_extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if let Some(extended) = view::ExtInst::of(self.source, inst)
            && self.source.is_instruction_set(extended.set, "NonSemantic.DebugPrintf")
        {
            let operands = extended.operands.to_vec();
            return self.debug_print(inst, &operands);
        }
        let Some(Extended { op, operands }) = self.extended_op(inst)? else { return Ok(()) };
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
            Glsl::NMin | Glsl::NMax => {
                let values = [self.value(operands[0])?, self.value(operands[1])?];
                let may_be_nan = [operands[0], operands[1]].map(|operand| !self.is_number(operand));
                self.number_of_two(if op == Glsl::NMin { "min" } else { "max" }, values, may_be_nan)?
            }
            Glsl::NClamp => {
                let [value, least, most] =
                    [self.value(operands[0])?, self.value(operands[1])?, self.value(operands[2])?];
                let [value_may, least_may, most_may] =
                    [operands[0], operands[1], operands[2]].map(|operand| !self.is_number(operand));
                let value = self.number_of_two("max", [value, least], [value_may, least_may])?;
                self.number_of_two("min", [value, most], [value_may && least_may, most_may])?
            }
            // Without the function it may be computed in two steps, unless the module forbids that.
            Glsl::Fma if !self.cx.target.glsl().has_word("fma") && !self.is_exact(inst) => {
                let [left, right, added] =
                    [self.value(operands[0])?, self.value(operands[1])?, self.value(operands[2])?];
                let product = self.binary(Binary::Multiply, left, right, ty);
                self.binary(Binary::Add, product, added, ty)
            }
            _ => match function(op) {
                Some(function) => self.signed_function(inst, function, &operands)?,
                None => return self.refuse(WriteCode::Op, inst, format!("{op:?} of GLSL.std.450 in GLSL")),
            },
        };
        self.define(inst, value)
    }

    /// The minimum or maximum of two numbers, of which one may be NaN: then it is the other one. The functions of the language leave that open.
    ///
    /// ```text
    /// isnan(x) ? y : isnan(y) ? x : min(x, y)
    /// ```
    fn number_of_two(
        &mut self,
        name: &'static str,
        operands: [Expr; 2],
        may_be_nan: [bool; 2],
    ) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(operands[0]);
        let numbers = self.numbers_of(operands[0]);
        let boolean = self.type_of_numbers(Numbers { scalar: Scalar::BOOL, ..numbers });
        let [x, y] = operands.map(|operand| self.repeated(operand));
        let (left, right) = (self.local(x), self.local(y));
        let mut value = self.call(name, &[left, right], ty);
        for (tested, other, may_be_nan) in [(y, x, may_be_nan[1]), (x, y, may_be_nan[0])] {
            if !may_be_nan {
                continue;
            }
            let tested = self.local(tested);
            let is_nan = self.call("isnan", &[tested], boolean);
            let other = self.local(other);
            value = match numbers.size {
                1 => self.pure(Shape::Choice { condition: is_nan, accept: other, reject: value }, ty),
                _ => self.glsl_choose_components(is_nan, other, value)?,
            };
        }
        Ok(value)
    }

    /// Returns whether a value is a constant without NaN.
    fn is_number(&self, value: Inst) -> bool {
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            match self.source.op(value) {
                Op::ConstantNull => {}
                Op::ConstantComposite => stack.extend(self.source.operands(value)),
                Op::Constant => {
                    let is_nan = |words: &[u32]| match *words {
                        [word] if self.source.ty(value).and_then(|ty| self.source.width(ty)) == Some(32) => {
                            f32::from_bits(word).is_nan()
                        }
                        [low, high] => f64::from_bits(u64::from(high) << 32 | u64::from(low)).is_nan(),
                        _ => true,
                    };
                    if self.source.constant_words(value).is_none_or(is_nan) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
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

/// The function of the language.
fn function(op: Glsl) -> Option<Signed> {
    Some(match op {
        Glsl::Round => ("round", None),
        Glsl::RoundEven => ("roundEven", None),
        Glsl::FSign => ("sign", None),
        Glsl::SSign => ("sign", Some(ScalarKind::Int)),
        Glsl::Fract => ("fract", None),
        Glsl::Radians => ("radians", None),
        Glsl::Degrees => ("degrees", None),
        Glsl::Atan2 => ("atan", None),
        Glsl::Asinh => ("asinh", None),
        Glsl::Acosh => ("acosh", None),
        Glsl::Atanh => ("atanh", None),
        Glsl::InverseSqrt => ("inversesqrt", None),
        Glsl::MatrixInverse => ("inverse", None),
        Glsl::FMix => ("mix", None),
        Glsl::Fma => ("fma", None),
        _ => return shared_function(op),
    })
}
