//! Decides whether the address of a variable of the function, or of a parameter, is known only locally.
//!
//! It is if it is used only in accesses, comparisons and further addresses. If it is stored, passed, selected, converted to a number or an
//! operand of an unknown instruction, any code may use it. Linear in the uses of all derived pointers.

use reconverge_ir::view::{self, Access, DerivedPointer};
use reconverge_ir::{Class, Inst, Module, Op, Slot};

use crate::effects::is_standard_set;

/// Returns whether all accesses to a pointer's memory are found among the uses of the pointers derived from it.
pub(super) fn is_address_kept(module: &Module, root: Inst) -> bool {
    let mut pointers = vec![root];
    while let Some(pointer) = pointers.pop() {
        for used in module.uses(pointer) {
            let Slot::Operand(operand) = used.slot else { return false };
            let op = module.op(used.user);
            match op {
                _ if DerivedPointer::covers(op) && operand == DerivedPointer::BASE => {
                    let is_pointer = module.ty(used.user).is_some_and(|ty| module.op(ty) == Op::TypePointer);
                    if !is_pointer {
                        return false;
                    }
                    pointers.push(used.user);
                }
                _ if !is_access(module, used.user, op, operand) => return false,
                _ => {}
            }
        }
    }
    true
}

/// Returns whether an operand of an instruction is a pointer that it only accesses or compares.
fn is_access(module: &Module, user: Inst, op: Op, operand: usize) -> bool {
    match op {
        Op::Load | Op::Store | Op::LifetimeStart | Op::LifetimeStop => operand == Access::POINTER,
        Op::ArrayLength => operand == view::ArrayLength::SLOT.structure,
        Op::CopyMemory | Op::CopyMemorySized => [view::Copy::TARGET, view::Copy::SOURCE].contains(&operand),
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff | Op::GenericPtrMemSemantics => true,
        Op::ExtInst => view::ExtInst::of(module, user).is_some_and(|extended| is_standard_set(module, extended.set)),
        Op::EntryPoint => true,
        op => op.class() == Class::Atomic && operand == Access::POINTER,
    }
}
