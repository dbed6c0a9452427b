//! Textures in MSL and WGSL, which have them apart from their samplers.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::{Body, Numbers};
use crate::syntax::Expr;

impl Body<'_, '_> {
    /// The first components of a vector.
    pub(in crate::lower) fn first_components(&mut self, value: Expr, size: u8) -> Expr {
        if self.numbers_of(value).size <= size {
            return value;
        }
        let components: Vec<u8> = (0..size).collect();
        self.swizzle(value, &components)
    }

    /// Returns whether a value is the constant zero.
    pub(in crate::lower) fn is_constant_zero(&self, value: Inst) -> bool {
        self.word(value) == Some(0)
    }

    /// Records texels or a depth as the value of an instruction.
    pub(in crate::lower) fn define_fitted(&mut self, inst: Inst, value: Expr) -> Result<(), Diagnostic> {
        let wanted = self.cx.type_of(inst)?;
        let (given, size) = (self.numbers_of(value), self.cx.text.types.size(wanted));
        let value = match given.size {
            given if given > size => self.first_components(value, size),
            given if given < size => {
                // A depth is the first component; the others are 0, 0 and 1.
                let mut parts = vec![value];
                let one = Numbers { scalar: self.numbers_of(value).scalar, size: 1 };
                parts.extend((1..size).map(|component| self.splat(i64::from(component == 3), one)));
                let ty = self.type_of_numbers(Numbers { size, ..one });
                self.construct(parts, ty)
            }
            _ => value,
        };
        let value = self.convert(value, wanted, inst)?;
        self.define(inst, value)
    }

    /// The image that an instruction combined with a sampler.
    pub(in crate::lower) fn image_inside(&self, image: Inst) -> Inst {
        let mut value = image;
        loop {
            match self.source.op(value) {
                Op::SampledImage => return self.source.operand(value, 0),
                Op::CopyObject => value = self.source.operand(value, 0),
                _ => return value,
            }
        }
    }
}
