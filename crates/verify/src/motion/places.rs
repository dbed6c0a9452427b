//! Places in memory: what a pointer leads to, as far as it can be seen.
//!
//! A pointer is followed back through access chains and copies to its *root*; the constant indices on the way are its path. Two places are
//! apart if their roots are different variables that do not share memory, or if one root's paths part at a constant.
//!
//! Variables share memory only where they say so: by default what is declared is not aliased, and `Aliased` says otherwise (SPIR-V section
//! 2.18.2). Programs that bind two buffer variables to one descriptor without saying so are common; those are taken to share as well.

use std::collections::HashSet;

use reconverge_ir::{Inst, Module, Op};

// Storage classes (SPIR-V section 3.7).
pub(super) const UNIFORM_CONSTANT: u32 = 0;
pub(super) const INPUT: u32 = 1;
pub(super) const UNIFORM: u32 = 2;
pub(super) const PRIVATE: u32 = 6;
pub(super) const FUNCTION: u32 = 7;
pub(super) const PUSH_CONSTANT: u32 = 9;
pub(super) const IMAGE: u32 = 11;

// Decorations (SPIR-V section 3.20).
const BUFFER_BLOCK: u32 = 3;
const ALIASED: u32 = 20;
const VOLATILE: u32 = 21;
const NON_WRITABLE: u32 = 24;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;

/// What a pointer leads to.
pub(super) struct Target {
    /// A variable, or a pointer of which no more is known.
    pub(super) root: Inst,
    /// The indices from there, as far as they are constants.
    path: Vec<Option<u64>>,
    class: Option<u32>,
}

/// The pointer that a chain of addresses starts from, and the indices on the way.
pub(super) fn root_and_path(module: &Module, pointer: Inst) -> (Inst, Vec<Option<u64>>) {
    let (mut root, mut reversed) = (pointer, Vec::new());
    loop {
        match module.op(root) {
            Op::AccessChain | Op::InBoundsAccessChain => {
                let indices: Vec<Option<u64>> =
                    module.operands(root).skip(1).map(|index| constant(module, index)).collect();
                reversed.extend(indices.into_iter().rev());
            }
            // The first index moves the pointer itself, so that what followed is no path from the root any more.
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain | Op::Bitcast => reversed = vec![None],
            Op::CopyObject => {}
            _ => break,
        }
        root = module.operand(root, 0);
    }
    reversed.reverse();
    (root, reversed)
}

impl Target {
    pub(super) fn of(module: &Module, pointer: Inst) -> Target {
        let (root, path) = root_and_path(module, pointer);
        Target { root, path, class: storage_class(module, root) }
    }

    /// Whether nobody else can hold a pointer to it: a variable of the function or of the invocation that is only loaded, stored and taken apart.
    pub(super) fn is_own(&self, module: &Module) -> bool {
        module.op(self.root) == Op::Variable && self.class == Some(FUNCTION) && !escapes(module, self.root)
    }

    /// Whether both may be the same memory.
    pub(super) fn may_overlap(&self, module: &Module, other: &Target) -> bool {
        if self.root == other.root {
            let mut pairs = self.path.iter().zip(&other.path);
            return !pairs.any(|pair| matches!(pair, (Some(left), Some(right)) if left != right));
        }
        let classes = [self.class, other.class];
        let [left, right] = [self, other].map(|target| module.op(target.root) == Op::Variable);
        match (left, right) {
            (true, true) => classes[0] == classes[1] && share_memory(module, self.root, other.root),
            _ if classes.iter().flatten().any(|&class| matches!(class, GENERIC | PHYSICAL)) => {
                !self.is_own(module) && !other.is_own(module)
            }
            _ => classes[0] == classes[1] && !self.is_own(module) && !other.is_own(module),
        }
    }
}

const GENERIC: u32 = 8;
const PHYSICAL: u32 = 5349;

/// Whether two variables of one storage class may be the same memory.
fn share_memory(module: &Module, left: Inst, right: Inst) -> bool {
    let place = |variable| [DESCRIPTOR_SET, BINDING].map(|decoration| decoration_word(module, variable, decoration));
    let are_aliased = [left, right].iter().any(|&variable| is_decorated(module, variable, ALIASED));
    are_aliased || (place(left) == place(right) && place(left)[1].is_some())
}

