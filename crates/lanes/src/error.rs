//! Codes of the passes that make lanes explicit, and their errors.
//!
//! The message of an error is the construct that it is about, and its place is the instruction: a row of the table of passes completes it in
//! the words of a machine (`passes.rs`). After an error the function may be changed, and must be discarded.

use reconverge_control_tree::TreeError;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst};

reconverge_diagnostic::codes! {
    /// Codes of passes over lanes.
    pub enum LanesCode in "Explicit lanes" {
        Unsupported = "lanes-unsupported" Unsupported
            "A pass that makes lanes explicit does not support the instruction."
            "leave out the pass; the targets `cpu` and `vc4` say what their machines support";
        Limit = "lanes-limit" Limit
            "Lanes cannot be made explicit: the function has no control tree, or values that lanes share need too many block parameters."
            "split the function, or compile it without `--passes`";
    }
}

/// A construct that packs of lanes cannot execute, or that has no expansion.
pub(crate) fn unsupported(at: impl Into<Inst>, what: impl Into<String>) -> Diagnostic {
    Diagnostic::new(LanesCode::Unsupported, at.into(), what)
}

/// A function that is not valid at stage Structured.
pub(crate) fn no_tree(function: Function, error: TreeError) -> Diagnostic {
    Diagnostic::new(LanesCode::Limit, function.inst(), error.to_string())
}
