//! Codes of kernels that cannot be lowered.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{ImportCode, Inst};

use crate::feature::Feature;

reconverge_diagnostic::codes! {
    /// Codes of the kernel passes. The place is an instruction.
    pub enum KernelCode in "OpenCL kernels" {
        Unsupported = "kernel-unsupported" Unsupported
            "The OpenCL kernel uses a feature that cannot be compiled for Vulkan (exit code 3)."
            "write the kernel without the feature; `reconverge help unsupported` says what to use instead";
        Rejected = "kernel-rejected" Rejected
            "The module is not a valid OpenCL module: for example, it has no kernel of the requested name, an operand is not a pointer or an integer where one is required, or a function of OpenCL has arguments of wrong types."
            "the message names the operand and the instruction; `spirv-val FILE` checks the module independently, and clang 22 or newer writes valid modules";
        Unknown = "kernel-unknown" Options
            "The module has no kernel of the name that --kernel gives (exit code 2)."
            "give --kernel one of the names in the message, or leave it out to keep all";
        Limit = "kernel-limit" Limit
            "The OpenCL kernel exceeds a documented limit."
            "make what the message names smaller, or split the kernel";
        None = "no-kernel" Warning
            "A warning, not an error: the module is an OpenCL library without kernels, so there is no compute shader to make of it. It stays an OpenCL module, which Vulkan does not accept."
            "mark the function that the host launches with `kernel`; or link the library to a module with kernels: `reconverge link`; with `--target input` it is meant to stay an OpenCL module";
    }
}

/// An unsupported feature, by its name.
#[cold]
pub(crate) fn unsupported(at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(KernelCode::Unsupported, at.into(), format!("not supported: {}", message.into()))
}

/// An unsupported feature that has advice; `details` follow its name.
#[cold]
pub(crate) fn feature(at: impl Into<Inst>, feature: Feature, details: &str) -> Diagnostic {
    unsupported(at, format!("{}{details}", feature.name())).with_help(feature.advice())
}

/// What no valid OpenCL module has; the message names it.
#[cold]
pub(crate) fn rejected(at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(KernelCode::Rejected, at.into(), format!("not valid in OpenCL: {}", message.into()))
}

/// Something that is imported and not defined.
#[cold]
pub(crate) fn undefined(at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(ImportCode::Undefined, at.into(), message)
}

/// What exceeds a limit; the message names it with the limit.
#[cold]
pub(crate) fn limit(at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(KernelCode::Limit, at.into(), format!("over the limit: {}", message.into()))
}

/// Options that request something that the module does not have.
#[cold]
pub(crate) fn unknown(at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(KernelCode::Unknown, at.into(), message)
}
