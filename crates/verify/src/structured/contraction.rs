//! Contraction: the control flow graph that a function has in SPIR-V.
//!
//! Bare edge blocks stand for edges and disappear, and a `loop` becomes a merge instruction on its header:
//!
//! ```text
//! block ^a: loop ^h break ^m continue ^c          a: OpBranch h
//! block ^h: branch_if %x ^body ^e            ⇒    h: OpLoopMerge m c; OpBranchConditional x body m
//! edge ^e: branch ^m                              (e is gone)
//! ```
//!
//! A bare edge block stays a block
//! - if it is a merge block, break block, continue block or loop header, or the entry;
//! - if something besides its own jump uses its parameters, which then need a place for their phis;
//! - if a switch goes to it and it leads to a break block or continue block, which no case may name (R29);
//! - if it shares source and target with an edge before it that it cannot be one with: both ways of a conditional branch, or two
//!   cases that pass different arguments;
//! - if bare edge blocks go in a circle with nothing else.

use reconverge_ir::{Block, Inst, Module, Op, Terminator};

use crate::graph::Body;

const NONE: u32 = u32::MAX;

/// An edge of the contracted graph.
#[derive(Clone, Copy)]
pub(crate) struct FlowEdge {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// Whether a `loop` stands on the way.
    pub(crate) is_loop_entry: bool,
}

/// What a header declares.
#[derive(Clone, Copy)]
pub(crate) struct Merge {
    /// The `if`, `structured_switch` or `loop`.
    pub(crate) terminator: Terminator,
    pub(crate) merge: u32,
    /// The continue block, for a loop.
    pub(crate) continue_block: Option<u32>,
}

/// The contracted graph. Nodes are numbered in block order.
pub(crate) struct Contraction<'m> {
    pub(crate) module: &'m Module,
    pub(crate) blocks: Vec<Block>,
    /// Grouped by source, in the order of the terminator's operands, repeats kept.
    pub(crate) edges: Vec<FlowEdge>,
    /// By node: what it declares as a header. A loop goes before a selection.
    pub(crate) merges: Vec<Option<Merge>>,
    /// `loop` instructions whose header already has one.
    pub(crate) surplus_loops: Vec<Terminator>,
}

impl Contraction<'_> {
    /// Contracts a function. Linear, but for comparing the arguments of edges that could be one.
    pub(crate) fn compute<'m>(body: &Body<'m>) -> Contraction<'m> {
        let mut folding = Folding::new(body);
        folding.resolve();
        folding.keep_trampolines();
        folding.keep_parallel_edges();
        let mut nodes = vec![NONE; body.blocks.len()];
        let mut blocks = Vec::new();
        for (number, &block) in body.blocks.iter().enumerate().filter(|&(number, _)| !folding.is_gone(number)) {
            nodes[number] = blocks.len() as u32;
            blocks.push(block);
        }
        let mut edges = Vec::new();
        for (source, &block) in blocks.iter().enumerate() {
            for target in body.module.successors(block) {
                let (target, passed_loop) = folding.lands[body.number(target)];
                let is_own_loop = body.module.terminator(block).is_some_and(|last| body.module.op(last) == Op::Loop);
                let edge = FlowEdge {
                    source: source as u32,
                    target: nodes[target as usize],
                    is_loop_entry: is_own_loop || passed_loop,
                };
                edges.push(edge);
            }
        }
        let mut contraction = Contraction {
            module: body.module,
            merges: vec![None; blocks.len()],
            blocks,
            edges,
            surplus_loops: Vec::new(),
        };
        contraction.read_merges(body, &nodes);
        contraction
    }

    fn read_merges(&mut self, body: &Body<'_>, nodes: &[u32]) {
        let module = body.module;
        let node = |block: Block| nodes[body.number(block)];
        let terminators = body.blocks.iter().filter_map(|&block| Some((block, module.terminator(block)?)));
        for (_, terminator) in terminators.clone().filter(|&(_, terminator)| module.op(terminator) == Op::Loop) {
            let header = module.cast(module.operand(terminator, 0)).map(node).expect("invariant: a target is a block");
            let merge = module.merge_block(terminator).map(node).expect("invariant: a loop has a break block");
            let merge = Merge { terminator, merge, continue_block: module.continue_block(terminator).map(node) };
            match self.merges[header as usize] {
                Some(_) => self.surplus_loops.push(terminator),
                None => self.merges[header as usize] = Some(merge),
            }
        }
        for (block, terminator) in terminators.filter(|&(_, terminator)| module.op(terminator) != Op::Loop) {
            let Some(merge) = module.merge_block(terminator).map(node) else { continue };
            // A loop header that declares a selection as well breaks R11, whatever is declared.
            self.merges[node(block) as usize].get_or_insert(Merge { terminator, merge, continue_block: None });
        }
    }
}

impl Contraction<'_> {
    /// The op of a block's terminator.
    pub(crate) fn terminator_op(&self, node: u32) -> Op {
        let block = self.blocks[node as usize];
        self.module.terminator(block).map_or(Op::Unreachable, |terminator| self.module.op(terminator))
    }

    /// What a node declares as a loop header.
    pub(crate) fn loop_merge(&self, node: u32) -> Option<(Merge, u32)> {
        let merge = self.merges[node as usize]?;
        Some((merge, merge.continue_block?))
    }

    /// Source and target block of an edge.
    pub(crate) fn ends(&self, edge: FlowEdge) -> (Block, Block) {
        (self.blocks[edge.source as usize], self.blocks[edge.target as usize])
    }
}

