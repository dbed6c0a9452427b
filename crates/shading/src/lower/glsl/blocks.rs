//! What GLSL does not assign as a whole: blocks, and the outputs of all vertices.
//!
//! ```text
//! store %block, %value                    ⇒      block.a = value.a; block.b = value.b;
//! store %outputs[%i], %value              ⇒      outputs[gl_InvocationID] = value;      (%i is the number of the invocation)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, ExecutionModel as Model, StorageClass};

use super::super::Place;
use super::super::function::Body;
use crate::syntax::{Expr, GlobalKind, Length, Scalar, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// Returns whether a pointer is an output of the control of a tessellation with an element for each vertex.
    pub(super) fn is_of_each_vertex(&self, pointer: Inst) -> bool {
        let is_output = self.source.storage_class(pointer) == Some(StorageClass::Output);
        if self.cx.model() != Model::TessellationControl || !is_output || self.source.op(pointer) != Op::Variable {
            return false;
        }
        let Some(pointee) = self.source.pointee(pointer) else { return false };
        let of_block = self.source.element_type(pointee).map(|block| self.source.decorated(block));
        let is_patch = self.source.decorated(pointer).has(Decoration::Patch)
            || of_block.is_some_and(|notes| notes.members().any(|note| note.is(Decoration::Patch)));
        let levels = [spirv::BuiltIn::TessLevelInner, spirv::BuiltIn::TessLevelOuter];
        let built_in = self.source.decorated(pointer).find().map(|BuiltIn(built_in)| built_in);
        let is_level = built_in.is_some_and(|built_in| levels.contains(&built_in));
        !is_patch && !is_level && matches!(self.source.type_view(pointee), Some(TypeView::Array { .. }))
    }

    /// The first value of an output with an element for each vertex. Each invocation assigns its own element: the language takes no other.
    pub(super) fn write_own_vertex(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        if inst != pointer {
            return self.refuse(WriteCode::Interface, inst, "a store to the outputs of all vertices in GLSL");
        }
        let Some(&Place::Global(global)) = self.cx.globals.get(&pointer) else {
            return self.refuse(WriteCode::Interface, pointer, "a first value of a built-in of each vertex in GLSL");
        };
        if matches!(self.cx.text.global(global).kind, GlobalKind::BuiltIn) {
            return self.refuse(WriteCode::Interface, pointer, "a first value of built-ins of each vertex in GLSL");
        }
        let value = self.repeated(value);
        let (base, index) = (self.cx.global(global), self.own_vertex());
        let target = self.element(base, index, inst)?;
        let (whole, index) = (self.local(value), self.own_vertex());
        let value = self.element(whole, index, inst)?;
        self.assign_block(target, value, inst)
    }

    /// `gl_InvocationID`.
    fn own_vertex(&mut self) -> Expr {
        let int = self.cx.text.types.numbers(Scalar::INT, 1);
        let global = self.cx.built_in("gl_InvocationID", int);
        self.cx.global(global)
    }

    /// The index of an output of the control of a tessellation, as the language requires it where the output is written: the built-in itself.
    ///
    /// # Errors
    /// The output of another vertex is written.
    pub(in crate::lower) fn glsl_own_vertex(
        &mut self,
        variable: Inst,
        index: Inst,
        pointer: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        if !self.is_of_each_vertex(variable) {
            return Ok(None);
        }
        let mut value = index;
        while matches!(self.source.op(value), Op::CopyObject | Op::Bitcast | Op::UConvert | Op::SConvert) {
            value = self.source.operand(value, 0);
        }
        let is_own = self.source.op(value) == Op::Load && {
            let built_in = self.source.decorated(self.source.operand(value, 0)).find();
            built_in == Some(BuiltIn(spirv::BuiltIn::InvocationId))
        };
        if is_own {
            return Ok(Some(self.own_vertex()));
        }
        let writes = |inst| self.source.op(inst) == Op::Store && self.source.operand(inst, 0) == pointer;
        match self.place_of_origin().filter(|&inst| writes(inst)) {
            Some(inst) => self.refuse(WriteCode::Interface, inst, "a store to the output of another vertex in GLSL"),
            None => Ok(None),
        }
    }

    /// Returns whether a place is a block or an array of blocks, which the language does not assign as a whole.
    pub(super) fn has_block(&self, place: Expr) -> bool {
        let mut ty = self.type_of(place);
        while let TypeShape::Array { element, .. } = self.cx.text.types[ty] {
            ty = element;
        }
        matches!(self.cx.text.types[ty], TypeShape::Struct(id) if self.cx.text.structure(id).is_block)
    }

    /// Assigns the members of blocks.
    pub(super) fn assign_block(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let mut stack = vec![(target, value)];
        while let Some((target, value)) = stack.pop() {
            let (count, is_struct) = match self.cx.text.types[self.type_of(target)] {
                TypeShape::Struct(id) if self.has_block(target) => {
                    (self.cx.text.structure(id).members.len() as u32, true)
                }
                TypeShape::Array { length: Length::Constant(count), .. } if self.has_block(target) => (count, false),
                _ => {
                    let wanted = self.type_of(target);
                    let value = self.convert(value, wanted, inst)?;
                    self.assign_to(target, value);
                    continue;
                }
            };
            let value = self.repeated(value);
            for number in (0..count).rev() {
                let (base, whole) = (self.cx.text.expressions.copy(target), self.local(value));
                let part = |body: &mut Self, base: Expr| match is_struct {
                    true => body.member(base, number, inst),
                    false => {
                        let index = body.cx.int(number as i32);
                        body.element(base, index, inst)
                    }
                };
                stack.push((part(self, base)?, part(self, whole)?));
            }
        }
        Ok(())
    }
}
