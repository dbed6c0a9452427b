//! Source locations of instructions that move.

use reconverge_ir::{Location, Module, Op};

use crate::body::Body;

/// Writes the source location explicitly for each instruction in these blocks, before instructions are moved into or out of them. Does
/// nothing in a function without locations. Linear in the function.
pub(crate) fn pin_locations(module: &mut Module, body: &Body, blocks: impl Iterator<Item = u32>) {
    let mut is_touched = vec![false; body.block_count() as usize];
    let mut any = false;
    for block in blocks {
        is_touched[block as usize] = true;
        any = true;
    }
    if !any || (0..body.len()).all(|inst| module.explicit_location(body.inst(inst)).is_none()) {
        return;
    }
    for block in (0..body.block_count()).filter(|&block| is_touched[block as usize]) {
        let mut current = None;
        for inst in body.range(block).filter(|&inst| body.op(inst) != Op::BlockParameter) {
            let handle = body.inst(inst);
            current = module.explicit_location(handle).or(current);
            if module.explicit_location(handle).is_none() {
                module.edit().set_location(handle, Some(current.unwrap_or(Location::NONE)));
            }
        }
    }
}
