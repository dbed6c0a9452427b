//! Errors of Vulkan.

use std::fmt;
use std::time::Duration;

use ash::vk;
use reconverge_diagnostic::Code;

const DEVICE: &str = "choose another device with --device, or use --on interpreter, which needs no GPU";

reconverge_diagnostic::codes! {
    /// Codes of launches on Vulkan.
    pub enum VulkanCode in "Vulkan" {
        NoLoader = "vulkan-no-loader" System
            "The Vulkan loader is not installed."
            "install it (Debian: libvulkan1), or use --on interpreter";
        OldLoader = "vulkan-old-loader" System
            "The Vulkan loader is too old."
            "install a newer one";
        MissingLayer = "vulkan-missing-layer" System
            "The validation layer is not installed."
            "install it (Debian: vulkan-validationlayers), or leave out --validation";
        NoDevice = "vulkan-no-device" System
            "There is no Vulkan device."
            "install a driver (Debian: mesa-vulkan-drivers has one for the CPU), or use --on interpreter";
        DeviceNotFound = "vulkan-device-not-found" Rejected
            "No device has this number or name."
            "leave out --device to take the first; the message lists the devices";
        OldDevice = "vulkan-old-device" System
            "The device does not support Vulkan 1.2."
            DEVICE;
        NoComputeQueue = "vulkan-no-compute-queue" System
            "The device has no queue for compute shaders."
            DEVICE;
        MissingFeature = "vulkan-missing-feature" System
            "The device lacks a feature that the kernel needs."
            DEVICE;
        MissingExtension = "vulkan-missing-extension" System
            "The device lacks an extension that the kernel needs."
            DEVICE;
        UnknownFeature = "vulkan-unknown-feature" Rejected
            "The reflection names a feature that this version does not know."
            "compile the kernel with this version";
        Limit = "vulkan-limit" Limit
            "The launch exceeds a limit of the device."
            "make the launch smaller";
        BadRequest = "vulkan-bad-request" Rejected
            "The launch does not fit the kernel."
            "docs/launch.md has the grammar";
        Rejected = "vulkan-rejected" System
            "The driver rejected the shader."
            "report it with the output of `spirv-val`, which shows whether the shader is valid";
        OutOfMemory = "vulkan-out-of-memory" System
            "The host or the device ran out of memory."
            "make the launch smaller";
        Timeout = "vulkan-timeout" Limit
            "The device did not finish in time."
            "raise --timeout, or make the launch smaller";
        DeviceLost = "vulkan-device-lost" System
            "The device stopped working."
            "run the kernel with --on interpreter, which reports accesses out of bounds";
        Validation = "vulkan-validation" System
            "The validation layer found errors."
            "report it, with the messages";
        Driver = "vulkan-driver" System
            "A call to the driver failed."
            "try again, or try another device";
    }
}

/// The reason why something could not run. [`VulkanError::code`] identifies the kind for programs, `Display` describes the case for people.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VulkanError {
    /// The Vulkan loader library is not installed.
    NoLoader {
        /// The error of the system.
        reason: String,
    },
    /// The loader is older than Vulkan 1.2.
    OldLoader {
        /// Its version, as `1.1.0`.
        version: String,
    },
    /// The validation layer was requested, but is not installed.
    MissingLayer {
        /// Its name.
        layer: &'static str,
    },
    /// The loader found no device.
    NoDevice,
    /// No device matches the choice.
    DeviceNotFound {
        /// The choice.
        wanted: String,
        /// The names of the available devices, by index.
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
    /// The device lacks a required feature.
    MissingFeature {
        /// The feature, by its name in the Vulkan specification.
        feature: String,
        /// The name of the device.
        device: String,
    },
    /// The device lacks a required extension.
    MissingExtension {
        /// The name of the extension.
        extension: String,
        /// The name of the device.
        device: String,
    },
    /// The feature is not known to this crate, so it cannot be required.
    UnknownFeature {
        /// The required feature.
        feature: String,
    },
    /// Something exceeds a limit of the device.
    Limit {
        /// The limited quantity.
        what: &'static str,
        /// The requested amount.
        wanted: u64,
        /// The limit of the device.
        limit: u64,
    },
    /// The arguments of the caller contradict each other.
    BadRequest {
        /// The error, in a sentence without a full stop.
        message: String,
    },
    /// The driver rejected the shader.
    Rejected {
        /// The error of the driver.
        reason: String,
    },
    /// Memory of the host or of the device ran out.
    OutOfMemory {
        /// The purpose of the memory.
        what: &'static str,
    },
    /// The work did not finish in time. The device is unusable: the work may still be running.
    Timeout {
        /// The time limit.
        limit: Duration,
    },
    /// The device stopped working and is unusable.
    DeviceLost,
    /// The validation layer found errors.
    Validation {
        /// Its messages at level error, in their order.
        messages: Vec<String>,
    },
    /// A call failed unexpectedly.
    Driver {
        /// The purpose of the call.
        what: &'static str,
        /// The error of the driver.
        reason: String,
    },
}

