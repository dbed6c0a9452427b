//! Global variables: buffers, images, samplers, push constants, workgroup and private memory, inputs and outputs.
//!
//! ```text
//! %data: StorageBuffer { u32[] } = variable        ⇒      layout(binding = 0, std430) buffer Data { uint data[]; };
//! %uv: Input vec2 = variable, Location 1           ⇒      layout(location = 1) in vec2 uv;
//! ```
//!
//! Without Vulkan an image and a sampler that are used together are one variable, and there are no descriptor sets: bindings keep their
//! numbers as long as no two sets have the same ones for one kind of resource, and are counted otherwise.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{InputAttachmentIndex, Location};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionModel as Model, ImageFormat, StorageClass as Class};

use super::super::described::opengl_class;
use super::super::resources::{Slot, UNNAMED, block_name, slot, unnamed_image, unnamed_input};
use super::super::uses::Sampling;
use super::super::{Lowering, Place};
use super::built_ins::Direction;
use super::layout::Rule;
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::{Depth, Global, GlobalId, GlobalKind, ImageDim, Length, Member, Struct, StructId, Type, TypeShape};
use crate::write::{BindingNumber, WriteCode};

impl Lowering<'_> {
    /// Declares the variables that the written functions use.
    pub(in crate::lower) fn glsl_add_globals(&mut self) -> Result<(), Diagnostic> {
        let variables = self.used_variables();
        self.count_bindings(&variables);
        for &variable in &variables {
            self.add_variable(variable)?;
        }
        if !self.target.glsl().is_vulkan() {
            self.add_pairs()?;
        }
        self.check_numbers(&variables)
    }

    /// Refuses sets and bindings that compilers of GLSL do not take.
    fn check_numbers(&self, variables: &[Inst]) -> Result<(), Diagnostic> {
        for &variable in variables {
            let Some(&Slot { set, binding }) = self.slots.get(&variable) else { continue };
            for (word, number, kind) in [("set", set, BindingNumber::Set), ("binding", binding, BindingNumber::Binding)]
            {
                let limit = kind.limit(self.target);
                if number > limit {
                    let message = format!("{word} {number} in GLSL, where the greatest is {limit}");
                    return self.refuse(WriteCode::Interface, variable, message);
                }
            }
        }
        Ok(())
    }

    fn add_variable(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        match storage_class {
            Some(Class::Input) => self.add_interface(variable, pointee, Direction::Input, None),
            Some(Class::Output) => self.add_interface(variable, pointee, Direction::Output, initializer),
            Some(Class::Uniform | Class::StorageBuffer | Class::PushConstant | Class::ShaderRecordBufferKHR) => {
                self.add_block(variable, pointee)
            }
            Some(Class::UniformConstant) => self.add_handle(variable, pointee),
            Some(Class::Workgroup) if !matches!(self.model(), Model::GLCompute | Model::MeshEXT | Model::TaskEXT) => {
                let message = format!("workgroup memory in the stage {:?}", self.model());
                self.refuse(WriteCode::Stage, variable, message)
            }
            Some(Class::Workgroup) => self.add_plain(variable, pointee, "shared", initializer),
            Some(Class::Private) => self.add_plain(variable, pointee, "", initializer),
            Some(Class::TaskPayloadWorkgroupEXT) => {
                self.add_plain(variable, pointee, "taskPayloadSharedEXT", initializer)
            }
            Some(
                class @ (Class::RayPayloadKHR
                | Class::IncomingRayPayloadKHR
                | Class::HitAttributeKHR
                | Class::CallableDataKHR
                | Class::IncomingCallableDataKHR),
            ) => self.add_ray_variable(variable, pointee, class),
            class => {
                let class = class.map_or_else(|| "unknown".to_owned(), |class| format!("{class:?}"));
                self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class}"))
            }
        }
    }

    /// A variable without an interface: workgroup memory, private memory.
    fn add_plain(
        &mut self,
        variable: Inst,
        pointee: Inst,
        prefix: &str,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let ty = self.ty(pointee)?;
        let value = match initializer {
            Some(constant) if prefix.is_empty() => Some(self.constant(constant)?),
            // Memory of a workgroup that begins with zeros.
            Some(constant) if self.source.op(constant) == Op::ConstantNull && prefix == "shared" => {
                self.require("GL_EXT_null_initializer", variable);
                let zero = self.built_in_zero(ty);
                Some(zero)
            }
            Some(_) => return self.refuse(WriteCode::Constant, variable, "workgroup memory with a first value"),
            None => None,
        };
        let name =
            self.name(variable).unwrap_or_else(|| if prefix == "shared" { "shared_data" } else { "data" }.to_owned());
        let kind = GlobalKind::Variable(value);
        let prefix = prefix.to_owned();
        self.declare(variable, Global { name, ty, kind, prefix, suffix: String::new(), is_written: true });
        Ok(())
    }

    /// `{}`: the zero of any type.
    fn built_in_zero(&mut self, ty: Type) -> crate::syntax::Expr {
        let global = self.built_in("{}", ty);
        self.global(global)
    }

    fn add_ray_variable(&mut self, variable: Inst, pointee: Inst, class: Class) -> Result<(), Diagnostic> {
        let word = match class {
            Class::RayPayloadKHR => "rayPayloadEXT",
            Class::IncomingRayPayloadKHR => "rayPayloadInEXT",
            Class::HitAttributeKHR => "hitAttributeEXT",
            Class::CallableDataKHR => "callableDataEXT",
            _ => "callableDataInEXT",
        };
        let given = self.source.decorated(variable).find().map(|Location(location)| location);
        // The language names a payload by its location, and the module by its variable.
        let mut location = given.unwrap_or(0);
        while self.payloads.values().any(|&taken| taken == location) {
            location += 1;
        }
        let layout = match class {
            Class::HitAttributeKHR => String::new(),
            _ => {
                self.payloads.insert(variable, location);
                format!("layout(location = {location}) ")
            }
        };
        self.add_plain(variable, pointee, &format!("{layout}{word}"), None)
    }

    /// A buffer, a uniform block or push constants.
    fn add_block(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let class = self.source.storage_class(variable);
        let (mut block, mut lengths) = (pointee, Vec::new());
        while let Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }) = self.source.type_view(block) {
            lengths.push(block);
            block = self.source.element_type(block).unwrap_or(block);
        }
        let is_uniform = class == Some(Class::Uniform) && !self.source.decorated(block).has(Decoration::BufferBlock);
        let glsl = self.target.glsl();
        let rules: &[Rule] = match (glsl.is_vulkan(), is_uniform) {
            (true, true) => &[Rule::Std140, Rule::Std430, Rule::Scalar],
            (true, false) => &[Rule::Std430, Rule::Scalar, Rule::Std140],
            (false, true) => &[Rule::Std140],
            (false, false) => &[Rule::Std430, Rule::Std140],
        };
        let (rule, members) = self.block_members(block, rules)?;
        if rule == Rule::Scalar || is_uniform && rule == Rule::Std430 {
            self.require("GL_EXT_scalar_block_layout", variable);
        }
        if members.iter().any(|member| member.prefix.contains("offset")) {
            self.uses_word("offsets of members", variable);
        }
        self.require_storage(block, variable);
        let word = match class {
            Some(Class::PushConstant) if glsl.is_vulkan() => "uniform",
            _ if is_uniform || class == Some(Class::PushConstant) => "uniform",
            _ => "buffer",
        };
        if word == "buffer" {
            self.uses_word("a storage buffer", variable);
        }
        let mut layout = match class {
            Some(Class::PushConstant) if glsl.is_vulkan() => vec!["push_constant".to_owned()],
            Some(Class::ShaderRecordBufferKHR) => vec!["shaderRecordEXT".to_owned()],
            Some(Class::PushConstant) => Vec::new(),
            _ => self.binding_words(variable),
        };
        // The default of push constants is std430, and that of other blocks has no name in Vulkan.
        if !(class == Some(Class::PushConstant) && rule == Rule::Std430) {
            layout.push(rule.word().to_owned());
        }
        let words = if word == "buffer" { self.memory_words(variable, block) } else { String::new() };
        let layout = if layout.is_empty() { String::new() } else { format!("layout({}) ", layout.join(", ")) };
        let prefix = format!("{layout}{words}{word}");
        let is_written = word == "buffer" && (!words.contains("readonly") || self.uses.overlaps(variable));
        let is_volatile = words.contains("volatile");
        let text = BlockText { members, prefix, is_written: is_written || is_volatile };
        let (global, _) = self.declare_block(variable, block, &lengths, text)?;
        let place = match self.source.storage_class(variable) {
            Some(Class::PushConstant | Class::ShaderRecordBufferKHR) => ResourcePlace::Named,
            _ => self.glsl_place(variable),
        };
        self.note_resource(variable, global, self.kind_of(variable), place);
        Ok(())
    }

    /// Declares a block. A block with one member that has no name of its own is that member.
    pub(super) fn declare_block(
        &mut self,
        variable: Inst,
        block: Inst,
        lengths: &[Inst],
        text: BlockText,
    ) -> Result<(GlobalId, StructId), Diagnostic> {
        let BlockText { mut members, prefix, is_written } = text;
        let unnamed = if is_written { UNNAMED } else { unnamed_input(self.source.storage_class(variable)) };
        let instance = self.name(variable);
        let of_type = self.name(block).filter(|name| !name.starts_with("type_") && !name.starts_with("struct_"));
        let has_names = (0..members.len() as u32)
            .any(|member| self.member_name(block, member).is_some_and(|name| !is_generic(&name)));
        let is_open = lengths.is_empty() && (instance.is_none() || members.len() == 1 && !has_names);
        if is_open && members.len() == 1 && !has_names {
            members[0].name = instance.clone().or_else(|| of_type.clone()).unwrap_or_else(|| unnamed.to_owned());
        }
        let base = instance.clone().or_else(|| of_type.clone()).unwrap_or_else(|| unnamed.to_owned());
        let name = of_type.filter(|name| Some(name) != instance.as_ref()).unwrap_or_else(|| block_name(&base));
        let id = self.text.add_struct(Struct { name, members, is_block: true });
        let mut ty = self.text.types.of(TypeShape::Struct(id));
        let is_per_vertex = matches!(self.model(), Model::TessellationControl | Model::TessellationEvaluation)
            && self.source.storage_class(variable) == Some(Class::Input)
            && !prefix.contains("patch");
        for (number, &array) in lengths.iter().enumerate().rev() {
            let length = match self.source.type_view(array) {
                Some(TypeView::Array { .. }) if is_per_vertex && number == 0 => Length::Runtime,
                Some(TypeView::Array { length, .. }) => match self.source.constant_word(length) {
                    Some(count) => Length::Constant(count),
                    None => Length::Named(self.named_constant(length)?),
                },
                _ => {
                    self.require("GL_EXT_nonuniform_qualifier", variable);
                    Length::Runtime
                }
            };
            ty = self.text.types.of(TypeShape::Array { element: ty, length });
        }
        let kind = if is_open { GlobalKind::OpenBlock } else { GlobalKind::Variable(None) };
        let global = Global { name: base, ty, kind, prefix, suffix: String::new(), is_written };
        Ok((self.declare(variable, global), id))
    }

    /// Notes the extensions for numbers of 8 and 16 bits in memory.
    pub(super) fn require_storage(&mut self, ty: Inst, place: Inst) {
        for part in self.types_in(ty) {
            match self.source.type_view(part) {
                Some(TypeView::Int { width: 8, .. }) => self.require("GL_EXT_shader_8bit_storage", place),
                Some(TypeView::Int { width: 16, .. } | TypeView::Float { width: 16, .. }) => {
                    self.require("GL_EXT_shader_16bit_storage", place);
                }
                _ => {}
            }
        }
    }

    /// The memory qualifiers of a buffer: those of the variable, and those that all members have.
    fn memory_words(&self, variable: Inst, block: Inst) -> String {
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let has = |decoration: Decoration| {
            let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(decoration);
            self.source.decorated(variable).has(decoration) || count > 0 && (0..count).all(of_member)
        };
        let words = [
            (Decoration::Coherent, "coherent "),
            (Decoration::Volatile, "volatile "),
            (Decoration::RestrictPointer, "restrict "),
            (Decoration::Restrict, "restrict "),
            (Decoration::NonWritable, "readonly "),
            (Decoration::NonReadable, "writeonly "),
        ];
        // Code that reads it all the same is taken at its word.
        let applies =
            |decoration| has(decoration) && !(decoration == Decoration::NonReadable && self.uses.is_read(variable));
        let mut text: String =
            words.into_iter().filter(|&(decoration, _)| applies(decoration)).map(|(_, word)| word).collect();
        if self.uses.is_volatile(variable) && !text.contains("volatile") {
            text.insert_str(0, "volatile ");
        }
        if self.uses.is_shared_by_scope(variable) && !text.contains("coherent") {
            text.insert_str(0, "coherent ");
        }
        text
    }

    /// Gives each resource its binding: the one that the host program chooses, or that of the module. Without descriptor sets, those that two sets
    /// have are counted in order of set and binding.
    fn count_bindings(&mut self, variables: &[Inst]) {
        let mut slots: Vec<(Slot, Inst)> =
            variables.iter().filter_map(|&variable| Some((slot(self.source, variable)?, variable))).collect();
        slots.sort();
        let mut sets = FxHashMap::default();
        let has_clash = slots.iter().any(|&(slot, variable)| {
            let class = opengl_class(self.kind_of(variable));
            sets.insert((class, slot.binding), slot.set).is_some_and(|set| set != slot.set)
        });
        let keeps = self.target.glsl().is_vulkan() || !has_clash;
        for (number, (slot, variable)) in slots.into_iter().enumerate() {
            let default = if keeps { slot } else { Slot { set: 0, binding: number as u32 } };
            let set = self.chosen(variable, BindingNumber::Set).unwrap_or(default.set);
            let binding = self.chosen(variable, BindingNumber::Binding).unwrap_or(default.binding);
            self.slots.insert(variable, Slot { set, binding });
        }
    }

    /// The place that the text gives a resource.
    fn glsl_place(&self, variable: Inst) -> ResourcePlace {
        let glsl = self.target.glsl();
        match self.slots.get(&variable).filter(|_| glsl.has(420, 310)) {
            Some(&Slot { set, binding }) => ResourcePlace::Layout { set: glsl.is_vulkan().then_some(set), binding },
            None => ResourcePlace::Named,
        }
    }

    fn binding_words(&self, variable: Inst) -> Vec<String> {
        let Some(&Slot { set, binding }) = self.slots.get(&variable) else { return Vec::new() };
        let glsl = self.target.glsl();
        let mut words = Vec::new();
        if glsl.is_vulkan() && set != 0 {
            words.push(format!("set = {set}"));
        }
        if glsl.has(420, 310) {
            words.push(format!("binding = {binding}"));
        }
        words
    }

    /// An image, a sampler, or both.
    fn add_handle(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let mut element = pointee;
        while let Some(part) = self.source.element_type(element).filter(|_| {
            matches!(self.source.type_view(element), Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }))
        }) {
            if self.source.op(element) == Op::TypeRuntimeArray {
                self.require("GL_EXT_nonuniform_qualifier", variable);
            }
            element = part;
        }
        let ty = self.ty(pointee)?;
        let is_vulkan = self.target.glsl().is_vulkan();
        self.require_wide_images(element, variable);
        self.note_handle(ty, variable);
        match self.source.type_view(element) {
            Some(TypeView::Image(image)) if image.sampled == 2 => self.add_storage_image(variable, ty, &image),
            Some(TypeView::Image(_)) if !is_vulkan => Ok(()),
            Some(TypeView::Other(Op::TypeSampler)) if !is_vulkan => Ok(()),
            Some(TypeView::Image(_)) => {
                self.add_bound(variable, ty, "uniform", Vec::new());
                Ok(())
            }
            Some(TypeView::SampledImage { .. } | TypeView::Other(Op::TypeSampler)) => {
                let compared = self.compared_type(ty);
                let plain =
                    self.uses.samples(variable, Sampling::Plain) || !self.uses.samples(variable, Sampling::Compared);
                if plain {
                    self.add_bound(variable, ty, "uniform", Vec::new());
                }
                if self.uses.samples(variable, Sampling::Compared) {
                    let global = self.bound(variable, compared, "uniform", Vec::new());
                    let id = self.text.add_global(global);
                    self.note_resource(variable, id, self.kind_of(variable), self.glsl_place(variable));
                    self.compared.insert(variable, id);
                    if !plain {
                        self.globals.insert(variable, Place::Global(id));
                    }
                }
                Ok(())
            }
            Some(TypeView::Other(Op::TypeAccelerationStructureKHR)) => {
                self.add_bound(variable, ty, "uniform", Vec::new());
                Ok(())
            }
            _ if !is_vulkan => {
                let location = self.source.decorated(variable).find().map(|Location(location)| location);
                if location.is_some() {
                    self.uses_word("a uniform with a location", variable);
                }
                let layout = location.map_or_else(String::new, |location| format!("layout(location = {location}) "));
                self.add_plain(variable, pointee, &format!("{layout}uniform"), None)
            }
            _ => {
                let message = format!("a variable of {}", self.source.op(element).name());
                self.refuse(WriteCode::Type, variable, message)
            }
        }
    }

    /// Notes the type of an image or sampler, or of an array of them.
    fn note_handle(&mut self, ty: Type, place: Inst) {
        let mut ty = ty;
        while let TypeShape::Array { element, .. } = self.text.types[ty] {
            ty = element;
        }
        if matches!(self.text.types[ty], TypeShape::Image(_) | TypeShape::SampledImage(_)) {
            self.note_image(self.text.types[ty], place);
        }
    }

    /// Notes what images of 64 bits need.
    fn require_wide_images(&mut self, ty: Inst, place: Inst) {
        let image = match self.source.type_view(ty) {
            Some(TypeView::SampledImage { image }) => image,
            _ => ty,
        };
        if let Some(TypeView::Image(image)) = self.source.type_view(image)
            && self.source.width(image.sampled_type) == Some(64)
        {
            self.require("GL_EXT_shader_image_int64", place);
        }
    }

    /// The type of an image or sampler, or an array of them, that is compared.
    fn compared_type(&mut self, ty: Type) -> Type {
        let shape = match self.text.types[ty] {
            TypeShape::Sampler(_) => TypeShape::Sampler(Depth::Compared),
            TypeShape::SampledImage(image) => {
                TypeShape::SampledImage(crate::syntax::Image { depth: Depth::Compared, ..image })
            }
            TypeShape::Array { element, length } => {
                let element = self.compared_type(element);
                TypeShape::Array { element, length }
            }
            other => other,
        };
        self.text.types.of(shape)
    }

    fn bound(&self, variable: Inst, ty: Type, word: &str, extra: Vec<String>) -> Global {
        let mut layout = self.binding_words(variable);
        layout.extend(extra);
        let layout = if layout.is_empty() { String::new() } else { format!("layout({}) ", layout.join(", ")) };
        let name = self.name(variable).unwrap_or_else(|| unnamed_image(self.source, variable).to_owned());
        Global {
            name,
            ty,
            kind: GlobalKind::Variable(None),
            prefix: format!("{layout}{word}"),
            suffix: String::new(),
            is_written: false,
        }
    }

    fn add_bound(&mut self, variable: Inst, ty: Type, word: &str, extra: Vec<String>) {
        let global = self.bound(variable, ty, word, extra);
        let id = self.declare(variable, global);
        self.note_resource(variable, id, self.kind_of(variable), self.glsl_place(variable));
    }

    fn add_storage_image(&mut self, variable: Inst, ty: Type, image: &view::TypeImage) -> Result<(), Diagnostic> {
        if image.dim == Some(spirv::Dim::DimSubpassData) {
            if !self.target.glsl().is_vulkan() {
                let message = "an input attachment, which only GLSL for Vulkan has";
                return self.refuse(WriteCode::Image, variable, message);
            }
            let index = self.source.decorated(variable).find().map_or(0, |InputAttachmentIndex(index)| index);
            self.add_bound(variable, ty, "uniform", vec![format!("input_attachment_index = {index}")]);
            return Ok(());
        }
        let glsl = self.target.glsl();
        let notes = self.source.decorated(variable);
        let accesses = self.uses.image(variable);
        let mut words = String::new();
        for (decoration, word) in [
            (Decoration::Coherent, "coherent "),
            (Decoration::Volatile, "volatile "),
            (Decoration::Restrict, "restrict "),
        ] {
            if notes.has(decoration) {
                words.push_str(word);
            }
        }
        let (no_writes, no_reads) = (notes.has(Decoration::NonWritable), notes.has(Decoration::NonReadable));
        let mut extra = Vec::new();
        match image.format.unwrap_or(ImageFormat::Unknown) {
            format if glsl.is_embedded() && !is_embedded_format(format) => {
                let message = format!("storage images of format {format:?} in GLSL ES");
                return self.refuse(WriteCode::Image, variable, message);
            }
            ImageFormat::Unknown if !accesses.reads && accesses.writes => {}
            ImageFormat::Unknown => self.require("GL_EXT_shader_image_load_formatted", variable),
            format => extra.push(format_word(format).to_owned()),
        }
        // The embedded language has one kind of access to all but numbers of 32 bits.
        let format = image.format.unwrap_or(ImageFormat::Unknown);
        let has_one_access = glsl.is_embedded() && !is_word(format);
        if has_one_access && accesses.reads && accesses.writes {
            let message = format!("reads and writes of a storage image of format {format:?} in GLSL ES");
            return self.refuse(WriteCode::Image, variable, message);
        }
        let no_writes = no_writes || has_one_access && !accesses.writes;
        let no_reads = no_reads || has_one_access && accesses.writes;
        let is_unformatted = image.format.unwrap_or(ImageFormat::Unknown) == ImageFormat::Unknown;
        if no_writes {
            words.push_str("readonly ");
        }
        if no_reads || is_unformatted && !accesses.reads && accesses.writes {
            words.push_str("writeonly ");
        }
        let word = format!("{words}uniform");
        let mut global = self.bound(variable, ty, &word, extra);
        global.is_written = !no_writes || self.uses.overlaps(variable);
        let id = self.declare(variable, global);
        self.note_resource(variable, id, self.kind_of(variable), self.glsl_place(variable));
        Ok(())
    }

    /// Without Vulkan: a variable for each image with its sampler, and one for each image that is used alone.
    fn add_pairs(&mut self) -> Result<(), Diagnostic> {
        let mut taken: FxHashMap<Inst, u32> = FxHashMap::default();
        let mut next = self.slots.values().map(|slot| slot.binding.saturating_add(1)).max().unwrap_or(0);
        for pair in self.uses.pairs().to_vec() {
            let depth = if pair.sampling == Sampling::Compared { Depth::Compared } else { Depth::Color };
            let count = taken.entry(pair.image).or_insert(0);
            *count += 1;
            if *count > 1 {
                self.take_binding(pair.image, &mut next);
            }
            let id = self.combined_image(pair.image, depth, Some(pair.sampler))?;
            self.combined.insert((pair.image, pair.sampler, pair.sampling), id);
            if depth == Depth::Color {
                self.alone.entry(pair.image).or_insert(id);
            }
        }
        for variable in self.used_variables() {
            let is_image = self.source.pointee(variable).is_some_and(|ty| self.is_sampled_image(ty));
            if self.uses.is_alone(variable) && is_image && !self.alone.contains_key(&variable) {
                if taken.contains_key(&variable) {
                    self.take_binding(variable, &mut next);
                }
                let id = self.combined_image(variable, Depth::Color, None)?;
                self.alone.insert(variable, id);
            }
        }
        Ok(())
    }

    fn is_sampled_image(&self, ty: Inst) -> bool {
        let element = self.source.element_type(ty).unwrap_or(ty);
        matches!(self.source.type_view(element), Some(TypeView::Image(image)) if image.sampled != 2)
    }

    /// Gives another variable of an image the next free binding.
    fn take_binding(&mut self, image: Inst, next: &mut u32) {
        let set = self.slots.get(&image).map_or(0, |slot| slot.set);
        self.slots.insert(image, Slot { set, binding: *next });
        *next = next.saturating_add(1);
    }

    /// A variable of an image with a sampler.
    fn combined_image(&mut self, image: Inst, depth: Depth, sampler: Option<Inst>) -> Result<GlobalId, Diagnostic> {
        let Some(pointee) = self.source.pointee(image) else {
            return self.refuse(WriteCode::Image, image, "an image that is a parameter");
        };
        let ty = self.ty(pointee)?;
        let ty = self.as_combined(ty, depth);
        self.note_handle(ty, image);
        let global = self.bound(image, ty, "uniform", Vec::new());
        let id = self.text.add_global(global);
        let kind = match (self.kind_of(image), sampler) {
            (ResourceKind::Texture, Some(_)) => ResourceKind::TextureWithSampler,
            (kind, _) => kind,
        };
        self.note_resource(image, id, kind, self.glsl_place(image));
        let of_sampler = sampler.and_then(|sampler| slot(self.source, sampler));
        if let Some(note) = self.text.notes.resources.last_mut() {
            note.resource.sampler = of_sampler;
        }
        Ok(id)
    }

    fn as_combined(&mut self, ty: Type, depth: Depth) -> Type {
        let shape = match self.text.types[ty] {
            TypeShape::Image(image) if image.dim != ImageDim::Buffer => {
                TypeShape::SampledImage(crate::syntax::Image { depth, ..image })
            }
            TypeShape::Image(image) => TypeShape::SampledImage(image),
            TypeShape::Array { element, length } => {
                let element = self.as_combined(element, depth);
                TypeShape::Array { element, length }
            }
            other => other,
        };
        self.text.types.of(shape)
    }

    /// The variable of an image that is used without a sampler, where that is one with a sampler.
    pub(crate) fn without_sampler(&self, variable: Inst) -> Option<GlobalId> {
        self.alone.get(&variable).copied()
    }
}

