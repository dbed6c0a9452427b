//! Composites: construction, extraction, insertion.
//!
//! A change of a part uses a variable: `var t = composite; t.member = part;`. Only vectors are composed again.

use naga::{Expression, Handle, Statement, SwizzleComponent, VectorSize};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::super::WriteCode;
use super::super::module;
use super::Body;

/// The number that represents an undefined component of a shuffle.
const UNDEFINED: u32 = u32::MAX;

impl Body<'_, '_> {
    pub(super) fn composite(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::CompositeConstruct => self.construct_composite(inst),
            Op::CompositeExtract => self.extract(inst),
            Op::CompositeInsert => self.insert(inst),
            Op::VectorShuffle => self.shuffle(inst),
            Op::VectorExtractDynamic => self.extract_dynamic(inst),
            Op::VectorInsertDynamic => self.insert_dynamic(inst),
            Op::CopyObject => {
                let handle = self.value(self.source.operand(inst, 0))?;
                self.define(inst, handle)
            }
            Op::CopyLogical => self.copy_logical(inst),
            Op::Transpose => {
                let arg = self.value(self.source.operand(inst, 0))?;
                let fun = naga::MathFunction::Transpose;
                let handle = self.push(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None });
                self.define(inst, handle)
            }
            _ => self.unknown(inst),
        }
    }

    fn construct_composite(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let ty = self.module.type_of(inst)?;
        let Some(source_type) = self.source.ty(inst) else { return self.unknown(inst) };
        if self.module.is_wrapped(source_type) {
            return self.refuse(WriteCode::Layout, inst, "an array with a stride of its own as a value");
        }
        let mut parts = Vec::new();
        for part in self.source.operands(inst) {
            parts.push(self.value(part)?);
        }
        let handle = if let (Some(TypeView::Vector { count, .. }), [value, rest @ ..]) =
            (self.source.type_view(source_type), &parts[..])
            && rest.len() + 1 == count as usize
            && rest.iter().all(|part| part == value)
        {
            let (size, value) = (self.module.vector_size(inst, count)?, *value);
            self.push(Expression::Splat { size, value })
        } else {
            let components = self.padded(source_type, parts)?;
            self.push(Expression::Compose { ty, components })
        };
        self.define(inst, handle)
    }

    /// The parts of a composite, for a struct with zeros as padding between them.
    fn padded(&mut self, ty: Inst, parts: Vec<Handle<Expression>>) -> Result<Vec<Handle<Expression>>, Diagnostic> {
        let count = self.module.member_count(ty);
        if !matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }))
            || count == parts.len() && self.is_in_order(ty, count)
        {
            return Ok(parts);
        }
        let zero = self.push(Expression::Literal(naga::Literal::U32(0)));
        let mut padded = vec![zero; count];
        for (member, part) in parts.into_iter().enumerate() {
            if let Some(place) = self.module.member(ty, member as u32) {
                padded[place as usize] = part;
            }
        }
        Ok(padded)
    }

    fn is_in_order(&self, ty: Inst, count: usize) -> bool {
        (0..count as u32).all(|member| self.module.member(ty, member) == Some(member))
    }

    /// A part of a composite, a pointer or a value, by constant indices.
    fn part_of(
        &mut self,
        whole: Handle<Expression>,
        ty: Inst,
        indexes: &[u32],
        inst: Inst,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let (mut handle, mut ty) = (whole, ty);
        for &index in indexes {
            let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
            let place = if is_struct { self.module.member(ty, index) } else { Some(index) };
            let (Some(index_of_naga), Some(part)) = (place, self.source.part_type(ty, index as usize)) else {
                return self.refuse(WriteCode::Op, inst, "an index beyond its composite");
            };
            handle = self.push(Expression::AccessIndex { base: handle, index: index_of_naga });
            if self.module.is_wrapped(ty) {
                handle = self.push(Expression::AccessIndex { base: handle, index: module::VALUE });
            }
            ty = part;
        }
        Ok(handle)
    }

    fn extract(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::CompositeExtract { composite, indexes }) = view::CompositeExtract::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let Some(ty) = self.source.ty(composite) else { return self.unknown(inst) };
        let whole = self.value(composite)?;
        let handle = self.part_of(whole, ty, &indexes.to_vec(), inst)?;
        self.define(inst, handle)
    }

    fn insert(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::CompositeInsert { object, composite, indexes }) = view::CompositeInsert::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let Some(ty) = self.source.ty(composite) else { return self.unknown(inst) };
        let (value, whole) = (self.value(object)?, self.value(composite)?);
        let indexes = indexes.to_vec();
        if let (Some(TypeView::Vector { count, .. }), &[index]) = (self.source.type_view(ty), &indexes[..]) {
            let mut components = Vec::new();
            for component in 0..count {
                let old = |body: &mut Self| body.push(Expression::AccessIndex { base: whole, index: component });
                components.push(if component == index { value } else { old(self) });
            }
            let ty = self.module.ty(ty)?;
            let handle = self.push(Expression::Compose { ty, components });
            return self.define(inst, handle);
        }
        let pointer = self.stored(inst, whole)?;
        let part = self.part_of(pointer, ty, &indexes, inst)?;
        self.statement(Statement::Store { pointer: part, value });
        let handle = self.push(Expression::Load { pointer });
        self.define(inst, handle)
    }

    /// A pointer to a variable that holds a value.
    fn stored(&mut self, inst: Inst, value: Handle<Expression>) -> Result<Handle<Expression>, Diagnostic> {
        let variable = self.temporary(inst)?;
        let pointer = self.push(Expression::LocalVariable(variable));
        self.statement(Statement::Store { pointer, value });
        Ok(pointer)
    }

    fn shuffle(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(shuffle) = view::VectorShuffle::of(self.source, inst) else { return self.unknown(inst) };
        let count = |vector: Inst| self.source.ty(vector).map_or(0, |ty| self.source.components(ty).1);
        let (first, second) = (count(shuffle.vector_1), count(shuffle.vector_2));
        let chosen: Vec<u32> =
            shuffle.components.iter().map(|index| if index == UNDEFINED { 0 } else { index }).collect();
        let (vector, offset) =
            if chosen.iter().all(|&index| index < first) { (shuffle.vector_1, 0) } else { (shuffle.vector_2, first) };
        let is_of_one =
            chosen.iter().all(|&index| index >= offset && index - offset < if offset == 0 { first } else { second });
        let size = self.module.size_of(inst)?;
        let (Some(size), true) = (size, is_of_one) else { return self.shuffle_two(inst, &chosen, first) };
        let vector = self.value(vector)?;
        let mut pattern = [SwizzleComponent::X; 4];
        for (slot, &index) in pattern.iter_mut().zip(&chosen) {
            *slot = SwizzleComponent::XYZW[(index - offset) as usize % 4];
        }
        let is_whole = offset == 0 && first == size as u32 || offset != 0 && second == size as u32;
        let handle = if is_whole && pattern[..size as usize] == SwizzleComponent::XYZW[..size as usize] {
            vector
        } else {
            self.push(Expression::Swizzle { size, vector, pattern })
        };
        self.define(inst, handle)
    }

    fn shuffle_two(&mut self, inst: Inst, chosen: &[u32], first: u32) -> Result<(), Diagnostic> {
        let Some(shuffle) = view::VectorShuffle::of(self.source, inst) else { return self.unknown(inst) };
        let vectors = [self.value(shuffle.vector_1)?, self.value(shuffle.vector_2)?];
        let mut components = Vec::new();
        for &index in chosen {
            let (base, index) = if index < first { (vectors[0], index) } else { (vectors[1], index - first) };
            components.push(self.push(Expression::AccessIndex { base, index }));
        }
        let ty = self.module.type_of(inst)?;
        let handle = self.push(Expression::Compose { ty, components });
        self.define(inst, handle)
    }

    fn extract_dynamic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::VectorExtractDynamic { vector, index }) = view::VectorExtractDynamic::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let (base, index) = (self.value(vector)?, self.index(index)?);
        let handle = self.push(Expression::Access { base, index });
        self.define(inst, handle)
    }

    fn insert_dynamic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::VectorInsertDynamic { vector, component, index }) =
            view::VectorInsertDynamic::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let (whole, value, index) = (self.value(vector)?, self.value(component)?, self.index(index)?);
        let base = self.stored(inst, whole)?;
        let part = self.push(Expression::Access { base, index });
        self.statement(Statement::Store { pointer: part, value });
        let handle = self.push(Expression::Load { pointer: base });
        self.define(inst, handle)
    }

    /// A struct or array with another layout: the same value if its type in naga is the same, else its parts one by one.
    fn copy_logical(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let operand = self.source.operand(inst, 0);
        let (from, to) = (self.source.ty(operand), self.source.ty(inst));
        let (Some(from), Some(to)) = (from, to) else { return self.unknown(inst) };
        let whole = self.value(operand)?;
        let (from_type, to_type) = (self.module.ty(from)?, self.module.ty(to)?);
        let types = &self.module.output.types;
        if types[from_type].inner == types[to_type].inner && from_type == to_type {
            return self.define(inst, whole);
        }
        let members = match (self.source.type_view(from), self.source.type_view(to)) {
            (Some(TypeView::Struct { members: old }), Some(TypeView::Struct { members: new }))
                if old.iter().zip(new.iter()).all(|(old, new)| old == new) =>
            {
                old.len()
            }
            _ => return self.refuse(WriteCode::Layout, inst, "a copy between layouts of nested composites"),
        };
        let mut parts = Vec::new();
        for member in 0..members as u32 {
            parts.push(self.part_of(whole, from, &[member], inst)?);
        }
        let components = self.padded(to, parts)?;
        let handle = self.push(Expression::Compose { ty: to_type, components });
        self.define(inst, handle)
    }

    /// The number of components of a vector of naga.
    pub(super) fn vector_of(&mut self, size: VectorSize, scalar: naga::Scalar) -> Handle<naga::Type> {
        self.module.plain_type(naga::TypeInner::Vector { size, scalar })
    }
}
