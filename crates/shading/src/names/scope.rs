//! The names of a scope.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clean::without_number;

/// The names of counters of loops, from the outermost.
const COUNTERS: [&str; 4] = ["i", "j", "k", "n"];

/// The names of a scope, and how often each was asked for.
#[derive(Default)]
pub(super) struct Scope<'a> {
    outer: Option<&'a Scope<'a>>,
    names: FxHashSet<String>,
    numbers: FxHashMap<String, u32>,
}

impl<'a> Scope<'a> {
    /// A scope whose names differ from those of another one.
    pub(super) fn within(outer: &'a Scope<'a>) -> Scope<'a> {
        Scope { outer: Some(outer), ..Scope::default() }
    }

    /// Adds a name as it is.
    pub(super) fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// Adds a name that the scope does not have yet, and that is not taken.
    pub(super) fn add(&mut self, wish: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
        let mut name = wish.to_owned();
        if self.has(&name) || is_taken(&name) {
            let base = without_number(wish);
            loop {
                let number = self.numbers.entry(base.to_owned()).or_insert(0);
                *number += 1;
                name = format!("{base}_{number}");
                if !self.has(&name) && !is_taken(&name) {
                    break;
                }
            }
        }
        self.reserve(&name);
        name
    }

    /// Adds the name of a counter of a loop.
    pub(super) fn add_counter(&mut self, is_taken: &dyn Fn(&str) -> bool) -> String {
        let free = COUNTERS.into_iter().find(|name| !self.has(name) && !is_taken(name));
        self.add(free.unwrap_or(COUNTERS[0]), is_taken)
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.outer.is_some_and(|outer| outer.has(name))
    }
}
