//! The types that a block parameter can have under the capabilities of a module.
//!
//! SPIR-V section 2.16.1 (universal validation rules) and 3.3.3: under logical addressing a pointer is the result of a phi or a
//! select only with variable pointers, and then only into some storage classes; images and samplers never are in shaders.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op, Position};
use spirv::{AddressingModel, Capability, StorageClass};

/// Capabilities that allow numbers of 8 and 16 bits in memory: of workgroups, then of buffers and between stages.
const NARROW_STORAGE: [Capability; 9] = [
    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    Capability::StorageBuffer16BitAccess,
    Capability::UniformAndStorageBuffer16BitAccess,
    Capability::StoragePushConstant16,
    Capability::StorageInputOutput16,
    Capability::StorageBuffer8BitAccess,
    Capability::UniformAndStorageBuffer8BitAccess,
    Capability::StoragePushConstant8,
];

/// The types that a block parameter can have in a module.
#[derive(Clone, Copy, Debug)]
pub struct Carriable {
    is_physical: bool,
    variable_pointers: bool,
    variable_pointers_storage_buffer: bool,
    opaque: bool,
    float_16: bool,
    int_16: bool,
    int_8: bool,
    narrow_storage: bool,
}

impl Carriable {
    /// Reads the capabilities and the memory model. Linear in the module's globals.
    pub fn compute(module: &Module) -> Carriable {
        let (mut capabilities, mut addressing) = (Vec::new(), None);
        for global in module.globals() {
            match module.op(global) {
                Op::Capability => capabilities.extend(capability(module, global)),
                Op::MemoryModel => {
                    addressing = view::MemoryModel::of(module, global).and_then(|model| model.addressing_model);
                }
                _ => {}
            }
        }
        let declares = |wanted| capabilities.contains(&wanted);
        Carriable {
            is_physical: matches!(addressing, Some(AddressingModel::Physical32 | AddressingModel::Physical64)),
            variable_pointers: declares(Capability::VariablePointers),
            variable_pointers_storage_buffer: declares(Capability::VariablePointersStorageBuffer),
            opaque: declares(Capability::Kernel) && !declares(Capability::Shader),
            float_16: declares(Capability::Float16),
            int_16: declares(Capability::Int16),
            int_8: declares(Capability::Int8),
            narrow_storage: NARROW_STORAGE.into_iter().any(declares),
        }
    }

    /// Returns whether a block parameter can carry a value. Other values are recomputed at their uses.
    pub fn is_carriable(&self, module: &Module, value: Inst) -> bool {
        let Some(ty) = module.ty(value) else { return true };
        match module.op(ty) {
            Op::TypeSampledImage => false,
            Op::TypeImage | Op::TypeSampler => self.opaque,
            // No rule forbids a parameter, but drivers expect to see the origin of the structure.
            Op::TypeAccelerationStructureKHR => !can_run_again(module, value),
            Op::TypePointer => self.is_pointer_carriable(module.storage_class(value)),
            _ => true,
        }
    }

    /// Returns whether values of a type are numbers, booleans, or vectors or matrices of them that may be more than loaded, stored and
    /// converted: numbers of 8 and 16 bits may be stored without the capability to compute with them.
    pub fn is_number(&self, module: &Module, ty: Inst) -> bool {
        match module.type_view(scalar_of(module, ty)) {
            Some(TypeView::Bool) => true,
            Some(TypeView::Float { width, .. }) => width != 16 || self.float_16,
            Some(TypeView::Int { width, .. }) => match width {
                8 => self.int_8,
                16 => self.int_16,
                _ => true,
            },
            _ => false,
        }
    }

    /// Returns whether numbers of a type may only be loaded, stored and converted. There are no constants of such a type.
    pub fn is_for_storage(&self, module: &Module, ty: Inst) -> bool {
        self.narrow_storage && is_narrow(module, ty) && !self.is_number(module, ty)
    }

    fn is_pointer_carriable(&self, class: Option<StorageClass>) -> bool {
        match class {
            _ if self.is_physical => true,
            Some(StorageClass::PhysicalStorageBuffer) => true,
            Some(StorageClass::StorageBuffer) => self.variable_pointers || self.variable_pointers_storage_buffer,
            Some(StorageClass::Workgroup) => self.variable_pointers,
            _ => false,
        }
    }
}

fn capability(module: &Module, global: Inst) -> Option<Capability> {
    view::Capability::of(module, global)?.capability
}

/// Declares the widths of the integers that passes created in a module of kernels. OpenCL has all widths, so that the input need not
/// declare them. No pass creates an integer of a new width in a shader.
pub fn declare_integers(module: &mut Module) {
    let declared: Vec<Inst> = module.globals().filter(|&global| module.op(global) == Op::Capability).collect();
    let capabilities: Vec<Capability> = declared.iter().filter_map(|&global| capability(module, global)).collect();
    let has = |wanted| capabilities.contains(&wanted);
    let is_for_kernels = has(Capability::Kernel) && !has(Capability::Shader);
    let Some(&last) = declared.last().filter(|_| is_for_kernels) else { return };
    let integers = module.globals().filter_map(|global| view::TypeInt::of(module, global));
    let widths: Vec<u32> = integers.map(|ty| ty.width).collect();
    for (width, capability) in [(8, Capability::Int8), (16, Capability::Int16), (64, Capability::Int64)] {
        if widths.contains(&width) && !has(capability) {
            let mut editor = module.edit();
            let word = editor.enumerant(capability);
            editor.insert(Position::After(last), Op::Capability, None, &[word]);
        }
    }
}

/// Returns whether a type is a number of 8 or 16 bits, or a vector or matrix of them.
pub fn is_narrow(module: &Module, ty: Inst) -> bool {
    matches!(module.width(scalar_of(module, ty)), Some(8 | 16))
}

fn scalar_of(module: &Module, ty: Inst) -> Inst {
    let mut scalar = ty;
    while let Some(TypeView::Vector { component: part, .. } | TypeView::Matrix { column: part, .. }) =
        module.type_view(scalar)
    {
        scalar = part;
    }
    scalar
}

/// Returns whether an instruction gives the same result wherever its operands are available: it is pure, or it loads from memory that
/// nothing writes.
pub fn can_run_again(module: &Module, value: Inst) -> bool {
    let op = module.op(value);
    match op {
        Op::BlockParameter | Op::FunctionParameter | Op::Variable => false,
        Op::Load => view::Load::of(module, value).is_some_and(|load| is_frozen(module, load.pointer)),
        _ => op.effects().is_pure(),
    }
}

/// Returns whether a pointer points into memory that is filled before the program runs, and that nothing in it writes.
pub fn is_frozen(module: &Module, pointer: Inst) -> bool {
    matches!(
        module.storage_class(pointer),
        Some(StorageClass::UniformConstant | StorageClass::Input | StorageClass::Uniform | StorageClass::PushConstant)
    )
}
