//! 64-bit integers as pairs of 32-bit ones, for devices without `shaderInt64`.
//!
//! ```text
//! %c: u64 = i_add %a, %b            %c.low = i_add %a.low, %b.low
//!                             ⇒     %carry = u_less_than %c.low, %a.low
//!                                   %c.high = i_add (i_add %a.high, %b.high), (select %carry, 1, 0)
//!
//! %p = convert_u_to_ptr %a    ⇒     %p = bitcast (composite_construct %a.low, %a.high)
//! ^b(%x: u64)                 ⇒     ^b(%x.low: u32, %x.high: u32)
//! memory: u64                 ⇒     u32x2, low half first
//! ```
//!
//! *Requires* a module after `lower_memory` and `memory_model`: no kernel pointers. *Preserves* the control flow graph, except for
//! functions that it adds (division). A device address is a pair too: SPIR-V allows the cast of a pair to a pointer (SPIR-V specification,
//! "Physical addressing", 1.5).
//!
//! One traversal of each function in reverse post-order, so that definitions come before uses; parameters get their halves before the
//! traversal and their arguments after it. Linear. A second run finds no 64-bit integer and changes nothing.
//!
//! | what | how | source |
//! |---|---|---|
//! | add, subtract, compare | carry by comparison of the low halves | Warren, *Hacker's Delight*, 2nd ed. 2012, 2-16 |
//! | multiply | one 32×32→64 product and two low ones | the same, 8-2 |
//! | shift by a variable amount | both results, below 32 and from 32 on, and a select | the same, 2-18 |
//! | divide | shift and subtract, in a function | the same, 9-4 |
//! | to and from floating point | normalized with a sticky bit, so that it rounds once | the same, 17-2 |

mod arithmetic;
mod bits;
mod convert;
mod division;
mod function;
mod memory;
mod pairs;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};

use crate::Machine;
use memory::split_types;
use pairs::Pairs;
use reconverge_optimize::{Interface, remove_unused_globals};
use reconverge_rewrite::remove_unreachable;
use reconverge_rewrite::scalars::is_int;

/// Splits 64-bit integers if the machine lacks them. Returns whether anything changed.
///
/// # Errors
/// An operation without an expansion, by name: vectors of 64-bit integers, atomics and group operations on them.
pub fn split_integers(module: &mut Module, machine: &Machine) -> Result<bool, Diagnostic> {
    let has_long = module.globals().any(|global| is_int(module, global, 64));
    if machine.integers.contains(64) || !has_long {
        return Ok(false);
    }
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    for &function in &functions {
        remove_unreachable(module, function);
    }
    let mut pairs = Pairs::new(module, machine);
    function::split_signatures(&mut pairs, &functions)?;
    for &function in &functions {
        function::split_body(&mut pairs, function)?;
    }
    let Pairs { module, replaced, .. } = pairs;
    replaced.into_iter().rev().for_each(|inst| module.edit().delete(inst));
    split_types(module, machine)?;
    remove_unused_globals(module, Interface::Trimmed);
    Ok(true)
}
