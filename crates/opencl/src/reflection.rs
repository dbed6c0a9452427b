//! The data that a host program needs to launch the kernels of a module: `docs/kernel-abi.md` as data.

use std::error::Error;
use std::fmt;

use crate::image_argument::{FormatSource, ImageArgument, SamplerSource, TexelPlace};

/// The data that a host program needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reflection {
    /// The kernels, in the order of their entry points.
    pub kernels: Vec<Kernel>,
    /// Memory that all kernels of the module share and the host allocates once: program-scope variables.
    pub program_data: Option<ProgramData>,
    /// Vulkan device features that the module needs, by their names in the Vulkan specification, sorted.
    pub features: Vec<&'static str>,
    /// Vulkan device extensions that the module needs, sorted.
    pub extensions: Vec<&'static str>,
    /// Kinds of operations that the device's subgroups must support, sorted: `arithmetic`, `ballot`, `basic`, `clustered`, `quad`,
    /// `shuffle`, `shuffleRelative`, `vote`.
    pub subgroup_operations: Vec<&'static str>,
    /// The specialization constants of the source, in its order. Those of the kernels' interface are not among them.
    pub specialization_constants: Vec<SpecializationConstant>,
}

/// A specialization constant of the source. The host may set it as that of the kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecializationConstant {
    /// Its id.
    pub id: u32,
    /// Its name, if the module has one.
    pub name: Option<String>,
    /// Its type.
    pub kind: SpecializationKind,
}

/// The type of a specialization constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecializationKind {
    /// A boolean: 32 bits for Vulkan's hosts.
    Bool,
    /// An integer.
    Integer {
        /// Its bits.
        width: u32,
    },
    /// A floating-point number.
    Float {
        /// Its bits.
        width: u32,
    },
}

impl SpecializationKind {
    /// The bits that a host gives.
    pub const fn width(self) -> u32 {
        match self {
            SpecializationKind::Bool => 32,
            SpecializationKind::Integer { width } | SpecializationKind::Float { width } => width,
        }
    }

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            SpecializationKind::Bool => "bool",
            SpecializationKind::Integer { .. } => "integer",
            SpecializationKind::Float { .. } => "float",
        }
    }
}

/// A kernel: an entry point of the shader module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The name of the entry point.
    pub name: String,
    /// The size of a work-group.
    pub local_size: LocalSize,
    /// Bytes of push constants, a multiple of 4; zero if there are none.
    pub push_constant_size: u32,
    /// The place of the arguments.
    pub arguments_in: Arguments,
    /// The arguments in order.
    pub arguments: Vec<Argument>,
    /// The offset of the global offset in the push constants, or in the uniform buffer: three 64-bit integers.
    pub global_offset: Option<u32>,
    /// The offset of the 64-bit address of the program data in the push constants.
    pub program_data: Option<u32>,
    /// The binding of the program data, in place of its address.
    pub program_data_binding: Option<u32>,
    /// The subgroup size that the kernel requires.
    pub subgroup_size: Option<u32>,
    /// The work-group size that the kernel requires. If [`Kernel::local_size`] is `Specialized` nevertheless, because other kernels of the
    /// module have no size of their own, the host specializes it to this.
    pub required_local_size: Option<[u32; 3]>,
    /// The id of the specialization constant, of 32 bits and 3 by default, with the number of dimensions of the launch; only if the kernel
    /// needs it.
    pub work_dim: Option<u32>,
}

impl Kernel {
    /// Returns whether an argument is an image or a sampler.
    pub fn has_images(&self) -> bool {
        self.arguments.iter().any(|argument| matches!(argument.kind, ArgumentKind::Image(_) | ArgumentKind::Sampler(_)))
    }

