//! Sampling: the functions of the family `texture…`.
//!
//! The name says which operands there are: `textureProjGradOffset` takes a projected coordinate, derivatives and an offset. A depth
//! reference is the last component of the coordinate, except where that has four already.
//!
//! ```text
//! image_sample_dref_explicit_lod %image, %uv, %depth, Lod %lod      ⇒      textureLod(sampler2DShadow(image, s), vec3(uv, depth), lod)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, ImageOperands};
use reconverge_ir::{Inst, Op};

use super::super::function::textures::{coordinates, dimensions, is_projected, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, Uses, root, sampler_of};
use crate::syntax::{
    Arguments, Depth, Effects, Expr, Image, ImageDim, Literal, LocalId, Scalar, ScalarKind, Shape, Type, TypeShape,
};
use crate::write::WriteCode;

/// A call that samples, while it is constructed.
struct Call {
    image: Image,
    /// The words of the name behind `texture`.
    name: String,
    arguments: Vec<Expr>,
    /// What comes last: a bias, a component.
    last: Option<Expr>,
}

/// A call that gives a texel, and whether it is resident.
pub(super) struct SparseCall {
    pub(super) name: &'static str,
    /// The operands before the texel.
    pub(super) arguments: Vec<Expr>,
    /// The operand behind the texel.
    pub(super) last: Option<Expr>,
}

