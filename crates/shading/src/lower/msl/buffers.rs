//! Buffers: parameters that refer to memory.
//!
//! The language has no arrays of buffers as parameters, so each element is one, with the next number, and the entry point makes an array of pointers
//! of them. Two buffers with one descriptor are one parameter: the second variable is a pointer to it.
//!
//! ```text
//! %lights: Uniform %Light[2], Binding 0        ⇒   constant Light& light_0 [[buffer(0)]], constant Light& light_1 [[buffer(1)]]
//!                                                  array<constant Light*, 2> lights = array<constant Light*, 2>{&light_0, &light_1};
//! %words: StorageBuffer %Words, Binding 0      ⇒   device Floats& floats [[buffer(0)]]
//! %floats: StorageBuffer %Floats, Binding 0        device Words* words = (device Words*)&floats;
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, StorageClass as Class};

use super::super::function::Body;
use super::super::resources::{UNNAMED, innermost, slot, unnamed_input};
use super::super::uses::root;
use super::super::{Lowering, Place};
use super::globals::{Free, Numbered, lower};
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::{Arguments, Effects, Expr, GlobalId, Length, Role, Scalar, Shape, Type, TypeShape};
use crate::write::{BindingNumber, WriteCode};

/// The words before the type of a buffer whose accesses stay as they are.
pub(super) const VOLATILE: &str = "volatile device";

/// The words before the type of buffers whose writes other invocations see.
pub(super) const COHERENT: &str = "coherent device";

/// What the text has for a descriptor.
#[derive(Clone)]
pub(super) struct Bound {
    /// The block.
    ty: Type,
    /// The place of each buffer.
    places: Vec<Expr>,
    place: ResourcePlace,
    size_index: u32,
    /// What the first variable is in the text.
    whole: Place,
}

/// A buffer variable.
struct Buffer {
    variable: Inst,
    /// The type of the block in the text.
    ty: Type,
    /// The lengths of the arrays around the block, the outermost first.
    lengths: Vec<u32>,
    /// The words before its type.
    memory: &'static str,
    is_written: bool,
    name: String,
}

impl Buffer {
    fn count(&self) -> u32 {
        self.lengths.iter().fold(1, |count, &length| count.saturating_mul(length))
    }
}

