//! The extended instructions of `GLSL.std.450`.

use naga::{Expression, Handle, MathFunction as Math, ScalarKind};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::GlslStd450Op as Glsl;

use super::super::WriteCode;
use super::{Body, arithmetic};

impl Body<'_, '_> {
    pub(super) fn extended(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(extended) = view::ExtInst::of(self.source, inst) else { return self.unknown(inst) };
        let set = view::ExtInstImport::of(self.source, extended.set);
        if set.is_some_and(|set| set.name.starts_with("NonSemantic.")) {
            return Ok(());
        }
        let Some(op) = self.source.glsl_op(inst) else {
            let name = set.map_or_else(String::new, |set| set.name.to_string());
            return self.refuse(WriteCode::Op, inst, format!("instruction {} of {name}", extended.instruction));
        };
        let operands = extended.operands.to_vec();
        let handle = match op {
            Glsl::Modf | Glsl::Frexp | Glsl::ModfStruct | Glsl::FrexpStruct => {
                return self.parts_of_float(inst, op, &operands);
            }
            Glsl::SSign => self.sign(inst, operands[0])?,
            Glsl::FindILsb | Glsl::FindSMsb | Glsl::FindUMsb => self.find_bit(inst, op, operands[0])?,
            Glsl::FMix if self.module.kind_of(operands[2]) == Some(ScalarKind::Bool) => return self.unknown(inst),
            Glsl::Determinant => self.math(Math::Determinant, &operands, None)?,
            _ => match function(op) {
                Some((function, _)) if is_unpacking(op) => self.math(function, &operands, Some(ScalarKind::Uint))?,
                Some((function, _)) if is_packing(op) => {
                    let packed = self.math(function, &operands, None)?;
                    let kind = self.module.kind_of(inst).unwrap_or(ScalarKind::Uint);
                    arithmetic::cast(self, packed, ScalarKind::Uint, kind)
                }
                Some((function, sign)) => self.math_of(inst, function, &operands, sign)?,
                None => {
                    let message = format!("{op:?} of GLSL.std.450 in {}", self.module.language);
                    return self.refuse(WriteCode::Op, inst, message);
                }
            },
        };
        self.define(inst, handle)
    }

    fn math_of(
        &mut self,
        inst: Inst,
        function: Math,
        operands: &[Inst],
        sign: Option<ScalarKind>,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let handle = self.math(function, operands, sign)?;
        match (sign, self.module.kind_of(inst)) {
            (Some(sign), Some(kind)) => Ok(arithmetic::cast(self, handle, sign, kind)),
            _ => Ok(handle),
        }
    }

    /// A function of naga, on integers of this signedness.
    fn math(
        &mut self,
        fun: Math,
        operands: &[Inst],
        sign: Option<ScalarKind>,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let mut arguments = [None; 4];
        for (argument, &operand) in arguments.iter_mut().zip(operands) {
            *argument = Some(match sign {
                Some(sign) => self.value_as(operand, sign)?,
                None => self.value(operand)?,
            });
        }
        let [arg, arg1, arg2, arg3] = arguments;
        let arg = arg.expect("invariant: instructions of the set have an operand");
        Ok(self.push(Expression::Math { fun, arg, arg1, arg2, arg3 }))
    }

    fn sign(&mut self, inst: Inst, operand: Inst) -> Result<Handle<Expression>, Diagnostic> {
        self.math_of(inst, Math::Sign, &[operand], Some(ScalarKind::Sint))
    }

    /// The position of a bit. naga's functions have the operand's type, so that the result without a bit is -1 in both types.
    fn find_bit(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Handle<Expression>, Diagnostic> {
        let (function, sign) = match op {
            Glsl::FindILsb => (Math::FirstTrailingBit, self.module.kind_of(operand)),
            Glsl::FindSMsb => (Math::FirstLeadingBit, Some(ScalarKind::Sint)),
            _ => (Math::FirstLeadingBit, Some(ScalarKind::Uint)),
        };
        self.math_of(inst, function, &[operand], sign)
    }

    /// `modf` and `frexp`: the results are members of a struct of naga. The whole part or exponent is stored.
    fn parts_of_float(&mut self, inst: Inst, op: Glsl, operands: &[Inst]) -> Result<(), Diagnostic> {
        let scalar = self.module.scalar_of(operands[0]);
        let size = self.module.size_of(operands[0])?;
        let Some(scalar) = scalar else { return self.unknown(inst) };
        let (fun, predeclared) = match op {
            Glsl::Modf | Glsl::ModfStruct => (Math::Modf, naga::PredeclaredType::ModfResult { size, scalar }),
            _ => (Math::Frexp, naga::PredeclaredType::FrexpResult { size, scalar }),
        };
        self.module.output.generate_predeclared_type(predeclared);
        let arg = self.value(operands[0])?;
        let parts = self.push(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None });
        let part = self.push(Expression::AccessIndex { base: parts, index: 0 });
        let rest = self.push(Expression::AccessIndex { base: parts, index: 1 });
        if matches!(op, Glsl::ModfStruct | Glsl::FrexpStruct) {
            let ty = self.module.type_of(inst)?;
            let handle = self.push(Expression::Compose { ty, components: vec![part, rest] });
            return self.define(inst, handle);
        }
        let value = match self.source.pointee(operands[1]).and_then(|ty| self.module.scalar(ty)) {
            Some(target) if fun == Math::Frexp => arithmetic::cast(self, rest, ScalarKind::Sint, target.kind),
            _ => rest,
        };
        let pointer = self.memory(operands[1])?;
        self.statement(naga::Statement::Store { pointer, value });
        self.define(inst, part)
    }
}

