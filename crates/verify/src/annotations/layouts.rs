//! The layout of externally visible memory: D03.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, StorageClass};

use super::has;
use crate::Code;
use crate::layout::Layout;
use crate::report::Report;
use crate::typing::Context;

/// Checks the layout of the block types of all variables of the module. Linear in their types.
pub(super) fn verify_layouts(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout) {
    let module = report.module();
    let mut judged = FxHashSet::default();
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
        if let Some((place, problem)) = layout_problem(module, ty, &mut judged) {
            report.at(Code::D03, place, problem);
        }
    }
}

/// Whether a type contains a boolean.
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
            let mut inner = member;
            while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) =
                module.type_view(inner)
            {
                if inner == member
                    && module.op(inner) == Op::TypeArray
                    && !has(module, inner, None, &[Decoration::ArrayStride])
                {
                    return Some((ty, format!("member {number} should be an array with a stride{place}")));
                }
                inner = element;
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

/// Whether a member has an offset. The greatest number means none.
fn has_offset(module: &Module, ty: Inst, member: u32) -> bool {
    let mut notes = module.decorated(ty).member(member).iter();
    notes.any(|note| note.is(Decoration::Offset) && note.words().next() != Some(u32::MAX))
}
