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

use super::super::function::textures::{Layers, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses};
use crate::syntax::{Depth, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, TypeShape};
use crate::write::WriteCode;

const LAYERS: Layers = Layers { round: "round", number: Scalar::INT };

/// A call that samples, while it is built.
pub(super) struct Call {
    pub(super) image: Image,
    pub(super) arguments: Vec<Expr>,
}

impl Body<'_, '_> {
    /// A sample or a gather.
    pub(in crate::lower) fn wgsl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if is_sparse(op) {
            return self.refuse(WriteCode::Image, inst, "a sample that says whether its texels are resident, in WGSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let sampling = Uses::sampling(op);
        let (object, image) = self.texture(access.image, inst)?;
        let sampler = self.wgsl_sampler(access.image, sampling, inst)?;
        let mut call = Call { image, arguments: vec![object, sampler] };
        let is_gather = matches!(op, Op::ImageGather | Op::ImageDrefGather);
        if image.component != Scalar::FLOAT && !is_gather || image.is_multisampled {
            return self.refuse(WriteCode::Image, inst, "a sample of an image of integers or of samples in WGSL");
        }
        let position = self.position((inst, &access), image, LAYERS)?;
        call.arguments.extend_from_slice(&position.arguments);
        if is_gather {
            return self.wgsl_gather(inst, call, access);
        }
        if sampling == Sampling::Compared {
            call.arguments.push(self.reference((inst, &access), &position)?);
        }
        let is_implicit = op.name().contains("implicit");
        if is_implicit && !self.has_fragments() {
            let message = "a sample without a level in another shader than a fragment shader, in WGSL";
            return self.refuse(WriteCode::Image, inst, message);
        }
        let name = self.add_wgsl_level(&mut call, &access.operands, sampling, inst)?;
        self.add_wgsl_offset(&mut call, &access.operands, inst)?;
        let effects = if is_implicit { Effects::CONVERGENT } else { Effects::PURE };
        let ty = self.texel_type(image, sampling);
        let value = self.call_with(name, &call.arguments, ty, effects);
        self.define_fitted(inst, value)
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
}
