//! Kernel launches: the start state of a grid of work-groups.

use crate::{Images, KernelImage};

/// The start of a kernel: the grid, the arguments, the initial memory, and the limits.
///
/// A work-group is `local` lanes; `groups` of them make the grid, so there are `groups · local` lanes along each axis. Work-groups run one
/// after another, first along x. A lane's number in its group counts along x first too. Each `subgroup_size` lanes with consecutive numbers
/// form a subgroup; the last one may be smaller.
///
/// ```
/// use reconverge_interpret::{Interpreter, KernelArgument, KernelLaunch};
///
/// let module = reconverge_ir::text::parse("
/// %void = type_void
/// %u32 = type_int 32, 0
/// %pointer = type_pointer CrossWorkgroup, %u32
/// %input = type_pointer Input, %u32
/// %index: %input = variable Input {decorate BuiltIn 29}
/// %type = type_function %void, %pointer, %u32
///
/// func %scale: %void (%values: %pointer, %factor: %u32) type %type {
/// block ^entry:
///   %i: %u32 = load %index
///   %place: %pointer = ptr_access_chain %values, %i
///   %value: %u32 = load %place
///   %product: %u32 = i_mul %value, %factor
///   store %place, %product
///   return
/// }
/// ")?;
/// let launch = KernelLaunch {
///     local: [3, 1, 1],
///     arguments: vec![KernelArgument::Buffer { index: 0, offset: 0 }, KernelArgument::Bytes(vec![10, 0, 0, 0])],
///     buffers: vec![vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]],
///     ..KernelLaunch::default()
/// };
/// let kernel = module.functions().next().unwrap();
/// let outcome = Interpreter::new(&module).launch_kernel(kernel, &launch)?;
/// assert_eq!(outcome.failure, None);
/// assert_eq!(outcome.buffers[0].bytes, [10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelLaunch {
    /// Work-groups along each axis. Zero is allowed.
    pub groups: [u32; 3],
    /// Lanes of a work-group along each axis: at least 1 each, at most 65,535 together, and what the kernel requires, if it does.
    pub local: [u32; 3],
    /// Lanes along each axis, if the last work-groups along it are smaller than `local`: more than `groups - 1` work-groups, at most
    /// `groups`. By default all work-groups are of the same size.
    pub global: Option<[u64; 3]>,
    /// The offset of the global ids. A kernel that was lowered to Vulkan gets its offset in another way, and zero here.
    pub offset: [u64; 3],
    /// The number of dimensions that the kernel can query.
    pub work_dim: u32,
    /// Lanes of a subgroup, 1 to 128.
    pub subgroup_size: u32,
    /// One for each parameter of the function.
    pub arguments: Vec<KernelArgument>,
    /// Memory that all lanes see.
    pub buffers: Vec<Vec<u8>>,
    /// The contents of the variable of storage class `PushConstant`.
    pub push_constants: Vec<u8>,
    /// The buffers that are the contents of variables with the decoration `Binding`.
    pub bindings: Vec<BoundBuffer>,
    /// Addresses to write into push constants and buffers before the start.
    pub addresses: Vec<BufferAddress>,
    /// `SpecId`s and the bits of their values. Unknown ids are ignored.
    pub specialization: Vec<(u32, u64)>,
    /// The maximal number of instructions of each lane.
    pub fuel: u64,
    /// The detection of data races.
    pub races: Races,
    /// The report of undefined values that reach buffers.
    pub undefined: UndefinedValues,
    /// The maximal number of bytes that `printf` prints; what does not fit is not printed, and the call returns -1.
    pub printed_limit: usize,
    /// The contents of images and the behaviour of samplers. Without it image operations are unsupported.
    pub images: Option<Images>,
}

