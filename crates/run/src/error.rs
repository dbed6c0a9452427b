//! Errors of launches.

use std::fmt;

use reconverge_codegen::{CodegenCode, CodegenError, CpuCode, InstructionText, Vc4Code};
use reconverge_diagnostic::Code;

use crate::CpuFailure;
use crate::launch::LaunchError;
use crate::vulkan::VulkanError;

reconverge_diagnostic::codes! {
    /// Codes of launches that do not run, or do not finish.
    pub enum RunCode in "Running" {
        Launch = "run-launch" Rejected
            "The launch is wrong, or does not fit the kernel (exit code 2 if flags state it, 1 if only a file does)."
            "docs/launch.md has the grammar; the message says what the kernel expects";
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

/// The reason why a launch did not run, or did not finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The launch does not fit the kernel, or is invalid.
    Launch(String),
    /// The module has no OpenCL kernel.
    NoKernel(String),
    /// Vulkan cannot run it: no loader, no device, a missing feature, a failed device.
    Vulkan(VulkanError),
    /// The CPU engine does not support the kernel, or this machine does not support the engine.
    CpuUnsupported {
        /// The construct that is not supported.
        message: String,
        /// The place, if it is an instruction.
        place: Box<InstructionText>,
    },
    /// The kernel had undefined behaviour that the CPU engine notices.
    CpuEnded(Box<CpuFailure>),
    /// The kernel did not end within the time limit of the CPU engine.
    CpuTime,
    /// The VC4 does not have what the kernel needs, or the compiler does not support it there.
    Vc4Unsupported {
        /// The construct that is not supported.
        message: String,
        /// The place, if it is an instruction.
        place: Box<InstructionText>,
    },
    /// The kernel is too large for the VC4, or takes too long on its emulator.
    Vc4Limit(String),
    /// The emulator of the VC4 stopped: the kernel left its buffers, or the code breaks a rule of the chip.
    Vc4Fault(String),
}

impl RunError {
    pub(crate) fn launch(message: impl Into<String>) -> RunError {
        RunError::Launch(message.into())
    }

    /// The error of code generation for this CPU.
    pub(crate) fn of_cpu(error: CodegenError) -> RunError {
        match error.code == CodegenCode::Request {
            true => RunError::Launch(error.message),
            false => RunError::CpuUnsupported { message: error.message, place: error.place },
        }
    }

    /// The error of code generation for the VC4.
    pub(crate) fn of_vc4(error: CodegenError) -> RunError {
        match error.code {
            code if code == CodegenCode::Request => RunError::Launch(error.message),
            code if code == Vc4Code::Limit => RunError::Vc4Limit(error.message),
            _ => RunError::Vc4Unsupported { message: error.message, place: error.place },
        }
    }

    /// The declaration of its code.
    pub fn code(&self) -> &'static Code {
        match self {
            RunError::Launch(_) => RunCode::Launch.declared(),
            RunError::NoKernel(_) => RunCode::NoKernel.declared(),
            RunError::Vulkan(error) => error.code(),
            RunError::CpuUnsupported { .. } => CpuCode::Unsupported.declared(),
            RunError::CpuEnded(failure) => failure.behaviour.declared(),
            RunError::CpuTime => RunCode::Time.declared(),
            RunError::Vc4Unsupported { .. } => Vc4Code::Unsupported.declared(),
            RunError::Vc4Limit(_) => Vc4Code::Limit.declared(),
            RunError::Vc4Fault(_) => RunCode::Vc4Fault.declared(),
        }
    }
}

impl From<LaunchError> for RunError {
    fn from(error: LaunchError) -> RunError {
        RunError::Launch(error.to_string())
    }
}

impl From<reconverge_interpret::LaunchError> for RunError {
    fn from(error: reconverge_interpret::LaunchError) -> RunError {
        RunError::Launch(error.to_string())
    }
}

impl From<VulkanError> for RunError {
    fn from(error: VulkanError) -> RunError {
        RunError::Vulkan(error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Launch(message)
            | RunError::NoKernel(message)
            | RunError::CpuUnsupported { message, .. }
            | RunError::Vc4Unsupported { message, .. }
            | RunError::Vc4Limit(message)
            | RunError::Vc4Fault(message) => formatter.write_str(message),
            RunError::CpuEnded(failure) => failure.fmt(formatter),
            RunError::CpuTime => formatter.write_str("the kernel did not end within the time limit"),
            RunError::Vulkan(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for RunError {}
