//! Inlines every call of an entry point: packs of lanes have no stack of their own.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Op};
use reconverge_optimize::structured::lower_continue_constructs;
use reconverge_optimize::{InlineLimits, inline_worthwhile};

use crate::error::unsupported;

/// Copies every function that an entry point calls into it, up to a size of all together in instructions. Returns whether there was a call.
///
/// # Errors
/// A call that cannot be inlined.
pub fn flatten_calls(module: &mut Module, function: Function, size: usize) -> Result<bool, Diagnostic> {
    let call = |module: &Module| {
        let mut insts = module.blocks(function).flat_map(|block| module.children(block));
        insts.find(|&inst| module.op(inst) == Op::FunctionCall)
    };
    if call(module).is_none() {
        return Ok(false);
    }
    let limits = InlineLimits { body: size, module: size };
    let functions: Vec<Function> = module.functions().collect();
    inline_worthwhile(module, &functions, limits);
    if call(module).is_some() {
        // A body with `unreachable` must not be in a continue construct: calls there move to the bodies of their loops.
        let functions: Vec<Function> = module.functions().collect();
        for &function in &functions {
            let lowered = lower_continue_constructs(module, function);
            lowered.map_err(|error| unsupported(function, format!("this function: {error}")))?;
        }
        inline_worthwhile(module, &functions, limits);
    }
    match call(module) {
        None => Ok(true),
        Some(at) => {
            let name = module.callee(at).and_then(|callee| module.name(callee)).unwrap_or_default();
            Err(unsupported(at, format!("the call of `{name}`, which cannot be inlined")))
        }
    }
}
