//! The memories that the pointers of a kernel point to, and which types can hold such pointers.
//!
//! The pass lowers pointers of the storage classes below. Those of all others (`PushConstant`, `Input`, `Private`, `PhysicalStorageBuffer`,
//! …) are already for Vulkan and are left alone.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

/// What a pointer's type says about where it points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Space {
    /// A variable of a function.
    Function,
    /// Memory of a work-group.
    Workgroup,
    /// Module constants and `constant` arguments.
    Constant,
    /// Memory from outside, and program-scope variables.
    Global,
    /// Anything but constants.
    Generic,
}

impl Space {
    pub(super) const ALL: [Space; 5] =
        [Space::Function, Space::Workgroup, Space::Constant, Space::Global, Space::Generic];

    /// The space of a storage class; `None` for storage classes that are not the pass's business.
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
/// Images and samplers are reached through `UniformConstant` pointers too; those point to no memory.
pub(super) fn space_of_type(module: &Module, ty: Inst) -> Option<Space> {
    let view::TypePointer { storage_class, pointee } = view::TypePointer::of(module, ty)?;
    let opaque = matches!(
        module.op(pointee),
        Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR
    );
    storage_class.and_then(Space::from_storage_class).filter(|_| !opaque)
}

/// The space that a pointer points to; `None` for everything that is not a pointer of a kernel.
pub(super) fn space_of(module: &Module, value: Inst) -> Option<Space> {
    module.ty(value).and_then(|ty| space_of_type(module, ty))
}

/// What a variable holds at first.
pub(super) fn initializer(module: &Module, variable: Inst) -> Option<Inst> {
    view::Variable::of(module, variable)?.initializer
}

/// What a cast, a copy or a hint is made of.
pub(super) fn operand_of(module: &Module, inst: Inst) -> Option<Inst> {
    let hint = || view::ExpectKHR::of(module, inst).map(|hint| hint.value);
    view::Unary::of(module, inst).map(|cast| cast.operand).or_else(hint)
}

/// Whether values of a type can carry pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Carries {
    /// They are too small, or are floating-point numbers.
    Nothing,
    /// They have room for the bits of a pointer.
    Integers,
    /// They have a pointer in them, or are one.
    Pointers,
}

/// [`Carries`] of types, remembered.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    known: FxHashMap<Inst, Carries>,
}

impl Carriers {
    /// What values of a type can carry. Linear in what the type is made of as far as it was not asked before.
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

    /// What a value carries; nothing where it has no type.
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
