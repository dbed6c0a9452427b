//! Images and samplers of OpenCL kernels: the rules of OpenCL 3.0, section 8, "Image Addressing and Filtering", on the bytes of a buffer.
//!
//! An image is an argument of the launch. Its texels are bytes of a buffer, so that every access to one is an access to memory: it has
//! bounds, it may race, and its bytes may be undefined. Where OpenCL leaves room, all engines of this project compute the same: each
//! operation in single precision, rounded once, in the order that these files write.
//!
//! ```text
//! coordinate ─ addressing ─▶ texels along each axis ─ filter ─▶ weights
//!                                     │                            │
//!                             format ─▶ numbers of each texel ─────┴─▶ sum ─▶ value of the result type
//! ```
//!
//! | file | rules |
//! |---|---|
//! | `shape` | kinds of images: axes, layers, access |
//! | `format`, `numbers`, `srgb` | what the bytes of a texel say |
//! | `texel` | the components of a texel, from memory and into it |
//! | `bound` | an image of a launch: what fits, and where a texel is |
//! | `sampler`, `addressing`, `filter` | which texels a coordinate selects, and how much of each |
//! | `access`, `query` | operations: reads, writes, questions |

mod access;
mod addressing;
mod bound;
mod filter;
mod format;
mod numbers;
mod query;
mod sampler;
mod shape;
mod srgb;
mod texel;

use std::collections::BTreeMap;

use reconverge_ir::{Inst, Module, Op};
use spirv::ImageOperands;

pub(crate) use access::{ResultType, missed, read_half};
pub use bound::FailedTexel;
pub(crate) use bound::{BoundImage, ImageBuffer};
pub(crate) use query::numbers;
pub(crate) use sampler::Sampler;
pub(crate) use shape::Shape;

use crate::fault::{Fault, UndefinedBehaviour};
use crate::images::request::Request;
use crate::memory::Memory;
use crate::{Resource, Value};

/// An image of a kernel launch: what is known of its texels, which are the bytes of a buffer from its first byte on.
///
/// Texel (x, y, z) begins at byte `z * slice_pitch + y * row_pitch + x * s`, where `s` is the size of a texel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KernelImage {
    /// The channels, as a number of OpenCL (`cl_channel_order`).
    pub order: u32,
    /// The storage of a channel, as a number of OpenCL (`cl_channel_type`).
    pub data_type: u32,
    /// Width, height and depth in texels; 1 for an axis that the image does not have. The layers of an array of 1D images are its height,
    /// those of an array of 2D images its depth.
    pub size: [u32; 3],
    /// Bytes from one row to the next; layers of an array of 1D images are rows. Unused if there is one row.
    pub row_pitch: u32,
    /// Bytes from one slice, or layer of 2D images, to the next. Unused if there is one.
    pub slice_pitch: u32,
}

/// The images and samplers of a kernel launch, by the parameters of the kernel, and the samplers of the module.
#[derive(Debug, Default)]
pub(crate) struct KernelImages {
    images: BTreeMap<Inst, BoundImage>,
    samplers: BTreeMap<Inst, Sampler>,
}

impl KernelImages {
    /// The samplers of a module. Linear in its module-level instructions.
    pub(crate) fn new(module: &Module) -> KernelImages {
        let constants = module.globals().filter(|&inst| module.op(inst) == Op::ConstantSampler);
        let samplers = constants.filter_map(|inst| Some((inst, Sampler::of_constant(module, inst)?))).collect();
        KernelImages { images: BTreeMap::new(), samplers }
    }

    pub(crate) fn add_image(&mut self, parameter: Inst, image: BoundImage) {
        self.images.insert(parameter, image);
    }

    pub(crate) fn add_sampler(&mut self, parameter: Inst, sampler: Sampler) {
        self.samplers.insert(parameter, sampler);
    }

    /// The image of a descriptor, if it is an argument of the launch.
    pub(crate) fn image(&self, resource: Resource) -> Option<&BoundImage> {
        self.images.get(&resource.variable)
    }

    /// The image that a value is; it must be an argument of the launch.
    pub(crate) fn image_of(&self, value: &Value) -> Result<&BoundImage, Fault> {
        match value {
            Value::Descriptor(descriptor) => {
                let image = self.image(descriptor.resource);
                image.ok_or_else(|| Fault::malformed("an image is used that is not an argument of the kernel"))
            }
            Value::Undefined => Err(UndefinedBehaviour::UndefinedAddress.into()),
            _ => Err(Fault::malformed("an image is expected")),
        }
    }

    /// The sampler of a descriptor.
    pub(crate) fn sampler(&self, resource: Resource) -> Result<Sampler, Fault> {
        let sampler = self.samplers.get(&resource.variable).copied();
        sampler.ok_or_else(|| {
            Fault::malformed("an image is read with a sampler that is neither an argument nor a constant")
        })
    }
}

/// The image operands that change nothing: mipmaps do not exist, memory is sequentially consistent, and formats have a sign.
const HARMLESS: ImageOperands = ImageOperands::LOD
    .union(ImageOperands::GRAD)
    .union(ImageOperands::SIGN_EXTEND)
    .union(ImageOperands::ZERO_EXTEND)
    .union(ImageOperands::NON_PRIVATE_TEXEL)
    .union(ImageOperands::VOLATILE_TEXEL)
    .union(ImageOperands::MAKE_TEXEL_AVAILABLE)
    .union(ImageOperands::MAKE_TEXEL_VISIBLE)
    .union(ImageOperands::NONTEMPORAL);

/// Executes an operation on an image of the launch. Returns the result, if it has one.
pub(crate) fn execute(
    images: &KernelImages,
    image: &BoundImage,
    memory: &mut Memory,
    request: &Request<'_>,
) -> Result<Option<Value>, Fault> {
    let others = request.mask.difference(HARMLESS);
    if !others.is_empty() {
        return Err(Fault::unsupported(format!("the image operands {others:?} on an image of a kernel")));
    }
    match request.op {
        Op::ImageSampleExplicitLod => {
            let sampler = images.sampler(request.descriptor.sampler)?;
            access::sample(image, sampler, memory, request).map(Some)
        }
        Op::ImageRead => access::read(image, memory, request).map(Some),
        Op::ImageWrite => access::write(image, memory, request).map(|()| None),
        _ => query::answer(image, request).map(Some),
    }
}
