//! Removes dead and redundant stores.
//!
//! ```text
//! store %v, %x        ; overwritten                   store %v, %y
//! store %v, %y                                  ⇒     %z = load %v
//! %z = load %v
//! store %v, %z        ; %v holds %z already
//! store %w, %z        ; a variable of the function that nothing loads from any more
//! return                                              return
//! ```
//!
//! *Requires* nothing. *Preserves* control flow, the order of the remaining instructions, and all visible memory. Copies of memory are
//! handled like stores. Volatile accesses, accesses to coherent memory, and atomics stay.
//!
//! 1. *Redundant*: memory already contains the value. Either the last write to the address on every path to the store stored the same value
//!    through the same pointer, or the value was loaded through that pointer and nothing was written since. The memory states decide this
//!    (`analysis::memory`): the state before the store is the state of the load, or begins with the other store. Memory has the same
//!    contents with and without such stores at every point of the program, so all of them are removed together.
//! 2. *Dead*: the written value is never read (`analysis::memory::compute_unread_writes`).
//!
//! The two steps run one after the other: of `store %v, %x; store %v, %x` either store may be removed, but not both. (Muchnick 1997,
//! section 18.10, describes the second step for variables, by liveness.)
//!
//! The pointer has one address even inside a loop: it is an operand of the load or earlier store, which dominates the store. If the pointer
//! were computed again on a path from that instruction to the store, a path to the store would avoid that instruction.
//!
//! Near-linear. A second run may find more: without a dead store, a later store may be redundant.

use reconverge_analysis::effects::is_plain_write;
use reconverge_analysis::memory::{Definition, MemoryStates, compute_unread_writes};
use reconverge_ir::{Function, Inst, Module, Op, view};

use crate::analyses::Analyses;
use crate::body::Body;
use crate::names::name_after;

use reconverge_rewrite::removal::remove;

/// The maximal number of rounds: a removed copy no longer reads memory.
const ROUNDS: usize = 4;

/// Removes dead and redundant stores and copies. Returns how many were removed.
pub fn dse(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    if module.entry(function).is_none() {
        return 0;
    }
    let body = analyses.take(module, function);
    let has_writes = (0..body.len()).any(|inst| is_plain_write(module, body.inst(inst)));
    let removed = if has_writes { remove_all(module, function, &body) } else { 0 };
    analyses.keep(function, body);
    removed
}

/// Removes dead and redundant stores from a function with stores. Returns how many were removed.
fn remove_all(module: &mut Module, function: Function, body: &Body) -> usize {
    let repeated = match body.memory(module) {
        Some(memory) => find_repeated(module, body, memory),
        None => Vec::new(),
    };
    repeated.iter().for_each(|&store| remove(module, store));
    let mut removed = repeated.len();
    for _ in 0..ROUNDS {
        let unread = compute_unread_writes(module, function, body.flow(), body.dominators(), body.cycles());
        removed += unread.len();
        let is_done = unread.iter().all(|&write| module.op(write) == Op::Store);
        unread.into_iter().for_each(|write| remove_unread(module, write));
        if is_done {
            break;
        }
    }
    removed
}

/// Removes a write that nothing reads. A value that it stored to a variable keeps the name of the variable.
fn remove_unread(module: &mut Module, write: Inst) {
    if let Some(store) = view::Store::of(module, write)
        && module.op(store.pointer) == Op::Variable
    {
        name_after(module, store.object, store.pointer);
    }
    remove(module, write);
}

/// The stores of values that memory already contains.
fn find_repeated(module: &Module, body: &Body, memory: &MemoryStates) -> Vec<Inst> {
    let stores = (0..body.len()).filter(|&inst| body.op(inst) == Op::Store).map(|inst| body.inst(inst));
    stores.filter(|&store| is_repeated(module, memory, store)).collect()
}

fn is_repeated(module: &Module, memory: &MemoryStates, store: Inst) -> bool {
    // Memory operands may make the store volatile, or make values available to other lanes.
    let plain = |store| view::Store::of(module, store).filter(|store| store.memory_access.is_none());
    let Some(view::Store { pointer, object: value, .. }) = plain(store) else { return false };
    let state = memory.class_of(store).and_then(|class| memory.state_before(store, class));
    let Some(state) = state else { return false };
    let is_loaded = || {
        view::Load::of(module, value).is_some_and(|load| load.pointer == pointer)
            && memory.class_of(value) == memory.class_of(store)
            && memory.state_of(value) == Some(state)
    };
    let is_stored = || match memory.definition(state) {
        Definition::Clobber(other) => {
            plain(other).is_some_and(|other| other.pointer == pointer && other.object == value)
        }
        _ => false,
    };
    is_loaded() || is_stored()
}
