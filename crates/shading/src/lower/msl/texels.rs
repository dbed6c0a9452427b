//! Texels: reads, writes and queries.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::ExecutionModel;

use super::super::function::textures::{dimensions, is_sparse};
use super::super::function::{Body, Numbers};
use super::images::Call;
use crate::syntax::{
    Arguments, Binary, Depth, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Shape, StatementKind,
};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A fetch or a read.
    pub(in crate::lower) fn msl_read_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if is_sparse(op) {
            return self.refuse(WriteCode::Image, inst, "a read that says whether its texels are resident, in MSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let (object, image) = self.texture(access.image, inst)?;
        let mut call = Call { object, image, arguments: Vec::new() };
        let operands = access.operands;
        let offset = operands.const_offset.or(operands.offset);
        match image.dim {
            ImageDim::Subpass => self.add_texel_of_fragment(&mut call, access.coordinate, inst)?,
            _ => self.add_texel(&mut call, access.coordinate, offset)?,
        }
        if let Some(sample) = operands.sample {
            call.arguments.push(self.value_as(sample, ScalarKind::Uint)?);
        }
        let has_level =
            !image.is_multisampled && !image.is_storage && !matches!(image.dim, ImageDim::Buffer | ImageDim::One);
        if let Some(lod) = operands.lod.filter(|&lod| !self.is_constant_zero(lod)) {
            if !has_level {
                return self.refuse(WriteCode::Image, inst, "a level of an image that has one in MSL");
            }
            call.arguments.push(self.value_as(lod, ScalarKind::Uint)?);
        }
        let size = if image.depth == Depth::Compared && !image.is_storage { 1 } else { 4 };
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size });
        let effects = if image.is_storage { Effects::READS } else { Effects::PURE };
        let value = self.method(call, "read", ty, effects);
        self.define_fitted(inst, value)
    }

    /// A write to a storage image. The texel has four components.
    pub(in crate::lower) fn msl_write_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ImageWrite { image, coordinate, texel, image_operands }) =
            view::ImageWrite::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let (object, image) = self.texture(image, inst)?;
        if image_operands.is_some_and(|operands| operands.sample.is_some() || operands.lod.is_some()) {
            return self.refuse(WriteCode::Image, inst, "a write to a sample or level in MSL");
        }
        let texel = self.whole_texel(texel, image)?;
        let mut call = Call { object, image, arguments: vec![texel] };
        self.add_texel(&mut call, coordinate, None)?;
        let void = self.void();
        let value = self.method(call, "write", void, Effects::WRITES);
        self.statement(StatementKind::Expression(value));
        Ok(())
    }

    /// Adds the coordinate of a texel of an input attachment: that of the fragment, and an offset.
    fn add_texel_of_fragment(&mut self, call: &mut Call, offset: Inst, inst: Inst) -> Result<(), Diagnostic> {
        let Some(entry) = self.cx.entries.iter().find(|entry| entry.model == ExecutionModel::Fragment) else {
            return self.unknown(inst);
        };
        if call.image.is_array {
            return self.refuse(WriteCode::Image, inst, "a read of a layer of a subpass in MSL");
        }
        let place = entry.inst;
        let fragment = self.cx.input_built_in(spirv::BuiltIn::FragCoord, place)?;
        let fragment = self.cx.global(fragment);
        let fragment = self.swizzle(fragment, &[0, 1]);
        let mut texel = self.numbers_to(fragment, Scalar::UINT, 2);
        if !self.is_null(offset) {
            let offset = self.value_as(offset, ScalarKind::Uint)?;
            let ty = self.type_of(texel);
            texel = self.binary(Binary::Add, texel, offset, ty);
        }
        call.arguments.push(texel);
        Ok(())
    }

    /// Returns whether a value is a constant of zeros.
    fn is_null(&self, value: Inst) -> bool {
        match self.source.op(value) {
            Op::ConstantNull => true,
            Op::ConstantComposite => self.source.operands(value).all(|part| self.is_constant_zero(part)),
            _ => self.is_constant_zero(value),
        }
    }

    /// Adds the coordinate of a texel, the face of a cube, and the layer.
    pub(super) fn add_texel(
        &mut self,
        call: &mut Call,
        coordinate: Inst,
        offset: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let image = call.image;
        let whole = self.value_as(coordinate, ScalarKind::Uint)?;
        let whole = match self.numbers_of(whole) {
            Numbers { scalar: Scalar { width: 32, .. }, .. } => whole,
            numbers => self.numbers_to(whole, Scalar::UINT, numbers.size),
        };
        let whole = match offset {
            Some(offset) => {
                let offset = self.value_as(offset, ScalarKind::Uint)?;
                let ty = self.type_of(whole);
                if self.numbers_of(offset).size != self.numbers_of(whole).size {
                    return self.refuse(WriteCode::Image, coordinate, "an offset of a texel of a layer in MSL");
                }
                self.binary(Binary::Add, whole, offset, ty)
            }
            None => whole,
        };
        let is_cube = image.dim == ImageDim::Cube;
        let size = if is_cube { 2 } else { dimensions(image) };
        if !image.is_array && !is_cube {
            let position = self.first_components(whole, size);
            call.arguments.push(position);
            return Ok(());
        }
        let name = self.repeated(whole);
        let read = self.local(name);
        let position = self.first_components(read, size);
        call.arguments.push(position);
        let read = self.local(name);
        let layer = self.swizzle(read, &[size]);
        if !(is_cube && image.is_array) {
            call.arguments.push(layer);
            return Ok(());
        }
        let word = self.type_of(layer);
        let again = self.cx.text.expressions.copy(layer);
        let six = [self.cx.word(6), self.cx.word(6)];
        call.arguments.push(self.binary(Binary::Remainder, layer, six[0], word));
        call.arguments.push(self.binary(Binary::Divide, again, six[1], word));
        Ok(())
    }

    /// A query of the size, the levels or the samples.
    pub(in crate::lower) fn msl_query_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if op == Op::ImageSparseTexelsResident {
            return self.unknown(inst);
        }
        let operand = self.source.operand(inst, 0);
        let (object, image) = self.texture(operand, inst)?;
        let value = match op {
            Op::ImageQueryLod => return self.query_level(inst, (object, image), operand),
            Op::ImageQuerySizeLod | Op::ImageQuerySize => self.size_of(inst, object, image)?,
            Op::ImageQueryLevels => self.msl_query(object, "get_num_mip_levels", None),
            Op::ImageQuerySamples => self.msl_query(object, "get_num_samples", None),
            _ => return self.unknown(inst),
        };
        let value = self.as_result(inst, value)?;
        self.define(inst, value)
    }

    fn msl_query(&mut self, object: Expr, name: &'static str, level: Option<Expr>) -> Expr {
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let arguments: Arguments = level.into_iter().collect();
        self.pure(Shape::Method { object, name, arguments }, word)
    }

    fn size_of(&mut self, inst: Inst, object: Expr, image: Image) -> Result<Expr, Diagnostic> {
        let has_level = !image.is_storage
            && !image.is_multisampled
            && !matches!(image.dim, ImageDim::Buffer | ImageDim::One | ImageDim::Rect);
        let level = match self.source.op(inst) {
            Op::ImageQuerySizeLod if has_level => {
                Some(self.source.operand(inst, 1)).filter(|&lod| !self.is_constant_zero(lod))
            }
            _ => None,
        };
        let level =
            level.map(|level| self.value_as(level, ScalarKind::Uint)).transpose()?.map(|level| self.repeated(level));
        let names: &[&'static str] = match image.dim {
            ImageDim::One | ImageDim::Buffer => &["get_width"],
            ImageDim::Three => &["get_width", "get_height", "get_depth"],
            _ => &["get_width", "get_height"],
        };
        let mut parts = Vec::new();
        for name in names {
            let (object, level) = (self.cx.text.expressions.copy(object), level.map(|level| self.local(level)));
            parts.push(self.msl_query(object, name, level));
        }
        if image.is_array {
            parts.push(self.msl_query(object, "get_array_size", None));
        }
        let ty = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: parts.len() as u8 });
        Ok(match parts[..] {
            [only] => only,
            _ => self.construct(parts, ty),
        })
    }

    /// The level that a sample uses, and the one that it computes.
    fn query_level(&mut self, inst: Inst, (object, image): (Expr, Image), operand: Inst) -> Result<(), Diagnostic> {
        if !self.cx.target.msl().has(2, 2) || image.dim == ImageDim::One {
            return self.refuse(WriteCode::Image, inst, "the level of a sample before MSL 2.2, or of one dimension");
        }
        let sampler = self.sampler(operand, inst)?;
        let coordinate = self.value(self.source.operand(inst, 1))?;
        let coordinate = self.first_components(coordinate, dimensions(image));
        let coordinate = self.repeated(coordinate);
        let one = self.type_of_numbers(Numbers { scalar: Scalar::FLOAT, size: 1 });
        let mut parts = Vec::new();
        for name in ["calculate_clamped_lod", "calculate_unclamped_lod"] {
            let object = self.cx.text.expressions.copy(object);
            let arguments = vec![self.cx.text.expressions.copy(sampler), self.local(coordinate)];
            let call = Call { object, image, arguments };
            parts.push(self.method(call, name, one, Effects::CONVERGENT));
        }
        let ty = self.cx.type_of(inst)?;
        let value = self.construct(parts, ty);
        self.define(inst, value)
    }
}
