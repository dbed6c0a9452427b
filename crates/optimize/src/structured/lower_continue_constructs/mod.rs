//! Empties the continue lists of loops: their code becomes part of the body, and the continue block only jumps back.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and convergence: the lanes of an iteration still reconverge before
//! the code of its continue list. Nothing is copied, so a barrier in it exists once. *Breaks* nothing. Idempotent.
//!
//! ```text
//! no edge into it     it is never executed, and goes
//! one edge            body ─▶ c: code ─▶ header    ⇒    body ─▶ c: code ─▶ latch ─▶ header
//! several edges       a scope around the body, whose merge block is the code (`Scope`), or
//!                     the code at the top of the next iteration (`top_of_loop.rs`)
//! ```
//!
//! *One edge.* Lanes at its source are converged (M4 splits them, and only merge blocks, headers and continue targets join them), so the
//! code may be placed after it. The exception is a source in a switch inside the loop: a case with fall-through runs once for the lanes
//! that fall through and once for those that come from the switch, and they reconverge only at the continue block. If the code contains
//! convergent operations, such a loop is treated like one with several edges.
//!
//! *Several edges, none of them in a switch inside the loop.*
//!
//! ```text
//! ^h: …                                ^h: … branch ^s
//!     terminator                       ^s: structured_switch 0 default ^body merge ^c
//! … branch ^c      … branch ^c   ⇒     ^body: terminator
//! ^c: code; branch ^h                  … branch ^c      … branch ^c
//!                                      ^c: code; branch ^latch        ^latch: branch ^h
//! ```
//!
//! The merge block of the switch joins all lanes of the iteration that did not escape (M6), relative to the start of the scope, where all
//! lanes of the iteration are: the set that the continue target joins (M8).
//!
//! *Otherwise* an edge would have to leave two switches. So the code moves to the top of the next iteration, guarded by a parameter that is
//! false in the first iteration. All edges then lead to the empty latch, which joins lanes as the continue block did. The parameter is
//! uniform among the lanes that are in an iteration together.
//!
//! Each loop is processed once, outer loops first; unreachable loops stay unchanged. Near-linear, plus SSA repair.

mod top_of_loop;

use reconverge_analysis::FlowGraph;
use reconverge_control_tree::{ConstructKind, ControlTree, Jump, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Terminator, terminator::operand};
use spirv::SelectionControl;

use super::blocks::{
    conditional_exit, jump_with, new_block, open_scope, repair_failed, split_before_terminator, split_off_header,
};
use super::order::put_dominators_first;
use super::view::make_tree_shaped;
use reconverge_rewrite::jumps::bind_parameters;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::ssa_repair::repair_ssa;

/// A loop whose continue list is to be emptied.
#[derive(Clone, Debug)]
struct Continued {
    opening: Terminator,
    header: Block,
    target: Block,
    /// The blocks of the continue list; none if the continue block is the header.
    blocks: Vec<Block>,
    /// The sources of the edges to the continue block.
    sources: Vec<Block>,
    /// True if one of them is in a switch inside the loop.
    crosses_switch: bool,
    /// The conditional exit that is the only edge into the continue list, and its other target in the body.
    passed_by: Option<(Block, Block)>,
}

/// Empties the continue lists of all loops. Returns whether anything changed. See the description of this file.
///
/// # Errors
/// The function is not structured; its values cannot be carried by block parameters.
pub fn lower_continue_constructs(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if module.entry(function).is_none() {
        return Ok(false);
    }
    let (tree, is_padded) = make_tree_shaped(module, function)?;
    let loops = gather(module, function, &tree);
    if loops.is_empty() {
        return Ok(is_padded);
    }
    let original = OriginalDominance::compute(module, function);
    for continued in &loops {
        lower(module, continued);
    }
    remove_unreachable(module, function);
    repair_ssa(module, function, &original).map_err(|error| repair_failed(module, error))?;
    put_dominators_first(module, function);
    Ok(true)
}

/// Loops with more than a jump in their continue list, outer before inner.
fn gather(module: &Module, function: Function, tree: &ControlTree) -> Vec<Continued> {
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let mut loops = Vec::new();
    for construct in tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop) {
        if !dominators.is_reachable(flow.node(construct.opener)) {
            continue;
        }
        let (Some(header), Some(target)) = (construct.loop_header, construct.continue_target) else { continue };
        let Some(opening) = module.terminator(construct.opener) else { continue };
        if target != header && is_bare(module, target, header) {
            continue;
        }
        let list = tree.list(construct.name(), Role::Continue).filter(|_| target != header);
        let blocks = list.map_or(Vec::new(), |list| tree.blocks_of_list(list).to_vec());
        let mut sources: Vec<Block> = module.predecessors(target).collect();
        sources.sort_unstable();
        let crosses_switch = sources.iter().any(|&source| tree.innermost_switch(source).is_some());
        let passed_by = passed_by(module, tree, &sources, target);
        loops.push(Continued { opening, header, target, blocks, sources, crosses_switch, passed_by });
    }
    loops
}

