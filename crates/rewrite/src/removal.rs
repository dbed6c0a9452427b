//! Removal of single instructions.

use reconverge_ir::{Inst, Module};

use crate::debug_values::forget_store;

/// Deletes an instruction. Its location continues to apply to the instructions after it. If the instruction is a store, its variable loses
/// its declarations in debug information ([`forget_store`]).
pub fn remove(module: &mut Module, inst: Inst) {
    forget_store(module, inst);
    hand_on_location(module, inst);
    module.edit().delete(inst);
}

/// Writes the location that an instruction introduced at the next one, before the instruction is moved or deleted.
pub fn hand_on_location(module: &mut Module, inst: Inst) {
    let next = module.next(inst).filter(|&next| module.explicit_location(next).is_none());
    let location = module.explicit_location(inst);
    if let (Some(next), Some(location)) = (next, location) {
        module.edit().set_location(next, Some(location));
    }
}
