//! Resources.

use reconverge_diagnostic::Diagnostic;

use super::list::List;
use super::{ComponentType, numbered};
use crate::module::{Module, TypeId, ValueId};

numbered! {
    /// Classes of resources; each has ranges of registers of its own.
    ResourceClass {
        /// Read-only: `t` registers.
        ShaderResource = 0 "shader resource",
        /// Read and written: `u` registers.
        UnorderedAccess = 1 "unordered access",
        /// `b` registers.
        ConstantBuffer = 2 "constant buffer",
        /// `s` registers.
        Sampler = 3 "sampler",
    }
}

numbered! {
    /// Kinds of resources.
    ResourceKind {
        /// One dimension.
        Texture1D = 1 "Texture1D",
        /// Two dimensions.
        Texture2D = 2 "Texture2D",
        /// Two dimensions, several samples.
        Texture2DMS = 3 "Texture2DMS",
        /// Three dimensions.
        Texture3D = 4 "Texture3D",
        /// Six sides.
        TextureCube = 5 "TextureCube",
        /// Several of one dimension.
        Texture1DArray = 6 "Texture1DArray",
        /// Several of two dimensions.
        Texture2DArray = 7 "Texture2DArray",
        /// Several of two dimensions, several samples.
        Texture2DMSArray = 8 "Texture2DMSArray",
        /// Several of six sides.
        TextureCubeArray = 9 "TextureCubeArray",
        /// Elements with a format.
        TypedBuffer = 10 "TypedBuffer",
        /// Bytes.
        RawBuffer = 11 "RawBuffer",
        /// Structs.
        StructuredBuffer = 12 "StructuredBuffer",
        /// Rows of 16 bytes.
        ConstantBuffer = 13 "CBuffer",
        /// A sampler of textures.
        Sampler = 14 "Sampler",
        /// A constant buffer as a shader resource.
        TextureBuffer = 15 "TBuffer",
        /// For rays.
        AccelerationStructure = 16 "RTAccelerationStructure",
        /// The feedback of sampling.
        FeedbackTexture2D = 17 "FeedbackTexture2D",
        /// The feedback of sampling an array.
        FeedbackTexture2DArray = 18 "FeedbackTexture2DArray",
    }
}

/// The count of a range without an end.
const UNBOUNDED: u32 = u32::MAX;

/// Tags after the members of a resource.
const ELEMENT_TYPE: u32 = 0;
const STRIDE: u32 = 1;

/// A range of resources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// The class.
    pub class: ResourceClass,
    /// The number that `createHandle` names it by, in its class.
    pub id: u32,
    /// The variable that libraries load; undefined elsewhere. Its type has the names of the source.
    pub symbol: ValueId,
    /// The type of the symbol, a pointer.
    pub ty: TypeId,
    /// The name in the source; may be empty.
    pub name: String,
    /// The register space.
    pub space: u32,
    /// The first register.
    pub first_register: u32,
    /// The number of registers; `None` if the range has no end.
    pub count: Option<u32>,
    /// The kind.
    pub kind: ResourceKind,
    /// The samples of a texture with several; 0 if the source does not say.
    pub sample_count: u32,
    /// The component type of elements of a texture or typed buffer.
    pub element: Option<ComponentType>,
    /// Bytes from one struct to the next.
    pub stride: Option<u32>,
    /// Bytes of a constant buffer; 0 for other classes.
    pub bytes: u32,
    /// Of resources that are written.
    pub flags: UavFlags,
    /// True if a sampler compares.
    pub is_comparison: bool,
}

/// Properties of a resource that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UavFlags {
    /// True if writes are visible in all groups.
    pub is_globally_coherent: bool,
    /// True if it has a counter.
    pub has_counter: bool,
    /// True if accesses are in the order of primitives.
    pub is_rasterizer_ordered: bool,
}

