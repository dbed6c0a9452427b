//! Loads, stores and copies, scalar by scalar.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, MemoryAccess, TypeView};
use reconverge_ir::{Inst, Op};
use smallvec::SmallVec;
use spirv::MemoryAccess as Mask;

use super::layouts::Leaf;
use super::parts::Parts;
use crate::error::unsupported;

/// Splits a load.
pub(super) fn load(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    let access = parts.module.memory_access(inst);
    let scalars = leaves.iter().map(|leaf| load_leaf(parts, inst, operands[0], leaf, access));
    let scalars: Vec<Inst> = scalars.collect();
    parts.finish(inst, scalars);
    Ok(())
}

/// Splits a store.
pub(super) fn store(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let [pointer, object] = [view::Store::SLOT.pointer, view::Store::SLOT.object].map(|slot| operands[slot]);
    let leaves = parts.leaves(parts.ty(object), inst)?;
    let scalars = parts.of(object, inst)?;
    let access = parts.module.memory_access(inst);
    for (leaf, &scalar) in leaves.iter().zip(scalars.iter()) {
        store_leaf(parts, inst, Target { pointer, leaf, access }, scalar);
    }
    parts.drop(inst);
    Ok(())
}

/// Makes loads and stores of a copy. All loads come first: both sides may be the same.
pub(super) fn copy(parts: &mut Parts<'_>, inst: Inst) -> Result<(), Diagnostic> {
    let copy = view::CopyMemory::of(parts.module, inst).ok_or_else(|| unsupported(inst, "copy_memory"))?;
    let pointee = parts.module.pointee(copy.source).ok_or_else(|| unsupported(inst, "copy_memory"))?;
    let mut to = copy.memory_access.unwrap_or_default();
    let mut from = copy.source_access.unwrap_or(to);
    (from.make_available, to.make_visible) = (None, None);
    from.mask.remove(Mask::MAKE_POINTER_AVAILABLE);
    to.mask.remove(Mask::MAKE_POINTER_VISIBLE);
    let leaves = parts.leaves(pointee, inst)?;
    let scalars = leaves.iter().map(|leaf| load_leaf(parts, inst, copy.source, leaf, from));
    let scalars: Vec<Inst> = scalars.collect();
    // The types of both sides may differ in their decorations.
    let pointee = parts.module.pointee(copy.target).ok_or_else(|| unsupported(inst, "copy_memory"))?;
    let leaves = parts.leaves(pointee, inst)?;
    for (leaf, &scalar) in leaves.iter().zip(&scalars) {
        store_leaf(parts, inst, Target { pointer: copy.target, leaf, access: to }, scalar);
    }
    parts.drop(inst);
    Ok(())
}

/// A scalar in memory.
struct Target<'l> {
    pointer: Inst,
    leaf: &'l Leaf,
    access: MemoryAccess,
}

fn load_leaf(parts: &mut Parts<'_>, at: Inst, pointer: Inst, leaf: &Leaf, access: MemoryAccess) -> Inst {
    let pointer = address(parts, at, pointer, leaf);
    let mut operands = SmallVec::<[Inst; 4]>::from_slice(&[pointer]);
    operands.extend(access_operands(parts, access, leaf.ty));
    parts.emit(at, Op::Load, Some(leaf.ty), &operands)
}

fn store_leaf(parts: &mut Parts<'_>, at: Inst, target: Target<'_>, scalar: Inst) {
    let Target { pointer, leaf, access } = target;
    let pointer = address(parts, at, pointer, leaf);
    let mut operands = SmallVec::<[Inst; 4]>::from_slice(&[pointer, scalar]);
    operands.extend(access_operands(parts, access, leaf.ty));
    parts.emit(at, Op::Store, None, &operands);
}

/// The pointer to a scalar of what a pointer points to.
fn address(parts: &mut Parts<'_>, at: Inst, pointer: Inst, leaf: &Leaf) -> Inst {
    if leaf.path.is_empty() {
        return pointer;
    }
    let class = parts.module.operand(parts.ty(pointer), view::TypePointer::SLOT.storage_class);
    let ty = parts.module.edit().unique(Op::TypePointer, None, &[class, leaf.ty]);
    let word = parts.unsigned(32);
    let mut operands = SmallVec::<[Inst; 4]>::from_slice(&[pointer]);
    for &index in &leaf.path {
        operands.push(parts.integer(word, index.into()));
    }
    parts.help(at, Op::InBoundsAccessChain, Some(ty), &operands)
}

/// The memory operands of an access to a scalar: as aligned as the whole, or as its own size.
fn access_operands(parts: &mut Parts<'_>, access: MemoryAccess, ty: Inst) -> SmallVec<[Inst; 4]> {
    let mut operands = SmallVec::new();
    if access.mask.is_empty() {
        return operands;
    }
    let bytes = match parts.module.type_view(ty) {
        Some(TypeView::Int { width, .. } | TypeView::Float { width, .. }) => width / 8,
        _ => 8,
    };
    let mut edit = parts.module.edit();
    operands.push(edit.enumerant(access.mask));
    operands.extend(access.alignment.map(|alignment| edit.word(alignment.min(bytes))));
    operands.extend(
        [access.make_available, access.make_visible, access.alias_scope, access.no_alias].into_iter().flatten(),
    );
    operands
}
