//! What is left to do after all requests were replaced: deletion of what nothing needs, and the stages of functions.
//!
//! Mark and sweep. Marked is what was reached, and everything that it uses at any distance: a function that dispatches dynamically needs its
//! interfaces and tables. Of the rest, type-level code and copies go, and what uses these; unused types of the input stay.

use reconverge_ir::{Function, Inst, Module, Op, Stage};
use rustc_hash::FxHashSet;

use super::parts_of;

/// Deletes what nothing reached needs: type-level code, and copies, which have handles from `first_copy` on. Linear in the module.
pub(super) fn sweep(module: &mut Module, reached: &[Inst], first_copy: usize) {
    let needed = needed_by(module, reached);
    let is_superfluous = |inst: Inst| module.op(inst).is_generic() || inst.index() >= first_copy;
    let children = module.children(module.root());
    let mut open: Vec<Inst> = children.filter(|&child| !needed.contains(&child) && is_superfluous(child)).collect();
    let mut doomed: FxHashSet<Inst> = open.iter().copied().collect();
    let mut order = open.clone();
    while let Some(inst) = open.pop() {
        let users = module.descendants(inst).flat_map(|part| module.uses(part)).filter_map(|used| top(module, used.user));
        for user in users.collect::<Vec<_>>() {
            if !needed.contains(&user) && doomed.insert(user) {
                order.push(user);
                open.push(user);
            }
        }
    }
    order.into_iter().for_each(|inst| module.edit().delete(inst));
}

/// The instructions at module level that these need, and they themselves.
fn needed_by(module: &Module, reached: &[Inst]) -> FxHashSet<Inst> {
    let mut needed: FxHashSet<Inst> = reached.iter().copied().collect();
    let mut open = reached.to_vec();
    while let Some(inst) = open.pop() {
        let parts = module.descendants(inst).flat_map(|inst| parts_of(module, inst));
        open.extend(parts.filter_map(|part| top(module, part)).filter(|&part| needed.insert(part)));
    }
    needed
}

/// The instruction at module level that an instruction is, or is in.
fn top(module: &Module, inst: Inst) -> Option<Inst> {
    let mut current = inst;
    loop {
        match module.parent(current)? {
            parent if parent == module.root() => return Some(current),
            parent => current = parent,
        }
    }
}

/// Sets the stage of functions that have no type-level code any more, and use no types with it.
pub(super) fn lower_stages(module: &mut Module) {
    let generic: Vec<Function> =
        module.functions().filter(|&function| module.stage(function) == Stage::Generic).collect();
    let tainted = if generic.is_empty() { FxHashSet::default() } else { with_generic_parts(module) };
    for function in generic.into_iter().filter(|&function| !tainted.contains(&function.inst())) {
        module.edit().set_stage(function, Stage::Graph);
    }
}

/// The functions, types and globals that contain type-level code or use it. A caller does not use what is in its callee.
fn with_generic_parts(module: &Module) -> FxHashSet<Inst> {
    let sources = module.descendants(module.root()).filter(|&inst| module.op(inst).is_generic());
    let mut tainted = FxHashSet::default();
    let mut open: Vec<Inst> = sources.filter_map(|inst| top(module, inst)).filter(|&inst| tainted.insert(inst)).collect();
    while let Some(inst) = open.pop() {
        if module.op(inst) == Op::Function {
            continue;
        }
        let users = module.descendants(inst).flat_map(|part| module.uses(part)).filter_map(|used| top(module, used.user));
        open.extend(users.filter(|&user| tainted.insert(user)));
    }
    tainted
}
