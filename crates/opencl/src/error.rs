//! Why a kernel cannot be lowered.

use std::fmt;

use reconverge_ir::Inst;

/// Why a kernel cannot be lowered, with the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelError {
    /// The kind of the error.
    pub kind: KernelErrorKind,
    /// The message, with the name of the feature, in a sentence without a full stop.
    pub message: String,
    /// The instruction.
    pub at: Inst,
}

/// Kinds of errors of the kernel passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KernelErrorKind {
    /// The kernel needs an unsupported feature.
    Unsupported,
    /// The module is not a valid OpenCL module.
    Rejected,
    /// The module imports something that it does not define.
    Undefined,
    /// The kernel exceeds a documented limit.
    Limit,
    /// The options ask for something that the module does not have.
    Options,
}

impl KernelError {
    /// An unsupported feature.
    pub fn unsupported(at: impl Into<Inst>, message: impl Into<String>) -> KernelError {
        KernelError { kind: KernelErrorKind::Unsupported, message: message.into(), at: at.into() }
    }

    /// An instruction that is not allowed in a valid OpenCL module.
    pub fn rejected(at: impl Into<Inst>, message: impl Into<String>) -> KernelError {
        KernelError { kind: KernelErrorKind::Rejected, message: message.into(), at: at.into() }
    }

    /// Something that is imported and not defined.
    pub fn undefined(at: impl Into<Inst>, message: impl Into<String>) -> KernelError {
        KernelError { kind: KernelErrorKind::Undefined, message: message.into(), at: at.into() }
    }

    /// An exceeded limit.
    pub fn limit(at: impl Into<Inst>, message: impl Into<String>) -> KernelError {
        KernelError { kind: KernelErrorKind::Limit, message: message.into(), at: at.into() }
    }

    /// Options that ask for something that the module does not have.
    pub fn options(at: impl Into<Inst>, message: impl Into<String>) -> KernelError {
        KernelError { kind: KernelErrorKind::Options, message: message.into(), at: at.into() }
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for KernelError {}
