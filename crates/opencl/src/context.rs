//! What the kernel passes share: options in, reflection out.

use reconverge_ir::{Function, Module};

use super::found::Found;
use super::{Kernel, Reflection};

/// How kernels are lowered.
#[derive(Clone, Debug)]
pub struct KernelOptions {
    /// Entry points to keep, by name; all where it is empty.
    pub kernels: Vec<String>,
    /// Whether launches may have a global offset. It then takes 24 bytes of push constants.
    pub global_offset: GlobalOffset,
    /// Bytes of push constants that a device is sure to have; arguments that need more go to a buffer.
    pub push_constant_limit: u32,
    /// Whether the device has 64-bit integers.
    pub int64: Int64,
    /// How `fma` is computed.
    pub fma: Fma,
    /// Whose faults to stay clear of.
    pub driver: Driver,
    /// Instructions that a module may have after its calls were inlined.
    pub inline_limit: usize,
}

/// Whether launches may have a global offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalOffset {
    /// It is zero.
    Zero,
    /// The host passes it.
    Passed,
}

/// Whether the device has 64-bit integers (the Vulkan feature `shaderInt64`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Int64 {
    /// It has.
    Native,
    /// It has not: they become pairs of 32-bit ones.
    Split,
}

/// How `fma` is computed: what a compiler makes of `a * b + c`, too, where it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fma {
    /// As the device does it: rounded once where it has the instruction, twice where it has not, as Vulkan allows.
    Device,
    /// Rounded once on every device, by integers: exact and slow.
    Exact,
}

/// A driver whose faults the code stays clear of. What works around a fault costs something everywhere else, so none does by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// One that does what Vulkan says.
    Any,
    /// Mesa's lavapipe: the passes `relaxed_atomics`, `bounded_indices`, `sign_extensions` and `loop_results`.
    Lavapipe,
    /// SwiftShader: the pass `loop_results`.
    SwiftShader,
}

impl Driver {
    /// All of them.
    pub const ALL: [Driver; 3] = [Driver::Any, Driver::Lavapipe, Driver::SwiftShader];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Driver::Any => "any",
            Driver::Lavapipe => "lavapipe",
            Driver::SwiftShader => "swiftshader",
        }
    }

    /// The driver of that name.
    pub fn from_name(name: &str) -> Option<Driver> {
        Driver::ALL.into_iter().find(|driver| driver.name() == name)
    }

    /// How many loop iterations of a work-item, over all its loops, the driver runs before it ends loops without a word; `None` where
    /// there is no such limit. Lavapipe of Mesa 22 counts to 65,535.
    pub const fn iteration_limit(self) -> Option<u64> {
        match self {
            Driver::Lavapipe => Some(65_535),
            Driver::Any | Driver::SwiftShader => None,
        }
    }

    /// The driver behind a device that Vulkan describes by this name.
    pub fn of_device(name: &str) -> Driver {
        match name {
            _ if name.starts_with("llvmpipe") => Driver::Lavapipe,
            _ if name.starts_with("SwiftShader") => Driver::SwiftShader,
            _ => Driver::Any,
        }
    }
}

impl Default for KernelOptions {
    fn default() -> KernelOptions {
        KernelOptions {
            kernels: Vec::new(),
            global_offset: GlobalOffset::Zero,
            push_constant_limit: 128,
            int64: Int64::Native,
            fma: Fma::Device,
            driver: Driver::Any,
            inline_limit: 4_000_000,
        }
    }
}

/// What the passes share on the way of one module.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// How to lower.
    pub options: KernelOptions,
    /// What a host program has to know, as far as the passes that ran have settled it.
    pub reflection: Reflection,
    /// What was found at module level.
    pub(super) found: Found,
}

impl Context {
    /// A context with these options, nothing settled yet.
    pub fn new(options: KernelOptions) -> Context {
        Context { options, ..Context::default() }
    }

    /// The kernels that a function is, as far as the reflection knows them.
    pub(super) fn kernels_of(&self, module: &Module, function: Function) -> impl Iterator<Item = &Kernel> {
        let kernels = &self.reflection.kernels;
        self.found.kernels_of(module, kernels, function).iter().filter_map(|&index| kernels.get(index))
    }

    /// Does something to the kernels that a function is.
    pub(super) fn change_kernels_of(&mut self, module: &Module, function: Function, change: impl FnMut(&mut Kernel)) {
        let kernels = &mut self.reflection.kernels;
        let indices = self.found.kernels_of(module, kernels, function);
        let mut change = change;
        for &index in indices {
            if let Some(kernel) = kernels.get_mut(index) {
                change(kernel);
            }
        }
    }
}