    /// The ids of the specialization constants that a host sets.
    pub fn spec_ids(&self) -> impl Iterator<Item = u32> + '_ {
        let sizes = match self.local_size {
            LocalSize::Fixed(_) => None,
            LocalSize::Specialized(ids) => Some(ids),
        };
        let of_argument = |argument: &Argument| match argument.kind {
            ArgumentKind::Local { spec_id, .. } => vec![spec_id],
            ArgumentKind::Image(ImageArgument { format: FormatSource::Specialized { order, data_type }, .. }) => {
                vec![order, data_type]
            }
            ArgumentKind::Sampler(SamplerSource::Specialized(spec_id)) => vec![spec_id],
            _ => Vec::new(),
        };
        let arguments = self.arguments.iter().flat_map(of_argument);
        sizes.into_iter().flatten().chain(arguments).chain(self.work_dim)
    }

    /// The size that the work-groups of every launch have, if the kernel requires one.
    pub fn fixed_size(&self) -> Option<[u32; 3]> {
        match self.local_size {
            LocalSize::Fixed(size) => Some(size),
            LocalSize::Specialized(_) => self.required_local_size,
        }
    }

    /// The specialization constants of launches with work-groups of a size, in a number of dimensions: id and value.
    pub fn size_constants(&self, local: [u32; 3], dimensions: u32) -> Vec<(u32, u32)> {
        let sizes = match self.local_size {
            LocalSize::Fixed(_) => None,
            LocalSize::Specialized(ids) => Some(ids.into_iter().zip(local)),
        };
        sizes.into_iter().flatten().chain(self.work_dim.map(|id| (id, dimensions))).collect()
    }

    /// The arguments in local memory, in order.
    pub fn local_arguments(&self) -> Vec<LocalArgument> {
        let locals = self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Local { spec_id, alignment } => Some(LocalArgument { spec_id, alignment }),
            _ => None,
        });
        locals.collect()
    }
}

/// An argument in local memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalArgument {
    /// The id of the specialization constant with its bytes.
    pub spec_id: u32,
    /// The alignment of its elements: the constant is a multiple of it.
    pub alignment: u32,
}

impl LocalArgument {
    /// The specialization constant of an argument of this size: id and value.
    ///
    /// # Errors
    /// The size is zero, or does not fit in the constant.
    pub fn constant(&self, bytes: u64) -> Result<(u32, u32), LocalMemoryError> {
        let bytes = LocalArgument::require_bytes(bytes)?;
        let rounded = bytes.checked_next_multiple_of(self.alignment.max(1).into());
        let rounded = rounded.and_then(|bytes| u32::try_from(bytes).ok()).ok_or(LocalMemoryError::TooLarge)?;
        Ok((self.spec_id, rounded))
    }

    /// The size of an argument, if it has memory.
    ///
    /// # Errors
    /// [`LocalMemoryError::Empty`] for zero.
    pub fn require_bytes(bytes: u64) -> Result<u64, LocalMemoryError> {
        if bytes == 0 { Err(LocalMemoryError::Empty) } else { Ok(bytes) }
    }
}

/// The error of the size of an argument in local memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalMemoryError {
    /// No memory, which OpenCL refuses (`CL_INVALID_ARG_SIZE`).
    Empty,
    /// More than a constant of 32 bits holds.
    TooLarge,
}

impl fmt::Display for LocalMemoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            LocalMemoryError::Empty => "an argument in local memory needs at least 1 byte",
            LocalMemoryError::TooLarge => "an argument in local memory must be smaller than 4 GiB",
        })
    }
}

impl Error for LocalMemoryError {}

/// The size of a work-group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalSize {
    /// Required by the kernel.
    Fixed([u32; 3]),
    /// Given by the specialization constants of these ids, 1 by default.
    Specialized([u32; 3]),
}

/// The place of the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// In the push constants.
    PushConstants,
    /// In a uniform buffer of `size` bytes, bound to `binding` of descriptor set 0. There are no push constants, and no binding if `size`
    /// is 0.
    Uniform {
        /// The number of the binding.
        binding: u32,
        /// Bytes of the buffer, a multiple of 16.
        size: u32,
    },
    /// In a buffer of `size` bytes, whose 64-bit address goes to `address_offset` in the push constants.
    Buffer {
        /// The offset where the address is stored.
        address_offset: u32,
        /// Bytes of the buffer.
        size: u32,
    },
}

/// An argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name, if the module has one.
    pub name: Option<String>,
    /// Its kind and place.
    pub kind: ArgumentKind,
}

