//! Removes the layout from types in memory without a layout: that of functions, of invocations and of workgroups.
//!
//! ```text
//! %a = type_array %u32 %c4 {decorate ArrayStride 4}          %a = type_array %u32 %c4 {decorate ArrayStride 4}
//! %b: %pointer(StorageBuffer, %a) = variable                 %a2 = type_array %u32 %c4
//! %v: %pointer(Function, %a) = variable               ⇒      %b: %pointer(StorageBuffer, %a) = variable
//! %x: %a = load %b                                           %v: %pointer(Function, %a2) = variable
//! store %v, %x                                               %x: %a = load %b      %x2: %a2 = copy_logical %x
//!                                                            store %v, %x2
//! ```
//!
//! naga gives every array and struct a layout. Vulkan allows the decorations only in buffers and push constants
//! (VUID-StandaloneSpirv-None-10684). If a variable elsewhere has such a type, then every type with a layout gets a plain copy, and all
//! values have plain types: a load from a buffer is followed by a logical copy, and a store to one has a logical copy before it. So types
//! have a layout exactly in memory that has one. Linear in the module.

use reconverge_ir::decoration::Note;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, Position, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, StorageClass};

/// Gives plain types to variables of memory without a layout, and to values.
pub(super) fn remove(module: &mut Module) {
    let types: Vec<Inst> = module.globals().filter(|&inst| module.op(inst).is_type()).collect();
    let laid_out = laid_out(module, &types);
    let needs_copy = |inst: Inst| {
        let ty = module.ty(inst)?;
        let (class, pointee) = pointer(module, ty)?;
        (module.op(inst) == Op::Variable && !has_layout(class) && laid_out.contains(&pointee)).then_some(())
    };
    let insts = module.globals().chain(module.functions().flat_map(|function| module.descendants(function)));
    if !insts.into_iter().any(|inst| needs_copy(inst).is_some()) {
        return;
    }
    let copies = copies(module, &types, &laid_out);
    retype(module, &copies);
    let unused: Vec<Inst> = types.into_iter().rev().filter(|ty| copies.contains_key(ty)).collect();
    for ty in unused {
        if !module.is_used(ty) {
            module.edit().delete(ty);
        }
    }
}

/// Returns whether memory of a storage class has a layout.
fn has_layout(class: StorageClass) -> bool {
    matches!(
        class,
        StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::PushConstant
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::ShaderRecordBufferKHR
    )
}

fn pointer(module: &Module, ty: Inst) -> Option<(StorageClass, Inst)> {
    match module.type_view(ty)? {
        TypeView::Pointer { storage_class, pointee } => Some((storage_class?, pointee)),
        _ => None,
    }
}

fn is_layout(note: Note<'_>) -> bool {
    matches!(
        note.kind(),
        Some(
            Decoration::Offset
                | Decoration::ArrayStride
                | Decoration::MatrixStride
                | Decoration::RowMajor
                | Decoration::ColMajor
                | Decoration::Block
                | Decoration::BufferBlock
        )
    )
}

/// The types that have a layout, or a part that has one. A type that ends with a runtime array occurs in buffers only, and needs no copy.
fn laid_out(module: &Module, types: &[Inst]) -> FxHashSet<Inst> {
    let (mut found, mut endless) = (FxHashSet::default(), FxHashSet::default());
    // A type comes after its parts, except in modules whose types are in no order; then a further round finds the remaining ones.
    loop {
        let before = found.len() + endless.len();
        for &ty in types {
            let parts: Vec<Inst> = match module.type_view(ty) {
                Some(TypeView::Array { element, .. }) => vec![element],
                Some(TypeView::Struct { members }) => members.to_vec(),
                Some(TypeView::RuntimeArray { .. }) => {
                    endless.insert(ty);
                    continue;
                }
                _ => continue,
            };
            if parts.iter().any(|part| endless.contains(part)) {
                endless.insert(ty);
                continue;
            }
            let decorated = module.decorated(ty);
            let has_own = decorated.iter().chain(decorated.members()).any(is_layout);
            if has_own || parts.iter().any(|part| found.contains(part)) {
                found.insert(ty);
            }
        }
        if found.len() + endless.len() == before {
            return found;
        }
    }
}

