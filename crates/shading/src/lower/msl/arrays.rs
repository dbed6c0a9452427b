//! Arrays of a threadgroup, which are arrays of C: they are copied element by element.
//!
//! ```text
//! store %tile, %zeros        ⇒        for (int i = 0; i < 64; i++) { tile[i] = 0.0; }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::Body;
use crate::syntax::{Binary, Expr, Length, Loop, Scalar, Statement, StatementKind, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The dimensions of an array of a threadgroup that a pointer points to, and the type of the innermost elements.
    fn shared_dimensions(&mut self, pointer: Inst, inst: Inst) -> Result<Option<(Vec<u32>, Type)>, Diagnostic> {
        let is_shared = self.source.storage_class(pointer) == Some(spirv::StorageClass::Workgroup);
        if !is_shared && !self.is_memory_of_mesh(pointer) {
            return Ok(None);
        }
        let Some(pointee) = self.source.pointee(pointer) else { return Ok(None) };
        let (mut ty, mut counts) = (self.cx.ty(pointee)?, Vec::new());
        while let TypeShape::Array { element, length } = self.cx.text.types[ty] {
            let Length::Constant(count) = length else {
                return self.refuse(WriteCode::Op, inst, "a copy of an array of a specialized length in MSL");
            };
            counts.push(count);
            ty = element;
        }
        Ok((!counts.is_empty()).then_some((counts, ty)))
    }

    /// The value of an array in memory: a copy of it, if it is one of a threadgroup.
    pub(in crate::lower) fn msl_load_array(
        &mut self,
        pointer: Inst,
        place: Expr,
        inst: Inst,
    ) -> Result<Expr, Diagnostic> {
        let Some((counts, _)) = self.shared_dimensions(pointer, inst)? else {
            return self.volatile_value(pointer, place, inst);
        };
        let ty = self.type_of(place);
        let copy = self.variable("copy", ty);
        self.each_element(inst, &counts, |body, indexes| {
            let base = body.local(copy);
            let target = body.element_at(base, indexes, inst)?;
            let base = body.cx.text.expressions.copy(place);
            let value = body.element_at(base, indexes, inst)?;
            body.assign_to(target, value);
            Ok(())
        })?;
        Ok(self.local(copy))
    }

    /// Stores an array of a threadgroup.
    pub(in crate::lower) fn msl_store_array(
        &mut self,
        pointer: Inst,
        object: Inst,
        inst: Inst,
    ) -> Result<bool, Diagnostic> {
        let Some((counts, innermost)) = self.shared_dimensions(pointer, inst)? else { return Ok(false) };
        let is_zero = self.source.op(object) == Op::ConstantNull;
        let value = match is_zero {
            true => None,
            false => {
                let value = self.value(object)?;
                Some(self.repeated(value))
            }
        };
        self.each_element(inst, &counts, |body, indexes| {
            let base = body.place(pointer)?;
            let target = body.element_at(base, indexes, inst)?;
            let value = match value {
                Some(name) => {
                    let base = body.local(name);
                    body.element_at(base, indexes, inst)?
                }
                None => body.cx.zero(innermost, inst)?,
            };
            body.assign_to(target, value);
            Ok(())
        })?;
        Ok(true)
    }

    fn element_at(&mut self, base: Expr, indexes: &[crate::syntax::LocalId], inst: Inst) -> Result<Expr, Diagnostic> {
        let mut element = base;
        for &index in indexes {
            let index = self.local(index);
            element = self.element(element, index, inst)?;
        }
        Ok(element)
    }

    /// A loop for each dimension, with statements for each element.
    fn each_element(
        &mut self,
        inst: Inst,
        counts: &[u32],
        statements: impl FnOnce(&mut Self, &[crate::syntax::LocalId]) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let mut indexes = Vec::new();
        for _ in counts {
            let index = self.variable("i", word);
            let (target, zero) = (self.local(index), self.cx.word(0));
            self.assign_to(target, zero);
            self.open_loop_body(inst)?;
            indexes.push(index);
        }
        statements(self, &indexes)?;
        for (&count, &index) in counts.iter().zip(&indexes).rev() {
            let inner = self.close_loop_body();
            let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
            let (read, limit) = (self.local(index), self.cx.word(count));
            let condition = self.binary(Binary::Less, read, limit, boolean);
            let reject = vec![Statement::from(StatementKind::Break)];
            let body = vec![Statement::from(StatementKind::If { condition, accept: inner, reject })];
            let (target, read, one) = (self.local(index), self.local(index), self.cx.word(1));
            let value = self.binary(Binary::Add, read, one, word);
            let continuing = vec![Statement::from(StatementKind::Assign { target, operator: None, value })];
            self.statement(StatementKind::Loop(Box::new(Loop { body, continuing, ..Loop::default() })));
        }
        Ok(())
    }
}
