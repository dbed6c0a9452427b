//! Bare edge blocks with several predecessors.
//!
//! ```text
//! ^a: branch ^e(%x)   ^b: branch ^e(%y)         ^a: branch ^m(%x)   ^b: branch ^m(%y)
//! edge ^e(%p): branch ^m(%p)                ⇒
//! ```
//!
//! In SPIR-V the edge block does not exist, so the tree has no place for it: its predecessors may be anywhere in a construct.

use rustc_hash::FxHashMap;

use reconverge_ir::{Block, Edge, Function, Inst, Module, Op};

/// Redirects edges past bare edge blocks that several blocks share.
pub(super) fn bypass_shared_edges(module: &mut Module, function: Function) -> bool {
    let blocks: Vec<Block> = module.blocks(function).skip(1).filter(|&block| module.is_bare_edge(block)).collect();
    let mut is_changed = false;
    for block in blocks {
        is_changed |= bypass(module, block);
    }
    is_changed
}

fn bypass(module: &mut Module, block: Block) -> bool {
    let Some(jump) = module.terminator(block).filter(|&jump| module.op(jump) == Op::Branch) else { return false };
    let entering: Vec<Edge> = module.in_edges(block).collect();
    let is_plain = |edge: &Edge| module.op(edge.terminator) == Op::Branch && edge.terminator != jump;
    let is_named = module.uses(block).count() != entering.len();
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let used = |parameter: Inst| module.uses(parameter).all(|used| used.user == jump.inst());
    let is_alone = parameters.iter().all(|&parameter| used(parameter));
    if entering.len() < 2 || is_named || !is_alone || !entering.iter().all(is_plain) {
        return false;
    }
    let operands: Vec<Inst> = module.operands(jump).collect();
    if operands.first() == Some(&block.into()) {
        return false;
    }
    for edge in entering {
        let passed: FxHashMap<Inst, Inst> = parameters.iter().copied().zip(module.arguments(edge.terminator)).collect();
        let operands: Vec<Inst> = operands.iter().map(|value| passed.get(value).copied().unwrap_or(*value)).collect();
        module.edit().set_operands(edge.terminator, &operands);
    }
    module.edit().delete(block);
    true
}
