//! Contraction: computes the control-flow graph that a function has in SPIR-V.
//!
//! Edge blocks disappear, and a `loop` becomes a merge instruction of its header:
//!
//! ```text
//! block ^a: loop ^h break ^m continue ^c          a: OpBranch h
//! block ^h: branch_if %x ^body ^e            ⇒    h: OpLoopMerge m c; OpBranchConditional x body m
//! edge ^e: branch ^m                              (e is gone)
//! ```
//!
//! An edge block stays a block
//! - if it is a merge block, break block, continue block or loop header, or the entry;
//! - if an instruction other than its own jump uses its parameters, which then become phis;
//! - if a switch goes to it and it leads to a break block or continue block, which must not be a case (R29);
//! - if it is parallel to an earlier edge and cannot be merged with it: both edges of a conditional branch, or two cases that pass
//!   different arguments;
//! - if it is in a cycle of edge blocks only.

use reconverge_ir::{Block, Inst, Module, Op, terminator, terminator::operand};

use crate::graph::{Body, Graph};
use crate::layout::Line;

const NONE: u32 = u32::MAX;

/// An edge of the contracted graph.
#[derive(Clone, Copy)]
pub(crate) struct FlowEdge {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// True if the edge passes a `loop`.
    pub(crate) is_loop_entry: bool,
}

/// The merge declaration of a header.
#[derive(Clone, Copy)]
pub(crate) struct Merge {
    /// The `if`, `structured_switch` or `loop`.
    pub(crate) terminator: Inst,
    pub(crate) merge: u32,
    /// The continue block, for a loop.
    pub(crate) continue_block: Option<u32>,
}

/// The contracted graph. Nodes are numbered in block order.
pub(crate) struct Contraction<'m> {
    pub(crate) module: &'m Module,
    pub(crate) blocks: Vec<Block>,
    /// By node: its number among the blocks of the function.
    pub(crate) numbers: Vec<u32>,
    /// By block of the function: its node. `None` for those that disappear.
    nodes: Vec<u32>,
    /// By node: its terminator.
    pub(crate) terminators: Vec<Line>,
    /// Grouped by source, in the order of the terminator's operands, with parallel edges.
    pub(crate) edges: Vec<FlowEdge>,
    /// By node: its declaration as a header. That of a loop has priority over that of a selection.
    pub(crate) merges: Vec<Option<Merge>>,
    /// `loop` instructions whose header already has one.
    pub(crate) surplus_loops: Vec<Inst>,
}

impl Contraction<'_> {
    /// Contracts a function. Linear, except for comparing the arguments of parallel edges.
    pub(crate) fn compute<'m>(body: &Body<'m>, graph: &Graph) -> Contraction<'m> {
        let mut folding = Folding::new(body, graph);
        folding.resolve();
        folding.keep_trampolines();
        folding.keep_parallel_edges();
        let count = body.blocks.len();
        let mut contraction = Contraction {
            module: body.module,
            blocks: Vec::with_capacity(count),
            numbers: Vec::with_capacity(count),
            nodes: vec![NONE; count],
            terminators: Vec::with_capacity(count),
            edges: Vec::with_capacity(graph.edges().len()),
            merges: Vec::new(),
            surplus_loops: Vec::new(),
        };
        for number in (0..count).filter(|&number| !folding.is_gone(number)) {
            contraction.nodes[number] = contraction.blocks.len() as u32;
            contraction.blocks.push(body.blocks[number]);
            contraction.numbers.push(number as u32);
            contraction.terminators.push(*folding.terminators[number]);
        }
        for &(source, target) in graph.edges().iter().filter(|edge| !folding.is_gone(edge.0 as usize)) {
            let (target, passed_loop) = folding.lands[target as usize];
            let is_own_loop = folding.terminators[source as usize].op == Op::Loop;
            let [source, target] = [source, target].map(|number| contraction.nodes[number as usize]);
            contraction.edges.push(FlowEdge { source, target, is_loop_entry: is_own_loop || passed_loop });
        }
        contraction.merges = vec![None; contraction.blocks.len()];
        contraction.read_merges(body, &folding.terminators);
        contraction
    }

    fn read_merges(&mut self, body: &Body<'_>, terminators: &[&Line]) {
        let node_of =
            |nodes: &[u32], last: &Line, index: usize| nodes[body.number(body.module.operand(last.inst, index))];
        for last in terminators.iter().filter(|last| last.op == Op::Loop) {
            let node = |index: usize| node_of(&self.nodes, last, index);
            let continue_block = Some(node(operand::CONTINUE));
            let merge = Merge { terminator: last.inst, merge: node(operand::BREAK), continue_block };
            let header = node(operand::TARGET);
            match self.merges[header as usize] {
                Some(_) => self.surplus_loops.push(last.inst),
                None => self.merges[header as usize] = Some(merge),
            }
        }
        for (number, last) in terminators.iter().enumerate() {
            let index = match last.op {
                Op::If => operand::IF_MERGE,
                Op::StructuredSwitch => operand::SWITCH_MERGE,
                _ => continue,
            };
            let merge = Merge { terminator: last.inst, merge: node_of(&self.nodes, last, index), continue_block: None };
            // A loop header that also declares a selection violates R11.
            self.merges[self.nodes[number] as usize].get_or_insert(merge);
        }
    }
}

impl Contraction<'_> {
    /// The op of a block's terminator.
    pub(crate) fn terminator_op(&self, node: u32) -> Op {
        self.terminators[node as usize].op
    }

    /// The node of a block of the function, by number; `None` if it disappears.
    pub(crate) fn node(&self, number: u32) -> Option<u32> {
        Some(self.nodes[number as usize]).filter(|&node| node != NONE)
    }

    /// The merge that a node declares as a loop header.
    pub(crate) fn loop_merge(&self, node: u32) -> Option<(Merge, u32)> {
        let merge = self.merges[node as usize]?;
        Some((merge, merge.continue_block?))
    }

    /// Source and target block of an edge.
    pub(crate) fn ends(&self, edge: FlowEdge) -> (Block, Block) {
        (self.blocks[edge.source as usize], self.blocks[edge.target as usize])
    }
}

