//! Conversions between numbers: a constructor of the type of the result.
//!
//! An integer is converted with the signedness of the operation, and has that of its type before and after:
//!
//! ```text
//! %y: i64 = s_convert %x: u32      ⇒      int64_t(int(x))
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::{Body, Numbers};
use crate::syntax::{Expr, Image, Scalar, ScalarKind, Type};

impl Body<'_, '_> {
    /// The expression of a conversion to a type.
    pub(super) fn conversion(&mut self, op: Op, operand: Expr, ty: Type) -> Expr {
        let wanted = self.numbers_of_type(ty);
        let from = self.numbers_of(operand);
        let (operand, to) = match op {
            Op::ConvertFToU => (operand, wanted.scalar.with(ScalarKind::Uint)),
            Op::ConvertFToS => (operand, wanted.scalar.with(ScalarKind::Int)),
            Op::ConvertSToF => (self.cast(operand, ScalarKind::Int), wanted.scalar),
            Op::ConvertUToF => (self.cast(operand, ScalarKind::Uint), wanted.scalar),
            Op::UConvert => (self.cast(operand, ScalarKind::Uint), wanted.scalar.with(ScalarKind::Uint)),
            Op::SConvert => (self.cast(operand, ScalarKind::Int), wanted.scalar.with(ScalarKind::Int)),
            _ => (operand, wanted.scalar),
        };
        let converted = self.numbers_to(operand, to, from.size);
        self.cast(converted, wanted.scalar.kind)
    }

    /// Numbers as numbers of another type.
    pub(crate) fn numbers_to(&mut self, operand: Expr, scalar: Scalar, size: u8) -> Expr {
        if self.numbers_of(operand).scalar == scalar {
            return operand;
        }
        let ty = self.type_of_numbers(Numbers { scalar, size });
        self.construct([operand], ty)
    }

    /// The numbers of a type.
    pub(crate) fn numbers_of_type(&self, ty: Type) -> Numbers {
        let types = &self.cx.text.types;
        Numbers { scalar: types.scalar(ty).unwrap_or(Scalar::FLOAT), size: types.size(ty) }
    }

    /// A texel with four components of the type of an image; those that the module does not give are 0.
    pub(in crate::lower) fn whole_texel(&mut self, texel: Inst, image: Image) -> Result<Expr, Diagnostic> {
        let value = self.value(texel)?;
        let given = self.numbers_of(value).size;
        let value = self.cast(value, image.component.kind);
        if given == 4 {
            return Ok(value);
        }
        let one = Numbers { scalar: image.component, size: 1 };
        let mut parts = vec![value];
        for _ in given..4 {
            parts.push(self.splat(0, one));
        }
        let ty = self.type_of_numbers(Numbers { size: 4, ..one });
        Ok(self.construct(parts, ty))
    }
}
