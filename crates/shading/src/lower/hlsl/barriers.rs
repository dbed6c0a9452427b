//! Barriers: which invocations wait, and which memory is ordered.
//!
//! | in the module | text |
//! |---|---|
//! | control barrier of the workgroup | `GroupMemoryBarrierWithGroupSync()`, `DeviceMemory…`, `AllMemory…`, by the memory |
//! | memory barrier | `GroupMemoryBarrier()`, `DeviceMemoryBarrier()`, `AllMemoryBarrier()`; in stages without workgroups `DeviceMemoryBarrier()` |
//! | control barrier of the subgroup | nothing if it orders no memory, because waves have no barrier; otherwise refused |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{ExecutionModel as Model, Scope};

use super::super::function::Body;
use super::super::glsl::barriers::Kinds;
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A barrier.
    pub(in crate::lower) fn hlsl_barrier(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if self.source.op(inst) == Op::MemoryBarrier {
            let Some(barrier) = view::MemoryBarrier::of(self.source, inst) else { return self.unknown(inst) };
            let kinds = self.kinds(barrier.semantics);
            let is_own = self.word(barrier.memory) == Some(Scope::Invocation as u32);
            if let Some([fence, _]) = names(kinds).filter(|_| !is_own) {
                let fence = if self.has_group_memory() { fence } else { DEVICE[0] };
                self.call_statement(fence, &[]);
            }
            return Ok(());
        }
        let Some(barrier) = view::ControlBarrier::of(self.source, inst) else { return self.unknown(inst) };
        let kinds = self.kinds(barrier.semantics);
        match self.word(barrier.execution).and_then(Scope::from_u32) {
            Some(Scope::Workgroup) => {
                let [_, barrier] = names(kinds).unwrap_or(GROUP);
                self.call_statement(barrier, &[]);
                Ok(())
            }
            Some(Scope::Subgroup) if kinds.is_none() => Ok(()),
            Some(Scope::Subgroup) => {
                self.refuse(WriteCode::Op, inst, "control_barrier of the subgroup with an order of memory in HLSL")
            }
            _ => {
                let message = "control_barrier of another scope than the workgroup or subgroup";
                self.refuse(WriteCode::Op, inst, message)
            }
        }
    }

    /// Orders all memory of the stage.
    pub(super) fn fence_all(&mut self) {
        let fence = if self.has_group_memory() { "AllMemoryBarrier" } else { DEVICE[0] };
        self.call_statement(fence, &[]);
    }

    /// Returns whether every stage that runs this function has workgroups. The others have fences of the device's memory only.
    fn has_group_memory(&self) -> bool {
        let mut entries = self.cx.entries.iter().filter(|entry| self.entry.is_none_or(|own| own == entry.inst));
        entries.all(|entry| matches!(entry.model, Model::GLCompute | Model::MeshEXT | Model::TaskEXT))
    }
}

const DEVICE: [&str; 2] = ["DeviceMemoryBarrier", "DeviceMemoryBarrierWithGroupSync"];
const GROUP: [&str; 2] = ["GroupMemoryBarrier", "GroupMemoryBarrierWithGroupSync"];

/// The fence and the barrier that order these kinds of memory; none if there is none.
fn names(kinds: Kinds) -> Option<[&'static str; 2]> {
    match (kinds.buffers || kinds.images, kinds.shared) {
        (false, false) => None,
        (false, true) => Some(GROUP),
        (true, false) => Some(DEVICE),
        (true, true) => Some(["AllMemoryBarrier", "AllMemoryBarrierWithGroupSync"]),
    }
}
