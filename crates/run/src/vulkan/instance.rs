//! The connection to Vulkan: the loader, the validation layer and the devices.

use std::ffi::CStr;
use std::sync::Arc;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::description::{text, version_text};
use crate::vulkan::error::{error, from_result, no_device};
use crate::vulkan::messages::Messages;
use crate::vulkan::{Device, DeviceChoice, DeviceDescription, Requirements, VulkanCode};

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// The options of a connection to Vulkan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstanceOptions {
    /// The use of the validation layer.
    pub validation: Validation,
}

/// The use of the validation layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Validation {
    /// It is not loaded.
    #[default]
    Off,
    /// An error that it reports is an error of the call that caused it.
    On,
}

/// A connection to Vulkan.
pub struct Instance {
    shared: Arc<SharedInstance>,
}

/// The part of an instance that its devices keep alive.
pub(crate) struct SharedInstance {
    pub(crate) raw: ash::Instance,
    pub(crate) messages: Box<Messages>,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// The loader library, which must stay loaded while its functions are called.
    _entry: ash::Entry,
}

impl Instance {
    /// Loads the Vulkan loader, which loads the drivers.
    ///
    /// # Errors
    /// [`VulkanCode::NoLoader`], [`VulkanCode::OldLoader`], [`VulkanCode::MissingLayer`], [`VulkanCode::NoDevice`] if there is no
    /// driver at all, or the error of a driver.
    pub fn new(options: &InstanceOptions) -> Result<Instance, Diagnostic> {
        // SAFETY: the library of that name is the Vulkan loader, whose initialization may run at any time.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| no_loader(&error))?;
        check_version(&entry)?;
        let messages = Box::<Messages>::default();
        let raw = create(&entry, options.validation, &messages)?;
        let messenger = match options.validation {
            Validation::Off => None,
            Validation::On => {
                let functions = ash::ext::debug_utils::Instance::new(&entry, &raw);
                // SAFETY: the extension is enabled; the messages are boxed and dropped after the instance.
                let messenger = unsafe { functions.create_debug_utils_messenger(&messages.messenger(), None) };
                match messenger {
                    Ok(messenger) => Some((functions, messenger)),
                    Err(result) => {
                        // SAFETY: nothing was made of the instance.
                        unsafe { raw.destroy_instance(None) };
                        return Err(from_result("connect to the validation layer", result));
                    }
                }
            }
        };
        Ok(Instance { shared: Arc::new(SharedInstance { raw, messages, messenger, _entry: entry }) })
    }

    /// The devices of all drivers, in the order of the loader.
    ///
    /// # Errors
    /// The error of a driver. Without a device the list is empty.
    pub fn devices(&self) -> Result<Vec<DeviceDescription>, Diagnostic> {
        let devices = self.shared.physical_devices()?;
        let describe = |(index, &physical)| DeviceDescription::read(&self.shared.raw, physical, index);
        devices.iter().enumerate().map(describe).collect()
    }

    /// Opens a device.
    ///
    /// # Errors
    /// [`VulkanCode::NoDevice`], [`VulkanCode::DeviceNotFound`], [`VulkanCode::OldDevice`], [`VulkanCode::MissingFeature`],
    /// [`VulkanCode::MissingExtension`], [`VulkanCode::UnknownFeature`], or an error of the driver or the validation layer.
    pub fn open(&self, choice: &DeviceChoice, requirements: &Requirements<'_>) -> Result<Device, Diagnostic> {
        let devices = self.devices()?;
        let candidates = candidates(&devices, choice)?;
        let mut first_failure = None;
        for description in candidates {
            match requirements.check(description) {
                Ok(()) => return Device::open(&self.shared, description.clone(), requirements),
                Err(failure) => first_failure = first_failure.or(Some(failure)),
            }
        }
        Err(first_failure.expect("invariant: there is a candidate"))
    }
}

impl SharedInstance {
    /// All devices, in the order of the loader, which does not change during the lifetime of an instance.
    pub(crate) fn physical_devices(&self) -> Result<Vec<vk::PhysicalDevice>, Diagnostic> {
        // SAFETY: the instance lives.
        match unsafe { self.raw.enumerate_physical_devices() } {
            Ok(devices) => Ok(devices),
            Err(vk::Result::ERROR_INITIALIZATION_FAILED) => Ok(Vec::new()),
            Err(result) => Err(from_result("list the devices", result)),
        }
    }
}

