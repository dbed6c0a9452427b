//! Where values come from that differ, and memory that nobody changes: inputs, built-ins, variables.

use reconverge_ir::{Inst, Module};

use super::cause::Source;
use super::level::Level;
use super::variation::Scope;
use crate::declarations::{block_type, decorations, has_decoration, is_read_only_buffer};

/// SPIR-V's numbers of storage classes.
pub(super) mod storage {
    pub(in crate::uniformity) const UNIFORM_CONSTANT: u32 = 0;
    pub(in crate::uniformity) const INPUT: u32 = 1;
    pub(in crate::uniformity) const UNIFORM: u32 = 2;
    pub(in crate::uniformity) const OUTPUT: u32 = 3;
    pub(in crate::uniformity) const PRIVATE: u32 = 6;
    pub(in crate::uniformity) const FUNCTION: u32 = 7;
    pub(in crate::uniformity) const PUSH_CONSTANT: u32 = 9;
    pub(in crate::uniformity) const STORAGE_BUFFER: u32 = 12;
}

/// SPIR-V's numbers of decorations.
mod decoration {
    pub(super) const BUFFER_BLOCK: u32 = 3;
    pub(super) const BUILT_IN: u32 = 11;
    pub(super) const ALIASED: u32 = 20;
    pub(super) const VOLATILE: u32 = 21;
}

/// SPIR-V's numbers of built-ins.
pub(super) mod built_in {
    pub(in crate::uniformity) const NUM_WORKGROUPS: u32 = 24;
    pub(in crate::uniformity) const WORKGROUP_SIZE: u32 = 25;
    pub(in crate::uniformity) const WORKGROUP_ID: u32 = 26;
    pub(in crate::uniformity) const LOCAL_INVOCATION_ID: u32 = 27;
    pub(in crate::uniformity) const GLOBAL_INVOCATION_ID: u32 = 28;
    pub(in crate::uniformity) const LOCAL_INVOCATION_INDEX: u32 = 29;
    pub(in crate::uniformity) const WORK_DIM: u32 = 30;
    pub(in crate::uniformity) const GLOBAL_SIZE: u32 = 31;
    pub(in crate::uniformity) const ENQUEUED_WORKGROUP_SIZE: u32 = 32;
    pub(in crate::uniformity) const GLOBAL_OFFSET: u32 = 33;
    pub(in crate::uniformity) const SUBGROUP_SIZE: u32 = 36;
    pub(in crate::uniformity) const SUBGROUP_MAX_SIZE: u32 = 37;
    pub(in crate::uniformity) const NUM_SUBGROUPS: u32 = 38;
    pub(in crate::uniformity) const NUM_ENQUEUED_SUBGROUPS: u32 = 39;
    pub(in crate::uniformity) const SUBGROUP_ID: u32 = 40;
    pub(in crate::uniformity) const SUBGROUP_LOCAL_INVOCATION_ID: u32 = 41;
    pub(in crate::uniformity) const BASE_VERTEX: u32 = 4424;
    pub(in crate::uniformity) const BASE_INSTANCE: u32 = 4425;
    pub(in crate::uniformity) const DRAW_INDEX: u32 = 4426;
}

/// What loading from a variable gives, if the address is the same for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// This; a divergent level with the source that is to blame.
    Known(Level, Source),
    /// A vector that grows with the lane in its first component and is uniform in the others.
    FirstAffine,
    /// Memory of the lane, whose contents are followed where possible.
    Own,
}

/// What the lanes of the scope have in common in all functions of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) scope: Scope,
    /// Whether every workgroup is a line of lanes: N × 1 × 1.
    pub(super) is_line: bool,
    /// Whether there are kernels: global numbers begin anywhere, and the last subgroup of a workgroup may be smaller.
    pub(super) has_kernels: bool,
}

/// What the memory of a global or local variable holds.
pub(super) fn memory_of(module: &Module, variable: Inst, setting: Setting) -> Memory {
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    let shared = Memory::Known(Level::Divergent, Source::SharedMemory);
    let Some(class) = module.literal_word(module.operand(variable, 0)) else { return shared };
    if has_decoration(module, variable, decoration::VOLATILE) {
        return shared;
    }
    match class {
        storage::UNIFORM_CONSTANT | storage::PUSH_CONSTANT => uniform,
        storage::UNIFORM if !is_buffer_block(module, variable) => uniform,
        storage::INPUT => input(module, variable, setting),
        storage::FUNCTION | storage::PRIVATE | storage::OUTPUT => Memory::Own,
        storage::UNIFORM | storage::STORAGE_BUFFER if is_read_only(module, variable) => uniform,
        _ => shared,
    }
}

fn is_buffer_block(module: &Module, variable: Inst) -> bool {
    block_type(module, variable).is_some_and(|block| has_decoration(module, block, decoration::BUFFER_BLOCK))
}

/// Whether nobody writes a buffer while the program runs: it or all of its members are declared so, and not aliased.
fn is_read_only(module: &Module, variable: Inst) -> bool {
    !has_decoration(module, variable, decoration::ALIASED) && is_read_only_buffer(module, variable)
}

/// The built-in that a variable is.
pub(super) fn built_in_of(module: &Module, inst: Inst) -> Option<u32> {
    let note = decorations(module, inst, decoration::BUILT_IN).next()?;
    module.operands(note).nth(1).and_then(|built_in| module.literal_word(built_in))
}

/// What an input holds.
fn input(module: &Module, variable: Inst, Setting { scope, is_line, has_kernels }: Setting) -> Memory {
    let uniform = Memory::Known(Level::UNIFORM, Source::Input);
    let affine = Memory::Known(Level::Stride(1), Source::Input);
    let divergent = Memory::Known(Level::Divergent, Source::Input);
    let Some(built_in) = built_in_of(module, variable) else { return divergent };
    let is_group = scope != Scope::Draw;
    match built_in {
        built_in::NUM_WORKGROUPS
        | built_in::WORKGROUP_SIZE
        | built_in::WORK_DIM
        | built_in::GLOBAL_SIZE
        | built_in::ENQUEUED_WORKGROUP_SIZE
        | built_in::GLOBAL_OFFSET => uniform,
        built_in::WORKGROUP_ID
        | built_in::SUBGROUP_MAX_SIZE
        | built_in::NUM_SUBGROUPS
        | built_in::NUM_ENQUEUED_SUBGROUPS
            if is_group =>
        {
            uniform
        }
        built_in::SUBGROUP_ID if scope == Scope::Subgroup => uniform,
        built_in::SUBGROUP_SIZE if scope == Scope::Subgroup || is_group && !has_kernels => uniform,
        built_in::SUBGROUP_LOCAL_INVOCATION_ID if scope == Scope::Subgroup => affine,
        built_in::LOCAL_INVOCATION_INDEX if scope == Scope::Workgroup => affine,
        built_in::LOCAL_INVOCATION_ID | built_in::GLOBAL_INVOCATION_ID if scope == Scope::Workgroup && is_line => {
            Memory::FirstAffine
        }
        built_in::BASE_VERTEX | built_in::BASE_INSTANCE | built_in::DRAW_INDEX if scope == Scope::Draw => uniform,
        _ => divergent,
    }
}
