//! Samples: methods of the texture.
//!
//! ```text
//! image_sample_explicit_lod %image, %uv, Lod %lod          ⇒      image.sample(filtering, uv, level(lod))
//! image_sample_dref_implicit_lod %shadows, %uvw, %depth    ⇒      shadows.sample_compare(filtering, uvw.xy, uint(rint(uvw.z)), depth)
//! ```
//!
//! The arguments come in this order: sampler, coordinate, layer, reference, level or derivatives, least level, offset, component.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, ImageOperands};
use reconverge_ir::{Inst, Op};

use super::super::function::textures::{Layers, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses, root, sampler_of};
use crate::syntax::{Arguments, Depth, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Shape, Type};
use crate::write::WriteCode;

const LAYERS: Layers = Layers { round: "rint", number: Scalar::UINT };

/// A call that samples, while it is built.
pub(super) struct Call {
    pub(super) object: Expr,
    pub(super) image: Image,
    pub(super) arguments: Vec<Expr>,
}

impl Body<'_, '_> {
    /// A sample or a gather.
    pub(in crate::lower) fn msl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if is_sparse(op) {
            return self.refuse(WriteCode::Image, inst, "a sample that says whether its texels are resident, in MSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let sampling = Uses::sampling(op);
        let (object, image) = self.texture(access.image, inst)?;
        let sampler = self.sampler(access.image, inst)?;
        let mut call = Call { object, image, arguments: vec![sampler] };
        let position = self.position((inst, &access), image, LAYERS)?;
        call.arguments.extend_from_slice(&position.arguments);
        if matches!(op, Op::ImageGather | Op::ImageDrefGather) {
            return self.gather(inst, call, access, sampling);
        }
        if sampling == Sampling::Compared {
            call.arguments.push(self.reference((inst, &access), &position)?);
        }
        self.msl_add_level(&mut call, &access.operands, inst)?;
        let is_implicit = op.name().contains("implicit");
        let effects = if is_implicit { Effects::CONVERGENT } else { Effects::PURE };
        let name = if sampling == Sampling::Compared { "sample_compare" } else { "sample" };
        let ty = self.texel_type(image, sampling);
        let value = self.method(call, name, ty, effects);
        self.define_fitted(inst, value)
    }

    /// A method of a texture.
    pub(super) fn method(&mut self, call: Call, name: &'static str, ty: Type, effects: Effects) -> Expr {
        let arguments: Arguments = call.arguments.into_iter().collect();
        self.with_effects(Shape::Method { object: call.object, name, arguments }, ty, effects)
    }

    /// Adds what chooses the level, and the offset.
    fn msl_add_level(&mut self, call: &mut Call, operands: &ImageOperands, inst: Inst) -> Result<(), Diagnostic> {
        let image = call.image;
        let void = self.void();
        if image.dim == ImageDim::One {
            let is_base = operands.lod.is_none_or(|lod| self.is_constant_zero(lod));
            if !is_base || operands.grad.is_some() || operands.bias.is_some() || operands.min_lod.is_some() {
                return self.refuse(
                    WriteCode::Image,
                    inst,
                    "a level of an image of one dimension, which has one in MSL",
                );
            }
        } else {
            if let Some(bias) = operands.bias {
                let bias = self.value(bias)?;
                call.arguments.push(self.call("bias", &[bias], void));
            }
            if let Some(lod) = operands.lod {
                let lod = self.value(lod)?;
                call.arguments.push(self.call("level", &[lod], void));
            }
            if let Some(gradient) = operands.grad {
                let derivatives = [self.value(gradient.dx)?, self.value(gradient.dy)?];
                let name = match image.dim {
                    ImageDim::Cube => "gradientcube",
                    ImageDim::Three => "gradient3d",
                    _ => "gradient2d",
                };
                call.arguments.push(self.call(name, &derivatives, void));
            }
            if let Some(least) = operands.min_lod {
                if !self.cx.target.msl().has(2, 2) {
                    return self.refuse(WriteCode::Image, inst, "a least level of a sample before MSL 2.2");
                }
                let least = self.value(least)?;
                call.arguments.push(self.call("min_lod_clamp", &[least], void));
            }
        }
        if let Some(offset) = operands.const_offset.or(operands.offset) {
            if !self.source.op(offset).is_constant() || image.dim == ImageDim::One {
                return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant, in MSL");
            }
            call.arguments.push(self.value_as(offset, ScalarKind::Int)?);
        }
        if operands.offsets.or(operands.const_offsets).is_some() {
            return self.refuse(WriteCode::Image, inst, "several offsets of a sample in MSL");
        }
        Ok(())
    }

    fn gather(
        &mut self,
        inst: Inst,
        call: Call,
        access: view::ImageAccess,
        sampling: Sampling,
    ) -> Result<(), Diagnostic> {
        let (mut call, operands) = (call, access.operands);
        let image = call.image;
        if !matches!(image.dim, ImageDim::Two | ImageDim::Cube | ImageDim::Rect) {
            return self.refuse(WriteCode::Image, inst, "a gather of an image that has not two dimensions, in MSL");
        }
        if operands.lod.or(operands.bias).or(operands.min_lod).is_some() {
            return self.refuse(WriteCode::Image, inst, "a gather with a level in MSL");
        }
        let is_compared = sampling == Sampling::Compared;
        if is_compared {
            let Some(reference) = access.argument else { return self.unknown(inst) };
            let reference = self.value(reference)?;
            call.arguments.push(reference);
        }
        let component = match (is_compared, access.argument.map(|component| self.word(component))) {
            (true, _) => 0,
            (false, Some(Some(component @ 0..=3))) => component,
            _ => return self.refuse(WriteCode::Image, inst, "a gather of a component that is no constant, in MSL"),
        };
        if component != 0 && image.depth == Depth::Compared {
            return self.refuse(WriteCode::Image, inst, "a gather of another component than the depth, in MSL");
        }
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size: 4 });
        let name = if is_compared { "gather_compare" } else { "gather" };
        if let Some(offsets) = operands.offsets.or(operands.const_offsets) {
            return self.gather_four(inst, call, (name, component), offsets);
        }
        let offset = operands.const_offset.or(operands.offset);
        if offset.is_some_and(|offset| !self.source.op(offset).is_constant()) {
            return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant, in MSL");
        }
        let offset = offset.map(|offset| self.value_as(offset, ScalarKind::Int)).transpose()?;
        self.add_component(&mut call, offset, component);
        let value = self.method(call, name, ty, Effects::PURE);
        self.define_fitted(inst, value)
    }

    fn add_component(&mut self, call: &mut Call, offset: Option<Expr>, component: u32) {
        let is_cube = call.image.dim == ImageDim::Cube;
        if offset.is_some() || component != 0 && !is_cube {
            let pair = Numbers { scalar: Scalar::INT, size: 2 };
            let offset = offset.unwrap_or_else(|| self.splat(0, pair));
            call.arguments.push(offset);
        }
        if component != 0 {
            let word = ["component::x", "component::y", "component::z", "component::w"][component as usize & 3];
            let word = self.keyword_of(word);
            call.arguments.push(word);
        }
    }

    /// A word of the language.
    pub(super) fn keyword_of(&mut self, word: &'static str) -> Expr {
        let void = self.void();
        let global = self.cx.built_in(word, void);
        self.cx.global(global)
    }

    /// Four gathers, each of which gives the texel with the least coordinates at its offset.
    fn gather_four(
        &mut self,
        inst: Inst,
        call: Call,
        (name, component): (&'static str, u32),
        offsets: Inst,
    ) -> Result<(), Diagnostic> {
        let each: Vec<Inst> = self.source.operands(offsets).collect();
        if !self.source.op(offsets).is_constant() || each.len() != 4 {
            return self.refuse(WriteCode::Image, inst, "offsets of texels that are no constants, in MSL");
        }
        let names: Vec<_> = call.arguments[1..].iter().map(|&argument| self.repeated(argument)).collect();
        let ty = self.type_of_numbers(Numbers { scalar: call.image.component, size: 4 });
        let mut parts = Vec::new();
        for offset in each {
            let mut arguments = vec![self.cx.text.expressions.copy(call.arguments[0])];
            arguments.extend(names.iter().map(|&name| self.local(name)));
            let object = self.cx.text.expressions.copy(call.object);
            let mut one = Call { object, image: call.image, arguments };
            let offset = self.value_as(offset, ScalarKind::Int)?;
            self.add_component(&mut one, Some(offset), component);
            let gathered = self.method(one, name, ty, Effects::PURE);
            parts.push(self.swizzle(gathered, &[3]));
        }
        let value = self.construct(parts, ty);
        self.define_fitted(inst, value)
    }

    /// The sampler that an image is used with.
    pub(super) fn sampler(&mut self, image: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        if let Some(sampler) = sampler_of(self.source, image) {
            return self.place(sampler);
        }
        let variable = root(self.source, image);
        let base = match (self.cx.msl.samplers.get(&variable).copied(), self.samplers.get(&variable).copied()) {
            (Some(global), _) => self.cx.global(global),
            (None, Some(local)) => self.local(local),
            _ => return self.refuse(WriteCode::Image, inst, "a sample without a sampler"),
        };
        self.place_along(image, base)
    }
}