/// Which bare edge blocks disappear, and where the edges that go to them lead. Works on block numbers.
struct Folding<'b, 'm> {
    body: &'b Body<'m>,
    is_bare: Vec<bool>,
    /// Break blocks and continue blocks of loops.
    closes_loop: Vec<bool>,
    /// Where an edge to a block lands, and whether a `loop` of a bare edge block is on the way.
    lands: Vec<(u32, bool)>,
}

impl<'b, 'm> Folding<'b, 'm> {
    fn new(body: &'b Body<'m>) -> Folding<'b, 'm> {
        let module = body.module;
        let stands_for_edge = |&block: &Block| module.is_bare_edge(block) && passes_on_alone(module, block);
        let mut is_bare: Vec<bool> = body.blocks.iter().map(stands_for_edge).collect();
        let mut closes_loop = vec![false; is_bare.len()];
        is_bare[0] = false;
        for terminator in body.blocks.iter().filter_map(|&block| module.terminator(block)) {
            let is_loop = module.op(terminator) == Op::Loop;
            for block in module.merge_block(terminator).into_iter().chain(module.continue_block(terminator)) {
                is_bare[body.number(block)] = false;
                closes_loop[body.number(block)] |= is_loop;
            }
            if let Some(header) = is_loop.then(|| module.cast(module.operand(terminator, 0))).flatten() {
                is_bare[body.number(header)] = false;
            }
        }
        let lands = vec![(NONE, false); is_bare.len()];
        Folding { body, is_bare, closes_loop, lands }
    }

    fn is_gone(&self, number: usize) -> bool {
        self.is_bare[number]
    }

    fn jump(&self, number: usize) -> (Terminator, usize) {
        let module = self.body.module;
        let terminator = module.terminator(self.body.blocks[number]).expect("invariant: every block has a terminator");
        let target = module.cast(module.operand(terminator, 0)).expect("invariant: a target is a block");
        (terminator, self.body.number(target))
    }

    /// Follows every chain of bare edge blocks to its end, each block once.
    fn resolve(&mut self) {
        let mut is_open = vec![false; self.is_bare.len()];
        for start in 0..self.is_bare.len() {
            let mut chain = Vec::new();
            let mut current = start;
            while self.is_bare[current] && self.lands[current].0 == NONE {
                if std::mem::replace(&mut is_open[current], true) {
                    self.is_bare[current] = false;
                    break;
                }
                chain.push(current);
                current = self.jump(current).1;
            }
            if !self.is_bare[current] {
                self.lands[current] = (current as u32, false);
            }
            while let Some(link) = chain.pop() {
                if self.lands[link].0 == NONE {
                    let (terminator, next) = self.jump(link);
                    let (end, passed_loop) = self.lands[next];
                    self.lands[link] = (end, passed_loop || self.body.module.op(terminator) == Op::Loop);
                }
            }
        }
    }

    fn keep(&mut self, number: usize) {
        self.is_bare[number] = false;
        self.lands[number] = (number as u32, false);
    }

    fn keep_trampolines(&mut self) {
        let module = self.body.module;
        for &block in &self.body.blocks {
            let op = module.terminator(block).map(|terminator| module.op(terminator));
            if !matches!(op, Some(Op::Switch | Op::StructuredSwitch)) {
                continue;
            }
            for target in module.successors(block) {
                let number = self.body.number(target);
                if self.is_bare[number] && self.closes_loop[self.lands[number].0 as usize] {
                    self.keep(number);
                }
            }
        }
    }

    fn keep_parallel_edges(&mut self) {
        let module = self.body.module;
        // By landing block: the source that was looked at last, and the block that its edge went to first.
        let mut taken: Vec<(usize, Block)> = vec![(usize::MAX, self.body.blocks[0]); self.is_bare.len()];
        for (source, &block) in self.body.blocks.iter().enumerate() {
            let Some(terminator) = module.terminator(block) else { continue };
            let is_switch = matches!(module.op(terminator), Op::Switch | Op::StructuredSwitch);
            for target in module.successors(block) {
                let number = self.body.number(target);
                let landing = self.lands[number].0 as usize;
                let (last, first) = std::mem::replace(&mut taken[landing], (source, target));
                if last != source || first == target {
                    continue;
                }
                taken[landing].1 = first;
                let can_be_one = is_switch && self.arguments(first) == self.arguments(target);
                if self.is_bare[number] && !can_be_one {
                    self.keep(number);
                }
            }
        }
    }

    /// What is passed to the block at the end of a chain of bare edge blocks; nothing where there is no chain.
    fn arguments(&self, block: Block) -> Vec<Inst> {
        let mut number = self.body.number(block);
        let mut arguments = Vec::new();
        while self.is_bare[number] {
            let (terminator, next) = self.jump(number);
            arguments = self.body.module.arguments(terminator).collect();
            number = next;
        }
        arguments
    }
}

/// Whether nothing but a block's own jump uses its parameters.
fn passes_on_alone(module: &Module, block: Block) -> bool {
    let jump = module.terminator(block).map(Inst::from);
    module.parameters(block).all(|parameter| module.uses(parameter).all(|used| Some(used.user) == jump))
}
