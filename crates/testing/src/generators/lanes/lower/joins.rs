//! Joins: blocks with several predecessors, and the values that each of them passes.

use reconverge_ir::{Block, Inst, Op, Position};

use super::super::program::{Carry, Leave};
use super::super::value::Local;
use super::procedure::ProcedureWriter;

/// A block that is not placed yet, with its incoming edges.
pub(super) struct Join {
    pub(super) block: Block,
    /// The number of variables that are live there.
    width: usize,
    ways: Vec<PendingEdge>,
}

/// A block without a terminator that will jump to a join, with the values of the variables there.
struct PendingEdge {
    block: Block,
    locals: Vec<Local>,
}

/// An enclosing construct.
pub(super) struct Scope {
    pub(super) kind: JoinKind,
    pub(super) merge: Join,
    /// The continue target of a loop.
    pub(super) next: Option<Join>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JoinKind {
    Selection,
    Switch,
    Loop,
}

impl Join {
    pub(super) fn has_ways(&self) -> bool {
        !self.ways.is_empty()
    }
}

impl ProcedureWriter<'_, '_> {
    /// A new current block at the end of the function.
    pub(super) fn start_block(&mut self) -> Block {
        let block = self.build.add_block(self.function);
        self.enter(block);
        block
    }

    pub(super) fn enter(&mut self, block: Block) {
        self.build.at_end(block);
        self.current = Some(block);
        self.is_header = false;
    }

    /// A new edge block at the end of the function.
    pub(super) fn edge_block(&mut self) -> Block {
        let block = self.build.editor().append(self.function, Op::EdgeBlock, None, &[]);
        self.build.module().cast(block).expect("an edge block is a block")
    }

    /// A join at which the current variables are live. Its block is not placed yet.
    pub(super) fn join(&mut self) -> Join {
        let block = self.build.add_block(self.function);
        Join { block, width: self.locals.len(), ways: Vec::new() }
    }

    /// Ends the current block with a jump to a join.
    pub(super) fn go_to(&mut self, join: &mut Join) {
        if let Some(block) = self.current.take() {
            join.ways.push(PendingEdge { block, locals: self.locals.clone() });
        }
    }

    /// Ends an edge block with a jump to a join.
    pub(super) fn edge_to(&mut self, join: &mut Join) -> Block {
        let block = self.edge_block();
        join.ways.push(PendingEdge { block, locals: self.locals.clone() });
        block
    }

    /// The target of an exit: the number of the scope, and whether it is its continue target.
    pub(super) fn exit(&self, leave: &Leave) -> Option<(usize, bool)> {
        let find = |kind| self.scopes.iter().rposition(|scope| scope.kind == kind);
        match leave {
            Leave::Selection => find(JoinKind::Selection).map(|scope| (scope, false)),
            Leave::Switch => find(JoinKind::Switch).map(|scope| (scope, false)),
            Leave::Loop => find(JoinKind::Loop).map(|scope| (scope, false)),
            Leave::Continue => find(JoinKind::Loop).map(|scope| (scope, true)),
            Leave::Return(_) | Leave::Kill => None,
        }
    }

    /// An edge block that leads out.
    pub(super) fn edge_out(&mut self, leave: &Leave) -> Block {
        let block = self.edge_block();
        self.way_out(leave, block);
        block
    }

    /// Ends a block with an exit.
    pub(super) fn way_out(&mut self, leave: &Leave, block: Block) {
        let (scope, is_next) = self.exit(leave).expect("invariant: a repaired program leaves what is there");
        let way = PendingEdge { block, locals: self.locals.clone() };
        let scope = &mut self.scopes[scope];
        let join =
            if is_next { scope.next.as_mut().expect("invariant: a loop has a next trip") } else { &mut scope.merge };
        join.ways.push(way);
    }

    /// Places a join at the end of the function and continues there. Without incoming edges it is unreachable: the block ends in
    /// `unreachable`.
    pub(super) fn place(&mut self, join: Join, carry: Carry) {
        self.build.editor().move_to(join.block, Position::AtEnd(self.function.into()));
        if join.ways.is_empty() {
            self.build.at_end(join.block);
            self.build.unreachable(&[]);
            self.current = None;
            return;
        }
        self.fill(join, carry);
    }

    /// Gives a join its parameters and its incoming edges their terminators, and continues there.
    pub(super) fn fill(&mut self, join: Join, carry: Carry) {
        let mut arguments: Vec<Vec<Inst>> = vec![vec![join.block.into()]; join.ways.len()];
        let mut locals = Vec::with_capacity(join.width);
        for index in 0..join.width {
            let first = join.ways[0].locals[index];
            let are_equal = join.ways.iter().all(|way| way.locals[index] == first);
            if matches!(first, Local::Pointer(_)) || (are_equal && carry == Carry::Needed) {
                locals.push(first);
                continue;
            }
            let parameter = self.build.add_parameter(join.block, self.shared.words.u32_type);
            locals.push(Local::Value(parameter.into()));
            for (way, arguments) in join.ways.iter().zip(&mut arguments) {
                let Local::Value(value) = way.locals[index] else {
                    unreachable!("a variable lives in the same way everywhere");
                };
                arguments.push(value);
            }
        }
        for (way, arguments) in join.ways.iter().zip(&arguments) {
            self.build.at_end(way.block);
            self.build.branch(arguments);
        }
        self.locals = locals;
        self.enter(join.block);
    }
}
