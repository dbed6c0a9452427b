//! The kernel of the user on a Vulkan device of the user.

use reconverge::Format;
use reconverge::ir::Module;
use reconverge::opencl::{Driver, Reflection};
use reconverge_diagnostic::Code;
use reconverge_run::vulkan::{DeviceChoice, Validation, VulkanCode};
use reconverge_run::{Launch, RunError, VulkanOptions, VulkanRun, iterations_past_limit, options_for, run_on_vulkan};

use super::code::RunCode;
use super::{Compiled, Job, Ran};
use crate::diagnostics::Diagnostic;
use crate::exit::Exit;

impl Job<'_> {
    /// The kernel is compiled for the device that runs it.
    pub(super) fn run_on_vulkan(&self, module: Module) -> Result<Ran, Exit> {
        let options = options_for(&self.vulkan_options()).map_err(|error| self.not_run(&error))?;
        let compiled = self.compile(module, options).map_err(|refused| self.explain(refused))?;
        let bytes = reconverge::write(&compiled.module, Format::SPIRV);
        let bytes = bytes.map_err(|error| self.refuse(&error, Some(&compiled.module)))?;
        let ran = run(&bytes, &compiled.reflection, &self.launch, &self.vulkan_options());
        let ran = ran.map_err(|error| self.not_run(&error))?;
        self.check_limit(&compiled, &ran)?;
        let times = vec![("compile", compiled.time), ("driver", ran.compile), ("execute", ran.execute)];
        Ok(Ran::finished(ran.buffers, ran.printed, times))
    }

    /// Fails if the device ended loops early, which it does without reporting it.
    fn check_limit(&self, compiled: &Compiled, ran: &VulkanRun) -> Result<(), Exit> {
        let device = &ran.device;
        let past = iterations_past_limit(&compiled.module, &compiled.reflection, &self.launch, ran);
        let (Some(taken), Some(limit)) = (past, Driver::of_device(device).iteration_limit()) else { return Ok(()) };
        let message = format!(
            "a work-item executes at least {taken} loop iterations, but {device} ends every loop after {limit}: the result is wrong"
        );
        let suggestion = Some("reduce the work of each work-item, or run the kernel on another device".to_owned());
        let (file, code) = (Some(self.input.name.clone()), RunCode::Limit.declared());
        self.reporter.report(&[Diagnostic { code, message, file, suggestion, ..Diagnostic::default() }]);
        Err(Exit::Limit)
    }

    fn vulkan_options(&self) -> VulkanOptions {
        VulkanOptions {
            device: self.device(),
            validation: if self.arguments.validation { Validation::On } else { Validation::Off },
            timeout: self.arguments.time_limit(),
        }
    }

    fn device(&self) -> DeviceChoice {
        match &self.arguments.device {
            None => DeviceChoice::Default,
            Some(device) => device.parse().map_or_else(|_| DeviceChoice::Name(device.clone()), DeviceChoice::Index),
        }
    }
}

/// Runs a kernel that this command compiled, with the reflection that it made.
///
/// A device checks nothing: a kernel that leaves its buffers there can do anything that the device can, and a device in software is in this
/// process. To run it nevertheless is what the user asks for with `--on vulkan`; the engines that are chosen without it let no kernel out.
#[expect(unsafe_code, reason = "a device does what the kernel says")]
fn run(spirv: &[u8], reflection: &Reflection, launch: &Launch, options: &VulkanOptions) -> Result<VulkanRun, RunError> {
    // SAFETY: the module was verified, and compiled for this device. That the kernel stays in its buffers is what the user says.
    unsafe { run_on_vulkan(spirv, reflection, launch, options) }
}

/// The exit code of an error of Vulkan: a missing capability of a device means "not supported"; a missing or failing device may be different next time.
pub(super) fn exit_of(code: &'static Code) -> Option<Exit> {
    Some(match VulkanCode::of(code)? {
        VulkanCode::MissingFeature
        | VulkanCode::MissingExtension
        | VulkanCode::OldDevice
        | VulkanCode::OldLoader
        | VulkanCode::NoComputeQueue => Exit::Unsupported,
        VulkanCode::Limit => Exit::Limit,
        VulkanCode::Rejected | VulkanCode::Validation | VulkanCode::BadRequest => Exit::Rejected,
        _ => Exit::Io,
    })
}
