//! Kernels that read and write images, and launches of them.

use spirv::AccessQualifier;

use reconverge_interpret::{KernelArgument, KernelImage, KernelLaunch, KernelOutcome, UndefinedValues};

use crate::common::kernel::{Kernel, words};

pub(crate) const NONE: u32 = 0;
pub(crate) const CLAMP_TO_EDGE: u32 = 2;
pub(crate) const CLAMP: u32 = 4;
pub(crate) const REPEAT: u32 = 6;
pub(crate) const MIRRORED_REPEAT: u32 = 8;
pub(crate) const NORMALIZED: u32 = 1;
pub(crate) const NEAREST: u32 = 0x10;
pub(crate) const LINEAR: u32 = 0x20;

pub(crate) const R: u32 = 0x10b0;
pub(crate) const RGBA: u32 = 0x10b5;
pub(crate) const DEPTH: u32 = 0x10bd;
pub(crate) const UNORM8: u32 = 0x10d2;
pub(crate) const SINT32: u32 = 0x10d9;
pub(crate) const UINT8: u32 = 0x10da;
pub(crate) const UINT32: u32 = 0x10dc;
pub(crate) const HALF: u32 = 0x10dd;
pub(crate) const FLOAT: u32 = 0x10de;

/// A kind of image: the operands of its type after the sampled one, the components of a coordinate.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub dim: &'static str,
    pub depth: u32,
    pub arrayed: u32,
    pub components: usize,
}

pub(crate) const ONE: Kind = Kind { dim: "Dim1D", depth: 0, arrayed: 0, components: 1 };
pub(crate) const ONE_ARRAY: Kind = Kind { arrayed: 1, components: 2, ..ONE };
pub(crate) const BUFFER: Kind = Kind { dim: "DimBuffer", ..ONE };
pub(crate) const TWO: Kind = Kind { dim: "Dim2D", components: 2, ..ONE };
pub(crate) const TWO_ARRAY: Kind = Kind { arrayed: 1, components: 4, ..TWO };
pub(crate) const TWO_DEPTH: Kind = Kind { depth: 1, ..TWO };
pub(crate) const TWO_DEPTH_ARRAY: Kind = Kind { arrayed: 1, components: 4, ..TWO_DEPTH };
pub(crate) const THREE: Kind = Kind { dim: "Dim3D", components: 4, ..ONE };

/// Types and constants of kernels with an image of that access qualifier.
pub(crate) fn globals(kind: Kind, access: AccessQualifier) -> String {
    let Kind { dim, depth, arrayed, .. } = kind;
    let access = access as u32;
    format!(
        "%f16 = type_float 16
%f16x4 = type_vector %f16, 4
%f32x2 = type_vector %f32, 2
%f32x4 = type_vector %f32, 4
%u32x3 = type_vector %u32, 3
%global_u4 = type_pointer CrossWorkgroup, %u32x4
%global_u2 = type_pointer CrossWorkgroup, %u32x2
%global_f4 = type_pointer CrossWorkgroup, %f32x4
%global_h4 = type_pointer CrossWorkgroup, %f16x4
%image_type = type_image %void, {dim}, {depth}, {arrayed}, 0, 0, Unknown, {access}
%sampler_type = type_sampler
%sampled_type = type_sampled_image %image_type
%image_pointer = type_pointer Function, %image_type
%sampler_pointer = type_pointer Function, %sampler_type
%level: %f32 = constant 0
%level1: %f32 = constant 1065353216
"
    )
}

/// The body that makes `%at` of `%four`, a vector of four components of that type.
pub(crate) fn coordinate(kind: Kind, component: &str) -> String {
    match kind.components {
        1 => format!("  %at: %{component} = composite_extract %four, 0\n"),
        2 => format!("  %at: %{component}x2 = vector_shuffle %four, %four, 0, 1\n"),
        _ => format!("  %at: %{component}x4 = copy_object %four\n"),
    }
}

/// Each lane reads at one coordinate of four words with a sampler. Parameters: image, sampler, results, coordinates. The types are those of
/// a component of the coordinate and of the result.
pub(crate) fn sampling(kind: Kind, component: &str, result: &str) -> Kernel {
    let (from, to) = (&component[..1], &result[..1]);
    Kernel::with(
        &globals(kind, AccessQualifier::ReadOnly),
        &format!("%image: %image_type, %sampler: %sampler_type, %out: %global_{to}4, %in: %global_{from}4"),
        &format!(
            "  %source: %global_{from}4 = ptr_access_chain %in, %id
  %four: %{component}x4 = load %source
{}  %both: %sampled_type = sampled_image %image, %sampler
  %texel: %{result}x4 = image_sample_explicit_lod %both, %at, 2, %level
  %target: %global_{to}4 = ptr_access_chain %out, %id
  store %target, %texel
  return",
            coordinate(kind, component)
        ),
    )
}

/// Each lane reads at one coordinate of four words without a sampler. Parameters: image, results, coordinates.
pub(crate) fn reading(kind: Kind, result: &str) -> Kernel {
    let to = &result[..1];
    Kernel::with(
        &globals(kind, AccessQualifier::ReadOnly),
        &format!("%image: %image_type, %out: %global_{to}4, %in: %global_u4"),
        &format!(
            "  %source: %global_u4 = ptr_access_chain %in, %id
  %four: %u32x4 = load %source
{}  %texel: %{result}x4 = image_read %image, %at
  %target: %global_{to}4 = ptr_access_chain %out, %id
  store %target, %texel
  return",
            coordinate(kind, "u32")
        ),
    )
}

