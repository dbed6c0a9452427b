//! Collects messages of the validation layer.

use std::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::VulkanCode;
use crate::vulkan::error::error;

/// Messages at level error that have not been read yet. Layers call from any thread.
#[derive(Default)]
pub(crate) struct Messages {
    errors: Mutex<Vec<String>>,
}

impl Messages {
    /// Fails if there are messages since the last call, and removes them.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let messages = std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        if messages.is_empty() {
            return Ok(());
        }
        let message = format!("the validation layer found errors:\n{}", messages.join("\n"));
        Err(error(VulkanCode::Validation, message))
    }

    /// The parameters of a messenger that adds the layer's findings to these messages. Messages of the loader about drivers that it cannot
    /// load are not included.
    ///
    /// The messenger must not outlive `self`, which must not move.
    pub(crate) fn messenger(&self) -> vk::DebugUtilsMessengerCreateInfoEXT<'_> {
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(collect))
            .user_data(std::ptr::from_ref(self).cast_mut().cast())
    }
}

/// Called by the layer for each message; the return value lets the call that caused it continue.
unsafe extern "system" fn collect(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives the pointer of `messenger`, whose messages outlive the instance, and are only shared.
    let messages = unsafe { &*messages.cast_const().cast::<Messages>() };
    // SAFETY: `data` is valid during the call, and its message is null or a C string.
    let text = unsafe {
        match (*data).p_message {
            text if text.is_null() => String::new(),
            text => CStr::from_ptr(text).to_string_lossy().into_owned(),
        }
    };
    messages.errors.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    vk::FALSE
}
