//! Global variables: buffers, images, samplers, push constants, workgroup and private memory.
//!
//! ```text
//! %data: StorageBuffer { u32[] }, NonWritable      ⇒      StructuredBuffer<uint> data : register(t0);
//! %head: StorageBuffer { u32, u32[] }              ⇒      RWByteAddressBuffer head : register(u1);
//! %sizes: Uniform { vec2, f32 }                    ⇒      cbuffer Sizes : register(b2) { float2 extent; float scale; }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, StorageClass};

use super::super::resources::{innermost, unnamed_image};
use super::super::uses::Sampling;
use super::super::{Lowering, Place};
use super::registers::Class;
use crate::interface::ResourceKind;
use crate::syntax::{Depth, Global, GlobalKind, Length, Type, TypeShape};
use crate::write::WriteCode;

/// The bytes of memory that a workgroup has.
const MOST_WORKGROUP_BYTES: u64 = 32_768;

impl Lowering<'_> {
    /// Declares the variables that the written functions use.
    pub(in crate::lower) fn hlsl_add_globals(&mut self) -> Result<(), Diagnostic> {
        let variables = self.used_variables();
        self.find_emitting();
        let mut resources = Vec::new();
        for &variable in &variables {
            resources.extend(self.classes_of(variable).into_iter().map(|class| (variable, class)));
        }
        self.assign_registers(&resources);
        for &variable in &variables {
            self.add_variable_of_hlsl(variable)?;
        }
        self.add_dispatch(&variables);
        self.check_workgroup_memory(&variables)
    }

    /// Refuses more memory of a workgroup than the language has. Lengths that are specialized are not known.
    fn check_workgroup_memory(&self, variables: &[Inst]) -> Result<(), Diagnostic> {
        let mut total = 0_u64;
        for &variable in variables {
            let Some(Place::Global(global)) = self.globals.get(&variable).cloned() else { continue };
            if self.source.storage_class(variable) != Some(StorageClass::Workgroup) {
                continue;
            }
            total = total.saturating_add(self.bytes_of_values(self.text.global(global).ty));
            if total > MOST_WORKGROUP_BYTES && self.entries.len() == 1 {
                let message = format!("{total} bytes of workgroup memory in HLSL, which has {MOST_WORKGROUP_BYTES}");
                return self.refuse(WriteCode::Stage, variable, message);
            }
        }
        Ok(())
    }

    /// The bytes of a type as the language has it. The depth is that of the type.
    fn bytes_of_values(&self, ty: Type) -> u64 {
        match self.text.types[ty] {
            TypeShape::Array { element, length: Length::Constant(count) } => {
                u64::from(count).saturating_mul(self.bytes_of_values(element))
            }
            TypeShape::Struct(id) => {
                let members = self.text.structure(id).members.iter().map(|member| self.bytes_of_values(member.ty));
                members.fold(0, u64::saturating_add)
            }
            TypeShape::Matrix { scalar, columns, rows } => {
                u64::from(columns) * u64::from(rows) * u64::from(scalar.width / 8)
            }
            TypeShape::Scalar(scalar) | TypeShape::Vector { scalar, .. } => {
                // Conditions and integers of 8 bits have 32.
                let bytes = if scalar.width < 16 { 4 } else { scalar.width / 8 };
                u64::from(bytes) * u64::from(self.text.types.size(ty))
            }
            _ => 0,
        }
    }

    /// The classes of registers of a resource.
    fn classes_of(&self, variable: Inst) -> Vec<Class> {
        let (Some(class), Some(pointee)) = (self.source.storage_class(variable), self.source.pointee(variable)) else {
            return Vec::new();
        };
        let element = innermost(self.source, pointee);
        match class {
            StorageClass::StorageBuffer | StorageClass::Uniform if self.is_storage(class, element) => {
                vec![if self.is_read_only(variable, element) { Class::T } else { Class::U }]
            }
            StorageClass::Uniform => vec![Class::B],
            StorageClass::UniformConstant => match self.source.type_view(element) {
                Some(TypeView::Image(image)) if image.sampled == 2 => vec![Class::U],
                Some(TypeView::SampledImage { .. }) => vec![Class::T, Class::S],
                Some(TypeView::Other(Op::TypeSampler)) => vec![Class::S],
                _ => vec![Class::T],
            },
            _ => Vec::new(),
        }
    }

    /// Returns whether a block of a storage class is a storage buffer.
    pub(super) fn is_storage(&self, class: StorageClass, block: Inst) -> bool {
        class == StorageClass::StorageBuffer || self.source.decorated(block).has(Decoration::BufferBlock)
    }

    /// Returns whether a buffer is not writable, or none of its members is, and no other buffer overlaps with it. A compiler may take what
    /// `t` registers name as constant, so a buffer that another one may write has a `u` register.
    pub(super) fn is_read_only(&self, variable: Inst, block: Inst) -> bool {
        if self.uses.overlaps(variable) {
            return false;
        }
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(Decoration::NonWritable);
        self.source.decorated(variable).has(Decoration::NonWritable) || count > 0 && (0..count).all(of_member)
    }

    fn add_variable_of_hlsl(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        let block = innermost(self.source, pointee);
        match storage_class {
            Some(StorageClass::Input | StorageClass::Output) => self.add_shared_interface(variable, pointee),
            Some(class @ (StorageClass::StorageBuffer | StorageClass::Uniform)) if self.is_storage(class, block) => {
                self.add_storage_buffer(variable, pointee, block)
            }
            Some(StorageClass::Uniform | StorageClass::PushConstant) => self.add_constants(variable, pointee, block),
            Some(StorageClass::UniformConstant) => self.add_resource(variable, pointee),
            Some(StorageClass::Workgroup) if initializer.is_some() => {
                self.refuse(WriteCode::Constant, variable, "workgroup memory with a first value in HLSL")
            }
            Some(StorageClass::Workgroup) => self.add_memory(variable, pointee, "groupshared", None),
            Some(StorageClass::TaskPayloadWorkgroupEXT) => self.add_payload(variable, pointee),
            Some(StorageClass::Private) => self.add_memory(variable, pointee, "static", initializer),
            class => {
                let class = class.map_or_else(|| "unknown".to_owned(), |class| format!("{class:?}"));
                self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class} in HLSL"))
            }
        }
    }

    /// A variable without an interface: workgroup memory, private memory.
    pub(super) fn add_memory(
        &mut self,
        variable: Inst,
        pointee: Inst,
        prefix: &str,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let ty = self.ty(pointee)?;
        let value = initializer.map(|constant| self.constant(constant)).transpose()?;
        let default = if prefix == "static" { "data" } else { "shared_data" };
        let name = self.name(variable).unwrap_or_else(|| default.to_owned());
        let kind = GlobalKind::Variable(value);
        let prefix = prefix.to_owned();
        self.declare(variable, Global { name, ty, kind, prefix, suffix: String::new(), is_written: true });
        Ok(())
    }

    /// A type of resources with the lengths of an array of resources.
    pub(super) fn array_like(&mut self, pointee: Inst, element: Type) -> Result<Type, Diagnostic> {
        let (mut lengths, mut ty) = (Vec::new(), pointee);
        loop {
            match self.source.type_view(ty) {
                Some(TypeView::Array { element, length }) => {
                    lengths.push(match self.source.constant_word(length) {
                        Some(count) => Length::Constant(count),
                        None => Length::Named(self.named_constant(length)?),
                    });
                    ty = element;
                }
                Some(TypeView::RuntimeArray { element }) => {
                    self.check_unbounded(ty)?;
                    lengths.push(Length::Runtime);
                    ty = element;
                }
                _ => break,
            }
        }
        Ok(lengths
            .into_iter()
            .rev()
            .fold(element, |element, length| self.text.types.of(TypeShape::Array { element, length })))
    }

    fn check_unbounded(&self, place: Inst) -> Result<(), Diagnostic> {
        match self.target.hlsl().has(5, 1) {
            true => Ok(()),
            false => {
                let message = "an array of resources without a length in HLSL 5.0; 5.1 has it";
                self.refuse(WriteCode::Image, place, message)
            }
        }
    }

    /// An image, a sampler, or both.
    fn add_resource(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let element = innermost(self.source, pointee);
        let is_array = element != pointee;
        if is_array && matches!(self.source.type_view(pointee), Some(TypeView::RuntimeArray { .. })) {
            self.check_unbounded(variable)?;
        }
        match self.source.type_view(element) {
            Some(TypeView::Image(image)) if image.dim == Some(spirv::Dim::DimSubpassData) => {
                self.refuse(WriteCode::Image, variable, "an input attachment in HLSL")
            }
            Some(TypeView::Image(image)) if image.sampled == 2 && image.multisampled != 0 => {
                self.refuse(WriteCode::Image, variable, "a storage image with several samples in HLSL")
            }
            Some(TypeView::Image(image)) => {
                let class = if image.sampled == 2 { Class::U } else { Class::T };
                let words = if class == Class::U { self.coherence(variable, element) } else { "" };
                let ty = self.ty(pointee)?;
                self.check_alias(variable, class)?;
                let mut global = self.resource(variable, ty, class, unnamed_image(self.source, variable));
                global.prefix = words.trim_end().to_owned();
                global.is_written = class == Class::U;
                self.declare_resource(variable, global, (self.kind_of(variable), class));
                Ok(())
            }
            Some(TypeView::SampledImage { .. }) => {
                let ty = self.ty(pointee)?;
                self.check_alias(variable, Class::T)?;
                let global = self.resource(variable, ty, Class::T, "image");
                self.declare_resource(variable, global, (self.image_kind(variable), Class::T));
                self.add_samplers(variable, pointee)
            }
            Some(TypeView::Other(Op::TypeSampler)) => self.add_samplers(variable, pointee),
            Some(TypeView::Other(Op::TypeAccelerationStructureKHR)) if self.target.hlsl().has(6, 5) => {
                let ty = self.ty(pointee)?;
                let global = self.resource(variable, ty, Class::T, "scene");
                self.declare_resource(variable, global, (self.kind_of(variable), Class::T));
                Ok(())
            }
            _ => {
                let since = match self.source.op(element) {
                    Op::TypeAccelerationStructureKHR => "; 6.5 has it",
                    _ => "",
                };
                let message = format!("a variable of {} in HLSL{since}", self.source.op(element).name());
                self.refuse(WriteCode::Type, variable, message)
            }
        }
    }

    /// Two resources of one register have to be one resource.
    pub(super) fn check_alias(&self, variable: Inst, class: Class) -> Result<(), Diagnostic> {
        match self.is_aliased(variable, class) {
            true => self.refuse(WriteCode::Image, variable, "two resources of one binding in HLSL"),
            false => Ok(()),
        }
    }

    fn resource(&self, variable: Inst, ty: Type, class: Class, default: &str) -> Global {
        Global {
            name: self.name(variable).unwrap_or_else(|| default.to_owned()),
            ty,
            kind: GlobalKind::Variable(None),
            prefix: String::new(),
            suffix: self.register_words(self.known_register(variable, class), class),
            is_written: false,
        }
    }

    /// Declares and notes a resource.
    fn declare_resource(&mut self, variable: Inst, global: Global, (kind, class): (ResourceKind, Class)) {
        let id = self.declare(variable, global);
        let register = self.known_register(variable, class);
        self.note_register(variable, id, kind, (register, class));
    }

    /// The samplers of a variable: one that compares and one that does not, as they are used.
    fn add_samplers(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let is_combined =
            matches!(self.source.type_view(innermost(self.source, pointee)), Some(TypeView::SampledImage { .. }));
        let compares = self.uses.samples(variable, Sampling::Compared);
        let is_argument = || self.source.uses(variable).any(|used| self.source.op(used.user) == Op::FunctionCall);
        let is_plain = self.uses.samples(variable, Sampling::Plain) || !compares && (!is_combined || is_argument());
        let name = self.name(variable).unwrap_or_else(|| "image".to_owned());
        let (own, mut is_own_free) = (self.known_register(variable, Class::S), true);
        for (is_used, sampling) in [(is_plain, Sampling::Plain), (compares, Sampling::Compared)] {
            if !is_used {
                continue;
            }
            let depth = if sampling == Sampling::Compared { Depth::Compared } else { Depth::Color };
            let element = self.text.types.of(TypeShape::Sampler(depth));
            let ty = self.array_like(pointee, element)?;
            let register = match std::mem::take(&mut is_own_free) {
                true => own,
                false => Some(self.next_register(variable, Class::S)),
            };
            let suffix = self.register_words(register, Class::S);
            let name = match (is_combined, sampling) {
                (true, Sampling::Plain) => format!("{name}_sampler"),
                (true, Sampling::Compared) => format!("{name}_comparison"),
                (false, _) => name.clone(),
            };
            let (kind, prefix) = (GlobalKind::Variable(None), String::new());
            let id = self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: false });
            self.note_register(variable, id, ResourceKind::Sampler, (register, Class::S));
            match (is_combined, sampling) {
                (true, _) => {
                    self.hlsl.samplers.insert((variable, sampling), id);
                }
                (false, Sampling::Plain) => {
                    self.globals.insert(variable, Place::Global(id));
                }
                (false, Sampling::Compared) => {
                    self.compared.insert(variable, id);
                    self.globals.entry(variable).or_insert(Place::Global(id));
                }
            }
        }
        Ok(())
    }
}
