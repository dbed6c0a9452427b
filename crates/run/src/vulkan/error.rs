//! Why something could not be run on Vulkan.

use std::fmt;
use std::time::Duration;

use ash::vk;

/// Why something could not be run. [`VulkanError::code`] names the kind for programs, `Display` the case for people.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VulkanError {
    /// The Vulkan loader library is not on this machine.
    NoLoader {
        /// What the system said.
        reason: String,
    },
    /// The loader is older than Vulkan 1.2.
    OldLoader {
        /// Its version, as `1.1.0`.
        version: String,
    },
    /// The validation layer is asked for and not installed.
    MissingLayer {
        /// Its name.
        layer: &'static str,
    },
    /// The loader found no device.
    NoDevice,
    /// No device is the one that was asked for.
    DeviceNotFound {
        /// What was asked for.
        wanted: String,
        /// The names of those present, in the order of their indices.
        present: Vec<String>,
    },
    /// The device is older than Vulkan 1.2.
    OldDevice {
        /// Its name.
        device: String,
        /// Its version, as `1.1.0`.
        version: String,
    },
    /// The device has no queue that runs compute shaders.
    NoComputeQueue {
        /// Its name.
        device: String,
    },
    /// The device lacks a feature that is required.
    MissingFeature {
        /// The feature, by its name in the Vulkan specification.
        feature: String,
        /// The name of the device.
        device: String,
    },
    /// The device lacks an extension that is required.
    MissingExtension {
        /// The name of the extension.
        extension: String,
        /// The name of the device.
        device: String,
    },
    /// This crate does not know the feature, so that it cannot be asked for.
    UnknownFeature {
        /// The feature that was asked for.
        feature: String,
    },
    /// Something is larger than the device allows.
    Limit {
        /// What is limited.
        what: &'static str,
        /// How much was asked for.
        wanted: u64,
        /// The most that the device allows.
        limit: u64,
    },
    /// What the caller gave does not fit together.
    BadRequest {
        /// What is wrong, in a sentence without a full stop.
        message: String,
    },
    /// The driver did not accept the shader.
    Rejected {
        /// What the driver answered.
        reason: String,
    },
    /// Memory of the host or of the device ran out.
    OutOfMemory {
        /// What it was for.
        what: &'static str,
    },
    /// The work did not end in time. The device cannot be used any more: the work may still go on.
    Timeout {
        /// The time that it had.
        limit: Duration,
    },
    /// The device stopped working. It cannot be used any more.
    DeviceLost,
    /// The validation layer found errors.
    Validation {
        /// Its messages at level error, in the order in which they came.
        messages: Vec<String>,
    },
    /// A call that should not fail did.
    Driver {
        /// What was to be done.
        what: &'static str,
        /// What the driver answered.
        reason: String,
    },
}

impl VulkanError {
    /// A name of the kind of error that does not change between versions.
    pub fn code(&self) -> &'static str {
        match self {
            VulkanError::NoLoader { .. } => "vulkan-no-loader",
            VulkanError::OldLoader { .. } => "vulkan-old-loader",
            VulkanError::MissingLayer { .. } => "vulkan-missing-layer",
            VulkanError::NoDevice => "vulkan-no-device",
            VulkanError::DeviceNotFound { .. } => "vulkan-device-not-found",
            VulkanError::OldDevice { .. } => "vulkan-old-device",
            VulkanError::NoComputeQueue { .. } => "vulkan-no-compute-queue",
            VulkanError::MissingFeature { .. } => "vulkan-missing-feature",
            VulkanError::MissingExtension { .. } => "vulkan-missing-extension",
            VulkanError::UnknownFeature { .. } => "vulkan-unknown-feature",
            VulkanError::Limit { .. } => "vulkan-limit",
            VulkanError::BadRequest { .. } => "vulkan-bad-request",
            VulkanError::Rejected { .. } => "vulkan-rejected",
            VulkanError::OutOfMemory { .. } => "vulkan-out-of-memory",
            VulkanError::Timeout { .. } => "vulkan-timeout",
            VulkanError::DeviceLost => "vulkan-device-lost",
            VulkanError::Validation { .. } => "vulkan-validation",
            VulkanError::Driver { .. } => "vulkan-driver",
        }
    }

    /// Reads the answer of a driver to a call that did `what`.
    pub(crate) fn from_result(what: &'static str, result: vk::Result) -> VulkanError {
        match result {
            vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => {
                VulkanError::OutOfMemory { what }
            }
            vk::Result::ERROR_DEVICE_LOST => VulkanError::DeviceLost,
            other => VulkanError::Driver { what, reason: other.to_string() },
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> VulkanError {
        VulkanError::BadRequest { message: message.into() }
    }
}

impl fmt::Display for VulkanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VulkanError::NoLoader { reason } => {
                // What is linked statically as a whole cannot open a library, whatever is installed.
                if cfg!(all(target_env = "musl", target_feature = "crt-static")) {
                    return formatter.write_str("this build shares no libraries, and so opens no Vulkan loader; another does");
                }
                write!(formatter, "no Vulkan loader on this machine ({reason}); on Debian, `apt-get install libvulkan1`")
            }
            VulkanError::OldLoader { version } => {
                write!(formatter, "the Vulkan loader is of version {version}; 1.2 or newer is needed")
            }
            VulkanError::MissingLayer { layer } => {
                write!(formatter, "{layer} is not installed; on Debian, `apt-get install vulkan-validationlayers`")
            }
            VulkanError::NoDevice => formatter.write_str(
                "no Vulkan device on this machine; for one in software, on Debian, `apt-get install mesa-vulkan-drivers`",
            ),
            VulkanError::DeviceNotFound { wanted, present } => {
                write!(formatter, "no device is {wanted}; there are: {}", present.join(", "))
            }
            VulkanError::OldDevice { device, version } => {
                write!(formatter, "{device} has Vulkan {version}; 1.2 or newer is needed")
            }
            VulkanError::NoComputeQueue { device } => write!(formatter, "{device} runs no compute shaders"),
            VulkanError::MissingFeature { feature, device } => write!(formatter, "{device} lacks the feature {feature}"),
            VulkanError::MissingExtension { extension, device } => {
                write!(formatter, "{device} lacks the extension {extension}")
            }
            VulkanError::UnknownFeature { feature } => write!(formatter, "unknown device feature {feature}"),
            VulkanError::Limit { what, wanted, limit } => {
                write!(formatter, "{what}: {wanted} wanted, the device allows {limit}")
            }
            VulkanError::BadRequest { message } => formatter.write_str(message),
            VulkanError::Rejected { reason } => write!(formatter, "the driver did not accept the shader: {reason}"),
            VulkanError::OutOfMemory { what } => write!(formatter, "out of memory: {what}"),
            VulkanError::Timeout { limit } => write!(formatter, "the work did not end within {limit:?}"),
            VulkanError::DeviceLost => formatter.write_str("the device stopped working"),
            VulkanError::Validation { messages } => {
                write!(formatter, "the validation layer found errors:\n{}", messages.join("\n"))
            }
            VulkanError::Driver { what, reason } => write!(formatter, "could not {what}: {reason}"),
        }
    }
}

impl std::error::Error for VulkanError {}
