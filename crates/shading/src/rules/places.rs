//! Where a function reads and writes its locals: positions of statements in the order of the text.
//!
//! A statement comes before those in it. So a list is a range of positions, and a question about the statements between two others is a
//! search in the positions of one local. A condition that is computed after all of the last list of its loop is
//! kept apart: it may name what that list declares.

use super::Context;
use super::effects::assignment;
use crate::syntax::{Block, Expr, LocalId, Shape, Statement, StatementKind, has_continue};

/// A statement that writes a local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Write {
    pub(super) position: u32,
    pub(super) kind: WriteKind,
}

/// How a statement writes a local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriteKind {
    Declaration,
    /// It assigns the local or a part of it.
    Assignment,
    /// A call may write it.
    Call,
}

/// The reads and writes of a function.
pub(super) struct Places {
    /// For each position, the last one in its statement.
    pub(super) ends: Vec<u32>,
    writes: Vec<Vec<Write>>,
    /// For each local, the first and the last statement that read it, without `reads_at_end`.
    reads: Vec<Option<(u32, u32)>>,
    /// For each local, the positions of the loops that read it after their last list.
    reads_at_end: Vec<Vec<u32>>,
}

impl Places {
    /// Finds them.
    pub(super) fn of(body: &Block, context: &Context<'_>) -> Places {
        let count = context.locals.len();
        let mut places = Places {
            ends: Vec::new(),
            writes: vec![Vec::new(); count],
            reads: vec![None; count],
            reads_at_end: vec![Vec::new(); count],
        };
        places.list(body, context);
        places
    }

    /// The writes of a local, in order.
    pub(super) fn writes(&self, local: LocalId) -> &[Write] {
        &self.writes[local.0 as usize]
    }

    /// The first and the last statement that read a local, without [`Places::reads_at_end`].
    pub(super) fn reads(&self, local: LocalId) -> Option<(u32, u32)> {
        self.reads[local.0 as usize]
    }

    /// The positions of the loops whose condition reads a local after all of their last list.
    pub(super) fn reads_at_end(&self, local: LocalId) -> &[u32] {
        &self.reads_at_end[local.0 as usize]
    }

    /// Returns whether a statement from `first` to `last` writes a local.
    pub(super) fn is_written(&self, local: LocalId, first: u32, last: u32) -> bool {
        let writes = self.writes(local);
        let place = writes.partition_point(|write| write.position < first);
        writes.get(place).is_some_and(|write| write.position <= last)
    }

    /// Returns whether a call in a statement may write a local.
    pub(super) fn is_passed(&self, local: LocalId, position: u32) -> bool {
        let writes = self.writes(local);
        let here = &writes[writes.partition_point(|write| write.position < position)..];
        here.iter().take_while(|write| write.position == position).any(|write| write.kind == WriteKind::Call)
    }

    fn list(&mut self, list: &Block, context: &Context<'_>) {
        for statement in list {
            let position = self.ends.len() as u32;
            self.ends.push(position);
            self.statement(statement, position, context);
            for inner in statement.blocks() {
                self.list(inner, context);
            }
            self.ends[position as usize] = self.ends.len() as u32 - 1;
            if let Some(condition) = condition_at_end(statement) {
                let mut read = |local: LocalId| self.reads_at_end[local.0 as usize].push(position);
                locals_of(condition, context, &mut read);
            }
        }
    }

    fn statement(&mut self, statement: &Statement, position: u32, context: &Context<'_>) {
        for expr in statement.expressions() {
            for local in context.passed(expr) {
                self.writes[local.0 as usize].push(Write { position, kind: WriteKind::Call });
            }
        }
        // A variable that is assigned as a whole is not read. The value is the first expression.
        let count = if assignment(statement, context).is_some() { 1 } else { usize::MAX };
        let at_end = condition_at_end(statement);
        for expr in statement.expressions().into_iter().take(count).filter(|&expr| at_end != Some(expr)) {
            locals_of(expr, context, &mut |local| self.read(local, position));
        }
        let (local, kind) = match statement.kind {
            StatementKind::Declare { local, .. } => (local, WriteKind::Declaration),
            StatementKind::Assign { target, .. } | StatementKind::Step { target, .. } => {
                match context.expressions.root_local(target) {
                    Some(local) => (local, WriteKind::Assignment),
                    None => return,
                }
            }
            _ => return,
        };
        self.writes[local.0 as usize].push(Write { position, kind });
    }

    fn read(&mut self, local: LocalId, position: u32) {
        let reads = &mut self.reads[local.0 as usize];
        let first = reads.map_or(position, |(first, _)| first.min(position));
        *reads = Some((first, reads.map_or(position, |(_, last)| last.max(position))));
    }
}

/// Visits the locals that an expression names.
fn locals_of(expr: Expr, context: &Context<'_>, visit: &mut dyn FnMut(LocalId)) {
    context.expressions.walk(expr, &mut |part| {
        if let Shape::Local(local) = context.shape(part) {
            visit(*local);
        }
    });
}

/// The condition of a loop that is computed after all of its last list.
fn condition_at_end(statement: &Statement) -> Option<Expr> {
    let StatementKind::Loop(found) = &statement.kind else { return None };
    found.break_if.filter(|_| !found.continuing.is_empty() || !has_continue(&found.body))
}