/// The resources of an entry point, in the order of their numbers in each class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// Read-only.
    pub shader_resources: Vec<Resource>,
    /// Read and written.
    pub unordered_access: Vec<Resource>,
    /// Constant buffers.
    pub constant_buffers: Vec<Resource>,
    /// Samplers.
    pub samplers: Vec<Resource>,
}

impl Module {
    /// All resources, from `dx.resources`; a module without it has none.
    ///
    /// # Errors
    /// Metadata that is not of this form.
    pub fn resources(&self) -> Result<Resources, Diagnostic> {
        let named = self.named_metadata("dx.resources");
        match named.and_then(|named| named.members.first()) {
            None => Ok(Resources::default()),
            Some(&id) => Resources::read(List::of(self, id)?),
        }
    }
}

impl Resources {
    pub(super) fn read(list: List<'_>) -> Result<Resources, Diagnostic> {
        let class = |index: usize, class: ResourceClass| match list.list(index)? {
            None => Ok(Vec::new()),
            Some(ranges) => (0..ranges.members.len()).map(|index| range(&ranges, index, class)).collect(),
        };
        Ok(Resources {
            shader_resources: class(0, ResourceClass::ShaderResource)?,
            unordered_access: class(1, ResourceClass::UnorderedAccess)?,
            constant_buffers: class(2, ResourceClass::ConstantBuffer)?,
            samplers: class(3, ResourceClass::Sampler)?,
        })
    }

    /// The resources of a class.
    pub fn of_class(&self, class: ResourceClass) -> &[Resource] {
        match class {
            ResourceClass::ShaderResource => &self.shader_resources,
            ResourceClass::UnorderedAccess => &self.unordered_access,
            ResourceClass::ConstantBuffer => &self.constant_buffers,
            ResourceClass::Sampler => &self.samplers,
        }
    }
}

fn range(ranges: &List<'_>, index: usize, class: ResourceClass) -> Result<Resource, Diagnostic> {
    let Some(list) = ranges.list(index)? else { return Err(ranges.error("expected a resource, found null")) };
    let symbol = list.value(1, "the symbol of a resource")?;
    let count = list.word(5, "a number of registers")?;
    let mut resource = Resource {
        class,
        id: list.word(0, "the number of a resource")?,
        symbol,
        ty: list.module.values[symbol.index()].ty,
        name: list.text(2, "the name of a resource")?.to_owned(),
        space: list.word(3, "a register space")?,
        first_register: list.word(4, "a register")?,
        count: (count != UNBOUNDED).then_some(count),
        kind: ResourceKind::Sampler,
        sample_count: 0,
        element: None,
        stride: None,
        bytes: 0,
        flags: UavFlags::default(),
        is_comparison: false,
    };
    let extension = match class {
        ResourceClass::ShaderResource => {
            resource.kind = list.kind(6, "a kind of resource", ResourceKind::of_number)?;
            resource.sample_count = list.word(7, "a number of samples")?;
            8
        }
        ResourceClass::UnorderedAccess => {
            resource.kind = list.kind(6, "a kind of resource", ResourceKind::of_number)?;
            resource.flags = UavFlags {
                is_globally_coherent: list.flag(7, "whether writes are visible in all groups")?,
                has_counter: list.flag(8, "whether there is a counter")?,
                is_rasterizer_ordered: list.flag(9, "whether accesses are ordered")?,
            };
            10
        }
        ResourceClass::ConstantBuffer => {
            resource.kind = ResourceKind::ConstantBuffer;
            resource.bytes = list.word(6, "a number of bytes")?;
            7
        }
        ResourceClass::Sampler => {
            resource.is_comparison = list.integer(6, "a kind of sampler")? == 1;
            7
        }
    };
    if let Some(extension) = list.list(extension)? {
        for tag in extension.tags() {
            match tag? {
                (ELEMENT_TYPE, index) => {
                    resource.element = Some(extension.kind(index, "a type of elements", ComponentType::of_number)?);
                }
                (STRIDE, index) => resource.stride = Some(extension.word(index, "a number of bytes")?),
                _ => {}
            }
        }
    }
    Ok(resource)
}
