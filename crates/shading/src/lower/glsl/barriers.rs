//! Barriers: which invocations wait, and which memory is ordered.
//!
//! | in the module | text |
//! |---|---|
//! | control barrier of the workgroup | `barrier()`, which orders shared memory, after `memoryBarrierBuffer()` and `memoryBarrierImage()` for the other kinds |
//! | control barrier of the subgroup | `subgroupBarrier()`, or with the memory that is ordered |
//! | memory barrier | `memoryBarrier()`, `groupMemoryBarrier()`, `memoryBarrierShared()` …, `subgroupMemoryBarrier…()` |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{MemorySemantics, Scope};

use super::super::function::Body;
use crate::write::WriteCode;

/// The kinds of memory that a barrier orders.
#[derive(Clone, Copy, Default)]
pub(in crate::lower) struct Kinds {
    pub(in crate::lower) buffers: bool,
    pub(in crate::lower) shared: bool,
    pub(in crate::lower) images: bool,
}

impl Kinds {
    fn of(semantics: MemorySemantics) -> Kinds {
        let orders = MemorySemantics::ACQUIRE
            | MemorySemantics::RELEASE
            | MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::SEQUENTIALLY_CONSISTENT;
        if !semantics.intersects(orders) {
            return Kinds::default();
        }
        Kinds {
            buffers: semantics.intersects(MemorySemantics::UNIFORM_MEMORY | MemorySemantics::ATOMIC_COUNTER_MEMORY),
            shared: semantics.intersects(MemorySemantics::WORKGROUP_MEMORY),
            images: semantics.intersects(MemorySemantics::IMAGE_MEMORY),
        }
    }

    pub(in crate::lower) fn is_none(self) -> bool {
        !(self.buffers || self.shared || self.images)
    }
}

impl Body<'_, '_> {
    /// A barrier.
    pub(in crate::lower) fn glsl_barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if self.source.op(inst) == Op::MemoryBarrier {
            let Some(barrier) = view::MemoryBarrier::of(self.source, inst) else { return self.unknown(inst) };
            let kinds = self.kinds(barrier.semantics);
            return self.memory_barrier(inst, self.word(barrier.memory), kinds);
        }
        let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return self.unknown(inst) };
        let (execution, memory) = (self.word(barrier.execution), self.word(barrier.memory));
        let kinds = self.kinds(barrier.semantics);
        match execution.and_then(Scope::from_u32) {
            Some(Scope::Subgroup) => {
                self.cx.require("GL_KHR_shader_subgroup_basic", inst);
                self.subgroup_barrier(inst, memory, kinds)
            }
            Some(Scope::Workgroup) => {
                // The barrier itself orders shared memory.
                let others = Kinds { shared: false, ..kinds };
                if !others.is_none() {
                    self.memory_barrier(inst, memory, others)?;
                }
                self.call_statement("barrier", &[]);
                Ok(())
            }
            _ => {
                let message = "control_barrier of another scope than the workgroup or subgroup";
                self.refuse(WriteCode::Op, inst, message)
            }
        }
    }

    pub(in crate::lower) fn kinds(&self, semantics: Inst) -> Kinds {
        Kinds::of(MemorySemantics::from_bits_retain(self.word(semantics).unwrap_or_default()))
    }

    /// A barrier of the subgroup. `subgroupBarrier` orders all memory for the subgroup.
    fn subgroup_barrier(&mut self, inst: Inst, memory: Option<u32>, kinds: Kinds) -> Result<(), Diagnostic> {
        let is_wider = memory != Some(Scope::Subgroup as u32) && memory != Some(Scope::Invocation as u32);
        if is_wider && !kinds.is_none() {
            self.memory_barrier(inst, memory, kinds)?;
        }
        self.call_statement("subgroupBarrier", &[]);
        Ok(())
    }

    /// A barrier that only orders memory, for at least the invocations of a scope.
    fn memory_barrier(&mut self, inst: Inst, scope: Option<u32>, kinds: Kinds) -> Result<(), Diagnostic> {
        let names: Vec<&'static str> = match scope.and_then(Scope::from_u32) {
            Some(Scope::Invocation) => Vec::new(),
            Some(Scope::Subgroup) => {
                self.cx.require("GL_KHR_shader_subgroup_basic", inst);
                match (kinds.buffers, kinds.shared, kinds.images) {
                    (true, true, true) => vec!["subgroupMemoryBarrier"],
                    (buffers, shared, images) => [
                        (buffers, "subgroupMemoryBarrierBuffer"),
                        (shared, "subgroupMemoryBarrierShared"),
                        (images, "subgroupMemoryBarrierImage"),
                    ]
                    .into_iter()
                    .filter_map(|(is_ordered, name)| is_ordered.then_some(name))
                    .collect(),
                }
            }
            scope => {
                let is_group = scope == Some(Scope::Workgroup);
                match (kinds.buffers, kinds.shared, kinds.images) {
                    (true, true, true) if is_group => vec!["groupMemoryBarrier"],
                    (true, true, true) => vec!["memoryBarrier"],
                    (buffers, shared, images) => [
                        (buffers, "memoryBarrierBuffer"),
                        (shared, "memoryBarrierShared"),
                        (images, "memoryBarrierImage"),
                    ]
                    .into_iter()
                    .filter_map(|(is_ordered, name)| is_ordered.then_some(name))
                    .collect(),
                }
            }
        };
        for name in names {
            self.call_statement(name, &[]);
        }
        Ok(())
    }
}
