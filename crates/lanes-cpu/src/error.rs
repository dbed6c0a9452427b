//! Codes of the CPU engine, and its errors.

use std::fmt;

use reconverge_diagnostic::{Diagnostic, Place};

reconverge_diagnostic::codes! {
    /// Codes of kernels without code for this CPU.
    pub enum CpuCode in "Machine code" {
        Unsupported = "run-cpu-unsupported" Unsupported
            "The CPU engine does not support the instruction, or this machine does not support the engine (exit code 3)."
            "--on interpreter or --on vulkan may run the kernel; without --width the engine takes the widest vectors of this CPU";
    }
}

/// A construct without machine code.
pub(crate) fn unsupported(at: impl Into<Place>, what: impl fmt::Display) -> Diagnostic {
    Diagnostic::new(CpuCode::Unsupported, at, format!("the CPU engine does not support {what}"))
}

/// A machine function without code.
pub(crate) fn not_assembled(message: String) -> Diagnostic {
    Diagnostic::new(CpuCode::Unsupported, Place::Whole, message)
}

/// A machine function whose values find no registers.
pub(crate) fn not_allocated(reason: impl fmt::Display) -> Diagnostic {
    not_assembled(format!("register allocation failed: {reason}"))
}

/// An instruction without an encoding.
pub(crate) fn not_encoded(reason: impl fmt::Display) -> Diagnostic {
    not_assembled(format!("an instruction cannot be encoded: {reason}"))
}
