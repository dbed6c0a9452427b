//! Barriers that lanes may reach in different iterations of a loop.
//!
//! In a structured function lanes are converged if they are in the same iterations. In a function without structure a barrier implies that
//! all lanes reach it, and early lanes wait for the others. The two agree if every lane executes the same number of iterations between one
//! barrier and the next:
//!
//! ```text
//!    ┌▶ ^h ──┐ %some          lanes through ^a reach the barrier one iteration later than those through ^b: at ^h the paths to it
//!    │  ▼    ▼                take the back edge 1 and 0 times
//!    │  ^b   ^a ──▶ ^c
//!    │  barrier      │
//!    │  ▼            │
//!    └─ ^c ◀─────────┘
//! ```
//!
//! For each block of a loop and each barrier in it, the analysis computes whether paths without another barrier reach the barrier with no
//! back edge of the loop, or with at least one. This is propagated backwards, 64 barriers at a time, to a fixed point. A branch on a
//! condition that may differ is reported with a barrier that one of its edges reaches without a back edge, and another one with a back
//! edge.
//!
//! A loop includes the break blocks that stay in it (docs/convergence.md). A cycle with several entries is skipped: the structurizer
//! reports it. Calls are skipped too: only barriers of the function itself count. O(edges) for each loop that contains a barrier, and for
//! each pass over it; the number of passes is one more than the nesting depth in it.

use std::cmp::Reverse;

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Node, Order};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Stage, Terminator};
use rustc_hash::FxHashSet;

use crate::FlowGraph;
use crate::effects::waits_for_all;
use crate::uniformity::{ModuleUniformity, Scope};

/// A barrier that lanes may reach in different iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MisalignedBarrier {
    /// The function.
    pub function: Function,
    /// The barrier, or another operation that all lanes must reach.
    pub barrier: Inst,
    /// The block at whose end the lanes diverge.
    pub branch: Block,
    /// The header of the loop.
    pub header: Block,
}

/// The barriers of functions at stage Graph that lanes may reach in different iterations, each once for a loop.
pub fn find_misaligned_barriers(module: &Module) -> Vec<MisalignedBarrier> {
    let is_bare = |&function: &Function| module.entry(function).is_some() && module.stage(function) == Stage::Graph;
    let mut uniformity: Option<ModuleUniformity> = None;
    let mut found: Vec<MisalignedBarrier> = Vec::new();
    for function in module.functions().filter(is_bare) {
        let Some(shape) = BarrierGraph::compute(module, function) else { continue };
        let mut told = FxHashSet::default();
        for apart in shape.forest.cycles().flat_map(|cycle| shape.apart(module, cycle)) {
            let facts = uniformity.get_or_insert_with(|| ModuleUniformity::compute(module, Scope::Workgroup));
            let (facts, end) = (facts.function(function), module.terminator(apart.branch));
            let is_uniform =
                |end: Terminator| facts.is_some_and(|facts| facts.of_use(end.inst(), operand::CONDITION).is_uniform());
            if !end.is_some_and(is_uniform) && told.insert((apart.barrier, apart.header)) {
                found.push(apart);
            }
        }
    }
    found
}

/// A function without structure that has a barrier.
struct BarrierGraph {
    function: Function,
    flow: FlowGraph,
    order: Order,
    dominators: DominatorTree,
    forest: CycleForest,
    /// By node: the first operation that waits for all lanes.
    barriers: Vec<Option<Inst>>,
}

impl BarrierGraph {
    /// Computes the graph. `None` for a function without a barrier.
    fn compute(module: &Module, function: Function) -> Option<BarrierGraph> {
        let barrier = |block: Block| module.children(block).find(|&inst| waits_for_all(module.op(inst)));
        let barriers: Vec<Option<Inst>> = module.blocks(function).map(barrier).collect();
        barriers.iter().any(Option::is_some).then(|| {
            let flow = FlowGraph::compute(module, function);
            let (order, dominators) = flow.dominators();
            let forest = CycleForest::compute(flow.graph(), &order, &dominators);
            BarrierGraph { function, flow, order, dominators, forest, barriers }
        })
    }

    /// The branches of a loop that decide in which iteration lanes reach a barrier, each with the first such barrier.
    fn apart(&self, module: &Module, cycle: Cycle) -> Vec<MisalignedBarrier> {
        let header = self.forest.header(cycle);
        let inside = if self.forest.is_reducible(cycle) { self.inside(cycle) } else { Vec::new() };
        let is_waiting = |&node: &Node| self.barriers[node.index()].is_some();
        let waiting: Vec<Node> = inside.iter().copied().filter(is_waiting).collect();
        let mut found = Vec::new();
        for together in waiting.chunks(u64::BITS as usize) {
            let ways = LoopPaths::compute(self, header, &inside, together);
            for &node in inside.iter().rev() {
                let decided = ways.decided(self, node).trailing_zeros() as usize;
                let barrier = together.get(decided).and_then(|barrier| self.barriers[barrier.index()]);
                let [branch, header] = [node, header].map(|node| self.flow.block(node));
                let told = |barrier| MisalignedBarrier { function: self.function, barrier, branch, header };
                found.extend(barrier.map(told).filter(|_| module.terminator(branch).is_some()));
            }
        }
        found
    }

