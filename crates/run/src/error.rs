//! Errors of launches.

use std::fmt;

use reconverge_codegen::{CodegenError, CodegenErrorKind, InstructionText};

use crate::CpuFailure;
use crate::launch::LaunchError;
use crate::vulkan::VulkanError;

/// Why a launch did not run, or did not finish.
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
        /// What is not supported.
        message: String,
        /// Where it is, if it is an instruction.
        place: Box<InstructionText>,
    },
    /// The kernel had undefined behaviour that the CPU engine notices.
    CpuEnded(Box<CpuFailure>),
    /// The kernel did not end within the time limit of the CPU engine.
    CpuTime,
    /// The VC4 does not have what the kernel needs, or the compiler does not support it there.
    Vc4Unsupported {
        /// What is not supported.
        message: String,
        /// Where it is, if it is an instruction.
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
        match error.kind {
            CodegenErrorKind::Request => RunError::Launch(error.message),
            CodegenErrorKind::Unsupported | CodegenErrorKind::Limit => {
                RunError::CpuUnsupported { message: error.message, place: error.place }
            }
        }
    }

    /// The error of code generation for the VC4.
    pub(crate) fn of_vc4(error: CodegenError) -> RunError {
        match error.kind {
            CodegenErrorKind::Request => RunError::Launch(error.message),
            CodegenErrorKind::Unsupported => RunError::Vc4Unsupported { message: error.message, place: error.place },
            CodegenErrorKind::Limit => RunError::Vc4Limit(error.message),
        }
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            RunError::Launch(_) => "run-launch",
            RunError::NoKernel(_) => "run-no-kernel",
            RunError::Vulkan(error) => error.code(),
            RunError::CpuUnsupported { .. } => "run-cpu-unsupported",
            RunError::CpuEnded(failure) => failure.behaviour.code(),
            RunError::CpuTime => "run-time",
            RunError::Vc4Unsupported { .. } => "vc4-unsupported",
            RunError::Vc4Limit(_) => "vc4-limit",
            RunError::Vc4Fault(_) => "run-vc4-fault",
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
