//! Notes about resources, taken where their numbers are decided, and the checks of the numbers that the host program chooses.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Function, Inst, Op, view};
use rustc_hash::FxHashSet;
use spirv::{Decoration, Dim, StorageClass as Class};

use super::Lowering;
use super::resources::{innermost, slot};
use crate::interface::{Resource, ResourceCount, ResourceKind, ResourcePlace};
use crate::syntax::{GlobalId, Named, ResourceNote};
use crate::write::{BindingNumber, BoundResource, WriteCode, in_entry, of_module};

impl Lowering<'_> {
    /// Notes the global of a resource.
    pub(super) fn note_resource(&mut self, variable: Inst, global: GlobalId, kind: ResourceKind, place: ResourcePlace) {
        let resource = Resource {
            name: String::new(),
            block: None,
            kind,
            slot: slot(self.source, variable),
            sampler: None,
            place,
            count: self.count_of(variable),
            size_index: None,
            entry_points: Vec::new(),
        };
        let (named, variables) = (Named::Global(global), vec![variable]);
        self.text.notes.resources.push(ResourceNote { named, variables, resource, is_measured: false });
    }

    /// Notes a resource that the writer adds.
    pub(super) fn note_added(
        &mut self,
        global: GlobalId,
        (kind, variables): (ResourceKind, Vec<Inst>),
        place: ResourcePlace,
    ) {
        let resource = Resource {
            name: String::new(),
            block: None,
            kind,
            slot: None,
            sampler: None,
            place,
            count: ResourceCount::One,
            size_index: None,
            entry_points: Vec::new(),
        };
        let named = Named::Global(global);
        self.text.notes.resources.push(ResourceNote { named, variables, resource, is_measured: false });
    }

    /// What a resource of the module is.
    pub(super) fn kind_of(&self, variable: Inst) -> ResourceKind {
        let element = self.source.pointee(variable).map(|pointee| innermost(self.source, pointee));
        let is_block = element.is_some_and(|block| self.source.decorated(block).has(Decoration::BufferBlock));
        match self.source.storage_class(variable) {
            Some(Class::PushConstant) => ResourceKind::PushConstants,
            Some(Class::ShaderRecordBufferKHR) => ResourceKind::ShaderRecord,
            Some(Class::StorageBuffer) => ResourceKind::StorageBuffer,
            Some(Class::Uniform) if is_block => ResourceKind::StorageBuffer,
            Some(Class::Uniform) => ResourceKind::UniformBuffer,
            _ => element.map_or(ResourceKind::Texture, |element| self.kind_of_handle(element)),
        }
    }

    /// What an image or a sampler is, by its type.
    fn kind_of_handle(&self, element: Inst) -> ResourceKind {
        match self.source.type_view(element) {
            Some(TypeView::SampledImage { .. }) => ResourceKind::TextureWithSampler,
            Some(TypeView::Image(image)) if image.dim == Some(Dim::DimSubpassData) => ResourceKind::InputAttachment,
            Some(TypeView::Image(image)) => match (image.dim == Some(Dim::DimBuffer), image.sampled == 2) {
                (true, true) => ResourceKind::StorageTexelBuffer,
                (true, false) => ResourceKind::TexelBuffer,
                (false, true) => ResourceKind::StorageImage,
                (false, false) => ResourceKind::Texture,
            },
            Some(TypeView::Other(Op::TypeSampler)) => ResourceKind::Sampler,
            Some(TypeView::Other(Op::TypeAccelerationStructureKHR)) => ResourceKind::AccelerationStructure,
            _ => ResourceKind::Texture,
        }
    }

    /// What the image of an image with its sampler is, where both are apart.
    pub(super) fn image_kind(&self, variable: Inst) -> ResourceKind {
        match self.kind_of(variable) {
            ResourceKind::TextureWithSampler => ResourceKind::Texture,
            kind => kind,
        }
    }

    /// The number of descriptors of a resource.
    pub(super) fn count_of(&self, variable: Inst) -> ResourceCount {
        let (mut ty, mut count) = (self.source.pointee(variable), ResourceCount::One);
        while let Some(array) = ty {
            let (element, length) = match self.source.type_view(array) {
                Some(TypeView::Array { element, length }) => {
                    (element, self.source.constant_words(length).and_then(|words| words.first().copied()).unwrap_or(1))
                }
                Some(TypeView::RuntimeArray { .. }) => return ResourceCount::Unbounded,
                _ => break,
            };
            count = match count {
                ResourceCount::Array(outer) => ResourceCount::Array(outer.saturating_mul(length)),
                _ => ResourceCount::Array(length),
            };
            ty = Some(element);
        }
        count
    }

    /// A number that the host program chooses for a variable.
    pub(super) fn chosen(&self, variable: Inst, number: BindingNumber) -> Option<u32> {
        let resource = match self.source.storage_class(variable) {
            Some(Class::PushConstant) => BoundResource::PushConstants,
            _ => BoundResource::Slot(slot(self.source, variable)?),
        };
        self.options.bindings.number(resource, number)
    }

    /// The variables that a function and those that it calls use, in order. Linear in these functions.
    pub(super) fn variables_of(&self, function: Function) -> std::collections::BTreeSet<Inst> {
        let (mut work, mut known) = (vec![function], FxHashSet::default());
        let mut found = std::collections::BTreeSet::new();
        while let Some(function) = work.pop() {
            if !known.insert(function) {
                continue;
            }
            for inst in self.source.blocks(function).flat_map(|block| self.source.children(block)) {
                work.extend(self.source.callee(inst));
                found.extend(self.source.operands(inst).filter(|&one| self.source.op(one) == Op::Variable));
            }
        }
        found
    }

    /// Finds the entry points that use each resource.
    pub(super) fn find_users(&mut self) {
        for (number, entry) in self.entries.iter().enumerate() {
            let used = self.variables_of(entry.function);
            for note in &mut self.text.notes.resources {
                if note.variables.is_empty() || note.variables.iter().any(|variable| used.contains(variable)) {
                    note.resource.entry_points.push(number);
                }
            }
        }
    }

    /// Checks that each entry of the bindings names a resource of the module, with numbers that this has.
    pub(super) fn check_bindings(&self) -> Result<(), Diagnostic> {
        let bindings = &self.options.bindings;
        for (place, entry) in bindings.entries.iter().enumerate() {
            let is_named = |variable: &Inst| match entry.resource {
                BoundResource::Slot(wanted) => slot(self.source, *variable) == Some(wanted),
                BoundResource::PushConstants => self.source.storage_class(*variable) == Some(Class::PushConstant),
                BoundResource::BufferSizes | BoundResource::WorkgroupCount => false,
            };
            let globals = self.source.globals().filter(|&inst| self.source.op(inst) == Op::Variable);
            let variables: Vec<Inst> = globals.filter(is_named).collect();
            let named: Vec<ResourceKind> = variables.iter().map(|&variable| self.kind_of(variable)).collect();
            let lengths: Vec<u32> = variables.iter().map(|&variable| self.count_of(variable).numbers()).collect();
            let is_in_buffer = variables.iter().any(|&variable| self.is_in_buffer(variable));
            let is_added = matches!(entry.resource, BoundResource::BufferSizes | BoundResource::WorkgroupCount);
            if named.is_empty() && !is_added {
                return Err(in_entry(bindings, place, "the module has no such resource"));
            }
            for (&number, &value) in &entry.numbers {
                let is_one = match is_added || is_in_buffer {
                    true => is_of_buffer(number),
                    false => named.iter().any(|&kind| self.has(kind, number)),
                };
                if !is_one {
                    let kind = match is_in_buffer {
                        true => "n array without a length, which is a buffer".to_owned(),
                        false => format!(" {}", named.first().map_or("buffer", |kind| kind.name()).replace('_', " ")),
                    };
                    let message = format!("`{}` is no number of a{kind}", number.key());
                    return Err(in_entry(bindings, place, &message));
                }
                let limit = number.limit(self.target);
                if is_counted(self.target, number) && lengths.iter().any(|&length| length - 1 > limit - value) {
                    let message =
                        format!("the array ends behind `{}` {limit}, the greatest in the language", number.key());
                    return Err(in_entry(bindings, place, &message));
                }
            }
        }
        Ok(())
    }

    /// Returns whether a resource is described in a buffer of the text: in MSL, an array without a length.
    fn is_in_buffer(&self, variable: Inst) -> bool {
        matches!(self.target, super::Target::Msl(_)) && self.count_of(variable) == ResourceCount::Unbounded
    }

    /// Returns whether resources of a kind have a number.
    fn has(&self, kind: ResourceKind, number: BindingNumber) -> bool {
        let is_msl = matches!(self.target, super::Target::Msl(_));
        let is_buffer = matches!(
            kind,
            ResourceKind::UniformBuffer
                | ResourceKind::StorageBuffer
                | ResourceKind::PushConstants
                | ResourceKind::AccelerationStructure
        );
        match number {
            BindingNumber::Buffer => is_buffer,
            BindingNumber::Texture => !is_buffer && kind != ResourceKind::Sampler,
            BindingNumber::Sampler => {
                kind == ResourceKind::TextureWithSampler || is_msl && kind == ResourceKind::Sampler
            }
            _ => true,
        }
    }

    /// Refuses two resources of an entry point with one place, if the host program chose places. O(n log n) in the resources.
    ///
    /// Two variables of the module with one descriptor stay together.
    pub(super) fn check_places(&self) -> Result<(), Diagnostic> {
        if self.options.bindings.entries.is_empty() {
            return Ok(());
        }
        for entry in 0..self.entries.len() {
            let is_used = |note: &&ResourceNote| note.resource.entry_points.contains(&entry);
            let used = self.text.notes.resources.iter().filter(is_used);
            let mut ranges: Vec<(Range, &ResourceNote)> =
                used.filter_map(|note| Some((range(&note.resource)?, note))).collect();
            ranges.sort_by_key(|&(range, _)| range);
            // The resource that ends last so far, in the class.
            let mut last: Option<(Range, &ResourceNote)> = None;
            for (range, note) in ranges {
                if let Some((other, first)) = last.filter(|(other, _)| other.class == range.class) {
                    let is_same = first.resource.slot.is_some() && first.resource.slot == note.resource.slot;
                    if range.first <= other.last && !is_same {
                        return Err(self.same_place(first, note));
                    }
                    if other.last >= range.last {
                        continue;
                    }
                }
                last = Some((range, note));
            }
        }
        Ok(())
    }

    fn same_place(&self, one: &ResourceNote, other: &ResourceNote) -> Diagnostic {
        let name = |note: &ResourceNote| match (note.resource.slot, note.resource.kind) {
            (Some(slot), kind) => format!("the {} of {}", kind.name().replace('_', " "), BoundResource::Slot(slot)),
            (None, kind) => format!("the {}", kind.name().replace('_', " ")),
        };
        let chosen = self.options.bindings.entries.iter().position(|entry| {
            [one, other].iter().any(|note| note.resource.slot.map(BoundResource::Slot) == Some(entry.resource))
        });
        let message = format!("{} and {} get one place in the text", name(one), name(other));
        match chosen {
            Some(place) => in_entry(&self.options.bindings, place, &message),
            None => of_module(WriteCode::Bindings, message),
        }
    }

    /// The number of locations that a type of an input or output takes. The depth is that of the type.
    pub(super) fn io_locations(&self, ty: Inst) -> u32 {
        match self.source.type_view(ty) {
            Some(TypeView::Matrix { count, .. }) => count,
            Some(TypeView::Array { element, length }) => {
                self.source.constant_word(length).unwrap_or(1).saturating_mul(self.io_locations(element))
            }
            Some(TypeView::Struct { members }) => members.iter().map(|member| self.io_locations(member)).sum(),
            _ => 1,
        }
    }

    /// Returns whether a variable is an input.
    pub(super) fn is_input(&self, variable: Inst) -> bool {
        self.source.storage_class(variable) == Some(Class::Input)
    }

    /// The index of an output that is blended.
    pub(super) fn blend_index(&self, variable: Inst) -> u32 {
        let notes = self.source.decorated(variable);
        notes.note(Decoration::Index).and_then(|note| note.words().next()).unwrap_or(0)
    }

    /// The number of workgroups as a variable of the module.
    pub(super) fn workgroup_counts(&self) -> Vec<Inst> {
        let is_count = |&inst: &Inst| {
            let built_in = self.source.decorated(inst).find::<reconverge_ir::decoration::BuiltIn>();
            built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::NumWorkgroups)
        };
        let globals = self.source.globals().filter(|&inst| view::Variable::of(self.source, inst).is_some());
        globals.filter(is_count).collect()
    }
}

