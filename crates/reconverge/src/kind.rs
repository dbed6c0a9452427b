//! The kind of a module: with shaders, with OpenCL kernels, or with both.
//!
//! SPIR-V states it twice. The capabilities declare the allowed kinds of functions, also in a library without entry points: they determine
//! whether the functions have to be structured ([`is_shader`]), unless all entry points are kernels, some instructions of which need the
//! capability Shader. The execution models of the entry points state what a host launches: they determine whether there are kernels to
//! lower ([`has_kernels`]).

use reconverge_ir::{Module, view};
use spirv::{Capability, ExecutionModel};

/// Returns whether a module declares shaders: it has the capability, or does not declare kernels, and not all of its entry points are
/// kernels.
pub(crate) fn is_shader(module: &Module) -> bool {
    let declares = |wanted: Capability| {
        let mut capabilities = module.globals().filter_map(|inst| view::Capability::of(module, inst));
        capabilities.any(|declared| declared.capability == Some(wanted))
    };
    let models =
        || module.globals().filter_map(|inst| view::EntryPoint::of(module, inst)).map(|entry| entry.execution_model);
    let has_kernels_alone = models().next().is_some() && models().all(|model| model == Some(ExecutionModel::Kernel));
    !has_kernels_alone && (declares(Capability::Shader) || !declares(Capability::Kernel))
}

/// Returns whether a module has entry points that are OpenCL kernels.
pub(crate) fn has_kernels(module: &Module) -> bool {
    let mut entry_points = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
    entry_points.any(|entry| entry.execution_model == Some(ExecutionModel::Kernel))
}
