//! Variables of the module: resources with their numbers, workgroup and private memory.
//!
//! Buffers, textures and samplers are numbered apart, each in the order of the declarations in the module, without the numbers that the host
//! program chooses. The sizes of the buffers come behind the last buffer. With argument buffers, the resources of a set are numbered in its buffer.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashSet;
use spirv::{Decoration, StorageClass as Class};

use super::super::handles::Kind;
use super::super::resources::{Slot, UNNAMED, slot, unnamed_image, unnamed_input};
use super::super::uses::root;
use super::super::{Lowering, Place};
use super::built_ins::Direction;
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::{Global, GlobalId, GlobalKind, Length, Role, Scalar, Type, TypeShape};
use crate::write::{BindingNumber, BoundResource, ResourceForm, WriteCode};

/// The numbers of a kind that are given.
#[derive(Default)]
struct Numbers {
    /// The numbers that the host program chooses, with those behind them in arrays.
    chosen: BTreeSet<u32>,
    next: u32,
}

impl Numbers {
    fn choose(&mut self, first: Option<u32>, count: u32) {
        self.chosen.extend(first.into_iter().flat_map(|first| first..first.saturating_add(count.min(MOST_NUMBERS))));
    }

    /// The first of some numbers in a row: the chosen one, or the next ones that are free.
    fn take(&mut self, chosen: Option<u32>, count: u32) -> u32 {
        if let Some(chosen) = chosen {
            return chosen;
        }
        let is_taken = |first: u32| self.chosen.range(first..first.saturating_add(count)).next_back().copied();
        while let Some(last) = is_taken(self.next) {
            self.next = last + 1;
        }
        let first = self.next;
        self.next = first.saturating_add(count);
        first
    }
}

/// The numbers of buffers, textures and samplers that are given.
#[derive(Default)]
struct Free {
    buffers: Numbers,
    textures: Numbers,
    samplers: Numbers,
    /// The numbers in the argument buffer of each set.
    ids: BTreeMap<u32, Numbers>,
    /// The next place in the sizes of buffers that have no numbers of their own.
    sizes: u32,
}

/// A resource with its number.
struct Numbered {
    role: Role,
    place: ResourcePlace,
    /// The attribute.
    suffix: String,
}

/// The greatest count of numbers of a kind in the language.
const MOST_NUMBERS: u32 = 128;

/// The number of buffers that an entry point can have.
const MOST_BUFFERS: u32 = 31;

