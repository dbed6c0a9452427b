//! The last steps after all requests were replaced: deletion of instructions that are not needed, and the stages of functions.
//!
//! Mark and sweep. Marked is what was reached, and everything that it uses at any distance: a function that dispatches dynamically needs its
//! interfaces and tables. Of the rest, type-level code and copies go, and what uses these; unused types of the input stay.

use reconverge_ir::{Function, Inst, Module, Op, Stage, view};
use rustc_hash::FxHashSet;

use super::parts_of;

/// Deletes what is not needed: type-level code, and copies, which have handles from `first_copy` on. Returns whether type-level code is left.
/// Linear in the globals, and in the contents of what is deleted.
pub(super) fn sweep(module: &mut Module, mut needed: Needed, first_copy: usize) -> bool {
    needed.close(module);
    needed.add_declarations(module);
    let is_superfluous = |inst: Inst| module.op(inst).is_generic() || inst.index() >= first_copy;
    let children = module.children(module.root());
    let mut order: Vec<Inst> = children.filter(|&child| !needed.has(child) && is_superfluous(child)).collect();
    let mut doomed: FxHashSet<Inst> = order.iter().copied().collect();
    let mut next = 0;
    while next < order.len() {
        let users = module.descendants(order[next]).flat_map(|part| module.uses(part));
        let users = users.filter_map(|used| top(module, used.user));
        let lost: Vec<Inst> = users.filter(|&user| !needed.has(user) && doomed.insert(user)).collect();
        order.extend(lost);
        next += 1;
    }
    order.into_iter().for_each(|inst| module.edit().delete(inst));
    needed.has_generic_parts
}

/// The instructions at module level that are needed.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// By handle.
    marks: Vec<bool>,
    /// In the order in which they were found.
    list: Vec<Inst>,
    /// True if there is type-level code among them or in them.
    pub(super) has_generic_parts: bool,
}

impl Needed {
    pub(super) fn add(&mut self, inst: Inst) {
        if self.marks.len() <= inst.index() {
            self.marks.resize(2 * inst.index() + 1, false);
        }
        if !std::mem::replace(&mut self.marks[inst.index()], true) {
            self.list.push(inst);
        }
    }

    pub(super) fn has(&self, inst: Inst) -> bool {
        self.marks.get(inst.index()).copied().unwrap_or(false)
    }

    /// The instructions that are needed after type-level code is removed from all functions: the functions and variables, and everything
    /// that they use.
    pub(super) fn without_type_level_code(&self, module: &Module) -> Needed {
        let mut needed = Needed::default();
        let is_kept = |inst: &Inst| {
            let op = module.op(*inst);
            module.is_live(*inst) && !op.is_hoistable() && !op.is_generic() && !op.is_type()
        };
        for inst in self.list.iter().copied().filter(is_kept) {
            needed.add(inst);
            for user in module.descendants(inst) {
                parts_of(module, user).filter_map(|part| holder(module, part)).for_each(|part| needed.add(part));
            }
        }
        needed
    }

    /// Adds the forward declarations of pointers that are needed: nothing uses them.
    fn add_declarations(&mut self, module: &Module) {
        for global in module.children(module.root()) {
            let pointer = view::TypeForwardPointer::of(module, global).map(|ahead| ahead.pointer_type);
            if pointer.is_some_and(|pointer| self.has(pointer)) {
                self.add(global);
            }
        }
    }

    /// Adds what types, interfaces, tables and generics use. What functions and other globals use was added when they were settled.
    fn close(&mut self, module: &Module) {
        let mut next = 0;
        while next < self.list.len() {
            let inst = self.list[next];
            next += 1;
            let op = module.op(inst);
            self.has_generic_parts |= op.is_generic();
            if !op.is_hoistable() && !op.is_generic() && !op.is_type() {
                continue;
            }
            for user in module.descendants(inst) {
                parts_of(module, user).filter_map(|part| holder(module, part)).for_each(|part| self.add(part));
            }
        }
    }
}

/// The instruction at module level that an operand needs; `None` if it is in a function, which then is the function of its user.
pub(super) fn holder(module: &Module, part: Inst) -> Option<Inst> {
    match module.op(module.parent(part)?) {
        Op::Module => Some(part),
        Op::Generic | Op::Interface => top(module, part),
        _ => None,
    }
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

/// Sets the stage of functions that have no type-level code any more, and use no types with it: those that are not `tainted`.
pub(super) fn lower_stages(module: &mut Module, tainted: &FxHashSet<Inst>) {
    let generic: Vec<Function> =
        module.functions().filter(|&function| module.stage(function) == Stage::Generic).collect();
    for function in generic.into_iter().filter(|&function| !tainted.contains(&function.inst())) {
        module.edit().set_stage(function, Stage::Graph);
    }
}

/// The functions, types and globals that contain type-level code or use it. A caller does not use what is in its callee.
pub(super) fn with_generic_parts(module: &Module) -> FxHashSet<Inst> {
    let sources = module.descendants(module.root()).filter(|&inst| module.op(inst).is_generic());
    let mut tainted = FxHashSet::default();
    let mut open: Vec<Inst> =
        sources.filter_map(|inst| top(module, inst)).filter(|&inst| tainted.insert(inst)).collect();
    while let Some(inst) = open.pop() {
        if module.op(inst) == Op::Function {
            continue;
        }
        let users =
            module.descendants(inst).flat_map(|part| module.uses(part)).filter_map(|used| top(module, used.user));
        open.extend(users.filter(|&user| tainted.insert(user)));
    }
    tainted
}
