//! The part of each iteration of its loop in which a block is executed.

use reconverge_graph::Node;
use reconverge_ir::{Block, Module, Op, Terminator, view};
use smallvec::SmallVec;

use super::{Frequency, FunctionFacts};
use crate::FlowGraph;

/// The denominator of parts.
const WHOLE: u32 = 1 << 16;
/// The ratio of the likelihoods of an expected edge and another; edges to dead ends are as much less likely.
const LIKELY: u64 = 16;
/// The logarithm of the number of lanes that decide independently at a divergent branch.
const LANES_LOG2: u32 = 5;

/// The part of each block that control reaches, by node.
pub(super) fn compute_parts(
    module: &Module,
    facts: FunctionFacts<'_>,
    is_divergent: impl Fn(Block) -> bool,
) -> Vec<Option<Frequency>> {
    let FunctionFacts { flow, order, dominators, .. } = facts;
    let mut parts: Vec<Option<Frequency>> = vec![None; flow.graph().len()];
    for &node in order.sequence() {
        let Some(idom) = dominators.idom(node) else {
            parts[node.index()] = Some(Frequency::ONE);
            share_out(module, facts, node, &is_divergent, &mut parts);
            continue;
        };
        let most = parts[idom.index()].expect("dominators come first");
        let own = parts[node.index()].map_or(most, |sum| sum.min(most));
        parts[node.index()] = Some(own);
        share_out(module, facts, node, &is_divergent, &mut parts);
    }
    parts
}

/// Distributes the part of a block to its successors, except to those before it.
fn share_out(
    module: &Module,
    facts: FunctionFacts<'_>,
    node: Node,
    is_divergent: &impl Fn(Block) -> bool,
    parts: &mut [Option<Frequency>],
) {
    let FunctionFacts { flow, order, cycles, .. } = facts;
    let Some(part) = parts[node.index()] else { return };
    let mut add = |target: Node, added: Frequency| {
        let sum = &mut parts[target.index()];
        *sum = Some(sum.map_or(added, |sum| sum.plus(added)));
    };
    if let &[target] = flow.graph().successors(node) {
        // A single edge has the whole part.
        if !order.is_retreating(node, target) {
            add(target, part);
        }
        return;
    }
    let cycle = cycles.innermost(node);
    let edges: SmallVec<[(Node, u64, bool); 2]> = weighted_edges(module, flow, node)
        .map(|(target, weight)| (target, weight, cycle.is_some_and(|cycle| !cycles.contains(cycle, target))))
        .collect();
    let sum = |leaving: bool| edges.iter().filter(|edge| edge.2 == leaving).map(|edge| edge.1).sum::<u64>();
    let sums = [sum(false), sum(true)];
    let parts_ways = !edges.is_empty() && is_divergent(flow.block(node));
    for &(target, weight, leaves) in &edges {
        if order.is_retreating(node, target) {
            continue;
        }
        let total = sums[usize::from(leaves)].max(1);
        let mut share = (weight * u64::from(WHOLE) / total) as u32;
        if parts_ways {
            share = any_of_lanes(share);
        }
        add(target, part.scaled(Frequency::part(share, WHOLE)));
    }
}

/// The part of subgroups in which at least one lane takes an edge that this part of lanes takes.
fn any_of_lanes(share: u32) -> u32 {
    let mut none = u64::from(WHOLE - share.min(WHOLE));
    for _ in 0..LANES_LOG2 {
        none = none * none / u64::from(WHOLE);
    }
    WHOLE - none as u32
}

/// The edges that leave a block, each with its weight, at least one and at most 2³².
fn weighted_edges<'f>(module: &'f Module, flow: &'f FlowGraph, node: Node) -> impl Iterator<Item = (Node, u64)> + 'f {
    let told = module.terminator(flow.block(node)).and_then(|terminator| told_weights(module, terminator));
    flow.graph().successors(node).iter().enumerate().map(move |(number, &target)| {
        let weight = match told {
            Some(weights) => weights[number.min(1)].max(1),
            None if is_dead_end(module, flow, target) => 1,
            None => LIKELY,
        };
        (target, weight)
    })
}

/// The weights of the edges of a two-way branch, if the input specifies them.
fn told_weights(module: &Module, terminator: Terminator) -> Option<[u64; 2]> {
    let view::Conditional { condition, weights, .. } = view::Conditional::of(module, terminator)?;
    if let (Some(yes), Some(no)) = (weights.at(0), weights.at(1)) {
        return Some([u64::from(yes), u64::from(no)]).filter(|_| yes != 0 || no != 0);
    }
    match module.op(view::ExpectKHR::of(module, condition)?.expected) {
        Op::ConstantTrue => Some([LIKELY, 1]),
        Op::ConstantFalse => Some([1, LIKELY]),
        _ => None,
    }
}

/// Returns whether a block ends in a terminator that control never reaches.
fn is_dead_end(module: &Module, flow: &FlowGraph, node: Node) -> bool {
    let is_unreachable = |last: Terminator| module.op(last) == Op::Unreachable;
    flow.graph().successors(node).is_empty() && module.terminator(flow.block(node)).is_some_and(is_unreachable)
}
