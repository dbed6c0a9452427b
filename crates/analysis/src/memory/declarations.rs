//! What declarations say about memory: decorations of variables, of members and of parameters, and the memory model.

use reconverge_ir::{Inst, Module, Op};

use crate::declarations::{block_type, decorations, has_decoration, member_decorations};

/// SPIR-V's numbers of storage classes.
pub(super) mod class {
    pub(in crate::memory) const UNIFORM_CONSTANT: u32 = 0;
    pub(in crate::memory) const INPUT: u32 = 1;
    pub(in crate::memory) const UNIFORM: u32 = 2;
    pub(in crate::memory) const PUSH_CONSTANT: u32 = 9;
    pub(in crate::memory) const STORAGE_BUFFER: u32 = 12;
}

const BUFFER_BLOCK: u32 = 3;
const RESTRICT: u32 = 19;
pub(super) const ALIASED: u32 = 20;
const VOLATILE: u32 = 21;
const COHERENT: u32 = 23;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const FUNCTION_PARAMETER_ATTRIBUTE: u32 = 38;
/// The function parameter attribute `NoAlias`.
const NO_ALIAS: u32 = 4;

/// What the memory model of a module allows to assume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether declarations may overlap unless something says that they do not.
    pub(super) is_opencl: bool,
    /// Whether buffers have addresses that programs compute with.
    pub(super) has_addresses: bool,
}

impl Rules {
    /// Those of a module; the careful ones where it says nothing.
    pub(super) fn of(module: &Module) -> Rules {
        const OPENCL: u32 = 2;
        const LOGICAL: u32 = 0;
        let model = module.globals().find(|&global| module.op(global) == Op::MemoryModel);
        let word = |index| model.and_then(|model| module.literal_word(module.operand(model, index)));
        Rules { is_opencl: word(1) == Some(OPENCL), has_addresses: word(0).is_some_and(|model| model != LOGICAL) }
    }
}

/// Whether nobody writes through any pointer of a storage class.
pub(super) fn is_constant_class(storage_class: u32) -> bool {
    matches!(storage_class, class::UNIFORM_CONSTANT | class::INPUT | class::PUSH_CONSTANT)
}

/// Whether a variable or parameter is volatile or coherent.
pub(super) fn is_ordered(module: &Module, inst: Inst) -> bool {
    has_decoration(module, inst, VOLATILE) || has_decoration(module, inst, COHERENT)
}

/// Whether a struct has a member that is volatile or coherent.
pub(super) fn has_ordered_member(module: &Module, ty: Inst) -> bool {
    member_decorations(module, ty).any(|(_, kind)| matches!(kind, VOLATILE | COHERENT))
}

/// Whether a variable is a writable buffer of old, in the storage class of uniform blocks.
pub(super) fn is_buffer_block(module: &Module, variable: Inst) -> bool {
    block_type(module, variable).is_none_or(|block| has_decoration(module, block, BUFFER_BLOCK))
}

/// Whether images of a type are only read: sampled images, and those with the access qualifier for it.
pub(super) fn is_read_only_image(module: &Module, ty: Inst) -> bool {
    const SAMPLED: usize = 5;
    const ACCESS: usize = 7;
    match module.op(ty) {
        Op::TypeSampledImage => true,
        Op::TypeArray | Op::TypeRuntimeArray => is_read_only_image(module, module.operand(ty, 0)),
        Op::TypeImage => {
            let word = |index| module.operands(ty).nth(index).and_then(|operand| module.literal_word(operand));
            word(SAMPLED) == Some(1) || word(ACCESS) == Some(0)
        }
        _ => false,
    }
}

/// Whether what a parameter points to is reached through it alone while the function runs.
pub(super) fn is_unaliased(module: &Module, parameter: Inst) -> bool {
    let attributes = words(module, parameter, FUNCTION_PARAMETER_ATTRIBUTE);
    has_decoration(module, parameter, RESTRICT) || attributes.flatten().any(|word| word == NO_ALIAS)
}

/// The descriptor set and the binding of a variable.
pub(super) fn binding(module: &Module, variable: Inst) -> Option<(u32, u32)> {
    let word = |kind| words(module, variable, kind).next().flatten();
    Some((word(DESCRIPTOR_SET)?, word(BINDING)?))
}

/// The word behind each decoration of a kind.
fn words(module: &Module, inst: Inst, kind: u32) -> impl Iterator<Item = Option<u32>> + '_ {
    let notes = decorations(module, inst, kind);
    notes.map(|note| module.operands(note).nth(1).and_then(|word| module.literal_word(word)))
}
