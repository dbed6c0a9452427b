//! Images and samplers among the arguments of a kernel.

use reconverge_ir::view::TypeImage;
use spirv::{AccessQualifier, Dim};

use crate::{Access, ImageFormat};

/// The bits of a sampler, as OpenCL C gives them to `sampler_t`: one of the coordinates, one of the address modes, one of the filters.
pub mod sampler_bits {
    /// The coordinates are 0 to 1 over the image, and not numbers of texels.
    pub const NORMALIZED: u32 = 1;
    /// There is no coordinate outside of the image.
    pub const NONE: u32 = 0;
    /// The texel at the edge.
    pub const CLAMP_TO_EDGE: u32 = 2;
    /// The colour of the border.
    pub const CLAMP: u32 = 4;
    /// The image again.
    pub const REPEAT: u32 = 6;
    /// The image again, each second one mirrored.
    pub const MIRRORED_REPEAT: u32 = 8;
    /// All bits of address modes.
    pub const ADDRESS: u32 = 0x0e;
    /// The nearest texel.
    pub const NEAREST: u32 = 0x10;
    /// The average of the texels around.
    pub const LINEAR: u32 = 0x20;
    /// All bits of filters.
    pub const FILTER: u32 = 0x30;
}

/// An image among the arguments. Its texels are in a buffer, row after row and slice after slice.
///
/// Five words describe it, at the offset [`shape`](Self#structfield.shape): width, height, depth, the bytes from one row to the next, the bytes from one
/// slice to the next. What an image does not have is 1. The layers of a 1D array are its height, those of a 2D array its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageArgument {
    /// The dimensions.
    pub kind: ImageKind,
    /// The accesses that the parameter allows.
    pub access: ImageAccess,
    /// The place of the texels.
    pub texels: TexelPlace,
    /// The offset of the five words, a multiple of 16.
    pub shape: u32,
    /// The format.
    pub format: FormatSource,
}

impl ImageArgument {
    /// The bytes that describe an image.
    pub const SHAPE_SIZE: u32 = 20;
}

/// The place of the texels of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TexelPlace {
    /// At a 64-bit device address, which is stored at this offset.
    Address {
        /// The offset.
        offset: u32,
    },
    /// In a storage buffer, bound in descriptor set 0.
    Binding {
        /// The number of the binding.
        binding: u32,
        /// The offset where its offset in bytes is stored, as for pointers.
        offset: Option<u32>,
        /// The accesses of the kernel to it.
        access: Access,
    },
}

/// The dimensions of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageKind {
    /// `image1d_t`.
    D1,
    /// `image1d_buffer_t`.
    D1Buffer,
    /// `image1d_array_t`.
    D1Array,
    /// `image2d_t`.
    D2,
    /// `image2d_array_t`.
    D2Array,
    /// `image2d_depth_t`.
    D2Depth,
    /// `image2d_array_depth_t`.
    D2ArrayDepth,
    /// `image3d_t`.
    D3,
}

impl ImageKind {
    /// All of them.
    pub const ALL: [ImageKind; 8] = [
        ImageKind::D1,
        ImageKind::D1Buffer,
        ImageKind::D1Array,
        ImageKind::D2,
        ImageKind::D2Array,
        ImageKind::D2Depth,
        ImageKind::D2ArrayDepth,
        ImageKind::D3,
    ];

    /// The numbers of its size, the layers among them: 1 to 3.
    pub const fn sizes(self) -> u32 {
        match self {
            ImageKind::D1 | ImageKind::D1Buffer => 1,
            ImageKind::D1Array | ImageKind::D2 | ImageKind::D2Depth => 2,
            ImageKind::D2Array | ImageKind::D2ArrayDepth | ImageKind::D3 => 3,
        }
    }

    /// The dimensions of an image type, if OpenCL C has it. Constant time.
    pub fn of(image: &TypeImage) -> Option<ImageKind> {
        if image.multisampled != 0 {
            return None;
        }
        // 2 means that the type does not say; OpenCL C has no such type.
        let kind = match (image.dim?, image.arrayed != 0, image.depth == 1) {
            (Dim::Dim1D, false, false) => ImageKind::D1,
            (Dim::Dim1D, true, false) => ImageKind::D1Array,
            (Dim::DimBuffer, false, false) => ImageKind::D1Buffer,
            (Dim::Dim2D, false, false) => ImageKind::D2,
            (Dim::Dim2D, true, false) => ImageKind::D2Array,
            (Dim::Dim2D, false, true) => ImageKind::D2Depth,
            (Dim::Dim2D, true, true) => ImageKind::D2ArrayDepth,
            (Dim::Dim3D, false, false) => ImageKind::D3,
            _ => return None,
        };
        Some(kind)
    }

    /// Its type in OpenCL C.
    pub const fn name(self) -> &'static str {
        match self {
            ImageKind::D1 => "image1d_t",
            ImageKind::D1Buffer => "image1d_buffer_t",
            ImageKind::D1Array => "image1d_array_t",
            ImageKind::D2 => "image2d_t",
            ImageKind::D2Array => "image2d_array_t",
            ImageKind::D2Depth => "image2d_depth_t",
            ImageKind::D2ArrayDepth => "image2d_array_depth_t",
            ImageKind::D3 => "image3d_t",
        }
    }

    /// Returns whether its texels are depths.
    pub const fn is_depth(self) -> bool {
        matches!(self, ImageKind::D2Depth | ImageKind::D2ArrayDepth)
    }
}

/// The accesses that an image parameter allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageAccess {
    /// `read_only`.
    Read,
    /// `write_only`.
    Write,
    /// `read_write`.
    ReadWrite,
}

impl ImageAccess {
    /// The access qualifier of an image type; reading by default (OpenCL C 3.0, section 6.8). Constant time.
    pub fn of(image: &TypeImage) -> ImageAccess {
        match image.access_qualifier {
            Some(AccessQualifier::WriteOnly) => ImageAccess::Write,
            Some(AccessQualifier::ReadWrite) => ImageAccess::ReadWrite,
            Some(AccessQualifier::ReadOnly) | None => ImageAccess::Read,
        }
    }

    /// The qualifier in OpenCL C.
    pub const fn name(self) -> &'static str {
        match self {
            ImageAccess::Read => "read_only",
            ImageAccess::Write => "write_only",
            ImageAccess::ReadWrite => "read_write",
        }
    }
}

/// The format of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormatSource {
    /// The code is for this format alone.
    Fixed(ImageFormat),
    /// The host sets two specialization constants of 32 bits to the numbers of OpenCL.
    Specialized {
        /// The id of the constant with the channel order.
        order: u32,
        /// The id of the constant with the channel type.
        data_type: u32,
    },
}

/// The sampler of a parameter, by its [bits](sampler_bits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SamplerSource {
    /// The code is for this sampler alone.
    Fixed(u32),
    /// The host sets the specialization constant of this id, of 32 bits, to the bits.
    Specialized(u32),
}
