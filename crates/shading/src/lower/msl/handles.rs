//! Types of images: a texture of depths has another type than one of colors, and the access to the texels of a storage image is a part of its
//! type.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::Decoration;

use super::super::Lowering;
use crate::syntax::{Access, Depth, Image, ImageDim};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// The type of an image of a variable or parameter.
    pub(in crate::lower) fn msl_used_image(
        &mut self,
        value: Inst,
        image: Image,
        place: Inst,
    ) -> Result<Image, Diagnostic> {
        let handle = self.handle(value);
        let msl = self.target.msl();
        if image.dim == ImageDim::Buffer && !msl.has(2, 1) {
            return self.refuse(WriteCode::Image, place, "an image in a buffer before MSL 2.1");
        }
        if image.is_multisampled && (image.is_storage || image.is_array && !msl.has(2, 1)) {
            return self.refuse(
                WriteCode::Image,
                place,
                "a storage image or an array with samples in this version of MSL",
            );
        }
        if image.component.width == 64 {
            return self.refuse(WriteCode::Image, place, "an image of numbers of 64 bits in MSL");
        }
        let is_depth = handle.compares && !image.is_storage;
        if is_depth && matches!(image.dim, ImageDim::One | ImageDim::Three | ImageDim::Buffer) {
            return self.refuse(WriteCode::Image, place, "an image of depths of one or three dimensions in MSL");
        }
        let access = handle.access();
        let access = if self.source.decorated(value).has(Decoration::NonWritable) { Access::Read } else { access };
        Ok(Image { depth: if is_depth { Depth::Compared } else { Depth::Color }, access, ..image })
    }
}
