//! Names of the source for values that took the place of variables.

use reconverge_ir::{Inst, Module, Op};

/// Gives a value that a variable got the name of the variable, if the value is computed in a function and has no name.
pub(crate) fn name_after(module: &mut Module, value: Inst, variable: Inst) {
    if module.block_of(value).is_some()
        && name_note(module, value).is_none()
        && let Some(name) = name_note(module, variable)
    {
        module.edit().decorate(value, name);
    }
}

/// The decoration with the name of an instruction.
pub(crate) fn name_note(module: &Module, inst: Inst) -> Option<Inst> {
    module.decorations(inst).iter().copied().find(|&note| module.op(note) == Op::Name)
}
