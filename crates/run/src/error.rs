//! Errors of launches.

use std::fmt;

use reconverge_codegen::{CodegenCode, CodegenError, CpuCode, Vc4Code};
use reconverge_diagnostic::{Code, Diagnostic, Place};
use reconverge_interpret::LaunchCode;

use crate::CpuFailure;

reconverge_diagnostic::codes! {
    /// Codes of launches that do not run, or do not finish.
    pub enum RunCode in "Running" {
        NoKernel = "run-no-kernel" Rejected
            "The module has no OpenCL kernel."
            "give the module that clang writes for OpenCL C, before it is compiled";
        Time = "run-time" Limit
            "The kernel did not end within the time limit."
            "raise --timeout, or find the infinite loop with --on interpreter --fuel N";
        Vc4Fault = "run-vc4-fault" Rejected
            "The emulator of the VC4 stopped: the kernel left its buffers, or waits forever."
            "--on interpreter reports undefined behaviour with its place";
    }
}

/// The reason why a launch did not run, or did not finish. It is an enumeration because two cases have more than a message: the place of the
/// instruction in words, and the access that was undefined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The launch does not fit the kernel, is invalid, exceeds a limit of its engine, or the engine failed. The code says which.
    Failed(Diagnostic),
    /// The engine has no code for the kernel.
    NoCode(CodegenError),
    /// The kernel had undefined behaviour that the CPU engine notices.
    CpuEnded(Box<CpuFailure>),
}

impl RunError {
    /// A launch that does not fit the kernel, or is invalid.
    pub fn launch(message: impl Into<String>) -> RunError {
        RunError::new(LaunchCode::Launch, message)
    }

    /// A module without an OpenCL kernel.
    pub fn no_kernel(message: impl Into<String>) -> RunError {
        RunError::new(RunCode::NoKernel, message)
    }

    pub(crate) fn new(code: impl Into<&'static Code>, message: impl Into<String>) -> RunError {
        RunError::Failed(Diagnostic::new(code, Place::Whole, message))
    }

    /// The error of code generation for this CPU.
    pub(crate) fn of_cpu(error: CodegenError) -> RunError {
        match error.code == CodegenCode::Request {
            true => RunError::launch(error.message),
            false => RunError::NoCode(CodegenError { code: CpuCode::Unsupported.declared(), ..error }),
        }
    }

    /// The error of code generation for the VC4.
    pub(crate) fn of_vc4(error: CodegenError) -> RunError {
        match error.code {
            code if code == CodegenCode::Request => RunError::launch(error.message),
            code if code == Vc4Code::Limit => RunError::NoCode(error),
            _ => RunError::NoCode(CodegenError { code: Vc4Code::Unsupported.declared(), ..error }),
        }
    }

    /// The declaration of its code.
    pub fn code(&self) -> &'static Code {
        match self {
            RunError::Failed(error) => error.code,
            RunError::NoCode(error) => error.code,
            RunError::CpuEnded(failure) => failure.behaviour.declared(),
        }
    }

    /// Returns whether it has this code.
    pub fn is(&self, code: impl Into<&'static Code>) -> bool {
        self.code() == code.into()
    }
}

impl From<Diagnostic> for RunError {
    fn from(error: Diagnostic) -> RunError {
        RunError::Failed(error)
    }
}

/// The message, without its code.
impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Failed(error) => formatter.write_str(&error.message),
            RunError::NoCode(error) => error.fmt(formatter),
            RunError::CpuEnded(failure) => failure.fmt(formatter),
        }
    }
}

impl std::error::Error for RunError {}
