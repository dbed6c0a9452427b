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
use reconverge_ir::{Builder, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Context;
use super::entry_points::first_instruction;
use super::scalars::constant_operation;
use crate::error;

/// Converts constant addresses to instructions, in every function that uses some. Returns whether anything changed.
///
/// # Errors
/// A constant operation on an address with an unknown opcode.
pub fn constant_addresses(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let addresses = addresses(module);
    if addresses.is_empty() {
        return Ok(false);
    }
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    let mut changed = false;
    for function in functions {
        changed |= expand(module, function, &addresses)?;
    }
    for &address in addresses.in_order.iter().rev() {
        if !module.is_used(address) {
            module.edit().delete(address);
        }
    }
    Ok(changed)
}

/// Integer constants that depend on the address of a variable; operands before users.
#[derive(Default)]
struct Addresses {
    in_order: Vec<Inst>,
    known: FxHashSet<Inst>,
}

impl Addresses {
    fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }
}

fn addresses(module: &Module) -> Addresses {
    let mut addresses = Addresses::default();
    for global in module.globals().filter(|&global| module.op(global) == Op::SpecConstantOp) {
        let is_integer = module.ty(global).is_some_and(|ty| module.op(ty) == Op::TypeInt);
        let op = constant_operation(module, global).map(|(op, _)| op);
        let depends = || module.operands(global).any(|operand| addresses.known.contains(&operand));
        if is_integer && (op == Some(Op::ConvertPtrToU) || depends()) {
            addresses.known.insert(global);
            addresses.in_order.push(global);
        }
    }
    addresses
}

/// Emits the instructions that a function needs at its start, and replaces the constants by them.
fn expand(module: &mut Module, function: Function, addresses: &Addresses) -> Result<bool, Diagnostic> {
    let body: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
    let is_needed = |constant: &Inst| addresses.known.contains(constant);
    let mut needed: FxHashSet<Inst> = body.iter().flat_map(|&inst| module.operands(inst)).filter(is_needed).collect();
    if needed.is_empty() {
        return Ok(false);
    }
    for &address in addresses.in_order.iter().rev() {
        if needed.contains(&address) {
            needed.extend(module.operands(address).filter(is_needed));
        }
    }
    let first = first_instruction(module, function);
    let mut images: FxHashMap<Inst, Inst> = FxHashMap::default();
    for &address in addresses.in_order.iter().filter(|address| needed.contains(address)) {
        let unknown = || error::unsupported(address, "a constant operation on an address");
        let (op, operands) = constant_operation(module, address).ok_or_else(unknown)?;
        let operands: Vec<Inst> = operands.iter().map(|operand| *images.get(&operand).unwrap_or(&operand)).collect();
        let ty = module.ty(address);
        let mut build = Builder::new(module);
        build.before(first);
        images.insert(address, build.emit(op, ty, &operands));
    }
    for inst in body {
        let operands: Vec<Inst> = module.operands(inst).collect();
        for (index, operand) in operands.into_iter().enumerate() {
            if let Some(&image) = images.get(&operand) {
                module.edit().set_operand(inst, index, image);
            }
        }
    }
    Ok(true)
}