impl Lowering<'_> {
    /// Declares the variables that the written functions use.
    pub(in crate::lower) fn msl_add_globals(&mut self) -> Result<(), Diagnostic> {
        self.find_fixed();
        self.find_handles();
        self.find_written();
        let variables = self.used_variables();
        self.check_slots(&variables)?;
        let mut free = self.chosen_numbers(&variables);
        self.reserve_argument_buffers(&variables, &mut free)?;
        self.begin_meshes()?;
        for variable in variables {
            self.add_msl_variable(variable, &mut free)?;
        }
        self.end_meshes();
        let chosen = self.options.bindings.number(BoundResource::BufferSizes, BindingNumber::Buffer);
        self.msl.sizes_number = free.buffers.take(chosen, 1);
        Ok(())
    }

    /// The buffers with the numbers of the descriptor sets are those of the sets.
    fn reserve_argument_buffers(&self, variables: &[Inst], free: &mut Free) -> Result<(), Diagnostic> {
        for &variable in variables {
            let Some(Slot { set, .. }) = slot(self.source, variable).filter(|_| self.has_argument_buffers()) else {
                continue;
            };
            if set >= MOST_BUFFERS {
                let message = format!("the argument buffer of set {set} in MSL, which has {MOST_BUFFERS} buffers");
                return self.refuse(WriteCode::Interface, variable, message);
            }
            free.buffers.choose(Some(set), 1);
        }
        Ok(())
    }

    fn has_argument_buffers(&self) -> bool {
        self.options.resources == ResourceForm::ArgumentBuffers
    }

    /// Gives a resource its number of a kind.
    fn numbered(
        &self,
        variable: Inst,
        (kind, count): (BindingNumber, u32),
        free: &mut Free,
    ) -> Result<Numbered, Diagnostic> {
        if let Some(Slot { set, .. }) = slot(self.source, variable).filter(|_| self.has_argument_buffers()) {
            let id = free.ids.entry(set).or_default().take(None, count);
            let (role, place) = (Role::Argument { set }, ResourcePlace::Argument { buffer: set, id });
            return Ok(Numbered { role, place, suffix: format!("[[id({id})]]") });
        }
        let chosen = self.chosen(variable, kind);
        let (place, word, number) = match kind {
            BindingNumber::Texture => {
                let number = free.textures.take(chosen, count);
                (ResourcePlace::Texture(number), "texture", number)
            }
            BindingNumber::Sampler => {
                let number = free.samplers.take(chosen, count);
                (ResourcePlace::Sampler(number), "sampler", number)
            }
            _ => {
                let number = free.buffers.take(chosen, count);
                (ResourcePlace::Buffer(number), "buffer", number)
            }
        };
        if word == "buffer" && number >= MOST_BUFFERS {
            return self.refuse(WriteCode::Interface, variable, format!("more than {MOST_BUFFERS} buffers in MSL"));
        }
        Ok(Numbered { role: Role::Parameter, place, suffix: format!("[[{word}({number})]]") })
    }

    /// The numbers that the host program chooses.
    fn chosen_numbers(&self, variables: &[Inst]) -> Free {
        let mut free = Free::default();
        free.buffers.choose(self.options.bindings.number(BoundResource::BufferSizes, BindingNumber::Buffer), 1);
        for &variable in variables {
            let count = self.count_of(variable).numbers();
            free.buffers.choose(self.chosen(variable, BindingNumber::Buffer), 1);
            free.textures.choose(self.chosen(variable, BindingNumber::Texture), count);
            free.samplers.choose(self.chosen(variable, BindingNumber::Sampler), count);
        }
        free
    }

    /// Refuses variables of one kind with the same binding, which would have two numbers.
    fn check_slots(&self, variables: &[Inst]) -> Result<(), Diagnostic> {
        let mut known = FxHashSet::default();
        for &variable in variables {
            let (Some(slot), Some(pointee)) = (slot(self.source, variable), self.source.pointee(variable)) else {
                continue;
            };
            let kinds = match self.handle_kind(pointee) {
                Some(Kind::Both) => vec![Some(Kind::Image), Some(Kind::Sampler)],
                kind => vec![kind],
            };
            for kind in kinds {
                if !known.insert((slot, kind)) {
                    let Slot { set, binding } = slot;
                    let message = format!("two variables at binding {binding} of set {set} in MSL");
                    return self.refuse(WriteCode::Interface, variable, message);
                }
            }
        }
        Ok(())
    }

    /// Finds the variables that an instruction writes, or that a call gets.
    pub(in crate::lower) fn find_written(&mut self) {
        let functions: Vec<_> = self.source.functions().collect();
        for inst in functions
            .into_iter()
            .flat_map(|function| self.source.blocks(function))
            .flat_map(|block| self.source.children(block))
        {
            let op = self.source.op(inst);
            let pointers: Vec<Inst> = match op {
                Op::Store => vec![self.source.operand(inst, 0)],
                Op::CopyMemory => vec![self.source.operand(inst, 0)],
                Op::FunctionCall => {
                    view::FunctionCall::of(self.source, inst).map_or_else(Vec::new, |call| call.arguments.to_vec())
                }
                Op::ExtInst => self.source.operands(inst).collect(),
                _ => view::Atomic::of(self.source, inst).map(|atomic| atomic.pointer).into_iter().collect(),
            };
            let pointers = pointers.into_iter().filter(|&pointer| self.source.pointee(pointer).is_some());
            let roots: Vec<Inst> = pointers.map(|pointer| root(self.source, pointer)).collect();
            self.msl.written.extend(roots);
        }
    }

    fn add_msl_variable(&mut self, variable: Inst, free: &mut Free) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        match storage_class {
            Some(Class::Input) => self.add_io(variable, pointee, Direction::Input, None),
            Some(Class::Output) => self.add_io(variable, pointee, Direction::Output, initializer),
            Some(Class::Uniform | Class::StorageBuffer | Class::PushConstant) => {
                self.add_buffer(variable, pointee, free)
            }
            Some(Class::UniformConstant) => self.add_handle_variable(variable, pointee, free),
            Some(Class::TaskPayloadWorkgroupEXT) => self.add_msl_payload(variable, pointee),
            Some(Class::Workgroup) if initializer.is_some() => {
                self.refuse(WriteCode::Constant, variable, "workgroup memory with a first value in MSL")
            }
            Some(Class::Workgroup) => self.msl_add_memory(variable, pointee, "threadgroup", None),
            Some(Class::Private) => self.msl_add_memory(variable, pointee, "thread", initializer),
            class => {
                let class = class.map_or_else(|| "unknown".to_owned(), |class| format!("{class:?}"));
                self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class} in MSL"))
            }
        }
    }

    /// Adds a variable that an entry point declares.
    pub(super) fn of_entry(
        &mut self,
        name: String,
        ty: Type,
        role: Role,
        (prefix, suffix): (&str, String),
    ) -> GlobalId {
        self.text.add_global(Global {
            name,
            ty,
            kind: GlobalKind::OfEntry(role),
            prefix: prefix.to_owned(),
            suffix,
            is_written: false,
        })
    }

    pub(super) fn set_written(&mut self, global: GlobalId) {
        self.text.globals[global.0 as usize].is_written = true;
    }

    fn msl_add_memory(
        &mut self,
        variable: Inst,
        pointee: Inst,
        prefix: &str,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let ty = self.ty(pointee)?;
        let value = initializer.map(|constant| self.constant(constant)).transpose()?;
        let name = self
            .name(variable)
            .unwrap_or_else(|| if prefix == "threadgroup" { "shared_data" } else { "data" }.to_owned());
        let global = self.of_entry(name, ty, Role::Variable(value), (prefix, String::new()));
        self.set_written(global);
        self.globals.insert(variable, Place::Global(global));
        Ok(())
    }

    /// A buffer or push constants.
    fn add_buffer(&mut self, variable: Inst, pointee: Inst, free: &mut Free) -> Result<(), Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, pointee) else {
            return self.refuse(WriteCode::Type, variable, "an array of buffers in MSL: the writer has none");
        };
        let members = members.to_vec();
        let class = self.source.storage_class(variable);
        let is_constant = class == Some(Class::PushConstant)
            || class == Some(Class::Uniform) && !self.source.decorated(pointee).has(Decoration::BufferBlock);
        let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Buffer, 1), free)?;
        let size_index = match place {
            ResourcePlace::Buffer(number) if !self.has_argument_buffers() => number,
            _ => {
                free.sizes += 1;
                free.sizes - 1
            }
        };
        self.msl.buffers.insert(variable, size_index);
        let is_written = (self.msl.written.contains(&variable) || self.uses.overlaps(variable)) && !is_constant;
        let words = if is_constant { "constant".to_owned() } else { self.memory_words_of(variable, pointee) };
        let (ty, is_open) = match (self.source.type_view(members[0]), members.len()) {
            // A buffer that is an array is a pointer to its first element.
            (Some(TypeView::RuntimeArray { .. }), 1) => {
                let structure = self.ty(pointee)?;
                (self.text.part(structure, 0).unwrap_or(structure), true)
            }
            _ => (self.ty(pointee)?, false),
        };
        let own = self.name(variable);
        let of_type = self.name(pointee).filter(|name| !name.starts_with("type_"));
        let of_member = self.member_name(pointee, 0).filter(|_| is_open);
        let name = own
            .or(of_member)
            .or_else(|| of_type.map(|name| lower(&name)))
            .unwrap_or_else(|| if is_written { UNNAMED } else { unnamed_input(class) }.to_owned());
        let global = self.of_entry(name, ty, role, (&words, suffix));
        if is_written || words.contains("volatile") || words.contains("coherent") {
            self.set_written(global);
        }
        self.note_resource(variable, global, self.kind_of(variable), place);
        if let Some(note) = self.text.notes.resources.last_mut().filter(|_| !is_constant) {
            note.resource.size_index = Some(size_index);
        }
        let place = if is_open { Place::Members(vec![Some(global)]) } else { Place::Global(global) };
        self.globals.insert(variable, place);
        Ok(())
    }

    /// The words before the type of a storage buffer, for the accesses to it.
    fn memory_words_of(&self, variable: Inst, block: Inst) -> String {
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let has = |decoration: Decoration| {
            let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(decoration);
            self.source.decorated(variable).has(decoration) || (0..count).any(of_member)
        };
        if !self.msl.written.contains(&variable) {
            return "device const".to_owned();
        }
        let is_coherent = has(Decoration::Coherent) || self.uses.is_shared_by_scope(variable);
        match (is_coherent, has(Decoration::Volatile)) {
            (_, true) => "volatile device".to_owned(),
            (true, false) if self.target.msl().has(3, 2) => "coherent device".to_owned(),
            (true, false) => "volatile device".to_owned(),
            (false, false) => "device".to_owned(),
        }
    }

    fn add_handle_variable(&mut self, variable: Inst, pointee: Inst, free: &mut Free) -> Result<(), Diagnostic> {
        let is_scene = self.source.op(pointee) == Op::TypeAccelerationStructureKHR;
        if is_scene && self.target.msl().has(2, 4) {
            let ty = self.ty(pointee)?;
            let name = self.name(variable).unwrap_or_else(|| "scene".to_owned());
            let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Buffer, 1), free)?;
            let global = self.of_entry(name, ty, role, ("", suffix));
            self.note_resource(variable, global, self.kind_of(variable), place);
            self.globals.insert(variable, Place::Global(global));
            return Ok(());
        }
        let Some(kind) = self.handle_kind(pointee) else {
            let message = format!("a variable of {} in MSL", self.source.op(pointee).name());
            return self.refuse(WriteCode::Type, variable, message);
        };
        let Some(count) = self.handle_count(pointee) else {
            return self.refuse(WriteCode::Image, variable, "an array of images without a length in MSL");
        };
        let ty = self.ty(pointee)?;
        if matches!(self.source.type_view(pointee), Some(TypeView::Array { .. }))
            && !matches!(self.text.types[ty], TypeShape::Array { length: Length::Constant(_), .. })
        {
            return self.refuse(WriteCode::Image, variable, "an array of images with a specialized length in MSL");
        }
        let name = self.name(variable).unwrap_or_else(|| unnamed_image(self.source, variable).to_owned());
        if kind == Kind::Sampler {
            let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Sampler, count), free)?;
            let global = self.of_entry(name, ty, role, ("", suffix));
            self.note_resource(variable, global, ResourceKind::Sampler, place);
            self.globals.insert(variable, Place::Global(global));
            return Ok(());
        }
        let texture = self.handle_type(variable, ty, variable)?;
        let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Texture, count), free)?;
        let sampler_name = format!("{name}_sampler");
        let global = self.of_entry(name, texture, role, ("", suffix));
        self.note_resource(variable, global, self.image_kind(variable), place);
        self.globals.insert(variable, Place::Global(global));
        if kind == Kind::Both
            && let Some(sampler) = self.sampler_type(Some(pointee))
        {
            let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Sampler, count), free)?;
            let global = self.of_entry(sampler_name, sampler, role, ("", suffix));
            self.note_resource(variable, global, ResourceKind::Sampler, place);
            self.msl.samplers.insert(variable, global);
        }
        Ok(())
    }

    /// The buffer with the sizes of buffers in bytes, by their numbers.
    pub(super) fn buffer_sizes(&mut self) -> GlobalId {
        if let Some(known) = self.msl.sizes {
            return known;
        }
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let ty = self.text.types.of(TypeShape::Array { element: word, length: Length::Runtime });
        let suffix = format!("[[buffer({})]]", self.msl.sizes_number);
        let global = self.of_entry("buffer_sizes".to_owned(), ty, Role::Parameter, ("constant", suffix));
        self.note_added(global, (ResourceKind::BufferSizes, Vec::new()), ResourcePlace::Buffer(self.msl.sizes_number));
        self.msl.sizes = Some(global);
        global
    }
}

/// A name that begins with a small letter.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
