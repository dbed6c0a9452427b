//! Image operands: the optional operands of an image access (SPIR-V section 3.14).

use spirv::ImageOperands as Mask;

use super::fields::{Field, Reader};
use super::memory_access::parameter;
use crate::Inst;

/// The mask with its parameters, which follow it in the order of its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each field is what SPIR-V's flag of that name calls for")]
pub struct ImageOperands {
    /// The mask, including unnamed flags.
    pub mask: Mask,
    pub bias: Option<Inst>,
    pub lod: Option<Inst>,
    pub grad: Option<Gradient>,
    pub const_offset: Option<Inst>,
    pub offset: Option<Inst>,
    pub const_offsets: Option<Inst>,
    pub sample: Option<Inst>,
    pub min_lod: Option<Inst>,
    pub make_available: Option<Inst>,
    pub make_visible: Option<Inst>,
    pub offsets: Option<Inst>,
}

/// The derivatives of the coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gradient {
    /// In x.
    pub dx: Inst,
    /// In y.
    pub dy: Inst,
}

impl Default for ImageOperands {
    /// No operands.
    fn default() -> ImageOperands {
        ImageOperands {
            mask: Mask::empty(),
            bias: None,
            lod: None,
            grad: None,
            const_offset: None,
            offset: None,
            const_offsets: None,
            sample: None,
            min_lod: None,
            make_available: None,
            make_visible: None,
            offsets: None,
        }
    }
}

impl Field<'_> for Gradient {
    fn read(reader: &mut Reader<'_>) -> Option<Gradient> {
        Some(Gradient { dx: reader.read()?, dy: reader.read()? })
    }
}

impl Field<'_> for ImageOperands {
    fn read(reader: &mut Reader<'_>) -> Option<ImageOperands> {
        let mask: Mask = reader.read()?;
        Some(ImageOperands {
            mask,
            bias: parameter(reader, (mask & Mask::BIAS).bits()),
            lod: parameter(reader, (mask & Mask::LOD).bits()),
            grad: parameter(reader, (mask & Mask::GRAD).bits()),
            const_offset: parameter(reader, (mask & Mask::CONST_OFFSET).bits()),
            offset: parameter(reader, (mask & Mask::OFFSET).bits()),
            const_offsets: parameter(reader, (mask & Mask::CONST_OFFSETS).bits()),
            sample: parameter(reader, (mask & Mask::SAMPLE).bits()),
            min_lod: parameter(reader, (mask & Mask::MIN_LOD).bits()),
            make_available: parameter(reader, (mask & Mask::MAKE_TEXEL_AVAILABLE).bits()),
            make_visible: parameter(reader, (mask & Mask::MAKE_TEXEL_VISIBLE).bits()),
            offsets: parameter(reader, (mask & Mask::OFFSETS).bits()),
        })
    }
}
