//! `work_group_barrier(flags, scope)` with the scope of the memory as that of the execution.
//!
//! ```text
//! control_barrier Device, Device, %m     ⇒     control_barrier Workgroup, Device, %m
//! ```
//!
//! The function waits for the work-group, whatever memory it orders (OpenCL C 3.0, section 6.15.8). LLVM's SPIR-V back end writes the scope twice, and
//! no kernel can wait for more than its work-group. Constant time.

use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::Scope;

use crate::repairs::FrontEndFault;
use crate::scalars::{constant_value, word};

/// Repairs a barrier that waits for more than the work-group.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    if module.op(inst) != Op::ControlBarrier {
        return None;
    }
    let execution = view::ControlBarrier::of(module, inst)?.execution;
    let is_wide = |scope: u64| scope == Scope::Device as u64 || scope == Scope::CrossDevice as u64;
    if !constant_value(module, execution).is_some_and(is_wide) {
        return None;
    }
    let work_group = word(&mut Builder::new(module), Scope::Workgroup);
    module.edit().set_operand(inst, view::ControlBarrier::SLOT.execution, work_group);
    Some(FrontEndFault::BarrierScope)
}
