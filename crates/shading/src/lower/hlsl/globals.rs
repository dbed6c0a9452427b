//! Global variables: buffers, images, samplers, push constants, workgroup and private memory.
//!
//! ```text
//! %data: StorageBuffer { u32[] }, NonWritable      ⇒      StructuredBuffer<uint> data : register(t0);
//! %head: StorageBuffer { u32, u32[] }              ⇒      RWByteAddressBuffer head : register(u1);
//! %sizes: Uniform { vec2, f32 }                    ⇒      cbuffer Sizes : register(b2) { float2 extent; float scale; }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class as OpClass, Inst, Op};
use spirv::{Decoration, StorageClass};

use super::super::uses::{Sampling, root};
use super::super::{Lowering, Place};
use super::layout::{self, MatrixLayout};
use super::raw::{Buffer, Form};
use super::registers::Class;
use crate::syntax::{Depth, Global, GlobalId, GlobalKind, Length, Member, Scalar, Struct, Type, TypeShape};
use crate::write::WriteCode;

/// The maximum stride of a structured buffer.
const LARGEST_STRIDE: u32 = 2048;

impl Lowering<'_> {
    /// Declares the variables that the written functions use.
    pub(in crate::lower) fn hlsl_add_globals(&mut self) -> Result<(), Diagnostic> {
        let variables = self.used_variables();
        let mut resources = Vec::new();
        for &variable in &variables {
            resources.extend(self.classes_of(variable).into_iter().map(|class| (variable, class)));
        }
        self.assign_registers(&resources);
        for &variable in &variables {
            self.add_variable_of_hlsl(variable)?;
        }
        self.add_dispatch(&variables);
        Ok(())
    }

    /// The classes of registers of a resource.
    fn classes_of(&self, variable: Inst) -> Vec<Class> {
        let (Some(class), Some(pointee)) = (self.source.storage_class(variable), self.source.pointee(variable)) else {
            return Vec::new();
        };
        let element = self.innermost(pointee);
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

    /// The type of the elements of arrays of resources.
    pub(super) fn innermost(&self, ty: Inst) -> Inst {
        let mut element = ty;
        while let Some(TypeView::Array { element: part, .. } | TypeView::RuntimeArray { element: part }) =
            self.source.type_view(element)
        {
            element = part;
        }
        element
    }

    fn is_storage(&self, class: StorageClass, block: Inst) -> bool {
        class == StorageClass::StorageBuffer || self.source.decorated(block).has(Decoration::BufferBlock)
    }

    /// Returns whether a buffer is not writable, or none of its members is.
    fn is_read_only(&self, variable: Inst, block: Inst) -> bool {
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(Decoration::NonWritable);
        self.source.decorated(variable).has(Decoration::NonWritable) || count > 0 && (0..count).all(of_member)
    }

    fn add_variable_of_hlsl(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        let block = self.innermost(pointee);
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
            Some(StorageClass::Private) => self.add_memory(variable, pointee, "static", initializer),
            class => {
                let class = class.map_or_else(|| "unknown".to_owned(), |class| format!("{class:?}"));
                self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class} in HLSL"))
            }
        }
    }

    /// Adds a global that a variable is.
    pub(super) fn declare_global(&mut self, variable: Inst, global: Global) -> GlobalId {
        let id = self.text.add_global(global);
        self.globals.insert(variable, Place::Global(id));
        id
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
        self.declare_global(variable, Global { name, ty, kind, prefix, suffix: String::new(), is_written: true });
        Ok(())
    }

    /// A storage buffer: structured if it is an array whose elements have the layout that the language gives, otherwise by bytes.
    fn add_storage_buffer(&mut self, variable: Inst, pointee: Inst, block: Inst) -> Result<(), Diagnostic> {
        let is_read_only = self.is_read_only(variable, block);
        let class = if is_read_only { Class::T } else { Class::U };
        let name = self.name(variable).or_else(|| self.block_name_of(block)).unwrap_or_else(|| "data".to_owned());
        let words = if is_read_only { "" } else { self.coherence(variable, block) };
        let suffix = self.register_of(variable, class);
        if pointee == block
            && !self.is_aliased(variable, class)
            && let Some(element) = self.structured_element(variable, block)
        {
            let element = self.ty(element)?;
            let prefix = format!("{words}{}StructuredBuffer", if is_read_only { "" } else { "RW" });
            let ty = self.text.types.of(TypeShape::Array { element, length: Length::Runtime });
            let kind = GlobalKind::Variable(None);
            let global = Global { name, ty, kind, prefix, suffix, is_written: !is_read_only };
            let id = self.text.add_global(global);
            self.globals.insert(variable, Place::Members(vec![Some(id)]));
            return Ok(());
        }
        let global = match self.alias_of(variable, class) {
            Some(known) => known,
            None => {
                let prefix = format!("{words}{}ByteAddressBuffer", if is_read_only { "" } else { "RW" });
                let void = self.text.types.of(TypeShape::Void);
                let ty = self.array_like(pointee, void)?;
                let kind = GlobalKind::Variable(None);
                self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: !is_read_only })
            }
        };
        self.hlsl.raw.insert(variable, Buffer { global, form: Form::Bytes });
        Ok(())
    }

    /// Another buffer of the same register.
    fn alias_of(&self, variable: Inst, class: Class) -> Option<GlobalId> {
        let register = self.known_register(variable, class)?;
        let mut others = self.source.globals().filter(|&other| other != variable);
        let other = others
            .find(|&other| self.hlsl.raw.contains_key(&other) && self.known_register(other, class) == Some(register))?;
        Some(self.hlsl.raw[&other].global)
    }

    /// Returns whether another variable has the same register.
    fn is_aliased(&self, variable: Inst, class: Class) -> bool {
        let Some(register) = self.known_register(variable, class) else { return false };
        let mut others = self.source.globals().filter(|&other| other != variable);
        others.any(|other| self.known_register(other, class) == Some(register))
    }

    /// A type of resources with the lengths of an array of resources.
    fn array_like(&mut self, pointee: Inst, element: Type) -> Result<Type, Diagnostic> {
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

    fn block_name_of(&self, block: Inst) -> Option<String> {
        self.name(block).filter(|name| !name.starts_with("type_") && !name.starts_with("struct_"))
    }

    /// `globallycoherent `, if invocations of other workgroups see what is written.
    fn coherence(&self, variable: Inst, block: Inst) -> &'static str {
        let of_variable = self.source.decorated(variable);
        let of_members = self.source.decorated(block);
        let has = |decoration: Decoration| {
            of_variable.has(decoration) || of_members.members().any(|note| note.is(decoration))
        };
        let is_coherent = has(Decoration::Coherent) || has(Decoration::Volatile);
        match is_coherent || self.uses.is_shared_by_scope(variable) {
            true => "globallycoherent ",
            false => "",
        }
    }

    /// The element of a buffer that is an array, if a structured buffer has its layout.
    fn structured_element(&self, variable: Inst, block: Inst) -> Option<Inst> {
        let placed = self.placed_members(block)?;
        let &[member] = &placed[..] else { return None };
        let element = match self.source.type_view(member.ty)? {
            TypeView::RuntimeArray { element } | TypeView::Array { element, .. } => element,
            _ => return None,
        };
        let is_element = matches!(
            self.source.type_view(element)?,
            TypeView::Int { .. } | TypeView::Float { .. } | TypeView::Vector { .. } | TypeView::Struct { .. }
        );
        let extent = self.structured_extent(element, MatrixLayout::default())?;
        let stride = extent.size;
        let is_natural = member.offset == 0 && self.source.array_stride(member.ty) == Some(stride);
        let is_legal = stride.is_multiple_of(4) && stride <= LARGEST_STRIDE;
        (is_element && is_natural && is_legal && !self.has_other_atomics(variable)).then_some(element)
    }

    /// Returns whether a buffer has atomics on numbers of another kind than that in memory.
    fn has_other_atomics(&self, variable: Inst) -> bool {
        let functions = self.source.functions();
        let mut insts =
            functions.flat_map(|function| self.source.blocks(function)).flat_map(|block| self.source.children(block));
        insts.any(|inst| {
            let op = self.source.op(inst);
            if op.class() != OpClass::Atomic {
                return false;
            }
            let Some(atomic) = view::Atomic::of(self.source, inst) else { return false };
            if root(self.source, atomic.pointer) != variable {
                return false;
            }
            let view = self.source.pointee(atomic.pointer).and_then(|ty| self.source.type_view(ty));
            match (op, view) {
                (_, Some(TypeView::Float { .. })) => true,
                (Op::AtomicSMin | Op::AtomicSMax, Some(TypeView::Int { is_signed, .. })) => !is_signed,
                (Op::AtomicUMin | Op::AtomicUMax, Some(TypeView::Int { is_signed, .. })) => is_signed,
                _ => false,
            }
        })
    }

    /// A uniform block or push constants.
    fn add_constants(&mut self, variable: Inst, pointee: Inst, block: Inst) -> Result<(), Diagnostic> {
        self.check_alias(variable, Class::B)?;
        let suffix = match self.source.storage_class(variable) {
            Some(StorageClass::PushConstant) => self.extra_constants(),
            _ => self.register_of(variable, Class::B),
        };
        if pointee != block {
            return self.add_constant_buffers(variable, pointee, block, suffix);
        }
        let instance = self.name(variable);
        let of_type = self.block_name_of(block).filter(|name| Some(name) != instance.as_ref());
        let base = instance.clone().or_else(|| of_type.clone()).unwrap_or_else(|| "constants".to_owned());
        let name = of_type.unwrap_or_else(|| capitalized(&base));
        let (members, is_raw) = match self.constant_members(block)? {
            Some(mut members) => {
                if let ([only], true) = (&mut members[..], self.member_name(block, 0).is_none()) {
                    only.name.clone_from(&base);
                }
                (members, false)
            }
            None => (vec![self.words_member(variable, block, &base)?], true),
        };
        let id = self.text.add_struct(Struct { name, members, is_block: true });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let kind = GlobalKind::OpenBlock;
        let global = Global { name: base, ty, kind, prefix: "cbuffer".to_owned(), suffix, is_written: false };
        let global = self.declare_global(variable, global);
        if is_raw {
            self.hlsl.raw.insert(variable, Buffer { global, form: Form::Words });
        }
        Ok(())
    }

    /// The members of a constant buffer, with their places if the language gives others; none if it cannot place them.
    fn constant_members(&mut self, block: Inst) -> Result<Option<Vec<Member>>, Diagnostic> {
        let Some(mut placed) = self.placed_members(block) else {
            return self.refuse(WriteCode::Layout, block, "a block without offsets");
        };
        placed.sort_by_key(|member| member.offset);
        let (mut end, mut is_natural, mut ends) = (0, true, 0);
        for member in &placed {
            let extent = self.constant_extent(member.ty, member.matrix);
            let Some(extent) = extent.filter(|&extent| layout::is_placeable(member.offset, extent)) else {
                return Ok(None);
            };
            if member.offset < ends {
                return Ok(None);
            }
            is_natural &= member.offset == layout::next_in_constants(end, extent);
            end = member.offset + extent.size;
            ends = end;
        }
        let (mut members, mut places) = (Vec::new(), vec![0; placed.len()]);
        for member in placed {
            let ty = self.ty(member.ty)?;
            let name = self.member_name(block, member.number).unwrap_or_else(|| format!("member{}", member.number));
            let prefix = self.hlsl_member_prefix(block, member.number).to_owned();
            let suffix = if is_natural { String::new() } else { layout::pack_offset(member.offset) };
            places[member.number as usize] = members.len() as u32;
            members.push(Member { name, ty, prefix, suffix });
        }
        if places.iter().enumerate().any(|(number, &place)| number as u32 != place) {
            self.places.insert(block, places);
        }
        Ok(Some(members))
    }

    /// The member of a constant buffer that is accessed at byte offsets: registers of four words.
    fn words_member(&mut self, variable: Inst, block: Inst, name: &str) -> Result<Member, Diagnostic> {
        let Some(bytes) = self.bytes_in_memory(block, MatrixLayout::default()) else {
            self.ty(block)?;
            return self.refuse(WriteCode::Layout, variable, "a uniform block whose length is specialized, in HLSL");
        };
        let element = self.text.types.numbers(Scalar::UINT, 4);
        let length = Length::Constant(bytes.div_ceil(16).max(1));
        let ty = self.text.types.of(TypeShape::Array { element, length });
        Ok(Member { name: name.to_owned(), ty, prefix: String::new(), suffix: String::new() })
    }

    /// An array of uniform blocks.
    fn add_constant_buffers(
        &mut self,
        variable: Inst,
        pointee: Inst,
        block: Inst,
        suffix: String,
    ) -> Result<(), Diagnostic> {
        if !self.target.hlsl().has(5, 1) {
            return self.refuse(WriteCode::Layout, variable, "an array of uniform blocks in HLSL 5.0; 5.1 has it");
        }
        if self.constant_extent(block, MatrixLayout::default()).is_none() {
            let message = "an array of uniform blocks in a layout that HLSL does not give";
            return self.refuse(WriteCode::Layout, variable, message);
        }
        let element = self.ty(block)?;
        let ty = self.array_like(pointee, element)?;
        let name = self.name(variable).unwrap_or_else(|| "constants".to_owned());
        let (kind, prefix) = (GlobalKind::Variable(None), "ConstantBuffer".to_owned());
        self.declare_global(variable, Global { name, ty, kind, prefix, suffix, is_written: false });
        Ok(())
    }

    /// An image, a sampler, or both.
    fn add_resource(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let element = self.innermost(pointee);
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
                let mut global = self.resource(variable, ty, class, "image");
                global.prefix = words.trim_end().to_owned();
                global.is_written = class == Class::U;
                self.declare_global(variable, global);
                Ok(())
            }
            Some(TypeView::SampledImage { .. }) => {
                let ty = self.ty(pointee)?;
                self.check_alias(variable, Class::T)?;
                let global = self.resource(variable, ty, Class::T, "image");
                self.declare_global(variable, global);
                self.add_samplers(variable, pointee)
            }
            Some(TypeView::Other(Op::TypeSampler)) => self.add_samplers(variable, pointee),
            Some(TypeView::Other(Op::TypeAccelerationStructureKHR)) if self.target.hlsl().has(6, 5) => {
                let ty = self.ty(pointee)?;
                let global = self.resource(variable, ty, Class::T, "scene");
                self.declare_global(variable, global);
                Ok(())
            }
            _ => {
                let message = format!("a variable of {} in HLSL", self.source.op(element).name());
                self.refuse(WriteCode::Type, variable, message)
            }
        }
    }

    /// Two resources of one register have to be one resource.
    fn check_alias(&self, variable: Inst, class: Class) -> Result<(), Diagnostic> {
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
            suffix: self.register_of(variable, class),
            is_written: false,
        }
    }

    /// The samplers of a variable: one that compares and one that does not, as they are used.
    fn add_samplers(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let is_combined = matches!(self.source.type_view(self.innermost(pointee)), Some(TypeView::SampledImage { .. }));
        let compares = self.uses.samples(variable, Sampling::Compared);
        let is_argument = || self.source.uses(variable).any(|used| self.source.op(used.user) == Op::FunctionCall);
        let is_plain = self.uses.samples(variable, Sampling::Plain) || !compares && (!is_combined || is_argument());
        let name = self.name(variable).unwrap_or_else(|| "image".to_owned());
        let mut register = Some(self.register_of(variable, Class::S));
        for (is_used, sampling) in [(is_plain, Sampling::Plain), (compares, Sampling::Compared)] {
            if !is_used {
                continue;
            }
            let depth = if sampling == Sampling::Compared { Depth::Compared } else { Depth::Color };
            let element = self.text.types.of(TypeShape::Sampler(depth));
            let ty = self.array_like(pointee, element)?;
            let suffix = match register.take() {
                Some(register) => register,
                None => self.next_register(variable, Class::S),
            };
            let name = match (is_combined, sampling) {
                (true, Sampling::Plain) => format!("{name}_sampler"),
                (true, Sampling::Compared) => format!("{name}_comparison"),
                (false, _) => name.clone(),
            };
            let (kind, prefix) = (GlobalKind::Variable(None), String::new());
            let id = self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: false });
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

    /// The constant buffer with the number of workgroups, which the language does not have.
    fn add_dispatch(&mut self, variables: &[Inst]) {
        let is_count = |&variable: &Inst| {
            let built_in = self.source.decorated(variable).find::<reconverge_ir::decoration::BuiltIn>();
            built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::NumWorkgroups)
        };
        if !variables.iter().any(is_count) {
            return;
        }
        let ty = self.text.types.numbers(Scalar::UINT, 3);
        let (prefix, suffix) = (String::new(), String::new());
        let member = Member { name: "num_workgroups".to_owned(), ty, prefix, suffix };
        let id = self.text.add_struct(Struct { name: "Dispatch".to_owned(), members: vec![member], is_block: true });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let suffix = self.extra_constants();
        let (name, prefix) = ("dispatch".to_owned(), "cbuffer".to_owned());
        let kind = GlobalKind::OpenBlock;
        self.hlsl.dispatch = Some(self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: false }));
    }
}

/// The name of a block for its instance: `params` ⇒ `Params`.
fn capitalized(instance: &str) -> String {
    let mut letters = instance.chars();
    let first = letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string());
    let name = first + letters.as_str();
    if name == instance { format!("{name}Block") } else { name }
}
