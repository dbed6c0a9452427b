//! Final check of code with bindings for pointers: all numbers are of 32 bits, or halves, and memory is reached through variables.
//!
//! ```text
//! %x: f64 = f_add %a, %b     ⇒     error at %x: "64-bit floating-point numbers, with bindings for pointers"
//! ```
//!
//! *Requires* nothing. *Preserves* everything. Old devices and WGSL have neither 64-bit nor narrow integers, no 64-bit floating-point
//! numbers, no addresses and no vectors of more than four. Reports the first instruction with such a type. Linear in the instructions; each
//! type is looked at once.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::Context;
use crate::error;

/// Rejects types that code with bindings for pointers must not have. Changes nothing: the result is always false.
///
/// # Errors
/// [`Unsupported`](crate::KernelCode::Unsupported), with the name of the type and its first instruction in the order of the module.
pub fn check_words(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    if !context.options.has_bindings() {
        return Ok(false);
    }
    let mut faults: FxHashMap<Inst, Option<&'static str>> = FxHashMap::default();
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let variables = module.globals().filter(|&global| module.ty(global).is_some());
    for inst in blocks.flat_map(|block| module.children(block)).chain(variables) {
        let Some(ty) = module.ty(inst) else { continue };
        if let Some(what) = *faults.entry(ty).or_insert_with(|| fault(module, ty)) {
            return Err(error::unsupported(inst, format!("{what}, with bindings for pointers")));
        }
    }
    Ok(false)
}

/// The fault of a type, or of a part of it.
fn fault(module: &Module, ty: Inst) -> Option<&'static str> {
    let mut stack = vec![ty];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let Some(view) = module.type_view(ty) else { continue };
        match view {
            TypeView::Int { width: 64, .. } => return Some("64-bit integers"),
            TypeView::Int { width: 8 | 16, .. } => return Some("8-bit and 16-bit integers"),
            TypeView::Float { width: 64, .. } => return Some("64-bit floating-point numbers"),
            TypeView::Vector { count: 5.., .. } => return Some("vectors of more than four components"),
            TypeView::Pointer { storage_class: Some(StorageClass::PhysicalStorageBuffer), .. } => {
                return Some("addresses");
            }
            TypeView::Pointer { pointee, .. } => stack.push(pointee),
            TypeView::Vector { component: part, .. }
            | TypeView::Array { element: part, .. }
            | TypeView::RuntimeArray { element: part } => stack.push(part),
            TypeView::Struct { members } => stack.extend(members),
            _ => {}
        }
    }
    None
}
