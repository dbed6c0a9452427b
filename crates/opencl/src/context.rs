//! Data shared by the kernel passes: options in, reflection out.

use reconverge_ir::{Function, Module};

use super::found::Found;
use super::{Driver, Kernel, Reflection};

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
    /// The driver whose faults the code avoids.
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

impl Default for KernelOptions {
    fn default() -> KernelOptions {
        KernelOptions {
            kernels: Vec::new(),
            global_offset: GlobalOffset::Zero,
            push_constant_limit: 128,
            int64: Int64::Native,
            fma: Fma::Device,
            driver: Driver::ANY,
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