impl Drop for SharedInstance {
    fn drop(&mut self) {
        // SAFETY: all that was made of the instance holds a reference to `self`, so that none of it is left.
        unsafe {
            if let Some((functions, messenger)) = &self.messenger {
                functions.destroy_debug_utils_messenger(*messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

fn check_version(entry: &ash::Entry) -> Result<(), Diagnostic> {
    // SAFETY: the function may be called at any time.
    let version = unsafe { entry.try_enumerate_instance_version() }
        .map_err(|result| from_result("read the version of the loader", result))?
        .unwrap_or(vk::API_VERSION_1_0);
    match version >= vk::API_VERSION_1_2 {
        true => Ok(()),
        false => Err(error(
            VulkanCode::OldLoader,
            format!("the Vulkan loader has version {}; 1.2 or newer is needed", version_text(version)),
        )),
    }
}

fn create(entry: &ash::Entry, validation: Validation, messages: &Messages) -> Result<ash::Instance, Diagnostic> {
    let application = vk::ApplicationInfo::default().application_name(c"reconverge").api_version(vk::API_VERSION_1_3);
    let mut flags = vk::InstanceCreateFlags::empty();
    let mut extensions = Vec::new();
    let mut layers = Vec::new();
    if has_extension(entry, None, ash::khr::portability_enumeration::NAME)? {
        flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        extensions.push(ash::khr::portability_enumeration::NAME.as_ptr());
    }
    let mut messenger = messages.messenger();
    let mut info = vk::InstanceCreateInfo::default().application_info(&application).flags(flags);
    if validation == Validation::On {
        check_layer(entry)?;
        layers.push(VALIDATION_LAYER.as_ptr());
        extensions.push(ash::ext::debug_utils::NAME.as_ptr());
        info = info.push_next(&mut messenger);
    }
    let info = info.enabled_layer_names(&layers).enabled_extension_names(&extensions);
    // SAFETY: all that the struct refers to lives during the call.
    unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => no_device(),
        vk::Result::ERROR_LAYER_NOT_PRESENT => missing_layer(),
        other => from_result("create a Vulkan instance", other),
    })
}

/// Checks that the layer is installed, and the extension through which it reports, which belongs to the layer or the loader.
fn check_layer(entry: &ash::Entry) -> Result<(), Diagnostic> {
    // SAFETY: the function may be called at any time.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }
        .map_err(|result| from_result("list the layers", result))?;
    let is_there = layers.iter().any(|layer| text(&layer.layer_name).as_bytes() == VALIDATION_LAYER.to_bytes());
    let reports = |layer| has_extension(entry, layer, ash::ext::debug_utils::NAME);
    match is_there && (reports(None)? || reports(Some(VALIDATION_LAYER))?) {
        true => Ok(()),
        false => Err(missing_layer()),
    }
}

fn no_loader(reason: &ash::LoadingError) -> Diagnostic {
    // A statically linked program cannot open a library.
    let message = match cfg!(all(target_env = "musl", target_feature = "crt-static")) {
        true => "this build is statically linked and cannot open the Vulkan loader; use a dynamically linked build"
            .to_owned(),
        false => format!("no Vulkan loader on this machine ({reason}); on Debian, `apt-get install libvulkan1`"),
    };
    error(VulkanCode::NoLoader, message)
}

fn missing_layer() -> Diagnostic {
    let message = "VK_LAYER_KHRONOS_validation is not installed; on Debian, `apt-get install vulkan-validationlayers`";
    error(VulkanCode::MissingLayer, message)
}

fn has_extension(entry: &ash::Entry, layer: Option<&CStr>, name: &CStr) -> Result<bool, Diagnostic> {
    // SAFETY: the function may be called at any time.
    let extensions = unsafe { entry.enumerate_instance_extension_properties(layer) }
        .map_err(|result| from_result("list the extensions of the loader", result))?;
    Ok(extensions.iter().any(|extension| text(&extension.extension_name).as_bytes() == name.to_bytes()))
}

/// The devices that a choice may select, best first.
fn candidates<'a>(
    devices: &'a [DeviceDescription],
    choice: &DeviceChoice,
) -> Result<Vec<&'a DeviceDescription>, Diagnostic> {
    if devices.is_empty() {
        return Err(no_device());
    }
    let chosen: Vec<&DeviceDescription> = match choice {
        DeviceChoice::Default => {
            let mut all: Vec<&DeviceDescription> = devices.iter().collect();
            all.sort_by_key(|device| device.kind);
            all
        }
        DeviceChoice::Index(index) => devices.get(*index).into_iter().collect(),
        DeviceChoice::Name(name) => {
            let name = name.to_lowercase();
            devices.iter().find(|device| device.name.to_lowercase().contains(&name)).into_iter().collect()
        }
    };
    match chosen.is_empty() {
        true => {
            let present: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
            let message = format!("no device is {choice}; there are: {}", present.join(", "));
            Err(error(VulkanCode::DeviceNotFound, message))
        }
        false => Ok(chosen),
    }
}
