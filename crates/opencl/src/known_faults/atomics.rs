//! Atomics that SPIR-V does not have, and atomics whose operands are in the wrong places.
//!
//! | clang before version 23 writes | for | it becomes |
//! |---|---|---|
//! | `OpAtomicLoad %p order scope` | `atomic_load_explicit(p, order, scope)` | `%p scope order` |
//! | `OpAtomicLoad %p order SeqCst` | `atomic_load_explicit(p, order)` | `%p Device order` |
//! | scope Workgroup on memory of the device | any other `_explicit` function without a scope | scope Device |
//!
//! `atomic_load` without an order has the scope Device, which is no order, so the first two rows are unambiguous. A wider scope is always
//! right, so the last row is too.

use reconverge_ir::{Builder, Class, Inst, Module, Op, view};
use spirv::{MemorySemantics, Scope, StorageClass};

use crate::repairs::FrontEndFault;
use crate::scalars::{constant_value, word};

/// The orders and scopes of OpenCL C by their numbers in clang's header.
const RELAXED: u64 = 0;
const ACQUIRE: u64 = 2;
const WORK_ITEM: u64 = 0;
const WORK_GROUP: u64 = 1;
const ALL_DEVICES: u64 = 3;
const SUB_GROUP: u64 = 4;

/// Repairs an atomic, or a comparison of its results, that is not valid.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    match module.op(inst) {
        Op::AtomicCompareExchangeWeak => {
            let strong = retyped(module, inst, Op::AtomicCompareExchange);
            exchange_bits(module, strong);
            Some(FrontEndFault::WeakExchange)
        }
        Op::AtomicCompareExchange => exchange_bits(module, inst).then_some(FrontEndFault::FloatBits),
        Op::IEqual | Op::INotEqual => compare_bits(module, inst).then_some(FrontEndFault::FloatBits),
        _ => None,
    }
}

/// Repairs the order and the scope of an atomic of clang before version 23.
pub(super) fn repair_order(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    if module.op(inst).class() != Class::Atomic {
        return None;
    }
    let scope = view::Atomic::of(module, inst)?.memory;
    if module.op(inst) == Op::AtomicLoad && constant_value(module, scope) != Some(Scope::Device as u64) {
        let semantics = module.operand(inst, view::AtomicLoad::SLOT.semantics);
        let (scope, semantics) = (scope_of(module, semantics), semantics_of(module, scope));
        let mut build = Builder::new(module);
        let [scope, semantics] = [word(&mut build, scope), word(&mut build, semantics)];
        let mut editor = module.edit();
        editor.set_operand(inst, view::AtomicLoad::SLOT.memory, scope);
        editor.set_operand(inst, view::AtomicLoad::SLOT.semantics, semantics);
        return Some(FrontEndFault::AtomicOrder);
    }
    let is_narrow = constant_value(module, scope) == Some(Scope::Workgroup as u64);
    let class = module.storage_class(view::Atomic::of(module, inst)?.pointer)?;
    if !is_narrow || !matches!(class, StorageClass::CrossWorkgroup | StorageClass::Generic) {
        return None;
    }
    let device = word(&mut Builder::new(module), Scope::Device);
    module.edit().set_operand(inst, view::AtomicLoad::SLOT.memory, device);
    Some(FrontEndFault::AtomicScope)
}

/// The scope for a number of OpenCL C in the position of semantics; the semantics of the default order represent no number.
fn scope_of(module: &Module, number: Inst) -> Scope {
    match constant_value(module, number) {
        Some(WORK_ITEM) => Scope::Invocation,
        Some(WORK_GROUP) => Scope::Workgroup,
        Some(SUB_GROUP) => Scope::Subgroup,
        Some(ALL_DEVICES) => Scope::CrossDevice,
        _ => Scope::Device,
    }
}

/// The semantics of a load for an order in the position of the scope. An order that is not known counts as the strongest.
fn semantics_of(module: &Module, order: Inst) -> MemorySemantics {
    match constant_value(module, order) {
        Some(RELAXED) => MemorySemantics::RELAXED,
        Some(ACQUIRE) => MemorySemantics::ACQUIRE,
        _ => MemorySemantics::SEQUENTIALLY_CONSISTENT,
    }
}

/// The same instruction with another op; the first is deleted.
fn retyped(module: &mut Module, inst: Inst, op: Op) -> Inst {
    let operands: Vec<Inst> = module.operands(inst).collect();
    let (ty, location) = (module.ty(inst), module.explicit_location(inst));
    let mut build = Builder::new(module);
    build.before(inst);
    let new = build.emit(op, ty, &operands);
    let mut editor = module.edit();
    editor.set_location(new, location);
    editor.replace_all_uses(inst, new);
    editor.delete(inst);
    new
}

/// A compare-exchange of floats becomes one of integers. Returns whether it was one of floats.
fn exchange_bits(module: &mut Module, inst: Inst) -> bool {
    let Some(float) = float_type(module, inst) else { return false };
    let slots = view::AtomicCompareExchange::SLOT;
    let mut operands: Vec<Inst> = module.operands(inst).collect();
    let Some(class) = module.storage_class(operands[slots.pointer]) else { return false };
    let location = module.explicit_location(inst);
    let width = module.width(float).expect("invariant: a float has a width");
    let mut build = Builder::new(module);
    build.before(inst);
    let integer = build.int_type(width);
    let pointer = build.pointer_type(class, integer);
    operands[slots.pointer] = build.bitcast(pointer, &[operands[slots.pointer]]);
    for slot in [slots.value, slots.comparator] {
        operands[slot] = build.bitcast(integer, &[operands[slot]]);
    }
    let exchange = build.emit(Op::AtomicCompareExchange, Some(integer), &operands);
    let old = build.bitcast(float, &[exchange]);
    let mut editor = module.edit();
    editor.set_location(exchange, location);
    editor.replace_all_uses(inst, old);
    editor.delete(inst);
    true
}

/// A comparison of floats by an operation on integers compares their bits. Returns whether it was one.
fn compare_bits(module: &mut Module, inst: Inst) -> bool {
    let operands: Vec<Inst> = module.operands(inst).collect();
    let floats: Option<Vec<Inst>> = operands.iter().map(|&operand| float_type(module, operand)).collect();
    let Some(float) = floats.and_then(|floats| floats.first().copied()) else { return false };
    let width = module.width(float).expect("invariant: a float has a width");
    for (index, &operand) in operands.iter().enumerate() {
        let mut build = Builder::new(module);
        build.before(inst);
        let integer = build.int_type(width);
        let bits = build.bitcast(integer, &[operand]);
        module.edit().set_operand(inst, index, bits);
    }
    true
}

/// The type of a value that is a scalar float.
fn float_type(module: &Module, value: Inst) -> Option<Inst> {
    module.ty(value).filter(|&ty| module.op(ty) == Op::TypeFloat)
}
