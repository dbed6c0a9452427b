//! Features of OpenCL C that the kernel passes refuse, by name, with what to do instead.

/// A feature that is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Accesses to images with levels or samples.
    Images,
    /// Pipes.
    Pipes,
    /// Queues, events of the device, and `enqueue_kernel`.
    DeviceEnqueue,
    /// Functions that call themselves.
    Recursion,
    /// Functions as values.
    FunctionPointers,
    /// Functions with any number of arguments.
    VariadicFunctions,
    /// Barriers of some subgroups of a work-group.
    NamedBarriers,
    /// Constants that the host sets, for types and on devices without their types.
    SpecializationConstants,
    /// Modules whose pointers have 32 bits.
    Pointers32,
    /// Pointers that may point to more than one address space.
    GenericPointers,
}

impl Feature {
    /// All features, in the order of lists.
    pub const ALL: &'static [Feature] = &[
        Feature::Images,
        Feature::Pipes,
        Feature::DeviceEnqueue,
        Feature::Recursion,
        Feature::FunctionPointers,
        Feature::VariadicFunctions,
        Feature::NamedBarriers,
        Feature::SpecializationConstants,
        Feature::Pointers32,
        Feature::GenericPointers,
    ];

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Images => "images",
            Feature::Pipes => "pipes",
            Feature::DeviceEnqueue => "device-side enqueue",
            Feature::Recursion => "recursion",
            Feature::FunctionPointers => "function pointers",
            Feature::VariadicFunctions => "variadic functions",
            Feature::NamedBarriers => "named barriers",
            Feature::SpecializationConstants => "specialization constants",
            Feature::Pointers32 => "32-bit pointers",
            Feature::GenericPointers => "generic pointer",
        }
    }

    /// What to do instead: lower case, no full stop.
    pub const fn advice(self) -> &'static str {
        match self {
            Feature::Images => {
                "use an image without levels and samples: image2d_t, image3d_t, image2d_array_t and so on"
            }
            Feature::Pipes => "pass a buffer and an atomic counter",
            Feature::DeviceEnqueue => "launch the second kernel from the host",
            Feature::Recursion => "replace the recursion by a loop, with an array as stack if it needs one",
            Feature::FunctionPointers => "call the functions by name, selected by a switch over a number",
            Feature::VariadicFunctions => "write a function for each number of arguments",
            Feature::NamedBarriers => "use a barrier of the work-group or of the subgroup",
            Feature::SpecializationConstants => "give the constant its value: --spec ID=VALUE",
            Feature::Pointers32 => "compile the source for 64-bit pointers: clang --target=spirv64",
            Feature::GenericPointers => "give the parameter an address space, and write a function for each",
        }
    }
}
