//! Facts about memory from declarations: decorations of variables, of members and of parameters, and the memory model.

use reconverge_ir::decoration::{Binding, DescriptorSet, FuncParamAttr};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module};
use spirv::{AccessQualifier, AddressingModel, Decoration, FunctionParameterAttribute, MemoryModel, StorageClass};

use crate::declarations::block_type;

/// The assumptions that the memory model of a module allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// True if declarations may overlap unless decorated otherwise.
    pub(super) is_opencl: bool,
    /// True if buffers have addresses that programs compute with.
    pub(super) has_addresses: bool,
}

impl Rules {
    /// The rules of a module; conservative ones if it has no memory model.
    pub(super) fn of(module: &Module) -> Rules {
        let model = module.globals().find_map(|global| view::MemoryModel::of(module, global));
        Rules {
            is_opencl: model.is_some_and(|model| model.memory_model == Some(MemoryModel::OpenCL)),
            has_addresses: model.is_some_and(|model| model.addressing_model != Some(AddressingModel::Logical)),
        }
    }
}

/// Returns whether nothing writes through any pointer of a storage class.
pub(super) fn is_constant_class(storage_class: StorageClass) -> bool {
    matches!(storage_class, StorageClass::UniformConstant | StorageClass::Input | StorageClass::PushConstant)
}

/// Returns whether a variable or parameter is volatile or coherent.
pub(super) fn is_ordered(module: &Module, inst: Inst) -> bool {
    let notes = module.decorated(inst);
    notes.has(Decoration::Volatile) || notes.has(Decoration::Coherent)
}

/// Returns whether a struct has a member that is volatile or coherent.
pub(super) fn has_ordered_member(module: &Module, ty: Inst) -> bool {
    module.decorated(ty).members().any(|note| note.is(Decoration::Volatile) || note.is(Decoration::Coherent))
}

/// Returns whether a variable is a writable buffer in the old form, in the storage class of uniform blocks.
pub(super) fn is_buffer_block(module: &Module, variable: Inst) -> bool {
    block_type(module, variable).is_none_or(|block| module.decorated(block).has(Decoration::BufferBlock))
}

/// Returns whether images of a type are only read: sampled images, and those with the access qualifier for it.
pub(super) fn is_read_only_image(module: &Module, ty: Inst) -> bool {
    match module.type_view(ty) {
        Some(TypeView::SampledImage { .. }) => true,
        Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => {
            is_read_only_image(module, element)
        }
        Some(TypeView::Image(image)) => image.sampled == 1 || image.access_qualifier == Some(AccessQualifier::ReadOnly),
        _ => false,
    }
}

/// Returns whether the memory that a parameter points to is accessed only through it while the function runs.
pub(super) fn is_unaliased(module: &Module, parameter: Inst) -> bool {
    let notes = module.decorated(parameter);
    let mut attributes = notes.iter().filter_map(|note| note.read());
    notes.has(Decoration::Restrict)
        || attributes.any(|FuncParamAttr(attribute)| attribute == FunctionParameterAttribute::NoAlias)
}

/// The descriptor set and the binding of a variable.
pub(super) fn binding(module: &Module, variable: Inst) -> Option<(u32, u32)> {
    let notes = module.decorated(variable);
    Some((notes.find().map(|DescriptorSet(set)| set)?, notes.find().map(|Binding(binding)| binding)?))
}