impl VulkanError {
    /// The declaration of its code.
    pub fn code(&self) -> &'static Code {
        match self {
            VulkanError::NoLoader { .. } => VulkanCode::NoLoader.declared(),
            VulkanError::OldLoader { .. } => VulkanCode::OldLoader.declared(),
            VulkanError::MissingLayer { .. } => VulkanCode::MissingLayer.declared(),
            VulkanError::NoDevice => VulkanCode::NoDevice.declared(),
            VulkanError::DeviceNotFound { .. } => VulkanCode::DeviceNotFound.declared(),
            VulkanError::OldDevice { .. } => VulkanCode::OldDevice.declared(),
            VulkanError::NoComputeQueue { .. } => VulkanCode::NoComputeQueue.declared(),
            VulkanError::MissingFeature { .. } => VulkanCode::MissingFeature.declared(),
            VulkanError::MissingExtension { .. } => VulkanCode::MissingExtension.declared(),
            VulkanError::UnknownFeature { .. } => VulkanCode::UnknownFeature.declared(),
            VulkanError::Limit { .. } => VulkanCode::Limit.declared(),
            VulkanError::BadRequest { .. } => VulkanCode::BadRequest.declared(),
            VulkanError::Rejected { .. } => VulkanCode::Rejected.declared(),
            VulkanError::OutOfMemory { .. } => VulkanCode::OutOfMemory.declared(),
            VulkanError::Timeout { .. } => VulkanCode::Timeout.declared(),
            VulkanError::DeviceLost => VulkanCode::DeviceLost.declared(),
            VulkanError::Validation { .. } => VulkanCode::Validation.declared(),
            VulkanError::Driver { .. } => VulkanCode::Driver.declared(),
        }
    }

    /// Converts the result of a driver call that did `what`.
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
                // A statically linked program cannot open a library.
                if cfg!(all(target_env = "musl", target_feature = "crt-static")) {
                    return formatter.write_str("this build is statically linked and cannot open the Vulkan loader; use a dynamically linked build");
                }
                write!(formatter, "no Vulkan loader on this machine ({reason}); on Debian, `apt-get install libvulkan1`")
            }
            VulkanError::OldLoader { version } => {
                write!(formatter, "the Vulkan loader has version {version}; 1.2 or newer is needed")
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
            VulkanError::NoComputeQueue { device } => write!(formatter, "{device} does not support compute shaders"),
            VulkanError::MissingFeature { feature, device } => write!(formatter, "{device} lacks the feature {feature}"),
            VulkanError::MissingExtension { extension, device } => {
                write!(formatter, "{device} lacks the extension {extension}")
            }
            VulkanError::UnknownFeature { feature } => write!(formatter, "unknown device feature {feature}"),
            VulkanError::Limit { what, wanted, limit } => {
                write!(formatter, "{what}: the launch needs {wanted}, the device allows {limit}")
            }
            VulkanError::BadRequest { message } => formatter.write_str(message),
            VulkanError::Rejected { reason } => write!(formatter, "the driver did not accept the shader: {reason}"),
            VulkanError::OutOfMemory { what } => write!(formatter, "out of memory: {what}"),
            VulkanError::Timeout { limit } => write!(formatter, "the kernel did not finish within {limit:?}"),
            VulkanError::DeviceLost => formatter.write_str("the device stopped working"),
            VulkanError::Validation { messages } => {
                write!(formatter, "the validation layer found errors:\n{}", messages.join("\n"))
            }
            VulkanError::Driver { what, reason } => write!(formatter, "could not {what}: {reason}"),
        }
    }
}

impl std::error::Error for VulkanError {}
