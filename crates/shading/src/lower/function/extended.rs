//! What the languages share of `GLSL.std.450`: the functions that all of them have under one name, and results in two parts.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::GlslStd450Op as Glsl;

use super::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, LocalId, Scalar, ScalarKind, Shape, Type, Unary};
use crate::write::WriteCode;

/// A function of a language, and the signedness that it gives its integers.
pub(in crate::lower) type Signed = (&'static str, Option<ScalarKind>);

/// An extended instruction.
pub(in crate::lower) struct Extended {
    pub(in crate::lower) op: Glsl,
    pub(in crate::lower) operands: Vec<Inst>,
}

impl Body<'_, '_> {
    /// The extended instruction of `GLSL.std.450`; `None` for one without a meaning, of a set that only describes.
    ///
    /// # Errors
    /// It is of another set.
    pub(in crate::lower) fn extended_op(&self, inst: Inst) -> Result<Option<Extended>, Diagnostic> {
        let Some(extended) = view::ExtInst::of(self.source, inst) else { return self.unknown(inst) };
        let set = view::ExtInstImport::of(self.source, extended.set);
        if set.is_some_and(|set| set.name.starts_with("NonSemantic.")) {
            return Ok(None);
        }
        match self.source.glsl_op(inst) {
            Some(op) => Ok(Some(Extended { op, operands: extended.operands.to_vec() })),
            None => {
                let name = set.map_or_else(String::new, |set| set.name.to_string());
                self.refuse(WriteCode::Op, inst, format!("instruction {} of {name}", extended.instruction))
            }
        }
    }

    /// A call of a function of the language on values.
    pub(in crate::lower) fn function_of(
        &mut self,
        name: &'static str,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        let values = self.values(operands)?;
        Ok(self.call(name, &values, ty))
    }

    /// A function on integers of its signedness, or on other numbers.
    pub(in crate::lower) fn signed_function(
        &mut self,
        inst: Inst,
        (name, sign): Signed,
        operands: &[Inst],
    ) -> Result<Expr, Diagnostic> {
        let Some(sign) = sign else {
            let ty = self.cx.type_of(inst)?;
            return self.function_of(name, operands, ty);
        };
        let mut arguments = Vec::new();
        for &operand in operands {
            arguments.push(self.value_as(operand, sign)?);
        }
        let numbers = self.numbers(inst)?;
        let own = self.type_of_numbers(Numbers { scalar: numbers.scalar.with(sign), ..numbers });
        let value = self.call(name, &arguments, own);
        self.as_result(inst, value)
    }

    /// `modf` and `frexp` that store their second result.
    pub(in crate::lower) fn parts_by_pointer(
        &mut self,
        inst: Inst,
        op: Glsl,
        [operand, pointer]: [Inst; 2],
    ) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let [first, second] = self.float_parts(op, operand, ty)?;
        let value = self.local(second);
        self.store_value(pointer, value, inst)?;
        self.know(inst, first)
    }

    /// `modf` and `frexp` whose result is a struct.
    pub(in crate::lower) fn parts_of_float(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<(), Diagnostic> {
        let Some(&first) = self.part_types(inst)?.first() else { return self.unknown(inst) };
        let parts = self.float_parts(op, operand, first)?;
        self.define_two(inst, parts)
    }

    /// ```text
    /// float whole; float part = modf(x, whole);      int exponent; float significand = frexp(x, exponent);
    /// ```
    fn float_parts(&mut self, op: Glsl, operand: Inst, ty: Type) -> Result<[LocalId; 2], Diagnostic> {
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
        Ok([self.name_value(first), out])
    }

    /// Functions that the language has for vectors only, of one number.
    pub(in crate::lower) fn of_one_component(
        &mut self,
        inst: Inst,
        op: Glsl,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        let first = self.value(operands[0])?;
        match op {
            Glsl::Length => Ok(self.call("abs", &[first], ty)),
            Glsl::Normalize => Ok(self.call("sign", &[first], ty)),
            Glsl::Distance => {
                let second = self.value(operands[1])?;
                let difference = self.binary(Binary::Subtract, first, second, ty);
                Ok(self.call("abs", &[difference], ty))
            }
            Glsl::FaceForward => {
                let (incident, reference) = (self.value(operands[1])?, self.value(operands[2])?);
                let product = self.binary(Binary::Multiply, incident, reference, ty);
                let (zero, boolean) =
                    (self.splat(0, self.numbers_of(product)), self.cx.text.types.numbers(Scalar::BOOL, 1));
                let condition = self.binary(Binary::Less, product, zero, boolean);
                let normal = self.repeated(first);
                let (accept, reject) = (self.local(normal), self.local(normal));
                let reject = self.unary(Unary::Negate, reject);
                Ok(self.pure(Shape::Choice { condition, accept, reject }, ty))
            }
            Glsl::Reflect => {
                let second = self.value(operands[1])?;
                let (incident, normal) = (self.repeated(first), self.repeated(second));
                let two = self.splat(2, self.numbers_of(first));
                let (left, right) = (self.local(normal), self.local(incident));
                let dot = self.binary(Binary::Multiply, left, right, ty);
                let twice = self.binary(Binary::Multiply, two, dot, ty);
                let normal = self.local(normal);
                let change = self.binary(Binary::Multiply, twice, normal, ty);
                let incident = self.local(incident);
                Ok(self.binary(Binary::Subtract, incident, change, ty))
            }
            // Vectors of two that lie on an axis have the same products.
            Glsl::Refract => {
                let (normal, ratio) = (self.value(operands[1])?, self.value(operands[2])?);
                let numbers = self.numbers_of(first);
                let vector = self.type_of_numbers(Numbers { size: 2, ..numbers });
                let mut arguments = Vec::new();
                for number in [first, normal] {
                    let zero = self.splat(0, numbers);
                    arguments.push(self.construct([number, zero], vector));
                }
                arguments.push(ratio);
                let refracted = self.call("refract", &arguments, vector);
                Ok(self.swizzle(refracted, &[0]))
            }
            _ => self.refuse(WriteCode::Op, inst, format!("{op:?} of one number in {}", self.cx.target.language())),
        }
    }

    /// Records the two parts of a result, converted to the types of the module.
    pub(in crate::lower) fn define_two(&mut self, inst: Inst, parts: [LocalId; 2]) -> Result<(), Diagnostic> {
        let types = self.part_types(inst)?;
        let mut converted = Vec::new();
        for (part, wanted) in parts.into_iter().zip(types) {
            let read = self.local(part);
            let value = self.convert(read, wanted, inst)?;
            converted.push(match self.cx.text.expressions[value].shape {
                Shape::Local(local) => local,
                _ => self.name_value(value),
            });
        }
        self.define_parts(inst, &converted)
    }
}

/// The function that all languages have under one name.
pub(in crate::lower) fn shared_function(op: Glsl) -> Option<Signed> {
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    Some(match op {
        Glsl::Trunc => ("trunc", None),
        Glsl::FAbs => ("abs", None),
        Glsl::SAbs => ("abs", signed),
        Glsl::Floor => ("floor", None),
        Glsl::Ceil => ("ceil", None),
        Glsl::Sin => ("sin", None),
        Glsl::Cos => ("cos", None),
        Glsl::Tan => ("tan", None),
        Glsl::Asin => ("asin", None),
        Glsl::Acos => ("acos", None),
        Glsl::Atan => ("atan", None),
        Glsl::Sinh => ("sinh", None),
        Glsl::Cosh => ("cosh", None),
        Glsl::Tanh => ("tanh", None),
        Glsl::Pow => ("pow", None),
        Glsl::Exp => ("exp", None),
        Glsl::Log => ("log", None),
        Glsl::Exp2 => ("exp2", None),
        Glsl::Log2 => ("log2", None),
        Glsl::Sqrt => ("sqrt", None),
        Glsl::Determinant => ("determinant", None),
        Glsl::FMin | Glsl::NMin => ("min", None),
        Glsl::UMin => ("min", unsigned),
        Glsl::SMin => ("min", signed),
        Glsl::FMax | Glsl::NMax => ("max", None),
        Glsl::UMax => ("max", unsigned),
        Glsl::SMax => ("max", signed),
        Glsl::FClamp | Glsl::NClamp => ("clamp", None),
        Glsl::UClamp => ("clamp", unsigned),
        Glsl::SClamp => ("clamp", signed),
        Glsl::Step => ("step", None),
        Glsl::SmoothStep => ("smoothstep", None),
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
