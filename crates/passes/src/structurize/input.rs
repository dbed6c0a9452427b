//! A function as the structurizer sees it: blocks by number, and original edges with what they carry.
//!
//! Bare edge blocks stand for edges, so they are seen through: an original edge goes from a block to the next block that is one.
//!
//! ```text
//! branch_if %c ^e ^x          original edge (a, 0) ──▶ m   carries %v
//! edge ^e: branch ^m(%v)  ⇒   original edge (a, 1) ──▶ x
//! ```
//!
//! That holds for edge blocks with several ways in too (the joint preheader of a loop), as long as nobody else uses their
//! parameters: then each way in is an edge of its own. What cannot be seen through becomes an ordinary block.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Terminator, terminator::operand};
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
    /// The function, all of whose blocks must be reachable. Edge blocks that are no edges become ordinary blocks.
    pub(super) fn collect(module: &mut Module, function: Function) -> Input {
        let flow = FlowGraph::compute(module, function);
        let (order, _) = flow.dominators();
        let mut edge_blocks = Vec::new();
        // In reverse post-order, so that an argument is resolved before it is passed on.
        for block in order.sequence()[1..].iter().map(|&node| flow.block(node)) {
            if module.op(block) != Op::EdgeBlock {
                continue;
            }
            if stands_for_edges(module, block) {
                forward_parameters(module, block);
                edge_blocks.push(block);
            } else {
                make_ordinary(module, block);
            }
        }
        let mut blocks: Vec<Block> = module.blocks(function).collect();
        edge_blocks.sort_unstable();
        blocks.retain(|block| edge_blocks.binary_search(block).is_err());
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
            Op::Branch => Branch::Jump,
            Op::BranchIf => Branch::Conditional,
            Op::Switch => Branch::Switch,
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

/// Whether a block is bare and stands for its ways in.
///
/// With one way in it always does. With several it must not lead to another one: a cycle of bare blocks has to keep one of them,
/// and the one where control enters has several ways in.
fn stands_for_edges(module: &Module, block: Block) -> bool {
    if !module.is_bare_edge(block) {
        return false;
    }
    if only_way_in(module, block).is_some() {
        return true;
    }
    let jump = module.terminator(block).map(Inst::from);
    let passed_on = |parameter: Inst| module.uses(parameter).all(|used| Some(used.user) == jump);
    let leads_to_edge = module.successors(block).any(|target| module.op(target) == Op::EdgeBlock);
    !leads_to_edge && module.parameters(block).all(|parameter| passed_on(parameter.into()))
}

/// The terminator that alone leads to a block, perhaps by several rows of a switch.
fn only_way_in(module: &Module, block: Block) -> Option<Terminator> {
    let mut ways_in = module.in_edges(block).map(|edge| edge.terminator);
    let first = ways_in.next()?;
    ways_in.all(|other| other == first).then_some(first)
}

/// Lets the users of a seen-through block's parameters use the arguments, if there is one way in.
fn forward_parameters(module: &mut Module, block: Block) {
    let Some(jump) = only_way_in(module, block) else { return };
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let arguments: Vec<Inst> = module.arguments(jump).collect();
    for (parameter, argument) in parameters.into_iter().zip(arguments) {
        module.edit().replace_all_uses(parameter, argument);
    }
}

/// Puts an ordinary block in the place of an edge block that holds more than an edge.
fn make_ordinary(module: &mut Module, block: Block) {
    let inside: Vec<Inst> = module.children(block).collect();
    let decorations = module.decorations(block).to_vec();
    let mut editor = module.edit();
    let ordinary = editor.insert(Position::After(block.into()), Op::Block, None, &[]);
    decorations.into_iter().for_each(|decoration| editor.decorate(ordinary, decoration));
    for inst in inside {
        editor.move_to(inst, Position::AtEnd(ordinary));
    }
    editor.replace_all_uses(block, ordinary);
    editor.delete(block);
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
