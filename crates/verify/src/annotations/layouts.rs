//! The layout of externally visible memory: D03.
//!
//! Members have offsets, arrays have strides, at every depth, and members that are matrices, or arrays of them, have strides and an order. This
//! holds for the blocks of variables, and for what accesses through addresses point to. An array of blocks is an array of bindings, which
//! has no layout.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, OpGroup};
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, StorageClass};

use super::has;
use crate::Code;
use crate::layout::Layout;
use crate::report::Report;
use crate::typing::Context;

/// Checks the layout of the block types of all variables of the module, and of what is accessed through addresses. Linear in their types and
/// in the module.
pub(super) fn verify_layouts(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout) {
    let mut judged = FxHashSet::default();
    verify_bindings(report, layout);
    verify_blocks(report, context, layout, &mut judged);
    if context.declared.has(Capability::PhysicalStorageBufferAddresses) {
        verify_addresses(report, context, layout, &mut judged);
    }
}

/// Arrays of blocks.
fn verify_bindings(report: &mut Report<'_>, layout: &Layout) {
    let module = report.module();
    for line in layout.globals().iter().filter(|line| matches!(line.op, Op::TypeArray | Op::TypeRuntimeArray)) {
        let is_of_blocks = module
            .element_type(line.inst)
            .is_some_and(|element| has(module, element, None, &[Decoration::Block, Decoration::BufferBlock]));
        if is_of_blocks && has_stride(module, line.inst) {
            report.at(Code::D03, line.inst, "an array of blocks has no stride");
        }
    }
}

fn verify_blocks(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout, judged: &mut FxHashSet<Inst>) {
    let module = report.module();
    for line in layout.globals().iter().filter(|line| line.op == Op::Variable) {
        let Some(pointer) = module.ty(line.inst).map(|ty| context.types.of(ty)) else { continue };
        let is = |class: StorageClass| pointer.class == class as u32;
        let is_explicit = is(StorageClass::Uniform)
            || is(StorageClass::PushConstant)
            || is(StorageClass::StorageBuffer)
            || is(StorageClass::Workgroup) && context.declared.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
        let Some(mut ty) = pointer.part.filter(|_| is_explicit) else { continue };
        if !is(StorageClass::Workgroup) && holds_boolean(module, ty) {
            report.at(
                Code::D03,
                line.inst,
                "a boolean has no layout, so it is not allowed in externally visible memory",
            );
            report.suggest("store a number instead of the boolean");
        }
        if matches!(module.op(ty), Op::TypeArray | Op::TypeRuntimeArray) && !is(StorageClass::Workgroup) {
            ty = module.element_type(ty).unwrap_or(ty);
        }
        let is_block = has(module, ty, None, &[Decoration::Block]);
        let is_buffer_block = is(StorageClass::Uniform) && has(module, ty, None, &[Decoration::BufferBlock]);
        if module.op(ty) != Op::TypeStruct || !(is_block || is_buffer_block) {
            continue;
        }
        if let Some((place, problem)) = layout_problem(module, ty, judged) {
            report.at(Code::D03, place, problem);
        }
    }
}

/// Verifies the types that loads, stores, atomics and access chains reach through addresses.
fn verify_addresses(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout, judged: &mut FxHashSet<Inst>) {
    let module = report.module();
    let mut pointers = FxHashSet::default();
    for line in layout.functions().iter().flat_map(|extent| layout.lines(extent)) {
        if !matches!(line.op.group(), OpGroup::Address | OpGroup::Load | OpGroup::Store | OpGroup::Atomic) {
            continue;
        }
        let Some(pointer) = module.operands(line.inst).next().and_then(|pointer| module.ty(pointer)) else { continue };
        if context.types.of(pointer).class != StorageClass::PhysicalStorageBuffer as u32 || !pointers.insert(pointer) {
            continue;
        }
        let Some(ty) = context.types.of(pointer).part else { continue };
        if let Some((place, problem)) = pointee_problem(module, ty, judged) {
            report.at(Code::D03, place, problem);
        }
    }
}

/// The first type in what an address points to without a layout.
fn pointee_problem(module: &Module, ty: Inst, judged: &mut FxHashSet<Inst>) -> Option<(Inst, String)> {
    let (inner, lacking) = elements(module, ty);
    if let Some(array) = lacking {
        return Some((array, "an array that an address points to should have a stride".to_owned()));
    }
    (module.op(inner) == Op::TypeStruct).then(|| layout_problem(module, inner, judged)).flatten()
}

/// The innermost elements of an array of arrays; and the first array without a stride. A type that is no array is its own element.
fn elements(module: &Module, ty: Inst) -> (Inst, Option<Inst>) {
    let (mut inner, mut lacking) = (ty, None);
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = module.type_view(inner) {
        if lacking.is_none() && !has_stride(module, inner) {
            lacking = Some(inner);
        }
        inner = element;
    }
    (inner, lacking)
}

/// Returns whether an array has a stride. Zero is none.
fn has_stride(module: &Module, array: Inst) -> bool {
    let mut notes = module.decorated(array).iter();
    notes.any(|note| note.is(Decoration::ArrayStride) && note.words().next() != Some(0))
}

/// Returns whether a type contains a boolean.
fn holds_boolean(module: &Module, ty: Inst) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match module.op(ty) {
            Op::TypeBool => return true,
            Op::TypeVector | Op::TypeArray | Op::TypeRuntimeArray if seen.insert(ty) => {
                stack.extend(module.element_type(ty));
            }
            Op::TypeStruct if seen.insert(ty) => stack.extend(module.operands(ty)),
            _ => {}
        }
    }
    false
}

/// The place of a struct that is the element of an array, for the end of a message.
const IN_ARRAY: &str = ", as the struct is an element of an array";

/// The first struct in a block without a layout; each is visited once.
fn layout_problem(module: &Module, block: Inst, judged: &mut FxHashSet<Inst>) -> Option<(Inst, String)> {
    let mut stack = vec![(block, "")];
    while let Some((ty, place)) = stack.pop() {
        if !judged.insert(ty) {
            continue;
        }
        for (number, member) in module.operands(ty).enumerate() {
            let number = number as u32;
            if !has_offset(module, ty, number) {
                return Some((ty, format!("member {number} should have an offset{place}")));
            }
            let (inner, lacking) = elements(module, member);
            if lacking.is_some() {
                return Some((ty, format!("member {number} should be an array with a stride{place}")));
            }
            if module.op(inner) == Op::TypeMatrix {
                if !has(module, ty, Some(number), &[Decoration::MatrixStride]) {
                    return Some((ty, format!("member {number} should have the decoration MatrixStride{place}")));
                }
                if !has(module, ty, Some(number), &[Decoration::RowMajor, Decoration::ColMajor]) {
                    return Some((
                        ty,
                        format!("member {number} should have the decoration RowMajor or ColMajor{place}"),
                    ));
                }
            }
            if module.op(inner) == Op::TypeStruct {
                stack.push((inner, if inner == member { place } else { IN_ARRAY }));
            }
        }
    }
    None
}

/// Returns whether a member has an offset. The greatest number means none.
fn has_offset(module: &Module, ty: Inst, member: u32) -> bool {
    let mut notes = module.decorated(ty).member(member).iter();
    notes.any(|note| note.is(Decoration::Offset) && note.words().next() != Some(u32::MAX))
}
