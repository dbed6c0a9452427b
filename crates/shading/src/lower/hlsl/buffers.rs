//! Storage buffers: structured if they are an array whose elements have the layout that the language gives, otherwise by bytes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class as OpClass, Inst, Op};
use spirv::{Decoration, ExecutionMode};

use super::super::resources::{UNNAMED, unnamed_input};
use super::super::uses::root;
use super::super::{Lowering, Place};
use super::layout::MatrixLayout;
use super::raw::{Buffer, Form};
use super::registers::Class;
use crate::interface::ResourceKind;
use crate::syntax::{Global, GlobalId, GlobalKind, Length, TypeShape};

/// The maximum stride of a structured buffer.
const LARGEST_STRIDE: u32 = 2048;

/// The kinds of order between invocations of one pixel or sample that are no stronger than that of the language.
const INTERLOCKS: [ExecutionMode; 4] = [
    ExecutionMode::PixelInterlockOrderedEXT,
    ExecutionMode::PixelInterlockUnorderedEXT,
    ExecutionMode::SampleInterlockOrderedEXT,
    ExecutionMode::SampleInterlockUnorderedEXT,
];

impl Lowering<'_> {
    /// A storage buffer: structured if it is an array whose elements have the layout that the language gives, otherwise by bytes.
    pub(super) fn add_storage_buffer(&mut self, variable: Inst, pointee: Inst, block: Inst) -> Result<(), Diagnostic> {
        // What others write meanwhile is read by each access.
        let coherence = self.coherence(variable, block);
        let is_read_only = self.is_read_only(variable, block) && coherence.is_empty();
        let class = if is_read_only { Class::T } else { Class::U };
        let unnamed = if is_read_only { unnamed_input(self.source.storage_class(variable)) } else { UNNAMED };
        let name = self.name(variable).or_else(|| self.block_name_of(block)).unwrap_or_else(|| unnamed.to_owned());
        let words = if is_read_only { "" } else { coherence };
        let access = if is_read_only { "" } else { self.written_word() };
        let register = self.known_register(variable, class);
        let suffix = self.register_words(register, class);
        if pointee == block
            && !self.is_aliased(variable, class)
            && let Some(element) = self.structured_element(variable, block)
        {
            let element = self.ty(element)?;
            let prefix = format!("{words}{access}StructuredBuffer");
            let ty = self.text.types.of(TypeShape::Array { element, length: Length::Runtime });
            let kind = GlobalKind::Variable(None);
            let global = Global { name, ty, kind, prefix, suffix, is_written: !is_read_only };
            let id = self.text.add_global(global);
            self.note_register(variable, id, ResourceKind::StorageBuffer, (register, class));
            self.globals.insert(variable, Place::Members(vec![Some(id)]));
            return Ok(());
        }
        let global = match self.alias_of(variable, class) {
            Some(known) => known,
            None => {
                let prefix = format!("{words}{access}ByteAddressBuffer");
                let void = self.text.types.of(TypeShape::Void);
                let ty = self.array_like(pointee, void)?;
                let kind = GlobalKind::Variable(None);
                self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: !is_read_only })
            }
        };
        self.note_register(variable, global, ResourceKind::StorageBuffer, (register, class));
        self.hlsl.raw.insert(variable, Buffer { global, form: Form::Bytes });
        Ok(())
    }

    /// The first word of the type of a buffer that is written.
    fn written_word(&self) -> &'static str {
        if self.orders_pixels() { "RasterizerOrdered" } else { "RW" }
    }

    /// Returns whether invocations of one pixel write in the order of their primitives. The language says so of each resource that is written, for
    /// all accesses; the module has instructions around some of them.
    pub(in crate::lower) fn orders_pixels(&self) -> bool {
        let is_of_fragments = self.entries.iter().all(|entry| entry.model == spirv::ExecutionModel::Fragment);
        let functions: Vec<Inst> = self.entries.iter().map(|entry| entry.function.inst()).collect();
        let mut modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        is_of_fragments
            && modes.any(|mode| {
                functions.contains(&mode.function) && mode.mode.is_some_and(|mode| INTERLOCKS.contains(&mode))
            })
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
    pub(super) fn is_aliased(&self, variable: Inst, class: Class) -> bool {
        let Some(register) = self.known_register(variable, class) else { return false };
        let mut others = self.source.globals().filter(|&other| other != variable);
        others.any(|other| self.known_register(other, class) == Some(register))
    }

    pub(super) fn block_name_of(&self, block: Inst) -> Option<String> {
        self.name(block).filter(|name| !name.starts_with("type_") && !name.starts_with("struct_"))
    }

    /// `globallycoherent `, if invocations of other workgroups see what is written.
    pub(super) fn coherence(&self, variable: Inst, block: Inst) -> &'static str {
        let of_variable = self.source.decorated(variable);
        let of_members = self.source.decorated(block);
        let has = |decoration: Decoration| {
            of_variable.has(decoration) || of_members.members().any(|note| note.is(decoration))
        };
        let is_coherent = has(Decoration::Coherent) || has(Decoration::Volatile);
        match is_coherent || self.uses.is_shared_by_scope(variable) || self.uses.is_volatile(variable) {
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
}
