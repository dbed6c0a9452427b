//! Inlines all functions that a kernel calls.
//!
//! ```text
//! func %k { … call %f … }                func %k { … f's body … }
//! func %f { … }                     ⇒
//! ```
//!
//! *Requires* resolved library functions: a call of a function without a body stays. *Preserves* the behaviour of kernels.
//!
//! `reconverge_optimize::inline_calls` does the work; functions that no entry point reaches any more are removed. OpenCL C has no recursion
//! (OpenCL C 3.0, section 6.12), so a cycle of calls is an error. Linear in the result.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, view};

use super::Context;
use crate::error;
use crate::feature::Feature;
use reconverge_optimize::remove_functions;
use reconverge_optimize::{InlineError, inline_calls as inline_into};

/// Inlines every call of a function with a body into the entry points' functions and removes functions that are no longer called.
///
/// # Errors
/// [`Unsupported`](crate::KernelCode::Unsupported) for recursion, [`Limit`](crate::KernelCode::Limit) for a program that exceeds
/// the limit of the options.
pub fn inline_calls(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let entry_points = module.globals().filter_map(|global| view::EntryPoint::of(module, global));
    let starts: Vec<Function> = entry_points.filter_map(|entry| module.cast(entry.function)).collect();
    let inlined = inline_into(module, &starts, context.options.inline_limit);
    let inlined = inlined.map_err(|error| kernel_error(module, error))?;
    Ok(remove_functions(module, &starts) + inlined > 0)
}

fn kernel_error(module: &Module, error: InlineError) -> Diagnostic {
    match error {
        InlineError::Recursion { call, circle } => {
            let again = circle.first().copied();
            let names = circle.into_iter().chain(again).map(|function| name(module, function));
            let names: Vec<String> = names.collect();
            error::feature(call, Feature::Recursion, &format!(": {}", names.join(" calls ")))
        }
        InlineError::Growth { call, limit } => {
            error::limit(call, format!("more than {limit} instructions after the calls are inlined"))
        }
    }
}

fn name(module: &Module, function: Function) -> String {
    module.name(function).unwrap_or_else(|| format!("%{}", function.index()))
}
