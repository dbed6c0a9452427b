//! The interface of a text: what its host program binds, and where.

use spirv::ExecutionModel;

use crate::Language;

/// What a text declares for its host program. The lists have the order of the declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Interface {
    /// The language of the text.
    pub language: Language,
    /// The version of the language; empty for WGSL, which has none.
    pub version: String,
    /// The entry points.
    pub entry_points: Vec<InterfaceEntry>,
    /// The resources. An image with a sampler is two of them where the text declares two variables.
    pub resources: Vec<Resource>,
    /// The specialization constants that the host program can set.
    pub constants: Vec<SpecializationConstant>,
}

/// An entry point of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InterfaceEntry {
    /// The name in the text.
    pub name: String,
    /// The name in the module.
    pub module_name: String,
    /// The stage.
    pub model: ExecutionModel,
    /// The inputs that have a location.
    pub inputs: Vec<InterfaceVariable>,
    /// The outputs that have a location.
    pub outputs: Vec<InterfaceVariable>,
}

/// An input or output of an entry point, or a part of one: what has a location of its own in the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct InterfaceVariable {
    /// The name in the text; empty for the result of a function, which has none.
    pub name: String,
    /// The location in the module.
    pub location: u32,
    /// The first component in the location.
    pub component: u32,
    /// The index of an output that is blended; 0 for others.
    pub index: u32,
    /// The attribute of the language: the semantic `TEXCOORD0` in HLSL, `attribute(0)` in MSL. `None` in GLSL and WGSL, where the location is that.
    pub attribute: Option<String>,
}

/// A descriptor set and a binding of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Slot {
    /// The descriptor set.
    pub set: u32,
    /// The binding in the set.
    pub binding: u32,
}

/// A resource that a text declares.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// The name in the text; for a block whose members stand alone, the name of the block.
    pub name: String,
    /// The name of the block, where the text declares one with the variable.
    pub block: Option<String>,
    /// What it is.
    pub kind: ResourceKind,
    /// Its descriptor in the module; `None` for push constants, and for what the writer adds.
    pub slot: Option<Slot>,
    /// The descriptor of the sampler that is in the same variable of the text and had one of its own in the module.
    pub sampler: Option<Slot>,
    /// Where the text has it.
    pub place: ResourcePlace,
    /// The number of descriptors.
    pub count: ResourceCount,
    /// For a storage buffer of MSL, its place in [`ResourceKind::BufferSizes`].
    pub size_index: Option<u32>,
    /// The entry points of the text that use it, by their places in [`Interface::entry_points`].
    pub entry_points: Vec<usize>,
}

/// The number of descriptors of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceCount {
    /// It is no array.
    One,
    /// It is an array of this length. That of an array of arrays is the product.
    Array(u32),
    /// It is an array whose length the host program chooses.
    Unbounded,
}

impl ResourceCount {
    /// The count of numbers that it takes, at least: one for an array whose length is not known.
    pub(crate) fn numbers(self) -> u32 {
        match self {
            ResourceCount::Array(length) => length.max(1),
            ResourceCount::One | ResourceCount::Unbounded => 1,
        }
    }
}

/// What a resource is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResourceKind {
    /// A uniform block.
    UniformBuffer,
    /// A storage buffer.
    StorageBuffer,
    /// Push constants.
    PushConstants,
    /// A record of a shader binding table.
    ShaderRecord,
    /// An image that is sampled or fetched.
    Texture,
    /// An image that is read and written.
    StorageImage,
    /// An image in a buffer that is read.
    TexelBuffer,
    /// An image in a buffer that is read and written.
    StorageTexelBuffer,
    /// An attachment of a render pass that is read.
    InputAttachment,
    /// A sampler.
    Sampler,
    /// An image with its sampler in one variable.
    TextureWithSampler,
    /// An acceleration structure of rays.
    AccelerationStructure,
    /// The sizes of the buffers in bytes, by [`Resource::size_index`]: 32-bit words, which the writer adds to MSL.
    BufferSizes,
    /// The number of workgroups: three 32-bit words, which the writer adds to HLSL.
    WorkgroupCount,
}

impl ResourceKind {
    /// The name in the reflection.
    pub const fn name(self) -> &'static str {
        match self {
            ResourceKind::UniformBuffer => "uniform_buffer",
            ResourceKind::StorageBuffer => "storage_buffer",
            ResourceKind::PushConstants => "push_constants",
            ResourceKind::ShaderRecord => "shader_record",
            ResourceKind::Texture => "texture",
            ResourceKind::StorageImage => "storage_image",
            ResourceKind::TexelBuffer => "texel_buffer",
            ResourceKind::StorageTexelBuffer => "storage_texel_buffer",
            ResourceKind::InputAttachment => "input_attachment",
            ResourceKind::Sampler => "sampler",
            ResourceKind::TextureWithSampler => "texture_with_sampler",
            ResourceKind::AccelerationStructure => "acceleration_structure",
            ResourceKind::BufferSizes => "buffer_sizes",
            ResourceKind::WorkgroupCount => "workgroup_count",
        }
    }
}

/// Where a text has a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ResourcePlace {
    /// The text does not say it: the host program finds the variable by its name.
    Named,
    /// `layout(set = s, binding = b)`. OpenGL has no sets.
    Layout {
        /// The descriptor set, in GLSL for Vulkan.
        set: Option<u32>,
        /// The binding.
        binding: u32,
    },
    /// `register(t3, space1)`.
    Register {
        /// The class: `b`, `t`, `u` or `s`.
        class: char,
        /// The number of the first register.
        number: u32,
        /// The space; 0 in shader model 5.0, which has none.
        space: u32,
    },
    /// `[[buffer(n)]]`.
    Buffer(u32),
    /// `[[texture(n)]]`.
    Texture(u32),
    /// `[[sampler(n)]]`.
    Sampler(u32),
    /// `[[id(n)]]` in the argument buffer at `[[buffer(b)]]`.
    Argument {
        /// The number of the argument buffer.
        buffer: u32,
        /// The number in it.
        id: u32,
    },
    /// `@group(g) @binding(b)`.
    Group {
        /// The group.
        group: u32,
        /// The binding.
        binding: u32,
    },
}

/// A specialization constant that the host program can set.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SpecializationConstant {
    /// The number in the module (`SpecId`). `constant_id` in GLSL, `function_constant` in MSL and `@id` in WGSL have it.
    pub id: u32,
    /// The name in the text: the constant in GLSL and WGSL, the macro in HLSL, the function constant in MSL.
    pub name: String,
}
