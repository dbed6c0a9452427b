//! Lowers atomics that only kernels have to atomics of shaders.
//!
//! ```text
//! %was = atomic_flag_test_and_set %p, s, m          %x = atomic_exchange %p, s, m, 1;  %was = i_not_equal %x, 0
//! atomic_flag_clear %p, s, m                        atomic_store %p, s, m, 0
//! %f: f32 = atomic_exchange %p, s, m, %v       ⇒    %q = bitcast %p;  %x: u32 = atomic_exchange %q, s, m, bitcast %v;  %f = bitcast %x
//! atomic_compare_exchange_weak …                    atomic_compare_exchange …
//! ```
//!
//! A flag is a 32-bit integer: 1 is set, 0 is clear. Loads, stores and exchanges of floating-point numbers become those of integers,
//! because they only move bits; arithmetic ones (`atomic_f_add_ext` …) stay, or become loops (`exchanged_atomics.rs`). *Requires* kernel pointers, which can be cast, so it runs
//! before the pass `lower_memory`. *Preserves* everything else. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Inst, Module, Op, view};

use super::Context;
use super::scalars::integer;
use crate::error;
use crate::exchanged_atomics::{expand, is_arithmetic};

/// Replaces flags, weak exchanges, and atomics that move floating-point numbers. Returns whether there was one.
///
/// # Errors
/// Atomics on types other than integers and floating-point numbers.
pub fn atomics(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let all: Vec<Inst> = instructions.filter(|&inst| module.op(inst).class() == Class::Atomic).collect();
    let mut changed = false;
    // The loops of a block are split off from its end, so every instruction moves once.
    for inst in all.into_iter().rev() {
        changed |= match context.options.exchanges_floats() && is_arithmetic(module.op(inst)) {
            true => expand(module, inst).map(|()| true)?,
            false => rewrite(module, inst)?,
        };
    }
    Ok(changed)
}

fn rewrite(module: &mut Module, inst: Inst) -> Result<bool, Diagnostic> {
    let op = module.op(inst);
    let ty = value_type(module, inst);
    let moves_floats = match ty.map(|ty| module.op(ty)) {
        Some(Op::TypeInt) | None => false,
        Some(Op::TypeFloat) => !is_arithmetic(op),
        Some(_) => return Err(error::rejected(inst, format!("`{}` of a value that is not a number", op.name()))),
    };
    let target = match op {
        Op::AtomicFlagTestAndSet | Op::AtomicFlagClear => {
            flag(module, inst);
            return Ok(true);
        }
        Op::AtomicCompareExchangeWeak => Op::AtomicCompareExchange,
        op if moves_floats => op,
        _ => return Ok(false),
    };
    let ty = ty.expect("invariant: only flags have no value");
    let operands: Vec<Inst> = module.operands(inst).collect();
    let width = module.width(ty).unwrap_or(32);
    let mut build = Builder::new(module);
    build.before(inst);
    let bits = build.int_type(width);
    let own = if moves_floats { bits } else { ty };
    let pointer = retyped(&mut build, operands[0], own);
    let is_value = |index: usize| match op {
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => index >= 4,
        _ => index == 3,
    };
    let mut operands: Vec<Inst> = operands
        .into_iter()
        .enumerate()
        .map(|(index, operand)| match moves_floats && is_value(index) {
            true => build.bitcast(bits, &[operand]),
            false => operand,
        })
        .collect();
    operands[0] = pointer;
    let result = op.has_type().then_some(own);
    let written = build.emit(target, result, &operands);
    let value = if moves_floats && op.has_type() { build.bitcast(ty, &[written]) } else { written };
    build.editor().replace_all_uses(inst, value);
    reconverge_rewrite::removal::remove(module, inst);
    Ok(true)
}

/// The type of the value of an atomic; `None` for flags.
pub(super) fn value_type(module: &Module, inst: Inst) -> Option<Inst> {
    match module.op(inst) {
        Op::AtomicFlagTestAndSet | Op::AtomicFlagClear => None,
        Op::AtomicStore => module.ty(view::AtomicStore::of(module, inst)?.value),
        _ => module.ty(inst),
    }
}

fn flag(module: &mut Module, inst: Inst) {
    let is_set = module.op(inst) == Op::AtomicFlagTestAndSet;
    let operands: Vec<Inst> = module.operands(inst).collect();
    let mut build = Builder::new(module);
    build.before(inst);
    let u32_type = build.int_type(32);
    let pointer = retyped(&mut build, operands[0], u32_type);
    let value = integer(&mut build, u32_type, u64::from(is_set));
    let operands = [pointer, operands[1], operands[2], value];
    if is_set {
        let was = build.atomic_exchange(u32_type, &operands);
        let clear = integer(&mut build, u32_type, 0);
        let bool_type = build.bool_type();
        let was_set = build.i_not_equal(bool_type, &[was, clear]);
        build.editor().replace_all_uses(inst, was_set);
    } else {
        build.atomic_store(&operands);
    }
    reconverge_rewrite::removal::remove(module, inst);
}

/// The pointer, cast to another type.
fn retyped(build: &mut Builder<'_>, pointer: Inst, pointee: Inst) -> Inst {
    let Some(class) = build.module().storage_class(pointer) else { return pointer };
    let ty = build.pointer_type(class, pointee);
    if build.module().ty(pointer) == Some(ty) { pointer } else { build.bitcast(ty, &[pointer]) }
}
