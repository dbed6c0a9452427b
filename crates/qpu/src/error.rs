//! Codes of kernels without code for the VC4, and their errors.

use std::fmt;

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Function;
use reconverge_lanes::LanesCode;

reconverge_diagnostic::codes! {
    /// Codes of kernels without code for the VC4.
    pub enum Vc4Code in "Machine code" {
        Unsupported = "vc4-unsupported" Unsupported
            "The VC4 does not have what the instruction needs, or the compiler does not support it there (exit code 3)."
            "see docs/qpu.md for what is not supported; --target vulkan and --on cpu take the kernel";
        Limit = "vc4-limit" Limit
            "The kernel exceeds a limit of the VC4: registers, rows of the vertex pipe memory, addresses; or it takes too long on the emulator (exit code 4)."
            "the message has the number; make private arrays or the work-group smaller, or split the kernel";
    }
}

/// Something that the QPU does not have, or that the compiler does not support on it.
pub(crate) fn unsupported(at: impl Into<Place>, what: impl fmt::Display) -> Diagnostic {
    Diagnostic::new(Vc4Code::Unsupported, at, format!("the VC4 does not support {what}"))
}

/// The error of an analysis of lanes, whose message is a construct.
pub(crate) fn of_lanes(error: Diagnostic, function: Function) -> Diagnostic {
    let what = error.message.as_str();
    match error.is(LanesCode::Unsupported) {
        true => unsupported(error.place, what),
        false => unsupported(function.inst(), format!("this function: {what}")),
    }
}

/// A limit that a kernel exceeds; the text has the number.
pub(crate) fn limit(message: impl fmt::Display) -> Diagnostic {
    Diagnostic::new(Vc4Code::Limit, Place::Whole, message.to_string())
}
