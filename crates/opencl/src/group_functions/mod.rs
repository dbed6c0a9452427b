//! Lowers group operations to Vulkan: those of a subgroup to subgroup operations, those of a work-group to functions that use shared
//! memory.
//!
//! ```text
//! %m = group_u_max %subgroup, Reduce, %v     ⇒   %m = group_non_uniform_u_max %subgroup, Reduce, %v
//! %s = group_i_add %work_group, Reduce, %v   ⇒   %s = function_call %group_reduce_add, %v
//! %e = group_async_copy %work_group, …       ⇒   a loop over the elements, each lane its share
//! group_wait_events %work_group, 1, %e       ⇒   control_barrier %work_group, %work_group, local and global
//! ```
//!
//! *Requires* that calls are inlined, that [`arguments`](super::arguments()) ran, and kernel pointers. *Preserves* values; changes the
//! control flow graph only for copies. Numbers of 8 and 16 bits are converted to 32 bits, so that a device need not support groups of
//! narrow types ([`narrow`]). The functions for work-groups are written once for each operation and type ([`workgroup`]); events are
//! removed ([`events`]). Linear in the module.

mod async_copy;
mod combine;
mod events;
mod narrow;
mod subgroup;
mod workgroup;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Inst, Module, Op};
use spirv::Scope;

use super::Context;
use super::scalars::scope;
use crate::error;
use combine::Combine;
use workgroup::WorkGroups;

/// Lowers the group operations of kernels, in every function. Returns whether there was one.
///
/// # Errors
/// Groups other than subgroups and work-groups; scopes that are not constants; copies of values that are not numbers.
pub fn group_functions(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let all: Vec<Inst> = instructions.filter(|&inst| is_group(module, inst)).collect();
    let mut work_groups = WorkGroups::default();
    let mut changed = false;
    for inst in all {
        changed |= match module.op(inst) {
            Op::GroupAsyncCopy => {
                work_group_scope(module, inst)?;
                async_copy::expand(module, context, inst)?;
                true
            }
            Op::GroupWaitEvents => {
                work_group_scope(module, inst)?;
                events::wait(module, inst);
                true
            }
            op if op.class() == Class::Group && op >= Op::GroupNonUniformElect => {
                subgroup::adapt(module, context, inst)?
            }
            _ => {
                match scope_of(module, inst) {
                    Some(Scope::Subgroup) => subgroup::replace(module, inst)?,
                    Some(Scope::Workgroup) => work_groups.replace(module, context, inst)?,
                    _ => return Err(other_scope(module, inst)),
                }
                true
            }
        };
    }
    changed |= events::forget(module);
    Ok(changed)
}

fn is_group(module: &Module, inst: Inst) -> bool {
    module.op(inst).class() == Class::Group || Combine::of(module, inst).is_some()
}

/// The operand number of the scope: in unknown instructions the opcode comes first.
fn scope_index(module: &Module, inst: Inst) -> usize {
    usize::from(module.op(inst) == Op::OpaqueTyped)
}

fn scope_of(module: &Module, inst: Inst) -> Option<Scope> {
    scope(module, module.operands(inst).nth(scope_index(module, inst))?)
}

fn work_group_scope(module: &Module, inst: Inst) -> Result<(), Diagnostic> {
    match scope_of(module, inst) == Some(Scope::Workgroup) {
        true => Ok(()),
        false => Err(other_scope(module, inst)),
    }
}

fn other_scope(module: &Module, inst: Inst) -> Diagnostic {
    error::unsupported(inst, format!("`{}` of a group other than work-group and subgroup", module.op(inst).name()))
}

/// Replaces an instruction by a value.
fn replace(build: &mut Builder<'_>, inst: Inst, value: Inst) {
    build.editor().replace_all_uses(inst, value);
}
