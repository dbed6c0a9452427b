//! The names of a scope.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clean::without_number;

/// The names of counters of loops, from the outermost.
const COUNTERS: [&str; 7] = ["i", "j", "k", "n", "m", "p", "q"];

/// The names of a scope, and how often each was asked for. Scopes in it are entered and left; what they add is there only in between.
#[derive(Default)]
pub(super) struct Scope<'a> {
    outer: Option<&'a Scope<'a>>,
    names: FxHashSet<String>,
    numbers: FxHashMap<String, u32>,
    /// The changes of the open inner scopes, in order.
    changes: Vec<Change>,
    /// The number of changes before each of them.
    marks: Vec<usize>,
}

/// A change by an inner scope.
enum Change {
    Added(String),
    /// The number that a name had before.
    Counted(String, u32),
}

impl<'a> Scope<'a> {
    /// A scope whose names differ from those of another one.
    pub(super) fn within(outer: &'a Scope<'a>) -> Scope<'a> {
        Scope { outer: Some(outer), ..Scope::default() }
    }

    /// Enters a scope in this one.
    pub(super) fn enter(&mut self) {
        self.marks.push(self.changes.len());
    }

    /// Leaves the innermost scope that was entered: its names are free again.
    pub(super) fn leave(&mut self) {
        let start = self.marks.pop().unwrap_or_default();
        for change in self.changes.drain(start..).rev() {
            match change {
                Change::Added(name) => drop(self.names.remove(&name)),
                Change::Counted(base, number) => drop(self.numbers.insert(base, number)),
            }
        }
    }

    /// Adds a name as it is.
    pub(super) fn reserve(&mut self, name: &str) {
        if self.names.insert(name.to_owned()) {
            self.changes.push(Change::Added(name.to_owned()));
        }
    }

    /// Adds a name that the scope does not have yet, and that is not taken.
    pub(super) fn add(&mut self, wish: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
        let mut name = wish.to_owned();
        if !self.is_free(&name, is_taken) {
            let base = without_number(wish);
            let before = self.numbers.get(base).copied().unwrap_or(0);
            self.changes.push(Change::Counted(base.to_owned(), before));
            let mut number = before;
            while !self.is_free(&name, is_taken) {
                number += 1;
                name = format!("{base}_{number}");
            }
            self.numbers.insert(base.to_owned(), number);
        }
        self.reserve(&name);
        name
    }

    /// Returns whether a name can be added as it is.
    pub(super) fn is_free(&self, name: &str, is_taken: &dyn Fn(&str) -> bool) -> bool {
        !self.has(name) && !is_taken(name)
    }

    /// Adds the name of a counter of a loop.
    pub(super) fn add_counter(&mut self, is_taken: &dyn Fn(&str) -> bool) -> String {
        let free = COUNTERS.into_iter().find(|name| self.is_free(name, is_taken));
        self.add(free.unwrap_or(COUNTERS[0]), is_taken)
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.outer.is_some_and(|outer| outer.has(name))
    }
}
