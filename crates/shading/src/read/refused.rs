//! Types of WGSL that cannot be represented in SPIR-V.
//!
//! An external texture consists of several textures and a matrix, which a host binds as it likes. The columns of a matrix in a uniform
//! buffer begin at multiples of 16 bytes in Vulkan, and those of a matrix of `f16` do not in WGSL; naga separates them for `f32` only.
//! Linear in the types, for each uniform buffer.

use naga::{AddressSpace, Handle, ImageClass, Module, Type, TypeInner};
use reconverge_diagnostic::Diagnostic;

use super::error;
use super::error::located;

/// Finds the first unsupported type.
///
/// # Errors
/// [`Diagnostic`] of kind unsupported, with its place.
pub(super) fn refuse_types(module: &Module, text: &str) -> Result<(), Diagnostic> {
    let is_external = |ty: &Type| matches!(ty.inner, TypeInner::Image { class: ImageClass::External, .. });
    if let Some((handle, _)) = module.types.iter().find(|(_, ty)| is_external(ty)) {
        let place = located(module.types.get_span(handle), text);
        return Err(error::unsupported(place, "`texture_external`, which SPIR-V has no type for".to_owned()));
    }
    let mut uniforms = module.global_variables.iter().filter(|(_, variable)| variable.space == AddressSpace::Uniform);
    match uniforms.find(|(_, variable)| has_half_matrix(module, variable.ty)) {
        Some((handle, _)) => {
            let place = located(module.global_variables.get_span(handle), text);
            let message = "a matrix of `f16` in a uniform buffer, whose columns Vulkan aligns to 16 bytes";
            Err(error::unsupported(place, message.to_owned()))
        }
        None => Ok(()),
    }
}

fn has_half_matrix(module: &Module, ty: Handle<Type>) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match &module.types[ty].inner {
            TypeInner::Matrix { scalar, .. } if scalar.width == 2 => return true,
            TypeInner::Array { base, .. } => open.push(*base),
            TypeInner::Struct { members, .. } => open.extend(members.iter().map(|member| member.ty)),
            _ => {}
        }
    }
    false
}