impl Body<'_, '_> {
    /// A sample or a gather.
    pub(in crate::lower) fn glsl_sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let sampling = Uses::sampling(op);
        let (sampler, image) = self.sampled_image(access.image, sampling, inst)?;
        let is_gather =
            matches!(op, Op::ImageGather | Op::ImageDrefGather | Op::ImageSparseGather | Op::ImageSparseDrefGather);
        let dref = access.argument.filter(|_| sampling == Sampling::Compared);
        let mut call = Call { image, name: String::new(), arguments: vec![sampler], last: None };
        if is_gather {
            self.gather_operands(&mut call, access, dref)?;
        } else {
            self.sample_operands(&mut call, access, dref, inst)?;
        }
        self.check_shadow(&call, inst);
        let is_implicit = op.name().contains("implicit");
        let effects = if is_implicit { Effects::CONVERGENT } else { Effects::PURE };
        let result = match sampling {
            Sampling::Compared if !is_gather => self.type_of_numbers(Numbers { scalar: image.component, size: 1 }),
            _ => self.type_of_numbers(Numbers { scalar: image.component, size: 4 }),
        };
        self.finish_sample(inst, call, result, effects)
    }

    /// The operands of a sample: the coordinate, then what the name says.
    fn sample_operands(
        &mut self,
        call: &mut Call,
        access: view::ImageAccess,
        dref: Option<Inst>,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        let operands = access.operands;
        let is_projected = is_projected(self.source.op(inst));
        let mut coordinate = self.coordinate(access.coordinate, coordinates(call.image) + u8::from(is_projected))?;
        if let Some(dref) = dref {
            coordinate = self.with_reference(call, coordinate, dref, inst)?;
        }
        call.arguments.insert(1, coordinate);
        if is_projected {
            call.name.push_str("Proj");
        }
        if let Some(lod) = operands.lod {
            self.add_level(call, lod)?;
        }
        if let Some(gradient) = operands.grad {
            call.name.push_str("Grad");
            for derivative in [gradient.dx, gradient.dy] {
                let value = self.value(derivative)?;
                call.arguments.push(value);
            }
        }
        self.add_offset(call, &operands, inst)?;
        if let Some(clamp) = operands.min_lod {
            call.name.push_str("Clamp");
            self.cx.require("GL_ARB_sparse_texture_clamp", inst);
            let clamp = self.value(clamp)?;
            call.arguments.push(clamp);
        }
        if let Some(bias) = operands.bias {
            call.last = Some(self.value(bias)?);
        }
        Ok(())
    }

    /// The level of detail. Shadows of layers and cubes have none in the language: derivatives of 0 select the first.
    fn add_level(&mut self, call: &mut Call, lod: Inst) -> Result<(), Diagnostic> {
        let image = call.image;
        let is_large = image.dim == ImageDim::Cube || image.is_array && image.dim == ImageDim::Two;
        let value = self.value(lod)?;
        let is_first = matches!(self.cx.text.expressions.literal(value), Some(Literal::Float(level)) if level == 0.0);
        if image.depth == Depth::Compared && is_large && is_first && !(image.dim == ImageDim::Cube && image.is_array) {
            call.name.push_str("Grad");
            let numbers = Numbers { scalar: Scalar::FLOAT, size: dimensions(image) };
            for _ in 0..2 {
                let zero = self.splat(0, numbers);
                call.arguments.push(zero);
            }
            return Ok(());
        }
        call.name.push_str("Lod");
        call.arguments.push(value);
        Ok(())
    }

    fn gather_operands(
        &mut self,
        call: &mut Call,
        access: view::ImageAccess,
        dref: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let operands = access.operands;
        let coordinate = self.coordinate(access.coordinate, coordinates(call.image))?;
        call.arguments.push(coordinate);
        call.name.push_str("Gather");
        match (dref, access.argument) {
            (Some(dref), _) => {
                let reference = self.value(dref)?;
                call.arguments.push(reference);
            }
            (None, Some(component)) => {
                let is_first = self.word(component) == Some(0);
                call.last = if is_first { None } else { Some(self.value_as(component, ScalarKind::Int)?) };
            }
            _ => {}
        }
        if let Some(offset) = operands.const_offset.or(operands.offset) {
            call.name.push_str("Offset");
            if let (false, Some(place)) = (self.source.op(offset).is_constant(), self.place_of_origin()) {
                self.cx.uses_word("a gather with an offset that is no constant", place);
            }
            let offset = self.value_as(offset, ScalarKind::Int)?;
            call.arguments.push(offset);
        } else if let Some(offsets) = operands.const_offsets.or(operands.offsets) {
            call.name.push_str("Offsets");
            let offsets = self.value(offsets)?;
            call.arguments.push(offsets);
        }
        Ok(())
    }

    /// The offset of a sample, which is a constant expression.
    fn add_offset(&mut self, call: &mut Call, operands: &ImageOperands, inst: Inst) -> Result<(), Diagnostic> {
        let Some(offset) = operands.const_offset.or(operands.offset) else { return Ok(()) };
        if !self.source.op(offset).is_constant() {
            return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant");
        }
        call.name.push_str("Offset");
        let offset = self.value_as(offset, ScalarKind::Int)?;
        call.arguments.push(offset);
        Ok(())
    }

    /// The coordinate with the depth reference behind it.
    fn with_reference(
        &mut self,
        call: &mut Call,
        coordinate: Expr,
        dref: Inst,
        inst: Inst,
    ) -> Result<Expr, Diagnostic> {
        let reference = self.value(dref)?;
        let image = call.image;
        let numbers = self.numbers_of(coordinate);
        if is_projected(self.source.op(inst)) {
            // x, y or nothing, the reference, the divisor.
            let whole = self.repeated(coordinate);
            let mut parts = Vec::new();
            for component in 0..dimensions(image) {
                let whole = self.local(whole);
                parts.push(self.swizzle(whole, &[component]));
            }
            if dimensions(image) == 1 {
                parts.push(self.splat(0, Numbers { size: 1, ..numbers }));
            }
            parts.push(reference);
            let whole = self.local(whole);
            parts.push(self.swizzle(whole, &[numbers.size - 1]));
            let ty = self.type_of_numbers(Numbers { size: 4, ..numbers });
            return Ok(self.construct(parts, ty));
        }
        if numbers.size == 4 {
            call.arguments.push(reference);
            return Ok(coordinate);
        }
        let mut parts = vec![coordinate];
        if numbers.size == 1 {
            parts.push(self.splat(0, numbers));
        }
        parts.push(reference);
        let ty =
            self.type_of_numbers(Numbers { size: if numbers.size == 1 { 3 } else { numbers.size + 1 }, ..numbers });
        Ok(self.construct(parts, ty))
    }

    /// The first components of a coordinate.
    pub(in crate::lower) fn coordinate(&mut self, coordinate: Inst, size: u8) -> Result<Expr, Diagnostic> {
        let value = self.value(coordinate)?;
        let given = self.numbers_of(value).size;
        if given <= size {
            return Ok(value);
        }
        let components: Vec<u8> = (0..size).collect();
        Ok(self.swizzle(value, &components))
    }

    /// Notes what shadow samples with a level need.
    fn check_shadow(&mut self, call: &Call, inst: Inst) {
        let image = call.image;
        let is_large = image.dim == ImageDim::Cube || image.is_array && image.dim == ImageDim::Two;
        if image.depth == Depth::Compared && is_large {
            let has_level = call.name.contains("Lod");
            let has_bias = call.last.is_some() && !call.name.contains("Gather");
            let is_offset = call.name.contains("Offset")
                && image.is_array
                && !call.name.contains("Gather")
                && !call.name.contains("Grad");
            if has_level || has_bias || is_offset && call.name == "Offset" {
                self.cx.require("GL_EXT_texture_shadow_lod", inst);
            }
        }
    }

    /// Adds the call, and what it gives: a texel, or a texel and whether it is resident.
    ///
    /// ```text
    /// vec4 texel; int code = sparseTextureLodARB(image, uv, lod, texel);
    /// ```
    fn finish_sample(&mut self, inst: Inst, call: Call, result: Type, effects: Effects) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Call { name, mut arguments, last, .. } = call;
        if !is_sparse(op) {
            arguments.extend(last);
            let name = self
                .known_function(&format!("texture{name}{}", if name.contains("Clamp") { "ARB" } else { "" }), inst)?;
            let value = self.call_with(name, &arguments, result, effects);
            return self.define_texel(inst, value);
        }
        let name = self.known_function(&format!("sparseTexture{name}ARB"), inst)?;
        self.sparse_call(inst, SparseCall { name, arguments, last }, result)
    }

    /// The name of a function that samples, if there is such a function.
    fn known_function(&self, name: &str, inst: Inst) -> Result<&'static str, Diagnostic> {
        match FUNCTIONS.iter().find(|known| **known == name) {
            Some(known) => Ok(known),
            None => self.refuse(WriteCode::Image, inst, format!("a sample by `{name}`, which GLSL does not have")),
        }
    }

    /// A call that gives the texel through its last operand but the optional one.
    pub(super) fn sparse_call(&mut self, inst: Inst, call: SparseCall, result: Type) -> Result<(), Diagnostic> {
        self.cx.require("GL_ARB_sparse_texture2", inst);
        let SparseCall { name, mut arguments, last } = call;
        let texel = self.variable("texel", result);
        arguments.push(self.local(texel));
        arguments.extend(last);
        let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, size: 1 });
        let code = self.call_with(name, &arguments, int, Effects::WRITES | Effects::CONVERGENT);
        let code = self.name_value(code);
        let types = self.part_types(inst)?;
        let &[code_type, texel_type] = &types[..] else { return self.unknown(inst) };
        let mut parts: Vec<LocalId> = Vec::new();
        for (part, wanted) in [(code, code_type), (texel, texel_type)] {
            let value = self.local(part);
            let value = self.fitted(value, wanted, inst)?;
            parts.push(match self.cx.text.expressions[value].shape {
                Shape::Local(local) => local,
                _ => self.name_value(value),
            });
        }
        self.define_parts(inst, &parts)
    }

    /// Records a texel as the value of an instruction.
    pub(in crate::lower) fn define_texel(&mut self, inst: Inst, texel: Expr) -> Result<(), Diagnostic> {
        let wanted = self.cx.type_of(inst)?;
        let value = self.fitted(texel, wanted, inst)?;
        self.define(inst, value)
    }

    /// Numbers as fewer numbers of another sign.
    pub(in crate::lower) fn fitted(&mut self, value: Expr, wanted: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        let (given, size) = (self.numbers_of(value).size, self.cx.text.types.size(wanted));
        let value = if size < given {
            let components: Vec<u8> = (0..size).collect();
            self.swizzle(value, &components)
        } else {
            value
        };
        self.convert(value, wanted, inst)
    }

    /// The image with its sampler, for a use, and the type of the image.
    pub(super) fn sampled_image(
        &mut self,
        image: Inst,
        sampling: Sampling,
        inst: Inst,
    ) -> Result<(Expr, Image), Diagnostic> {
        let sampler = sampler_of(self.source, image);
        let image_type = |body: &Self, expr: Expr| match body.cx.text.types[body.type_of(expr)] {
            TypeShape::Image(image) | TypeShape::SampledImage(image) => Some(image),
            _ => None,
        };
        let depth = if sampling == Sampling::Compared { Depth::Compared } else { Depth::Color };
        let Some(sampler) = sampler else {
            let expr = self.place_sampled(image, sampling)?;
            return match image_type(self, expr) {
                Some(found) => Ok((expr, Image { depth, ..found })),
                None => self.refuse(WriteCode::Image, inst, "a sample of what is no image"),
            };
        };
        let separate = self.image_of(image);
        let roots = (root(self.source, separate), root(self.source, sampler), sampling);
        if let Some(&global) = self.cx.combined.get(&roots) {
            let expr = self.cx.global(global);
            let expr = self.place_along(separate, expr)?;
            return match image_type(self, expr) {
                Some(found) => Ok((expr, found)),
                None => self.refuse(WriteCode::Image, inst, "a sample of what is no image"),
            };
        }
        let texture = self.place(separate)?;
        let Some(found) = image_type(self, texture) else {
            return self.refuse(WriteCode::Image, inst, "a sample of what is no image");
        };
        let image = Image { depth, ..found };
        let sampler = self.place_sampled(sampler, sampling)?;
        let ty = self.cx.text.types.of(TypeShape::SampledImage(image));
        let parts: Arguments = [texture, sampler].into_iter().collect();
        Ok((self.pure(Shape::Construct(parts), ty), image))
    }

    /// The image that an instruction combined with a sampler.
    pub(in crate::lower) fn image_of(&self, image: Inst) -> Inst {
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

/// The functions that sample (GLSL 4.60, section 8.9; GL_ARB_sparse_texture2, GL_ARB_sparse_texture_clamp).
const FUNCTIONS: [&str; 32] = [
    "sparseTextureARB",
    "sparseTextureClampARB",
    "sparseTextureGatherARB",
    "sparseTextureGatherOffsetARB",
    "sparseTextureGatherOffsetsARB",
    "sparseTextureGradARB",
    "sparseTextureGradClampARB",
    "sparseTextureGradOffsetARB",
    "sparseTextureGradOffsetClampARB",
    "sparseTextureLodARB",
    "sparseTextureLodOffsetARB",
    "sparseTextureOffsetARB",
    "sparseTextureOffsetClampARB",
    "texture",
    "textureClampARB",
    "textureGather",
    "textureGatherOffset",
    "textureGatherOffsets",
    "textureGrad",
    "textureGradClampARB",
    "textureGradOffset",
    "textureGradOffsetClampARB",
    "textureLod",
    "textureLodOffset",
    "textureOffset",
    "textureOffsetClampARB",
    "textureProj",
    "textureProjGrad",
    "textureProjGradOffset",
    "textureProjLod",
    "textureProjLodOffset",
    "textureProjOffset",
];
