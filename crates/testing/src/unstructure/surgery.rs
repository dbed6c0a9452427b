//! Common edits of the unstructurers.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Builder, Copies, Edge, Function, Inst, Module, Op, Position, view};
use reconverge_rewrite::remove_unreachable;
use spirv::StorageClass;

use crate::random::Random;

/// The blocks of a function, the entry first.
pub(super) fn blocks(module: &Module, function: Function) -> Vec<Block> {
    module.blocks(function).collect()
}

/// A new variable of a type, initialized with zero.
pub(super) fn add_variable(module: &mut Module, function: Function, ty: Inst) -> Inst {
    let entry = module.entry(function).expect("invariant: the function has blocks");
    let mut build = Builder::new(module);
    let pointer = build.pointer_type(StorageClass::Function, ty);
    let class = build.enumerant(StorageClass::Function);
    let zero = build.editor().unique(Op::ConstantNull, Some(ty), &[]);
    build.editor().insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class, zero])
}

/// A new block that only jumps.
pub(super) fn add_jump(module: &mut Module, function: Function, target: Block) -> Block {
    let mut build = Builder::new(module);
    let block = build.add_block(function);
    build.at_end(block);
    build.branch(&[target.inst()]);
    block
}

/// A copy of a block for other edges. In loose form it has no other operands to repair.
pub(super) fn copy_block(module: &mut Module, function: Function, block: Block) -> Block {
    let inside: Vec<Inst> = module.children(block).collect();
    let mut build = Builder::new(module);
    let new = build.add_block(function);
    for inst in build.editor().copy(&inside, &mut Copies::new()) {
        build.editor().move_to(inst, Position::AtEnd(new.into()));
    }
    new
}

/// The target of a block's jump, if it ends in one.
pub(super) fn jump_target(module: &Module, block: Block) -> Option<Block> {
    module.cast(view::Branch::of(module, module.terminator(block)?)?.target)
}

/// Appends the contents of a block to its only predecessor, which jumps to it. It has no parameters.
pub(crate) fn join_blocks(module: &mut Module, block: Block, next: Block) {
    let jump = module.terminator(block).expect("invariant: the block jumps");
    let inside: Vec<Inst> = module.children(next).collect();
    let mut editor = module.edit();
    editor.delete(jump);
    inside.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(block.into())));
    editor.delete(next);
}

/// One of these, if there is one.
pub(super) fn pick<T: Clone>(items: &[T], random: &mut Random) -> Option<T> {
    (!items.is_empty()).then(|| random.choose(items).clone())
}

/// The retreating edges of a function in reverse post-order.
pub(super) fn back_edges(module: &Module, function: Function) -> Vec<Edge> {
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    let sequence: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    let place: std::collections::HashMap<Block, usize> =
        sequence.iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let edges = sequence.iter().enumerate().flat_map(|(at, &block)| {
        let place = &place;
        module.out_edges(block).filter(move |&edge| module.target(edge).is_some_and(|target| place[&target] <= at))
    });
    edges.collect()
}

/// From loose form to stage Graph: unreachable blocks are removed, critical edges split, and dominators put first.
pub(super) fn settle(module: &mut Module, function: Function) {
    remove_unreachable(module, function);
    for block in blocks(module, function) {
        let edges: Vec<Edge> = module.out_edges(block).collect();
        if edges.len() < 2 {
            continue;
        }
        for edge in edges {
            let is_join = module.target(edge).is_some_and(|target| module.in_edges(target).count() > 1);
            if is_join {
                module.edit().split_edge(edge);
            }
        }
    }
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    for &node in order.sequence() {
        module.edit().move_to(flow.block(node), Position::AtEnd(function.into()));
    }
}
