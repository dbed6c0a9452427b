//! The data that a host program needs to launch the kernels of a module: `docs/kernel-abi.md` as data.

/// What a host program has to know.
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
}

/// A kernel: an entry point of the shader module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The name of the entry point.
    pub name: String,
    /// How large a work-group is.
    pub local_size: LocalSize,
    /// Bytes of push constants, a multiple of 4; zero if there are none.
    pub push_constant_size: u32,
    /// Where the arguments are.
    pub arguments_in: Arguments,
    /// The arguments in order.
    pub arguments: Vec<Argument>,
    /// Where in the push constants the global offset goes: three 64-bit integers.
    pub global_offset: Option<u32>,
    /// Where in the push constants the 64-bit address of the program data goes.
    pub program_data: Option<u32>,
    /// The subgroup size that the kernel asks for.
    pub subgroup_size: Option<u32>,
    /// The work-group size that the kernel requires. Where [`Kernel::local_size`] is `Specialized` all the same, since other kernels
    /// of the module have no size of their own, the host specializes it to this.
    pub required_local_size: Option<[u32; 3]>,
    /// The id of the specialization constant, of 32 bits and 3 by default, that gives the number of dimensions of the launch; only where
    /// the kernel asks for it.
    pub work_dim: Option<u32>,
}

impl Kernel {
    /// The ids of the specialization constants that a host gives values to.
    pub fn spec_ids(&self) -> impl Iterator<Item = u32> + '_ {
        let sizes = match self.local_size {
            LocalSize::Fixed(_) => None,
            LocalSize::Specialized(ids) => Some(ids),
        };
        let locals = self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Local { spec_id, .. } => Some(spec_id),
            ArgumentKind::Pointer { .. } | ArgumentKind::Value { .. } => None,
        });
        sizes.into_iter().flatten().chain(locals).chain(self.work_dim)
    }
}

/// How large a work-group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalSize {
    /// As the kernel requires.
    Fixed([u32; 3]),
    /// Given by the specialization constants of these ids, 1 by default.
    Specialized([u32; 3]),
}

/// Where the arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// In the push constants.
    PushConstants,
    /// In a buffer of `size` bytes, whose 64-bit address goes to `address_offset` in the push constants.
    Buffer {
        /// Where the address goes.
        address_offset: u32,
        /// Bytes of the buffer.
        size: u32,
    },
}

/// An argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name, where the module has one.
    pub name: Option<String>,
    /// What it is and where it goes.
    pub kind: ArgumentKind,
}

/// What an argument is. Offsets count from the start of the push constants or of the argument buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// A 64-bit device address.
    Pointer {
        /// What it points to.
        address_space: AddressSpace,
        /// Where it goes.
        offset: u32,
    },
    /// A scalar, vector or struct, byte for byte as OpenCL lays it out.
    Value {
        /// Where it goes.
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
}

/// What a pointer argument points to.
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
    /// What it holds before the first launch.
    pub bytes: Vec<u8>,
    /// Its alignment.
    pub alignment: u32,
    /// 64-bit words of it that are addresses in it.
    pub relocations: Vec<Relocation>,
}

/// A word of the program data that is an address in the program data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where the word is.
    pub at: u32,
    /// Which byte it points to.
    pub target: u32,
}
