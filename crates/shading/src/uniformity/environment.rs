//! The values of variables while a function is walked.
//!
//! ```text
//! x = 1;                       x ↦ a
//! if (c) { x = 2; }            x ↦ b in the arm; behind it x ↦ φ(a, b)
//! loop { … x = x + 1; … }      x ↦ φ(before, end of the round) at its begin
//! ```
//!
//! A log has each change, so that a branch is undone in the time that it took, and a join is about the variables that changed only.

use std::collections::BTreeMap;

use super::graph::{Graph, Node};

/// A variable of the function, or what a pointer parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Variable(pub(super) usize);

/// The values now, and all changes since the begin of the function.
#[derive(Default)]
pub(super) struct Environment {
    values: Vec<Node>,
    /// The variable that changed, and its value before.
    log: Vec<(Variable, Node)>,
}

/// A point of the log.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

/// The values of the variables that changed since a mark.
pub(super) type Changes = BTreeMap<Variable, Node>;

impl Environment {
    /// Adds the next variable.
    pub(super) fn add(&mut self, value: Node) -> Variable {
        self.values.push(value);
        Variable(self.values.len() - 1)
    }

    pub(super) fn value(&self, variable: Variable) -> Node {
        self.values[variable.0]
    }

    pub(super) fn set(&mut self, variable: Variable, value: Node) {
        let before = std::mem::replace(&mut self.values[variable.0], value);
        self.log.push((variable, before));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// What changed since the mark, with the values now.
    pub(super) fn changes_since(&self, mark: Mark) -> Changes {
        self.log[mark.0..].iter().map(|&(variable, _)| (variable, self.value(variable))).collect()
    }

    /// Goes back to the mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        for (variable, before) in self.log.drain(mark.0..).rev() {
            self.values[variable.0] = before;
        }
    }

    /// The values where several ways join, each with what it changed since here.
    pub(super) fn join(&mut self, graph: &mut Graph, ways: &[Changes]) {
        let mut changed: Vec<Variable> = ways.iter().flat_map(|way| way.keys().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        for variable in changed {
            let values = ways.iter().map(|way| way.get(&variable).copied().unwrap_or(self.value(variable)));
            let mut values: Vec<Node> = values.collect();
            values.sort_unstable();
            values.dedup();
            let value = match values[..] {
                [only] => only,
                _ => graph.node(values),
            };
            self.set(variable, value);
        }
    }
}
