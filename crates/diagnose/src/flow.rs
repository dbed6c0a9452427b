//! Control flow of a function for the checks: constant conditions are evaluated, and every block has a shortest path to it.
//!
//! ```text
//! branch_if %true ^a ^b    ⇒    only ^a is a feasible successor
//! switch 3 default ^d [3 ^c]  ⇒  only ^c
//! ```
//!
//! Specialization constants are not evaluated: they can get another value later. The paths are those of a breadth-first search in operand
//! order, so they are shortest and deterministic. Each block knows the last decision on its path, so reporting a path takes time
//! proportional to its decisions. Linear.

use std::collections::VecDeque;

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Graph, Node, Order};
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator, view};

use crate::path::Decision;

/// The control flow of a function with a body.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The function.
    pub(crate) function: Function,
    /// The whole graph; it numbers the blocks.
    pub(crate) whole: FlowGraph,
    /// The same nodes with the edges that constants leave.
    pub(crate) feasible: Graph,
    /// Order and dominators of the feasible graph.
    pub(crate) order: Order,
    /// Dominators of the feasible graph.
    pub(crate) dominators: DominatorTree,
    /// For each node, the last edge with a choice on the path to it, as (source, target).
    decisions: Vec<Option<(Node, Node)>>,
}

impl Flow {
    /// Computes it for a function with a body. Linear.
    pub(crate) fn compute(module: &Module, function: Function) -> Flow {
        let whole = FlowGraph::compute(module, function);
        let lists = whole.blocks().iter().map(|&block| {
            let targets = feasible_targets(module, block).into_iter();
            targets.filter_map(|target| whole.find(target)).collect::<Vec<_>>()
        });
        let feasible = Graph::from_successors(Node::new(0), lists);
        let order = Order::compute_reverse_post_order(&feasible);
        let dominators = DominatorTree::compute(&feasible, &order);
        let decisions = decisions(&feasible);
        Flow { function, whole, feasible, order, dominators, decisions }
    }

    /// Returns whether control can reach a node, as far as constants show.
    pub(crate) fn is_reachable(&self, node: Node) -> bool {
        self.order.position(node).is_some()
    }

    /// The decisions on the shortest path to a node, last first.
    pub(crate) fn decisions_before(&self, node: Node) -> impl Iterator<Item = Decision> + '_ {
        let last = self.decisions[node.index()];
        std::iter::successors(last, |(source, _)| self.decisions[source.index()])
            .map(|(source, target)| Decision { source: self.whole.block(source), target: self.whole.block(target) })
    }
}

/// The blocks that control can go to from a block, in operand order with repeats, without those that a constant excludes.
pub(crate) fn feasible_targets(module: &Module, block: Block) -> Vec<Block> {
    let chosen = module.terminator(block).and_then(|terminator| constant_choice(module, terminator));
    match chosen {
        Some(chosen) => module.cast(chosen).into_iter().collect(),
        None => module.successors(block).collect(),
    }
}

/// The block that a branch on a constant goes to.
fn constant_choice(module: &Module, branch: Terminator) -> Option<Inst> {
    if let Some(selection) = view::Selection::of(module, branch) {
        let words = view::Constant::of(module, selection.selector)?.value;
        let case = selection.cases.iter().find(|case| module.literal_words(case.literal) == words);
        return Some(case.map_or(selection.default, |case| case.target));
    }
    let view::Conditional { condition, true_target, false_target, .. } = view::Conditional::of(module, branch)?;
    match module.op(condition) {
        Op::ConstantTrue => Some(true_target),
        Op::ConstantFalse => Some(false_target),
        _ => None,
    }
}

/// For each node, the last edge of its breadth-first path that leaves a node with several successors.
fn decisions(graph: &Graph) -> Vec<Option<(Node, Node)>> {
    let mut decisions = vec![None; graph.len()];
    let mut is_seen = vec![false; graph.len()];
    let mut queue = VecDeque::new();
    if !graph.is_empty() {
        is_seen[graph.entry().index()] = true;
        queue.push_back(graph.entry());
    }
    while let Some(node) = queue.pop_front() {
        let successors = graph.successors(node);
        let chooses = successors.iter().any(|&other| other != successors[0]);
        for &target in successors {
            if !std::mem::replace(&mut is_seen[target.index()], true) {
                decisions[target.index()] = if chooses { Some((node, target)) } else { decisions[node.index()] };
                queue.push_back(target);
            }
        }
    }
    decisions
}