/// Each lane writes one vector of four at one coordinate. Parameters: image, texels, coordinates.
pub(crate) fn writing(kind: Kind, component: &str) -> Kernel {
    let from = &component[..1];
    Kernel::with(
        &globals(kind, AccessQualifier::WriteOnly),
        &format!("%image: %image_type, %texels: %global_{from}4, %in: %global_u4"),
        &format!(
            "  %source: %global_u4 = ptr_access_chain %in, %id
  %four: %u32x4 = load %source
{}  %place: %global_{from}4 = ptr_access_chain %texels, %id
  %texel: %{component}x4 = load %place
  image_write %image, %at, %texel
  return",
            coordinate(kind, "u32")
        ),
    )
}

/// An image without gaps between rows and slices.
pub(crate) fn image(order: u32, data_type: u32, size: [u32; 3], texel: u32) -> KernelImage {
    let row_pitch = size[0] * texel;
    KernelImage { order, data_type, size, row_pitch, slice_pitch: row_pitch * size[1] }
}

/// A launch of so many lanes in one group: buffer 0 is the image, and each further buffer is an argument.
pub(crate) fn launch(lanes: u32, image: KernelImage, sampler: Option<u32>, buffers: Vec<Vec<u8>>) -> KernelLaunch {
    let buffer = |index| KernelArgument::Buffer { index, offset: 0 };
    let mut arguments = vec![KernelArgument::Image { buffer: 0, image }];
    arguments.extend(sampler.map(KernelArgument::Sampler));
    arguments.extend((1..buffers.len()).map(buffer));
    KernelLaunch {
        local: [lanes, 1, 1],
        arguments,
        buffers,
        fuel: 1_000_000,
        undefined: UndefinedValues::Report,
        ..KernelLaunch::default()
    }
}

pub(crate) fn float_bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|float| float.to_le_bytes()).collect()
}

/// The words of a buffer in groups of four; `None` for a word with an undefined byte.
pub(crate) fn fours(outcome: &KernelOutcome, buffer: usize) -> Vec<[Option<u32>; 4]> {
    if let Some(failure) = &outcome.failure {
        panic!("{failure}");
    }
    let buffer = &outcome.buffers[buffer];
    let word = |index: usize| {
        let range = 4 * index..4 * index + 4;
        let bytes: [u8; 4] = buffer.bytes[range.clone()].try_into().expect("four bytes");
        buffer.defined[range].iter().all(|&defined| defined).then(|| u32::from_le_bytes(bytes))
    };
    (0..buffer.bytes.len() / 16).map(|four| std::array::from_fn(|index| word(4 * four + index))).collect()
}

/// The results of a read with a sampler at float coordinates, as floats; `None` for an undefined component.
pub(crate) fn samples(
    kind: Kind,
    image: KernelImage,
    texels: &[u8],
    sampler: u32,
    coordinates: &[[f32; 4]],
) -> Vec<[Option<f32>; 4]> {
    let kernel = sampling(kind, "f32", "f32");
    let count = coordinates.len();
    let coordinates = float_bytes(coordinates.as_flattened());
    let launch = launch(count as u32, image, Some(sampler), vec![texels.to_vec(), vec![0; 16 * count], coordinates]);
    fours(&kernel.outcome(&launch), 1).into_iter().map(|four| four.map(|word| word.map(f32::from_bits))).collect()
}

/// The results of a read without a sampler.
pub(crate) fn reads(kind: Kind, result: &str, image: KernelImage, texels: &[u8], at: [u32; 4]) -> [Option<u32>; 4] {
    let coordinates = at.iter().flat_map(|word| word.to_le_bytes()).collect();
    let launch = launch(1, image, None, vec![texels.to_vec(), vec![0; 16], coordinates]);
    fours(&reading(kind, result).outcome(&launch), 1)[0]
}

/// A kernel of one body, whose image has that kind and access. Its parameters are the image, a sampler and a pointer to floats.
pub(crate) fn kernel(kind: Kind, access: AccessQualifier, body: &str) -> Kernel {
    let globals = globals(kind, access);
    Kernel::with(&globals, "%image: %image_type, %sampler: %sampler_type, %out: %globalf", &format!("{body}\n  return"))
}

/// Four texels of one float, 10, 20, 30, 40.
pub(crate) fn row() -> (KernelImage, Vec<u8>) {
    (image(R, FLOAT, [4, 1, 1], 4), float_bytes(&[10.0, 20.0, 30.0, 40.0]))
}

/// A launch of [`kernel`] on a row of four texels, with the nearest texel and one result.
pub(crate) fn on_row() -> KernelLaunch {
    let (layout, texels) = row();
    launch(1, layout, Some(CLAMP | NEAREST), vec![texels, vec![0; 4]])
}

pub(crate) fn result(kernel: &Kernel, launch: &KernelLaunch) -> f32 {
    let outcome = kernel.outcome(launch);
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    f32::from_bits(words(&outcome.buffers[1])[0])
}

/// Reads texel 2 of `%it` with the sampler `%with` and stores the first component.
pub(crate) const SAMPLE: &str = "  %both: %sampled_type = sampled_image %it, %with
  %texel: %f32x4 = image_sample_explicit_lod %both, %c2, 2, %level
  %red: %f32 = composite_extract %texel, 0
  store %out, %red";
