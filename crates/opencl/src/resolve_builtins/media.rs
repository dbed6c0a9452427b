//! Calls of the functions of `cl_amd_media_ops` and `cl_amd_media_ops2`, which clang declares and leaves as calls.

use reconverge_ir::{Inst, Module, Signedness, view};

use super::mangling::{Element, Mangled};
use crate::extended_instructions::media_value;

/// Replaces a call by its value; `None` if the types are not those of the function.
pub(super) fn replace(module: &mut Module, call: Inst, mangled: &Mangled) -> Option<()> {
    let arguments = view::FunctionCall::of(module, call)?.arguments.to_vec();
    let signedness = match mangled.parameters.first()?.element {
        Element::Signed(_) => Signedness::Signed,
        _ => Signedness::Unsigned,
    };
    let location = module.explicit_location(call);
    let value = media_value(module, call, &mangled.name, signedness, &arguments)?;
    let mut editor = module.edit();
    editor.set_location(value, location);
    editor.replace_all_uses(call, value);
    editor.delete(call);
    Some(())
}
