//! Errors of launches.

use std::fmt;

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
    /// The CPU engine does not support the kernel, or the kernel ended early.
    Cpu(String),
}

impl RunError {
    pub(crate) fn launch(message: impl Into<String>) -> RunError {
        RunError::Launch(message.into())
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            RunError::Launch(_) => "run-launch",
            RunError::NoKernel(_) => "run-no-kernel",
            RunError::Vulkan(error) => error.code(),
            RunError::Cpu(_) => "run-cpu",
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
            RunError::Launch(message) | RunError::NoKernel(message) | RunError::Cpu(message) => {
                formatter.write_str(message)
            }
            RunError::Vulkan(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for RunError {}
