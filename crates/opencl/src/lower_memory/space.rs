//! Address spaces of kernel pointers, and the types that can contain such pointers.
//!
//! The pass lowers pointers of the storage classes below. Those of all others (`PushConstant`, `Input`, `Private`, `PhysicalStorageBuffer`,
//! …) are valid in Vulkan and stay unchanged.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

/// The address space of a pointer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Space {
    /// Private: variables of a function.
    Function,
    /// Local: memory of a work-group.
    Workgroup,
    /// Module constants and `constant` arguments.
    Constant,
    /// Global: memory from outside, and program-scope variables.
    Global,
    /// Generic: any memory except constants.
    Generic,
}

impl Space {
    pub(super) const ALL: [Space; 5] =
        [Space::Function, Space::Workgroup, Space::Constant, Space::Global, Space::Generic];

    /// The space of a storage class; `None` for storage classes that the pass does not lower.
    pub(super) fn from_storage_class(class: StorageClass) -> Option<Space> {
        match class {
            StorageClass::UniformConstant => Some(Space::Constant),
            StorageClass::Workgroup => Some(Space::Workgroup),
            StorageClass::CrossWorkgroup => Some(Space::Global),
            StorageClass::Function => Some(Space::Function),
            StorageClass::Generic => Some(Space::Generic),
            _ => None,
        }
    }

    /// The bit of the space in a set of spaces.
    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The space of a pointer type; `None` for every other type.
///
/// Images and samplers are accessed through `UniformConstant` pointers too; those do not point to memory.
pub(super) fn space_of_type(module: &Module, ty: Inst) -> Option<Space> {
    let view::TypePointer { storage_class, pointee } = view::TypePointer::of(module, ty)?;
    let opaque = matches!(
        module.op(pointee),
        Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR
    );
    storage_class.and_then(Space::from_storage_class).filter(|_| !opaque)
}

/// The space that a pointer points to; `None` if the value is not a kernel pointer.
pub(super) fn space_of(module: &Module, value: Inst) -> Option<Space> {
    module.ty(value).and_then(|ty| space_of_type(module, ty))
}

/// The initial value of a variable.
pub(super) fn initializer(module: &Module, variable: Inst) -> Option<Inst> {
    view::Variable::of(module, variable)?.initializer
}

/// The source of a cast, a copy or a hint.
pub(super) fn operand_of(module: &Module, inst: Inst) -> Option<Inst> {
    let hint = || view::ExpectKHR::of(module, inst).map(|hint| hint.value);
    view::Unary::of(module, inst).map(|cast| cast.operand).or_else(hint)
}

/// The pointers that values of a type can contain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Carries {
    /// No: they are too small, or are floating-point numbers.
    Nothing,
    /// They are large enough for the bits of a pointer.
    Integers,
    /// They contain a pointer, or are one.
    Pointers,
}

/// [`Carries`] of types, cached.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    known: FxHashMap<Inst, Carries>,
}

impl Carriers {
    /// The pointers that values of a type can contain. Linear in the members of the type that are not cached.
    pub(super) fn of(&mut self, module: &Module, ty: Inst) -> Carries {
        let mut stack = vec![ty];
        while let Some(&current) = stack.last() {
            if self.known.contains_key(&current) {
                stack.pop();
                continue;
            }
            let parts = parts(module, current);
            let unknown: Vec<Inst> = parts.iter().copied().filter(|part| !self.known.contains_key(part)).collect();
            if unknown.is_empty() || stack.len() > module.capacity() {
                let of_parts = parts.iter().filter_map(|part| self.known.get(part).copied()).max();
                self.known.insert(current, own(module, current).max(of_parts.unwrap_or(Carries::Nothing)));
            }
            stack.extend(unknown);
        }
        self.known[&ty]
    }

    /// The pointers that a value can contain; none if it has no type.
    pub(super) fn of_value(&mut self, module: &Module, value: Inst) -> Carries {
        module.ty(value).map_or(Carries::Nothing, |ty| self.of(module, ty))
    }
}

/// The types of the members of a struct, or of the elements of an array.
pub(super) fn parts(module: &Module, ty: Inst) -> Vec<Inst> {
    match module.type_view(ty) {
        Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => vec![element],
        Some(TypeView::Struct { members }) => members.to_vec(),
        _ => Vec::new(),
    }
}

fn own(module: &Module, ty: Inst) -> Carries {
    if space_of_type(module, ty).is_some() {
        return Carries::Pointers;
    }
    let (component, count) = module.components(ty);
    match module.type_view(component) {
        Some(TypeView::Int { width, .. }) if width.saturating_mul(count) >= 64 => Carries::Integers,
        _ => Carries::Nothing,
    }
}
