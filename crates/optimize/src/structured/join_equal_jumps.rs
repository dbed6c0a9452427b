//! Combines equal jumps at the ends of both arms of a selection.
//!
//! ```text
//! if %c ^a ^b merge ^m                       if %c ^a ^b merge ^m
//! ^a: x; branch ^done(%p)                    ^a: x; branch ^m(%p)
//! ^b: y; branch ^done(%q)           ⇒        ^b: y; branch ^m(%q)
//! ^m: unreachable                            ^m(%r): branch ^done(%r)
//! ```
//!
//! The same for a conditional exit with two equal edges: it becomes a jump.
//!
//! *Requires* a structured function. *Preserves* stage Structured, every value and every effect. *Breaks* nothing: lanes of both arms
//! reconverge at the merge block first, which only jumps on, to where they reconverged before (M6 to M8), or ends.
//!
//! Jumps are breaks, continues, exits from a switch, returns, and ends of the lane. Different arguments become parameters of the merge
//! block; if a parameter cannot have the type (`capabilities.rs`), the jumps stay. Unreachable code is removed first (`prune.rs`), so that
//! the merge block has no other predecessors.
//!
//! The measure is the number of jumps; each change reduces it, and no pass here copies a jump into arms. Inner selections first, so that an
//! arm that ends in one ends in its jump. Linear, except for the order of blocks (`order.rs`).

use reconverge_control_tree::{ConstructData, ConstructKind, ControlTree, List, Node, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Terminator};

use super::order::put_dominators_first;
use super::prune::make_tree_pruned;
use super::shape::{Arm, arm, is_same_jump, is_single};
use reconverge_rewrite::capabilities::Carriable;

/// Combines equal jumps at the ends of both arms. Returns whether there were any, or unreachable code.
///
/// # Errors
/// [`TreeCode::NotStructured`](reconverge_control_tree::TreeCode::NotStructured).
pub fn join_equal_jumps(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let (tree, mut changed) = make_tree_pruned(module, function)?;
    let carriable = Carriable::compute(module);
    for construct in tree.constructs().rev() {
        changed |= match construct.kind {
            ConstructKind::If => join_arms(module, &tree, construct, carriable),
            ConstructKind::Exit => join_ways(module, construct.opener),
            // The arms of a scope already lead to its join, and lanes must not reconverge before it.
            ConstructKind::Scope | ConstructKind::Switch | ConstructKind::Loop => false,
        };
    }
    if changed {
        put_dominators_first(module, function);
    }
    Ok(changed)
}

/// Replaces a conditional exit with two equal edges by a jump.
fn join_ways(module: &mut Module, opener: Block) -> bool {
    let Some(exit) = module.terminator(opener).filter(|&last| module.op(last) == Op::BranchIf) else { return false };
    let ways = [operand::TRUE, operand::FALSE].map(|way| arm(module, exit, way));
    let [Arm::Jump { block: yes, jump }, Arm::Jump { block: no, jump: other }] = ways else { return false };
    let is_header = || module.in_edges(opener).any(|edge| module.op(edge.terminator) == Op::Loop);
    if !is_same_jump(module, jump, other) || (module.op(jump) != Op::Branch && is_header()) {
        return false;
    }
    let (op, operands) = (module.op(jump), module.operands(jump).collect::<Vec<Inst>>());
    let mut editor = module.edit();
    editor.replace_terminator(opener, op, &operands);
    editor.delete(yes);
    editor.delete(no);
    true
}

