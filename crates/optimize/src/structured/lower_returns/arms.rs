//! Lowers returns out of selections by moving the code after each selection into the arm that continues.
//!
//! ```text
//!     ^h: if %a ^x ^y merge ^m               ^h: if %a ^x ^y merge ^j
//!       ╱        ╲                             ╱        ╲
//!  ^x: return %1  ^y: branch ^m             ^x           ^y
//!                  ╲                  ⇒      ╲            ╲
//!                   ^m: rest; return %2       ╲            ^m: rest
//!                                              ╲          ╱
//!                                           ^j(%v): return %v
//! ```
//!
//! Precondition: each return, and each `if` around one, has at most one edge to its merge block, a jump at the end of an arm. After the
//! moves, all code after such an `if` is in that arm, so nesting is dominance: a block in the new nest continues at the merge block of the
//! nearest such header strictly above it in the dominator tree.

use reconverge_analysis::FlowGraph;
use reconverge_control_tree::{ConstructKind, ControlTree, Owner};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::blocks::{jump_with, new_block};
use super::super::view::tree_of;
use super::{is_return, return_type, returned};
use reconverge_rewrite::jumps::bind_parameters;

/// The maximal nesting of selections that this creates. Beyond it a scope is better, and it is far below the limit of SPIR-V.
const DEPTH_LIMIT: usize = 32;

/// Selections with returns, and the nearest one above each block.
#[derive(Debug)]
pub(super) struct Nesting {
    /// In reverse post-order.
    headers: Vec<Block>,
    /// For each header and each block that returns.
    around: FxHashMap<Block, Option<Block>>,
    /// In reverse post-order.
    returning: Vec<Block>,
}

/// The new nesting of selections, if moving into arms is possible. All returns are outside loops and switches.
pub(super) fn compute_nesting(module: &Module, function: Function) -> Result<Option<Nesting>, Diagnostic> {
    let tree = tree_of(module, function)?;
    let Some(inside) = headers_around_returns(module, &tree) else { return Ok(None) };
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let mut nesting = Nesting { headers: Vec::new(), around: FxHashMap::default(), returning: Vec::new() };
    // For each block the nearest header strictly above it, and the number of these headers.
    let mut above: Vec<(Option<Block>, usize)> = vec![(None, 0); flow.blocks().len()];
    for &node in order.sequence() {
        let block = flow.block(node);
        if let Some(idom) = dominators.idom(node) {
            let (outer, depth) = above[idom.index()];
            let parent = flow.block(idom);
            above[node.index()] = if inside.contains(&parent) { (Some(parent), depth + 1) } else { (outer, depth) };
        }
        let (around, depth) = above[node.index()];
        if inside.contains(&block) {
            nesting.headers.push(block);
            nesting.around.insert(block, around);
        } else if is_return(module, block) {
            nesting.returning.push(block);
            nesting.around.insert(block, around);
        }
        if depth > DEPTH_LIMIT {
            return Ok(None);
        }
    }
    Ok(Some(nesting))
}

/// The openers of the selections with returns; `None` if one of them is not an `if` with at most one leaving edge. A scope is not one: both
/// its edges continue at the join.
fn headers_around_returns(module: &Module, tree: &ControlTree) -> Option<FxHashSet<Block>> {
    let mut headers = FxHashSet::default();
    for &block in tree.blocks().iter().filter(|&&block| is_return(module, block)) {
        for list in tree.outwards(block) {
            let Owner::Construct(construct, _) = tree.owner(list) else { break };
            if tree.construct(construct).kind != ConstructKind::If {
                return None;
            }
            if !headers.insert(construct.opener()) {
                break;
            }
            if !is_left_once(module, tree, construct.opener()) {
                return None;
            }
        }
    }
    Some(headers)
}

fn is_left_once(module: &Module, tree: &ControlTree, header: Block) -> bool {
    let Some(merge) = module.terminator(header).and_then(|last| module.merge_block(last)) else { return false };
    let mut edges = module.in_edges(merge);
    let (Some(edge), None) = (edges.next(), edges.next()) else { return module.in_edges(merge).next().is_none() };
    let Some(source) = module.block_of(edge.terminator) else { return false };
    let is_from_arm = tree.innermost(source).is_some_and(|construct| construct.opener() == header);
    source == header || (module.op(edge.terminator) == Op::Branch && is_from_arm)
}

/// Moves the code after the selections into their arms.
pub(super) fn move_into_arms(module: &mut Module, function: Function, nesting: &Nesting) {
    let ty = return_type(module, function);
    let last = module.blocks(function).last().expect("invariant: the function has a body");
    let exit = new_merge(module, last, ty);
    let mut merges: FxHashMap<Block, Block> = FxHashMap::default();
    for &header in &nesting.headers {
        let merge = new_merge(module, last, ty);
        merges.insert(header, merge);
        let opening = module.terminator(header).expect("invariant: a header has a terminator");
        let old = module.merge_block(opening).expect("invariant: an if has a merge block");
        if module.in_edges(old).next().is_some() {
            bind_parameters(module, old);
        }
        module.edit().set_operand(opening, operand::IF_MERGE, merge);
    }
    let target = |block: Block| nesting.around[&block].map_or(exit, |header| merges[&header]);
    for &block in &nesting.returning {
        let value = returned(module, block);
        jump_with(module, block, target(block), value.as_slice());
    }
    for &header in &nesting.headers {
        let merge = merges[&header];
        let value = module.parameters(merge).next().map(Inst::from);
        jump_with(module, merge, target(header), value.as_slice());
    }
    end_by_return(module, exit);
}

/// Ends the last block by the return, or its predecessor if it only jumps to it.
fn end_by_return(module: &mut Module, exit: Block) {
    let mut last = exit;
    let mut value = module.parameters(exit).next().map(Inst::from);
    let mut edges = module.in_edges(exit);
    if let (Some(only), None) = (edges.next(), edges.next()) {
        last = module.block_of(only.terminator).expect("invariant: an edge leaves a block");
        value = module.arguments(only.terminator).next();
    }
    drop(edges);
    let op = if value.is_some() { Op::ReturnValue } else { Op::Return };
    module.edit().replace_terminator(last, op, value.as_slice());
    if last != exit {
        module.edit().delete(exit);
    }
}

/// A block for a returned value, right after `last`.
fn new_merge(module: &mut Module, last: Block, ty: Option<Inst>) -> Block {
    let block = new_block(module, Op::Block, Position::After(last.into()));
    if let Some(ty) = ty {
        Builder::new(module).add_parameter(block, ty);
    }
    block
}