    /// The blocks of a loop, with the break blocks that stay in it, each after its successors, ignoring back edges.
    fn inside(&self, cycle: Cycle) -> Vec<Node> {
        let mut nodes = self.staying(cycle);
        nodes.extend(self.forest.blocks(cycle));
        nodes.sort_unstable_by_key(|&node| Reverse(self.order.position(node)));
        nodes
    }

    /// The code after a break block that stays in the loop, and the block itself.
    fn staying(&self, cycle: Cycle) -> Vec<Node> {
        let (graph, header) = (self.flow.graph(), self.forest.header(cycle));
        let is_inside = |node: Node| self.forest.contains(cycle, node);
        let mut latches = graph.predecessors(header).iter().filter(|&&node| is_inside(node));
        let latch = latches.next().filter(|_| latches.next().is_none());
        let exits = self.forest.blocks(cycle).iter().flat_map(|&node| graph.successors(node));
        let mut exits: Vec<Node> = exits.copied().filter(|&target| !is_inside(target)).collect();
        exits.sort_unstable();
        exits.dedup();
        let is_break_block = |node: Node, above: Node| {
            let comes_after = above == header || Some(&above) == latch;
            exits.len() > 1 && graph.predecessors(node).len() == 1 && !comes_after
        };
        let below = self.dominators.pre(header)..self.dominators.pre(header) + self.dominators.subtree_size(header);
        let mut stays: Vec<bool> = vec![false; below.len()];
        let mut staying = Vec::new();
        for &node in self.dominators.preorder()[below.clone()].iter().filter(|&&node| !is_inside(node)) {
            let Some(above) = self.dominators.idom(node) else { continue };
            let is_staying = match is_inside(above) {
                true => is_break_block(node, above),
                false => stays[self.dominators.pre(above) - below.start],
            };
            if is_staying {
                stays[self.dominators.pre(node) - below.start] = true;
                staying.push(node);
            }
        }
        staying
    }
}

/// Barriers that paths reach, one per bit: without a back edge of the loop, and with at least one.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Reached {
    now: u64,
    later: u64,
}

/// The barriers that paths through a loop reach.
struct LoopPaths {
    header: Node,
    /// By position in the preorder of the dominator tree, from the header's on: the barriers that paths from the beginning of a block
    /// reach. `None` outside the loop.
    reached: Vec<Option<Reached>>,
}

impl LoopPaths {
    /// Computes the paths for the blocks of a loop, and these barriers in it.
    fn compute(shape: &BarrierGraph, header: Node, inside: &[Node], together: &[Node]) -> LoopPaths {
        let mut ways = LoopPaths { header, reached: vec![None; shape.dominators.subtree_size(header)] };
        for &node in inside {
            let place = ways.place(shape, node);
            ways.reached[place] = Some(Reached::default());
        }
        for (bit, &node) in together.iter().enumerate() {
            let place = ways.place(shape, node);
            ways.reached[place] = Some(Reached { now: 1 << bit, later: 0 });
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &node in inside.iter().filter(|node| shape.barriers[node.index()].is_none()) {
                let mut joined = Reached::default();
                for way in shape.flow.graph().successors(node).iter().map(|&target| ways.by(shape, target)) {
                    joined = Reached { now: joined.now | way.now, later: joined.later | way.later };
                }
                let place = ways.place(shape, node);
                changed |= ways.reached[place].replace(joined) != Some(joined);
            }
        }
        ways
    }

    fn place(&self, shape: &BarrierGraph, node: Node) -> usize {
        shape.dominators.pre(node) - shape.dominators.pre(self.header)
    }

    /// The barriers that an edge to a block reaches.
    fn by(&self, shape: &BarrierGraph, target: Node) -> Reached {
        if !shape.dominators.dominates(self.header, target) {
            return Reached::default();
        }
        let reached = self.reached[self.place(shape, target)].unwrap_or_default();
        match target == self.header {
            true => Reached { now: 0, later: reached.now | reached.later },
            false => reached,
        }
    }

    /// The barriers that one edge out of a block reaches in this iteration, and another one in a later iteration.
    fn decided(&self, shape: &BarrierGraph, node: Node) -> u64 {
        let mut targets = shape.flow.graph().successors(node).to_vec();
        targets.sort_unstable();
        targets.dedup();
        let (mut before, mut decided) = (Reached::default(), 0);
        for way in targets.into_iter().map(|target| self.by(shape, target)) {
            decided |= way.now & before.later | way.later & before.now;
            before = Reached { now: before.now | way.now, later: before.later | way.later };
        }
        decided
    }
}