/// Replaces the equal jumps at the ends of two arms by one after their merge block.
fn join_arms(module: &mut Module, tree: &ControlTree, construct: &ConstructData, carriable: Carriable) -> bool {
    let name = construct.name();
    let ends = [Role::Then, Role::Else].map(|role| tree.list(name, role).and_then(|list| end_of(module, tree, list)));
    let (Some(merge), [Some(yes), Some(no)]) = (construct.merge, ends) else { return false };
    let is_free = module.in_edges(merge).next().is_none()
        && module.terminator(merge).is_some_and(|last| module.op(last) == Op::Unreachable);
    if !is_free
        || module.op(yes) != module.op(no)
        || !matches!(tree.list_of(merge), Some(list) if is_jump(module, tree, yes, list))
    {
        return false;
    }
    let op = module.op(yes);
    let fixed = first_argument(op).unwrap_or(0);
    let pairs: Vec<(Inst, Inst)> = module.operands(yes).zip(module.operands(no)).collect();
    let differs = |&&(left, right): &&(Inst, Inst)| left != right;
    let is_carried =
        |&(left, right): &(Inst, Inst)| [left, right].iter().all(|&value| carriable.is_carriable(module, value));
    if pairs[..fixed].iter().any(|pair| differs(&pair)) || !pairs.iter().filter(differs).all(is_carried) {
        return false;
    }
    write(module, merge, [yes, no], &pairs);
    true
}

/// The terminator of the last block of a list, if it is a jump with at most one target. Code after a conditional exit that became a jump is
/// removed already.
fn end_of(module: &Module, tree: &ControlTree, list: List) -> Option<Terminator> {
    let blocks = tree.nodes(list).iter().rev().map(|node| match *node {
        Node::Block(block) => block,
        Node::Construct(construct) => construct.opener(),
    });
    let last = blocks.into_iter().find(|&block| module.is_live(block))?;
    module.terminator(last).filter(|&end| is_single(module.op(end)))
}

/// Returns whether a terminator at the end of an arm is a jump that is also valid in the enclosing list.
fn is_jump(module: &Module, tree: &ControlTree, end: Terminator, around: List) -> bool {
    match module.op(end) {
        Op::Return | Op::ReturnValue | Op::Kill | Op::TerminateInvocation => true,
        Op::Branch => {
            let target: Option<Block> = module.cast(module.operand(end, operand::TARGET));
            target.is_some_and(|target| is_left_for(tree, around, target))
        }
        _ => false,
    }
}

/// Returns whether a jump from a list to a block leaves the innermost loop or switch around it, or continues the loop.
fn is_left_for(tree: &ControlTree, around: List, target: Block) -> bool {
    let mut list = around;
    while let Owner::Construct(construct, role) = tree.owner(list) {
        let data = tree.construct(construct);
        match data.kind {
            ConstructKind::Loop if role == Role::Continue => return false,
            ConstructKind::Loop => return data.merge == Some(target) || data.continue_target == Some(target),
            ConstructKind::Switch if data.merge == Some(target) => return true,
            _ => list = data.parent,
        }
    }
    false
}

/// Redirects both arms to the merge block, and gives it the jump.
fn write(module: &mut Module, merge: Block, ends: [Terminator; 2], pairs: &[(Inst, Inst)]) {
    let (op, place) = (module.op(ends[0]), module.terminator(merge).expect("invariant: every block has a terminator"));
    let locations = ends.map(|end| module.location(end));
    let mut editor = module.edit();
    let mut arguments = [vec![merge.inst()], vec![merge.inst()]];
    let mut onwards = Vec::new();
    for &(left, right) in pairs {
        if left == right {
            onwards.push(left);
            continue;
        }
        let ty = editor.module().ty(left);
        onwards.push(editor.insert(Position::Before(place.into()), Op::BlockParameter, ty, &[]));
        arguments[0].push(left);
        arguments[1].push(right);
    }
    let jump = editor.replace_terminator(merge, op, &onwards);
    if locations[0] == locations[1] {
        editor.set_location(jump, locations[0]);
    }
    for (end, arguments) in ends.into_iter().zip(&arguments) {
        let block = editor.module().block_of(end).expect("invariant: a terminator stands in a block");
        editor.replace_terminator(block, Op::Branch, arguments);
    }
}