/// The argument for a parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KernelArgument {
    /// A scalar, vector or struct by its bytes. A parameter that points to storage class `Function` points to an object with these bytes,
    /// one for each lane, that is, a struct passed by value. For any other pointer the bytes are an address; eight zeros are null.
    Bytes(Vec<u8>),
    /// A pointer into a buffer.
    Buffer {
        /// The number of the buffer.
        index: usize,
        /// The byte in it.
        offset: u64,
    },
    /// An image of OpenCL, for a parameter of an image type.
    ///
    /// The texels are the bytes of a buffer from its first byte on: results are in the buffer, and races and undefined bytes are those of
    /// the buffer. An image that is not inside of its buffer, or of another kind than the parameter, is an error of the launch.
    Image {
        /// The number of the buffer.
        buffer: usize,
        /// Its format, size and pitches.
        image: KernelImage,
    },
    /// A sampler: the bits that OpenCL C gives to `sampler_t`, such as `CLK_FILTER_NEAREST`, 0x10.
    Sampler(u32),
    /// A pointer to memory of the work-group, initially undefined.
    Local {
        /// Its size.
        bytes: u64,
    },
}

/// A buffer that is the contents of the variables with a number as `Binding` in a descriptor set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundBuffer {
    /// The descriptor set; variables without one are in set 0.
    pub set: u32,
    /// The number.
    pub binding: u32,
    /// The buffer.
    pub buffer: usize,
}

/// An address to write, 64 bits, before a kernel starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferAddress {
    /// The place.
    pub holder: Holder,
    /// The byte offset in it.
    pub at: usize,
    /// The target buffer.
    pub buffer: usize,
    /// The offset in the target.
    pub offset: u64,
}

/// The place of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// The push constants.
    PushConstants,
    /// A buffer.
    Buffer(usize),
}

/// The report of undefined values that reach buffers and atomic operations.
///
/// With reports the bytes of a variable that are padding count as defined, and a vector of four whose fourth component has no value is
/// stored as the vector of three that it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedValues {
    /// Do not.
    Ignore,
    /// Do: [`KernelOutcome::undefined`](crate::KernelOutcome::undefined).
    Report,
}

/// The detection of data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Races {
    /// No: the run is several times as fast.
    Ignore,
    /// Yes: the outcome lists them.
    Report,
}

impl Default for KernelLaunch {
    fn default() -> KernelLaunch {
        KernelLaunch {
            groups: [1; 3],
            local: [1; 3],
            global: None,
            offset: [0; 3],
            work_dim: 3,
            subgroup_size: 8,
            arguments: Vec::new(),
            buffers: Vec::new(),
            push_constants: Vec::new(),
            bindings: Vec::new(),
            addresses: Vec::new(),
            specialization: Vec::new(),
            fuel: 100_000_000,
            races: Races::Ignore,
            undefined: UndefinedValues::Ignore,
            printed_limit: 1 << 20,
            images: None,
        }
    }
}

impl KernelLaunch {
    /// The number of lanes of a work-group, if the interpreter can number them.
    pub(crate) fn lanes(&self) -> Option<usize> {
        let lanes = self.local.iter().try_fold(1u64, |product, &size| product.checked_mul(u64::from(size)))?;
        (1..=u64::from(u16::MAX)).contains(&lanes).then_some(lanes as usize)
    }

    /// The number of work-groups, if their lanes can all be numbered.
    pub(super) fn group_count(&self) -> Option<u32> {
        let sizes = self.groups.iter().chain(&self.local);
        if sizes.clone().any(|&size| size == 0) {
            return Some(0);
        }
        sizes.copied().try_fold(1, u32::checked_mul)?;
        self.groups.iter().copied().try_fold(1, u32::checked_mul)
    }

    /// Lanes along each axis.
    pub(crate) fn global(&self) -> [u64; 3] {
        self.global
            .unwrap_or_else(|| std::array::from_fn(|axis| u64::from(self.groups[axis]) * u64::from(self.local[axis])))
    }

    /// Returns whether the lanes along each axis need that many work-groups.
    pub(super) fn is_covered(&self) -> bool {
        let Some(global) = self.global else { return true };
        (0..3).all(|axis| global[axis].div_ceil(u64::from(self.local[axis].max(1))) == u64::from(self.groups[axis]))
    }

    /// The lanes of a work-group along each axis: fewer than `local` in the last work-group along an axis that they do not divide.
    pub(crate) fn shape(&self, group: [u32; 3]) -> [u32; 3] {
        let global = self.global();
        std::array::from_fn(|axis| {
            let before = u64::from(group[axis]) * u64::from(self.local[axis]);
            u64::from(self.local[axis]).min(global[axis].saturating_sub(before)) as u32
        })
    }
}