/// A block while it is declared.
pub(super) struct BlockText {
    pub(super) members: Vec<Member>,
    pub(super) prefix: String,
    pub(super) is_written: bool,
}

/// Returns whether a member's name says nothing.
fn is_generic(name: &str) -> bool {
    let rest = name.trim_start_matches("member").trim_start_matches("m").trim_start_matches('_');
    rest.is_empty() || rest.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether GLSL ES has storage images of a format (3.20, section 4.4.7).
fn is_embedded_format(format: ImageFormat) -> bool {
    matches!(
        format,
        ImageFormat::Rgba32f
            | ImageFormat::Rgba16f
            | ImageFormat::R32f
            | ImageFormat::Rgba8
            | ImageFormat::Rgba8Snorm
            | ImageFormat::Rgba32i
            | ImageFormat::Rgba16i
            | ImageFormat::Rgba8i
            | ImageFormat::R32i
            | ImageFormat::Rgba32ui
            | ImageFormat::Rgba16ui
            | ImageFormat::Rgba8ui
            | ImageFormat::R32ui
    )
}

/// Returns whether the texels of a format are one number of 32 bits.
fn is_word(format: ImageFormat) -> bool {
    matches!(format, ImageFormat::R32f | ImageFormat::R32i | ImageFormat::R32ui)
}

/// The qualifier of the format of a storage image.
fn format_word(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Unknown => "",
        ImageFormat::Rgba32f => "rgba32f",
        ImageFormat::Rgba16f => "rgba16f",
        ImageFormat::R32f => "r32f",
        ImageFormat::Rgba8 => "rgba8",
        ImageFormat::Rgba8Snorm => "rgba8_snorm",
        ImageFormat::Rg32f => "rg32f",
        ImageFormat::Rg16f => "rg16f",
        ImageFormat::R11fG11fB10f => "r11f_g11f_b10f",
        ImageFormat::R16f => "r16f",
        ImageFormat::Rgba16 => "rgba16",
        ImageFormat::Rgb10A2 => "rgb10_a2",
        ImageFormat::Rg16 => "rg16",
        ImageFormat::Rg8 => "rg8",
        ImageFormat::R16 => "r16",
        ImageFormat::R8 => "r8",
        ImageFormat::Rgba16Snorm => "rgba16_snorm",
        ImageFormat::Rg16Snorm => "rg16_snorm",
        ImageFormat::Rg8Snorm => "rg8_snorm",
        ImageFormat::R16Snorm => "r16_snorm",
        ImageFormat::R8Snorm => "r8_snorm",
        ImageFormat::Rgba32i => "rgba32i",
        ImageFormat::Rgba16i => "rgba16i",
        ImageFormat::Rgba8i => "rgba8i",
        ImageFormat::R32i => "r32i",
        ImageFormat::Rg32i => "rg32i",
        ImageFormat::Rg16i => "rg16i",
        ImageFormat::Rg8i => "rg8i",
        ImageFormat::R16i => "r16i",
        ImageFormat::R8i => "r8i",
        ImageFormat::Rgba32ui => "rgba32ui",
        ImageFormat::Rgba16ui => "rgba16ui",
        ImageFormat::Rgba8ui => "rgba8ui",
        ImageFormat::R32ui => "r32ui",
        ImageFormat::Rgb10a2ui => "rgb10_a2ui",
        ImageFormat::Rg32ui => "rg32ui",
        ImageFormat::Rg16ui => "rg16ui",
        ImageFormat::Rg8ui => "rg8ui",
        ImageFormat::R16ui => "r16ui",
        ImageFormat::R8ui => "r8ui",
        ImageFormat::R64ui => "r64ui",
        ImageFormat::R64i => "r64i",
    }
}
