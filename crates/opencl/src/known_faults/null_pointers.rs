//! Zeros in place of pointers in constants become null pointers.
//!
//! clang represents a pointer by an integer while it builds a constant, and forgets to convert a null pointer in a table of private
//! pointers. Only a zero is repaired: another integer is no pointer that is known here. Linear in the operands of constants.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Builder, Inst, Module, Op};

use crate::repairs::{FrontEndFault, Repair};
use crate::scalars::constant_value;

/// Repairs the constants of the module.
pub(super) fn repair(module: &mut Module) -> Vec<Repair> {
    let is_composite = |op| matches!(op, Op::ConstantComposite | Op::SpecConstantComposite);
    let composites: Vec<Inst> = module.globals().filter(|&global| is_composite(module.op(global))).collect();
    let mut repaired = Vec::new();
    for composite in composites {
        if module.is_live(composite) && fill_in(module, composite) {
            repaired.push(Repair { at: composite, fault: FrontEndFault::IntegerForPointer });
        }
    }
    repaired
}

/// Replaces the zeros of one constant. Returns whether there was one.
fn fill_in(module: &mut Module, composite: Inst) -> bool {
    let Some(ty) = module.ty(composite) else { return false };
    let mut operands: Vec<Inst> = module.operands(composite).collect();
    let mut is_changed = false;
    for (index, operand) in operands.iter_mut().enumerate() {
        let Some(wanted) = module.part_type(ty, index) else { continue };
        let is_pointer = matches!(module.type_view(wanted), Some(TypeView::Pointer { .. }));
        let is_number = module.ty(*operand).is_some_and(|ty| module.op(ty) == Op::TypeInt);
        if is_pointer && is_number && constant_value(module, *operand) == Some(0) {
            *operand = Builder::new(module).constant_null(wanted, &[]);
            is_changed = true;
        }
    }
    if is_changed {
        module.edit().set_operands(composite, &operands);
    }
    is_changed
}
