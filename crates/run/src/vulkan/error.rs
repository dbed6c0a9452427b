//! Errors of Vulkan.

use ash::vk;
use reconverge_diagnostic::{Diagnostic, Place};

const DEVICE: &str = "choose another device with --device, or use --on interpreter, which needs no GPU";

reconverge_diagnostic::codes! {
    /// Codes of launches on Vulkan.
    pub enum VulkanCode in "Vulkan" {
        NoLoader = "vulkan-no-loader" System
            "The Vulkan loader is not installed."
            "install it (Debian: libvulkan1), or use --on interpreter";
        OldLoader = "vulkan-old-loader" System
            "The Vulkan loader is too old."
            "install a newer one (Debian: libvulkan1), or use --on interpreter";
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
            "see the grammar in docs/launch.md";
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

/// An error about no place of an input: those of Vulkan are about machines and launches.
pub(crate) fn error(code: VulkanCode, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Place::Whole, message)
}

/// A request whose parts contradict each other, in a sentence without a full stop.
pub(crate) fn bad_request(message: impl Into<String>) -> Diagnostic {
    error(VulkanCode::BadRequest, message)
}

/// A quantity of a launch that exceeds the limit of the device.
pub(crate) fn limit(what: &'static str, wanted: u64, limit: u64) -> Diagnostic {
    error(VulkanCode::Limit, format!("{what}: the launch needs {wanted}, the device allows {limit}"))
}

/// A loader without devices.
pub(crate) fn no_device() -> Diagnostic {
    let message =
        "no Vulkan device on this machine; for one in software, on Debian, `apt-get install mesa-vulkan-drivers`";
    error(VulkanCode::NoDevice, message)
}

/// A device that can do no more work.
pub(crate) fn device_lost() -> Diagnostic {
    error(VulkanCode::DeviceLost, "the device stopped working")
}

/// Memory of the host or of the device that ran out.
pub(crate) fn out_of_memory(what: &'static str) -> Diagnostic {
    error(VulkanCode::OutOfMemory, format!("out of memory: {what}"))
}

/// The error of a driver call that did `what`.
pub(crate) fn from_result(what: &'static str, result: vk::Result) -> Diagnostic {
    match result {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => out_of_memory(what),
        vk::Result::ERROR_DEVICE_LOST => device_lost(),
        other => error(VulkanCode::Driver, format!("could not {what}: {other}")),
    }
}
