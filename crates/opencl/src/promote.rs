//! The passes over variables, for every function of a module.
//!
//! ```text
//! %s = variable {f32, i32}; %p = variable pointer     ⇒      values and block parameters
//! ```
//!
//! *Requires* inlined calls only for efficiency: a variable whose address is passed stays. *Preserves* the behaviour of kernels.
//!
//! `reconverge_optimize::sroa`, `reconverge_optimize::mem2reg` and `reconverge_optimize::dce` do the work. A pointer in a variable hides
//! its target, so [`promote_variables`] repeats them until nothing changes: once more than pointers are nested in variables.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};

use super::Context;
use reconverge_optimize::Promotion;
use reconverge_rewrite::module_facts::ModuleFacts;

/// Removes dead code, as [`reconverge_optimize::dce`] does, from every function.
///
/// # Errors
/// None.
pub fn remove_dead_code(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    Ok(everywhere(module, reconverge_optimize::dce))
}

/// Splits variables and promotes them to values, in every function, until nothing changes.
///
/// # Errors
/// None.
pub fn promote_variables(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let facts = ModuleFacts::default();
    Ok(everywhere(module, |module, function| {
        let mut changes = reconverge_optimize::dce(module, function);
        loop {
            let promoted = reconverge_optimize::sroa(module, function, &facts)
                + reconverge_optimize::mem2reg(module, function, &facts, Promotion::All);
            changes += promoted + reconverge_optimize::dce(module, function);
            if promoted == 0 {
                return changes;
            }
        }
    }))
}

/// Runs a pass over every function with a body. Returns whether it changed anything.
fn everywhere(module: &mut Module, mut pass: impl FnMut(&mut Module, Function) -> usize) -> bool {
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    let changes: Vec<usize> = functions.into_iter().map(|function| pass(module, function)).collect();
    changes.into_iter().any(|count| count > 0)
}
