//! Returns out of selections by a scope around the body.
//!
//! ```text
//! ^entry: %v = variable …        ^entry: %v = variable …
//!         if %a …         ⇒              structured_switch 0 default ^body merge ^exit
//! …  return %x                   ^body:  if %a …
//! …  return %y                   …  branch ^exit(%x)
//!                                …  branch ^exit(%y)
//!                                ^exit(%r): return %r
//! ```

use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position};

use super::super::blocks::{jump_with, new_block, open_scope, split_before_terminator};
use super::{is_return, return_type, returned};

/// Opens a scope before the first branch and redirects returns to its merge block. They are outside loops and other switches.
pub(super) fn leave_scope(module: &mut Module, function: Function) {
    let returning: Vec<Block> = module.blocks(function).filter(|&block| is_return(module, block)).collect();
    let last = module.blocks(function).last().expect("invariant: the function has a body");
    let exit = new_block(module, Op::Block, Position::After(last.into()));
    let value = return_type(module, function).map(|ty| Builder::new(module).add_parameter(exit, ty).inst());
    for &block in &returning {
        let value: Option<Inst> = returned(module, block);
        jump_with(module, block, exit, value.as_slice());
    }
    let op = if value.is_some() { Op::ReturnValue } else { Op::Return };
    module.edit().replace_terminator(exit, op, value.as_slice());
    let entry = module.entry(function).expect("invariant: the function has a body");
    let body = split_before_terminator(module, entry);
    open_scope(module, entry, body, exit);
}
