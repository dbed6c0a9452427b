//! Loads of variables after the store that was the last.
//!
//! From a load the search goes backwards while there is only one path: through its block, then through its only predecessor. If it reaches
//! a store into the whole variable, the load gives the stored value. The search ends at joins, and after a bounded number of steps; then
//! the load stays, and counts for the stores of its web (`webs.rs`).
//!
//! Only variables of a function that are read and written as a whole and whose parts and address have no other uses.

use reconverge_ir::{Inst, Module, Op, Slot, view};
use rustc_hash::FxHashSet;
use spirv::StorageClass;

use crate::flow::Flow;
use crate::program::Program;

/// The number of instructions that a search visits.
const STEP_LIMIT: usize = 256;

/// A load and the store whose value it gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) load: Inst,
    pub(super) store: Inst,
}

/// The loads, in order. Linear, with a factor of [`STEP_LIMIT`].
pub(super) fn find(program: &Program<'_>) -> Vec<Stored> {
    let module = program.module;
    let mut found = Vec::new();
    for flow in &program.flows {
        let simple: FxHashSet<Inst> = simple_variables(module, flow).collect();
        for inst in module.blocks(flow.function).flat_map(|block| module.children(block)) {
            let load = view::Load::of(module, inst).filter(|load| load.memory_access.is_none());
            if load.is_some_and(|load| simple.contains(&load.pointer)) {
                found.extend(last_store(module, inst).map(|store| Stored { load: inst, store }));
            }
        }
    }
    found
}

/// The variables of a function that are read and written as a whole, and whose address has no other uses.
pub(super) fn simple_variables<'m>(module: &'m Module, flow: &Flow) -> impl Iterator<Item = Inst> + 'm {
    let children = module.entry(flow.function).into_iter().flat_map(|entry| module.children(entry));
    children.filter(|&inst| module.op(inst) == Op::Variable && is_simple(module, inst))
}

/// Returns whether a variable of a function is used only in loads and stores of the whole, none of them volatile or otherwise special.
fn is_simple(module: &Module, variable: Inst) -> bool {
    module.storage_class(variable) == Some(StorageClass::Function)
        && module.uses(variable).all(|used| match (module.op(used.user), used.slot) {
            (Op::Name | Op::LifetimeStart | Op::LifetimeStop, _) => true,
            (Op::Load, Slot::Operand(view::Access::POINTER)) => {
                view::Load::of(module, used.user).is_some_and(|load| load.memory_access.is_none())
            }
            (Op::Store, Slot::Operand(view::Access::POINTER)) => {
                view::Store::of(module, used.user).is_some_and(|store| store.memory_access.is_none())
            }
            _ => false,
        })
}

/// The last store into the variable on every path to a load.
fn last_store(module: &Module, load: Inst) -> Option<Inst> {
    last_store_before(module, load, view::Load::of(module, load)?.pointer)
}

/// The last store into a variable on every path to an instruction, if no call between them can write it.
pub(super) fn last_store_before(module: &Module, reader: Inst, variable: Inst) -> Option<Inst> {
    let mut block = module.block_of(reader)?;
    let mut next = module.previous(reader);
    for _ in 0..STEP_LIMIT {
        let Some(inst) = next else {
            let mut edges = module.in_edges(block);
            let (edge, None) = (edges.next()?, edges.next()) else { return None };
            block = module.block_of(edge.terminator)?;
            next = Some(edge.terminator.inst());
            continue;
        };
        if view::Store::of(module, inst).is_some_and(|store| store.pointer == variable) {
            return Some(inst);
        }
        if module.op(inst) == Op::FunctionCall && module.operands(inst).any(|operand| operand == variable) {
            return None;
        }
        next = module.previous(inst);
    }
    None
}
