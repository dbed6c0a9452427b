//! Barriers, and loads between two of them.
//!
//! | in the module | text |
//! |---|---|
//! | control barrier of the workgroup | `workgroupBarrier()`, `storageBarrier()`, `textureBarrier()`, by the memory that it orders |
//! | the same, a load with the decoration `UniformId Workgroup`, and the same | `workgroupUniformLoad(&x)` |
//! | memory barrier | refused: the language has only barriers that wait |
//!
//! WGSL treats a loaded value as non-uniform, so a plain load would not suffice if the value determines whether a barrier is executed. Only
//! instructions without effects may be between the load and its barriers. Linear in a block.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, MemorySemantics, Scope};

use super::super::function::Body;
use crate::syntax::{Effects, Expr, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A barrier.
    pub(in crate::lower) fn wgsl_barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if self.source.op(inst) == Op::MemoryBarrier {
            let Some(barrier) = view::MemoryBarrier::of(self.source, inst) else { return self.unknown(inst) };
            let is_own = self.word(barrier.memory) == Some(Scope::Invocation as u32);
            return match is_own {
                true => Ok(()),
                false => self.refuse(WriteCode::Op, inst, "memory_barrier in WGSL, which has only barriers that wait"),
            };
        }
        if self.cx.wgsl.left_out.contains(&inst) || self.begins_uniform_load(inst) {
            return Ok(());
        }
        let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return self.unknown(inst) };
        match self.word(barrier.execution).and_then(Scope::from_u32) {
            Some(Scope::Workgroup) => {}
            Some(Scope::Subgroup) => {
                return self.refuse(WriteCode::Op, inst, "a barrier of a subgroup in WGSL, which has none");
            }
            _ => {
                let message = "control_barrier of another scope than the workgroup or subgroup";
                return self.refuse(WriteCode::Op, inst, message);
            }
        }
        let semantics = self.semantics(barrier.semantics);
        let buffers = semantics.intersects(MemorySemantics::UNIFORM_MEMORY);
        let images = semantics.intersects(MemorySemantics::IMAGE_MEMORY);
        let shared = semantics.intersects(MemorySemantics::WORKGROUP_MEMORY);
        let names = [
            (shared || !buffers && !images, "workgroupBarrier"),
            (buffers, "storageBarrier"),
            (images, "textureBarrier"),
        ];
        for (_, name) in names.into_iter().filter(|(is_ordered, _)| *is_ordered) {
            self.call_statement(name, &[]);
        }
        Ok(())
    }

    fn semantics(&self, semantics: Inst) -> MemorySemantics {
        MemorySemantics::from_bits_retain(self.word(semantics).unwrap_or_default())
    }

    /// Finds the uniform load that begins with a barrier. It is written in place, and its second barrier is not written.
    fn begins_uniform_load(&mut self, barrier: Inst) -> bool {
        if !self.is_workgroup_barrier(barrier) {
            return false;
        }
        let load = self.next_with_effect(barrier).filter(|&inst| self.is_uniform_load(inst));
        let end = load.and_then(|load| self.next_with_effect(load)).filter(|&inst| self.is_workgroup_barrier(inst));
        let (Some(load), Some(end)) = (load, end) else { return false };
        self.cx.wgsl.uniform_loads.insert(load);
        self.cx.wgsl.left_out.insert(end);
        true
    }

    /// The value that all invocations of the workgroup get.
    pub(super) fn uniform_load(&mut self, pointer: Inst) -> Result<Expr, Diagnostic> {
        let place = self.place(pointer)?;
        let ty = match self.cx.text.types[self.type_of(place)] {
            TypeShape::Atomic(scalar) => self.cx.text.types.numbers(scalar, 1),
            _ => self.type_of(place),
        };
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        Ok(self.call_with("workgroupUniformLoad", &[place], ty, effects))
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
        self.word(barrier.execution) == Some(Scope::Workgroup as u32)
            && !self
                .semantics(barrier.semantics)
                .intersects(MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY)
    }
}
