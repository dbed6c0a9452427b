//! Samples: functions on a texture and a sampler.
//!
//! ```text
//! image_sample_explicit_lod %image, %uv, Lod %lod          ⇒      textureSampleLevel(image, image_sampler, uv, lod)
//! image_sample_dref_implicit_lod %shadows, %uvw, %depth    ⇒      textureSampleCompare(shadows, filtering, uvw.xy, i32(round(uvw.z)), depth)
//! ```
//!
//! The arguments come in this order: component, texture, sampler, coordinate, layer, reference, level or derivatives, offset.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, ImageOperands};
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses};
use crate::syntax::{Binary, Depth, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

/// A call that samples, while it is built.
pub(super) struct Call {
    pub(super) image: Image,
    pub(super) arguments: Vec<Expr>,
}

/// The number of components that select a texel, without a layer.
pub(super) fn dimensions(image: Image) -> u8 {
    match image.dim {
        ImageDim::One | ImageDim::Buffer => 1,
        ImageDim::Two | ImageDim::Rect | ImageDim::Subpass => 2,
        ImageDim::Three | ImageDim::Cube => 3,
    }
}

impl Body<'_, '_> {
    /// A sample or a gather.
    pub(in crate::lower) fn wgsl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if op.name().starts_with("image_sparse_") {
            return self.refuse(WriteCode::Image, inst, "a sample that says whether its texels are resident, in WGSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let sampling = Uses::sampling(op);
        let (object, image) = self.wgsl_texture(access.image, inst)?;
        let sampler = self.wgsl_sampler(access.image, sampling, inst)?;
        let mut call = Call { image, arguments: vec![object, sampler] };
        let is_gather = matches!(op, Op::ImageGather | Op::ImageDrefGather);
        if image.component != Scalar::FLOAT && !is_gather || image.is_multisampled {
            return self.refuse(WriteCode::Image, inst, "a sample of an image of integers or of samples in WGSL");
        }
        let divisor = match op.name().contains("_proj_") {
            true => Some(self.add_wgsl_projected(&mut call, access.coordinate)?),
            false => {
                self.add_wgsl_coordinate(&mut call, access.coordinate)?;
                None
            }
        };
        if is_gather {
            return self.wgsl_gather(inst, call, access);
        }
        if sampling == Sampling::Compared {
            let Some(reference) = access.argument else { return self.unknown(inst) };
            let mut reference = self.value(reference)?;
            if let Some(divisor) = divisor {
                let ty = self.type_of(reference);
                let divisor = self.cx.text.expressions.copy(divisor);
                reference = self.binary(Binary::Divide, reference, divisor, ty);
            }
            call.arguments.push(reference);
        }
        let is_implicit = op.name().contains("implicit");
        if is_implicit && !self.has_fragments() {
            let message = "a sample without a level in another shader than a fragment shader, in WGSL";
            return self.refuse(WriteCode::Image, inst, message);
        }
        let name = self.add_wgsl_level(&mut call, &access.operands, sampling, inst)?;
        self.add_wgsl_offset(&mut call, &access.operands, inst)?;
        let effects = if is_implicit { Effects::CONVERGENT } else { Effects::PURE };
        let ty = self.wgsl_texel_type(image, sampling);
        let value = self.call_with(name, &call.arguments, ty, effects);
        self.define_fitted(inst, value)
    }

    /// The type of what a sample gives: one number of a texture of depths.
    pub(super) fn wgsl_texel_type(&mut self, image: Image, sampling: Sampling) -> Type {
        let is_one = sampling == Sampling::Compared || image.depth == Depth::Compared;
        self.type_of_numbers(Numbers { scalar: image.component, size: if is_one { 1 } else { 4 } })
    }

    fn add_wgsl_coordinate(&mut self, call: &mut Call, coordinate: Inst) -> Result<(), Diagnostic> {
        let whole = self.value(coordinate)?;
        let size = dimensions(call.image);
        if !call.image.is_array {
            let coordinate = self.first_components(whole, size);
            call.arguments.push(coordinate);
            return Ok(());
        }
        let name = self.repeated(whole);
        let read = self.local(name);
        let position = self.first_components(read, size);
        call.arguments.push(position);
        let read = self.local(name);
        let layer = self.swizzle(read, &[size]);
        let ty = self.type_of(layer);
        let rounded = self.call("round", &[layer], ty);
        let layer = self.numbers_to(rounded, Scalar::INT, 1);
        call.arguments.push(layer);
        Ok(())
    }

    /// Adds a coordinate divided by its last component, which is returned.
    fn add_wgsl_projected(&mut self, call: &mut Call, coordinate: Inst) -> Result<Expr, Diagnostic> {
        let whole = self.value(coordinate)?;
        let last = self.numbers_of(whole).size - 1;
        let name = self.repeated(whole);
        let read = self.local(name);
        let position = self.first_components(read, dimensions(call.image));
        let read = self.local(name);
        let divisor = self.swizzle(read, &[last]);
        let ty = self.type_of(position);
        let again = self.cx.text.expressions.copy(divisor);
        let divided = self.binary(Binary::Divide, position, divisor, ty);
        call.arguments.push(divided);
        Ok(again)
    }

    /// Adds what chooses the level, and returns the function.
    fn add_wgsl_level(
        &mut self,
        call: &mut Call,
        operands: &ImageOperands,
        sampling: Sampling,
        inst: Inst,
    ) -> Result<&'static str, Diagnostic> {
        if operands.min_lod.is_some() {
            return self.refuse(WriteCode::Image, inst, "a least level of a sample in WGSL");
        }
        let is_base = operands.lod.is_some_and(|lod| self.is_constant_zero(lod));
        if sampling == Sampling::Compared {
            return match (operands.lod, operands.bias.or(operands.grad.map(|gradient| gradient.dx))) {
                (None, None) => Ok("textureSampleCompare"),
                (Some(_), None) if is_base => Ok("textureSampleCompareLevel"),
                _ => self.refuse(WriteCode::Image, inst, "a comparison at another level than 0"),
            };
        }
        let is_depth = call.image.depth == Depth::Compared;
        let is_one = call.image.dim == ImageDim::One;
        if is_one && (operands.lod.is_some() || operands.bias.is_some() || operands.grad.is_some()) {
            return self.refuse(WriteCode::Image, inst, "a level of an image of one dimension in WGSL");
        }
        if is_depth && (operands.bias.is_some() || operands.grad.is_some()) {
            return self.refuse(WriteCode::Image, inst, "a bias or gradient of an image of depths in WGSL");
        }
        if let Some(lod) = operands.lod {
            let level = self.value(lod)?;
            // The level of an image of depths is an integer.
            let level = match (is_depth, self.cx.whole_number(level)) {
                (true, Some(number)) => self.cx.int(number as i32),
                (true, None) => self.numbers_to(level, Scalar::INT, 1),
                _ => level,
            };
            call.arguments.push(level);
            return Ok("textureSampleLevel");
        }
        if let Some(gradient) = operands.grad {
            call.arguments.push(self.value(gradient.dx)?);
            call.arguments.push(self.value(gradient.dy)?);
            return Ok("textureSampleGrad");
        }
        if let Some(bias) = operands.bias {
            call.arguments.push(self.value(bias)?);
            return Ok("textureSampleBias");
        }
        Ok("textureSample")
    }

    fn add_wgsl_offset(&mut self, call: &mut Call, operands: &ImageOperands, inst: Inst) -> Result<(), Diagnostic> {
        if operands.offsets.or(operands.const_offsets).is_some() {
            return self.refuse(WriteCode::Image, inst, "several offsets of a sample in WGSL");
        }
        if let Some(offset) = operands.const_offset.or(operands.offset) {
            let has_offsets = matches!(call.image.dim, ImageDim::Two | ImageDim::Three)
                && !(call.image.dim == ImageDim::Three && call.image.depth == Depth::Compared);
            let is_known = matches!(self.source.op(offset), Op::Constant | Op::ConstantComposite | Op::ConstantNull);
            if !is_known || !has_offsets {
                return self.refuse(WriteCode::Image, inst, "an offset that is not a constant");
            }
            call.arguments.push(self.value_as(offset, ScalarKind::Int)?);
        }
        Ok(())
    }

    fn wgsl_gather(&mut self, inst: Inst, call: Call, access: view::ImageAccess) -> Result<(), Diagnostic> {
        let (mut call, operands) = (call, access.operands);
        let (image, is_compared) = (call.image, self.source.op(inst) == Op::ImageDrefGather);
        if !matches!(image.dim, ImageDim::Two | ImageDim::Cube) {
            let message = "a gather of an image that has not two dimensions, in WGSL";
            return self.refuse(WriteCode::Image, inst, message);
        }
        if operands.lod.or(operands.bias).or(operands.min_lod).is_some() {
            return self.refuse(WriteCode::Image, inst, "a gather with a level in WGSL");
        }
        let name = if is_compared { "textureGatherCompare" } else { "textureGather" };
        if is_compared {
            let Some(reference) = access.argument else { return self.unknown(inst) };
            let reference = self.value(reference)?;
            call.arguments.push(reference);
        } else {
            let component = access.argument.and_then(|component| self.word(component));
            let Some(component) = component.filter(|&component| component < 4) else {
                return self.refuse(WriteCode::Image, inst, "a gathered component that is not a constant");
            };
            match (image.depth, component) {
                (Depth::Compared, 0) => {}
                (Depth::Compared, _) => {
                    return self.refuse(WriteCode::Image, inst, "a gather of another component than the depth");
                }
                _ => call.arguments.insert(0, self.cx.int(component as i32)),
            }
        }
        if let Some(offsets) = operands.offsets.or(operands.const_offsets) {
            return self.wgsl_gather_four(inst, call, name, offsets);
        }
        self.add_wgsl_offset(&mut call, &operands, inst)?;
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size: 4 });
        let value = self.call(name, &call.arguments, ty);
        self.define_fitted(inst, value)
    }

    /// Four gathers, each of which gives the texel with the least coordinates at its offset.
    fn wgsl_gather_four(
        &mut self,
        inst: Inst,
        call: Call,
        name: &'static str,
        offsets: Inst,
    ) -> Result<(), Diagnostic> {
        let each: Vec<Inst> = self.source.operands(offsets).collect();
        if !self.source.op(offsets).is_constant() || each.len() != 4 {
            return self.refuse(WriteCode::Image, inst, "offsets of texels that are no constants");
        }
        let is_handle = |body: &Self, argument: Expr| {
            matches!(body.cx.text.types[body.type_of(argument)], TypeShape::Image(_) | TypeShape::Sampler(_))
        };
        let mut repeated = Vec::new();
        for &argument in &call.arguments {
            let is_plain = is_handle(self, argument) || self.cx.text.expressions.literal(argument).is_some();
            repeated.push(if is_plain {
                argument
            } else {
                let name = self.repeated(argument);
                self.local(name)
            });
        }
        let ty = self.type_of_numbers(Numbers { scalar: call.image.component, size: 4 });
        let mut parts = Vec::new();
        for offset in each {
            let mut arguments: Vec<Expr> =
                repeated.iter().map(|&argument| self.cx.text.expressions.copy(argument)).collect();
            arguments.push(self.value_as(offset, ScalarKind::Int)?);
            let gathered = self.call(name, &arguments, ty);
            parts.push(self.swizzle(gathered, &[3]));
        }
        let value = self.construct(parts, ty);
        self.define_fitted(inst, value)
    }

    /// The texture of an image with or without a sampler, and its type.
    pub(super) fn wgsl_texture(&mut self, image: Inst, inst: Inst) -> Result<(Expr, Image), Diagnostic> {
        let expr = self.place(self.image_inside(image))?;
        match self.cx.text.types[self.type_of(expr)] {
            TypeShape::Image(image) => Ok((expr, image)),
            _ => self.refuse(WriteCode::Image, inst, "an access to what is no image"),
        }
    }
}
