//! Removes joins of exits that do nothing but pass values on, where the loop is left to what follows them as well.
//!
//! ```text
//! h ─▶ a ─▶ b ─▶ h         a, b ─▶ x(%p)   x ─▶ m(%p)           a, b ─▶ m
//! │    ╰──▶ x ◀╯     ⇒     the loop is left to x and to m,  ⇒   the loop is left to m:
//! ╰─▶ m ◀── x              so that a selector must tell         m is its merge block
//! ```
//!
//! *Requires* stage Graph and no unreachable block. *Preserves* the order in which all other blocks run, and every value. *Breaks*
//! nothing. A block that a hint names stays, for lanes meet there; so does one whose parameters anything but its own jump uses. Joins
//! are taken in reverse post-order, so that chains of them go. Near-linear, apart from what a jump passes on for each block that
//! vanishes.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{Cycle, CycleForest};
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator, terminator};
use rustc_hash::FxHashSet;

use super::hints::Hints;
use crate::jumps::replace_operands;

/// Removes them. How many there were.
pub(super) fn remove_empty_joins(module: &mut Module, function: Function, hints: &Hints) -> usize {
    let named: FxHashSet<Block> = hints.named_blocks().collect();
    let is_candidate = |&block: &Block| !named.contains(&block) && is_empty_join(module, block);
    if !module.blocks(function).any(|block| is_candidate(&block)) {
        return 0;
    }
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let loops = CycleForest::compute(flow.graph(), &order, &dominators);
    let joins: Vec<Block> =
        order.sequence().iter().map(|&node| flow.block(node)).filter(|block| is_candidate(block)).collect();
    let mut removed = 0;
    for join in joins {
        if leaves_beside_its_target(module, &flow, &loops, join) {
            remove(module, join);
            removed += 1;
        }
    }
    removed
}

/// Whether a block has several predecessors and consists of parameters and a jump that alone uses them.
fn is_empty_join(module: &Module, block: Block) -> bool {
    let Some(jump) = module.terminator(block) else { return false };
    let is_bare = module.previous(jump).is_none_or(|last| module.op(last) == Op::BlockParameter);
    let is_used_here = |parameter: Inst| module.uses(parameter).all(|used| used.user == Inst::from(jump));
    module.op(block) == Op::Block
        && module.op(jump) == Op::Branch
        && is_bare
        && module.in_edges(block).nth(1).is_some()
        && module.in_edges(block).all(|edge| module.op(edge.terminator) == Op::Branch)
        && module.parameters(block).all(|parameter| is_used_here(parameter.into()))
}

/// Whether all that comes to a join leaves one loop, and that loop is left to the target of the join elsewhere too.
fn leaves_beside_its_target(module: &Module, flow: &FlowGraph, loops: &CycleForest, join: Block) -> bool {
    let Some(target) = module.successors(join).next() else { return false };
    let outermost_left = |source: Block| -> Option<Cycle> {
        let mut left = None;
        let mut around = loops.innermost(flow.node(source));
        while let Some(cycle) = around.filter(|&cycle| !loops.contains(cycle, flow.node(join))) {
            left = Some(cycle);
            around = loops.parent(cycle);
        }
        left
    };
    let mut sources = real_predecessors(module, join).into_iter();
    let Some(left) = sources.next().and_then(outermost_left) else { return false };
    let is_in = |block: Block| loops.contains(left, flow.node(block));
    let is_left_elsewhere =
        || real_predecessors(module, target).into_iter().any(|source| source != join && is_in(source));
    target != join && sources.all(is_in) && is_left_elsewhere()
}

/// The predecessors of a block; in place of an edge block the block that branches to it.
fn real_predecessors(module: &Module, block: Block) -> Vec<Block> {
    let behind_edges = |source: Block| match module.op(source) {
        Op::EdgeBlock => module.predecessors(source).next().unwrap_or(source),
        _ => source,
    };
    module.predecessors(block).map(behind_edges).collect()
}

/// Makes each jump to a join go on to the target.
fn remove(module: &mut Module, join: Block) {
    let jump = module.terminator(join).expect("invariant: a join ends in a jump");
    let passes: Vec<Inst> = module.operands(jump).collect();
    let parameters: Vec<Inst> = module.parameters(join).map(Inst::from).collect();
    let mut sources: Vec<Terminator> = module.in_edges(join).map(|edge| edge.terminator).collect();
    sources.sort_unstable();
    let first = terminator::first_argument(Op::Branch).expect("invariant: a branch passes arguments");
    for source in sources {
        let arguments: Vec<Inst> = module.operands(source).skip(first).collect();
        let passed = |value: Inst| match parameters.iter().position(|&parameter| parameter == value) {
            Some(place) => arguments[place],
            None => value,
        };
        let operands: Vec<Inst> = passes.iter().map(|&value| passed(value)).collect();
        replace_operands(module, source, &operands);
    }
    module.edit().delete(join);
}
