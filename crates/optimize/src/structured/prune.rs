//! Removes unreachable code from a structured function.
//!
//! ```text
//! if %c ^a ^b merge ^m                      if %c ^a ^b merge ^m
//! ^a: return      ^b: branch ^done          ^a: return      ^b: branch ^done
//! ^m: x; loop ^h …                    ⇒     ^m: unreachable
//! ^h: …
//! ```
//!
//! Unreachable blocks are removed, except those that a construct names: a merge or break block keeps only an `unreachable`, and a continue
//! target only a jump back to the header, which passes the header's own parameters. In a reachable continue construct all blocks stay,
//! since each path through it must lead to the latch (R22); an unreachable exit in it may pass values to the break block, which then keeps
//! its parameters.
//!
//! *Requires* a structured function. *Preserves* stage Structured and every run. *Breaks* nothing: values that only removed code defines
//! become `undef` in unreachable code that stays. Linear.

use reconverge_analysis::FlowGraph;
use reconverge_control_tree::{ConstructKind, ControlTree, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Slot, Use};
use rustc_hash::FxHashSet;

use super::view::{make_tree_shaped, tree_of};
use reconverge_rewrite::undef::Undefs;

/// Removes unreachable code from a function with a body, and adds the blocks that a control tree needs. Returns the tree, and whether the
/// function changed.
pub(super) fn make_tree_pruned(module: &mut Module, function: Function) -> Result<(ControlTree, bool), Diagnostic> {
    let (tree, is_padded) = make_tree_shaped(module, function)?;
    match prune(module, function)? {
        true => Ok((tree_of(module, function)?, true)),
        false => Ok((tree, is_padded)),
    }
}

/// Removes unreachable code. Returns whether there was any.
pub(super) fn prune(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let flow = FlowGraph::compute(module, function);
    let order = flow.order();
    let mut kept: FxHashSet<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    if kept.len() == flow.blocks().len() {
        return Ok(false);
    }
    let tree = tree_of(module, function)?;
    let roles = Roles::find(&tree, &mut kept);
    let gone: Vec<Block> = flow.blocks().iter().copied().filter(|block| !kept.contains(block)).collect();
    let emptied: FxHashSet<Block> =
        roles.ends.iter().copied().chain(roles.latches.iter().map(|&(latch, _)| latch)).collect();
    let doomed: Vec<Block> = gone.iter().copied().filter(|block| !emptied.contains(block)).collect();
    let mut changed = !doomed.is_empty();
    let outside: FxHashSet<Inst> = gone.iter().copied().map(Inst::from).collect();
    let mut undefs = Undefs::default();
    for &block in &gone {
        replace_by_undef(module, &mut undefs, &outside, block);
    }
    doomed.into_iter().for_each(|block| module.edit().delete(block));
    for &block in &roles.ends {
        changed |= empty(module, &kept, block, Op::Unreachable, &[]);
    }
    for &(latch, header) in &roles.latches {
        let back: Vec<Inst> = [header.into()].into_iter().chain(module.parameters(header).map(Inst::from)).collect();
        changed |= empty(module, &kept, latch, Op::Branch, &back);
    }
    Ok(changed)
}

/// The unreachable blocks that reachable constructs name.
struct Roles {
    /// Merge and break blocks.
    ends: Vec<Block>,
    /// Continue targets with their headers.
    latches: Vec<(Block, Block)>,
}

impl Roles {
    /// Finds them. `kept` are the reachable blocks; blocks of continue constructs that stay are added.
    fn find(tree: &ControlTree, kept: &mut FxHashSet<Block>) -> Roles {
        let mut roles = Roles { ends: Vec::new(), latches: Vec::new() };
        let mut is_whole = vec![false; tree.lists().len()];
        for list in tree.lists() {
            is_whole[list.index()] = match tree.owner(list) {
                Owner::Function => false,
                Owner::Construct(_, Role::Continue) => kept.contains(&tree.first_block(list)),
                Owner::Construct(construct, _) => is_whole[tree.parent(construct).index()],
            };
            if is_whole[list.index()] {
                kept.extend(tree.blocks_of_list(list));
            }
        }
        for construct in tree.constructs().filter(|construct| kept.contains(&construct.opener)) {
            roles.ends.extend(construct.merge.filter(|merge| !kept.contains(merge)));
            if construct.kind == ConstructKind::Loop
                && let (Some(header), Some(latch)) = (construct.loop_header, construct.continue_target)
                && !kept.contains(&latch)
            {
                roles.latches.push((latch, header));
            }
        }
        roles
    }
}

/// Replaces values that are defined in unreachable blocks by `undef`, in the blocks that stay.
fn replace_by_undef(module: &mut Module, undefs: &mut Undefs, outside: &FxHashSet<Inst>, block: Block) {
    let inside: Vec<(Inst, Inst)> =
        module.children(block).filter_map(|inst| module.ty(inst).map(|ty| (inst, ty))).collect();
    for (inst, ty) in inside {
        let stays = |used: &Use| module.parent(used.user).is_some_and(|parent| !outside.contains(&parent));
        let staying: Vec<Use> = module.uses(inst).filter(stays).collect();
        for used in staying {
            let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type here") };
            let undef = undefs.undef(module, ty);
            module.edit().set_operand(used.user, index, undef);
        }
    }
}

/// Removes all instructions of a block except this terminator, and its parameters unless a block that stays jumps to it. Returns whether
/// anything was removed.
fn empty(module: &mut Module, kept: &FxHashSet<Block>, block: Block, op: Op, operands: &[Inst]) -> bool {
    let is_kept = |edge: Edge| module.block_of(edge.terminator).is_some_and(|source| kept.contains(&source));
    let has_edge = module.in_edges(block).any(is_kept);
    let stays = |inst: Inst| has_edge && module.op(inst) == Op::BlockParameter;
    let inside: Vec<Inst> = module.children(block).filter(|&inst| !stays(inst)).collect();
    let is_done = matches!(inside[..], [last] if module.op(last) == op
        && module.operands(last).eq(operands.iter().copied()));
    if is_done {
        return false;
    }
    let mut editor = module.edit();
    inside.into_iter().rev().for_each(|inst| editor.delete(inst));
    editor.append(block, op, None, operands);
    true
}
