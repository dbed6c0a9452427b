//! A function as the structurizer sees it: blocks by number, and original edges with what they carry.
//!
//! Bare edge blocks stand for edges, so they are seen through: an original edge goes from a block to the next block that is one.
//!
//! ```text
//! branch_if %c ^e ^x          original edge (a, 0) ──▶ m   carries %v
//! edge ^e: branch ^m(%v)  ⇒   original edge (a, 1) ──▶ x
//! ```

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Terminator, terminator::operand};
use reconverge_structurize::{Branch, ControlFlow, InputBlock};
use rustc_hash::FxHashMap;

/// A function's blocks and original edges. Numbers are dense, in the order in which the blocks stand.
pub(super) struct Input {
    pub(super) blocks: Vec<Block>,
    pub(super) terminators: Vec<Terminator>,
    branches: Vec<Branch>,
    convergent: Vec<bool>,
    targets: Vec<Vec<InputBlock>>,
    arguments: Vec<Vec<Vec<Inst>>>,
    /// Edge blocks that were seen through; the rewriting makes them anew where they are due.
    pub(super) edge_blocks: Vec<Block>,
}

impl Input {
    /// The reachable part of a function.
    pub(super) fn collect(module: &Module, function: Function) -> Input {
        let flow = FlowGraph::compute(module, function);
        let (order, _) = flow.dominators();
        let entry = module.entry(function);
        let reachable = |block: Block| flow.find(block).is_some_and(|node| order.position(node).is_some());
        let seen_through = |block: Block| Some(block) != entry && stands_for_edge(module, block);
        let all = flow.blocks().iter().copied().filter(|&block| reachable(block));
        let (edge_blocks, blocks): (Vec<Block>, Vec<Block>) = all.partition(|&block| seen_through(block));
        let numbered = blocks.iter().enumerate().map(|(number, &block)| (block, InputBlock::new(number)));
        let numbers: FxHashMap<Block, InputBlock> = numbered.collect();
        let mut input = Input {
            terminators: Vec::new(),
            branches: Vec::new(),
            convergent: Vec::new(),
            targets: Vec::new(),
            arguments: Vec::new(),
            edge_blocks,
            blocks,
        };
        for index in 0..input.blocks.len() {
            input.add_block(module, &numbers, index);
        }
        input
    }

    fn add_block(&mut self, module: &Module, numbers: &FxHashMap<Block, InputBlock>, index: usize) {
        let block = self.blocks[index];
        let terminator = module.terminator(block).expect("requires: every block has a terminator");
        let (mut targets, mut arguments) = (Vec::new(), Vec::new());
        for edge in module.out_edges(block) {
            let (target, passed) = original_edge(module, edge, numbers);
            targets.push(target);
            arguments.push(passed);
        }
        self.terminators.push(terminator);
        self.branches.push(match module.op(terminator) {
            Op::Branch | Op::Loop => Branch::Jump,
            Op::BranchIf | Op::If => Branch::Conditional,
            Op::Switch | Op::StructuredSwitch => Branch::Switch,
            _ => Branch::Exit,
        });
        self.convergent.push(module.children(block).any(|inst| module.op(inst).effects().is_convergent()));
        self.targets.push(targets);
        self.arguments.push(arguments);
    }

    /// The block of a number.
    pub(super) fn block(&self, block: InputBlock) -> Block {
        self.blocks[block.index()]
    }

    /// The condition or selector of a block's multi-way branch.
    pub(super) fn condition(&self, module: &Module, block: InputBlock) -> Inst {
        module.operand(self.terminators[block.index()], operand::CONDITION)
    }

    /// The arguments that an original edge carries, one for each parameter of its target.
    pub(super) fn arguments(&self, source: InputBlock, successor: usize) -> &[Inst] {
        &self.arguments[source.index()][successor]
    }

    /// Where an original edge goes.
    pub(super) fn target(&self, source: InputBlock, successor: usize) -> InputBlock {
        self.targets[source.index()][successor]
    }
}

impl ControlFlow for Input {
    fn block_count(&self) -> usize {
        self.blocks.len()
    }

    fn entry(&self) -> InputBlock {
        InputBlock::new(0)
    }

    fn branch(&self, block: InputBlock) -> Branch {
        self.branches[block.index()]
    }

    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        &self.targets[block.index()]
    }

    fn is_convergent(&self, block: InputBlock) -> bool {
        self.convergent[block.index()]
    }
}

/// Whether a block is a bare edge block with one way in, so that it stands for exactly one edge.
fn stands_for_edge(module: &Module, block: Block) -> bool {
    module.is_bare_edge(block) && module.in_edges(block).nth(1).is_none()
}

/// Follows an edge through edge blocks to its target, and the arguments with it.
fn original_edge(module: &Module, edge: Edge, numbers: &FxHashMap<Block, InputBlock>) -> (InputBlock, Vec<Inst>) {
    let mut target = module.target(edge).expect("requires: edges go to blocks");
    let mut passed: Vec<Inst> = module.arguments(edge.terminator).collect();
    while !numbers.contains_key(&target) {
        let parameters: FxHashMap<Inst, Inst> =
            module.parameters(target).map(Inst::from).zip(passed.iter().copied()).collect();
        let jump = module.terminator(target).expect("invariant: an edge block ends in a jump");
        passed = module.arguments(jump).map(|value| parameters.get(&value).copied().unwrap_or(value)).collect();
        target = module.cast(module.operand(jump, operand::TARGET)).expect("requires: edges go to blocks");
    }
    (numbers[&target], passed)
}