/// Returns whether the elements of an array have numbers of their own.
fn is_counted(target: super::Target, number: BindingNumber) -> bool {
    match target {
        super::Target::Msl(_) => true,
        super::Target::Hlsl(_) => number != BindingNumber::Space,
        super::Target::Glsl(glsl) => !glsl.is_vulkan(),
        super::Target::Wgsl => false,
    }
}

/// Returns whether a number is one of buffers.
fn is_of_buffer(number: BindingNumber) -> bool {
    matches!(number, BindingNumber::Buffer | BindingNumber::Register | BindingNumber::Space)
}

/// The numbers of a resource: a class of numbers that do not meet others, and the first and last of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    class: (&'static str, u32),
    first: u32,
    last: u32,
}

fn range(resource: &Resource) -> Option<Range> {
    let length = match resource.count {
        ResourceCount::Unbounded => u32::MAX,
        count => count.numbers(),
    };
    let (class, first, length) = match resource.place {
        ResourcePlace::Named => return None,
        ResourcePlace::Layout { set: Some(set), binding } => (("set", set), binding, 1),
        ResourcePlace::Layout { set: None, binding } => ((opengl_class(resource.kind), 0), binding, length),
        ResourcePlace::Register { class, number, space } => {
            let class = match class {
                'b' => "b",
                't' => "t",
                'u' => "u",
                _ => "s",
            };
            ((class, space), number, length)
        }
        // An array without a length is one buffer of descriptors.
        ResourcePlace::Buffer(number) if resource.count == ResourceCount::Unbounded => (("buffer", 0), number, 1),
        ResourcePlace::Buffer(number) => (("buffer", 0), number, length),
        ResourcePlace::Texture(number) => (("texture", 0), number, length),
        ResourcePlace::Sampler(number) => (("sampler", 0), number, length),
        ResourcePlace::Argument { buffer, id } => (("argument", buffer), id, length),
        ResourcePlace::Group { group, binding } => (("group", group), binding, 1),
    };
    Some(Range { class, first, last: first.saturating_add(length - 1) })
}

/// The class of bindings of OpenGL, which counts uniform blocks, storage blocks, textures and images apart.
pub(super) fn opengl_class(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::UniformBuffer | ResourceKind::PushConstants => "uniform block",
        ResourceKind::StorageBuffer => "storage block",
        ResourceKind::StorageImage | ResourceKind::StorageTexelBuffer => "image",
        _ => "texture",
    }
}
