//! Splits vectors that Vulkan lacks into chunks.
//!
//! ```text
//! %c: f32x16 = f_add %a, %b         %c.0: f32x4 = f_add %a.0, %b.0
//!                             ⇒     … %c.3: f32x4 = f_add %a.3, %b.3
//!
//! ^b(%x: u8x8)                ⇒     ^b(%x.0: u8x4, %x.1: u8x4)
//!
//! %v: f32x8 = load %p         ⇒     %q = bitcast %p;  %v.0: f32x4 = load %q;  %v.1: f32x4 = load (ptr_access_chain %q, 1)
//! ```
//!
//! Vectors of 8 and 16 components become vectors of four; if the device has no 64-bit integers, vectors of those become scalars, for the
//! pass `split_integers`. *Requires* kernel pointers, which can be cast. *Preserves* the control flow graph; memory keeps its types and its
//! bytes, because OpenCL lays out a vector as its chunks in sequence.
//!
//! Operations on components are done chunk by chunk; if chunks of one operand are smaller than those of another, the larger are split.
//! Operations that select components (shuffles, extracts, inserts) use single components. One traversal of each function in reverse
//! post-order, so that definitions come before uses; parameters get their chunks before the traversal and their arguments after it. Linear
//! in instructions times components.

mod bitcast;
mod chunks;
mod elementwise;
mod function;
mod memory;
mod pick;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Op};

use super::Context;
use chunks::{Chunks, chunk_size};
use reconverge_rewrite::remove_unreachable;

/// Splits vectors into chunks. Returns whether anything changed.
///
/// # Errors
/// An operation without an expansion, by name, such as a struct value with a wide vector in it.
pub fn wide_vectors(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let int64 = context.options.long_integers();
    let is_cut = |module: &Module, ty| {
        let (_, count) = module.components(ty);
        module.op(ty) == Op::TypeVector && chunk_size(module, ty, int64) < count
    };
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    let has_cut = functions.iter().any(|&function| {
        let insts = module.blocks(function).flat_map(|block| module.children(block));
        let mut values = insts.flat_map(|inst| module.operands(inst).chain([inst]));
        values.any(|value| module.ty(value).is_some_and(|ty| is_cut(module, ty)))
    });
    if !has_cut {
        return Ok(false);
    }
    for &function in &functions {
        remove_unreachable(module, function);
    }
    let mut chunks = Chunks::new(module, int64);
    function::split_signatures(&mut chunks, &functions);
    for &function in &functions {
        function::split_body(&mut chunks, function)?;
    }
    let Chunks { module, replaced, .. } = chunks;
    replaced.into_iter().rev().for_each(|inst| module.edit().delete(inst));
    Ok(true)
}
