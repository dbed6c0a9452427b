//! Inputs and outputs of each vertex or primitive, where the language has an array of structs.
//!
//! ```text
//! %color[i]           ⇒      input[i].color
//! %gl_in[i].0         ⇒      input[i].position
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op, decoration, view};
use spirv::BuiltIn;

use super::Body;
use crate::syntax::{Arguments, Expr, Length, TypeShape};
use crate::write::{Language, WriteCode};

/// Where the language has a variable of each vertex, or a member of a block of each vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VertexPart {
    /// The elements of an array.
    Elements(Expr),
    /// A member of each element of an array.
    Members(Expr, u32),
    /// A place of this invocation, which has no other vertex.
    Own(Expr),
    /// Several members of each element of an array, by the number of their list: MSL.
    Composite(Expr, u32),
}

/// What a variable of each vertex is.
#[derive(Clone, Debug)]
pub(crate) enum Vertices {
    /// A value of each vertex.
    Value(VertexPart),
    /// A block of each vertex, by its members; none for one that is not used.
    Block(Vec<Option<VertexPart>>),
}

/// A part that indexes lead to.
pub(super) struct Led {
    pub(super) expr: Expr,
    pub(super) ty: Inst,
    /// The indexes that led there.
    pub(super) count: usize,
}

impl Body<'_, '_> {
    /// The part of a vertex that the first indexes of a path lead to.
    pub(super) fn vertex_part(
        &mut self,
        vertices: &Vertices,
        ty: Inst,
        indexes: &[Inst],
        pointer: Inst,
    ) -> Result<Led, Diagnostic> {
        let found = match (vertices, indexes) {
            (Vertices::Value(part), &[vertex, ..]) => self.source.element_type(ty).map(|ty| (*part, vertex, ty, 1)),
            (Vertices::Block(parts), &[vertex, member, ..]) => {
                let number = self.word(member).map(|member| member as usize);
                let part = number.and_then(|member| parts.get(member).copied().flatten());
                let element = self.source.element_type(ty);
                let ty = element.zip(number).and_then(|(block, member)| self.source.part_type(block, member));
                part.zip(ty).map(|(part, ty)| (part, vertex, ty, 2))
            }
            _ => None,
        };
        let Some((part, vertex, ty, count)) = found else {
            return self.refuse(WriteCode::Pointer, pointer, "an input or output of all vertices as a whole");
        };
        let expr = match part {
            VertexPart::Own(place) if self.is_built_in(vertex, BuiltIn::InvocationId) => {
                self.cx.text.expressions.copy(place)
            }
            VertexPart::Own(_) => {
                return self.refuse(WriteCode::Stage, pointer, "a control point of another invocation, in HLSL");
            }
            _ if self.is_built_in(vertex, BuiltIn::PatchVertices) && self.cx.target.language() == Language::Hlsl => {
                return self.refuse(WriteCode::Pointer, pointer, "the control point behind the last one in HLSL");
            }
            _ => {
                let index = self.index(vertex)?;
                self.part_of_vertex(part, index, pointer)?
            }
        };
        Ok(Led { expr, ty, count })
    }

    /// The value of a part for the vertex of this number.
    pub(in crate::lower) fn part_of_vertex(
        &mut self,
        part: VertexPart,
        index: Expr,
        place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let (VertexPart::Elements(array) | VertexPart::Members(array, _) | VertexPart::Composite(array, _)) = part
        else {
            return self.refuse(WriteCode::Stage, place, "the control points of all invocations, in HLSL");
        };
        let array = self.cx.text.expressions.copy(array);
        let index = self.index_within(index, array);
        let element = self.element(array, index, place)?;
        match part {
            VertexPart::Members(_, member) => self.member(element, member, place),
            VertexPart::Composite(_, number) => self.msl_composite(element, number, place),
            _ => Ok(element),
        }
    }

    /// Returns whether an index is the value of a built-in.
    fn is_built_in(&self, index: Inst, wanted: BuiltIn) -> bool {
        let mut value = index;
        while matches!(self.source.op(value), Op::Bitcast | Op::CopyObject) {
            value = self.source.operand(value, 0);
        }
        let variable = super::super::uses::root(self.source, value);
        let built_in = self.source.decorated(variable).find().map(|decoration::BuiltIn(found)| found);
        self.source.op(value) == Op::Load && built_in == Some(wanted)
    }

    /// The value of a pointer to a vertex as a whole, or to all of them; `None` if the pointer is another one.
    pub(in crate::lower) fn whole_vertices(&mut self, pointer: Inst, inst: Inst) -> Result<Option<Expr>, Diagnostic> {
        let (variable, indexes) = self.path_of(pointer);
        let Some(super::Access::Vertices(vertices)) = self.interface.get(&variable).cloned() else { return Ok(None) };
        let Some(ty) = self.source.pointee(pointer) else { return Ok(None) };
        match (&vertices, &indexes[..]) {
            (_, []) => self.all_vertices(&vertices, ty, inst).map(Some),
            (Vertices::Block(parts), &[vertex]) => {
                let index = self.index(vertex)?;
                self.whole_vertex(parts, index, ty, inst).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn all_vertices(&mut self, vertices: &Vertices, ty: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        let whole = self.cx.ty(ty)?;
        let (TypeShape::Array { length: Length::Constant(count), .. }, Some(element)) =
            (self.cx.text.types[whole], self.source.element_type(ty))
        else {
            return self.refuse(WriteCode::Pointer, inst, "a load of vertices without a number");
        };
        let mut elements = Arguments::new();
        for number in 0..count {
            let index = self.cx.int(number as i32);
            elements.push(match vertices {
                Vertices::Value(part) => self.part_of_vertex(*part, index, inst)?,
                Vertices::Block(parts) => self.whole_vertex(parts, index, element, inst)?,
            });
        }
        Ok(self.construct(elements, whole))
    }

    fn whole_vertex(
        &mut self,
        parts: &[Option<VertexPart>],
        index: Expr,
        ty: Inst,
        inst: Inst,
    ) -> Result<Expr, Diagnostic> {
        let block = self.cx.ty(ty)?;
        let Some(TypeView::Struct { members }) = self.source.type_view(ty) else { return self.unknown(inst) };
        let count = members.len();
        let mut values = Arguments::new();
        for member in 0..count {
            let Some(part) = parts.get(member).copied().flatten() else {
                return self.refuse(WriteCode::Interface, inst, "a load of all built-ins of a vertex");
            };
            let index = self.cx.text.expressions.copy(index);
            values.push(self.part_of_vertex(part, index, inst)?);
        }
        Ok(self.construct(values, block))
    }

    /// The variable that a pointer comes from, and the indexes from there.
    pub(in crate::lower) fn path_of(&self, pointer: Inst) -> (Inst, Vec<Inst>) {
        let (mut base, mut chains) = (pointer, Vec::new());
        loop {
            match self.source.op(base) {
                Op::AccessChain | Op::InBoundsAccessChain => chains.push(base),
                Op::CopyObject => {}
                _ => break,
            }
            base = self.source.operand(base, 0);
        }
        let links = chains.into_iter().rev().filter_map(|chain| view::Chain::of(self.source, chain));
        (base, links.flat_map(|chain| chain.indexes.to_vec()).collect())
    }
}
