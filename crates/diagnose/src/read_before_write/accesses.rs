//! The accesses of a variable, and the part of it that each reads or writes.
//!
//! A *part* is the list of indices of the access chains from the variable to the place; an index that is not constant represents any. Two
//! parts overlap unless they differ in a constant index. Pointers are followed through access chains, copies and casts. A variable whose
//! address goes anywhere else is not analysed: anything may write to it.
//!
//! If pointers support arithmetic, as in kernels, a pointer to an element is one to the array: a pointer that is cast, offset, passed to a
//! callee or copied by size is treated as a pointer to the whole variable.
//!
//! | instruction | counts as |
//! |---|---|
//! | `load`, source of a copy | read |
//! | `store`, target of a copy, atomic, pointer argument of an extended instruction | write |
//! | pointer argument of a call | write: it may be |
//! | load that is only stored again with another component | nothing, its store as a write |
//!
//! Linear in the uses.

use reconverge_ir::{Class, Inst, Module, Op, Slot, view};

use crate::program::Program;

/// The role of the stored value in a store.
const STORED: Slot = Slot::Operand(view::Store::SLOT.object);

/// A part of a variable: constant indices, `None` for any. The empty list is the whole variable.
pub(super) type VariablePart = Vec<Option<u32>>;

/// Returns whether two parts may overlap.
pub(super) fn overlaps(left: &[Option<u32>], right: &[Option<u32>]) -> bool {
    left.iter().zip(right).all(|pair| !matches!(pair, (Some(left), Some(right)) if left != right))
}

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AccessKind {
    /// Reads.
    Read,
    /// Writes, or may write.
    Write,
}

/// An access of a part of a variable.
#[derive(Clone, Debug)]
pub(super) struct VariableAccess {
    /// The instruction.
    pub(super) inst: Inst,
    /// The kind of the access.
    pub(super) kind: AccessKind,
    /// The part.
    pub(super) part: VariablePart,
}

/// A pointer to a part of the variable; whether parts below it can be distinguished.
struct Pointer {
    inst: Inst,
    part: VariablePart,
    is_exact: bool,
}

/// The accesses of a variable, in no order; `None` if its address cannot be followed.
pub(super) fn accesses(program: &Program<'_>, variable: Inst) -> Option<Vec<VariableAccess>> {
    let module = program.module;
    let mut found = Vec::new();
    let mut pending = vec![Pointer { inst: variable, part: VariablePart::new(), is_exact: true }];
    while let Some(pointer) = pending.pop() {
        for used in module.uses(pointer.inst) {
            let Slot::Operand(operand) = used.slot else { return None };
            let user = used.user;
            let reaches_all = program.has_addresses && reaches_beyond(module.op(user));
            let part = if reaches_all { VariablePart::new() } else { pointer.part.clone() };
            let mut add = |kind| found.push(VariableAccess { inst: user, kind, part: part.clone() });
            match (module.op(user), operand) {
                (Op::AccessChain | Op::InBoundsAccessChain, 0) => pending.push(below(module, &pointer, user, 1)),
                (Op::PtrAccessChain | Op::InBoundsPtrAccessChain, 0) => pending.push(beside(module, &pointer, user)),
                (Op::CopyObject, 0) => pending.push(Pointer { inst: user, part, ..pointer }),
                (Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr, 0) => {
                    pending.push(Pointer { inst: user, part: VariablePart::new(), is_exact: false });
                }
                (Op::Load, 0) if is_rewrite(program, user) => {}
                (Op::Load, 0) | (Op::CopyMemory | Op::CopyMemorySized, 1) => add(AccessKind::Read),
                (Op::Store | Op::CopyMemory | Op::CopyMemorySized, 0) | (Op::FunctionCall, 1..) => {
                    add(AccessKind::Write)
                }
                (Op::ExtInst, _) if program.is_debug(user) => {}
                (Op::ExtInst, _) => add(AccessKind::Write),
                (op, 0) if op.class() == Class::Atomic => add(AccessKind::Write),
                (Op::LifetimeStart | Op::LifetimeStop | Op::ArrayLength, 0) => {}
                (Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff | Op::EntryPoint, _) => {}
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The target of an access chain: `first` is the operand of its first index.
fn below(module: &Module, pointer: &Pointer, chain: Inst, first: usize) -> Pointer {
    let mut part = pointer.part.clone();
    if pointer.is_exact {
        part.extend(module.operands(chain).skip(first).map(|index| constant(module, index)));
    }
    Pointer { inst: chain, part, is_exact: pointer.is_exact }
}

/// The target of a pointer access chain: a non-zero element offset may lead anywhere.
fn beside(module: &Module, pointer: &Pointer, chain: Inst) -> Pointer {
    let element = view::Chain::of(module, chain).and_then(|chain| chain.element);
    if element.is_some_and(|element| constant(module, element) == Some(0)) {
        return below(module, pointer, chain, view::PtrAccessChain::SLOT.indexes);
    }
    Pointer { inst: chain, part: VariablePart::new(), is_exact: false }
}

/// Returns whether an instruction that gets an address may reach adjacent memory from it.
fn reaches_beyond(op: Op) -> bool {
    matches!(op, Op::FunctionCall | Op::ExtInst | Op::CopyMemorySized)
}

fn constant(module: &Module, inst: Inst) -> Option<u32> {
    match module.op(inst) {
        Op::ConstantNull => Some(0),
        _ => module.constant_word(inst),
    }
}

/// Returns whether a load is the first half of a partial write: its value is only used to replace a component and store the result in the
/// same place.
///
/// ```text
/// %old = load %v        %new = vector_shuffle %old, %x, 4, 5, 2        store %v, %new
/// ```
fn is_rewrite(program: &Program<'_>, load: Inst) -> bool {
    let module = program.module;
    let Some(view::Load { pointer, .. }) = view::Load::of(module, load) else { return false };
    let stores = |value: Inst| {
        module.uses(value).all(|used| {
            let store = view::Store::of(module, used.user);
            let stores = store.is_some_and(|store| store.pointer == pointer && store.object == value);
            stores && used.slot == STORED || program.is_debug(used.user)
        })
    };
    let is_half = |user: Inst, slot: Slot| {
        let Slot::Operand(operand) = slot else { return false };
        let puts = match module.op(user) {
            Op::CompositeInsert => operand == view::CompositeInsert::SLOT.composite,
            Op::VectorInsertDynamic => operand == view::VectorInsertDynamic::SLOT.vector,
            Op::VectorShuffle => {
                let vectors = view::VectorShuffle::SLOT;
                [vectors.vector_1, vectors.vector_2].contains(&operand)
            }
            _ => false,
        };
        puts && module.is_used(user) && stores(user)
    };
    module.is_used(load) && module.uses(load).all(|used| is_half(used.user, used.slot) || program.is_debug(used.user))
}

#[cfg(test)]
mod tests {
    use super::overlaps;

    #[test]
    fn parts_overlap_unless_a_constant_index_differs() {
        assert!(overlaps(&[], &[Some(1)]));
        assert!(overlaps(&[Some(1)], &[Some(1), Some(2)]));
        assert!(overlaps(&[None, Some(2)], &[Some(1), Some(2)]));
        assert!(!overlaps(&[None, Some(2)], &[Some(1), Some(3)]));
        assert!(!overlaps(&[Some(0)], &[Some(1), Some(2)]));
    }
}
