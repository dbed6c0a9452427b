//! Names of types in WGSL.

use crate::syntax::{Access, Depth, Image, ImageDim, Scalar, ScalarKind, TypeShape};

/// The name of a number.
pub(super) const fn scalar(scalar: Scalar) -> &'static str {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => "bool",
        (ScalarKind::Int, 64) => "i64",
        (ScalarKind::Int, _) => "i32",
        (ScalarKind::Uint, 64) => "u64",
        (ScalarKind::Uint, _) => "u32",
        (ScalarKind::Float, 16) => "f16",
        (ScalarKind::Float, 64) => "f64",
        (ScalarKind::Float, _) => "f32",
    }
}

/// What the names of vectors and matrices end with.
pub(super) fn letter(component: Scalar) -> String {
    match (component.kind, component.width) {
        (ScalarKind::Int, 32) => "i".to_owned(),
        (ScalarKind::Uint, 32) => "u".to_owned(),
        (ScalarKind::Float, 32) => "f".to_owned(),
        (ScalarKind::Float, 16) => "h".to_owned(),
        _ => format!("<{}>", scalar(component)),
    }
}

/// The name of a type of handles. An image comes without its sampler.
pub(super) fn opaque(shape: TypeShape) -> String {
    match shape {
        TypeShape::Image(found) | TypeShape::SampledImage(found) => image(found),
        TypeShape::Sampler(Depth::Color) => "sampler".to_owned(),
        TypeShape::Sampler(Depth::Compared) => "sampler_comparison".to_owned(),
        TypeShape::RayQuery => "ray_query".to_owned(),
        _ => "acceleration_structure".to_owned(),
    }
}

fn image(image: Image) -> String {
    let dim = match image.dim {
        ImageDim::One => "1d",
        ImageDim::Three => "3d",
        ImageDim::Cube => "cube",
        _ => "2d",
    };
    let layers = if image.is_array { "_array" } else { "" };
    if image.is_storage {
        let access = match image.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::ReadWrite => "read_write",
        };
        return format!("texture_storage_{dim}{layers}<{}, {access}>", image.format);
    }
    let is_depth = image.depth == Depth::Compared;
    let samples = if image.is_multisampled { "multisampled_" } else { "" };
    let kind = if is_depth { "depth_" } else { "" };
    let component = if is_depth { String::new() } else { format!("<{}>", scalar(image.component)) };
    format!("texture_{kind}{samples}{dim}{layers}{component}")
}
