//! Names of types in MSL.

use crate::syntax::{Access, Depth, Image, ImageDim, Scalar, ScalarKind, TypeShape};

/// The name of a number.
pub(super) const fn scalar(scalar: Scalar) -> &'static str {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => "bool",
        (ScalarKind::Int, 8) => "char",
        (ScalarKind::Int, 16) => "short",
        (ScalarKind::Int, 64) => "long",
        (ScalarKind::Int, _) => "int",
        (ScalarKind::Uint, 8) => "uchar",
        (ScalarKind::Uint, 16) => "ushort",
        (ScalarKind::Uint, 64) => "ulong",
        (ScalarKind::Uint, _) => "uint",
        (ScalarKind::Float, 16) => "half",
        (ScalarKind::Float, _) => "float",
    }
}

/// Returns whether what is written before a parameter says in which memory it is.
pub(super) fn is_memory(prefix: &str) -> bool {
    prefix.split(' ').any(|word| matches!(word, "device" | "constant" | "threadgroup" | "thread" | "object_data"))
}

/// The name of a type of handles. An image comes without its sampler.
pub(super) fn opaque(shape: TypeShape) -> String {
    match shape {
        TypeShape::Image(found) | TypeShape::SampledImage(found) => image(found),
        TypeShape::Sampler(_) => "sampler".to_owned(),
        TypeShape::RayOptions => "intersection_params".to_owned(),
        TypeShape::Ray => "ray".to_owned(),
        TypeShape::MeshGrid => "mesh_grid_properties".to_owned(),
        TypeShape::RayQuery => "intersection_query<instancing, triangle_data>".to_owned(),
        _ => "instance_acceleration_structure".to_owned(),
    }
}

fn image(image: Image) -> String {
    let component = scalar(image.component);
    let access = match image.access {
        _ if !image.is_storage => "",
        Access::Read => ", access::read",
        Access::Write => ", access::write",
        Access::ReadWrite => ", access::read_write",
    };
    let kind = if image.depth == Depth::Compared && !image.is_storage { "depth" } else { "texture" };
    let dim = match image.dim {
        ImageDim::One => "1d",
        ImageDim::Two | ImageDim::Rect | ImageDim::Subpass => "2d",
        ImageDim::Three => "3d",
        ImageDim::Cube => "cube",
        ImageDim::Buffer => "_buffer",
    };
    let samples = if image.is_multisampled { "_ms" } else { "" };
    let layers = if image.is_array { "_array" } else { "" };
    format!("{kind}{dim}{samples}{layers}<{component}{access}>")
}
