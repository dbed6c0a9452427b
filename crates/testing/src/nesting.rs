//! The nesting depth of the constructs of a structured function.
//!
//! A structural edge is an edge, or leads from a header to its merge block or continue target (SPIR-V section 2.11.1). With these edges the
//! immediate dominator of a merge block is its header, so the dominator tree determines depths: a merge block has the depth of its header,
//! every other child of a header is one deeper. Linear.

use reconverge_graph::{DominatorTree, Graph, Node, Order};
use reconverge_ir::{Block, Function, Module, Op};
use std::collections::HashMap;

/// The maximal number of constructs around a block of the function.
pub fn nesting_depth(module: &Module, function: Function) -> usize {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let numbers: HashMap<Block, usize> = blocks.iter().enumerate().map(|(number, &block)| (block, number)).collect();
    let mut lists: Vec<Vec<usize>> =
        blocks.iter().map(|&block| module.successors(block).map(|target| numbers[&target]).collect()).collect();
    // For each header its merge block.
    let mut merges: Vec<Option<usize>> = vec![None; blocks.len()];
    for (number, &block) in blocks.iter().enumerate() {
        let Some(terminator) = module.terminator(block) else { continue };
        let Some(merge) = module.merge_block(terminator) else { continue };
        let header = if module.op(terminator) == Op::Loop { lists[number][0] } else { number };
        merges[header] = Some(numbers[&merge]);
        lists[header].push(numbers[&merge]);
        lists[header].extend(module.continue_block(terminator).map(|target| numbers[&target]));
    }
    let graph =
        Graph::from_successors(Node::new(0), lists.iter().map(|list| list.iter().map(|&target| Node::new(target))));
    let order = Order::compute_reverse_post_order(&graph);
    let dominators = DominatorTree::compute(&graph, &order);
    let mut depths = vec![0; blocks.len()];
    for &node in order.sequence() {
        let Some(parent) = dominators.idom(node) else { continue };
        let is_inside = merges[parent.index()].is_some_and(|merge| merge != node.index());
        depths[node.index()] = depths[parent.index()] + usize::from(is_inside);
    }
    depths.into_iter().max().unwrap_or(0)
}
