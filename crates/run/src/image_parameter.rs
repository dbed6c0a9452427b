//! Parameters of kernels that are images, as the module declares them before any pass (SPIR-V, OpTypeImage).
//!
//! ```text
//! type_image %void, Dim2D, depth 0, arrayed 1, …, ReadOnly   ⇒   image2d_array_t, read_only
//! ```
//!
//! Types do not say whether texels are integers; the accesses do.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use reconverge_opencl::{ImageAccess, ImageKind};

use crate::image_binding::{kind_misfit, sizes_of};
use crate::launch::Image;

/// An image parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ImageParameter {
    pub(crate) kind: ImageKind,
    pub(crate) access: ImageAccess,
    /// The numbers that the kernel reads and writes, if all its accesses are found and agree.
    pub(crate) texels: Option<Texels>,
}

/// The numbers of texels in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Texels {
    Integers,
    Floats,
}

impl ImageParameter {
    /// The image of a parameter. Linear in its uses. `None` if it is none that OpenCL has.
    pub(crate) fn of(module: &Module, parameter: Inst) -> Option<ImageParameter> {
        let TypeView::Image(image) = module.type_view(module.ty(parameter)?)? else { return None };
        Some(ImageParameter {
            kind: ImageKind::of(&image)?,
            access: ImageAccess::of(&image),
            texels: texels(module, parameter),
        })
    }

    /// The image that is given, if it does not fit.
    pub(crate) fn misfit(self, image: &Image) -> Option<String> {
        if kind_misfit(self.kind, image.format, &image.size).is_some() {
            return Some(image.to_string());
        }
        let is_integer = image.format.data_type.is_integer();
        match self.texels {
            Some(Texels::Integers) if !is_integer => Some(format!("{image}, whose texels are no integers")),
            Some(Texels::Floats) if is_integer => Some(format!("{image}, whose texels are integers")),
            _ => None,
        }
    }

    /// The parameter as OpenCL C declares it.
    pub(crate) fn described(self) -> String {
        let texels = match self.texels {
            Some(Texels::Integers) => " of integers",
            Some(Texels::Floats) | None => "",
        };
        format!("a {} {}{texels}", self.access.name(), self.kind.name())
    }

    /// The argument as it is written.
    pub(crate) fn flag(self) -> String {
        let role = match self.access {
            ImageAccess::Read => "",
            ImageAccess::Write | ImageAccess::ReadWrite => "out:",
        };
        format!("{role}image:{}{}=CONTENTS", self.usual_format(), sizes_of(self.kind))
    }

    /// The name of a format that fits.
    pub(crate) fn usual_format(self) -> &'static str {
        match (self.kind.is_depth(), self.texels) {
            (true, _) => "depth32f",
            (false, Some(Texels::Integers)) => "rgba8u",
            (false, Some(Texels::Floats) | None) => "rgba8",
        }
    }
}

/// The numbers that a kernel reads from an image and writes to it. `None` if an access is of another kind than the others, is not found, or
/// depends on the format, which the kernel asks for.
fn texels(module: &Module, image: Inst) -> Option<Texels> {
    let mut found = None;
    let uses = module.uses(image).map(|each| each.user);
    // What a sampler reads from is one instruction between the image and the read.
    let users = uses.flat_map(|user| match module.op(user) {
        Op::SampledImage => module.uses(user).map(|each| each.user).collect(),
        _ => vec![user],
    });
    for user in users {
        let number = match module.op(user) {
            Op::ImageRead | Op::ImageSampleExplicitLod | Op::ImageFetch => module.ty(user)?,
            Op::ImageWrite => module.ty(view::ImageWrite::of(module, user)?.texel)?,
            Op::ImageQuerySize | Op::ImageQuerySizeLod | Op::ImageQueryOrder => continue,
            op if op.is_type() => continue,
            _ => return None,
        };
        let texels = match module.type_view(module.components(number).0)? {
            TypeView::Int { .. } => Texels::Integers,
            TypeView::Float { .. } => Texels::Floats,
            _ => return None,
        };
        match found {
            Some(other) if other != texels => return None,
            _ => found = Some(texels),
        }
    }
    found
}
