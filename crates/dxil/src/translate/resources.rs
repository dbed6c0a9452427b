//! Resources as variables of the shader.
//!
//! | resource | variable |
//! |---|---|
//! | structured and raw buffers | a storage buffer: an array of numbers, of the narrowest width that something accesses |
//! | constant buffers | a uniform buffer: an array of rows of 16 bytes |
//! | typed buffers | a texel buffer, uniform or storage |
//! | textures | an image, sampled or storage |
//! | samplers | a sampler |
//! | a range of registers | an array of these, without an end if the range has none |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, Signedness, decoration};
use spirv::{Capability, Decoration, Dim, ImageFormat, StorageClass};

use super::apart::{self, Needed};
use super::bindings::{DescriptorSlot, Register};
use super::function::Body;
use super::handles::Handle;
use super::numbers::{Kind, Number, signedness};
use super::usage::Usage;
use super::{Placement, Shader};
use crate::error::{self, Code, at_bit};
use crate::module::Type;
use crate::module::view::{ComponentType, Resource, ResourceClass, ResourceKind};

/// A resource that has a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    variable: Inst,
    /// The type of one resource of the range.
    ty: Inst,
    class: StorageClass,
    pub(super) storage: Storage,
    is_range: bool,
    first_register: u32,
    /// The variable of its counter.
    pub(super) counter: Option<Inst>,
}

/// The storage of a resource.
#[derive(Clone, Copy, Debug)]
pub(super) enum Storage {
    /// An array of numbers in a storage buffer, or of vectors of several columns where each struct is one.
    Numbers { element: Number, stride: u32, columns: u32 },
    /// An array of rows in a uniform buffer.
    Rows { element: Number },
    /// An image or texel buffer.
    Image(Image),
    /// A sampler.
    Sampler,
}

/// An image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub(super) dimension: Dim,
    pub(super) is_array: bool,
    pub(super) is_multisampled: bool,
    pub(super) is_storage: bool,
    /// The number type in which its components are read and written.
    pub(super) component: Number,
    /// True if they are integers with a sign, which the host says again in the format.
    pub(super) signedness: Signedness,
    pub(super) ty: Inst,
}

impl Image {
    /// The number of coordinates that name a texel, the layer of an array included.
    pub(super) fn coordinates(&self) -> usize {
        self.extents() + usize::from(self.is_array)
    }

    /// The number of coordinates that a texel has in a layer.
    pub(super) fn extents(&self) -> usize {
        match self.dimension {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim2D => 2,
            _ => 3,
        }
    }
}

/// The register of a resource; of a range, the first one.
fn register_of(resource: &Resource) -> Register {
    Register { class: resource.class, space: resource.space, number: resource.first_register }
}

/// The number of registers that a range may have that is declared with its length.
const MAX_RANGE: u32 = 1 << 20;