/// The kind of an argument. Offsets are relative to the start of the push constants, the uniform buffer or the argument buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// A 64-bit device address.
    Pointer {
        /// The address space that it points to.
        address_space: AddressSpace,
        /// The offset where it is stored.
        offset: u32,
    },
    /// A storage buffer of 32-bit words, bound in descriptor set 0.
    Binding {
        /// The address space in OpenCL.
        address_space: AddressSpace,
        /// The number of the binding.
        binding: u32,
        /// The offset where its offset in bytes is stored: 32 bits; `None` if the argument begins where the binding begins.
        offset: Option<u32>,
        /// The accesses of the kernel to it.
        access: Access,
    },
    /// A scalar, vector or struct, in the layout of OpenCL.
    Value {
        /// The offset where it is stored.
        offset: u32,
        /// Its bytes.
        size: u32,
        /// Its alignment.
        alignment: u32,
    },
    /// Local memory: its size in bytes is given by a specialization constant.
    Local {
        /// The id of the specialization constant, of 32 bits.
        spec_id: u32,
        /// The alignment of the pointee; a size is rounded up to it.
        alignment: u32,
    },
    /// An image.
    Image(ImageArgument),
    /// A sampler.
    Sampler(SamplerSource),
}

impl ArgumentKind {
    /// Returns whether the argument is a storage buffer with a binding: a pointer, or the texels of an image.
    pub(crate) fn has_binding(self) -> bool {
        matches!(
            self,
            ArgumentKind::Binding { .. }
                | ArgumentKind::Image(ImageArgument { texels: TexelPlace::Binding { .. }, .. })
        )
    }

    /// The number of the binding of the argument, and the accesses to it.
    pub(crate) fn binding_mut(&mut self) -> Option<(u32, &mut Access)> {
        match self {
            ArgumentKind::Binding { binding, access, .. }
            | ArgumentKind::Image(ImageArgument { texels: TexelPlace::Binding { binding, access, .. }, .. }) => {
                Some((*binding, access))
            }
            _ => None,
        }
    }
}

/// The accesses of a kernel to a binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nothing: the shader has no such binding.
    Unused,
    /// It only reads it.
    Read,
    /// It writes it, and may read it.
    ReadWrite,
}

/// The target of a pointer argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressSpace {
    /// `global` memory.
    Global,
    /// `constant` memory.
    Constant,
}

/// Memory that the host allocates once for the module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramData {
    /// Its initial contents.
    pub bytes: Vec<u8>,
    /// Its alignment.
    pub alignment: u32,
    /// The 64-bit words of it that contain addresses in it.
    pub relocations: Vec<Relocation>,
    /// The buffer of `printf`, if a kernel calls it.
    pub printf: Option<Printf>,
}

/// A word of the program data that contains an address in the program data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The offset of the word.
    pub at: u32,
    /// The offset of the target.
    pub target: u32,
}

/// The buffer of `printf`, a part of the program data: 32-bit words.
///
/// ```text
/// word 0        the words of all records; more than the capacity if one did not fit
/// word 1        the calls that did not fit
/// words 2 …     records: the number of a call, from 1, then its arguments; at most [`capacity`](Printf::capacity) words
/// ```
///
/// The host clears words 0 and 1 before a launch. A word 0 in place of the number of a call ends the records. A component of an argument with at most 32
/// bits takes a word, every other one two words, the low one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Printf {
    /// The offset of word 0 in the program data.
    pub offset: u32,
    /// The words of the records.
    pub capacity: u32,
    /// The calls: record number 1 is the first.
    pub calls: Vec<PrintfCall>,
    /// The strings that arguments name by their index.
    pub strings: Vec<Vec<u8>>,
}

/// A call of `printf`.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PrintfCall {
    /// The format, without the zero at its end.
    pub format: Vec<u8>,
    /// The arguments that its directives take.
    pub arguments: Vec<PrintfArgument>,
}

impl PrintfCall {
    /// The words of a record of the call.
    pub fn words(&self) -> u32 {
        1 + self.arguments.iter().map(|argument| argument.words()).sum::<u32>()
    }
}

/// An argument of a call of `printf`, as a record holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PrintfArgument {
    /// Its kind.
    pub kind: PrintfKind,
    /// The bits of a component: 8 to 64.
    pub width: u32,
    /// The components of a vector, 1 for a scalar.
    pub components: u32,
}

impl PrintfArgument {
    /// The words of the argument in a record.
    pub fn words(&self) -> u32 {
        self.components * self.width.div_ceil(32)
    }
}

/// The kind of an argument of `printf`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum PrintfKind {
    /// An integer.
    Integer,
    /// A floating-point number of 32 or 64 bits.
    Float,
    /// An address.
    Pointer,
    /// The index of a string.
    String,
}
