//! 8- and 16-bit numbers in shaders without a capability for arithmetic on them (SPIR-V section 2.16.1): part of T06.
//!
//! They may only be loaded, stored, copied and converted to another width. Each storage class that contains them needs a capability.

use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, StorageClass};

use super::facts::POINTER;
use super::rule::{Asked, Context};

/// The error in the operands of an instruction that have such types, if there is one.
pub(super) fn problem(context: &Context<'_>, inst: Inst, op: Op) -> Option<String> {
    let is_right = matches!(op, Op::Store | Op::CopyObject | Op::FConvert | Op::UConvert | Op::SConvert);
    if is_right || !context.declared.is_shader() {
        return None;
    }
    let module = context.module;
    let is_narrow = |operand: Inst| module.ty(operand).is_some_and(|ty| context.is_storage_only(ty));
    module
        .operands(inst)
        .any(is_narrow)
        .then(|| "8- and 16-bit storage-only numbers cannot be operands of this instruction".to_owned())
}

/// The error in a variable of that storage class and type, if there is one.
pub(super) fn variable_problem(asked: &Asked<'_, '_>, class: u32, ty: Inst) -> Option<String> {
    let (mut class, mut ty) = (class, ty);
    // Pointers may lead to each other in a circle, and then to no number.
    let mut seen = FxHashSet::default();
    while asked.about(ty).kind == POINTER && seen.insert(ty) {
        class = asked.about(ty).class;
        ty = asked.about(ty).part?;
    }
    let widths = asked.about(ty).storage_only;
    [8, 16].into_iter().filter(|width| widths & width != 0).find_map(|width| {
        let Some(wanted) = capabilities(class, width) else {
            return Some(format!("a variable of this storage class cannot hold storage-only {width}-bit numbers"));
        };
        let is_there = asked.context.declared.has_any(wanted) && !lacks_block(asked, class, ty, width);
        (!is_there).then(|| format!("a variable with {width}-bit numbers here needs the capability {:?}", wanted[0]))
    })
}

/// The capabilities that allow numbers of a width in a storage class; none if no capability does.
fn capabilities(class: u32, width: u32) -> Option<&'static [Capability]> {
    let is_byte = width == 8;
    Some(match StorageClass::from_u32(class)? {
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer if is_byte => {
            &[Capability::StorageBuffer8BitAccess, Capability::UniformAndStorageBuffer8BitAccess]
        }
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => {
            &[Capability::StorageBuffer16BitAccess, Capability::UniformAndStorageBuffer16BitAccess]
        }
        StorageClass::Uniform if is_byte => {
            &[Capability::UniformAndStorageBuffer8BitAccess, Capability::StorageBuffer8BitAccess]
        }
        StorageClass::Uniform => {
            &[Capability::UniformAndStorageBuffer16BitAccess, Capability::StorageBuffer16BitAccess]
        }
        StorageClass::PushConstant if is_byte => &[Capability::StoragePushConstant8],
        StorageClass::PushConstant => &[Capability::StoragePushConstant16],
        StorageClass::Input | StorageClass::Output if !is_byte => &[Capability::StorageInputOutput16],
        StorageClass::Workgroup if is_byte => &[Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR],
        StorageClass::Workgroup => &[Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR],
        _ => return None,
    })
}

/// The capability for storage buffers alone does not allow it in uniform buffers, which have the same class in old modules.
fn lacks_block(asked: &Asked<'_, '_>, class: u32, ty: Inst, width: u32) -> bool {
    let for_all = match width {
        8 => Capability::UniformAndStorageBuffer8BitAccess,
        _ => Capability::UniformAndStorageBuffer16BitAccess,
    };
    if class != StorageClass::Uniform as u32 || asked.context.declared.has(for_all) {
        return false;
    }
    let is_array = matches!(asked.module().op(ty), Op::TypeArray | Op::TypeRuntimeArray);
    let block = asked.module().element_type(ty).filter(|_| is_array).unwrap_or(ty);
    !asked.context.is_decorated(block, Decoration::BufferBlock)
}