/// For each type that values and variables without a layout must not have, its replacement.
fn copies(module: &mut Module, types: &[Inst], laid_out: &FxHashSet<Inst>) -> FxHashMap<Inst, Inst> {
    let mut copies: FxHashMap<Inst, Inst> = FxHashMap::default();
    let mut waiting: Vec<Inst> = types.to_vec();
    // As above: one round, if a type comes after its parts.
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|&ty| {
            let is_ready = module.operands(ty).all(|part| !laid_out.contains(&part) || copies.contains_key(&part));
            if is_ready {
                add_copy(module, ty, laid_out, &mut copies);
            }
            !is_ready
        });
        if waiting.len() == before {
            break;
        }
    }
    copies
}

fn add_copy(module: &mut Module, ty: Inst, laid_out: &FxHashSet<Inst>, copies: &mut FxHashMap<Inst, Inst>) {
    let is_plain_pointer = pointer(module, ty).is_some_and(|(class, _)| !has_layout(class));
    let is_changed = match module.op(ty) {
        Op::TypeArray | Op::TypeStruct => laid_out.contains(&ty),
        Op::TypePointer => is_plain_pointer,
        Op::TypeFunction => true,
        _ => false,
    };
    if !is_changed {
        return;
    }
    let operands: Vec<Inst> =
        module.operands(ty).map(|operand| copies.get(&operand).copied().unwrap_or(operand)).collect();
    let op = module.op(ty);
    if operands.iter().copied().eq(module.operands(ty)) && !laid_out.contains(&ty) {
        return;
    }
    let kept: Vec<Inst> =
        module.decorations(ty).iter().copied().filter(|&note| !Note::of(module, note).is_some_and(is_layout)).collect();
    let copy = if op == Op::TypeStruct {
        let copy = module.edit().append_global(op, None, &operands);
        kept.into_iter().for_each(|note| module.edit().decorate(copy, note));
        copy
    } else {
        module.edit().unique_decorated(op, None, &operands, &kept)
    };
    copies.insert(ty, copy);
}

/// Gives variables and values the plain types, and inserts copies at the accesses to buffers.
fn retype(module: &mut Module, copies: &FxHashMap<Inst, Inst>) {
    let globals: Vec<Inst> = module.globals().filter(|&inst| !module.op(inst).is_type()).collect();
    let functions: Vec<Inst> = module
        .functions()
        .flat_map(|function| std::iter::once(function.inst()).chain(module.descendants(function)))
        .collect();
    for inst in globals.into_iter().chain(functions) {
        if !module.is_live(inst) {
            continue;
        }
        if module.op(inst) == Op::Function {
            retype_operands(module, inst, copies);
        }
        match module.op(inst) {
            Op::Load if loads_layout(module, inst) => copy_loaded(module, inst, copies),
            Op::Store => copy_stored(module, inst, copies),
            _ => {}
        }
        if let Some(&copy) = module.ty(inst).and_then(|ty| copies.get(&ty))
            && !(module.op(inst) == Op::Load && loads_layout(module, inst))
        {
            module.edit().set_type(inst, copy);
        }
    }
}

/// Replaces the type of a function among its operands.
fn retype_operands(module: &mut Module, inst: Inst, copies: &FxHashMap<Inst, Inst>) {
    for index in 0..module.operand_count(inst) {
        if let Some(&copy) = copies.get(&module.operand(inst, index)) {
            module.edit().set_operand(inst, index, copy);
        }
    }
}

fn loads_layout(module: &Module, load: Inst) -> bool {
    view::Load::of(module, load)
        .and_then(|load| module.ty(load.pointer))
        .and_then(|ty| pointer(module, ty))
        .is_some_and(|(class, _)| has_layout(class))
}

fn copy_loaded(module: &mut Module, load: Inst, copies: &FxHashMap<Inst, Inst>) {
    let Some(&copy) = module.ty(load).and_then(|ty| copies.get(&ty)) else { return };
    let location = module.explicit_location(load);
    let copy = module.edit().create(Op::CopyLogical, Some(copy), &[load]);
    module.edit().replace_all_uses(load, copy);
    module.edit().set_operand(copy, 0, load);
    module.edit().move_to(copy, Position::After(load));
    module.edit().set_location(copy, location);
}

fn copy_stored(module: &mut Module, store: Inst, copies: &FxHashMap<Inst, Inst>) {
    let Some(view::Store { pointer: target, object, .. }) = view::Store::of(module, store) else { return };
    let Some((class, pointee)) = module.ty(target).and_then(|ty| pointer(module, ty)) else { return };
    if !has_layout(class) || !copies.contains_key(&pointee) {
        return;
    }
    let location = module.explicit_location(store);
    let copy = module.edit().insert(Position::Before(store), Op::CopyLogical, Some(pointee), &[object]);
    module.edit().set_location(copy, location);
    module.edit().set_operand(store, 1, copy);
}
