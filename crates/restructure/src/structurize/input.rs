//! A function as input of the structurizer: blocks by number, and original edges with their arguments.
//!
//! Bare edge blocks represent edges, so they are skipped: an original edge goes from a block to the next ordinary block.
//!
//! ```text
//! branch_if %c ^e ^x          original edge (a, 0) ──▶ m   carries %v
//! edge ^e: branch ^m(%v)  ⇒   original edge (a, 1) ──▶ x
//! ```
//!
//! This also applies to edge blocks with several predecessors (the joint preheader of a loop), if their parameters have no other uses: then
//! each incoming edge is an edge of its own. Other edge blocks become ordinary blocks.

use reconverge_analysis::effects::has_effect;
use reconverge_analysis::{FlowGraph, compute_dead_blocks};
use reconverge_graph::Node;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Terminator, terminator::operand};
use reconverge_structurize::{self as structurizer, Branch, ControlFlow, Convergence, InputBlock, LoopHint};
use rustc_hash::FxHashMap;

use super::hints::Hints;
use super::observers::Observers;

/// A function's blocks and original edges. Numbers are dense, in the order of the blocks.
pub(super) struct Input {
    pub(super) blocks: Vec<Block>,
    pub(super) terminators: Vec<Terminator>,
    branches: Vec<Branch>,
    convergence: Vec<Convergence>,
    has_statements: Vec<bool>,
    targets: Vec<Vec<InputBlock>>,
    arguments: Vec<Vec<Vec<Inst>>>,
    /// Edge blocks that were skipped; the rewriting creates them again where they are needed.
    pub(super) edge_blocks: Vec<Block>,
    merges: Vec<structurizer::Hints>,
}

impl Input {
    /// The function, all of whose blocks must be reachable. Edge blocks that are not edges become ordinary blocks.
    pub(super) fn collect(module: &mut Module, function: Function, hints: &Hints) -> Input {
        let flow = FlowGraph::compute(module, function);
        let order = flow.order();
        let mut edge_blocks = Vec::new();
        let mut made_ordinary: FxHashMap<Block, Block> = FxHashMap::default();
        // In reverse post-order, so that an argument is resolved before it is passed on.
        for &node in &order.sequence()[1..] {
            let block = flow.block(node);
            if module.op(block) != Op::EdgeBlock {
                continue;
            }
            let source = only_source(&flow, node).map(|source| made_ordinary.get(&source).copied().unwrap_or(source));
            if !stands_for_edges(module, block, source) {
                made_ordinary.insert(block, make_ordinary(module, block));
                continue;
            }
            if let Some(source) = source {
                forward_parameters(module, block, source);
            }
            edge_blocks.push(block);
        }
        let dead = compute_dead_blocks(module, flow.graph(), flow.blocks());
        let mut blocks: Vec<Block> = module.blocks(function).collect();
        edge_blocks.sort_unstable();
        blocks.retain(|block| edge_blocks.binary_search(block).is_err());
        let numbered = blocks.iter().enumerate().map(|(number, &block)| (block, InputBlock::new(number)));
        let numbers: FxHashMap<Block, InputBlock> = numbered.collect();
        let mut input = Input {
            terminators: Vec::new(),
            branches: Vec::new(),
            convergence: Vec::new(),
            has_statements: Vec::new(),
            targets: Vec::new(),
            arguments: Vec::new(),
            edge_blocks,
            merges: vec![structurizer::Hints::default(); blocks.len()],
            blocks,
        };
        let mut observers = Observers::new();
        for index in 0..input.blocks.len() {
            input.add_block(module, &numbers, index);
            if flow.find(input.blocks[index]).is_some_and(|node| dead[node.index()]) {
                input.branches[index] = Branch::Unreachable;
            }
            let seen = module.children(input.blocks[index]).map(|inst| observers.convergence(module, inst));
            input.convergence.push(seen.max().unwrap_or_default());
            let mut inside = module.children(input.blocks[index]);
            input.has_statements.push(inside.any(|inst| is_statement(module, inst)));
        }
        input.add_merges(hints, |block| {
            let block = made_ordinary.get(&block).copied().unwrap_or(block);
            number_of(module, block, &numbers)
        });
        input
    }

