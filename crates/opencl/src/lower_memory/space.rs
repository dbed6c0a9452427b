//! The memories that the pointers of a kernel point to, and which types can hold such pointers.
//!
//! Pointers of the storage classes below are what the pass is about. Those of all others (`PushConstant`, `Input`, `Private`,
//! `PhysicalStorageBuffer`, …) were made for Vulkan already and are left alone.

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
    pub(super) fn from_storage_class(word: u32) -> Option<Space> {
        match StorageClass::from_u32(word)? {
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
    if module.op(ty) != Op::TypePointer {
        return None;
    }
    let space = module.literal_word(module.operand(ty, 0)).and_then(Space::from_storage_class)?;
    let opaque = matches!(
        module.op(module.operand(ty, 1)),
        Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR
    );
    (!opaque).then_some(space)
}

/// The space that a pointer points to; `None` for everything that is no pointer of a kernel.
pub(super) fn space_of(module: &Module, value: Inst) -> Option<Space> {
    module.ty(value).and_then(|ty| space_of_type(module, ty))
}

/// What the pointer type of a value points to.
pub(super) fn pointee(module: &Module, pointer: Inst) -> Option<Inst> {
    module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer).map(|ty| module.operand(ty, 1))
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

fn parts(module: &Module, ty: Inst) -> Vec<Inst> {
    match module.op(ty) {
        Op::TypeArray | Op::TypeRuntimeArray => vec![module.operand(ty, 0)],
        Op::TypeStruct => module.operands(ty).collect(),
        _ => Vec::new(),
    }
}

fn own(module: &Module, ty: Inst) -> Carries {
    let width = |ty: Inst| match module.op(ty) {
        Op::TypeInt => module.literal_word(module.operand(ty, 0)).unwrap_or(0),
        _ => 0,
    };
    match module.op(ty) {
        Op::TypePointer if space_of_type(module, ty).is_some() => Carries::Pointers,
        Op::TypeInt if width(ty) >= 64 => Carries::Integers,
        Op::TypeVector => {
            let count = module.literal_word(module.operand(ty, 1)).unwrap_or(0);
            match width(module.operand(ty, 0)).saturating_mul(count) >= 64 {
                true => Carries::Integers,
                false => Carries::Nothing,
            }
        }
        _ => Carries::Nothing,
    }
}
