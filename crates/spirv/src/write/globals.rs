//! The order of types, constants and variables: each after its operands, otherwise that of the module.
//!
//! Two cycles are allowed. One goes through a pointer that `OpTypeForwardPointer` announced: types may use it before it is declared, so
//! that the search does not follow a type's operand to it. The other is among extended instructions: a type of the source and its members
//! name each other, and their order is that of the input.

use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHashSet;

use crate::opcode;

/// Puts declarations in order. Linear in them and their operands.
pub(super) fn in_order(module: &Module, declarations: &[Inst]) -> Vec<Inst> {
    let announced: FxHashSet<Inst> = module
        .globals()
        .filter_map(|inst| view::TypeForwardPointer::of(module, inst))
        .map(|forward| forward.pointer_type)
        .collect();
    let mut open: FxHashSet<Inst> = declarations.iter().copied().collect();
    let mut order = Vec::with_capacity(declarations.len());
    let mut stack = Vec::new();
    for &declaration in declarations {
        stack.push((declaration, false));
        while let Some((inst, is_left)) = stack.pop() {
            if is_left {
                order.push(inst);
                continue;
            }
            if !open.remove(&inst) {
                continue;
            }
            stack.push((inst, true));
            let op = module.op(inst);
            if module.points_ahead(inst) {
                continue;
            }
            let used = module.operands(inst).rev().chain(module.ty(inst));
            let is_extended = is_extended_inst(module, inst);
            let points_ahead = |operand: Inst| {
                op.is_type() && announced.contains(&operand) || is_extended && is_extended_inst(module, operand)
            };
            let followed = used.filter(|&operand| !points_ahead(operand));
            stack.extend(followed.filter(|operand| open.contains(operand)).map(|operand| (operand, false)));
        }
    }
    order
}

/// Returns whether an instruction is one of an extended set.
fn is_extended_inst(module: &Module, inst: Inst) -> bool {
    let first = || module.operands(inst).next().and_then(|opcode| module.literal_word(opcode));
    match module.op(inst) {
        Op::ExtInst => true,
        Op::OpaqueTyped => first() == Some(u32::from(opcode::EXT_INST_WITH_FORWARD_REFS)),
        _ => false,
    }
}