impl Lowering<'_> {
    /// A buffer, an array of buffers, or push constants.
    pub(super) fn add_buffer(&mut self, variable: Inst, pointee: Inst, free: &mut Free) -> Result<(), Diagnostic> {
        let block = innermost(self.source, pointee);
        let members = match view::TypeStruct::of(self.source, block) {
            Some(view::TypeStruct { members }) => members.to_vec(),
            None => return self.refuse(WriteCode::Type, variable, "a buffer that is no struct in MSL"),
        };
        let is_unbounded = self.is_unbounded(pointee);
        let around = self.source.element_type(pointee).filter(|_| is_unbounded).unwrap_or(pointee);
        let lengths = self.buffer_lengths(variable, around)?;
        let sharing = self.sharing(variable);
        let memory = self.shared_memory_words(&sharing)?;
        if memory == VOLATILE {
            self.check_volatile(variable, block)?;
            self.msl.volatile.insert(variable);
        }
        let is_written =
            (memory != "constant" && self.uses.overlaps(variable)) || !matches!(memory, "constant" | "device const");
        // A buffer that is an array is a pointer to its first element.
        let is_open = lengths.is_empty()
            && members.len() == 1
            && matches!(self.source.type_view(members[0]), Some(TypeView::RuntimeArray { .. }));
        let of_member = self.member_name(block, 0).filter(|_| is_open);
        let unnamed = if is_written { UNNAMED } else { unnamed_input(self.source.storage_class(variable)) };
        let name = self.name(variable).or(of_member).or_else(|| self.name_of_block(block));
        let name = name.unwrap_or_else(|| unnamed.to_owned());
        let buffer = Buffer { variable, ty: self.ty(block)?, lengths, memory, is_written, name };
        if is_unbounded {
            return self.unbounded_buffers(&buffer, pointee, free);
        }
        let own_slot = slot(self.source, variable);
        if let Some(bound) = own_slot.and_then(|slot| self.msl.bound.get(&slot)).cloned() {
            return self.add_to_bound(&buffer, bound);
        }
        let numbered = self.numbered(variable, (BindingNumber::Buffer, buffer.count()), free)?;
        let place = numbered.place;
        let size_index = match place {
            ResourcePlace::Buffer(number) if !self.has_argument_buffers() => number,
            _ => {
                free.sizes += buffer.count();
                free.sizes - buffer.count()
            }
        };
        let (global, places) = match buffer.lengths.is_empty() {
            true => {
                let element = self.text.part(buffer.ty, 0).filter(|_| is_open);
                self.one_buffer(&buffer, element.unwrap_or(buffer.ty), numbered)
            }
            false => self.array_of_buffers(&buffer, numbered),
        };
        let whole = if is_open { Place::Members(vec![Some(global)]) } else { Place::Global(global) };
        if let Some(slot) = own_slot {
            let bound = Bound { ty: buffer.ty, places, place, size_index, whole: whole.clone() };
            self.msl.bound.insert(slot, bound);
        }
        self.note_buffer(&buffer, global, (place, size_index));
        self.globals.insert(variable, whole);
        Ok(())
    }

    fn note_buffer(&mut self, buffer: &Buffer, global: GlobalId, (place, size_index): (ResourcePlace, u32)) {
        self.msl.buffers.insert(buffer.variable, size_index);
        self.note_resource(buffer.variable, global, self.kind_of(buffer.variable), place);
        if let Some(note) = self.text.notes.resources.last_mut().filter(|_| buffer.memory != "constant") {
            note.resource.size_index = Some(size_index);
        }
    }

    /// The name of a variable of a block, by that of the block.
    fn name_of_block(&self, block: Inst) -> Option<String> {
        self.name(block).filter(|name| !name.starts_with("type_")).map(|name| lower(&name))
    }

    /// The lengths of the arrays around a block, the outermost first.
    fn buffer_lengths(&self, variable: Inst, pointee: Inst) -> Result<Vec<u32>, Diagnostic> {
        let (mut lengths, mut ty) = (Vec::new(), pointee);
        loop {
            match self.source.type_view(ty) {
                Some(TypeView::Array { element, length }) => {
                    let known = self.source.constant_word(length).filter(|&length| length > 0);
                    let known = known.filter(|_| self.source.op(length) == Op::Constant);
                    let Some(length) = known else {
                        let message = "an array of buffers with a specialized length in MSL";
                        return self.refuse(WriteCode::Type, variable, message);
                    };
                    lengths.push(length);
                    ty = element;
                }
                Some(TypeView::RuntimeArray { .. }) => {
                    let message = "an array of buffers without a length in another array in MSL";
                    return self.refuse(WriteCode::Type, variable, message);
                }
                _ => return Ok(lengths),
            }
        }
    }

    /// A buffer of a type.
    fn one_buffer(&mut self, buffer: &Buffer, ty: Type, numbered: Numbered) -> (GlobalId, Vec<Expr>) {
        let global = self.of_entry(buffer.name.clone(), ty, numbered.role, (buffer.memory, numbered.suffix));
        if buffer.is_written {
            self.set_written(global);
        }
        (global, vec![self.global(global)])
    }

    /// An array of pointers without a length.
    fn unbounded_buffers(&mut self, buffer: &Buffer, array: Inst, free: &mut Free) -> Result<(), Diagnostic> {
        let variable = buffer.variable;
        if !buffer.lengths.is_empty() || self.sharing(variable).len() > 1 {
            let what = if buffer.lengths.is_empty() { "with others at one binding" } else { "of arrays" };
            let message = format!("an array of buffers without a length, {what}, in MSL");
            return self.refuse(WriteCode::Interface, variable, message);
        }
        let pointer = self.text.types.of(TypeShape::Pointer { memory: buffer.memory, to: buffer.ty });
        let kind = self.kind_of(variable);
        let global = self.unbounded_array((variable, array), (buffer.name.clone(), pointer), kind, free)?;
        if buffer.is_written {
            self.set_written(global);
        }
        self.globals.insert(variable, Place::Global(global));
        Ok(())
    }

    /// The array of pointers, and the places that they lead to.
    fn array_of_buffers(&mut self, buffer: &Buffer, numbered: Numbered) -> (GlobalId, Vec<Expr>) {
        let pointer = self.text.types.of(TypeShape::Pointer { memory: buffer.memory, to: buffer.ty });
        let count = buffer.count();
        let ResourcePlace::Buffer(first) = numbered.place else {
            // An argument buffer has arrays of pointers.
            let ty = self.array_of(pointer, &buffer.lengths);
            let global = self.of_entry(buffer.name.clone(), ty, numbered.role, ("", numbered.suffix));
            if buffer.is_written {
                self.set_written(global);
            }
            // Another variable with the descriptor needs the places.
            let count = if self.sharing(buffer.variable).len() > 1 { count } else { 0 };
            let places = (0..count).map(|number| self.buffer_of_array(global, &buffer.lengths, number)).collect();
            return (global, places);
        };
        let mut places = Vec::new();
        for number in 0..count {
            let suffix = self.resource_suffix(buffer.variable, "buffer", first + number);
            let name = format!("{}_{number}", buffer.name);
            let one = self.of_entry(name, buffer.ty, Role::Parameter, (buffer.memory, suffix));
            if buffer.is_written {
                self.set_written(one);
            }
            places.push(self.global(one));
        }
        (self.pointers(buffer, &places), places)
    }

    /// A variable of an entry point with pointers to the places of buffers.
    fn pointers(&mut self, buffer: &Buffer, places: &[Expr]) -> GlobalId {
        let mut ty = self.text.types.of(TypeShape::Pointer { memory: buffer.memory, to: buffer.ty });
        let mut values: Vec<Expr> = Vec::new();
        for &place in places {
            let place = self.text.expressions.copy(place);
            values.push(self.text.expressions.add(
                Shape::Construct(Arguments::from_slice(&[place])),
                ty,
                Effects::PURE,
            ));
        }
        for &length in buffer.lengths.iter().rev() {
            ty = self.array_of(ty, &[length]);
            let parts = values.chunks(length as usize).map(Arguments::from_slice).collect::<Vec<_>>();
            values = parts
                .into_iter()
                .map(|parts| self.text.expressions.add(Shape::Construct(parts), ty, Effects::PURE))
                .collect();
        }
        let role = Role::Variable(values.first().copied());
        let global = self.of_entry(buffer.name.clone(), ty, role, ("", String::new()));
        if buffer.is_written {
            self.set_written(global);
        }
        global
    }

    fn array_of(&mut self, element: Type, lengths: &[u32]) -> Type {
        let around =
            |ty, &length: &u32| self.text.types.of(TypeShape::Array { element: ty, length: Length::Constant(length) });
        lengths.iter().rev().fold(element, around)
    }

    /// A buffer of an array of pointers, by its number.
    fn buffer_of_array(&mut self, array: GlobalId, lengths: &[u32], number: u32) -> Expr {
        let (mut indexes, mut rest) = (Vec::new(), number);
        for &length in lengths.iter().rev() {
            indexes.push(rest % length);
            rest /= length;
        }
        let mut expr = self.global(array);
        // The last index is that of the block that the pointer leads to.
        for index in indexes.into_iter().rev().chain([0]) {
            let index = self.int(index as i32);
            let ty = self.text.expressions[expr].ty;
            let part = self.text.part(ty, 0).unwrap_or(ty);
            expr = self.text.expressions.add(Shape::Index { base: expr, index }, part, Effects::PURE);
        }
        expr
    }

    /// A variable with the descriptor of another one.
    fn add_to_bound(&mut self, buffer: &Buffer, bound: Bound) -> Result<(), Diagnostic> {
        if bound.places.len() < buffer.count() as usize {
            let message = "two arrays of buffers of different lengths at one binding in MSL";
            return self.refuse(WriteCode::Interface, buffer.variable, message);
        }
        let is_same = bound.ty == buffer.ty && bound.places.len() == buffer.count() as usize;
        let is_array = match &bound.whole {
            Place::Global(global) => matches!(self.text.types[self.text.global(*global).ty], TypeShape::Array { .. }),
            _ => false,
        };
        let (global, whole) = match bound.whole {
            Place::Members(ref members) if is_same && buffer.lengths.is_empty() => {
                (members.first().copied().flatten(), bound.whole.clone())
            }
            Place::Global(global) if is_same && is_array != buffer.lengths.is_empty() && buffer.lengths.len() < 2 => {
                (Some(global), bound.whole.clone())
            }
            _ => {
                let places: Vec<Expr> = bound.places[..buffer.count() as usize].to_vec();
                let global = self.pointers(buffer, &places);
                (Some(global), Place::Global(global))
            }
        };
        if let Some(global) = global {
            self.note_buffer(buffer, global, (bound.place, bound.size_index));
        }
        self.globals.insert(buffer.variable, whole);
        Ok(())
    }

    /// The buffers with the descriptor of a variable, which are used.
    fn sharing(&self, variable: Inst) -> Vec<Inst> {
        let Some(own) = slot(self.source, variable) else { return vec![variable] };
        self.msl.sharing.get(&own).cloned().unwrap_or_else(|| vec![variable])
    }

    /// Returns whether a variable is a uniform block or push constants.
    fn is_constant_buffer(&self, variable: Inst) -> bool {
        let block = self.source.pointee(variable).map(|pointee| innermost(self.source, pointee));
        let is_storage = block.is_some_and(|block| self.source.decorated(block).has(Decoration::BufferBlock));
        match self.source.storage_class(variable) {
            Some(Class::PushConstant) => true,
            Some(Class::Uniform) => !is_storage,
            _ => false,
        }
    }

    /// The words before the type of buffers with one descriptor, for the accesses to them.
    fn shared_memory_words(&mut self, variables: &[Inst]) -> Result<&'static str, Diagnostic> {
        let constants = variables.iter().filter(|&&variable| self.is_constant_buffer(variable)).count();
        if constants == variables.len() {
            return Ok("constant");
        }
        if constants > 0 {
            let message = "a uniform block and a storage buffer at one binding in MSL";
            return self.refuse(WriteCode::Interface, variables[1], message);
        }
        let mut types = Vec::new();
        for &variable in variables {
            if let Some(pointee) = self.source.pointee(variable) {
                types.push(self.ty(innermost(self.source, pointee))?);
            }
        }
        types.dedup();
        let is_coherent = variables
            .iter()
            .any(|&variable| self.has_access(variable, Decoration::Coherent) || self.uses.is_shared_by_scope(variable));
        let is_volatile = variables
            .iter()
            .any(|&variable| self.has_access(variable, Decoration::Volatile) || self.uses.is_volatile(variable));
        let is_written = variables.iter().any(|variable| self.msl.written.contains(variable));
        Ok(match (is_coherent, is_volatile) {
            (false, false) if !is_written => "device const",
            // A compiler takes memory of different types for apart, so these accesses must not be moved.
            _ if types.len() > 1 => VOLATILE,
            (_, true) => VOLATILE,
            (true, false) if self.target.msl().has(3, 2) => COHERENT,
            (true, false) => VOLATILE,
            (false, false) => "device",
        })
    }

    /// Refuses a volatile buffer with what has no volatile accesses: the language has none for arrays of a length and matrices.
    fn check_volatile(&mut self, variable: Inst, block: Inst) -> Result<(), Diagnostic> {
        // Nothing accesses the padding of the block, and what copies a struct in it copies its padding.
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let ty = self.ty(block)?;
        let places: Vec<u32> = (0..count as u32).map(|member| self.member_place(block, member)).collect();
        let members: Vec<Type> = places.into_iter().filter_map(|place| self.text.part(ty, place)).collect();
        match members.into_iter().all(|member| self.has_volatile_form(member)) {
            true => Ok(()),
            false => {
                let message = "an array of a length or a matrix in a volatile buffer in MSL";
                self.refuse(WriteCode::Layout, variable, message)
            }
        }
    }

    /// Returns whether the language has volatile accesses to all parts of a type.
    pub(super) fn has_volatile_form(&self, ty: Type) -> bool {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            match self.text.types[ty] {
                TypeShape::Array { element, length: Length::Runtime } => work.push(element),
                TypeShape::Struct(id) => work.extend(self.text.structure(id).members.iter().map(|member| member.ty)),
                TypeShape::Array { .. } | TypeShape::Matrix { .. } | TypeShape::StoredMatrix(_) => return false,
                _ => {}
            }
        }
        true
    }

    /// Returns whether a buffer or a member of it has a decoration of accesses.
    fn has_access(&self, variable: Inst, decoration: Decoration) -> bool {
        let Some(block) = self.source.pointee(variable).map(|pointee| innermost(self.source, pointee)) else {
            return false;
        };
        let count = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let of_member = |member: usize| self.source.decorated(block).member(member as u32).has(decoration);
        self.source.decorated(variable).has(decoration) || (0..count).any(of_member)
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

impl Body<'_, '_> {
    /// Returns whether accesses through a pointer are volatile.
    fn is_volatile(&self, pointer: Inst) -> bool {
        self.cx.msl.volatile.contains(&root(self.source, pointer)) || self.is_volatile_address(pointer)
    }

    /// The value of a struct in a volatile buffer: the language copies none as a whole.
    pub(super) fn volatile_value(&mut self, pointer: Inst, place: Expr, inst: Inst) -> Result<Expr, Diagnostic> {
        if self.is_volatile(pointer) { self.value_by_parts(place, inst) } else { Ok(place) }
    }

    /// The depth is that of the type.
    fn value_by_parts(&mut self, place: Expr, inst: Inst) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(place);
        let TypeShape::Struct(id) = self.cx.text.types[ty] else { return Ok(place) };
        let mut parts = Arguments::new();
        for member in 0..self.cx.text.structure(id).members.len() as u32 {
            let base = self.cx.text.expressions.copy(place);
            let part = self.member(base, member, inst)?;
            parts.push(self.value_by_parts(part, inst)?);
        }
        Ok(self.construct(parts, ty))
    }

    /// Stores a struct in a volatile buffer member by member; `false` for all else.
    pub(super) fn store_volatile(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<bool, Diagnostic> {
        if !self.is_volatile(pointer) {
            return Ok(false);
        }
        let target = self.place(pointer)?;
        if !matches!(self.cx.text.types[self.type_of(target)], TypeShape::Struct(_)) {
            return Ok(false);
        }
        let wanted = self.type_of(target);
        let value = self.convert(value, wanted, inst)?;
        let value = self.repeated(value);
        let value = self.local(value);
        self.store_by_parts(target, value, inst)?;
        Ok(true)
    }

    /// The depth is that of the type.
    fn store_by_parts(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let TypeShape::Struct(id) = self.cx.text.types[self.type_of(target)] else {
            self.assign_to(target, value);
            return Ok(());
        };
        for member in 0..self.cx.text.structure(id).members.len() as u32 {
            let (base, whole) = (self.cx.text.expressions.copy(target), self.cx.text.expressions.copy(value));
            let (place, part) = (self.member(base, member, inst)?, self.member(whole, member, inst)?);
            self.store_by_parts(place, part, inst)?;
        }
        Ok(())
    }

    /// Refuses a pointer to a volatile buffer as an argument: parameters refer to other memory.
    pub(super) fn check_argument(&self, argument: Inst) -> Result<(), Diagnostic> {
        let is_place = self.source.pointee(argument).is_some() && !self.is_address(argument);
        match is_place && self.is_volatile(argument) {
            true => self.refuse(WriteCode::Pointer, argument, "a pointer to a volatile buffer as an argument in MSL"),
            false => Ok(()),
        }
    }
}
