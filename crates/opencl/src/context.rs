//! Data shared by the kernel passes: options in, reflection out.

use reconverge_ir::{Function, Inst, Module};
use reconverge_legalize::{Machine, Widths};

use super::found::Found;
use super::images::Roles;
use super::{Driver, ImageFormat, Kernel, KernelCode, Printf, Reflection};

/// Options for lowering kernels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelOptions {
    /// Entry points to keep, by name; empty for all.
    pub kernels: Vec<String>,
    /// The support for a global offset of launches. It takes 24 bytes of push constants.
    pub global_offset: GlobalOffset,
    /// The guaranteed size of push constants in bytes; arguments that need more go to a buffer.
    pub push_constant_limit: u32,
    /// The support of the device for 64-bit integers.
    pub int64: Int64,
    /// The representation of the pointers of kernels.
    pub pointers: Pointers,
    /// The support for bindings that begin inside of a buffer argument. It takes 4 bytes of the argument block for each pointer.
    pub buffer_offsets: BufferOffsets,
    /// The computation of `fma`.
    pub fma: Fma,
    /// The support of the device for atomics that compute with floating-point numbers.
    pub float_atomics: FloatAtomics,
    /// The driver whose bugs the code works around.
    pub driver: Driver,
    /// The maximal number of instructions of a module after inlining.
    pub inline_limit: usize,
    /// The bytes of the buffer that `printf` writes its records to; 0 for targets without one.
    pub printf_buffer: u32,
    /// What is known of the arguments of every launch, by their indices. Code for a format or a sampler is shorter and faster than code for all.
    pub launch_constants: Vec<(usize, LaunchConstant)>,
}

/// A fact about an argument that holds for every launch of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaunchConstant {
    /// The format of an image.
    Format(ImageFormat),
    /// The bits of a sampler.
    Sampler(u32),
}

/// The support for a global offset of launches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalOffset {
    /// It is zero.
    Zero,
    /// The host passes it.
    Passed,
}

/// The support of the device for 64-bit integers (the Vulkan feature `shaderInt64`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Int64 {
    /// Supported.
    Native,
    /// Not supported: they become pairs of 32-bit integers.
    Split,
}

/// The support of the device for atomics that compute with floating-point numbers (the Vulkan extension `VK_EXT_shader_atomic_float`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatAtomics {
    /// Supported.
    Native,
    /// Not supported: they become loops of compare-exchange. So they do with [`Pointers::Bindings`].
    Exchanged,
}

/// The representation of pointers to memory of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointers {
    /// 64-bit device addresses.
    Addresses,
    /// Bindings: each pointer argument is a storage buffer of 32-bit words, and a pointer is a 32-bit number of bytes in it. The code
    /// needs no 64-bit and no narrow integers, so it also runs on Vulkan 1.0 and as WGSL.
    Bindings,
}

/// The support for bindings that begin inside of a buffer argument, whose position the host passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BufferOffsets {
    /// It is zero: the argument begins where the binding begins.
    Zero,
    /// The host passes it in the argument block, in bytes.
    Passed,
}

/// The computation of `fma`, including `a * b + c` that a front end contracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fma {
    /// With the device's instruction: rounded once if it is fused, else twice, as Vulkan allows. For a driver that is known to round
    /// twice, as [`Exact`](Fma::Exact).
    Device,
    /// With the device's instruction, which is fused. The formulas of `exp`, `log` and others use it too, and are faster.
    Fused,
    /// Rounded once on every device, in integer arithmetic: exact and slow.
    Exact,
}

impl Default for KernelOptions {
    fn default() -> KernelOptions {
        KernelOptions {
            kernels: Vec::new(),
            global_offset: GlobalOffset::Zero,
            push_constant_limit: 128,
            int64: Int64::Native,
            pointers: Pointers::Addresses,
            buffer_offsets: BufferOffsets::Zero,
            fma: Fma::Device,
            float_atomics: FloatAtomics::Native,
            driver: Driver::ANY,
            inline_limit: 4_000_000,
            printf_buffer: 1 << 20,
            launch_constants: Vec::new(),
        }
    }
}

