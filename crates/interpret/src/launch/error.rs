//! The code of launches that do not start, and their errors.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::{Function, Inst};

reconverge_diagnostic::codes! {
    /// The code of launches that do not fit what they launch, on any engine.
    pub enum LaunchCode in "Running" {
        Launch = "run-launch" Rejected
            "The launch is wrong, or does not fit the kernel (exit code 2 if flags state it, 1 if only a file does)."
            "see docs/launch.md for launches and their arguments";
    }
}

/// A launch that does not fit, or has an impossible shape.
pub(crate) fn misfit(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(LaunchCode::Launch, Place::Whole, message)
}

pub(crate) fn no_body(function: Function) -> Diagnostic {
    misfit(format!("function {function:?} has no body")).at(function.inst())
}

/// The number of arguments differs from the number of the function's parameters.
pub(crate) fn wrong_count(expected: usize, found: usize) -> Diagnostic {
    misfit(format!("the function has {expected} parameters, but the launch {found} arguments"))
}

/// The argument with this index does not have the type of its parameter, or names an unknown buffer.
pub(crate) fn wrong_argument(index: usize) -> Diagnostic {
    misfit(format!("argument {index} does not fit its parameter"))
}

/// The address with this index does not belong to a buffer, or does not fit in its place.
pub(crate) fn wrong_address(index: usize) -> Diagnostic {
    misfit(format!("address {index} does not belong to a buffer, or does not fit its place"))
}

/// Contents were given, or requested, for something that is not a variable at module level, or with a different type.
pub(crate) fn wrong_variable(inst: Inst) -> Diagnostic {
    misfit(format!("{inst} is not a module-level variable of that type")).at(inst)
}

/// There is not enough memory.
pub(crate) fn too_large() -> Diagnostic {
    misfit("the launch needs more than 1 GiB of memory")
}
