//! Composites: construction, extraction, insertion.
//!
//! A change of a part uses a variable: `t = composite; t.member = part;`. Only vectors are composed again.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::Body;
use crate::syntax::{Arguments, Expr, LocalId, Shape, TypeShape};
use crate::write::WriteCode;

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
                let value = self.value(self.source.operand(inst, 0))?;
                self.define(inst, value)
            }
            Op::CopyLogical => {
                let value = self.value(self.source.operand(inst, 0))?;
                let wanted = self.cx.type_of(inst)?;
                let value = self.convert(value, wanted, inst)?;
                self.define(inst, value)
            }
            Op::Transpose => {
                let ty = self.cx.type_of(inst)?;
                let value = self.value(self.source.operand(inst, 0))?;
                let value = self.call("transpose", &[value], ty);
                self.define(inst, value)
            }
            _ => self.unknown(inst),
        }
    }

    fn construct_composite(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let parts: Arguments = self.values(&self.source.operands(inst).collect::<Vec<Inst>>())?;
        let Some(source_type) = self.source.ty(inst) else { return self.unknown(inst) };
        let parts = self.cx.in_places(source_type, parts, inst)?;
        let parts = self.stored_parts(ty, parts);
        let value = self.construct(parts, ty);
        self.define(inst, value)
    }

    /// A part of a composite, a place or a value, by constant indices.
    fn part_of(&mut self, whole: Expr, ty: Inst, indexes: &[u32], inst: Inst) -> Result<Expr, Diagnostic> {
        let (mut part, mut ty) = (whole, ty);
        for &index in indexes {
            let Some(next) = self.source.part_type(ty, index as usize) else {
                return self.refuse(WriteCode::Op, inst, "an index beyond its composite");
            };
            part = match self.source.type_view(ty) {
                Some(TypeView::Struct { .. }) => {
                    let member = self.cx.member_place(ty, index);
                    self.member(part, member, inst)?
                }
                Some(TypeView::Vector { .. }) => self.swizzle(part, &[index as u8]),
                _ => {
                    let index = self.cx.int(index as i32);
                    let element = self.element(part, index, inst)?;
                    if self.cx.is_wrapped(ty) { self.member(element, 0, inst)? } else { element }
                }
            };
            ty = next;
        }
        Ok(part)
    }

    fn extract(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::CompositeExtract { composite, indexes }) = view::CompositeExtract::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let Some(ty) = self.source.ty(composite) else { return self.unknown(inst) };
        let indexes = indexes.to_vec();
        if let Some((&first, rest)) = indexes.split_first()
            && let Some(part) = self.part_name(composite, first)
        {
            let Some(ty) = self.source.part_type(ty, first as usize) else { return self.unknown(inst) };
            let whole = self.local(part);
            let value = self.part_of(whole, ty, rest, inst)?;
            return self.define(inst, value);
        }
        let whole = self.value(composite)?;
        let whole = self.nameable(whole);
        let value = self.part_of(whole, ty, &indexes, inst)?;
        let wanted = self.cx.type_of(inst)?;
        let value = self.convert(value, wanted, inst)?;
        self.define(inst, value)
    }

    /// An expression that parts can be taken of: not a constructor, which readers take for a declaration.
    fn nameable(&mut self, whole: Expr) -> Expr {
        match self.cx.text.expressions[whole].shape {
            Shape::Construct(_) => {
                let name = self.name_value(whole);
                self.local(name)
            }
            _ => whole,
        }
    }

    fn insert(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::CompositeInsert { object, composite, indexes }) = view::CompositeInsert::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let Some(ty) = self.source.ty(composite) else { return self.unknown(inst) };
        let indexes = indexes.to_vec();
        if let (Some(TypeView::Vector { count, .. }), &[index]) = (self.source.type_view(ty), &indexes[..]) {
            return self.insert_component(inst, [object, composite], [index, count]);
        }
        let variable = self.stored(inst, composite)?;
        let whole = self.local(variable);
        let target = self.part_of(whole, ty, &indexes, inst)?;
        let value = self.value(object)?;
        if !self.store_matrix(target, value)? {
            self.assign_to(target, value);
        }
        self.know(inst, variable)
    }

    /// A vector with another component.
    fn insert_component(
        &mut self,
        inst: Inst,
        [object, vector]: [Inst; 2],
        [index, count]: [u32; 2],
    ) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let is_undefined = self.source.op(vector) == Op::Undef;
        let mut components = Vec::new();
        for component in 0..count {
            components.push(if component == index || is_undefined {
                self.value(object)?
            } else {
                let whole = self.value(vector)?;
                let whole = self.nameable(whole);
                self.swizzle(whole, &[component as u8])
            });
        }
        let value = self.construct(components, ty);
        self.define(inst, value)
    }

    /// A variable that holds a value.
    fn stored(&mut self, inst: Inst, value: Inst) -> Result<LocalId, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let name = self.cx.name(inst).unwrap_or_else(|| "changed".to_owned());
        let variable = self.variable(&name, ty);
        if self.source.op(value) != Op::Undef {
            let (target, value) = (self.local(variable), self.value(value)?);
            self.assign_to(target, value);
        }
        Ok(variable)
    }

    fn shuffle(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(shuffle) = view::VectorShuffle::of(self.source, inst) else { return self.unknown(inst) };
        let count = |vector: Inst| self.source.ty(vector).map_or(0, |ty| self.source.components(ty).1);
        let (first, second) = (count(shuffle.vector_1), count(shuffle.vector_2));
        let chosen: Vec<u32> =
            shuffle.components.iter().map(|index| if index == UNDEFINED { 0 } else { index }).collect();
        let is_of_first = chosen.iter().all(|&index| index < first);
        let is_of_second = chosen.iter().all(|&index| index >= first && index - first < second);
        let value = if is_of_first || is_of_second {
            let (vector, offset) = if is_of_first { (shuffle.vector_1, 0) } else { (shuffle.vector_2, first) };
            let components: Vec<u8> = chosen.iter().map(|&index| (index - offset) as u8).collect();
            let whole = self.value(vector)?;
            let is_all = components.len() as u32 == if is_of_first { first } else { second };
            if is_all && components.iter().enumerate().all(|(place, &index)| place as u8 == index) {
                whole
            } else {
                let whole = self.nameable(whole);
                self.swizzle(whole, &components)
            }
        } else {
            let ty = self.cx.type_of(inst)?;
            let mut components = Vec::new();
            for &index in &chosen {
                let (vector, index) =
                    if index < first { (shuffle.vector_1, index) } else { (shuffle.vector_2, index - first) };
                let whole = self.value(vector)?;
                let whole = self.nameable(whole);
                components.push(self.swizzle(whole, &[index as u8]));
            }
            self.construct(components, ty)
        };
        self.define(inst, value)
    }

    fn extract_dynamic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::VectorExtractDynamic { vector, index }) = view::VectorExtractDynamic::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let whole = self.value(vector)?;
        let whole = self.nameable(whole);
        let index = self.index(index)?;
        let value = self.element(whole, index, inst)?;
        self.define(inst, value)
    }

    fn insert_dynamic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::VectorInsertDynamic { vector, component, index }) =
            view::VectorInsertDynamic::of(self.source, inst)
        else {
            return self.unknown(inst);
        };
        let variable = self.stored(inst, vector)?;
        let (whole, value, index) = (self.local(variable), self.value(component)?, self.index(index)?);
        let target = self.element(whole, index, inst)?;
        self.assign_to(target, value);
        self.know(inst, variable)
    }

    /// A struct of a result with several parts, whose type the module gives.
    pub(crate) fn part_types(&mut self, inst: Inst) -> Result<Vec<crate::syntax::Type>, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        match self.cx.text.types[ty] {
            TypeShape::Struct(id) => Ok(self.cx.text.structure(id).members.iter().map(|member| member.ty).collect()),
            _ => self.unknown(inst),
        }
    }
}
