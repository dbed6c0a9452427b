//! Places in memory: the target of a pointer, as far as it can be determined.
//!
//! A pointer is followed back through access chains and copies to its *root*; the constant indices on the path form its access path. Two
//! places are disjoint if their roots are different variables that do not alias, or if the paths from one root differ at a constant.
//!
//! Variables alias only if declared: SPIR-V's default is no aliasing, and `Aliased` changes it (SPIR-V section 2.18.2). Programs that bind
//! two buffer variables to one descriptor without the decoration are common; these variables count as aliases.

use std::collections::HashSet;

use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use spirv::{Decoration, StorageClass};

/// The target of a pointer.
pub(super) struct Target {
    /// A variable, or a pointer whose origin is not known.
    pub(super) root: Inst,
    /// The constant indices from there.
    path: Vec<Option<u64>>,
    class: Option<StorageClass>,
}

/// The pointer that a chain of addresses begins at, and the indices.
pub(super) fn root_and_path(module: &Module, pointer: Inst) -> (Inst, Vec<Option<u64>>) {
    let (mut root, mut reversed) = (pointer, Vec::new());
    loop {
        root = match (module.op(root), view::Chain::of(module, root)) {
            (_, Some(view::Chain { base, element: None, indexes })) => {
                reversed.extend(indexes.iter().rev().map(|index| constant(module, index)));
                base
            }
            // The first index moves the pointer itself, so the later indices are not a path from the root.
            (_, Some(view::Chain { base, .. })) => {
                reversed = vec![None];
                base
            }
            (Op::Bitcast | Op::CopyObject, None) => {
                let Some(view::Unary { operand }) = view::Unary::of(module, root) else { break };
                if module.op(root) == Op::Bitcast {
                    reversed = vec![None];
                }
                operand
            }
            _ => break,
        };
    }
    reversed.reverse();
    (root, reversed)
}

impl Target {
    pub(super) fn of(module: &Module, pointer: Inst) -> Target {
        let (root, path) = root_and_path(module, pointer);
        Target { root, path, class: module.storage_class(root) }
    }

    /// Returns whether no other pointer to it can exist: a variable of the function or invocation that is only loaded, stored and accessed
    /// by chains.
    pub(super) fn is_own(&self, module: &Module) -> bool {
        module.op(self.root) == Op::Variable
            && self.class == Some(StorageClass::Function)
            && !escapes(module, self.root)
    }

    /// Returns whether both may be the same memory.
    pub(super) fn may_overlap(&self, module: &Module, other: &Target) -> bool {
        if self.root == other.root {
            let mut pairs = self.path.iter().zip(&other.path);
            return !pairs.any(|pair| matches!(pair, (Some(left), Some(right)) if left != right));
        }
        let classes = [self.class, other.class];
        let [left, right] = [self, other].map(|target| module.op(target.root) == Op::Variable);
        match (left, right) {
            (true, true) => classes[0] == classes[1] && share_memory(module, self.root, other.root),
            _ if classes
                .iter()
                .flatten()
                .any(|&class| matches!(class, StorageClass::Generic | StorageClass::PhysicalStorageBuffer)) =>
            {
                !self.is_own(module) && !other.is_own(module)
            }
            _ => classes[0] == classes[1] && !self.is_own(module) && !other.is_own(module),
        }
    }
}

/// Returns whether two variables of one storage class may be the same memory.
fn share_memory(module: &Module, left: Inst, right: Inst) -> bool {
    let place = |variable| {
        let notes = module.decorated(variable);
        (notes.find::<DescriptorSet>(), notes.find::<Binding>())
    };
    let are_aliased = [left, right].iter().any(|&variable| module.decorated(variable).has(Decoration::Aliased));
    are_aliased || (place(left) == place(right) && place(left).1.is_some())
}

/// Returns whether the address of a variable is used by anything except loads and stores.
fn escapes(module: &Module, variable: Inst) -> bool {
    let (mut known, mut pending) = (HashSet::from([variable]), vec![variable]);
    while let Some(pointer) = pending.pop() {
        for used in module.uses(pointer) {
            let first = module.operands(used.user).next() == Some(pointer);
            match module.op(used.user) {
                Op::Load | Op::LifetimeStart | Op::LifetimeStop => {}
                Op::Store if view::Store::of(module, used.user).is_some_and(|store| store.object != pointer) => {}
                Op::CopyMemory | Op::CopyMemorySized => {}
                op if op.class() == reconverge_ir::Class::Decoration || op == Op::EntryPoint => {}
                Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject if first => {
                    if known.insert(used.user) {
                        pending.push(used.user);
                    }
                }
                _ => return true,
            }
        }
    }
    false
}

/// Returns whether no instruction of a program can write a variable.
pub(super) fn is_read_only(module: &Module, variable: Inst) -> bool {
    if module.op(variable) != Op::Variable || module.decorated(variable).has(Decoration::Volatile) {
        return false;
    }
    match module.storage_class(variable) {
        Some(StorageClass::Input | StorageClass::PushConstant | StorageClass::UniformConstant) => true,
        Some(StorageClass::Uniform) => {
            let block = module.pointee(variable);
            block.is_some_and(|block| !module.decorated(block).has(Decoration::BufferBlock))
        }
        _ => module.decorated(variable).has(Decoration::NonWritable),
    }
}

/// Returns whether a pointer is valid: constant indices into a variable of the invocation, or one that the interface provides as a whole.
pub(super) fn leads_somewhere(module: &Module, pointer: Inst) -> bool {
    let (root, path) = root_and_path(module, pointer);
    use StorageClass::{Function, Input, Private, PushConstant, Uniform, UniformConstant, Workgroup};
    let is_whole = matches!(
        module.storage_class(root),
        Some(Function | Private | Input | PushConstant | UniformConstant | Uniform | Workgroup)
    );
    module.op(root) == Op::Variable && is_whole && exists(module, root, &path)
}

/// Returns whether constant indices are in range for the type of a variable.
fn exists(module: &Module, variable: Inst, path: &[Option<u64>]) -> bool {
    let Some(mut ty) = module.pointee(variable) else { return false };
    path.iter().all(|index| {
        let Some(index) = *index else { return false };
        let (length, part) = match module.type_view(ty) {
            Some(TypeView::Struct { members }) => (members.len() as u64, members.at(index as usize)),
            Some(TypeView::Array { element, length }) => (constant(module, length).unwrap_or(0), Some(element)),
            Some(TypeView::Vector { component: part, count } | TypeView::Matrix { column: part, count }) => {
                (u64::from(count), Some(part))
            }
            _ => (0, None),
        };
        ty = part.unwrap_or(ty);
        index < length
    })
}

/// The value of an integer constant of at most 64 bits.
fn constant(module: &Module, value: Inst) -> Option<u64> {
    let words = view::Constant::of(module, value)?.value;
    (words.len() <= 2).then(|| words.iter().rev().fold(0, |high, &word| high << 32 | u64::from(word)))
}
