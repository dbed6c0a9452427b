//! The engine `vulkan` in a build without the feature `vulkan`: it is refused.

use reconverge::ErrorCode;
use reconverge::ir::Module;
use reconverge_diagnostic::{Code, Diagnostic, Place};
use reconverge_run::RunError;

use super::{Job, Ran};
use crate::exit::Exit;

impl Job<'_> {
    /// There is no such engine.
    pub(super) fn run_on_vulkan(&self, _: Module) -> Result<Ran, Exit> {
        let message = "this build runs nothing on Vulkan devices: it has no feature `vulkan`";
        Err(self.not_run(&RunError::Failed(Diagnostic::new(ErrorCode::NotInBuild, Place::Whole, message))))
    }
}

/// No error is one of Vulkan.
pub(super) fn exit_of(_: &'static Code) -> Option<Exit> {
    None
}
