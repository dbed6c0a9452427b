//! The properties of a device, before it is opened.

use std::ffi::CStr;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::DeviceLimits;
use crate::vulkan::error::from_result;
use crate::vulkan::features::{self, Features, Properties};

/// A device as described by its driver.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DeviceDescription {
    /// Its index in [`crate::vulkan::Instance::devices`].
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its driver, with the driver's version; empty for a device older than Vulkan 1.2.
    pub driver: String,
    /// Hardware or software.
    pub kind: DeviceKind,
    /// Its version of Vulkan: major, minor, patch.
    pub api_version: [u32; 3],
    /// The default size of a subgroup.
    pub subgroup_size: u32,
    /// The smallest and the largest subgroup size that a shader can require; both are `subgroup_size` if it cannot.
    pub subgroup_sizes: [u32; 2],
    /// The limits of a dispatch.
    pub limits: DeviceLimits,
    /// Its features among [`crate::vulkan::known_features`], in that order; none for a device older than Vulkan 1.2.
    pub features: Vec<&'static str>,
    /// Its extensions, sorted.
    pub extensions: Vec<String>,
}

/// Hardware or software.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DeviceKind {
    /// A GPU with its own memory.
    Discrete,
    /// A GPU that shares memory with the host.
    Integrated,
    /// A GPU inside a virtual machine.
    Virtual,
    /// Software on the processor.
    Software,
    /// Anything else.
    Other,
}

impl DeviceDescription {
    pub(crate) fn read(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        index: usize,
    ) -> Result<DeviceDescription, Diagnostic> {
        // SAFETY: the device is one that this instance enumerated.
        let base = unsafe { instance.get_physical_device_properties(physical) };
        let extensions = extensions(instance, physical)?;
        let mut description = DeviceDescription {
            index,
            name: text(&base.device_name),
            driver: String::new(),
            kind: kind(base.device_type),
            api_version: version(base.api_version),
            subgroup_size: 1,
            subgroup_sizes: [1, 1],
            limits: DeviceLimits::new(&base.limits, u64::MAX),
            features: Vec::new(),
            extensions,
        };
        if base.api_version >= vk::API_VERSION_1_2 {
            description.read_properties(instance, physical, base.api_version);
        }
        Ok(description)
    }

    fn read_properties(&mut self, instance: &ash::Instance, physical: vk::PhysicalDevice, api_version: u32) {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut floats = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut maintenance = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut driver)
            .push_next(&mut floats)
            .push_next(&mut maintenance)
            .push_next(&mut subgroup);
        if api_version >= vk::API_VERSION_1_3 {
            properties = properties.push_next(&mut sizes);
        }
        // SAFETY: every struct of the chain is known to a device of this version, and they all live.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let limits = properties.properties.limits;
        self.driver = [text(&driver.driver_name), text(&driver.driver_info)].join(" ").trim().to_owned();
        self.subgroup_size = subgroup.subgroup_size;
        self.subgroup_sizes = match sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE) {
            true => [sizes.min_subgroup_size, sizes.max_subgroup_size],
            false => [subgroup.subgroup_size; 2],
        };
        self.limits = DeviceLimits::new(&limits, maintenance.max_memory_allocation_size);
        floats.p_next = std::ptr::null_mut();
        let properties = Properties { subgroup: subgroup_features(&subgroup), floats };
        self.features = self.read_features(instance, physical, api_version, &properties);
    }

    fn read_features(
        &self,
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        api_version: u32,
        properties: &Properties,
    ) -> Vec<&'static str> {
        let mut features = Features::default();
        let mut chain = features.chain(api_version, |name| self.has_extension(name));
        // SAFETY: every struct of the chain is known to a device of this version with these extensions, and they all live.
        unsafe { instance.get_physical_device_features2(physical, &mut chain) };
        let core = chain.features;
        features.set_core(core);
        features::names(&mut features, properties)
    }

    pub(crate) fn has_extension(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|extension| extension.as_bytes() == name.to_bytes())
    }

    /// `api_version` as Vulkan packs it.
    pub(crate) fn packed_version(&self) -> u32 {
        let [major, minor, patch] = self.api_version;
        vk::make_api_version(0, major, minor, patch)
    }

    /// `api_version` as `1.3.230`.
    pub fn version(&self) -> String {
        version_text(self.packed_version())
    }
}

/// Subgroup operations that compute shaders can use.
fn subgroup_features(subgroup: &vk::PhysicalDeviceSubgroupProperties<'_>) -> vk::SubgroupFeatureFlags {
    match subgroup.supported_stages.contains(vk::ShaderStageFlags::COMPUTE) {
        true => subgroup.supported_operations,
        false => vk::SubgroupFeatureFlags::empty(),
    }
}

fn extensions(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Result<Vec<String>, Diagnostic> {
    // SAFETY: the device is one that this instance enumerated.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }
        .map_err(|result| from_result("list the extensions of a device", result))?;
    let mut names: Vec<String> = extensions.iter().map(|extension| text(&extension.extension_name)).collect();
    names.sort_unstable();
    Ok(names)
}

fn kind(kind: vk::PhysicalDeviceType) -> DeviceKind {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => DeviceKind::Discrete,
        vk::PhysicalDeviceType::INTEGRATED_GPU => DeviceKind::Integrated,
        vk::PhysicalDeviceType::VIRTUAL_GPU => DeviceKind::Virtual,
        vk::PhysicalDeviceType::CPU => DeviceKind::Software,
        _ => DeviceKind::Other,
    }
}

fn version(packed: u32) -> [u32; 3] {
    [vk::api_version_major(packed), vk::api_version_minor(packed), vk::api_version_patch(packed)]
}

pub(crate) fn version_text(packed: u32) -> String {
    version(packed).map(|number| number.to_string()).join(".")
}

/// A name that Vulkan keeps in an array of fixed size, up to its zero.
pub(crate) fn text(name: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = name.iter().map(|&byte| byte.cast_unsigned()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
