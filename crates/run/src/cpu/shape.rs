//! The launch that machine code is made for: sizes, specialization constants, arguments that are the same in every launch.

use reconverge_lanes::FixedArgument;
use reconverge_opencl::{
    ArgumentKind, Arguments as Place, FormatSource, ImageFormat, Kernel as Interface, SamplerSource,
};

use crate::image_binding::{format_constants, sampler_constant};
use crate::launch::Sampler;
use crate::{CpuOptions, RunError};

/// The launch that a kernel is compiled for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The name of the kernel; none if the module has only one.
    pub kernel: Option<String>,
    /// The most work-groups of a launch, in each dimension. With fewer than 2³² work-items the code is faster.
    pub groups: [u32; 3],
    /// Work-items of a work-group, in each dimension.
    pub local: [u32; 3],
    /// The number of dimensions that `get_work_dim` gives.
    pub dimensions: u32,
    /// The bytes of each argument that is local memory, in order.
    pub local_memory: Vec<u32>,
    /// The format of each argument that is an image, in order.
    pub images: Vec<ImageFormat>,
    /// Each argument that is a sampler, in order.
    pub samplers: Vec<Sampler>,
    /// Scalar arguments that are the same in every launch: their place among the arguments of a launch, and their bytes. The code is compiled for
    /// these values.
    pub constants: Vec<(usize, Vec<u8>)>,
    /// The form of the code, and the number of threads.
    pub options: CpuOptions,
}

impl Default for Shape {
    /// One work-group of one work-item, without arguments in local memory, images and samplers.
    fn default() -> Shape {
        Shape {
            kernel: None,
            groups: [1; 3],
            local: [1; 3],
            dimensions: 1,
            local_memory: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
            constants: Vec::new(),
            options: CpuOptions::default(),
        }
    }
}

/// The arguments that a shape fixes, by their places among the push constants.
pub(super) fn fixed_arguments(interface: &Interface, shape: &Shape) -> Result<Vec<FixedArgument>, RunError> {
    let given = interface.arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Local { .. }));
    let kinds: Vec<ArgumentKind> = given.map(|argument| argument.kind).collect();
    let fixed = shape.constants.iter().map(|(place, bytes)| match kinds.get(*place) {
        Some(&ArgumentKind::Value { offset, size, .. })
            if bytes.len() == size as usize && interface.arguments_in == Place::PushConstants =>
        {
            Ok(FixedArgument { offset, bytes: bytes.clone() })
        }
        Some(ArgumentKind::Value { size, .. }) if bytes.len() != *size as usize => {
            Err(RunError::launch(format!("argument {place} is a value of {size} bytes, not of {}", bytes.len())))
        }
        Some(ArgumentKind::Value { .. }) => Err(RunError::launch(
            "the arguments do not fit the push constants, so that none of them can be constant".to_owned(),
        )),
        _ => Err(RunError::launch(format!("argument {place} is no value that can be constant"))),
    });
    fixed.collect()
}

/// The specialization constants of a shape.
pub(super) fn constants(interface: &Interface, shape: &Shape) -> Result<Vec<(u32, u32)>, RunError> {
    if shape.local.contains(&0) {
        return Err(RunError::launch("a size of the work-group is zero"));
    }
    if let Some(required) = interface.fixed_size().filter(|&required| required != shape.local) {
        let found = shape.local;
        return Err(RunError::launch(format!("the kernel requires work-groups of {required:?}, not of {found:?}")));
    }
    let locals = interface.local_arguments();
    if locals.len() != shape.local_memory.len() {
        let (expected, found) = (locals.len(), shape.local_memory.len());
        return Err(RunError::launch(format!("{expected} arguments are in local memory, but the shape has {found}")));
    }
    let mut constants = interface.size_constants(shape.local, shape.dimensions);
    for (argument, &bytes) in locals.iter().zip(&shape.local_memory) {
        let constant = argument.constant(bytes.into());
        constants.push(constant.map_err(|error| RunError::launch(error.to_string()))?);
    }
    constants.extend(of_images(interface, &shape.images)?);
    constants.extend(of_samplers(interface, &shape.samplers)?);
    Ok(constants)
}

/// The specialization constants of the formats of images.
fn of_images(interface: &Interface, formats: &[ImageFormat]) -> Result<Vec<(u32, u32)>, RunError> {
    let sources = interface.arguments.iter().enumerate().filter_map(|(index, argument)| match argument.kind {
        ArgumentKind::Image(image) => Some((index, image.format)),
        _ => None,
    });
    let sources: Vec<(usize, FormatSource)> = sources.collect();
    if sources.len() != formats.len() {
        let (expected, found) = (sources.len(), formats.len());
        return Err(RunError::launch(format!("{expected} arguments are images, but the shape has {found} formats")));
    }
    let constants = sources.into_iter().zip(formats).map(|((index, source), &format)| {
        format_constants(format, source).map_err(|message| RunError::launch(format!("argument {index} {message}")))
    });
    Ok(constants.collect::<Result<Vec<_>, _>>()?.concat())
}

/// The specialization constants of samplers.
fn of_samplers(interface: &Interface, samplers: &[Sampler]) -> Result<Vec<(u32, u32)>, RunError> {
    let sources = interface.arguments.iter().enumerate().filter_map(|(index, argument)| match argument.kind {
        ArgumentKind::Sampler(source) => Some((index, source)),
        _ => None,
    });
    let sources: Vec<(usize, SamplerSource)> = sources.collect();
    if sources.len() != samplers.len() {
        let (expected, found) = (sources.len(), samplers.len());
        return Err(RunError::launch(format!("{expected} arguments are samplers, but the shape has {found}")));
    }
    let constants = sources.into_iter().zip(samplers).filter_map(|((index, source), &sampler)| {
        let constant = sampler_constant(sampler, source).transpose()?;
        Some(constant.map_err(|message| RunError::launch(format!("argument {index} {message}"))))
    });
    constants.collect()
}
