//! Variables of the module: buffers, push constants, workgroup and private memory.
//!
//! ```text
//! %data: StorageBuffer { u32[] }, NonWritable      ⇒      @group(0) @binding(0) var<storage, read> data: array<u32>;
//! %scene: Uniform { mat4, vec3 }                   ⇒      @group(0) @binding(1) var<uniform> scene: Scene;
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::Offset;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionModel as Model, StorageClass as Class};

use super::super::resources::{Slot, UNNAMED, innermost, slot, unnamed_input};
use super::super::{Lowering, Place};
use super::resources::{binding_words, place_of};
use crate::interface::ResourcePlace;
use crate::syntax::{Global, GlobalId, GlobalKind, Length, Storage, Type, TypeShape};
use crate::write::{BindingNumber, WriteCode};

impl Lowering<'_> {
    /// Declares the variables that the written functions use.
    pub(in crate::lower) fn wgsl_add_globals(&mut self) -> Result<(), Diagnostic> {
        self.find_handles();
        for inst in self.source.globals().filter(|&inst| self.source.op(inst) == Op::Variable) {
            if let Some(slot) = self.chosen_slot(inst) {
                let sampler = self.chosen(inst, BindingNumber::Sampler).unwrap_or(0);
                let next = self.wgsl.free.entry(slot.set).or_default();
                *next = (*next).max(slot.binding.max(sampler).saturating_add(1));
            }
        }
        self.find_written();
        self.check_entries()?;
        for variable in self.used_variables() {
            self.add_wgsl_variable(variable)?;
        }
        Ok(())
    }

    /// Refuses two resources with one binding that an entry point uses, and memory that a vertex shader writes. Finds the buffers that vertex
    /// shaders use.
    fn check_entries(&mut self) -> Result<(), Diagnostic> {
        for entry in self.entries {
            let mut slots = FxHashMap::default();
            for variable in self.variables_of(entry.function) {
                let Some(slot) = slot(self.source, variable) else { continue };
                // A sampler that shares the binding of its image gets another one.
                if slots.insert((slot, self.is_sampler(variable)), variable).is_some_and(|known| known != variable) {
                    let message = format!("two variables at binding {} of group {} in WGSL", slot.binding, slot.set);
                    return self.refuse(WriteCode::Interface, variable, message);
                }
                if entry.model != Model::Vertex {
                    continue;
                }
                if self.msl.is_written(variable) || self.handle(variable).writes {
                    return self.refuse(WriteCode::Interface, variable, "memory that a vertex shader writes, in WGSL");
                }
                self.wgsl.of_vertices.insert(variable);
            }
        }
        Ok(())
    }

    fn add_wgsl_variable(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        match storage_class {
            Some(Class::Input | Class::Output) => self.add_private_interface(variable, pointee),
            Some(Class::Uniform | Class::StorageBuffer | Class::PushConstant) => {
                self.add_wgsl_buffer(variable, pointee)
            }
            Some(Class::UniformConstant) => self.add_wgsl_handle(variable, pointee),
            Some(Class::Workgroup) => {
                // Workgroup memory begins as zeros.
                let is_zero = initializer.is_none_or(|first| self.source.op(first) == Op::ConstantNull);
                match is_zero {
                    true => self.add_wgsl_memory(variable, pointee, "var<workgroup>", None),
                    false => self.refuse(WriteCode::Constant, variable, "workgroup memory with a first value in WGSL"),
                }
            }
            Some(Class::Private) => self.add_wgsl_memory(variable, pointee, "var<private>", initializer),
            class => {
                let class = class.map_or_else(|| "unknown".to_owned(), |class| format!("{class:?}"));
                self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class} in WGSL"))
            }
        }
    }

    /// Declares the private variable of an input or output that functions besides entry points use.
    fn add_private_interface(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let is_of_callee = self
            .source
            .uses(variable)
            .any(|used| self.source.function_of(used.user).is_some_and(|function| self.callees.contains(&function)));
        let is_argument = self.source.uses(variable).any(|used| self.source.op(used.user) == Op::FunctionCall);
        if !is_of_callee && !is_argument {
            return Ok(());
        }
        let ty = self.ty(pointee)?;
        let name = self.interface_name(variable, "value");
        let id = self.wgsl_global(variable, (name, ty), "var<private>", None);
        self.globals.insert(variable, Place::Global(id));
        Ok(())
    }

    /// The name of an input or output.
    pub(super) fn interface_name(&self, variable: Inst, default: &str) -> String {
        let own = self.name(variable).map(|name| name.trim_start_matches("gl_").to_owned());
        own.filter(|name| !name.contains("BuiltIn") && !name.is_empty()).unwrap_or_else(|| default.to_owned())
    }

    fn wgsl_global(
        &mut self,
        variable: Inst,
        (name, ty): (String, Type),
        prefix: &str,
        value: Option<crate::syntax::Expr>,
    ) -> GlobalId {
        let is_read_only = !self.uses.overlaps(variable)
            && (prefix.contains(", read>") || prefix.contains("<uniform>") || prefix.contains("<immediate>"));
        let kind = GlobalKind::Variable(value);
        let (prefix, suffix) = (prefix.to_owned(), String::new());
        self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: !is_read_only })
    }

    fn add_wgsl_memory(
        &mut self,
        variable: Inst,
        pointee: Inst,
        prefix: &str,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let ty = self.ty(pointee)?;
        let ty = self.with_atomics(variable, pointee, ty)?;
        if prefix == "var<private>" && self.has_override_length(ty) {
            let message = "private memory whose length is a specialization constant, in WGSL";
            return self.refuse(WriteCode::Type, variable, message);
        }
        let value = initializer.map(|constant| self.constant(constant)).transpose()?;
        let default = if prefix == "var<private>" { "data" } else { "shared_data" };
        let name = self.name(variable).unwrap_or_else(|| default.to_owned());
        let id = self.wgsl_global(variable, (name, ty), prefix, value);
        self.globals.insert(variable, Place::Global(id));
        Ok(())
    }

    /// Returns whether the length of an array is an override. The depth is that of the type.
    pub(in crate::lower) fn has_override_length(&self, ty: Type) -> bool {
        match self.text.types[ty] {
            TypeShape::Array { length: Length::Named(_), .. } => true,
            TypeShape::Array { element, .. } => self.has_override_length(element),
            TypeShape::Struct(id) => {
                self.text.structure(id).members.iter().any(|member| self.has_override_length(member.ty))
            }
            _ => false,
        }
    }

    /// Returns whether a type has packed vectors, which are arrays. The depth is that of the type.
    fn has_packed(&self, ty: Type) -> bool {
        match self.text.types[ty] {
            TypeShape::Packed { .. } => true,
            TypeShape::StoredMatrix(matrix) => matrix.storage == Storage::Packed,
            TypeShape::Array { element, .. } => self.has_packed(element),
            TypeShape::Struct(id) => self.text.structure(id).members.iter().any(|member| self.has_packed(member.ty)),
            _ => false,
        }
    }

    /// Returns whether a type has an array in it. The depth is that of the type.
    fn has_arrays(&self, ty: Type) -> bool {
        match self.text.types[ty] {
            TypeShape::Array { .. } | TypeShape::Packed { .. } => true,
            TypeShape::StoredMatrix(matrix) => matrix.storage == Storage::Packed,
            TypeShape::Struct(id) => self.text.structure(id).members.iter().any(|member| self.has_arrays(member.ty)),
            _ => false,
        }
    }

    /// A buffer or push constants. A buffer that is one array without a length is that array.
    fn add_wgsl_buffer(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, pointee) else {
            return self.refuse(WriteCode::Type, variable, "an array of buffers in WGSL, which has none");
        };
        let members = members.to_vec();
        let prefix = self.buffer_prefix(variable, pointee)?;
        let structure = self.ty(pointee)?;
        if prefix.ends_with("<immediate>") && self.has_arrays(structure) {
            return self.refuse(WriteCode::Layout, variable, "an array in push constants in WGSL");
        }
        if prefix.ends_with("<uniform>") {
            self.check_uniform(pointee, variable)?;
            if self.has_packed(structure) {
                let message = "a vector or matrix that is packed in a uniform buffer, in WGSL";
                return self.refuse(WriteCode::Layout, variable, message);
            }
        }
        let is_open = members.len() == 1
            && matches!(self.source.type_view(members[0]), Some(TypeView::RuntimeArray { .. }))
            && self.source.decorated(pointee).member(0).find().is_none_or(|Offset(offset)| offset == 0);
        let structure = self.with_atomics(variable, pointee, structure)?;
        let ty = if is_open { self.text.part(structure, 0).unwrap_or(structure) } else { structure };
        if self.has_override_length(ty) {
            let message = "a buffer with a length that is a specialization constant, in WGSL";
            return self.refuse(WriteCode::Type, variable, message);
        }
        let own = self.name(variable);
        let of_member = self.member_name(pointee, 0).filter(|_| is_open);
        let of_type = self.name(pointee).filter(|name| !name.starts_with("type_"));
        let unnamed =
            if prefix.ends_with("read_write>") { UNNAMED } else { unnamed_input(self.source.storage_class(variable)) };
        let name = own.or(of_member).or_else(|| of_type.map(|name| lower(&name))).unwrap_or_else(|| unnamed.to_owned());
        let global = self.wgsl_global(variable, (name, ty), &prefix, None);
        let place = self.chosen_slot(variable).map_or(ResourcePlace::Named, place_of);
        self.note_resource(variable, global, self.kind_of(variable), place);
        let place = if is_open { Place::Members(vec![Some(global)]) } else { Place::Global(global) };
        self.globals.insert(variable, place);
        Ok(())
    }

    fn buffer_prefix(&mut self, variable: Inst, block: Inst) -> Result<String, Diagnostic> {
        let class = self.source.storage_class(variable);
        if class == Some(Class::PushConstant) {
            return Ok("var<immediate>".to_owned());
        }
        let binding = binding_words(self.wgsl_slot(variable)?);
        let is_uniform = class == Some(Class::Uniform) && !self.source.decorated(block).has(Decoration::BufferBlock);
        let storage = match is_uniform {
            true => "uniform",
            false if self.is_wgsl_read_only(variable, block) => "storage, read",
            false => "storage, read_write",
        };
        Ok(format!("{binding} var<{storage}>"))
    }

    /// The group and binding of a resource: those that the host program chooses, or those of the module.
    pub(super) fn chosen_slot(&self, variable: Inst) -> Option<Slot> {
        let own = slot(self.source, variable)?;
        let set = self.chosen(variable, BindingNumber::Group).unwrap_or(own.set);
        Some(Slot { set, binding: self.chosen(variable, BindingNumber::Binding).unwrap_or(own.binding) })
    }

    /// The group and binding of a resource.
    pub(super) fn wgsl_slot(&self, variable: Inst) -> Result<Slot, Diagnostic> {
        match self.chosen_slot(variable) {
            Some(slot) => Ok(slot),
            None => self.refuse(WriteCode::Interface, variable, "a resource without a binding"),
        }
    }

    /// Returns whether a storage buffer is not writable, or none of its members is.
    fn is_wgsl_read_only(&self, variable: Inst, block: Inst) -> bool {
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(Decoration::NonWritable);
        self.source.decorated(variable).has(Decoration::NonWritable)
            || self.wgsl.of_vertices.contains(&variable)
            || count > 0 && (0..count).all(of_member)
    }

    /// Refuses a layout that uniform buffers of WGSL do not have: strides and structs that are not multiples of 16 bytes. The depth is that of
    /// the type.
    fn check_uniform(&self, ty: Inst, variable: Inst) -> Result<(), Diagnostic> {
        match self.source.type_view(ty) {
            Some(TypeView::Array { element, .. }) => {
                if self.source.array_stride(ty).is_none_or(|stride| !stride.is_multiple_of(16)) {
                    let message = "an array in a uniform buffer whose stride is no multiple of 16 bytes, in WGSL";
                    return self.refuse(WriteCode::Layout, variable, message);
                }
                self.check_uniform(element, variable)
            }
            Some(TypeView::Struct { members }) => {
                for (number, member) in members.to_vec().into_iter().enumerate() {
                    let Some(Offset(offset)) = self.source.decorated(ty).member(number as u32).find() else { continue };
                    let is_composite = innermost(self.source, member) != member
                        || matches!(self.source.type_view(member), Some(TypeView::Struct { .. }));
                    if is_composite && !offset.is_multiple_of(16) {
                        let message = "a composite in a uniform buffer that is at no multiple of 16 bytes, in WGSL";
                        return self.refuse(WriteCode::Layout, variable, message);
                    }
                    self.check_uniform(member, variable)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A name that begins with a small letter.
fn lower(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