/// The function of naga, and the signedness of its integers.
fn function(op: Glsl) -> Option<(Math, Option<ScalarKind>)> {
    let (signed, unsigned) = (Some(ScalarKind::Sint), Some(ScalarKind::Uint));
    Some(match op {
        Glsl::Round | Glsl::RoundEven => (Math::Round, None),
        Glsl::Trunc => (Math::Trunc, None),
        Glsl::FAbs => (Math::Abs, None),
        Glsl::SAbs => (Math::Abs, signed),
        Glsl::FSign => (Math::Sign, None),
        Glsl::Floor => (Math::Floor, None),
        Glsl::Ceil => (Math::Ceil, None),
        Glsl::Fract => (Math::Fract, None),
        Glsl::Radians => (Math::Radians, None),
        Glsl::Degrees => (Math::Degrees, None),
        Glsl::Sin => (Math::Sin, None),
        Glsl::Cos => (Math::Cos, None),
        Glsl::Tan => (Math::Tan, None),
        Glsl::Asin => (Math::Asin, None),
        Glsl::Acos => (Math::Acos, None),
        Glsl::Atan => (Math::Atan, None),
        Glsl::Sinh => (Math::Sinh, None),
        Glsl::Cosh => (Math::Cosh, None),
        Glsl::Tanh => (Math::Tanh, None),
        Glsl::Asinh => (Math::Asinh, None),
        Glsl::Acosh => (Math::Acosh, None),
        Glsl::Atanh => (Math::Atanh, None),
        Glsl::Atan2 => (Math::Atan2, None),
        Glsl::Pow => (Math::Pow, None),
        Glsl::Exp => (Math::Exp, None),
        Glsl::Log => (Math::Log, None),
        Glsl::Exp2 => (Math::Exp2, None),
        Glsl::Log2 => (Math::Log2, None),
        Glsl::Sqrt => (Math::Sqrt, None),
        Glsl::InverseSqrt => (Math::InverseSqrt, None),
        Glsl::MatrixInverse => (Math::Inverse, None),
        Glsl::FMin | Glsl::NMin => (Math::Min, None),
        Glsl::UMin => (Math::Min, unsigned),
        Glsl::SMin => (Math::Min, signed),
        Glsl::FMax | Glsl::NMax => (Math::Max, None),
        Glsl::UMax => (Math::Max, unsigned),
        Glsl::SMax => (Math::Max, signed),
        Glsl::FClamp | Glsl::NClamp => (Math::Clamp, None),
        Glsl::UClamp => (Math::Clamp, unsigned),
        Glsl::SClamp => (Math::Clamp, signed),
        Glsl::FMix => (Math::Mix, None),
        Glsl::Step => (Math::Step, None),
        Glsl::SmoothStep => (Math::SmoothStep, None),
        Glsl::Fma => (Math::Fma, None),
        Glsl::Ldexp => (Math::Ldexp, None),
        Glsl::PackSnorm4x8 => (Math::Pack4x8snorm, None),
        Glsl::PackUnorm4x8 => (Math::Pack4x8unorm, None),
        Glsl::PackSnorm2x16 => (Math::Pack2x16snorm, None),
        Glsl::PackUnorm2x16 => (Math::Pack2x16unorm, None),
        Glsl::PackHalf2x16 => (Math::Pack2x16float, None),
        Glsl::UnpackSnorm4x8 => (Math::Unpack4x8snorm, None),
        Glsl::UnpackUnorm4x8 => (Math::Unpack4x8unorm, None),
        Glsl::UnpackSnorm2x16 => (Math::Unpack2x16snorm, None),
        Glsl::UnpackUnorm2x16 => (Math::Unpack2x16unorm, None),
        Glsl::UnpackHalf2x16 => (Math::Unpack2x16float, None),
        Glsl::Length => (Math::Length, None),
        Glsl::Distance => (Math::Distance, None),
        Glsl::Cross => (Math::Cross, None),
        Glsl::Normalize => (Math::Normalize, None),
        Glsl::FaceForward => (Math::FaceForward, None),
        Glsl::Reflect => (Math::Reflect, None),
        Glsl::Refract => (Math::Refract, None),
        _ => return None,
    })
}

fn is_packing(op: Glsl) -> bool {
    matches!(
        op,
        Glsl::PackSnorm4x8 | Glsl::PackUnorm4x8 | Glsl::PackSnorm2x16 | Glsl::PackUnorm2x16 | Glsl::PackHalf2x16
    )
}

fn is_unpacking(op: Glsl) -> bool {
    matches!(
        op,
        Glsl::UnpackSnorm4x8
            | Glsl::UnpackUnorm4x8
            | Glsl::UnpackSnorm2x16
            | Glsl::UnpackUnorm2x16
            | Glsl::UnpackHalf2x16
    )
}
