//! Values that are uniform by themselves: built-ins, and values loaded from memory.

use naga::{AddressSpace, Binding, BuiltIn, ImageClass, Module, ShaderStage, StorageAccess, TypeInner};

use super::Scope;

/// Returns whether a parameter of an entry point has the same value in all invocations of the scope. A struct is uniform if all of its
/// members are.
pub(super) fn is_uniform_input(
    module: &Module,
    stage: ShaderStage,
    scope: Scope,
    argument: &naga::FunctionArgument,
) -> bool {
    let is_uniform = |binding: &Option<Binding>| match binding {
        Some(Binding::BuiltIn(built_in)) => is_uniform_built_in(*built_in, stage, scope),
        _ => false,
    };
    match &module.types[argument.ty].inner {
        TypeInner::Struct { members, .. } if argument.binding.is_none() => {
            members.iter().all(|member| is_uniform(&member.binding))
        }
        _ => is_uniform(&argument.binding),
    }
}

fn is_uniform_built_in(built_in: BuiltIn, stage: ShaderStage, scope: Scope) -> bool {
    let is_compute = stage == ShaderStage::Compute;
    match built_in {
        BuiltIn::WorkGroupId | BuiltIn::NumWorkGroups | BuiltIn::NumSubgroups => is_compute,
        BuiltIn::SubgroupSize => is_compute || scope == Scope::Subgroup,
        BuiltIn::SubgroupId => is_compute && scope == Scope::Subgroup,
        _ => false,
    }
}

/// Returns whether invocations that load from one place of the address space load the same value.
pub(super) fn is_read_only(space: AddressSpace) -> bool {
    match space {
        AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
        AddressSpace::Uniform | AddressSpace::Handle | AddressSpace::Immediate => true,
        _ => false,
    }
}

/// Returns whether nothing writes the image while the shader runs.
pub(super) fn is_read_only_image(class: ImageClass) -> bool {
    match class {
        ImageClass::Storage { access, .. } => !access.contains(StorageAccess::STORE),
        _ => true,
    }
}
