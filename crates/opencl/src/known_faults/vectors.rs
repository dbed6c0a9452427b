//! Vectors whose number of components SPIR-V does not have.
//!
//! ```text
//! %v = type_vector %f32, 1      ⇒     every use is %f32, and an extract or an insert of its component is the value
//! %w = type_vector %f32, 9      ⇒     capability LongVectorEXT; the pass `wide_vectors` computes in parts
//! ```
//!
//! clang takes vectors of any length from its vector attributes, and makes some when it copies structs. Linear in the uses of such types.

use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::Capability;

use crate::repairs::{FrontEndFault, Repair};

/// Repairs the vectors of the module: one finding for each type.
pub(super) fn repair(module: &mut Module) -> Vec<Repair> {
    let has = |module: &Module, wanted| {
        let declared = |global| view::Capability::of(module, global).and_then(|declared| declared.capability);
        module.globals().any(|global| declared(global) == Some(wanted))
    };
    if has(module, Capability::LongVectorEXT) {
        return Vec::new();
    }
    let odd = |module: &Module, ty: Inst| match module.op(ty) {
        Op::TypeVector => Some(module.components(ty)).filter(|(_, count)| !matches!(count, 2..=4 | 8 | 16)),
        _ => None,
    };
    let types: Vec<(Inst, (Inst, u32))> =
        module.globals().filter_map(|global| Some((global, odd(module, global)?))).collect();
    if types.iter().any(|&(_, (_, count))| count > 1) {
        let mut build = Builder::new(module);
        let operand = build.enumerant(Capability::LongVectorEXT);
        build.editor().append_global(Op::Capability, None, &[operand]);
    }
    let singles = types.iter().filter(|&&(_, (_, count))| count == 1);
    for &(ty, (component, _)) in singles {
        to_scalar(module, ty, component);
    }
    types.iter().map(|&(ty, _)| Repair { at: ty, fault: FrontEndFault::VectorLength }).collect()
}

/// Replaces the type of vectors of one component by the type of the component.
fn to_scalar(module: &mut Module, ty: Inst, component: Inst) {
    let values: Vec<Inst> = module.uses(ty).map(|used| used.user).filter(|&user| module.ty(user) == Some(ty)).collect();
    let users: Vec<Inst> =
        values.iter().flat_map(|&value| module.uses(value).map(|used| used.user).collect::<Vec<_>>()).collect();
    for &inst in values.iter().chain(&users) {
        if module.is_live(inst) && module.op(inst) == Op::VectorShuffle {
            expand_shuffle(module, inst);
        }
    }
    module.edit().replace_all_uses(ty, component);
    for inst in values.into_iter().chain(users) {
        if module.is_live(inst) {
            to_scalar_operation(module, inst);
        }
    }
    if module.is_live(ty) && !module.is_used(ty) {
        module.edit().delete(ty);
    }
}

/// Replaces an operation on the only component by its value.
fn to_scalar_operation(module: &mut Module, inst: Inst) {
    let value = match module.op(inst) {
        Op::CompositeExtract | Op::VectorExtractDynamic => module.operand(inst, 0),
        Op::CompositeInsert => view::CompositeInsert::of(module, inst).map_or(inst, |insert| insert.object),
        Op::VectorInsertDynamic => module.operand(inst, view::VectorInsertDynamic::SLOT.component),
        Op::CompositeConstruct | Op::ConstantComposite => module.operand(inst, 0),
        _ => return,
    };
    let is_scalar = module.ty(value).is_some_and(|ty| module.components(ty).1 == 1 && module.op(ty) != Op::TypeStruct);
    if value != inst && is_scalar && module.ty(value) == module.ty(inst) {
        module.edit().replace_all_uses(inst, value);
        module.edit().delete(inst);
    }
}

/// Replaces a shuffle by extracts of the components that it selects. An index without a component selects an undefined value.
fn expand_shuffle(module: &mut Module, inst: Inst) {
    let Some(view::VectorShuffle { vector_1, vector_2, components }) = view::VectorShuffle::of(module, inst) else {
        return;
    };
    let indexes: Vec<u32> = components.iter().collect();
    let count = |vector: Inst| module.ty(vector).map_or(0, |ty| module.components(ty).1);
    let (first, second) = (count(vector_1), count(vector_2));
    let Some(ty) = module.ty(inst) else { return };
    let location = module.explicit_location(inst);
    let (component, _) = module.components(ty);
    let mut build = Builder::new(module);
    build.before(inst);
    let mut parts = Vec::new();
    for index in indexes {
        let (vector, index) = if index < first { (vector_1, index) } else { (vector_2, index.wrapping_sub(first)) };
        let is_there = index < if vector == vector_1 { first } else { second };
        parts.push(if is_there {
            let index = build.editor().word(index);
            build.composite_extract(component, &[vector, index])
        } else {
            build.undef(component, &[])
        });
    }
    let whole = build.composite_construct(ty, &parts);
    let mut editor = module.edit();
    editor.set_location(whole, location);
    editor.replace_all_uses(inst, whole);
    editor.delete(inst);
}
