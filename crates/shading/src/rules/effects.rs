//! What expressions and statements read and write.
//!
//! A call that writes may write each local at the root of an argument that its function can write. An assignment writes the variable at the
//! root of its target; every other target is memory. A parameter may be both, because a language may pass it by reference.

use smallvec::SmallVec;

use super::Context;
use crate::syntax::{Block, Callee, Effects, Expr, LocalId, LocalKind, Shape, Statement, StatementKind};

/// Locals, in the order of the text. One may occur several times.
pub(super) type Locals = SmallVec<[LocalId; 4]>;

/// What a statement and those in it do.
#[derive(Default)]
pub(super) struct Access {
    /// The effects of its expressions; assignments to memory are writes.
    pub(super) effects: Effects,
    /// The locals that it assigns.
    pub(super) assigned: Locals,
    /// The locals that its calls may write.
    pub(super) passed: Locals,
}

impl Access {
    /// The locals that it writes in any way.
    pub(super) fn written(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.assigned.iter().chain(&self.passed).copied()
    }
}

/// Prefixes of the names of functions that write memory, and none of their operands.
const WRITERS_OF_MEMORY: [&str; 6] = ["atomic", "image", "textureStore", "textureAtomic", "Store", "write"];

/// Returns whether a function of a language may write its operands. `atomic_compare_exchange_weak_explicit` of MSL does.
fn writes_operands(name: &str) -> bool {
    let is_writer = WRITERS_OF_MEMORY.iter().any(|prefix| name.starts_with(prefix));
    !is_writer || name.starts_with("atomic_compare")
}

impl Context<'_> {
    /// The effects of an expression. A global that something writes is memory.
    pub(super) fn effects(&self, expr: Expr) -> Effects {
        let mut effects = self.expressions[expr].effects;
        self.expressions.walk(expr, &mut |part| {
            if let Shape::Global(global) = self.shape(part)
                && self.globals[global.0 as usize].is_written
            {
                effects |= Effects::READS;
            }
        });
        effects
    }

    /// The locals in an expression whose value can change.
    pub(super) fn changing(&self, expr: Expr) -> Locals {
        let mut found = Locals::new();
        self.expressions.walk(expr, &mut |part| {
            if let Shape::Local(local) = *self.shape(part)
                && self.changes(local)
            {
                found.push(local);
            }
        });
        found
    }

    /// The locals that the calls in an expression may write.
    pub(super) fn passed(&self, expr: Expr) -> Locals {
        let mut found = Locals::new();
        if self.expressions[expr].effects.has(Effects::WRITES) {
            self.expressions.walk(expr, &mut |part| self.add_passed(part, &mut found));
        }
        found
    }

    fn add_passed(&self, expr: Expr, found: &mut Locals) {
        let called = &self.expressions[expr];
        if !called.effects.has(Effects::WRITES) {
            return;
        }
        let written = match &called.shape {
            Shape::Call { callee: Callee::Function(function), .. } => self.written.get(function.0 as usize),
            Shape::Call { callee: Callee::Intrinsic(name), .. } | Shape::Method { name, .. }
                if !writes_operands(name) =>
            {
                return;
            }
            Shape::Call { .. } | Shape::Method { .. } => None,
            _ => return,
        };
        for (index, part) in called.shape.parts().into_iter().enumerate() {
            let may_write = written.is_none_or(|written| written.get(index).copied().unwrap_or(true));
            found.extend(self.expressions.root_local(part).filter(|local| may_write && self.changes(*local)));
        }
    }

    /// What a statement and those in it do.
    pub(super) fn access(&self, statement: &Statement) -> Access {
        let mut access = Access::default();
        self.add_access(statement, &mut access);
        access
    }

    fn add_access(&self, statement: &Statement, access: &mut Access) {
        for expr in statement.expressions() {
            access.effects |= self.effects(expr);
            access.passed.extend(self.passed(expr));
        }
        match &statement.kind {
            StatementKind::Declare { local, .. } => access.assigned.push(*local),
            StatementKind::Assign { target, .. } | StatementKind::Step { target, .. } => {
                let (local, is_memory) = self.place(*target);
                access.assigned.extend(local);
                if is_memory {
                    access.effects |= Effects::WRITES;
                }
            }
            StatementKind::Loop(found) => {
                if let Some(init) = &found.init {
                    self.add_access(init, access);
                }
            }
            _ => {}
        }
        for inner in statement.blocks().into_iter().flatten() {
            self.add_access(inner, access);
        }
    }

    /// The local that an assignment to a place writes, and whether it may write memory.
    fn place(&self, mut place: Expr) -> (Option<LocalId>, bool) {
        loop {
            match *self.shape(place) {
                Shape::Member { base, .. } | Shape::Index { base, .. } | Shape::Swizzle { base, .. } => place = base,
                Shape::Local(local) => return (Some(local), self.local(local).kind != LocalKind::Variable),
                _ => return (None, true),
            }
        }
    }

    /// Returns whether an operation in the list depends on the lanes that execute it.
    pub(super) fn needs_all_lanes(&self, list: &Block) -> bool {
        let is_convergent = |expr: Expr| self.expressions[expr].effects.has(Effects::CONVERGENT);
        list.iter().any(|statement| {
            statement.expressions().into_iter().any(is_convergent)
                || statement.blocks().into_iter().any(|inner| self.needs_all_lanes(inner))
        })
    }
}

/// The local that a statement assigns as a whole, with its value.
pub(super) fn assignment(statement: &Statement, context: &Context<'_>) -> Option<(LocalId, Expr)> {
    let StatementKind::Assign { target, operator: None, value } = statement.kind else { return None };
    match *context.shape(target) {
        Shape::Local(local) => Some((local, value)),
        _ => None,
    }
}
