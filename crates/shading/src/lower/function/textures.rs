//! Textures and what selects their texels.
//!
//! MSL and WGSL have textures apart from samplers, and position, layer and reference apart:
//!
//! ```text
//! image_sample_implicit_lod %layers, %uvw                   ⇒  uvw.xy, uint(rint(uvw.z))
//! image_sample_proj_dref_implicit_lod %shadows, %uvq, %z    ⇒  uvq.xy / uvq.z, z / uvq.z
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::ImageAccess;
use reconverge_ir::{Inst, Op};
use smallvec::{SmallVec, smallvec};

use super::{Body, Numbers};
use crate::lower::uses::Sampling;
use crate::syntax::{Binary, Depth, Expr, Image, ImageDim, Scalar, Type, TypeShape};
use crate::write::WriteCode;

/// How a language selects the layer of a texture.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Layers {
    /// The function that rounds to the nearest even number.
    pub(in crate::lower) round: &'static str,
    /// The type of a layer.
    pub(in crate::lower) number: Scalar,
}

/// What selects the texels of a sample.
pub(in crate::lower) struct Position {
    /// The components, and the layer of a texture that has some.
    pub(in crate::lower) arguments: SmallVec<[Expr; 2]>,
    /// What the components and a reference are divided by.
    divisor: Option<Expr>,
}

/// The number of components that select a texel, without a layer.
pub(in crate::lower) fn dimensions(image: Image) -> u8 {
    match image.dim {
        ImageDim::One | ImageDim::Buffer => 1,
        ImageDim::Two | ImageDim::Rect | ImageDim::Subpass => 2,
        ImageDim::Three | ImageDim::Cube => 3,
    }
}

/// The number of components of a coordinate, with its layer.
pub(in crate::lower) fn coordinates(image: Image) -> u8 {
    dimensions(image) + u8::from(image.is_array)
}

/// Returns whether an op projects its coordinate.
pub(in crate::lower) fn is_projected(op: Op) -> bool {
    op.name().contains("_proj_")
}

/// Returns whether an op says whether its texels are resident.
pub(in crate::lower) fn is_sparse(op: Op) -> bool {
    op.name().starts_with("image_sparse_")
}

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

    /// The texture of an image with or without a sampler, and its type.
    pub(in crate::lower) fn texture(&mut self, image: Inst, inst: Inst) -> Result<(Expr, Image), Diagnostic> {
        let expr = self.place(self.image_inside(image))?;
        match self.cx.text.types[self.type_of(expr)] {
            TypeShape::Image(image) => Ok((expr, image)),
            _ => self.refuse(WriteCode::Image, inst, "an access to what is no image"),
        }
    }

    /// The type of what a sample gives: one number of a texture of depths.
    pub(in crate::lower) fn texel_type(&mut self, image: Image, sampling: Sampling) -> Type {
        let is_one = sampling == Sampling::Compared || image.depth == Depth::Compared;
        self.type_of_numbers(Numbers { scalar: image.component, size: if is_one { 1 } else { 4 } })
    }

    /// The coordinate of a sample or a gather.
    pub(in crate::lower) fn position(
        &mut self,
        (inst, access): (Inst, &ImageAccess),
        image: Image,
        layers: Layers,
    ) -> Result<Position, Diagnostic> {
        let whole = self.value(access.coordinate)?;
        // Images take floats of 32 bits.
        let numbers = self.numbers_of(whole);
        let whole = if numbers.scalar.is_float() { self.numbers_to(whole, Scalar::FLOAT, numbers.size) } else { whole };
        let size = dimensions(image);
        let is_projected = is_projected(self.source.op(inst));
        if !image.is_array && !is_projected {
            return Ok(Position { arguments: smallvec![self.first_components(whole, size)], divisor: None });
        }
        let last = self.numbers_of(whole).size - 1;
        let name = self.repeated(whole);
        let read = self.local(name);
        let components = self.first_components(read, size);
        let read = self.local(name);
        if is_projected {
            let divisor = self.swizzle(read, &[last]);
            let again = self.cx.text.expressions.copy(divisor);
            let ty = self.type_of(components);
            let divided = self.binary(Binary::Divide, components, divisor, ty);
            return Ok(Position { arguments: smallvec![divided], divisor: Some(again) });
        }
        let layer = self.swizzle(read, &[size]);
        let ty = self.type_of(layer);
        let rounded = self.call(layers.round, &[layer], ty);
        let layer = self.numbers_to(rounded, layers.number, 1);
        Ok(Position { arguments: smallvec![components, layer], divisor: None })
    }

    /// The reference that a sample compares with, divided as the coordinate is.
    pub(in crate::lower) fn reference(
        &mut self,
        (inst, access): (Inst, &ImageAccess),
        position: &Position,
    ) -> Result<Expr, Diagnostic> {
        let Some(reference) = access.argument else { return self.unknown(inst) };
        let reference = self.value(reference)?;
        let Some(divisor) = position.divisor else { return Ok(reference) };
        let ty = self.type_of(reference);
        let divisor = self.cx.text.expressions.copy(divisor);
        Ok(self.binary(Binary::Divide, reference, divisor, ty))
    }
}
