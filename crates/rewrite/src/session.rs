//! The session: a module while passes run over it, and the data that is kept from one pass to the next.
//!
//! ```text
//! gvn ──Body──▶ load_pre ──Body──▶ dse ──Body──▶ gcm        as long as nothing changes the function
//!  └── Outcome { preserves } ──▶ Session ──▶ every State forgets what is no longer true
//! ```
//!
//! A pass reads and changes the module, may keep tables in a [`SessionState`], and returns what it preserved. It never invalidates anything
//! itself. States are found by type: cached analyses of a crate, options of passes, reports of passes.

use std::any::{Any, TypeId};

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};
use rustc_hash::FxHashMap;

use crate::debug_values;
use crate::pass::{Outcome, Pass, Preserves, Work};

/// Data of a session: cached analyses, options of passes, reports of passes.
pub trait SessionState: Any {
    /// Drops the data that a pass over a function did not preserve.
    fn invalidate(&mut self, _function: Function, _preserves: Preserves) {}

    /// Drops everything that depends on the module, after a pass over the whole module.
    fn invalidate_all(&mut self) {}
}

/// A module while passes run over it.
pub struct Session<'m> {
    /// The module. After a change to it outside a pass, no pass of this session may run.
    pub module: &'m mut Module,
    states: FxHashMap<TypeId, Box<dyn SessionState>>,
}

/// A pass that failed, and the function, if it works on one at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The function.
    pub function: Option<Function>,
    /// The cause.
    pub error: Diagnostic,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        debug_values::attach(self.module);
    }
}

impl<'m> Session<'m> {
    /// Creates a session without data. Debug information of values is in records ([`debug_values`]) until the session ends. Costs nothing
    /// in a module without debug information.
    pub fn new(module: &'m mut Module) -> Session<'m> {
        debug_values::detach(module);
        Session { module, states: FxHashMap::default() }
    }

    /// The module, and the state of a type, which is its default at first.
    pub fn parts<T: SessionState + Default>(&mut self) -> (&mut Module, &mut T) {
        let state: &mut dyn Any =
            self.states.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(T::default())).as_mut();
        let state = state.downcast_mut().expect("invariant: a state is kept under its own type");
        (self.module, state)
    }

    /// The state of a type, which is its default at first.
    pub fn state<T: SessionState + Default>(&mut self) -> &mut T {
        self.parts().1
    }

    /// Sets the state of a type.
    pub fn set<T: SessionState>(&mut self, state: T) {
        self.states.insert(TypeId::of::<T>(), Box::new(state));
    }

    /// Runs a pass over those of `functions` that have a body and are at a stage that the pass accepts. Returns the number of functions
    /// that changed.
    ///
    /// # Errors
    /// The reason why the pass failed. The module must be discarded.
    pub fn run(&mut self, pass: &Pass, functions: &[Function]) -> Result<usize, Failure> {
        let is_due = |function: Function, module: &Module| {
            module.entry(function).is_some() && pass.accepts.contains(module.stage(function))
        };
        match pass.work {
            Work::Function(work) => {
                let mut functions_changed = 0;
                for &function in functions {
                    if is_due(function, self.module) {
                        let outcome = work(self, function);
                        let outcome = outcome.map_err(|error| Failure { function: Some(function), error })?;
                        self.invalidate(function, outcome);
                        functions_changed += outcome.functions_changed;
                    }
                }
                Ok(functions_changed)
            }
            Work::Module(work) => {
                let due: Vec<Function> =
                    functions.iter().copied().filter(|&function| is_due(function, self.module)).collect();
                let outcome = work(self, &due).map_err(|error| Failure { function: None, error })?;
                if outcome.preserves != Preserves::All {
                    self.states.values_mut().for_each(|state| state.invalidate_all());
                }
                Ok(outcome.functions_changed)
            }
        }
    }

    fn invalidate(&mut self, function: Function, outcome: Outcome) {
        if outcome != Outcome::UNCHANGED {
            self.states.values_mut().for_each(|state| state.invalidate(function, outcome.preserves));
        }
    }
}

#[cfg(test)]
mod tests {
    use reconverge_diagnostic::Place;
    use reconverge_ir::text;

    use super::*;
    use crate::GrowthCode;
    use crate::pass::Stages;

    const PROGRAM: &str = "%void = type_void
        func %declared: %void () {
        }
        func %one: %void () {
        block ^a:
          return
        }
        func %two: %void () {
        block ^b:
          return
        }";

    /// The functions that were processed, and what was invalidated.
    #[derive(Default)]
    struct Log {
        worked: Vec<Function>,
        invalidated: Vec<(Function, Preserves)>,
        cleared: usize,
    }

    impl SessionState for Log {
        fn invalidate(&mut self, function: Function, preserves: Preserves) {
            self.invalidated.push((function, preserves));
        }

        fn invalidate_all(&mut self) {
            self.cleared += 1;
        }
    }

    fn pass(accepts: Stages, work: Work) -> Pass {
        Pass { name: "tested", summary: "", accepts, leads_to: None, work }
    }

    fn log_all(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
        session.state::<Log>().worked.push(function);
        Ok(Outcome::instructions(1))
    }

    #[test]
    fn what_a_pass_does_not_accept_is_left_out_and_what_it_changed_is_invalidated() {
        let mut module = text::parse(PROGRAM).unwrap();
        let functions: Vec<Function> = module.functions().collect();
        let mut session = Session::new(&mut module);
        assert_eq!(session.run(&pass(Stages::Any, Work::Function(log_all)), &functions), Ok(2));
        assert_eq!(session.run(&pass(Stages::Structured, Work::Function(log_all)), &functions), Ok(0));
        let log = session.state::<Log>();
        assert_eq!(log.worked, &functions[1..]);
        assert_eq!(log.invalidated, [(functions[1], Preserves::Blocks), (functions[2], Preserves::Blocks)]);
        let all = pass(Stages::Any, Work::Module(|_, _| Ok(Outcome::control_flow(1))));
        assert_eq!(session.run(&all, &functions), Ok(1));
        assert_eq!(session.state::<Log>().cleared, 1);
    }

    #[test]
    fn an_error_names_the_function() {
        let mut module = text::parse(PROGRAM).unwrap();
        let functions: Vec<Function> = module.functions().collect();
        let error = || Diagnostic::new(GrowthCode::Limit, Place::Whole, "");
        let refusing =
            pass(Stages::Any, Work::Function(|_, _| Err(Diagnostic::new(GrowthCode::Limit, Place::Whole, ""))));
        let failed = Session::new(&mut module).run(&refusing, &functions);
        assert_eq!(failed, Err(Failure { function: Some(functions[1]), error: error() }));
    }
}
