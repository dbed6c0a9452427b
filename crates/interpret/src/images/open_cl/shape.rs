//! Kinds of images: what the type of a parameter says of them (SPIR-V, `OpTypeImage`; OpenCL C 3.0, section 6.15.15).
//!
//! ```text
//! type_image %void, Dim2D, 0, 1, 0, 0, Unknown, ReadOnly    read_only image2d_array_t: axes x and y, then a layer
//! ```

use reconverge_ir::{Inst, Module, Op, view};
use spirv::{AccessQualifier, Dim};

/// The kind of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// The axes along which a filter works: 1 to 3.
    pub(crate) axes: usize,
    /// Whether a layer comes after the axes.
    pub(crate) layers: Layers,
    pub(crate) contents: Contents,
    pub(crate) access: AccessQualifier,
    /// Whether samplers may read it: an image of a buffer has none.
    pub(crate) sampling: Sampling,
}

/// The layers of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layers {
    /// It is no array.
    Single,
    /// It is an array of images.
    Array,
}

/// The meaning of texels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    Colors,
    Depths,
}

/// The ways to read texels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sampling {
    /// With samplers and without.
    Any,
    /// Without.
    Never,
}

impl Shape {
    /// The kind of an image type of kernels; otherwise what it is instead.
    pub(crate) fn of(module: &Module, ty: Inst) -> Result<Shape, String> {
        let image = view::TypeImage::of(module, ty).ok_or("the parameter is not an image")?;
        if module.op(image.sampled_type) != Op::TypeVoid {
            return Err("the parameter is an image of shaders: its sampled type is not void".to_owned());
        }
        if image.multisampled != 0 {
            return Err("the parameter is a multisampled image, which is not supported".to_owned());
        }
        let axes = match image.dim {
            Some(Dim::Dim1D | Dim::DimBuffer) => 1,
            Some(Dim::Dim2D) => 2,
            Some(Dim::Dim3D) => 3,
            _ => return Err("the parameter is an image that is neither 1D, 2D nor 3D".to_owned()),
        };
        if axes == 3 && image.arrayed != 0 {
            return Err("the parameter is an array of 3D images, which do not exist".to_owned());
        }
        Ok(Shape {
            axes,
            layers: if image.arrayed != 0 { Layers::Array } else { Layers::Single },
            contents: if image.depth == 1 { Contents::Depths } else { Contents::Colors },
            access: image.access_qualifier.unwrap_or(AccessQualifier::ReadWrite),
            sampling: if image.dim == Some(Dim::DimBuffer) { Sampling::Never } else { Sampling::Any },
        })
    }

    /// The components of a coordinate, and of the size.
    pub(crate) fn coordinates(self) -> usize {
        self.axes + usize::from(self.layers == Layers::Array)
    }

    /// The name in messages.
    pub(crate) fn name(self) -> &'static str {
        match (self.axes, self.layers) {
            (1, Layers::Single) => "a 1D image",
            (1, Layers::Array) => "an array of 1D images",
            (2, Layers::Single) => "a 2D image",
            (2, Layers::Array) => "an array of 2D images",
            _ => "a 3D image",
        }
    }
}
