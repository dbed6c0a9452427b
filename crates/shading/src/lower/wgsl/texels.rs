//! Texels: reads, writes and queries.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::textures::{dimensions, is_sparse};
use super::super::function::{Body, Numbers};
use super::super::uses::Sampling;
use super::images::Call;
use crate::syntax::{Binary, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, StatementKind};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A fetch or a read.
    pub(in crate::lower) fn wgsl_read_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if is_sparse(self.source.op(inst)) {
            return self.refuse(WriteCode::Image, inst, "a read that says whether its texels are resident, in WGSL");
        }
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let (object, image) = self.texture(access.image, inst)?;
        let mut call = Call { image, arguments: vec![object] };
        let operands = access.operands;
        self.add_wgsl_texel(&mut call, access.coordinate, operands.const_offset.or(operands.offset))?;
        match (operands.sample, operands.lod) {
            (Some(sample), _) => call.arguments.push(self.value(sample)?),
            (None, Some(lod)) if !image.is_storage => call.arguments.push(self.value(lod)?),
            (None, _) if !image.is_storage => call.arguments.push(self.cx.int(0)),
            _ => {}
        }
        let ty = self.texel_type(image, Sampling::Plain);
        let effects = if image.is_storage { Effects::READS } else { Effects::PURE };
        let value = self.call_with("textureLoad", &call.arguments, ty, effects);
        self.define_fitted(inst, value)
    }

    /// A write to a storage image. The texel has four components.
    pub(in crate::lower) fn wgsl_write_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ImageWrite { image, coordinate, texel, image_operands }) =
            view::ImageWrite::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let (object, image) = self.texture(image, inst)?;
        if image_operands.is_some_and(|operands| operands.sample.is_some() || operands.lod.is_some()) {
            return self.refuse(WriteCode::Image, inst, "a write to a sample or level in WGSL");
        }
        let texel = self.whole_texel(texel, image)?;
        let mut call = Call { image, arguments: vec![object] };
        self.add_wgsl_texel(&mut call, coordinate, None)?;
        call.arguments.push(texel);
        let void = self.cx.text.types.of(crate::syntax::TypeShape::Void);
        let value = self.call_with("textureStore", &call.arguments, void, Effects::WRITES);
        self.statement(StatementKind::Expression(value));
        Ok(())
    }

    /// Adds the coordinate of a texel and the layer.
    fn add_wgsl_texel(&mut self, call: &mut Call, coordinate: Inst, offset: Option<Inst>) -> Result<(), Diagnostic> {
        let (image, mut whole) = (call.image, self.value(coordinate)?);
        if image.dim == ImageDim::Cube {
            return self.refuse(WriteCode::Image, coordinate, "a texel of a cube in WGSL");
        }
        let size = dimensions(image);
        let position = |body: &mut Self, whole: Expr| body.first_components(whole, size);
        let layer = match image.is_array {
            true => {
                let name = self.repeated(whole);
                let read = self.local(name);
                whole = self.local(name);
                Some(self.swizzle(read, &[size]))
            }
            false => None,
        };
        let mut place = position(self, whole);
        if let Some(offset) = offset {
            let ty = self.type_of(place);
            let offset = self.value_as(offset, self.kind_of(ty))?;
            if self.numbers_of(offset).size != self.numbers_of(place).size {
                return self.refuse(WriteCode::Image, coordinate, "an offset of a texel of a layer in WGSL");
            }
            place = self.binary(Binary::Add, place, offset, ty);
        }
        call.arguments.push(place);
        call.arguments.extend(layer);
        Ok(())
    }

    /// A query of the size, the levels or the samples.
    pub(in crate::lower) fn wgsl_query_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        if matches!(op, Op::ImageSparseTexelsResident | Op::ImageQueryLod) {
            return self.unknown(inst);
        }
        let (object, image) = self.texture(self.source.operand(inst, 0), inst)?;
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let value = match op {
            Op::ImageQuerySizeLod | Op::ImageQuerySize => self.wgsl_size_of(inst, object, image)?,
            Op::ImageQueryLevels => self.call("textureNumLevels", &[object], word),
            Op::ImageQuerySamples => self.call("textureNumSamples", &[object], word),
            _ => return self.unknown(inst),
        };
        let value = self.as_result(inst, value)?;
        self.define(inst, value)
    }

    fn wgsl_size_of(&mut self, inst: Inst, object: Expr, image: Image) -> Result<Expr, Diagnostic> {
        let mut arguments = vec![object];
        if self.source.op(inst) == Op::ImageQuerySizeLod && !self.is_constant_zero(self.source.operand(inst, 1)) {
            arguments.push(self.value_as(self.source.operand(inst, 1), ScalarKind::Int)?);
        }
        let size = if image.dim == ImageDim::Cube { 2 } else { dimensions(image) };
        let ty = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size });
        let extent = self.call("textureDimensions", &arguments, ty);
        if !image.is_array {
            return Ok(extent);
        }
        let object = self.cx.text.expressions.copy(object);
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let layers = self.call("textureNumLayers", &[object], word);
        let ty = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: size + 1 });
        Ok(self.construct([extent, layers], ty))
    }
}
