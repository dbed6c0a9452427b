//! Memory: variables, access chains, loads and stores.
//!
//! Pointers are no values in the languages. The path from a variable to its part is written at each use.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::super::uses::{Sampling, root};
use super::super::{Place, Target};
use super::{Access, Body};
use crate::Language;
use crate::syntax::{
    Arguments, Effects, Expr, GlobalKind, Length, Literal, Local, LocalKind, Scalar, Shape, StatementKind, Type,
    TypeShape,
};
use crate::write::WriteCode;

/// The place that a part of an access chain is reached from.
struct Reached {
    /// The expression; none while only a block whose members are globals is named.
    expr: Option<Expr>,
    /// The type in the module.
    ty: Inst,
}

/// The members of a block that are apart.
enum Members {
    Globals(Vec<Option<crate::syntax::GlobalId>>),
    Parts(Vec<Option<Expr>>),
}

impl Body<'_, '_> {
    /// A variable of the function.
    pub(super) fn local_variable(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(pointee) = self.source.pointee(inst) else { return self.unknown(inst) };
        let ty = self.cx.ty(pointee)?;
        if self.cx.target == super::super::Target::Wgsl && self.cx.has_override_length(ty) {
            let message = "a variable of a function whose length is a specialization constant, in WGSL";
            return self.refuse(WriteCode::Type, inst, message);
        }
        let initializer = view::Variable::of(self.source, inst).and_then(|variable| variable.initializer);
        let value = match initializer {
            Some(constant) => Some(self.value(constant)?),
            // dxc refuses to store what it knows as undefined. With the numbers that the host program gives, it may not be.
            None if self.cx.target.language() == Language::Hlsl && self.has_named_length(ty) => {
                Some(self.cx.zero(ty, inst)?)
            }
            None => None,
        };
        let name = self.cx.name(inst);
        let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix: "" });
        self.known.insert(inst, local);
        self.declare_first(local, value);
        Ok(())
    }

    fn has_named_length(&self, ty: Type) -> bool {
        matches!(self.cx.text.types[ty], TypeShape::Array { length: Length::Named(_), .. })
    }

    /// The place that a pointer points to: the path from its variable. The value for an image or a sampler.
    pub(crate) fn place(&mut self, pointer: Inst) -> Result<Expr, Diagnostic> {
        self.place_from(pointer, None)
    }

    /// The place of an image or sampler in the variable that samples in a way.
    pub(crate) fn place_sampled(&mut self, image: Inst, sampling: Sampling) -> Result<Expr, Diagnostic> {
        let variable = root(self.source, image);
        match self.cx.compared.get(&variable).copied().filter(|_| sampling == Sampling::Compared) {
            Some(global) => {
                let base = self.cx.global(global);
                self.place_from(image, Some(base))
            }
            None => self.place(image),
        }
    }

    /// The path of a pointer from another variable than its own.
    pub(crate) fn place_along(&mut self, pointer: Inst, variable: Expr) -> Result<Expr, Diagnostic> {
        self.place_from(pointer, Some(variable))
    }

    fn place_from(&mut self, pointer: Inst, variable: Option<Expr>) -> Result<Expr, Diagnostic> {
        let (mut chains, mut base) = (Vec::new(), pointer);
        let mut is_nonuniform = self.is_nonuniform(pointer);
        loop {
            is_nonuniform |= self.is_nonuniform(base);
            let is_path = matches!(self.source.op(base), Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject);
            if self.is_address(base) && !is_path {
                break;
            }
            match self.source.op(base) {
                Op::AccessChain | Op::InBoundsAccessChain => {
                    chains.push(base);
                    base = self.source.operand(base, 0);
                }
                Op::CopyObject | Op::Load | Op::Image | Op::SampledImage => base = self.source.operand(base, 0),
                Op::Variable | Op::FunctionParameter => break,
                Op::ConvertUToAccelerationStructureKHR if self.cx.target.language() == Language::Glsl => {
                    return self.structure_at(base);
                }
                op => {
                    let message = format!("a pointer from {} in {}", op.name(), self.cx.target.language());
                    return self.refuse(WriteCode::Pointer, pointer, message);
                }
            }
        }
        let Some(ty) = self.source.pointee(base).or_else(|| self.source.ty(base)) else { return self.unknown(base) };
        let variable = match variable {
            None if self.is_address(base) => Some(self.behind_address(base)?),
            variable => variable,
        };
        let mut reached = Reached { expr: variable, ty };
        let (mut members, mut element, mut vertices) = (None, None, None);
        match self.cx.globals.get(&base).cloned() {
            _ if variable.is_some() => {}
            Some(Place::Members(found)) => members = Some(Members::Globals(found)),
            Some(Place::Global(global)) => {
                let whole = self.cx.global(global);
                reached.expr = Some(self.behind_pointer(whole));
            }
            Some(Place::Element { array, member }) => {
                reached.expr = Some(self.cx.global(array));
                element = Some(member);
            }
            None => match (self.interface.get(&base).cloned(), self.known.get(&base)) {
                (Some(Access::Whole(expr)), _) => reached.expr = Some(self.cx.text.expressions.copy(expr)),
                (Some(Access::Members(found)), _) => members = Some(Members::Parts(found)),
                (Some(Access::Vertices(found)), _) => vertices = Some(found),
                (None, Some(&local)) => {
                    reached.expr = Some(match self.is_shared_memory(base) {
                        true => self.with_effects(Shape::Local(local), self.function[local].ty, Effects::READS),
                        false => self.local(local),
                    });
                }
                (None, None) => return self.refuse(WriteCode::Pointer, base, "a variable that is not there"),
            },
        }
        let mut indexes = Vec::new();
        for chain in chains.into_iter().rev() {
            if let Some(chain) = view::Chain::of(self.source, chain) {
                indexes.extend(chain.indexes);
            }
        }
        if let Some(vertices) = vertices {
            let led = self.vertex_part(&vertices, reached.ty, &indexes, pointer)?;
            reached = Reached { expr: Some(led.expr), ty: led.ty };
            indexes.drain(..led.count);
        }
        let mut is_marked = is_nonuniform || indexes.first().is_some_and(|&index| self.is_nonuniform(index));
        is_marked &= self.source.op(base) == Op::Variable;
        let mut own_vertex = None;
        if let (Target::Glsl(_), Some(&index)) = (self.cx.target, indexes.first()) {
            self.cx.note_indices(base, &indexes, self.origin.unwrap_or(pointer));
            own_vertex = self.glsl_own_vertex(base, index, pointer)?;
        }
        for (number, index) in indexes.into_iter().enumerate() {
            reached = match (reached.expr, &members) {
                (None, Some(members)) => self.member_apart(members, reached.ty, index, pointer)?,
                (Some(base), _) if number == 0 && own_vertex.is_some() => {
                    self.vertex_by(base, reached.ty, own_vertex, pointer)?
                }
                (Some(expr), _) if is_marked && number == 0 => self.descriptor(expr, reached.ty, index, pointer)?,
                (Some(expr), _) => self.part(expr, reached.ty, index, pointer)?,
                (None, None) => return self.unknown(pointer),
            };
            if let (0, Some(member), Some(expr)) = (number, element, reached.expr) {
                reached.expr = Some(self.member(expr, member, pointer)?);
            }
        }
        match reached.expr {
            Some(expr) => Ok(expr),
            None => self.refuse(WriteCode::Pointer, pointer, "a block of built-ins as a whole"),
        }
    }

    /// An element of an array of vertices, by an expression of the language.
    fn vertex_by(&mut self, base: Expr, ty: Inst, index: Option<Expr>, pointer: Inst) -> Result<Reached, Diagnostic> {
        let (Some(index), Some(part)) = (index, self.source.element_type(ty)) else { return self.unknown(pointer) };
        let expr = self.element(base, index, pointer)?;
        Ok(Reached { expr: Some(expr), ty: part })
    }

    /// Returns whether a parameter points to memory that other names may have, too.
    fn is_shared_memory(&self, base: Inst) -> bool {
        use spirv::StorageClass as Class;
        self.source.op(base) == Op::FunctionParameter
            && matches!(self.source.storage_class(base), Some(Class::StorageBuffer | Class::Uniform | Class::Workgroup))
    }

    fn is_nonuniform(&self, value: Inst) -> bool {
        self.source.decorated(value).has(spirv::Decoration::NonUniform)
    }

    /// A resource of an array, by an index that differs between lanes.
    fn descriptor(&mut self, base: Expr, ty: Inst, index: Inst, pointer: Inst) -> Result<Reached, Diagnostic> {
        let (Some(part), None) = (self.source.element_type(ty), self.word(index)) else {
            return self.part(base, ty, index, pointer);
        };
        let value = self.index(index)?;
        let index = self.nonuniform(value, pointer);
        let element = self.element_inside(base, ty, index, pointer)?;
        Ok(Reached { expr: Some(element), ty: part })
    }

    /// An element of an array: what is inside, where the element is a struct around it or a pointer to it.
    fn element_inside(&mut self, base: Expr, array: Inst, index: Expr, pointer: Inst) -> Result<Expr, Diagnostic> {
        let element = self.element(base, index, pointer)?;
        let inside = if self.cx.is_wrapped(array) { self.member(element, 0, pointer)? } else { element };
        Ok(self.behind_pointer(inside))
    }

    /// What a pointer of the text leads to; any other place itself. MSL has pointers to buffers.
    fn behind_pointer(&mut self, place: Expr) -> Expr {
        let TypeShape::Pointer { to, .. } = self.cx.text.types[self.type_of(place)] else { return place };
        let index = self.cx.int(0);
        self.pure(Shape::Index { base: place, index }, to)
    }

    /// The place of a member of a block whose members are apart.
    fn member_apart(&mut self, members: &Members, ty: Inst, index: Inst, pointer: Inst) -> Result<Reached, Diagnostic> {
        let member = self.word(index);
        let expr = match (members, member) {
            (Members::Globals(found), Some(member)) => {
                found.get(member as usize).copied().flatten().map(|global| self.cx.global(global))
            }
            (Members::Parts(found), Some(member)) => {
                found.get(member as usize).copied().flatten().map(|part| self.cx.text.expressions.copy(part))
            }
            _ => None,
        };
        let part = member.and_then(|member| self.source.part_type(ty, member as usize));
        match (expr, part) {
            (Some(expr), Some(ty)) => Ok(Reached { expr: Some(expr), ty }),
            _ => self.refuse(WriteCode::Pointer, pointer, "a member that is not there"),
        }
    }

    /// A part of a place, by an index.
    fn part(&mut self, base: Expr, ty: Inst, index: Inst, pointer: Inst) -> Result<Reached, Diagnostic> {
        let word = self.word(index);
        let Some(part) = self.source.part_type(ty, word.unwrap_or(0) as usize) else {
            return self.refuse(WriteCode::Pointer, pointer, "an access chain that leaves its type");
        };
        let expr = match (self.source.type_view(ty), word) {
            (Some(TypeView::Struct { .. }), Some(member)) => {
                let member = self.cx.member_place(ty, member);
                self.member(base, member, pointer)?
            }
            (Some(TypeView::Vector { count, .. }), Some(component)) if component < count => {
                self.swizzle(base, &[component as u8])
            }
            // An array of one number is the number.
            (Some(TypeView::Array { .. }), Some(0))
                if matches!(self.cx.text.types[self.type_of(base)], TypeShape::Scalar(_)) =>
            {
                base
            }
            _ => {
                let index = self.index(index)?;
                let index = self.index_within(index, base);
                let base = self.hlsl_matrix_to_index(base, index);
                self.element_inside(base, ty, index, pointer)?
            }
        };
        Ok(Reached { expr: Some(expr), ty: part })
    }

    /// A member of a struct.
    pub(crate) fn member(&mut self, base: Expr, member: u32, place: Inst) -> Result<Expr, Diagnostic> {
        let from = self.type_of(base);
        match self.cx.text.part(from, member) {
            Some(ty) => Ok(self.pure(Shape::Member { base, member }, ty)),
            None => self.refuse(WriteCode::Pointer, place, "a member that is not there"),
        }
    }

    /// An element of an array, a column of a matrix or a component of a vector.
    pub(crate) fn element(&mut self, base: Expr, index: Expr, place: Inst) -> Result<Expr, Diagnostic> {
        if let Some(element) = self.stored_element(base, index) {
            return Ok(element);
        }
        let from = self.type_of(base);
        match self.cx.text.part(from, 0) {
            Some(ty) => Ok(self.pure(Shape::Index { base, index }, ty)),
            None => self.refuse(WriteCode::Pointer, place, "an element of what has none"),
        }
    }

    /// An index into an array whose length can be specialized: readers compare a literal with the length before that.
    pub(super) fn index_within(&mut self, index: Expr, array: Expr) -> Expr {
        let ty = self.type_of(array);
        let is_named = match self.cx.text.types[ty] {
            TypeShape::Array { length: Length::Named(global), .. } => {
                !matches!(self.cx.text.global(global).kind, GlobalKind::BuiltIn)
            }
            _ => false,
        };
        let is_first =
            matches!(self.cx.text.expressions.literal(index), None | Some(Literal::Int(0) | Literal::Uint(0)));
        if !is_named || is_first {
            return index;
        }
        let ty = self.type_of(index);
        self.cx.text.expressions.set_effects(index, Effects::PINNED);
        let local = Local { name: Some("element".to_owned()), ty, kind: LocalKind::Value, prefix: "" };
        let local = self.function.add(local);
        self.statement(StatementKind::Declare { local, value: Some(index) });
        self.local(local)
    }

    /// An index of 32 bits.
    pub(crate) fn index(&mut self, index: Inst) -> Result<Expr, Diagnostic> {
        if let Some(word) = self.word(index).and_then(|word| i32::try_from(word).ok()) {
            return Ok(self.cx.int(word));
        }
        let value = self.value(index)?;
        let scalar = self.numbers_of(value).scalar;
        if scalar.width == 32 {
            return Ok(value);
        }
        let ty = self.cx.text.types.numbers(Scalar { width: 32, ..scalar }, 1);
        Ok(self.construct([value], ty))
    }

    pub(super) fn load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Load { pointer, .. }) = view::Load::of(self.source, inst) else { return self.unknown(inst) };
        let value = self.read(pointer, inst)?;
        self.define(inst, value)
    }

    /// The value in memory, as a value of the pointee type.
    fn read(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        self.read_memory(pointer, inst)
    }

    /// The value of the place of a pointer.
    pub(crate) fn read_place(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        let place = self.place(pointer)?;
        let place = self.load_array(pointer, place, inst)?;
        let wanted = match self.source.pointee(pointer) {
            Some(pointee) => self.cx.ty(pointee)?,
            None => self.type_of(place),
        };
        self.convert(place, wanted, inst)
    }

    /// An array in memory is a value as it is.
    pub(in crate::lower) fn whole_array(&mut self, _: Inst, place: Expr, _: Inst) -> Result<Expr, Diagnostic> {
        Ok(place)
    }

    /// Arrays are stored as a whole.
    pub(in crate::lower) fn no_store_of_array(&mut self, _: Inst, _: Inst, _: Inst) -> Result<bool, Diagnostic> {
        Ok(false)
    }

    pub(super) fn store(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Store { pointer, object, .. }) = view::Store::of(self.source, inst) else {
            return self.unknown(inst);
        };
        if self.source.op(object) == Op::Undef {
            return Ok(());
        }
        if self.store_array(pointer, object, inst)? {
            return Ok(());
        }
        let value = self.value(object)?;
        self.write(pointer, value, inst)
    }

    fn write(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        self.write_memory(pointer, value, inst)
    }

    /// Assigns a value to the place of a pointer.
    pub(crate) fn write_place(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let target = self.place(pointer)?;
        self.write_at(target, value, inst)
    }

    /// Assigns a value to a place.
    pub(crate) fn write_at(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        if self.store_matrix(target, value)? {
            return Ok(());
        }
        let wanted = self.type_of(target);
        let value = self.convert(value, wanted, inst)?;
        if self.is_built_in_array(target) {
            return self.assign_elements(target, value, inst);
        }
        self.assign_to(target, value);
        Ok(())
    }

    /// Returns whether a place is an array that the language declares, which cannot be assigned as a whole.
    fn is_built_in_array(&self, place: Expr) -> bool {
        let is_array =
            matches!(self.cx.text.types[self.type_of(place)], TypeShape::Array { length: Length::Constant(_), .. });
        let root = self.cx.text.expressions.root(place);
        let is_built_in = match self.cx.text.expressions[root].shape {
            Shape::Global(global) => matches!(self.cx.text.global(global).kind, GlobalKind::BuiltIn),
            _ => false,
        };
        is_array && is_built_in
    }

    fn assign_elements(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let TypeShape::Array { length: Length::Constant(count), .. } = self.cx.text.types[self.type_of(target)] else {
            return Ok(());
        };
        let value = self.repeated(value);
        for number in 0..count {
            let base = self.cx.text.expressions.copy(target);
            let index = self.cx.int(number as i32);
            let element = self.element(base, index, inst)?;
            let (whole, index) = (self.local(value), self.cx.int(number as i32));
            let part = self.element(whole, index, inst)?;
            self.assign_to(element, part);
        }
        Ok(())
    }

    /// Stores a value through a pointer, converted to what is there.
    pub(crate) fn store_value(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        self.write(pointer, value, inst)
    }

    pub(super) fn copy_memory(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Copy { target, source }) = view::Copy::of(self.source, inst) else { return self.unknown(inst) };
        let value = self.read(source, inst)?;
        self.write(target, value, inst)
    }

    /// A value of another type with the same parts: an integer of another sign, a struct or array in another layout.
    ///
    /// The depth is that of the type.
    pub(crate) fn convert(&mut self, value: Expr, wanted: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        if let Some(converted) = self.other_form(value, wanted) {
            return Ok(converted);
        }
        let from = self.type_of(value);
        if from == wanted {
            return Ok(value);
        }
        let parts: Vec<Type> = match (self.cx.text.types[from], self.cx.text.types[wanted]) {
            (
                TypeShape::Scalar(_) | TypeShape::Vector { .. },
                TypeShape::Scalar(to) | TypeShape::Vector { scalar: to, .. },
            ) => {
                return Ok(self.cast(value, to.kind));
            }
            (TypeShape::Array { .. }, TypeShape::Array { element, length: Length::Constant(count) }) if count <= 64 => {
                vec![element; count as usize]
            }
            (TypeShape::Struct(from), TypeShape::Struct(to)) => {
                let (from, to) = (self.cx.text.structure(from), self.cx.text.structure(to));
                if from.members.len() != to.members.len() {
                    return self.refuse(WriteCode::Layout, inst, "a copy between structs of different padding");
                }
                to.members.iter().map(|member| member.ty).collect()
            }
            _ => return self.refuse(WriteCode::Layout, inst, "a copy between types of different layout"),
        };
        let is_struct = matches!(self.cx.text.types[wanted], TypeShape::Struct(_));
        let whole = self.repeatable(value);
        let mut converted = Arguments::new();
        for (number, ty) in parts.into_iter().enumerate() {
            let base = self.cx.text.expressions.copy(whole);
            let part = match is_struct {
                true => self.member(base, number as u32, inst)?,
                false => {
                    let index = self.cx.int(number as i32);
                    self.element(base, index, inst)?
                }
            };
            converted.push(self.convert(part, ty, inst)?);
        }
        Ok(self.construct(converted, wanted))
    }

    /// An expression that can be copied: a place that is not written in between, or a name.
    fn repeatable(&mut self, value: Expr) -> Expr {
        let is_block = matches!(self.cx.text.types[self.type_of(value)], TypeShape::Struct(id) if self.cx.text.structure(id).is_block);
        let root = self.cx.text.expressions.root(value);
        let is_place = matches!(self.cx.text.expressions[root].shape, Shape::Global(_) | Shape::Local(_));
        if is_block || is_place && !matches!(self.cx.text.expressions[value].shape, Shape::Call { .. }) {
            return value;
        }
        let name = self.name_value(value);
        self.local(name)
    }
}
