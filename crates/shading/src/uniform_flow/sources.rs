//! What is uniform by itself: inputs, variables and images. Source: WGSL, sections 13.3.1 and 15.2.8.

use super::Scope;
use crate::syntax::{Access, Expr, Function, Parameter, Text, Type, TypeShape};

/// Returns whether a function is the entry point of a compute shader.
pub(super) fn is_compute(function: &Function) -> bool {
    function.is_entry && !function.workgroup_size.is_empty()
}

/// Returns whether a parameter of an entry point has the same value in all invocations of the scope. A struct is uniform if all of its
/// members are.
pub(super) fn is_uniform_input(text: &Text, function: &Function, parameter: &Parameter, scope: Scope) -> bool {
    let is_uniform =
        |attributes: &str| built_in(attributes).is_some_and(|name| is_uniform_built_in(name, function, scope));
    match text.types[function[parameter.local].ty] {
        TypeShape::Struct(id) => text.structure(id).members.iter().all(|member| is_uniform(&member.prefix)),
        _ => is_uniform(&parameter.prefix),
    }
}

/// The name of the built-in value in the attributes of an input.
pub(super) fn built_in(attributes: &str) -> Option<&str> {
    let (_, rest) = attributes.split_once("@builtin(")?;
    rest.split([')', ',']).next()
}

fn is_uniform_built_in(name: &str, entry: &Function, scope: Scope) -> bool {
    let is_compute = is_compute(entry);
    match name {
        "workgroup_id" | "num_workgroups" | "num_subgroups" => is_compute,
        "subgroup_size" => is_compute || scope == Scope::Subgroup,
        "subgroup_id" => is_compute && scope == Scope::Subgroup,
        _ => false,
    }
}

/// Returns whether values of a type are names of images, samplers and the like, which are the same for all.
pub(super) fn is_handle(text: &Text, ty: Type) -> bool {
    let is_number = |ty| text.types.scalar(ty).is_some();
    !is_number(element(text, ty)) && !matches!(text.types[element(text, ty)], TypeShape::Struct(_))
}

/// The type of the elements of arrays of arrays.
fn element(text: &Text, mut ty: Type) -> Type {
    while let TypeShape::Array { element, .. } = text.types[ty] {
        ty = element;
    }
    ty
}

/// Returns whether nothing writes an image while the shader runs.
pub(super) fn is_read_only_image(text: &Text, image: Expr) -> bool {
    match text.types[element(text, text.expressions[image].ty)] {
        TypeShape::Image(found) | TypeShape::SampledImage(found) => !found.is_storage || found.access == Access::Read,
        _ => true,
    }
}