impl Shader<'_> {
    /// Declares the variables of all resources that something uses.
    pub(super) fn declare_resources(&mut self, usages: &[Usage]) -> Result<Vec<Placement>, Diagnostic> {
        let mut placements: Vec<Placement> = Vec::new();
        for (index, usage) in usages.iter().enumerate().filter(|(_, usage)| usage.is_used) {
            let resource = self.handles.resources[index].clone();
            let placement = self.place(&resource, usage, usages)?;
            for slot in [Some(placement.slot), placement.counter].into_iter().flatten() {
                let taken = placements.iter().find(|other| other.slot == slot || other.counter == Some(slot));
                if let Some(other) = taken {
                    let what = format!("{} and {} both go to {slot}", other.register, placement.register);
                    return Err(self.not_apart(&what, usages));
                }
            }
            self.resources[index] = Some(self.declare_resource(&resource, usage, &placement)?);
            placements.push(placement);
        }
        Ok(placements)
    }

    /// The error for a resource without a place of its own, with the options that give one to every resource.
    fn not_apart(&self, what: &str, usages: &[Usage]) -> Diagnostic {
        let used = self.handles.resources.iter().zip(usages).filter(|(_, usage)| usage.is_used);
        let needed: Vec<Needed> =
            used.map(|(resource, usage)| Needed { register: register_of(resource), counts: usage.counts }).collect();
        let help = match apart::shifts(&self.options.bindings, &needed) {
            Some(shifts) => format!("{shifts} (in place of other shifts) gives every resource a place of its own"),
            None => "assign bindings (--bindings)".to_owned(),
        };
        at_bit(Code::Binding, 0, format!("{what}: {help}"))
    }

    fn place(&self, resource: &Resource, usage: &Usage, usages: &[Usage]) -> Result<Placement, Diagnostic> {
        let register = register_of(resource);
        let Some(slot) = self.options.bindings.slot(register) else {
            let message = format!("the binding of {register} is larger than 4294967295: choose a smaller shift");
            return Err(at_bit(Code::Binding, 0, message));
        };
        let counter = match (usage.counts, self.options.bindings.counter_slot(register)) {
            (false, _) => None,
            (true, Some(slot)) => Some(slot),
            (true, None) => {
                return Err(self.not_apart(&format!("the counter of {register} has no binding"), usages));
            }
        };
        let descriptor = match (resource.class, resource.kind) {
            (ResourceClass::ConstantBuffer, _) => "uniform buffer",
            (ResourceClass::Sampler, _) => "sampler",
            (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => "storage buffer",
            (ResourceClass::ShaderResource, ResourceKind::TypedBuffer) => "uniform texel buffer",
            (ResourceClass::UnorderedAccess, ResourceKind::TypedBuffer) => "storage texel buffer",
            (ResourceClass::ShaderResource, _) => "sampled image",
            (ResourceClass::UnorderedAccess, _) => "storage image",
        };
        let (name, count, kind) = (resource.name.clone(), resource.count, resource.kind);
        Ok(Placement { name, register, count, kind, slot, counter, descriptor })
    }

    fn declare_resource(
        &mut self,
        resource: &Resource,
        usage: &Usage,
        placement: &Placement,
    ) -> Result<Bound, Diagnostic> {
        if resource.flags.is_rasterizer_ordered {
            return Err(unsupported(resource, "rasterizer-ordered views"));
        }
        let (class, storage, ty) = match (resource.class, resource.kind) {
            (ResourceClass::ConstantBuffer, _) => self.uniform_buffer(resource, usage),
            (ResourceClass::Sampler, _) => {
                let ty = self.build.emit(Op::TypeSampler, None, &[]);
                (StorageClass::UniformConstant, Storage::Sampler, ty)
            }
            (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => self.storage_buffer(resource, usage)?,
            _ => {
                let image = self.image(resource, usage)?;
                (StorageClass::UniformConstant, Storage::Image(image), image.ty)
            }
        };
        let variable = self.range_variable(resource, usage, class, ty)?;
        self.set_name(variable, &name_of(resource));
        self.bind(variable, placement.slot);
        if resource.class == ResourceClass::UnorderedAccess {
            if resource.flags.is_globally_coherent {
                self.decorate(variable, Decoration::Coherent);
            }
            if matches!(storage, Storage::Image(_)) && !usage.is_read {
                self.decorate(variable, Decoration::NonReadable);
            }
            if matches!(storage, Storage::Image(_)) && !usage.is_written {
                self.decorate(variable, Decoration::NonWritable);
            }
        }
        let counter = placement.counter.map(|slot| self.counter(resource, usage, slot)).transpose()?;
        let (is_range, first_register) = (resource.count != Some(1), resource.first_register);
        Ok(Bound { variable, ty, class, storage, is_range, first_register, counter })
    }

    /// A variable for a resource or for a range of them.
    fn range_variable(
        &mut self,
        resource: &Resource,
        usage: &Usage,
        class: StorageClass,
        ty: Inst,
    ) -> Result<Inst, Diagnostic> {
        let ty = match resource.count {
            Some(1) => ty,
            Some(count @ 1..=MAX_RANGE) => self.array_type(ty, count, None),
            Some(_) => return Err(unsupported(resource, "ranges of no registers, or of more than 1048576,")),
            None => {
                self.need(Capability::RuntimeDescriptorArray);
                self.need_extension("SPV_EXT_descriptor_indexing");
                self.runtime_array_type(ty, None)
            }
        };
        if resource.count != Some(1) && (usage.is_indexed || usage.is_nonuniform) {
            self.need_indexing(resource, usage);
        }
        Ok(self.build.global_variable(class, ty))
    }

    /// Capabilities of indices that are no constants.
    fn need_indexing(&mut self, resource: &Resource, usage: &Usage) {
        use Capability::*;
        let (dynamic, nonuniform) = match (resource.class, resource.kind) {
            (ResourceClass::ConstantBuffer, _) => {
                (UniformBufferArrayDynamicIndexing, UniformBufferArrayNonUniformIndexing)
            }
            (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => {
                (StorageBufferArrayDynamicIndexing, StorageBufferArrayNonUniformIndexing)
            }
            (ResourceClass::ShaderResource, ResourceKind::TypedBuffer) => {
                (UniformTexelBufferArrayDynamicIndexing, UniformTexelBufferArrayNonUniformIndexing)
            }
            (ResourceClass::UnorderedAccess, ResourceKind::TypedBuffer) => {
                (StorageTexelBufferArrayDynamicIndexing, StorageTexelBufferArrayNonUniformIndexing)
            }
            (ResourceClass::UnorderedAccess, _) => {
                (StorageImageArrayDynamicIndexing, StorageImageArrayNonUniformIndexing)
            }
            _ => (SampledImageArrayDynamicIndexing, SampledImageArrayNonUniformIndexing),
        };
        let is_extended =
            matches!(dynamic, UniformTexelBufferArrayDynamicIndexing | StorageTexelBufferArrayDynamicIndexing);
        self.need(dynamic);
        if usage.is_nonuniform {
            self.need(ShaderNonUniform);
            self.need(nonuniform);
        }
        if usage.is_nonuniform || is_extended {
            self.need_extension("SPV_EXT_descriptor_indexing");
        }
    }

    fn bind(&mut self, variable: Inst, slot: DescriptorSlot) {
        self.build.add_decoration(variable, decoration::DescriptorSet(slot.set));
        self.build.add_decoration(variable, decoration::Binding(slot.binding));
    }

    /// `uniform Name { vec4 rows[n]; }`
    fn uniform_buffer(&mut self, resource: &Resource, usage: &Usage) -> (StorageClass, Storage, Inst) {
        let element = if usage.integers > usage.floats { Number::U32 } else { Number::F32 };
        let row = self.numbers_type(element, 4);
        let count = resource.bytes.div_ceil(16).max(1);
        let rows = self.array_type(row, count, Some(16));
        let ty = self.build.block_type(&[rows], &[0]);
        self.name_block(ty, resource);
        (StorageClass::Uniform, Storage::Rows { element }, ty)
    }

    /// `buffer Name { T elements[]; }`
    fn storage_buffer(
        &mut self,
        resource: &Resource,
        usage: &Usage,
    ) -> Result<(StorageClass, Storage, Inst), Diagnostic> {
        // Numbers of at least 16 bits take 32 in memory.
        let width = match usage.narrowest() {
            16 if !self.has_native_low_precision => 32,
            64 if usage.atomic_widths & 64 == 0 => 32,
            width => width,
        };
        if usage.atomic_widths & !width != 0 {
            return Err(unsupported(resource, "atomic operations beside accesses of other widths"));
        }
        let has_one_width = usage.widths | usage.atomic_widths == width || width == 32 && usage.widths == 16;
        let kind = if has_one_width && usage.has_only_floats() { Kind::Float } else { Kind::Int };
        let element = Number { kind, width, represented: width };
        if width == 16 {
            self.need(Capability::StorageBuffer16BitAccess);
            self.need_extension("SPV_KHR_16bit_storage");
        }
        let stride = resource.stride.unwrap_or(0);
        let may_be_vector = !usage.has_dynamic_offset && usage.atomic_widths == 0 && stride.is_multiple_of(width / 8);
        let columns = match stride / (width / 8) {
            columns @ (2 | 4) if may_be_vector => columns,
            _ => 1,
        };
        let ty = self.numbers_type(element, columns);
        let elements = self.runtime_array_type(ty, Some(columns * width / 8));
        let ty = self.build.block_type(&[elements], &[0]);
        self.name_block(ty, resource);
        if resource.class == ResourceClass::ShaderResource {
            self.build.add_member_decoration(ty, 0, Decoration::NonWritable);
        }
        Ok((StorageClass::StorageBuffer, Storage::Numbers { element, stride, columns }, ty))
    }

    fn name_block(&mut self, ty: Inst, resource: &Resource) {
        self.set_name(ty, &format!("{}_block", name_of(resource)));
    }

    /// `buffer Counter { uint value; }`
    fn counter(&mut self, resource: &Resource, usage: &Usage, slot: DescriptorSlot) -> Result<Inst, Diagnostic> {
        let word = self.int_type(32);
        let ty = self.build.block_type(&[word], &[0]);
        let variable = self.range_variable(resource, usage, StorageClass::StorageBuffer, ty)?;
        self.set_name(variable, &format!("{}_counter", name_of(resource)));
        self.set_name(ty, &format!("{}_counter_block", name_of(resource)));
        self.bind(variable, slot);
        Ok(variable)
    }

    fn image(&mut self, resource: &Resource, usage: &Usage) -> Result<Image, Diagnostic> {
        let is_storage = resource.class == ResourceClass::UnorderedAccess;
        let (dimension, is_array, is_multisampled) = match resource.kind {
            ResourceKind::Texture1D => (Dim::Dim1D, false, false),
            ResourceKind::Texture2D => (Dim::Dim2D, false, false),
            ResourceKind::Texture2DMS => (Dim::Dim2D, false, true),
            ResourceKind::Texture3D => (Dim::Dim3D, false, false),
            ResourceKind::TextureCube => (Dim::DimCube, false, false),
            ResourceKind::Texture1DArray => (Dim::Dim1D, true, false),
            ResourceKind::Texture2DArray => (Dim::Dim2D, true, false),
            ResourceKind::Texture2DMSArray => (Dim::Dim2D, true, true),
            ResourceKind::TextureCubeArray => (Dim::DimCube, true, false),
            ResourceKind::TypedBuffer => (Dim::DimBuffer, false, false),
            kind => return Err(unsupported(resource, &format!("resources of the kind {}", kind.name()))),
        };
        let component = component_of(resource).ok_or_else(|| unsupported(resource, "elements of this type"))?;
        match (dimension, is_storage) {
            (Dim::Dim1D, false) => self.need(Capability::Sampled1D),
            (Dim::Dim1D, true) => self.need(Capability::Image1D),
            (Dim::DimBuffer, false) => self.need(Capability::SampledBuffer),
            (Dim::DimBuffer, true) => self.need(Capability::ImageBuffer),
            (Dim::DimCube, false) if is_array => self.need(Capability::SampledCubeArray),
            _ => {}
        }
        if is_storage && (is_multisampled || dimension == Dim::DimCube) {
            return Err(unsupported(resource, "stores to cubes and to textures with several samples"));
        }
        let format = if is_storage { self.format(resource, usage, component) } else { ImageFormat::Unknown };
        let sign = resource.element.map_or(Signedness::Unsigned, signedness);
        let sampled_type = self.component_type(component, sign, 1);
        let dimension_literal = self.build.enumerant(dimension);
        let format = self.build.enumerant(format);
        let sampled = if is_storage { 2 } else { 1 };
        let flags = [u32::from(usage.compares), u32::from(is_array), u32::from(is_multisampled), sampled];
        let flags = flags.map(|flag| self.build.editor().word(flag));
        let operands = [sampled_type, dimension_literal, flags[0], flags[1], flags[2], flags[3], format];
        let ty = self.build.emit(Op::TypeImage, None, &operands);
        Ok(Image { dimension, is_array, is_multisampled, is_storage, component, signedness: sign, ty })
    }

    /// The format of a storage image: one component of 32 bits says itself what it is; all others are left to the host.
    fn format(&mut self, resource: &Resource, usage: &Usage, component: Number) -> ImageFormat {
        let is_single = usage.atomic_widths != 0 || self.components(resource) == Some(1);
        let is_plain = matches!(resource.element, Some(ComponentType::I32 | ComponentType::U32 | ComponentType::F32));
        if is_single && is_plain && component.width == 32 {
            return match component.kind {
                Kind::Float => ImageFormat::R32f,
                _ if resource.element == Some(ComponentType::I32) => ImageFormat::R32i,
                _ => ImageFormat::R32ui,
            };
        }
        if usage.is_read {
            self.need(Capability::StorageImageReadWithoutFormat);
        }
        if usage.is_written {
            self.need(Capability::StorageImageWriteWithoutFormat);
        }
        ImageFormat::Unknown
    }

    /// The number of components that an element has, as the type of the symbol says: `class.RWTexture2D<float>` has a float as its first
    /// member.
    fn components(&self, resource: &Resource) -> Option<u32> {
        let types = &self.dxil.types;
        let mut ty = types.pointee(resource.ty)?;
        while let Type::Array { element, .. } = types[ty] {
            ty = element;
        }
        let Type::Struct { members: Some(members), .. } = &types[ty] else { return None };
        let &first = members.first()?;
        match &types[first] {
            Type::Vector { length, .. } => Some(*length),
            _ => types.scalar_width(first).map(|_| 1),
        }
    }
}

/// The number type in which elements of a texture or typed buffer are read.
fn component_of(resource: &Resource) -> Option<Number> {
    use ComponentType::*;
    Some(match resource.element? {
        I1 | I16 | U16 | I32 | U32 => Number::U32,
        F16 | F32 | SNormF16 | UNormF16 | SNormF32 | UNormF32 => Number::F32,
        _ => return None,
    })
}

/// The name in the source, or that of the register: `t0`, or `t0_space1`.
fn name_of(resource: &Resource) -> String {
    let register = Register { class: resource.class, space: resource.space, number: resource.first_register };
    match (resource.name.is_empty(), resource.space) {
        (false, _) => resource.name.clone(),
        (true, 0) => register.to_string(),
        (true, space) => format!("{}_space{space}", Register { space: 0, ..register }),
    }
}

fn unsupported(resource: &Resource, what: &str) -> Diagnostic {
    let register = Register { class: resource.class, space: resource.space, number: resource.first_register };
    error::unsupported(0, format!("{what} are not supported: {register} {}", resource.name).trim_end().to_owned())
}

/// Uses of resources.
impl Body<'_, '_> {
    pub(super) fn bound(&self, handle: Handle) -> Bound {
        self.shader.resources[handle.resource].expect("invariant: what is used has a variable")
    }

    /// A variable that belongs to a resource, and the index that leads to it in a range.
    fn path(&mut self, variable: Inst, handle: Handle) -> Result<Vec<Inst>, Diagnostic> {
        let bound = self.bound(handle);
        let mut path = vec![variable];
        if bound.is_range {
            path.push(self.range_index(handle, bound.first_register)?);
        }
        Ok(path)
    }

    /// The address of the counter of a buffer.
    pub(super) fn counter_address(&mut self, counter: Inst, handle: Handle) -> Result<Inst, Diagnostic> {
        let (ty, zero) = (self.shader.int_type(32), self.shader.u32(0));
        let mut operands = self.path(counter, handle)?;
        operands.push(zero);
        let pointer = self.shader.pointer_type(StorageClass::StorageBuffer, ty);
        let address = self.emit(Op::AccessChain, pointer, &operands);
        self.mark_nonuniform(address, handle);
        Ok(address)
    }

    fn range_index(&mut self, handle: Handle, first: u32) -> Result<Inst, Diagnostic> {
        let first_index = self.shader.u32(first);
        let ty = self.shader.int_type(32);
        let index = match self.known_integer(handle.register) {
            Some(known) => self.shader.u32((known as u32).wrapping_sub(first)),
            None => {
                let register = self.value(handle.register)?;
                if first == 0 { register } else { self.emit(Op::ISub, ty, &[register, first_index]) }
            }
        };
        self.mark_nonuniform(index, handle);
        Ok(index)
    }

    /// Says that lanes may have different values of what names a resource.
    pub(super) fn mark_nonuniform(&mut self, inst: Inst, handle: Handle) {
        let module = self.shader.build.module();
        if handle.is_nonuniform && !module.op(inst).is_constant() && !module.decorated(inst).has(Decoration::NonUniform)
        {
            self.shader.decorate(inst, Decoration::NonUniform);
        }
    }

    /// An address in the memory of a resource: indices from the resource on.
    pub(super) fn resource_address(
        &mut self,
        handle: Handle,
        pointee: Inst,
        indices: &[Inst],
    ) -> Result<Inst, Diagnostic> {
        let bound = self.bound(handle);
        let mut operands = self.path(bound.variable, handle)?;
        operands.extend(indices);
        let ty = self.shader.pointer_type(bound.class, pointee);
        let address = self.emit(Op::AccessChain, ty, &operands);
        self.mark_nonuniform(address, handle);
        Ok(address)
    }

    /// The resource itself: the image or sampler.
    pub(super) fn load_resource(&mut self, handle: Handle) -> Result<Inst, Diagnostic> {
        let bound = self.bound(handle);
        let address = self.resource_variable_address(handle)?;
        let loaded = self.emit(Op::Load, bound.ty, &[address]);
        self.mark_nonuniform(loaded, handle);
        Ok(loaded)
    }

    /// The address of a resource, the variable itself outside of ranges.
    pub(super) fn resource_variable_address(&mut self, handle: Handle) -> Result<Inst, Diagnostic> {
        let bound = self.bound(handle);
        match bound.is_range {
            true => self.resource_address(handle, bound.ty, &[]),
            false => Ok(bound.variable),
        }
    }
}
