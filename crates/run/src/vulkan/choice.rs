//! The choice of a device, and its required features.

use std::fmt;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::error::error;
use crate::vulkan::features::subgroup_feature;
use crate::vulkan::{DeviceDescription, VulkanCode, known_features};

/// The feature that gives buffers addresses.
pub(crate) const ADDRESSES: &str = "bufferDeviceAddress";

/// The device to open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DeviceChoice {
    /// The first one with all requirements; hardware before software.
    #[default]
    Default,
    /// The one at this index in [`crate::vulkan::Instance::devices`].
    Index(usize),
    /// The first one whose name contains this text, ignoring case.
    Name(String),
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Default => formatter.write_str("the default"),
            DeviceChoice::Index(index) => write!(formatter, "number {index}"),
            DeviceChoice::Name(name) => write!(formatter, "named \"{name}\""),
        }
    }
}

/// The requirements on a device. `bufferDeviceAddress` is always required.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Requirements<'a> {
    /// Device features by their names in the Vulkan specification; see [`crate::vulkan::known_features`].
    pub features: &'a [&'a str],
    /// Device extensions by name. Extensions of required features need not be named.
    pub extensions: &'a [&'a str],
    /// Kinds of operations that its subgroups must support in compute shaders: `arithmetic`, `ballot`, `basic`, `clustered`, `quad`,
    /// `shuffle`, `shuffleRelative`, `vote`. Errors name a missing kind `VK_SUBGROUP_FEATURE_..._BIT`.
    pub subgroup_operations: &'a [&'a str],
    /// The memory of buffers while a shader runs.
    pub memory: MemoryPlacement,
}

/// The memory of buffers while a shader runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MemoryPlacement {
    /// Memory that host and device share, if there is memory that is fast for both, else as [`MemoryPlacement::Staged`].
    #[default]
    Automatic,
    /// Device memory; the device copies contents in and out.
    Staged,
}

impl Requirements<'_> {
    /// Checks that a device meets the requirements.
    pub(crate) fn check(&self, device: &DeviceDescription) -> Result<(), Diagnostic> {
        if device.packed_version() < vk::API_VERSION_1_2 {
            return Err(error(
                VulkanCode::OldDevice,
                format!("{} has Vulkan {}; 1.2 or newer is needed", device.name, device.version()),
            ));
        }
        for &feature in self.features.iter().chain([&ADDRESSES]) {
            if known_features().all(|known| known != feature) {
                return Err(unknown_feature(feature));
            }
            Self::check_feature(device, feature)?;
        }
        for &operation in self.subgroup_operations {
            let unknown = || unknown_feature(operation);
            Self::check_feature(device, subgroup_feature(operation).ok_or_else(unknown)?)?;
        }
        match self.extensions.iter().find(|&&name| device.extensions.iter().all(|extension| extension != name)) {
            Some(missing) => {
                let message = format!("{} lacks the extension {missing}", device.name);
                Err(error(VulkanCode::MissingExtension, message))
            }
            None => Ok(()),
        }
    }

    fn check_feature(device: &DeviceDescription, feature: &str) -> Result<(), Diagnostic> {
        match device.features.contains(&feature) {
            true => Ok(()),
            false => {
                let message = format!("{} lacks the feature {feature}", device.name);
                Err(error(VulkanCode::MissingFeature, message))
            }
        }
    }
}

/// A feature that this crate does not know, so that it cannot be required.
fn unknown_feature(feature: &str) -> Diagnostic {
    error(VulkanCode::UnknownFeature, format!("unknown device feature {feature}"))
}