/// The conditional exit that has the only edge to the continue block, if its other edge continues in the same list, or at the join of the
/// scope around it: once the continue block is no longer its target, this exit leaves no construct and needs a merge block.
fn passed_by(module: &Module, tree: &ControlTree, sources: &[Block], target: Block) -> Option<(Block, Block)> {
    let &[source] = sources else { return None };
    let (block, other) = conditional_exit(module, source, target)?;
    let other: Block = module.cast(other)?;
    let mut edges = module.out_edges(block).filter(|&edge| module.target(edge) == Some(other));
    let goes_on = |edge: Edge| match tree.jump(edge) {
        Some(Jump::Next) => true,
        Some(Jump::Enter(list)) => {
            module.out_edges(tree.last_block(list)).any(|edge| matches!(tree.jump(edge), Some(Jump::Join(_))))
        }
        _ => false,
    };
    edges.any(goes_on).then_some((block, other))
}

/// Returns whether a block contains only parameters and a jump to the header.
fn is_bare(module: &Module, block: Block, header: Block) -> bool {
    let Some(last) = module.terminator(block).filter(|&last| module.op(last) == Op::Branch) else { return false };
    let is_alone = module.previous(last).is_none_or(|other| module.op(other) == Op::BlockParameter);
    is_alone && module.operand(last, operand::TARGET) == header.into()
}

fn lower(module: &mut Module, continued: &Continued) {
    let Continued { opening, header, target, .. } = *continued;
    let is_convergent = |module: &Module| {
        let mut inside = continued.blocks.iter().flat_map(|&block| module.children(block));
        inside.any(|inst| module.op(inst).effects().is_convergent())
    };
    match continued.sources.len() {
        _ if target == header => {
            let latch = insert_latch(module, continued);
            name_continue(module, opening, latch);
        }
        0 => {
            let latch = new_block(module, Op::Block, Position::After(target.into()));
            jump_with(module, latch, header, &[]);
            cut_back_edge(module, continued, latch);
            name_continue(module, opening, latch);
        }
        1 if !continued.crosses_switch || !is_convergent(module) => {
            let latch = insert_latch(module, continued);
            name_continue(module, opening, latch);
            bind_parameters(module, target);
            close_exit(module, continued);
        }
        _ if !continued.crosses_switch => {
            let latch = insert_latch(module, continued);
            name_continue(module, opening, latch);
            let body = split_before_terminator(module, header);
            let opener = new_block(module, Op::Block, Position::After(header.into()));
            module.edit().replace_terminator(header, Op::Branch, &[opener.into()]);
            open_scope(module, opener, body, target);
        }
        _ => top_of_loop::move_to_top(module, continued),
    }
}

fn name_continue(module: &mut Module, opening: Terminator, latch: Block) {
    module.edit().set_operand(opening, operand::CONTINUE, latch);
}

/// Inserts a block that only jumps on the back edge.
fn insert_latch(module: &mut Module, continued: &Continued) -> Block {
    let back = back_edge(module, continued);
    let source = module.block_of(back.terminator).expect("invariant: an edge leaves a block");
    if module.op(back.terminator) != Op::Branch {
        let latch = module.edit().split_edge(back);
        return plain(module, latch);
    }
    let is_edge_alone = module.is_bare_edge(source) && source != continued.target;
    if is_edge_alone && module.parameters(source).next().is_none() {
        return plain(module, source);
    }
    let operands: Vec<Inst> = module.operands(back.terminator).collect();
    let latch = new_block(module, Op::Block, Position::After(source.into()));
    module.edit().append(latch, Op::Branch, None, &operands);
    module.edit().replace_terminator(source, Op::Branch, &[latch.into()]);
    latch
}

/// Replaces an edge block by an ordinary block, which exists in SPIR-V.
fn plain(module: &mut Module, edge: Block) -> Block {
    let block = new_block(module, Op::Block, Position::After(edge.into()));
    let inside: Vec<Inst> = module.children(edge).collect();
    for inst in inside {
        module.edit().move_to(inst, Position::AtEnd(block.into()));
    }
    module.edit().replace_all_uses(edge, block);
    module.edit().delete(edge);
    block
}

fn back_edge(module: &Module, continued: &Continued) -> Edge {
    let mut edges = module.in_edges(continued.header).filter(|edge| edge.terminator != continued.opening);
    edges.next().expect("invariant: a loop has a back edge")
}

/// Ends the old back edge, which is never taken.
fn cut_back_edge(module: &mut Module, continued: &Continued, latch: Block) {
    let edges: Vec<Edge> = module.in_edges(continued.header).collect();
    for edge in edges {
        let source = module.block_of(edge.terminator).expect("invariant: an edge leaves a block");
        if edge.terminator != continued.opening && source != latch {
            module.edit().replace_terminator(source, Op::Unreachable, &[]);
        }
    }
}

/// Turns a conditional exit into the former continue list into an `if`: the code leaves its arm by the jump to the latch.
///
/// ```text
/// ^a: branch_if %x ^c ^b       ⇒       ^a: if %x ^c ^b merge ^b
/// ```
fn close_exit(module: &mut Module, continued: &Continued) {
    let Some((block, other)) = continued.passed_by else { return };
    let header = split_off_header(module, block);
    let branch = module.terminator(header).expect("invariant: the block ends in a branch");
    let mut operands: Vec<Inst> = module.operands(branch).collect();
    let control = module.edit().enumerant(SelectionControl::NONE);
    operands.splice(operand::IF_MERGE..operand::IF_MERGE, [other.into(), control]);
    module.edit().replace_terminator(header, Op::If, &operands);
}
