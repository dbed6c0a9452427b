//! Removes the events of asynchronous copies: the lanes copy themselves, and a wait for an event becomes a barrier.
//!
//! ```text
//! %e = group_async_copy …                        (a loop)
//! store %variable, %e                       ⇒    (nothing)
//! group_wait_events %work_group, 1, %variable    control_barrier %work_group, %work_group, local and global memory
//! ```

use reconverge_ir::{Builder, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::{MemorySemantics, Scope, StorageClass};

use crate::scalars::{innermost, word};

/// Replaces a wait by a barrier.
pub(super) fn wait(module: &mut Module, inst: Inst) {
    let mut build = Builder::new(module);
    build.before(inst);
    let scope = word(&mut build, Scope::Workgroup);
    let semantics =
        MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    let semantics = word(&mut build, semantics);
    build.control_barrier(&[scope, scope, semantics]);
    reconverge_rewrite::removal::remove(module, inst);
}

/// Removes the variables of event type, with all users of their addresses. Returns whether there were any.
pub(super) fn forget(module: &mut Module) -> bool {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let variables: Vec<Inst> = instructions.filter(|&inst| holds_events(module, inst)).collect();
    for &variable in &variables {
        let mut doomed = vec![variable];
        let mut known: FxHashSet<Inst> = doomed.iter().copied().collect();
        let mut next = 0;
        while next < doomed.len() {
            let users = module.uses(doomed[next]).map(|used| used.user).filter(|&user| is_doomed(module, user));
            let users: Vec<Inst> = users.filter(|&user| known.insert(user)).collect();
            doomed.extend(users);
            next += 1;
        }
        for &inst in doomed.iter().rev() {
            if module.op(inst) == Op::Load {
                let ty = module.ty(inst).expect("invariant: a load has a type");
                let undefined = module.edit().append_global(Op::Undef, Some(ty), &[]);
                module.edit().replace_all_uses(inst, undefined);
            }
            if !module.is_used(inst) {
                reconverge_rewrite::removal::remove(module, inst);
            }
        }
    }
    !variables.is_empty()
}

/// Returns whether an instruction is a variable of event type.
fn holds_events(module: &Module, inst: Inst) -> bool {
    module.is_variable_of(inst, StorageClass::Function)
        && module.pointee(inst).is_some_and(|held| module.op(innermost(module, held)) == Op::TypeEvent)
}

/// Returns whether a user of an event's address is useless without events: it computes an address, or stores or loads an event.
fn is_doomed(module: &Module, user: Inst) -> bool {
    match module.op(user) {
        Op::Store | Op::Load | Op::LifetimeStart | Op::LifetimeStop => true,
        op => view::DerivedPointer::covers(op) && module.storage_class(user).is_some(),
    }
}
