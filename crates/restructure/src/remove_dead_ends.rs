//! Removes paths that lead only to `unreachable`.
//!
//! ```text
//! ^a: switch %n default ^d [0 ^x] [1 ^y]          ^a: switch %n default ^y [0 ^x]
//! ^b: branch_if %c ^d ^x                    ⇒     ^b: branch ^x
//! ^c: store …; branch ^d                          ^c: store …; unreachable
//! ^d: unreachable
//! ```
//!
//! *Requires* stage Graph. *Preserves* every defined run: no lane ever takes such a path. Where lanes diverge and reconverge depends only
//! on the other paths (`docs/convergence.md`), and branches with a merge stay.
//!
//! Removed are blocks without effects that lead to `unreachable`; blocks with effects end in it themselves. If the default of a switch is
//! removed, it is replaced by the target of most values, the last one among equals. A branch whose targets are all removed ends in
//! `unreachable`, but not the function as a whole.
//!
//! Many switches share one such block in optimized code; as a join it would be placed after all of them. Linear.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::effects::{has_effect, may_end};
use reconverge_graph::{DeadEnds, Node};
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator, view};
use rustc_hash::FxHashMap;

use reconverge_rewrite::remove_unreachable::remove_unreachable;

/// Removes paths that lead only to `unreachable`. Returns the number of blocks with a new terminator.
pub fn remove_dead_ends(module: &mut Module, function: Function) -> usize {
    let flow = FlowGraph::compute(module, function);
    let does_nothing = |node: Node| module.children(flow.block(node)).all(|inst| is_silent(module, inst));
    let is_unreachable = |node: Node| {
        let last = module.terminator(flow.block(node));
        last.is_some_and(|last| module.op(last) == Op::Unreachable) && does_nothing(node)
    };
    let dead_ends = DeadEnds::compute(flow.graph(), is_unreachable, does_nothing);
    if dead_ends.is_empty() {
        return 0;
    }
    let is_dead = |block: Block| flow.find(block).is_some_and(|node| dead_ends.contains(node));
    let mut changed = 0;
    for &block in flow.blocks().iter().filter(|&&block| !is_dead(block)) {
        let Some(last) = module.terminator(block) else { continue };
        if let Some((op, operands)) = without_dead_ends(module, last, is_dead) {
            module.edit().replace_terminator(block, op, &operands);
            changed += 1;
        }
    }
    if changed > 0 {
        remove_unreachable(module, function);
    }
    changed
}

/// Returns whether an instruction has no observable effect.
fn is_silent(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    op.is_terminator() || !(has_effect(module, inst) || may_end(op) || op.effects().is_convergent())
}

/// The replacement of a terminator that leads to dead ends and names no merge; `None` for all others.
fn without_dead_ends(module: &Module, last: Terminator, is_dead: impl Fn(Block) -> bool) -> Option<(Op, Vec<Inst>)> {
    let leads_nowhere = |target: Inst| module.cast::<Block>(target).is_some_and(&is_dead);
    let block = module.block_of(last)?;
    let targets: Vec<Inst> = module.successors(block).map(Inst::from).collect();
    let mut left = targets.iter().copied().filter(|&target| !leads_nowhere(target));
    if left.clone().count() == targets.len() {
        return None;
    }
    match (module.op(last), left.next()) {
        (Op::Branch | Op::BranchIf | Op::Switch, None) => Some((Op::Unreachable, Vec::new())),
        (Op::BranchIf, Some(target)) => Some((Op::Branch, vec![target])),
        (Op::Switch, Some(_)) => Some(switch_without(module, last, leads_nowhere)),
        _ => None,
    }
}

/// The replacement of a switch with targets that are dead ends.
fn switch_without(module: &Module, last: Terminator, leads_nowhere: impl Fn(Inst) -> bool) -> (Op, Vec<Inst>) {
    let view::Switch { selector, mut default, cases } = view::Switch::of(module, last).expect("requires: a switch");
    let cases = cases.iter().filter(|case| !leads_nowhere(case.target));
    if leads_nowhere(default) {
        let mut counts: FxHashMap<Inst, usize> = FxHashMap::default();
        cases.clone().for_each(|case| *counts.entry(case.target).or_default() += 1);
        let most = cases.clone().map(|case| case.target).max_by_key(|target| counts[target]);
        default = most.expect("requires: a target leads somewhere");
    }
    let kept = cases.filter(|case| case.target != default).flat_map(|case| [case.literal, case.target]);
    let kept: Vec<Inst> = kept.collect();
    match kept.is_empty() {
        true => (Op::Branch, vec![default]),
        false => (Op::Switch, [&[selector, default], &kept[..]].concat()),
    }
}
