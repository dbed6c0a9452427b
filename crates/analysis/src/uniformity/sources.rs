//! Origins of differing values, and read-only memory: inputs, built-ins, variables.

use reconverge_ir::{Inst, Module, decoration, view};
use spirv::{BuiltIn, Decoration, StorageClass};

use super::cause::Source;
use super::level::Level;
use super::variation::Scope;
use crate::declarations::{block_type, is_read_only_buffer};

/// The result of loading from a variable, if the address is the same for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// This level; if it is divergent, with its source.
    Known(Level, Source),
    /// A vector that is affine in its first component and uniform in the others.
    FirstAffine,
    /// Memory of the lane, whose contents are tracked where possible.
    Own,
}

/// The properties that the lanes of the scope have in all functions of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) scope: Scope,
    /// True if every workgroup is a line of lanes: N × 1 × 1.
    pub(super) is_line: bool,
    /// True if there are kernels: global numbers begin anywhere, and the last subgroup of a workgroup may be smaller.
    pub(super) has_kernels: bool,
}

/// The contents of the memory of a global or local variable.
pub(super) fn memory_of(module: &Module, variable: Inst, setting: Setting) -> Memory {
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    let shared = Memory::Known(Level::Divergent, Source::SharedMemory);
    if module.decorated(variable).has(Decoration::Volatile) {
        return shared;
    }
    let Some(class) = view::Variable::of(module, variable).and_then(|variable| variable.storage_class) else {
        return shared;
    };
    match class {
        StorageClass::UniformConstant | StorageClass::PushConstant => uniform,
        StorageClass::Uniform if !is_buffer_block(module, variable) => uniform,
        StorageClass::Input => input(module, variable, setting),
        StorageClass::Function | StorageClass::Private | StorageClass::Output => Memory::Own,
        StorageClass::Uniform | StorageClass::StorageBuffer if is_read_only(module, variable) => uniform,
        _ => shared,
    }
}

fn is_buffer_block(module: &Module, variable: Inst) -> bool {
    block_type(module, variable).is_some_and(|block| module.decorated(block).has(Decoration::BufferBlock))
}

/// Returns whether nothing writes a buffer while the program runs: it is declared so, or all of its members are, and it is not aliased.
fn is_read_only(module: &Module, variable: Inst) -> bool {
    !module.decorated(variable).has(Decoration::Aliased) && is_read_only_buffer(module, variable)
}

/// The built-in of a variable.
pub(super) fn built_in_of(module: &Module, inst: Inst) -> Option<BuiltIn> {
    module.decorated(inst).find().map(|decoration::BuiltIn(built_in)| built_in)
}

/// The contents of an input.
fn input(module: &Module, variable: Inst, Setting { scope, is_line, has_kernels }: Setting) -> Memory {
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    let affine = Memory::Known(Level::Stride(1), Source::Input);
    let divergent = Memory::Known(Level::Divergent, Source::Input);
    let Some(built_in) = built_in_of(module, variable) else { return divergent };
    let is_group = scope != Scope::Draw;
    match built_in {
        BuiltIn::NumWorkgroups
        | BuiltIn::WorkgroupSize
        | BuiltIn::WorkDim
        | BuiltIn::GlobalSize
        | BuiltIn::EnqueuedWorkgroupSize
        | BuiltIn::GlobalOffset => uniform,
        BuiltIn::WorkgroupId | BuiltIn::SubgroupMaxSize | BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups
            if is_group =>
        {
            uniform
        }
        BuiltIn::SubgroupId if scope == Scope::Subgroup => uniform,
        BuiltIn::SubgroupSize if scope == Scope::Subgroup || is_group && !has_kernels => uniform,
        BuiltIn::SubgroupLocalInvocationId if scope == Scope::Subgroup => affine,
        BuiltIn::LocalInvocationIndex if scope == Scope::Workgroup => affine,
        BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId if scope == Scope::Workgroup && is_line => {
            Memory::FirstAffine
        }
        BuiltIn::BaseVertex | BuiltIn::BaseInstance | BuiltIn::DrawIndex if scope == Scope::Draw => uniform,
        _ => divergent,
    }
}
