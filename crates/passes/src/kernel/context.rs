//! What the kernel passes share: options in, reflection out.

use super::Reflection;

/// How kernels are lowered.
#[derive(Clone, Debug)]
pub struct KernelOptions {
    /// Entry points to keep, by name; all where it is empty.
    pub kernels: Vec<String>,
    /// Whether launches may have a global offset. It then takes 24 bytes of push constants.
    pub global_offset: GlobalOffset,
    /// Bytes of push constants that a device is sure to have; arguments that need more go to a buffer.
    pub push_constant_limit: u32,
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

impl Default for KernelOptions {
    fn default() -> KernelOptions {
        KernelOptions {
            kernels: Vec::new(),
            global_offset: GlobalOffset::Zero,
            push_constant_limit: 128,
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
}

impl Context {
    /// A context with these options, nothing settled yet.
    pub fn new(options: KernelOptions) -> Context {
        Context { options, reflection: Reflection::default() }
    }
}
