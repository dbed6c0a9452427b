//! The points where a function or its lane may end: terminators without successors, and calls of functions that may end the lane.
//!
//! A function may end the lane if it has no body, if one of its blocks ends in a terminator without successors that is not a return, or if
//! it calls a function that may. `unreachable` is no end: reaching it is undefined. Linear in the function and in all that it calls.

use reconverge_ir::{Block, Function, Module, Op, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::TripCountFacts;

/// For each prefix of the nodes in preorder of the dominator tree, the number of nodes in which the function or the lane may end.
pub(super) fn ends_before(facts: &TripCountFacts<'_>) -> Vec<usize> {
    let module = facts.module;
    let calls = facts.flow.blocks().iter().flat_map(|&block| callees(module, block));
    let ending = ending_functions(module, calls.collect());
    let may_end = |callee: Option<Function>| callee.is_none_or(|callee| ending.contains(&callee));
    let mut ends = vec![0];
    for (number, &node) in facts.dominators.preorder().iter().enumerate() {
        let block = facts.flow.block(node);
        let is_end = module.terminator(block).is_none_or(|last| ends_function(module, block, last));
        let is_end = is_end || callees(module, block).any(may_end);
        ends.push(ends[number] + usize::from(is_end));
    }
    ends
}

/// The functions that a block calls; `None` for an operand that is not a function of the module.
fn callees(module: &Module, block: Block) -> impl Iterator<Item = Option<Function>> + '_ {
    let calls = module.children(block).filter_map(|inst| view::FunctionCall::of(module, inst));
    calls.map(|call| module.cast(call.function))
}

/// Those of the called functions, and of their callees, that may end the lane.
fn ending_functions(module: &Module, called: Vec<Option<Function>>) -> FxHashSet<Function> {
    let mut callers: FxHashMap<Function, Vec<Function>> = FxHashMap::default();
    let (mut seen, mut ending) = (FxHashSet::default(), FxHashSet::default());
    let mut pending: Vec<Function> = called.into_iter().flatten().collect();
    while let Some(function) = pending.pop() {
        if !seen.insert(function) {
            continue;
        }
        let mut ends = module.entry(function).is_none();
        for block in module.blocks(function) {
            ends |= module.terminator(block).is_none_or(|last| ends_lane(module, block, last));
            for callee in callees(module, block) {
                ends |= callee.is_none();
                let Some(callee) = callee else { continue };
                callers.entry(callee).or_default().push(function);
                pending.push(callee);
            }
        }
        if ends {
            ending.insert(function);
        }
    }
    let mut spread: Vec<Function> = ending.iter().copied().collect();
    while let Some(callee) = spread.pop() {
        let more = callers.get(&callee).into_iter().flatten().copied();
        spread.extend(more.filter(|&caller| ending.insert(caller)));
    }
    ending
}

fn ends_lane(module: &Module, block: Block, last: Terminator) -> bool {
    !matches!(module.op(last), Op::Return | Op::ReturnValue) && ends_function(module, block, last)
}

fn ends_function(module: &Module, block: Block, last: Terminator) -> bool {
    module.op(last) != Op::Unreachable && module.successors(block).next().is_none()
}
