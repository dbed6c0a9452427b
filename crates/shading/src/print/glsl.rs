//! Names of types in GLSL.

use crate::syntax::{Depth, Image, ImageDim, Scalar, ScalarKind, TypeShape};

/// The name of a number.
pub(super) const fn scalar(scalar: Scalar) -> &'static str {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => "bool",
        (ScalarKind::Int, 8) => "int8_t",
        (ScalarKind::Int, 16) => "int16_t",
        (ScalarKind::Int, 64) => "int64_t",
        (ScalarKind::Int, _) => "int",
        (ScalarKind::Uint, 8) => "uint8_t",
        (ScalarKind::Uint, 16) => "uint16_t",
        (ScalarKind::Uint, 64) => "uint64_t",
        (ScalarKind::Uint, _) => "uint",
        (ScalarKind::Float, 16) => "float16_t",
        (ScalarKind::Float, 64) => "double",
        (ScalarKind::Float, _) => "float",
    }
}

/// What the names of vectors and matrices begin with.
pub(super) const fn letter(scalar: Scalar) -> &'static str {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => "b",
        (ScalarKind::Int, 8) => "i8",
        (ScalarKind::Int, 16) => "i16",
        (ScalarKind::Int, 64) => "i64",
        (ScalarKind::Int, _) => "i",
        (ScalarKind::Uint, 8) => "u8",
        (ScalarKind::Uint, 16) => "u16",
        (ScalarKind::Uint, 64) => "u64",
        (ScalarKind::Uint, _) => "u",
        (ScalarKind::Float, 16) => "f16",
        (ScalarKind::Float, 64) => "d",
        (ScalarKind::Float, _) => "",
    }
}

/// The name of a type of handles.
pub(super) fn opaque(shape: TypeShape) -> String {
    match shape {
        TypeShape::Image(found) if found.dim == ImageDim::Subpass => subpass(found),
        TypeShape::Image(found) if found.is_storage => image(found, "image"),
        TypeShape::Image(found) => image(found, "texture"),
        TypeShape::SampledImage(found) => {
            let shadow = if found.depth == Depth::Compared { "Shadow" } else { "" };
            format!("{}{shadow}", image(found, "sampler"))
        }
        TypeShape::Sampler(Depth::Color) => "sampler".to_owned(),
        TypeShape::Sampler(Depth::Compared) => "samplerShadow".to_owned(),
        TypeShape::RayQuery => "rayQueryEXT".to_owned(),
        _ => "accelerationStructureEXT".to_owned(),
    }
}

fn subpass(image: Image) -> String {
    let samples = if image.is_multisampled { "MS" } else { "" };
    format!("{}subpassInput{samples}", component(image))
}

fn image(image: Image, kind: &str) -> String {
    let dim = match image.dim {
        ImageDim::One => "1D",
        ImageDim::Two | ImageDim::Subpass => "2D",
        ImageDim::Three => "3D",
        ImageDim::Cube => "Cube",
        ImageDim::Rect => "2DRect",
        ImageDim::Buffer => "Buffer",
    };
    let samples = if image.is_multisampled { "MS" } else { "" };
    let layers = if image.is_array { "Array" } else { "" };
    format!("{}{kind}{dim}{samples}{layers}", component(image))
}

/// The letter of the components. Those of 32 bits of any float have none.
fn component(image: Image) -> &'static str {
    if image.component.is_float() { "" } else { letter(image.component) }
}
