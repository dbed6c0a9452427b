//! Texels: fetches, storage images, subpasses and queries.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::textures::{coordinates, dimensions, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::{Sampling, root};
use super::images::SparseCall;
use crate::syntax::{Effects, Expr, Image, ImageDim, Scalar, ScalarKind, StatementKind, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A fetch or a read.
    pub(in crate::lower) fn glsl_read_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let (expr, image) = self.image_place(access.image, inst)?;
        let texel = self.type_of_numbers(Numbers { scalar: image.component, size: 4 });
        if image.dim == ImageDim::Subpass {
            let sample = access.operands.sample.filter(|_| image.is_multisampled);
            let sample = sample.map(|sample| self.value_as(sample, ScalarKind::Int)).transpose()?;
            let arguments: Vec<Expr> = std::iter::once(expr).chain(sample).collect();
            let value = self.call_with("subpassLoad", &arguments, texel, Effects::READS);
            return self.define_texel(inst, value);
        }
        let coordinate = self.texel_coordinate(access.coordinate, image)?;
        let mut arguments = vec![expr, coordinate];
        if let Some(sample) = access.operands.sample {
            arguments.push(self.value_as(sample, ScalarKind::Int)?);
        }
        if matches!(op, Op::ImageRead | Op::ImageSparseRead) {
            if is_sparse(op) {
                return self.sparse_call(inst, SparseCall { name: "sparseImageLoadARB", arguments, last: None }, texel);
            }
            let value = self.call_with("imageLoad", &arguments, texel, Effects::READS);
            return self.define_texel(inst, value);
        }
        let has_level = !image.is_multisampled && !matches!(image.dim, ImageDim::Buffer | ImageDim::Rect);
        if has_level {
            arguments.push(match access.operands.lod {
                Some(lod) => self.value_as(lod, ScalarKind::Int)?,
                None => self.cx.int(0),
            });
        }
        let mut name = "texelFetch";
        if let Some(offset) = access.operands.const_offset.or(access.operands.offset) {
            if !self.source.op(offset).is_constant() {
                return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant");
            }
            name = "texelFetchOffset";
            arguments.push(self.value_as(offset, ScalarKind::Int)?);
        }
        if is_sparse(op) {
            let name = if name == "texelFetch" { "sparseTexelFetchARB" } else { "sparseTexelFetchOffsetARB" };
            return self.sparse_call(inst, SparseCall { name, arguments, last: None }, texel);
        }
        let value = self.call(name, &arguments, texel);
        self.define_texel(inst, value)
    }

    /// A write to a storage image. The texel has four components.
    pub(in crate::lower) fn glsl_write_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ImageWrite { image, coordinate, texel, image_operands }) =
            view::ImageWrite::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let (expr, image) = self.image_place(image, inst)?;
        let coordinate = self.texel_coordinate(coordinate, image)?;
        let mut arguments = vec![expr, coordinate];
        if let Some(sample) = image_operands.and_then(|operands| operands.sample) {
            arguments.push(self.value_as(sample, ScalarKind::Int)?);
        }
        arguments.push(self.whole_texel(texel, image)?);
        let void = self.cx.text.types.of(TypeShape::Void);
        let call = self.call_with("imageStore", &arguments, void, Effects::WRITES);
        self.statement(StatementKind::Expression(call));
        Ok(())
    }

    /// A query of the size, the levels or the samples.
    pub(in crate::lower) fn glsl_query_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let int = self.type_of_numbers(Numbers { scalar: Scalar::INT, size: 1 });
        if op == Op::ImageSparseTexelsResident {
            let code = self.value_as(self.source.operand(inst, 0), ScalarKind::Int)?;
            let ty = self.cx.type_of(inst)?;
            let value = self.call("sparseTexelsResidentARB", &[code], ty);
            return self.define(inst, value);
        }
        let image = self.source.operand(inst, 0);
        if op == Op::ImageQueryLod {
            let (expr, image) = self.sampled_image(image, Sampling::Plain, inst)?;
            let coordinate = self.coordinate(self.source.operand(inst, 1), dimensions(image))?;
            let ty = self.cx.type_of(inst)?;
            let value = self.call_with("textureQueryLod", &[expr, coordinate], ty, Effects::CONVERGENT);
            return self.define(inst, value);
        }
        let (expr, image) = self.image_place(image, inst)?;
        let value = match op {
            Op::ImageQuerySizeLod | Op::ImageQuerySize => {
                let size = if image.dim == ImageDim::Cube { 2 } else { dimensions(image) };
                let size = size + u8::from(image.is_array);
                let ty = self.type_of_numbers(Numbers { scalar: Scalar::INT, size });
                let has_level = !image.is_storage
                    && !image.is_multisampled
                    && !matches!(image.dim, ImageDim::Buffer | ImageDim::Rect);
                let mut arguments = vec![expr];
                if has_level {
                    arguments.push(match op {
                        Op::ImageQuerySizeLod => self.value_as(self.source.operand(inst, 1), ScalarKind::Int)?,
                        _ => self.cx.int(0),
                    });
                }
                self.call(if image.is_storage { "imageSize" } else { "textureSize" }, &arguments, ty)
            }
            Op::ImageQueryLevels => self.call("textureQueryLevels", &[expr], int),
            Op::ImageQuerySamples if image.is_storage => self.call("imageSamples", &[expr], int),
            Op::ImageQuerySamples => self.call("textureSamples", &[expr], int),
            _ => return self.unknown(inst),
        };
        let value = self.as_result(inst, value)?;
        self.define(inst, value)
    }

    /// The coordinate of a texel: signed integers.
    fn texel_coordinate(&mut self, coordinate: Inst, image: Image) -> Result<Expr, Diagnostic> {
        let value = self.coordinate(coordinate, coordinates(image))?;
        Ok(self.cast(value, ScalarKind::Int))
    }

    /// An image without a sampler, and its type. What takes no sampler needs an extension in Vulkan, and takes a combined image in OpenGL.
    fn image_place(&mut self, image: Inst, inst: Inst) -> Result<(Expr, Image), Diagnostic> {
        let variable = root(self.source, image);
        let expr = match self.cx.without_sampler(variable) {
            Some(global) => {
                let expr = self.cx.global(global);
                self.place_along(image, expr)?
            }
            None => self.place(image)?,
        };
        let ty = self.type_of(expr);
        match self.cx.text.types[ty] {
            TypeShape::Image(image) => {
                if !image.is_storage && image.dim != ImageDim::Subpass && image.dim != ImageDim::Buffer {
                    self.cx.require("GL_EXT_samplerless_texture_functions", inst);
                }
                if !image.is_storage && image.dim == ImageDim::Buffer {
                    self.cx.require("GL_EXT_samplerless_texture_functions", inst);
                }
                Ok((expr, image))
            }
            TypeShape::SampledImage(image) => Ok((expr, image)),
            _ => self.refuse(WriteCode::Image, inst, "an access to what is no image"),
        }
    }

    /// The instruction that points to a texel, if a pointer does.
    pub(in crate::lower) fn texel_of(&self, pointer: Inst) -> Option<view::ImageTexelPointer> {
        let mut pointer = pointer;
        while self.source.op(pointer) == Op::CopyObject {
            pointer = self.source.operand(pointer, 0);
        }
        view::ImageTexelPointer::of(self.source, pointer)
    }

    /// Image, coordinate and sample of a texel.
    pub(super) fn texel_arguments(&mut self, texel: view::ImageTexelPointer) -> Result<Vec<Expr>, Diagnostic> {
        let (expr, image) = self.image_place(texel.image, texel.image)?;
        let coordinate = self.texel_coordinate(texel.coordinate, image)?;
        let mut arguments = vec![expr, coordinate];
        if image.is_multisampled {
            arguments.push(self.value_as(texel.sample, ScalarKind::Int)?);
        }
        Ok(arguments)
    }
}
