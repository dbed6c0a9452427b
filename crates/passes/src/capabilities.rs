//! What a module's capabilities allow a pass to write.

use reconverge_ir::{Module, Op};

/// SPIR-V's number of the capability `Addresses`.
const ADDRESSES: u32 = 4;
/// SPIR-V's number of the capability `VariablePointersStorageBuffer`.
const VARIABLE_POINTERS_STORAGE_BUFFER: u32 = 4441;
/// SPIR-V's number of the capability `VariablePointers`.
const VARIABLE_POINTERS: u32 = 4442;

/// Whether pointers may be block parameters and arguments of `select` (SPIR-V section 2.16.1, universal validation rules).
pub(crate) fn pointers_are_values(module: &Module) -> bool {
    module.globals().filter(|&global| module.op(global) == Op::Capability).any(|capability| {
        let number = module.operand(capability, 0);
        let allowing = [ADDRESSES, VARIABLE_POINTERS_STORAGE_BUFFER, VARIABLE_POINTERS];
        module.literal_word(number).is_some_and(|number| allowing.contains(&number))
    })
}
