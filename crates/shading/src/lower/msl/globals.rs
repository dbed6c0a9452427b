//! Variables of the module: resources with their numbers, workgroup and private memory. `buffers.rs` has the buffers.
//!
//! Buffers, textures and samplers are numbered apart, each in the order of the declarations in the module, without the numbers that the host
//! program chooses. The sizes of the buffers come behind the last buffer. With argument buffers, the resources of a set are numbered in its buffer.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;
use spirv::StorageClass as Class;

use super::super::handles::Kind;
use super::super::resources::{Slot, slot, unnamed_image};
use super::super::uses::root;
use super::super::{Lowering, Place};
use super::built_ins::Direction;
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::{Global, GlobalId, GlobalKind, Length, Role, Type, TypeShape};
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
pub(super) struct Free {
    buffers: Numbers,
    textures: Numbers,
    samplers: Numbers,
    /// The numbers in the argument buffer of each set.
    ids: BTreeMap<u32, Numbers>,
    /// The next place in the sizes of buffers that have no numbers of their own.
    pub(super) sizes: u32,
}

/// A resource with its number.
pub(super) struct Numbered {
    pub(super) role: Role,
    pub(super) place: ResourcePlace,
    /// The attribute.
    pub(super) suffix: String,
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
        self.find_ordered()?;
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

    pub(super) fn has_argument_buffers(&self) -> bool {
        self.options.resources == ResourceForm::ArgumentBuffers
    }

    /// Gives a resource its number of a kind.
    pub(super) fn numbered(
        &self,
        variable: Inst,
        (kind, count): (BindingNumber, u32),
        free: &mut Free,
    ) -> Result<Numbered, Diagnostic> {
        if let Some(Slot { set, .. }) = slot(self.source, variable).filter(|_| self.has_argument_buffers()) {
            let id = free.ids.entry(set).or_default().take(None, count);
            let (role, place) = (Role::Argument { set }, ResourcePlace::Argument { buffer: set, id });
            return Ok(Numbered { role, place, suffix: self.resource_suffix(variable, "id", id) });
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
        if word == "buffer" && number.saturating_add(count) > MOST_BUFFERS {
            return self.refuse(WriteCode::Interface, variable, format!("more than {MOST_BUFFERS} buffers in MSL"));
        }
        Ok(Numbered { role: Role::Parameter, place, suffix: self.resource_suffix(variable, word, number) })
    }

    /// The attribute of a resource.
    pub(super) fn resource_suffix(&self, variable: Inst, word: &str, number: u32) -> String {
        let order = if self.msl.ordered.contains(&variable) { ", raster_order_group(0)" } else { "" };
        format!("[[{word}({number}){order}]]")
    }

    /// The numbers that the host program chooses.
    fn chosen_numbers(&self, variables: &[Inst]) -> Free {
        let mut free = Free::default();
        free.buffers.choose(self.options.bindings.number(BoundResource::BufferSizes, BindingNumber::Buffer), 1);
        for &variable in variables {
            let count = self.count_of(variable).numbers();
            free.buffers.choose(self.chosen(variable, BindingNumber::Buffer), count);
            free.textures.choose(self.chosen(variable, BindingNumber::Texture), count);
            free.samplers.choose(self.chosen(variable, BindingNumber::Sampler), count);
        }
        free
    }

    /// Finds the buffers of each descriptor. Several images or samplers of one descriptor have numbers of their own, which is right where nothing
    /// writes them: a compiler takes textures with two numbers for apart.
    fn check_slots(&mut self, variables: &[Inst]) -> Result<(), Diagnostic> {
        let mut known: FxHashMap<(Slot, Kind), Vec<Inst>> = FxHashMap::default();
        for &variable in variables {
            let (Some(slot), Some(pointee)) = (slot(self.source, variable), self.source.pointee(variable)) else {
                continue;
            };
            let kinds = match self.handle_kind(pointee) {
                Some(Kind::Both) => {
                    vec![(Kind::Image, BindingNumber::Texture), (Kind::Sampler, BindingNumber::Sampler)]
                }
                Some(Kind::Image) => vec![(Kind::Image, BindingNumber::Texture)],
                Some(Kind::Sampler) => vec![(Kind::Sampler, BindingNumber::Sampler)],
                None => Vec::new(),
            };
            if kinds.is_empty() && self.source.storage_class(variable) != Some(Class::UniformConstant) {
                self.msl.sharing.entry(slot).or_default().push(variable);
            }
            for (kind, number) in kinds {
                let others = known.entry((slot, kind)).or_default();
                others.push(variable);
                let is_written = others.len() > 1 && others.iter().any(|&other| self.handle(other).writes);
                let is_chosen = others.len() > 1 && self.chosen(variable, number).is_some();
                if is_written || is_chosen {
                    let Slot { set, binding } = slot;
                    let what = if is_written { "images that are written" } else { "variables with a chosen number" };
                    let message = format!("two {what} at binding {binding} of set {set} in MSL");
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
            return self.add_unbounded_handles((variable, pointee), kind, free);
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
}

/// A name that begins with a small letter.
pub(super) fn lower(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
