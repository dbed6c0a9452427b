//! Controls of loops that SPIR-V has since 1.4: iteration counts, peeling, partial unrolling. They are hints, and go. Linear.

use reconverge_analysis::LoopControl;
use reconverge_ir::{Module, Op};

/// Removes the hints. Returns whether there were any.
pub(super) fn remove_newer_controls(module: &mut Module) -> bool {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let openings = blocks.filter_map(|block| module.terminator(block)).filter(|&last| module.op(last) == Op::Loop);
    let mut changed = false;
    for opening in openings.collect::<Vec<_>>() {
        let control = LoopControl::of(module, opening);
        let older = control.before_spirv_1_4();
        if older != control {
            older.write(module, opening);
            changed = true;
        }
    }
    changed
}
