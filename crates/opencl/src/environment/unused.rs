//! Removes unused instructions at module level: types, constants, variables, instruction sets, declarations of functions.
//!
//! A worklist from users to their operands. Linear.

use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::{Function, Inst, Module, Op};

/// Removes unused instructions. Returns whether there were any.
pub(super) fn remove_unused(module: &mut Module) -> bool {
    let mut pending: Vec<Inst> = module.globals().collect();
    pending.extend(module.functions().filter(|&function| is_unused_declaration(module, function)).map(Inst::from));
    let mut changed = false;
    while let Some(inst) = pending.pop() {
        if !module.is_live(inst) || !is_removable(module, inst) || module.is_used(inst) {
            continue;
        }
        let used: Vec<Inst> = module.ty(inst).into_iter().chain(module.operands(inst)).collect();
        module.edit().delete(inst);
        changed = true;
        pending.extend(used);
    }
    changed
}

fn is_unused_declaration(module: &Module, function: Function) -> bool {
    module.entry(function).is_none() && !module.is_used(function)
}

fn is_removable(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    match op {
        Op::Function => module.cast(inst).is_some_and(|function| is_unused_declaration(module, function)),
        Op::Variable | Op::Undef | Op::ExtInstImport => true,
        Op::TypeForwardPointer => false,
        _ => (op.is_type() || op.is_constant()) && !is_work_group_size(module, inst),
    }
}

/// The WorkgroupSize constant: it may be unused.
fn is_work_group_size(module: &Module, inst: Inst) -> bool {
    module.decorated(inst).find() == Some(BuiltIn(spirv::BuiltIn::WorkgroupSize))
}
