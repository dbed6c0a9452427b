//! Inlines the functions that may end the invocation, and those between them and the entry points.
//!
//! ```text
//! func %f { if %a ^x ^y … ^x: kill … }                func %main { if %a ^x ^y … ^x: kill … }
//! func %main { … function_call %f … }           ⇒
//! ```
//!
//! In HLSL, MSL and WGSL a `discard` lets the lane go on as a helper. In an entry point a `return` follows it, so nothing else runs; a
//! function that is called cannot end its callers. So every call of such a function is inlined, whatever its size and its hints.
//!
//! *Requires* no recursion. *Preserves* what the functions do. *Leads* the callers to stage Graph, with their merges as hints. Linear in
//! the result; the module grows to [`LIMIT`] instructions at most.

use reconverge_ir::{Function, Module, Op, Stage};
use rustc_hash::FxHashSet;

use super::call_order::compute_call_order;
use super::worthwhile::terminators;
use super::{InlineError, gather_sites, inline_chosen};

/// The maximal number of instructions of all functions together.
const LIMIT: usize = 1 << 20;

/// Inlines every call of a function that may end the invocation. Returns the number of inlined calls.
///
/// # Errors
/// [`InlineError`]: recursion among the functions, and growth past a million instructions.
pub fn inline_exits(module: &mut Module, functions: &[Function]) -> Result<usize, InlineError> {
    if !functions.iter().any(|&function| ends_invocation(module, function)) {
        return Ok(0);
    }
    let order = compute_call_order(module, functions)?;
    let (mut exits, mut involved) = (FxHashSet::default(), FxHashSet::default());
    for &function in &order {
        let calls_one = gather_sites(module, function).iter().any(|(callee, _)| exits.contains(callee));
        if calls_one || ends_invocation(module, function) {
            exits.insert(function);
        }
        if calls_one {
            involved.insert(function);
            involved.extend(
                gather_sites(module, function)
                    .into_iter()
                    .map(|(callee, _)| callee)
                    .filter(|callee| exits.contains(callee)),
            );
        }
    }
    for &function in order.iter().filter(|&function| involved.contains(function)) {
        if module.stage(function) == Stage::Structured {
            module.edit().set_stage(function, Stage::Graph);
        }
    }
    inline_chosen(module, order, LIMIT, |function| exits.contains(&function))
}

/// Returns whether a function has a `kill`.
fn ends_invocation(module: &Module, function: Function) -> bool {
    terminators(module, function).any(|op| matches!(op, Op::Kill | Op::TerminateInvocation))
}
