//! `workgroupUniformLoad` of WGSL: a load between two barriers, decorated as uniform: every invocation of the workgroup gets the same
//! value.
//!
//! ```text
//! control_barrier Workgroup
//! %n = load %limit {decorate_id UniformId Workgroup}      ⇒      let n = workgroupUniformLoad(&limit);
//! control_barrier Workgroup
//! ```
//!
//! WGSL treats a loaded value as non-uniform, so a plain load would not suffice if the value determines whether a barrier is executed. Only
//! instructions without effects may be between the load and its barriers. Linear in a block.

use naga::{Expression, Handle, Statement};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, MemorySemantics, Scope};

use super::super::Language;
use super::Body;

impl Body<'_, '_> {
    /// Finds the uniform load that begins with a barrier. It is written in place, and its second barrier is not written.
    pub(super) fn begins_uniform_load(&mut self, barrier: Inst) -> bool {
        if self.module.language != Language::Wgsl || !self.is_workgroup_barrier(barrier) {
            return false;
        }
        let load = self.next_with_effect(barrier).filter(|&inst| self.is_uniform_load(inst));
        let end = load.and_then(|load| self.next_with_effect(load)).filter(|&inst| self.is_workgroup_barrier(inst));
        let (Some(load), Some(end)) = (load, end) else { return false };
        self.uniform_loads.insert(load);
        self.left_out.insert(end);
        true
    }

    pub(super) fn uniform_load(&mut self, load: Inst, pointer: Inst) -> Result<Handle<Expression>, Diagnostic> {
        let ty = self.module.type_of(load)?;
        let pointer = self.memory(pointer)?;
        let result = self.push_result(Expression::WorkGroupUniformLoadResult { ty });
        self.statement(Statement::WorkGroupUniformLoad { pointer, result });
        Ok(result)
    }

    fn next_with_effect(&self, inst: Inst) -> Option<Inst> {
        let mut following = std::iter::successors(self.source.next(inst), |&inst| self.source.next(inst));
        following.find(|&inst| !self.source.op(inst).effects().is_pure())
    }

    fn is_uniform_load(&self, inst: Inst) -> bool {
        let workgroup = Some(Scope::Workgroup as u32);
        let is_uniform = self.source.decorated(inst).note(Decoration::UniformId).is_some_and(|note| {
            note.parameters.first().and_then(|scope| self.source.constant_word(scope)) == workgroup
        });
        self.source.op(inst) == Op::Load && is_uniform
    }

    /// Returns whether an instruction is `workgroupBarrier()`.
    fn is_workgroup_barrier(&self, inst: Inst) -> bool {
        let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return false };
        let semantics = MemorySemantics::from_bits_retain(self.word(barrier.semantics).unwrap_or_default());
        self.word(barrier.execution) == Some(Scope::Workgroup as u32)
            && !semantics.intersects(MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY)
    }
}
