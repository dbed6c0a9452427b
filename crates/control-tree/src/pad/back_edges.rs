//! Back edges through the preheader.
//!
//! ```text
//! ^a: branch ^p                            ^a: branch ^p
//! edge ^p: loop ^h(%x) …             ⇒     edge ^p: loop ^h(%x) …
//! ^latch: branch ^p                        ^latch: branch ^h(%x)
//! ```
//!
//! In SPIR-V the edge block does not exist, so this is still the loop's back edge. (With parameters it exists, and the verifier rejects
//! it.) A loop has one back edge: if its preheader is the only predecessor of a header, the back edge must be such a one, and its source is
//! what the continue target leads to.

use rustc_hash::FxHashSet;

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Terminator};

/// Redirects back edges to the header itself; returns whether there were any. Linear in the blocks and the continue lists of such loops.
pub(super) fn lead_to_headers(module: &mut Module, function: Function) -> bool {
    let blocks: Vec<Block> = module.blocks(function).filter(|&block| module.is_bare_edge(block)).collect();
    let mut is_changed = false;
    for preheader in blocks {
        let Some(open) = module.terminator(preheader).filter(|&open| module.op(open) == Op::Loop) else { continue };
        let Some(header) = module.cast::<Block>(module.operand(open, operand::TARGET)) else { continue };
        let is_plain = module.parameters(preheader).next().is_none();
        if !is_plain || module.in_edges(header).nth(1).is_some() {
            continue;
        }
        if let Some(edge) = back_edge(module, preheader, open, header) {
            redirect(module, open, edge);
            is_changed = true;
        }
    }
    is_changed
}

/// The edge from the continue construct to the preheader.
fn back_edge(module: &Module, preheader: Block, open: Terminator, header: Block) -> Option<Edge> {
    let continue_target = module.continue_block(open)?;
    let mut seen = FxHashSet::from_iter([preheader]);
    seen.extend(module.merge_block(open));
    // A loop of one block continues at its header.
    let mut pending = if continue_target == header { vec![header] } else { vec![continue_target] };
    seen.extend([header, continue_target]);
    while let Some(block) = pending.pop() {
        let mut edges = module.out_edges(block);
        if let Some(edge) = edges.find(|&edge| module.target(edge) == Some(preheader)) {
            return Some(edge).filter(|edge| module.op(edge.terminator) == Op::Branch);
        }
        pending.extend(module.successors(block).filter(|&next| seen.insert(next)));
    }
    None
}

/// Redirects a branch from the preheader to the header, with the arguments of the preheader.
fn redirect(module: &mut Module, open: Terminator, edge: Edge) {
    let header = module.operand(open, operand::TARGET);
    let operands: Vec<Inst> = std::iter::once(header).chain(module.arguments(open)).collect();
    module.edit().set_operands(edge.terminator, &operands);
}
