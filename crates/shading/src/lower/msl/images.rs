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

use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses, root, sampler_of};
use crate::syntax::{
    Arguments, Binary, Depth, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Shape, Type, TypeShape,
};
use crate::write::WriteCode;

/// A call that samples, while it is built.
pub(super) struct Call {
    pub(super) object: Expr,
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
    pub(in crate::lower) fn msl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if op.name().starts_with("image_sparse_") {
            return self.refuse(WriteCode::Image, inst, "a sample that says whether its texels are resident, in MSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let sampling = Uses::sampling(op);
        let (object, image) = self.texture(access.image, inst)?;
        let sampler = self.sampler(access.image, inst)?;
        let mut call = Call { object, image, arguments: vec![sampler] };
        let divisor = match op.name().contains("_proj_") {
            true => Some(self.add_projected(&mut call, access.coordinate)?),
            false => {
                self.add_coordinate(&mut call, access.coordinate)?;
                None
            }
        };
        if matches!(op, Op::ImageGather | Op::ImageDrefGather) {
            return self.gather(inst, call, access, sampling);
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

    /// The type of what a sample gives: one number of a texture of depths.
    fn texel_type(&mut self, image: Image, sampling: Sampling) -> Type {
        let is_one = sampling == Sampling::Compared || image.depth == Depth::Compared;
        self.type_of_numbers(Numbers { scalar: image.component, size: if is_one { 1 } else { 4 } })
    }

    /// Adds the coordinate and the layer.
    fn add_coordinate(&mut self, call: &mut Call, coordinate: Inst) -> Result<(), Diagnostic> {
        let whole = self.value(coordinate)?;
        // Images take floats of 32 bits.
        let numbers = self.numbers_of(whole);
        let whole = if numbers.scalar.is_float() { self.numbers_to(whole, Scalar::FLOAT, numbers.size) } else { whole };
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
        let rounded = self.call("rint", &[layer], ty);
        let layer = self.numbers_to(rounded, Scalar::UINT, 1);
        call.arguments.push(layer);
        Ok(())
    }

    /// Adds a coordinate divided by its last component, which is returned.
    fn add_projected(&mut self, call: &mut Call, coordinate: Inst) -> Result<Expr, Diagnostic> {
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

    /// The texture of an image with or without a sampler, and its type.
    pub(super) fn texture(&mut self, image: Inst, inst: Inst) -> Result<(Expr, Image), Diagnostic> {
        let expr = self.place(self.image_inside(image))?;
        match self.cx.text.types[self.type_of(expr)] {
            TypeShape::Image(image) => Ok((expr, image)),
            _ => self.refuse(WriteCode::Image, inst, "an access to what is no image"),
        }
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
