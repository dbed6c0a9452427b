//! Removal of single instructions.

use reconverge_ir::{Inst, Module};

use crate::debug_values::forget_store;

/// Deletes an instruction; the location that it brought holds on for those behind it. A variable whose store it is is no longer where its
/// debug information declares it.
pub fn remove(module: &mut Module, inst: Inst) {
    forget_store(module, inst);
    hand_on_location(module, inst);
    module.edit().delete(inst);
}

/// Writes the location that an instruction brought at the one behind it, for when it goes elsewhere.
pub fn hand_on_location(module: &mut Module, inst: Inst) {
    let next = module.next(inst).filter(|&next| module.explicit_location(next).is_none());
    let location = module.explicit_location(inst);
    if let (Some(next), Some(location)) = (next, location) {
        module.edit().set_location(next, Some(location));
    }
}
