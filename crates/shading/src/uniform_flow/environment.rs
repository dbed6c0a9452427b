//! The values of variables during the walk over a function.
//!
//! ```text
//! x = 1;                       x ↦ a
//! if (c) { x = 2; }            x ↦ b in the arm; behind it x ↦ φ(a, b)
//! loop { … x = x + 1; … }      x ↦ φ(before, end of the round) at its begin
//! ```
//!
//! A log contains each change, so that undoing a branch costs the time that it took, and a join concerns only the variables that changed.

use std::collections::BTreeMap;

use super::graph::{Graph, Node};

/// A variable of the function, or the memory that a pointer parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Variable(pub(crate) usize);

/// The current values, and all changes since the beginning of the function.
#[derive(Default)]
pub(crate) struct Environment {
    values: Vec<Node>,
    /// The variable that changed, and its value before.
    log: Vec<(Variable, Node)>,
}

/// A point of the log.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

/// The values of the variables that changed since a mark.
pub(crate) type Changes = BTreeMap<Variable, Node>;

impl Environment {
    /// Adds the next variable.
    pub(crate) fn add(&mut self, value: Node) -> Variable {
        self.values.push(value);
        Variable(self.values.len() - 1)
    }

    pub(crate) fn value(&self, variable: Variable) -> Node {
        self.values[variable.0]
    }

    pub(crate) fn set(&mut self, variable: Variable, value: Node) {
        let before = std::mem::replace(&mut self.values[variable.0], value);
        self.log.push((variable, before));
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// The variables that changed since the mark, with their current values.
    pub(crate) fn changes_since(&self, mark: Mark) -> Changes {
        self.log[mark.0..].iter().map(|&(variable, _)| (variable, self.value(variable))).collect()
    }

    /// Goes back to the mark.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for (variable, before) in self.log.drain(mark.0..).rev() {
            self.values[variable.0] = before;
        }
    }

    /// The values where several paths join, each with its changes since the branch.
    pub(crate) fn join<R: Clone>(&mut self, graph: &mut Graph<R>, ways: &[Changes]) {
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
