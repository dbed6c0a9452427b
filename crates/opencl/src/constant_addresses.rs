//! Converts constant integers at module level that contain addresses of variables to instructions.
//!
//! ```text
//! %a = spec_constant_op ConvertPtrToU %variable              (gone)
//! %b = spec_constant_op IAdd %a, 4                   ⇒
//! ^entry:                                                    ^entry:
//!   … %b …                                                     %a = convert_ptr_to_u %variable
//!                                                              %b = i_add %a, 4
//!                                                              … %b …
//! ```
//!
//! The value of an address is known only after memory is lowered, and is then computed by code. Pointer constants stay: the pass
//! `lower_memory` handles them. *Requires* inlined calls only for efficiency: each function gets its own instructions. *Preserves*
//! everything else. Linear in instructions and constants.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Module, Op};

use super::Context;
use super::constants_as_code::Constants;
use super::scalars::constant_operation;

/// Converts constant addresses to instructions, in every function that uses some. Returns whether anything changed.
///
/// # Errors
/// A constant operation on an address with an unknown opcode.
pub fn constant_addresses(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let addresses = addresses(module);
    if addresses.is_empty() {
        return Ok(false);
    }
    addresses.expand(module)
}

/// Integer constants that depend on the address of a variable; operands before users.
fn addresses(module: &Module) -> Constants {
    let mut addresses = Constants::default();
    for global in module.globals().filter(|&global| module.op(global) == Op::SpecConstantOp) {
        let is_integer = module.ty(global).is_some_and(|ty| module.op(ty) == Op::TypeInt);
        let op = constant_operation(module, global).map(|(op, _)| op);
        let depends = || module.operands(global).any(|operand| addresses.contains(operand));
        if is_integer && (op == Some(Op::ConvertPtrToU) || depends()) {
            addresses.push(global);
        }
    }
    addresses
}
