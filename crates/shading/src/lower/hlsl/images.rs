//! Sampling: methods of textures.
//!
//! ```text
//! image_sample_explicit_lod %image, %uv, Lod %lod      ⇒      image.SampleLevel(image_sampler, uv, lod)
//! image_sample_dref_implicit_lod %image, %uv, %depth   ⇒      image.SampleCmp(image_comparison, uv, depth)
//! ```
//!
//! A coordinate that is projected is divided by its last component, and so is the depth that is compared.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, ImageOperands};
use reconverge_ir::{Inst, Op};

use super::super::function::textures::{coordinates, dimensions, is_projected, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses, sampler_of};
use crate::syntax::{Arguments, Binary, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Shape, TypeShape};
use crate::write::WriteCode;

/// A texture with its sampler.
struct Sampled {
    texture: Expr,
    sampler: Expr,
    image: Image,
}

impl Body<'_, '_> {
    /// A sample or a gather.
    pub(in crate::lower) fn hlsl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        if is_sparse(op) {
            return self.refuse(WriteCode::Image, inst, "a sample with residency in HLSL");
        }
        let sampling = Uses::sampling(op);
        let Sampled { texture, sampler, image } = self.texture_with_sampler(access.image, sampling, inst)?;
        let is_gather = matches!(op, Op::ImageGather | Op::ImageDrefGather);
        // A gather gives texels as they are.
        if !is_gather && !image.component.is_float() {
            return self.refuse(
                WriteCode::Image,
                inst,
                "a sample of integers in HLSL, which has fetches and gathers of them",
            );
        }
        let mut arguments: Arguments = std::iter::once(sampler).collect();
        let name = match is_gather {
            true => self.gather_arguments(&mut arguments, access, image, inst)?,
            false => self.sample_arguments(&mut arguments, access, image, inst)?,
        };
        let is_implicit = op.name().contains("implicit");
        let effects = if is_implicit { Effects::CONVERGENT } else { Effects::PURE };
        let size = if sampling == Sampling::Compared && !is_gather { 1 } else { 4 };
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size });
        let value = self.with_effects(Shape::Method { object: texture, name, arguments }, ty, effects);
        self.define_texel(inst, value)
    }

    /// Adds the operands of a sample. Returns the method.
    fn sample_arguments(
        &mut self,
        arguments: &mut Arguments,
        access: view::ImageAccess,
        image: Image,
        inst: Inst,
    ) -> Result<&'static str, Diagnostic> {
        let op = self.source.op(inst);
        let operands = access.operands;
        let is_projected = is_projected(op);
        let coordinate = self.coordinate(access.coordinate, coordinates(image) + u8::from(is_projected))?;
        let divisor = if is_projected { Some(self.repeated(coordinate)) } else { None };
        let coordinate = match divisor {
            Some(whole) => self.projected(whole, dimensions(image)),
            None => coordinate,
        };
        arguments.push(coordinate);
        let is_compared = Uses::sampling(op) == Sampling::Compared;
        if let Some(reference) = access.argument.filter(|_| is_compared) {
            let mut reference = self.value(reference)?;
            if let Some(whole) = divisor {
                let last = self.last_component(whole);
                let ty = self.type_of(reference);
                reference = self.binary(Binary::Divide, reference, last, ty);
            }
            arguments.push(reference);
        }
        let name = self.sample_method(&operands, Uses::sampling(op), inst)?;
        let own = operands.bias.or(operands.lod.filter(|_| name != "SampleCmpLevelZero"));
        let gradient = operands.grad.map(|gradient| [gradient.dx, gradient.dy]);
        for operand in own.into_iter().chain(gradient.into_iter().flatten()) {
            let value = self.value(operand)?;
            arguments.push(value);
        }
        self.add_offset_and_clamp(arguments, &operands, image, inst)?;
        Ok(name)
    }

    /// The method for these operands.
    fn sample_method(
        &self,
        operands: &ImageOperands,
        sampling: Sampling,
        inst: Inst,
    ) -> Result<&'static str, Diagnostic> {
        let is_compared = sampling == Sampling::Compared;
        let later = |since: (u8, u8), name: &'static str| {
            self.cx.check_version(since, &format!("`{name}`"), inst).map(|()| name)
        };
        match (is_compared, operands.lod, operands.grad, operands.bias) {
            (false, Some(_), ..) => Ok("SampleLevel"),
            (false, _, Some(_), _) => Ok("SampleGrad"),
            (false, _, _, Some(_)) => Ok("SampleBias"),
            (false, ..) => Ok("Sample"),
            (true, Some(lod), ..) if self.is_zero_constant(lod) => Ok("SampleCmpLevelZero"),
            (true, Some(_), ..) => later((6, 7), "SampleCmpLevel"),
            (true, _, Some(_), _) => later((6, 8), "SampleCmpGrad"),
            (true, _, _, Some(_)) => later((6, 8), "SampleCmpBias"),
            (true, ..) => Ok("SampleCmp"),
        }
    }

    fn is_zero_constant(&self, value: Inst) -> bool {
        match self.source.op(value) {
            Op::ConstantNull => true,
            Op::Constant => self.source.constant_words(value).is_some_and(|words| words.iter().all(|&word| word == 0)),
            _ => false,
        }
    }

    /// The first components of a coordinate, divided by the last one.
    fn projected(&mut self, whole: crate::syntax::LocalId, size: u8) -> Expr {
        let components: Vec<u8> = (0..size).collect();
        let base = self.local(whole);
        let value = self.swizzle(base, &components);
        let (ty, last) = (self.type_of(value), self.last_component(whole));
        self.binary(Binary::Divide, value, last, ty)
    }

    fn last_component(&mut self, whole: crate::syntax::LocalId) -> Expr {
        let base = self.local(whole);
        let last = self.numbers_of(base).size - 1;
        self.swizzle(base, &[last])
    }

    /// The offset, which is a constant, and the least level.
    fn add_offset_and_clamp(
        &mut self,
        arguments: &mut Arguments,
        operands: &ImageOperands,
        image: Image,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        match operands.const_offset.or(operands.offset) {
            Some(offset) if image.dim == ImageDim::Cube || !self.source.op(offset).is_constant() => {
                return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant in HLSL");
            }
            Some(offset) => {
                let value = self.value_as(offset, ScalarKind::Int)?;
                arguments.push(value);
            }
            None if operands.min_lod.is_some() && image.dim != ImageDim::Cube => {
                let zero = self.splat(0, Numbers { scalar: Scalar::INT, size: dimensions(image) });
                arguments.push(zero);
            }
            None => {}
        }
        if let Some(clamp) = operands.min_lod {
            let value = self.value(clamp)?;
            arguments.push(value);
        }
        Ok(())
    }

    /// Adds the operands of a gather. Returns the method.
    fn gather_arguments(
        &mut self,
        arguments: &mut Arguments,
        access: view::ImageAccess,
        image: Image,
        inst: Inst,
    ) -> Result<&'static str, Diagnostic> {
        let operands = access.operands;
        let coordinate = self.coordinate(access.coordinate, coordinates(image))?;
        arguments.push(coordinate);
        let is_compared = Uses::sampling(self.source.op(inst)) == Sampling::Compared;
        let name = match access.argument {
            Some(reference) if is_compared => {
                let value = self.value(reference)?;
                arguments.push(value);
                "GatherCmp"
            }
            Some(component) => {
                let names: [&'static str; 4] = ["GatherRed", "GatherGreen", "GatherBlue", "GatherAlpha"];
                match self.word(component).and_then(|component| names.get(component as usize).copied()) {
                    Some(name) => name,
                    None => {
                        return self.refuse(WriteCode::Image, inst, "a gather of a component that is no constant");
                    }
                }
            }
            None => return self.unknown(inst),
        };
        if operands.bias.is_some() || operands.lod.is_some() {
            return self.refuse(WriteCode::Image, inst, "a gather of another level in HLSL");
        }
        if let Some(offset) = operands.const_offset.or(operands.offset) {
            let value = self.value_as(offset, ScalarKind::Int)?;
            arguments.push(value);
        } else if let Some(offsets) = operands.const_offsets.or(operands.offsets) {
            if is_compared || self.source.op(offsets) != Op::ConstantComposite {
                return self.refuse(WriteCode::Image, inst, "a gather with these offsets in HLSL");
            }
            for offset in self.source.operands(offsets).collect::<Vec<Inst>>() {
                let value = self.value_as(offset, ScalarKind::Int)?;
                arguments.push(value);
            }
        }
        Ok(name)
    }

    /// The texture and the sampler of an image for a use.
    fn texture_with_sampler(&mut self, image: Inst, sampling: Sampling, inst: Inst) -> Result<Sampled, Diagnostic> {
        let (texture, sampler) = match sampler_of(self.source, image) {
            Some(sampler) => {
                let separate = self.image_of(image);
                (self.place(separate)?, self.place_sampled(sampler, sampling)?)
            }
            None => (self.place(image)?, self.sampler_along(image, sampling, inst)?),
        };
        let image = self.image_type(texture, inst)?;
        Ok(Sampled { texture, sampler, image })
    }

    /// The type of an image.
    pub(super) fn image_type(&self, texture: Expr, inst: Inst) -> Result<Image, Diagnostic> {
        match self.cx.text.types[self.type_of(texture)] {
            TypeShape::Image(image) | TypeShape::SampledImage(image) if image.dim != ImageDim::Rect => Ok(image),
            TypeShape::Image(_) | TypeShape::SampledImage(_) => {
                self.refuse(WriteCode::Image, inst, "a rectangle texture in HLSL")
            }
            _ => self.refuse(WriteCode::Image, inst, "an access to what is no image"),
        }
    }

    /// `CalculateLevelOfDetail`: the level that is accessed, and the one before it is clamped.
    pub(super) fn queried_lod(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let image = self.source.operand(inst, 0);
        let Sampled { texture, sampler, image: found } = self.texture_with_sampler(image, Sampling::Plain, inst)?;
        let coordinate = self.coordinate(self.source.operand(inst, 1), dimensions(found))?;
        let float = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let mut levels = Vec::new();
        for name in ["CalculateLevelOfDetail", "CalculateLevelOfDetailUnclamped"] {
            let object = self.cx.text.expressions.copy(texture);
            let copies = [sampler, coordinate].map(|argument| self.cx.text.expressions.copy(argument));
            let arguments = copies.into_iter().collect();
            levels.push(self.with_effects(Shape::Method { object, name, arguments }, float, Effects::CONVERGENT));
        }
        let ty = self.cx.type_of(inst)?;
        let value = self.construct(levels, ty);
        self.define(inst, value)
    }
}
