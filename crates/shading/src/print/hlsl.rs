//! Names of types in HLSL.

use super::Halves;
use super::literals::half_name;
use crate::syntax::{Depth, Image, ImageDim, Scalar, ScalarKind, Texel, TypeShape};

/// The name of a number. An integer of 8 bits is one of 32.
pub(super) fn scalar(scalar: Scalar, halves: Halves) -> &'static str {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => "bool",
        (ScalarKind::Int, 16) => "int16_t",
        (ScalarKind::Int, 64) => "int64_t",
        (ScalarKind::Int, _) => "int",
        (ScalarKind::Uint, 16) => "uint16_t",
        (ScalarKind::Uint, 64) => "uint64_t",
        (ScalarKind::Uint, _) => "uint",
        (ScalarKind::Float, 16) => half_name(halves),
        (ScalarKind::Float, 64) => "double",
        (ScalarKind::Float, _) => "float",
    }
}

/// The name of a type of handles. An image comes without its sampler.
pub(super) fn opaque(shape: TypeShape, halves: Halves) -> String {
    match shape {
        TypeShape::Image(found) | TypeShape::SampledImage(found) => image(found, halves),
        TypeShape::Sampler(Depth::Color) => "SamplerState".to_owned(),
        TypeShape::Sampler(Depth::Compared) => "SamplerComparisonState".to_owned(),
        TypeShape::RayQuery => "RayQuery<RAY_FLAG_NONE>".to_owned(),
        TypeShape::Ray => "RayDesc".to_owned(),
        _ => "RaytracingAccelerationStructure".to_owned(),
    }
}

fn image(image: Image, halves: Halves) -> String {
    let write = match (image.is_storage, image.is_ordered) {
        (false, _) => "",
        (true, false) => "RW",
        (true, true) => "RasterizerOrdered",
    };
    let samples = if image.is_multisampled { "MS" } else { "" };
    let is_layered = image.is_array || image.is_storage && image.dim == ImageDim::Cube;
    let layers = if is_layered { "Array" } else { "" };
    let kind = match image.dim {
        ImageDim::One => "Texture1D",
        ImageDim::Two | ImageDim::Rect => "Texture2D",
        ImageDim::Three => "Texture3D",
        // A cube that is written is an array of its faces.
        ImageDim::Cube if image.is_storage => "Texture2D",
        ImageDim::Cube => "TextureCube",
        ImageDim::Buffer => "Buffer",
        ImageDim::Subpass => "SubpassInput",
    };
    let (range, count) = match image.texel {
        Texel::Numbers(count) => ("", count),
        Texel::Unorm(count) => ("unorm ", count),
        Texel::Snorm(count) => ("snorm ", count),
    };
    let count = if count == 1 { String::new() } else { count.to_string() };
    format!("{write}{kind}{samples}{layers}<{range}{}{count}>", scalar(image.component, halves))
}

/// Returns whether what is before a parameter ends in the name of a template, whose arguments are the type of the parameter.
pub(super) fn is_template(prefix: &str) -> bool {
    let last = prefix.rsplit(' ').next().unwrap_or_default();
    matches!(last, "PointStream" | "LineStream" | "TriangleStream" | "InputPatch" | "OutputPatch")
}
