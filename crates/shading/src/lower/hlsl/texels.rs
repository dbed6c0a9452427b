//! Texels: fetches, and storage images, whose texels are places.
//!
//! ```text
//! image.Load(int3(at, level))      image.Load(at, sample)      buffer[i]      target[at] = float4(color, 1.0)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::textures::{coordinates, dimensions, is_sparse};
use super::super::function::{Body, Numbers};
use crate::syntax::{Arguments, Effects, Expr, Image, ImageDim, Scalar, ScalarKind, Shape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A fetch or a read.
    pub(in crate::lower) fn hlsl_read_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        if is_sparse(op) {
            return self.refuse(WriteCode::Image, inst, "a read with residency in HLSL");
        }
        let texture = self.place(access.image)?;
        let image = self.image_type(texture, inst)?;
        let coordinate = self.texel_position(access.coordinate, image)?;
        if image.is_storage {
            if image.is_multisampled {
                return self.refuse(WriteCode::Image, inst, "a storage image with several samples in HLSL");
            }
            if image.texel.components() != 1 && !self.cx.target.hlsl().has(5, 1) {
                let message = "a read of a storage image of more than one component in HLSL 5.0; 5.1 has it";
                return self.refuse(WriteCode::Image, inst, message);
            }
            let texel = self.texel_place(texture, coordinate, image, Effects::READS);
            let value = self.all_components(texel, image);
            return self.define_texel(inst, value);
        }
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size: 4 });
        let mut arguments = Arguments::new();
        if image.is_multisampled || image.dim == ImageDim::Buffer {
            arguments.push(coordinate);
        } else {
            let level = match access.operands.lod {
                Some(lod) => self.value_as(lod, ScalarKind::Int)?,
                None => self.cx.int(0),
            };
            let size = coordinates(image) + 1;
            let whole = self.type_of_numbers(Numbers { scalar: Scalar::INT, size });
            arguments.push(self.construct([coordinate, level], whole));
        }
        if let Some(sample) = access.operands.sample {
            arguments.push(self.value_as(sample, ScalarKind::Int)?);
        }
        if let Some(offset) = access.operands.const_offset.or(access.operands.offset) {
            if !self.source.op(offset).is_constant() {
                return self.refuse(WriteCode::Image, inst, "an offset of a texel that is no constant in HLSL");
            }
            arguments.push(self.value_as(offset, ScalarKind::Int)?);
        }
        let value = self.pure(Shape::Method { object: texture, name: "Load", arguments }, ty);
        self.define_texel(inst, value)
    }

    /// A write to a storage image.
    pub(in crate::lower) fn hlsl_write_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ImageWrite { image, coordinate, texel, image_operands }) =
            view::ImageWrite::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let texture = self.place(image)?;
        let image = self.image_type(texture, inst)?;
        if image_operands.is_some_and(|operands| operands.sample.is_some()) {
            return self.refuse(WriteCode::Image, inst, "a write to one of several samples in HLSL");
        }
        let coordinate = self.texel_position(coordinate, image)?;
        let value = self.value(texel)?;
        let value = self.cast(value, image.component.kind);
        let value = self.fitting_texel(value, image);
        let target = self.texel_place(texture, coordinate, image, Effects::PURE);
        self.assign_to(target, value);
        Ok(())
    }

    /// A value with the components that a texel has.
    fn fitting_texel(&mut self, value: Expr, image: Image) -> Expr {
        let (given, wanted) = (self.numbers_of(value).size, image.texel.components());
        if given > wanted {
            let components: Vec<u8> = (0..wanted).collect();
            return self.swizzle(value, &components);
        }
        if given == wanted {
            return value;
        }
        let one = Numbers { scalar: image.component, size: 1 };
        let mut parts = vec![value];
        for _ in given..wanted {
            parts.push(self.splat(0, one));
        }
        let ty = self.type_of_numbers(Numbers { size: wanted, ..one });
        self.construct(parts, ty)
    }

    /// A texel as four components: those that its format lacks are 0, and the last one is 1.
    fn all_components(&mut self, texel: Expr, image: Image) -> Expr {
        let given = image.texel.components();
        if given == 4 {
            return texel;
        }
        let one = Numbers { scalar: image.component, size: 1 };
        let mut parts = vec![texel];
        for component in given..4 {
            parts.push(self.splat(i64::from(component == 3), one));
        }
        let ty = self.type_of_numbers(Numbers { size: 4, ..one });
        self.construct(parts, ty)
    }

    /// The place of a texel of a storage image.
    fn texel_place(&mut self, texture: Expr, coordinate: Expr, image: Image, effects: Effects) -> Expr {
        let ty = self.type_of_numbers(Numbers { scalar: image.component, size: image.texel.components() });
        self.with_effects(Shape::Index { base: texture, index: coordinate }, ty, effects)
    }

    /// The coordinate of a texel. A cube is an array of its faces.
    fn texel_position(&mut self, coordinate: Inst, image: Image) -> Result<Expr, Diagnostic> {
        let size = if image.dim == ImageDim::Cube { 3 } else { coordinates(image) };
        debug_assert!(dimensions(image) <= size);
        self.coordinate(coordinate, size)
    }

    /// The texel that a pointer points to, as a place; `None` for a pointer to memory.
    pub(super) fn texel_target(&mut self, pointer: Inst, inst: Inst) -> Result<Option<Expr>, Diagnostic> {
        let Some(texel) = self.texel_of(pointer) else { return Ok(None) };
        let texture = self.place(texel.image)?;
        let image = self.image_type(texture, inst)?;
        if image.is_multisampled || image.texel.components() != 1 {
            return self.refuse(WriteCode::Image, inst, "an atomic on an image of this kind in HLSL");
        }
        let coordinate = self.texel_position(texel.coordinate, image)?;
        Ok(Some(self.texel_place(texture, coordinate, image, Effects::READS)))
    }

    /// A query of the size, the levels, the samples or the level of detail.
    pub(in crate::lower) fn hlsl_query_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::ImageQueryLod => self.queried_lod(inst),
            Op::ImageQuerySizeLod | Op::ImageQuerySize | Op::ImageQueryLevels | Op::ImageQuerySamples => {
                self.queried_dimensions(inst)
            }
            _ => self.unknown(inst),
        }
    }
}