impl KernelOptions {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`kernels`](Self#structfield.kernels).
    #[must_use]
    pub fn kernels(mut self, kernels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.kernels = kernels.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`global_offset`](Self#structfield.global_offset).
    #[must_use]
    pub const fn global_offset(mut self, global_offset: GlobalOffset) -> Self {
        self.global_offset = global_offset;
        self
    }

    /// Sets [`push_constant_limit`](Self#structfield.push_constant_limit).
    #[must_use]
    pub const fn push_constant_limit(mut self, push_constant_limit: u32) -> Self {
        self.push_constant_limit = push_constant_limit;
        self
    }

    /// Sets [`int64`](Self#structfield.int64).
    #[must_use]
    pub const fn int64(mut self, int64: Int64) -> Self {
        self.int64 = int64;
        self
    }

    /// Sets [`pointers`](Self#structfield.pointers).
    #[must_use]
    pub const fn pointers(mut self, pointers: Pointers) -> Self {
        self.pointers = pointers;
        self
    }

    /// Sets [`buffer_offsets`](Self#structfield.buffer_offsets).
    #[must_use]
    pub const fn buffer_offsets(mut self, buffer_offsets: BufferOffsets) -> Self {
        self.buffer_offsets = buffer_offsets;
        self
    }

    /// Sets [`fma`](Self#structfield.fma).
    #[must_use]
    pub const fn fma(mut self, fma: Fma) -> Self {
        self.fma = fma;
        self
    }

    /// Sets [`float_atomics`](Self#structfield.float_atomics).
    #[must_use]
    pub const fn float_atomics(mut self, float_atomics: FloatAtomics) -> Self {
        self.float_atomics = float_atomics;
        self
    }

    /// Sets [`driver`](Self#structfield.driver).
    #[must_use]
    pub const fn driver(mut self, driver: Driver) -> Self {
        self.driver = driver;
        self
    }

    /// Sets [`inline_limit`](Self#structfield.inline_limit).
    #[must_use]
    pub const fn inline_limit(mut self, inline_limit: usize) -> Self {
        self.inline_limit = inline_limit;
        self
    }

    /// Sets [`printf_buffer`](Self#structfield.printf_buffer).
    #[must_use]
    pub const fn printf_buffer(mut self, printf_buffer: u32) -> Self {
        self.printf_buffer = printf_buffer;
        self
    }

    /// Sets [`launch_constants`](Self#structfield.launch_constants).
    #[must_use]
    pub fn launch_constants(mut self, constants: Vec<(usize, LaunchConstant)>) -> Self {
        self.launch_constants = constants;
        self
    }

    /// What is known of an argument.
    pub(super) fn launch_constant(&self, argument: usize) -> Option<LaunchConstant> {
        let known = self.launch_constants.iter().find(|(index, _)| *index == argument);
        known.map(|&(_, constant)| constant)
    }

    /// Returns whether pointers become bindings.
    pub(super) fn has_bindings(&self) -> bool {
        self.pointers == Pointers::Bindings
    }

    /// Returns whether atomics that compute with floats become loops.
    pub(super) fn exchanges_floats(&self) -> bool {
        self.has_bindings() || self.float_atomics == FloatAtomics::Exchanged
    }

    /// The lowering of 64-bit integers: code with bindings has none.
    pub(super) fn long_integers(&self) -> Int64 {
        if self.has_bindings() { Int64::Split } else { self.int64 }
    }

    /// The device that the code is for, as the legalization of integers sees it: code with bindings has words alone.
    pub fn machine(&self) -> Machine {
        let complete = Machine::complete(KernelCode::Unsupported.declared());
        if self.has_bindings() {
            return Machine { integers: Widths::only(32), carries: Widths::NONE, ..complete };
        }
        match self.int64 {
            Int64::Native => complete,
            Int64::Split => Machine { integers: Widths::ALL.without(Widths::only(64)), ..complete },
        }
    }
}

/// Data that the passes share while they run over one module.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The options.
    pub options: KernelOptions,
    /// The data for a host program, as far as the passes have computed it.
    pub reflection: Reflection,
    /// The instructions at module level that were found.
    pub(super) found: Found,
    /// The variable with the records of `printf`, and what they are of.
    pub(super) printf: Option<(Inst, Printf)>,
    /// What the parameters of kernels with images were.
    pub(super) image_roles: Roles,
}

impl Context {
    /// A context with these options and empty results.
    pub fn new(options: KernelOptions) -> Context {
        Context { options, ..Context::default() }
    }

    /// The kernels of a function, among those of the reflection.
    pub(super) fn kernels_of(&self, module: &Module, function: Function) -> impl Iterator<Item = &Kernel> {
        let kernels = &self.reflection.kernels;
        self.found.kernels_of(module, kernels, function).iter().filter_map(|&index| kernels.get(index))
    }

    /// Applies a function to the kernels of a function.
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
