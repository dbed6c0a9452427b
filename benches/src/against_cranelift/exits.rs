//! Two-way branches that leave a loop, with the way out first.
//!
//! ```text
//! brif v1, body, out        ⇒        v2 = icmp eq v1, 0
//!                                    brif v2, out, body
//! ```
//!
//! Which way stands first decides whether Cranelift 0.135 moves anything out of a loop that is left at its top. It places instructions along
//! the dominator tree, children in reverse post-order, and takes the loop off its stack at the first block outside (`egraph/elaborate.rs`,
//! `start_block`). The body must come before the exit, then, and reverse post-order has the second way first. A `br_if` of WebAssembly that
//! leaves a loop has the way out first.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, InstructionData};

/// Turns every branch whose second way alone leaves the innermost loop.
pub(crate) fn put_exits_first(context: &mut Context) {
    context.compute_cfg();
    context.compute_domtree();
    context.compute_loop_analysis();
    let blocks: Vec<Block> = context.func.layout.blocks().collect();
    for block in blocks {
        let (Some(last), Some(around)) =
            (context.func.layout.last_inst(block), context.loop_analysis.innermost_loop(block))
        else {
            continue;
        };
        let InstructionData::Brif { opcode, arg, blocks: [yes, no] } = context.func.dfg.insts[last] else { continue };
        let [stays, also_stays] = [yes, no].map(|way| {
            let target = way.block(&context.func.dfg.value_lists);
            context.loop_analysis.is_in_loop(target, around)
        });
        if stays && !also_stays {
            let ty = context.func.dfg.value_type(arg);
            let mut cursor = FuncCursor::new(&mut context.func).at_inst(last);
            let zero = cursor.ins().iconst(ty, 0);
            let turned = cursor.ins().icmp(IntCC::Equal, arg, zero);
            context.func.dfg.insts[last] = InstructionData::Brif { opcode, arg: turned, blocks: [no, yes] };
        }
    }
    context.compute_cfg();
    context.compute_domtree();
}
