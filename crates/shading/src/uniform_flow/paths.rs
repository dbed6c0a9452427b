//! Which conditions decide whether an operation is reached.
//!
//! ```text
//! loop {
//!     barrier                 both sides of c lead to the barrier of the next round: c does not decide, invocations
//!     if (c) { continue; }    that continue wait for the others there
//!     if (d) { break; }       only one side of d does: d decides
//! }
//! ```
//!
//! A condition and an operation have loops in common. The operation in the same round of all of them comes first; then, from the innermost common
//! loop outwards, the next round of each. The condition decides if, at the first of these that a side reaches, one side reaches it and
//! the other does not. Invocations that take different sides of it do not reach the operation together, so in a valid program all take one side.
//! With more than two sides, only one may lead to the operation, and the others have to be one: they might differ where none is reached.
//!
//! The function is a graph of statements, in which the end of the rounds of each loop has a node of its own. Linear for each condition.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::{Block, Expr, Expressions, Function, Label, Loop, Statement, StatementKind};

/// A statement or condition, or the end of the rounds of a loop.
#[derive(Default)]
struct Place {
    successors: Vec<usize>,
    /// The ends of the rounds of the loops around it, the outermost first.
    loops: Vec<usize>,
}

/// The graph of a function.
pub(super) struct Paths {
    places: Vec<Place>,
    /// The place of each expression and its parts.
    of_expr: FxHashMap<Expr, usize>,
    /// The expressions that are no parts of others.
    wholes: FxHashSet<Expr>,
}

impl Paths {
    /// The graph of a function. Linear.
    pub(super) fn of(function: &Function, expressions: &Expressions) -> Paths {
        let paths = Paths { places: Vec::new(), of_expr: FxHashMap::default(), wholes: FxHashSet::default() };
        let mut build =
            Build { paths, expressions, loops: Vec::new(), breaks: Vec::new(), continues: Vec::new(), end: 0 };
        build.end = build.place(&[], Vec::new());
        build.block(&function.body, build.end);
        build.paths
    }

    /// Returns whether a condition decides that an operation is reached.
    pub(super) fn decides(&self, condition: Expr, operation: Expr) -> bool {
        let (Some(&from), Some(&to)) = (self.of_expr.get(&condition), self.of_expr.get(&operation)) else {
            return false;
        };
        if from == to && !self.wholes.contains(&condition) {
            // The operation is in the second operand of an operator whose first is the condition.
            return true;
        }
        let is_common = |end: &usize| self.places[to].loops.contains(end);
        let common: Vec<usize> = self.places[from].loops.iter().copied().filter(is_common).collect();
        let mut sides = self.places[from].successors.clone();
        sides.sort_unstable();
        sides.dedup();
        let reached: Vec<Vec<bool>> = sides.iter().map(|&side| self.reached(side, &common)).collect();
        for target in std::iter::once(to).chain(common.iter().rev().copied()) {
            let count = reached.iter().filter(|reached| reached[target]).count();
            if count > 0 {
                return count == 1 && sides.len() == 2;
            }
        }
        false
    }

    /// The places on paths from a place that do not begin a round of these loops.
    fn reached(&self, from: usize, loops: &[usize]) -> Vec<bool> {
        let mut is_reached = vec![false; self.places.len()];
        let mut work = vec![from];
        while let Some(place) = work.pop() {
            if !std::mem::replace(&mut is_reached[place], true) && !loops.contains(&place) {
                work.extend_from_slice(&self.places[place].successors);
            }
        }
        is_reached
    }
}

/// The construction of the graph, from the last statement to the first.
struct Build<'t> {
    paths: Paths,
    expressions: &'t Expressions,
    /// The ends of the rounds of the loops around the current statement.
    loops: Vec<usize>,
    /// The targets of `break` and `continue`.
    breaks: Vec<usize>,
    continues: Vec<usize>,
    /// The end of the function.
    end: usize,
}

impl Build<'_> {
    fn place(&mut self, exprs: &[Expr], successors: Vec<usize>) -> usize {
        let number = self.paths.places.len();
        self.paths.places.push(Place { successors, loops: self.loops.clone() });
        for &expr in exprs {
            self.paths.wholes.insert(expr);
            let of_expr = &mut self.paths.of_expr;
            self.expressions.walk(expr, &mut |part| {
                of_expr.insert(part, number);
            });
        }
        number
    }

    /// The first place of a block that another place follows.
    fn block(&mut self, block: &Block, next: usize) -> usize {
        block.iter().rev().fold(next, |next, statement| self.statement(statement, next))
    }

    fn statement(&mut self, statement: &Statement, next: usize) -> usize {
        match &statement.kind {
            StatementKind::Block(block) => self.block(block, next),
            StatementKind::If { condition, accept, reject } => {
                let sides = vec![self.block(accept, next), self.block(reject, next)];
                self.place(&[*condition], sides)
            }
            StatementKind::Switch { selector, cases } => {
                self.breaks.push(next);
                let mut sides: Vec<usize> = cases.iter().map(|case| self.block(&case.body, next)).collect();
                self.breaks.pop();
                if !cases.iter().any(|case| case.labels.contains(&Label::Default)) {
                    sides.push(next);
                }
                self.place(&[*selector], sides)
            }
            StatementKind::Loop(found) => self.repetition(found, next),
            StatementKind::Break => *self.breaks.last().expect("invariant: a `break` is in a loop or a switch"),
            StatementKind::Continue => *self.continues.last().expect("invariant: a `continue` is in a loop"),
            StatementKind::Return(value) => self.place(value.as_slice(), vec![self.end]),
            StatementKind::Discard => next,
            StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Step { .. }
            | StatementKind::Expression(_) => self.place(&statement.expressions(), vec![next]),
        }
    }

    fn repetition(&mut self, found: &Loop, next: usize) -> usize {
        let end = self.place(&[], Vec::new());
        self.loops.push(end);
        let last = match found.break_if {
            Some(condition) => self.place(&[condition], vec![next, end]),
            None => end,
        };
        let continuing = self.block(&found.continuing, last);
        self.breaks.push(next);
        self.continues.push(continuing);
        let body = self.block(&found.body, continuing);
        self.breaks.pop();
        self.continues.pop();
        let begin = match found.condition {
            Some(condition) => self.place(&[condition], vec![body, next]),
            None => body,
        };
        self.loops.pop();
        self.paths.places[end].successors.push(begin);
        match &found.init {
            Some(init) => self.statement(init, begin),
            None => begin,
        }
    }
}
