//! Arithmetic atomics on floating-point numbers by compare-exchange, for machines that have no such atomics.
//!
//! ```text
//! ^b: …                                      ^b:      …  %first = atomic_load %q
//!     %old = atomic_f_add_ext %p, s, m, %v            branch ^loop(%first)
//!     …                                      ^loop(%old):
//!                                      ⇒              %new = f_add %old, %v
//!                                                     %got = atomic_compare_exchange %q, s, m, relaxed, %new, %old
//!                                                     branch_if (%got == %old) ^rest ^again
//!                                            ^again:  branch ^loop(%got)
//!                                            ^rest:   …
//! ```
//!
//! `%q` is the pointer to an integer of the same width; the values are compared as bits, so a NaN ends the loop too. Each round in which a lane fails is one
//! in which another one has succeeded. Linear in the atomics.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::{GlslStd450Op as Glsl, MemorySemantics, Scope};

use crate::blocks::{add_blocks, split_behind};
use crate::error;
use crate::scalars::{glsl_import, word};

/// Returns whether an atomic computes with floating-point numbers.
pub(crate) fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

/// Replaces an arithmetic atomic by a loop.
///
/// # Errors
/// The operands are not those of such an atomic.
pub(crate) fn expand(module: &mut Module, inst: Inst) -> Result<(), Diagnostic> {
    let op = module.op(inst);
    let invalid = || error::rejected(inst, format!("the operands of `{}`", op.name()));
    let view::Atomic { pointer, memory, semantics, value, .. } = view::Atomic::of(module, inst).ok_or_else(invalid)?;
    let (value, ty) = value.zip(module.ty(inst)).ok_or_else(invalid)?;
    let width = module.width(ty).ok_or_else(invalid)?;
    let class = module.storage_class(pointer).ok_or_else(invalid)?;
    let before = module.block_of(inst).expect("invariant: an atomic stands in a block");
    let rest = split_behind(module, inst);
    let mut build = Builder::new(module);
    let [header, again] = add_blocks(&mut build, before);
    let (bits_type, bool_type) = (build.int_type(width), build.bool_type());
    let scope = word(&mut build, Scope::Device);
    let relaxed = word(&mut build, MemorySemantics::empty());

    build.at_end(before);
    let pointer_type = build.pointer_type(class, bits_type);
    let place = build.bitcast(pointer_type, &[pointer]);
    let first = build.atomic_load(bits_type, &[place, scope, relaxed]);
    build.branch(&[header.into(), first]);

    let old = build.add_parameter(header, bits_type).inst();
    build.at_end(header);
    let number = build.bitcast(ty, &[old]);
    let new = match op {
        Op::AtomicFAddEXT => build.f_add(ty, &[number, value]),
        _ => {
            let instruction = if op == Op::AtomicFMinEXT { Glsl::NMin } else { Glsl::NMax };
            let set = glsl_import(&mut build);
            let instruction = build.enumerant(instruction);
            build.ext_inst(ty, &[set, instruction, number, value])
        }
    };
    let new = build.bitcast(bits_type, &[new]);
    let operands = [place, memory, semantics, relaxed, new, old];
    let got = build.atomic_compare_exchange(bits_type, &operands);
    let is_done = build.i_equal(bool_type, &[got, old]);
    build.branch_if(&[is_done, rest.into(), again.into()]);

    build.at_end(again);
    build.branch(&[header.into(), got]);

    build.editor().replace_all_uses(inst, number);
    reconverge_rewrite::removal::remove(module, inst);
    Ok(())
}