/// The edge blocks that disappear, and the targets of the edges to them. Works on block numbers.
struct Folding<'b, 'm> {
    body: &'b Body<'m>,
    graph: &'b Graph,
    terminators: Vec<&'m Line>,
    is_bare: Vec<bool>,
    /// Break blocks and continue blocks of loops.
    closes_loop: Vec<bool>,
    /// The target of an edge to a block, and whether an edge block on the path ends in a `loop`.
    lands: Vec<(u32, bool)>,
}

impl<'b, 'm> Folding<'b, 'm> {
    fn new(body: &'b Body<'m>, graph: &'b Graph) -> Folding<'b, 'm> {
        let module = body.module;
        let terminators: Vec<&Line> = body.terminators().map(|(_, last)| last).collect();
        let mut is_bare: Vec<bool> = (0..terminators.len()).map(|number| stands_for_edge(body, number)).collect();
        let mut closes_loop = vec![false; is_bare.len()];
        is_bare[0] = false;
        for last in &terminators {
            let named: &[usize] = match last.op {
                Op::If => &[operand::IF_MERGE],
                Op::StructuredSwitch => &[operand::SWITCH_MERGE],
                Op::Loop => &[operand::TARGET, operand::BREAK, operand::CONTINUE],
                _ => continue,
            };
            for &index in named {
                let number = body.number(module.operand(last.inst, index));
                is_bare[number] = false;
                closes_loop[number] |= last.op == Op::Loop && index != operand::TARGET;
            }
        }
        let lands = vec![(NONE, false); is_bare.len()];
        Folding { body, graph, terminators, is_bare, closes_loop, lands }
    }

    fn is_gone(&self, number: usize) -> bool {
        self.is_bare[number]
    }

    /// The target of an edge block.
    fn next(&self, number: usize) -> usize {
        self.graph.successors(number as u32).next().expect("invariant: a jump has a target") as usize
    }

    /// Follows every chain of edge blocks to its end, each block once.
    fn resolve(&mut self) {
        let mut is_open = vec![false; self.is_bare.len()];
        let mut chain = Vec::new();
        for start in 0..self.is_bare.len() {
            let mut current = start;
            while self.is_bare[current] && self.lands[current].0 == NONE {
                if std::mem::replace(&mut is_open[current], true) {
                    self.is_bare[current] = false;
                    break;
                }
                chain.push(current);
                current = self.next(current);
            }
            if !self.is_bare[current] {
                self.lands[current] = (current as u32, false);
            }
            while let Some(link) = chain.pop() {
                if self.lands[link].0 == NONE {
                    let (end, passed_loop) = self.lands[self.next(link)];
                    self.lands[link] = (end, passed_loop || self.terminators[link].op == Op::Loop);
                }
            }
        }
    }

    fn keep(&mut self, number: usize) {
        self.is_bare[number] = false;
        self.lands[number] = (number as u32, false);
    }

    fn is_switch(&self, number: usize) -> bool {
        matches!(self.terminators[number].op, Op::Switch | Op::StructuredSwitch)
    }

    fn keep_trampolines(&mut self) {
        let graph = self.graph;
        for block in 0..self.is_bare.len() {
            if !self.is_switch(block) {
                continue;
            }
            for number in graph.successors(block as u32).map(|target| target as usize) {
                if self.is_bare[number] && self.closes_loop[self.lands[number].0 as usize] {
                    self.keep(number);
                }
            }
        }
    }

    fn keep_parallel_edges(&mut self) {
        // By target: the source that was visited last, and the first block of its edge.
        let mut taken: Vec<(u32, u32)> = vec![(NONE, 0); self.is_bare.len()];
        for &(source, target) in self.graph.edges() {
            let landing = self.lands[target as usize].0 as usize;
            let (last, first) = std::mem::replace(&mut taken[landing], (source, target));
            if last != source || first == target {
                continue;
            }
            taken[landing].1 = first;
            if self.is_bare[target as usize] && !self.can_be_one(source, first, target) {
                self.keep(target as usize);
            }
        }
    }

    /// Returns whether two edges of a block with the same target can be one edge.
    fn can_be_one(&self, source: u32, first: u32, second: u32) -> bool {
        self.is_switch(source as usize) && self.arguments(first as usize) == self.arguments(second as usize)
    }

    /// The arguments for the block at the end of a chain of edge blocks; none if there is no chain.
    fn arguments(&self, mut number: usize) -> Vec<Inst> {
        let mut last = None;
        while self.is_bare[number] {
            last = Some(self.terminators[number]);
            number = self.next(number);
        }
        let arguments = last.map(|last| {
            let first = terminator::first_argument(last.op).expect("invariant: a bare edge block ends in a jump");
            self.body.module.operands(last.inst).skip(first).collect()
        });
        arguments.unwrap_or_default()
    }
}

/// Returns whether a block is an edge block, and only its own jump uses its parameters.
fn stands_for_edge(body: &Body<'_>, number: usize) -> bool {
    let module = body.module;
    let block = body.blocks[number];
    if module.op(block) != Op::EdgeBlock || !module.is_bare_edge(block) {
        return false;
    }
    let jump = body.lines(number).last().map(|last| last.inst);
    let is_own = |parameter: &Line| module.uses(parameter.inst).all(|used| Some(used.user) == jump);
    body.parameters(number).iter().all(is_own)
}
