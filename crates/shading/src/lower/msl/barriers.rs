//! Barriers: which threads wait, and which memory is ordered.
//!
//! | in the module | text |
//! |---|---|
//! | control barrier of the workgroup | `threadgroup_barrier(mem_flags::…)` |
//! | control barrier of the subgroup | `simdgroup_barrier(mem_flags::…)` |
//! | memory barrier | `atomic_thread_fence(mem_flags::…, memory_order_seq_cst, thread_scope_…)` of MSL 3.2 |
//!
//! A barrier is no fence: threads that do not execute it would wait for each other. So a memory barrier is refused before MSL 3.2.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{MemorySemantics, Scope};

use super::super::function::Body;
use crate::syntax::{Effects, Expr, StatementKind};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A barrier.
    pub(in crate::lower) fn msl_barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if self.source.op(inst) == Op::MemoryBarrier {
            let Some(barrier) = view::MemoryBarrier::of(self.source, inst) else { return self.unknown(inst) };
            let semantics = MemorySemantics::from_bits_retain(self.word(barrier.semantics).unwrap_or_default());
            return self.msl_fence(inst, barrier.memory, semantics);
        }
        let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return self.unknown(inst) };
        let semantics = MemorySemantics::from_bits_retain(self.word(barrier.semantics).unwrap_or_default());
        let name = match self.word(barrier.execution).and_then(Scope::from_u32) {
            Some(Scope::Workgroup) => "threadgroup_barrier",
            Some(Scope::Subgroup) => "simdgroup_barrier",
            _ => {
                let message = "control_barrier of another scope than the workgroup or subgroup";
                return self.refuse(WriteCode::Op, inst, message);
            }
        };
        let flags = self.keyword_of(self.flags(semantics));
        self.effect(name, &[flags]);
        Ok(())
    }

    /// A call that is a statement.
    pub(super) fn effect(&mut self, name: &'static str, arguments: &[Expr]) {
        let void = self.void();
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let call = self.call_with(name, arguments, void, effects);
        self.statement(StatementKind::Expression(call));
    }

    /// A fence for the threads of a scope.
    pub(super) fn msl_fence(&mut self, inst: Inst, scope: Inst, semantics: MemorySemantics) -> Result<(), Diagnostic> {
        let scope = match self.word(scope).and_then(Scope::from_u32) {
            Some(Scope::Invocation) => return Ok(()),
            Some(Scope::Subgroup) => "thread_scope_simdgroup",
            Some(Scope::Workgroup) => "thread_scope_threadgroup",
            Some(Scope::Device | Scope::QueueFamily | Scope::CrossDevice) => "thread_scope_device",
            _ => return self.refuse(WriteCode::Op, inst, "a fence of a scope that is no constant"),
        };
        let flags = self.flags(semantics);
        if self.source.op(inst) == Op::MemoryBarrier && flags == "mem_flags::mem_none" {
            return Ok(());
        }
        if !self.cx.target.msl().has(3, 2) {
            let what = match self.source.op(inst) {
                Op::MemoryBarrier => "memory_barrier".to_owned(),
                op => format!("{} with an order", op.name()),
            };
            return self.refuse(WriteCode::Op, inst, format!("{what} before MSL 3.2, which has fences"));
        }
        let flags = if flags == "mem_flags::mem_none" { "mem_flags::mem_device" } else { flags };
        let arguments = [flags, "memory_order_seq_cst", scope].map(|word| self.keyword_of(word));
        self.effect("atomic_thread_fence", &arguments);
        Ok(())
    }

    /// The kinds of memory that semantics order. Outputs of a mesh are memory of the threadgroup, and the memory of a group has the payload.
    fn flags(&self, semantics: MemorySemantics) -> &'static str {
        let orders = MemorySemantics::ACQUIRE
            | MemorySemantics::RELEASE
            | MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::SEQUENTIALLY_CONSISTENT;
        if !semantics.intersects(orders) {
            return FLAGS[0];
        }
        let of_group = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::OUTPUT_MEMORY;
        let kinds = [
            semantics.intersects(MemorySemantics::UNIFORM_MEMORY | MemorySemantics::ATOMIC_COUNTER_MEMORY),
            semantics.intersects(of_group),
            semantics.intersects(MemorySemantics::IMAGE_MEMORY),
            semantics.intersects(MemorySemantics::WORKGROUP_MEMORY) && self.cx.msl.grid.is_some(),
        ];
        FLAGS[kinds.iter().rev().fold(0, |number, &is_ordered| number * 2 + usize::from(is_ordered))]
    }
}

/// The words for kinds of memory: buffers, the threadgroup, textures, the payload; each has a bit of the index.
const FLAGS: [&str; 16] = [
    "mem_flags::mem_none",
    "mem_flags::mem_device",
    "mem_flags::mem_threadgroup",
    "mem_flags::mem_device | mem_flags::mem_threadgroup",
    "mem_flags::mem_texture",
    "mem_flags::mem_device | mem_flags::mem_texture",
    "mem_flags::mem_threadgroup | mem_flags::mem_texture",
    "mem_flags::mem_device | mem_flags::mem_threadgroup | mem_flags::mem_texture",
    "mem_flags::mem_object_data",
    "mem_flags::mem_device | mem_flags::mem_object_data",
    "mem_flags::mem_threadgroup | mem_flags::mem_object_data",
    "mem_flags::mem_device | mem_flags::mem_threadgroup | mem_flags::mem_object_data",
    "mem_flags::mem_texture | mem_flags::mem_object_data",
    "mem_flags::mem_device | mem_flags::mem_texture | mem_flags::mem_object_data",
    "mem_flags::mem_threadgroup | mem_flags::mem_texture | mem_flags::mem_object_data",
    "mem_flags::mem_device | mem_flags::mem_threadgroup | mem_flags::mem_texture | mem_flags::mem_object_data",
];
