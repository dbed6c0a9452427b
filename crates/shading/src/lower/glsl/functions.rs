//! Functions and memory, where GLSL has nothing of its own: interface variables are globals, and what a pointer points to is a place.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::Body;
use super::super::{Entry, Lowering};
use crate::syntax::{Expr, Type};

impl Lowering<'_> {
    /// The zero of a type: constructors of zeros.
    pub(in crate::lower) fn glsl_short_zero(&mut self, _ty: Type) -> Option<Expr> {
        None
    }

    /// What is written before the type of a member of a struct: nothing.
    pub(in crate::lower) fn glsl_member_prefix(&self, _structure: Inst, _member: u32) -> &'static str {
        ""
    }
}

impl Body<'_, '_> {
    /// What a function has before its statements: nothing.
    pub(in crate::lower) fn glsl_enter(&mut self, _entry: Option<&Entry>) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// The value that an entry point returns: none.
    pub(in crate::lower) fn glsl_entry_result(&mut self) -> Result<Option<Expr>, Diagnostic> {
        Ok(None)
    }

    /// The value that a pointer points to.
    pub(in crate::lower) fn glsl_read_memory(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        self.read_place(pointer, inst)
    }

    /// Writes a value to where a pointer points.
    pub(in crate::lower) fn glsl_write_memory(
        &mut self,
        pointer: Inst,
        value: Expr,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        if self.is_of_each_vertex(pointer) {
            return self.write_own_vertex(pointer, value, inst);
        }
        let target = self.place(pointer)?;
        if !self.has_block(target) {
            return self.write_at(target, value, inst);
        }
        self.assign_block(target, value, inst)
    }

    /// A struct or an array from its parts: a constructor like any other.
    pub(in crate::lower) fn glsl_composite_value(&mut self, value: Expr) -> Expr {
        value
    }
}
