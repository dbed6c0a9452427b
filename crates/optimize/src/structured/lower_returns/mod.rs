//! Gives a function a single exit: one return, outside all constructs, in the last reachable block.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and convergence: a lane that returned early executes nothing after
//! that, and the ballots of other lanes are unchanged. *Breaks* nothing. Idempotent.
//!
//! ```text
//! if %a { return %x }            if %a { } else { rest }
//! rest                    ⇒      ^final(%v): return %v           %v is %x or %y
//! return %y
//! ```
//!
//! Two steps:
//!
//! 1. *Out of loops and switches* (`breaks.rs`). A return inside a loop becomes a break, with a flag and the value as arguments, and a test
//!    after the loop returns. This is the same problem one construct further out. So a return in three nested loops is one flag, passed
//!    from break block to break block, with one test for each loop. A loop or switch that is left in no other way needs neither flag nor
//!    test. A switch inside a loop is left together with the loop.
//! 2. *Out of selections*. If each `if` around a return is left by at most one edge, the code after it moves into the arm of that edge, and
//!    new merge blocks pass the value out (`arms.rs`): no flag and no added construct. Otherwise a scope is opened around the body, a
//!    switch with only a default, and returns leave it to its merge block (`scope.rs`): also without a flag.
//!
//! Convergence: a lane that breaks or leaves a scope escapes all constructs up to it, as a lane that returns escapes all of them (M5), and
//! the tests lead it past all other code. Lanes that stay reconverge where they did before: at the same break block, whose rest is after
//! the test, or in an arm that a single edge led out of, where the lanes that left over it are converged already (M6).
//!
//! Values that are defined on all paths to a break block except the new ones become parameters (`ssa_repair.rs`).
//!
//! A break block that was unreachable may come before the predecessors of its replacement: at the end blocks are reordered (`order.rs`),
//! and unreachable code may then come after the return.
//!
//! Termination: step 1 processes each loop and switch once, from the inside out. Near-linear in the function, plus SSA repair.

mod arms;
mod breaks;
mod scope;

use reconverge_analysis::FlowGraph;
use reconverge_control_tree::ControlTree;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Module, Op, view};

use super::DemandCode;
use super::blocks::repair_failed;
use super::order::put_dominators_first;
use super::view::{make_tree_shaped, tree_of};
use reconverge_rewrite::capabilities::Carriable;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::ssa_repair::repair_ssa;

/// Gives a function a single exit. Returns whether anything changed. See the description of this file.
///
/// # Errors
/// The function is not structured; its values cannot be carried by block parameters.
pub fn lower_returns(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if !module.blocks(function).any(|block| is_return(module, block)) {
        return Ok(false);
    }
    let (tree, is_padded) = make_tree_shaped(module, function)?;
    if is_single_exit(module, function, || Ok(tree))? {
        return Ok(is_padded);
    }
    check_carriable(module, function)?;
    let original = OriginalDominance::compute(module, function);
    end_unreachable(module, function);
    breaks::break_with_flags(module, function)?;
    remove_unreachable(module, function);
    if !is_single_exit(module, function, || tree_of(module, function))? {
        match arms::compute_nesting(module, function)? {
            Some(nesting) => arms::move_into_arms(module, function, &nesting),
            None => scope::leave_scope(module, function),
        }
        remove_unreachable(module, function);
    }
    repair_ssa(module, function, &original).map_err(|error| repair_failed(module, error))?;
    put_dominators_first(module, function);
    Ok(true)
}

/// Returns whether there is no return, or only one, in the outermost list of the function.
fn is_single_exit(
    module: &Module,
    function: Function,
    tree: impl FnOnce() -> Result<ControlTree, Diagnostic>,
) -> Result<bool, Diagnostic> {
    let mut returning = module.blocks(function).filter(|&block| is_return(module, block));
    match (returning.next(), returning.next()) {
        (None, _) => Ok(true),
        (Some(only), None) => Ok(is_at_the_end(&tree()?, only)),
        _ => Ok(false),
    }
}

fn is_at_the_end(tree: &ControlTree, block: Block) -> bool {
    tree.list_of(block) == Some(tree.root())
}

fn is_return(module: &Module, block: Block) -> bool {
    module.terminator(block).is_some_and(|last| matches!(module.op(last), Op::Return | Op::ReturnValue))
}

/// The returned value of a block; `None` in a function without a value.
fn returned(module: &Module, block: Block) -> Option<Inst> {
    view::ReturnValue::of(module, module.terminator(block)?).map(|returned| returned.value)
}

fn return_type(module: &Module, function: Function) -> Option<Inst> {
    module.ty(function).filter(|&ty| module.op(ty) != Op::TypeVoid)
}

fn check_carriable(module: &Module, function: Function) -> Result<(), Diagnostic> {
    let carriable = Carriable::compute(module);
    let mut values = module.blocks(function).filter(|&block| is_return(module, block)).filter_map(|block| {
        let value = returned(module, block)?;
        Some((module.terminator(block)?, value))
    });
    match values.find(|&(_, value)| !carriable.is_carriable(module, value)) {
        None => Ok(()),
        Some((terminator, _)) => {
            let message = "the returned value would need a block parameter, which its type does not allow";
            Err(Diagnostic::new(DemandCode::OpaqueReturn, terminator.inst(), message))
        }
    }
}

/// Replaces the returns of unreachable blocks by `unreachable`.
fn end_unreachable(module: &mut Module, function: Function) {
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let blocks = flow.blocks().iter().copied();
    let dead: Vec<Block> =
        blocks.filter(|&block| !dominators.is_reachable(flow.node(block)) && is_return(module, block)).collect();
    for block in dead {
        module.edit().replace_terminator(block, Op::Unreachable, &[]);
    }
}