    /// If several merges name a header, the first one counts.
    fn add_merges(&mut self, hints: &Hints, number: impl Fn(Block) -> Option<InputBlock>) {
        for &(header, merge) in hints.selection_merges.iter().rev() {
            if let Some(header) = number(header) {
                self.merges[header.index()].selection_merge = number(merge);
            }
        }
        for &[header, merge, next] in hints.loop_merges.iter().rev() {
            if let Some(header) = number(header) {
                let loop_hint = LoopHint { merge: number(merge), continue_target: number(next) };
                self.merges[header.index()].repeats = Some(loop_hint);
            }
        }
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

    /// The target of an original edge.
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

    fn convergence(&self, block: InputBlock) -> Convergence {
        self.convergence[block.index()]
    }

    fn passes_values(&self, block: InputBlock) -> bool {
        self.arguments[block.index()].iter().any(|passed| !passed.is_empty())
    }

    fn has_statements(&self, block: InputBlock) -> bool {
        self.has_statements[block.index()]
    }

    fn hints(&self, block: InputBlock) -> structurizer::Hints {
        self.merges[block.index()]
    }
}

/// Returns whether a writer of text writes a statement for an instruction: it has an effect, or its result has several uses. An instruction
/// that only computes a pointer, loads, or extracts a part of something is written where it is used.
fn is_statement(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    if op == Op::BlockParameter || module.cast::<Terminator>(inst).is_some() {
        return false;
    }
    let is_written_again = matches!(
        op,
        Op::AccessChain | Op::InBoundsAccessChain | Op::Load | Op::CompositeExtract | Op::VectorShuffle | Op::Variable
    );
    let is_named = || {
        let mut users = module.uses(inst).map(|used| used.user);
        users.next().is_some_and(|first| users.any(|other| other != first))
    };
    has_effect(module, inst) || module.ty(inst).is_some() && !is_written_again && is_named()
}

/// The block that is the only source of edges to another, perhaps by several rows of a switch.
///
/// Computed from the graph and not from the uses of the block: for each of 10,000 cases, the whole switch would be searched.
fn only_source(flow: &FlowGraph, node: Node) -> Option<Block> {
    let (&first, others) = flow.graph().predecessors(node).split_first()?;
    others.iter().all(|&other| other == first).then(|| flow.block(first))
}

/// Returns whether a block is bare and represents its incoming edges.
///
/// With one source it always does. With several it must not lead to another one: a cycle of bare blocks has to keep one of them, and the
/// one where control enters has several sources.
fn stands_for_edges(module: &Module, block: Block, source: Option<Block>) -> bool {
    if !module.is_bare_edge(block) {
        return false;
    }
    if source.is_some() {
        return true;
    }
    let jump = module.terminator(block).map(Inst::from);
    let passed_on = |parameter: Inst| module.uses(parameter).all(|used| Some(used.user) == jump);
    let leads_to_edge = module.successors(block).any(|target| module.op(target) == Op::EdgeBlock);
    !leads_to_edge && module.parameters(block).all(|parameter| passed_on(parameter.into()))
}

/// Replaces the parameters of a skipped block by the arguments, if there is one incoming edge.
fn forward_parameters(module: &mut Module, block: Block, source: Block) {
    let jump = module.terminator(source).expect("requires: every block has a terminator");
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let arguments: Vec<Inst> = module.arguments(jump).collect();
    for (parameter, argument) in parameters.into_iter().zip(arguments) {
        module.edit().replace_all_uses(parameter, argument);
    }
}

/// Replaces an edge block with instructions by an ordinary block.
fn make_ordinary(module: &mut Module, block: Block) -> Block {
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
    module.cast(ordinary).expect("a block is a block")
}

/// The number of a block, or of the one that an edge block leads to; `None` for an unreachable one.
fn number_of(module: &Module, block: Block, numbers: &FxHashMap<Block, InputBlock>) -> Option<InputBlock> {
    let mut at = block;
    loop {
        if let Some(&number) = numbers.get(&at) {
            return Some(number);
        }
        if !module.is_live(at) || module.op(at) != Op::EdgeBlock {
            return None;
        }
        let jump = module.terminator(at)?;
        at = module.cast(module.operand(jump, operand::TARGET))?;
    }
}

/// Follows an edge through edge blocks. Returns the target and the arguments.
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