/// Whether the address of a variable is known to more than loads and stores through it.
fn escapes(module: &Module, variable: Inst) -> bool {
    let (mut known, mut pending) = (HashSet::from([variable]), vec![variable]);
    while let Some(pointer) = pending.pop() {
        for used in module.uses(pointer) {
            let first = module.operands(used.user).next() == Some(pointer);
            match module.op(used.user) {
                Op::Load | Op::LifetimeStart | Op::LifetimeStop => {}
                Op::Store if module.operand(used.user, 1) != pointer => {}
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

/// Whether nothing in a program can write a variable.
pub(super) fn is_read_only(module: &Module, variable: Inst) -> bool {
    if module.op(variable) != Op::Variable || is_decorated(module, variable, VOLATILE) {
        return false;
    }
    match storage_class(module, variable) {
        Some(INPUT | PUSH_CONSTANT | UNIFORM_CONSTANT) => true,
        Some(UNIFORM) => pointee(module, variable).is_some_and(|ty| !is_decorated(module, ty, BUFFER_BLOCK)),
        _ => is_decorated(module, variable, NON_WRITABLE),
    }
}

/// Whether a pointer leads to something for certain: constant indices into a variable of which every invocation has its own or that the
/// interface provides whole.
pub(super) fn leads_somewhere(module: &Module, pointer: Inst) -> bool {
    let (root, path) = root_and_path(module, pointer);
    let is_whole = matches!(
        storage_class(module, root),
        Some(FUNCTION | PRIVATE | INPUT | PUSH_CONSTANT | UNIFORM_CONSTANT | UNIFORM | WORKGROUP)
    );
    module.op(root) == Op::Variable && is_whole && exists(module, root, &path)
}

const WORKGROUP: u32 = 4;

/// Whether constant indices lead to a part of what a variable holds.
fn exists(module: &Module, variable: Inst, path: &[Option<u64>]) -> bool {
    let Some(mut ty) = pointee(module, variable) else { return false };
    path.iter().all(|index| {
        let Some(index) = *index else { return false };
        let (length, part) = match module.op(ty) {
            Op::TypeStruct => (module.operand_count(ty) as u64, module.operands(ty).nth(index as usize)),
            Op::TypeArray => (constant(module, module.operand(ty, 1)).unwrap_or(0), Some(module.operand(ty, 0))),
            Op::TypeVector | Op::TypeMatrix => {
                let length = module.literal_word(module.operand(ty, 1)).unwrap_or(0);
                (u64::from(length), Some(module.operand(ty, 0)))
            }
            _ => (0, None),
        };
        ty = part.unwrap_or(ty);
        index < length
    })
}

/// The value of an integer constant, if it is one of at most 64 bits.
fn constant(module: &Module, value: Inst) -> Option<u64> {
    if module.op(value) != Op::Constant {
        return None;
    }
    let words = module.literal_words(module.operand(value, 0));
    (words.len() <= 2).then(|| words.iter().rev().fold(0, |high, &word| high << 32 | u64::from(word)))
}

/// The storage class of what is a pointer.
pub(super) fn storage_class(module: &Module, pointer: Inst) -> Option<u32> {
    let ty = module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer)?;
    module.literal_word(module.operand(ty, 0))
}

fn pointee(module: &Module, pointer: Inst) -> Option<Inst> {
    module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer).map(|ty| module.operand(ty, 1))
}

fn is_decorated(module: &Module, inst: Inst, decoration: u32) -> bool {
    module.decorations(inst).iter().any(|&note| {
        module.op(note) == Op::Decorate && module.literal_word(module.operand(note, 0)) == Some(decoration)
    })
}

fn decoration_word(module: &Module, inst: Inst, decoration: u32) -> Option<u32> {
    module.decorations(inst).iter().find_map(|&note| {
        let is_it = module.op(note) == Op::Decorate && module.literal_word(module.operand(note, 0)) == Some(decoration);
        module.operands(note).nth(1).filter(|_| is_it).and_then(|word| module.literal_word(word))
    })
}
