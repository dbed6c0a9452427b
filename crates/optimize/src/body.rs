//! A function as dense tables, for passes that visit every instruction.
//!
//! Reachable blocks are numbered in preorder of the dominator tree (siblings in reverse post-order), instructions in that order of the
//! blocks and in their order inside them. This has two consequences that the passes rely on:
//!
//! ```text
//! a definition has a smaller number than its uses          it dominates them
//! a block has a greater number than its predecessors,      siblings are in reverse post-order, and a predecessor
//!   those over retreating edges left out                     stands below an earlier sibling or below the same
//! ```
//!
//! So one forward sweep visits operands before users, one backward sweep users before operands, and what a block dominates is a range.
//! Linear in the instructions and operands except for the dominators. Facts about blocks, independent of their contents, are a separate
//! part ([`Flow`]), which stays valid longer.

use std::cell::OnceCell;
use std::ops::Range;

use reconverge_analysis::FlowGraph;
use reconverge_analysis::effects::{Direction, Motion, Occasion, motion};
use reconverge_analysis::loops::{self, Loops};
use reconverge_analysis::memory::{self, MemoryStates};
use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Class, Effects, Function, Inst, Module, Numbering, Op, Shape, terminator};

use crate::flow::Flow;
use crate::hoist_bounds::HoistBounds;

/// Marks an operand that is not an instruction in reachable blocks. The other bits are the index of its handle.
pub(crate) const OUTSIDE: u32 = 1 << 31;
/// No instruction and no block.
pub(crate) const NONE: u32 = u32::MAX;

/// The tables.
#[derive(Debug)]
pub(crate) struct Body {
    flow: Box<Flow>,
    /// By block: its first instruction; one entry more than there are blocks.
    starts: Vec<u32>,
    code: Code,
    memory: OnceCell<Option<MemoryStates>>,
    anticipated: OnceCell<HoistBounds>,
}

/// The contents of the blocks.
#[derive(Debug, Default)]
struct Code {
    insts: Vec<Inst>,
    ops: Vec<Op>,
    /// By instruction: the index of its type, [`NONE`] if it has none.
    types: Vec<u32>,
    /// By instruction: its block.
    blocks: Vec<u32>,
    /// By instruction: its first operand; one entry more than there are instructions.
    first_operands: Vec<u32>,
    operands: Vec<u32>,
    numbers: Numbering,
}

impl Body {
    /// The tables of a function with a body.
    pub(crate) fn compute(module: &Module, function: Function) -> Body {
        Body::with_flow(module, Box::new(Flow::compute(module, function)))
    }

    /// [`Body::compute`] for a function whose blocks are known.
    pub(crate) fn with_flow(module: &Module, flow: Box<Flow>) -> Body {
        debug_assert!(module.capacity() < OUTSIDE as usize, "invariant: readers refuse modules that come near 2^31");
        let mut starts = Vec::with_capacity(flow.block_count() as usize + 1);
        let mut insts = Vec::new();
        for block in 0..flow.block_count() {
            starts.push(insts.len() as u32);
            insts.extend(module.children(flow.block(block)));
        }
        starts.push(insts.len() as u32);
        let code = Code::of(module, insts, &starts);
        Body { flow, starts, code, memory: OnceCell::new(), anticipated: OnceCell::new() }
    }

    /// The tables that stay valid if instructions change, but neither blocks nor edges.
    pub(crate) fn into_flow(self) -> Box<Flow> {
        self.flow
    }

    /// Returns whether these are the tables of a function as it is.
    pub(crate) fn is_of(&self, module: &Module, function: Function) -> bool {
        let now = Body::compute(module, function);
        self.flow.is_like(now.flow.graph()) && self.starts == now.starts && self.code.is_like(&now.code)
    }

    /// Updates the tables after instructions without effects were replaced by others. `replacement` contains, by instruction, the value
    /// that is used instead, or [`NONE`] if the instruction stays. Replaced instructions are deleted, except parameters. Linear.
    ///
    /// Cycles, anticipation and memory states stay valid: the remaining readers see the same states. A new computation could give finer
    /// alias classes, since more is known about some pointers.
    pub(crate) fn merge(&mut self, replacement: impl Fn(u32) -> u32) {
        // By instruction, and for the end: the number of remaining instructions before it. This is its new number.
        let mut staying_before = Vec::with_capacity(self.code.insts.len() + 1);
        staying_before.push(0);
        let mut staying = 0;
        for inst in 0..self.len() {
            staying += u32::from(self.op(inst) == Op::BlockParameter || replacement(inst) == NONE);
            staying_before.push(staying);
        }
        self.starts.iter_mut().for_each(|start| *start = staying_before[*start as usize]);
        self.code.merge(&staying_before, replacement);
    }

    /// The tables of blocks and edges.
    pub(crate) fn tables_of_blocks(&self) -> &Flow {
        &self.flow
    }

    /// The control flow graph.
    pub(crate) fn flow(&self) -> &FlowGraph {
        self.flow.graph()
    }

    /// The reverse post-order of the graph.
    pub(crate) fn order(&self) -> &Order {
        self.flow.order()
    }

    /// The dominator tree of the graph.
    pub(crate) fn dominators(&self) -> &DominatorTree {
        self.flow.dominators()
    }

    /// The cycles of the graph; computed at the first call.
    pub(crate) fn cycles(&self) -> &CycleForest {
        self.flow.cycles()
    }

    /// The memory states that readers see, if there are any; computed at the first call, from the function as the tables contain it.
    pub(crate) fn memory(&self, module: &Module) -> Option<&MemoryStates> {
        let list = |block| {
            let range = self.range(block);
            let range = range.start as usize..range.end as usize;
            self.code.insts[range.clone()].iter().copied().zip(self.code.ops[range].iter().copied())
        };
        let compute = || {
            let flow = memory::Flow {
                graph: self.flow(),
                order: self.order(),
                dominators: self.dominators(),
                cycles: self.cycles(),
            };
            MemoryStates::compute_listed(module, flow, (0..self.block_count()).map(list))
        };
        self.memory.get_or_init(|| self.has_readers().then(compute)).as_ref()
    }

    /// The chains of blocks in which each block is anticipated; computed at the first call.
    pub(crate) fn anticipated(&self) -> &HoistBounds {
        self.anticipated.get_or_init(|| HoistBounds::compute_anticipated(self))
    }

    /// The estimated frequencies of blocks; `is_divergent` says whether lanes may diverge at the end of a block.
    pub(crate) fn compute_loops(&self, module: &Module, is_divergent: impl Fn(Block) -> bool) -> Loops {
        let (flow, order, dominators, cycles) = (self.flow(), self.order(), self.dominators(), self.cycles());
        Loops::compute(module, loops::FunctionFacts { flow, order, dominators, cycles, counts: None }, is_divergent)
    }

    /// Returns whether the function may contain instructions that only read memory.
    pub(crate) fn has_readers(&self) -> bool {
        let reads = |op: &Op| op.shape() == Shape::Typed && op.effects().contains(Effects::READS);
        self.code.ops.iter().any(reads)
    }

    /// The number of reachable blocks.
    pub(crate) fn block_count(&self) -> u32 {
        self.flow.block_count()
    }

    /// The number of instructions in reachable blocks.
    pub(crate) fn len(&self) -> u32 {
        self.code.insts.len() as u32
    }

    /// The handle of a block.
    pub(crate) fn block(&self, block: u32) -> Block {
        self.flow.block(block)
    }

    /// The node of a block in the graph.
    pub(crate) fn node(&self, block: u32) -> Node {
        self.flow.node(block)
    }

    /// The number of a node, [`NONE`] if it is unreachable.
    pub(crate) fn place(&self, node: Node) -> u32 {
        if self.dominators().is_reachable(node) { self.dominators().pre(node) as u32 } else { NONE }
    }

    /// The immediate dominator of a block; the entry for itself.
    pub(crate) fn parent(&self, block: u32) -> u32 {
        self.flow.parent(block)
    }

    /// Returns whether a block dominates another one; each block dominates itself.
    pub(crate) fn dominates(&self, above: u32, below: u32) -> bool {
        above <= below && below < self.flow.end(above)
    }

    /// A block and the blocks that it dominates.
    pub(crate) fn below(&self, block: u32) -> Range<u32> {
        block..self.flow.end(block)
    }

    /// The deepest block that dominates both blocks.
    pub(crate) fn common_dominator(&self, left: u32, right: u32) -> u32 {
        let (upper, lower) = if left < right { (left, right) } else { (right, left) };
        if self.dominates(upper, lower) {
            return upper;
        }
        let common = self.dominators().lowest_common_ancestor(self.node(upper), self.node(lower));
        self.place(common.expect("invariant: numbered blocks are reachable"))
    }

    /// The instructions of a block.
    pub(crate) fn range(&self, block: u32) -> Range<u32> {
        self.starts[block as usize]..self.starts[block as usize + 1]
    }

    /// The terminator of a block.
    pub(crate) fn terminator(&self, block: u32) -> u32 {
        self.starts[block as usize + 1] - 1
    }

    /// The block of an instruction.
    pub(crate) fn block_of(&self, inst: u32) -> u32 {
        self.code.blocks[inst as usize]
    }

    /// By instruction: its block.
    pub(crate) fn blocks(&self) -> &[u32] {
        &self.code.blocks
    }

    /// The handle of an instruction.
    pub(crate) fn inst(&self, inst: u32) -> Inst {
        self.code.insts[inst as usize]
    }

    /// The number of an instruction of the reachable code.
    pub(crate) fn number(&self, inst: Inst) -> Option<u32> {
        self.code.numbers.number(inst)
    }

    /// The op of an instruction.
    pub(crate) fn op(&self, inst: u32) -> Op {
        self.code.ops[inst as usize]
    }

    /// The type of an instruction.
    pub(crate) fn ty(&self, inst: u32) -> Option<Inst> {
        let ty = self.code.types[inst as usize];
        (ty != NONE).then(|| Inst::new(ty as usize))
    }

    /// The freedom of an instruction to move: [`motion`], with a fast path for operations on numbers and vectors, which are most
    /// instructions.
    pub(crate) fn motion(&self, module: &Module, inst: u32) -> Motion {
        let op = self.op(inst);
        let is_plain = match op.class() {
            Class::Arithmetic => !op.effects().contains(Effects::TRAPS),
            Class::Logical | Class::Bit | Class::Conversion => true,
            _ => false,
        };
        let is_number = |ty: Inst| matches!(module.op(ty), Op::TypeInt | Op::TypeFloat | Op::TypeBool | Op::TypeVector);
        match is_plain && self.ty(inst).is_some_and(is_number) {
            true => Motion { direction: Direction::Both, occasion: Occasion::Any, reads_memory: false },
            false => motion(module, self.inst(inst)),
        }
    }

    /// The operands of an instruction: numbers of others, or [`OUTSIDE`] with the index of a handle.
    pub(crate) fn operands(&self, inst: u32) -> &[u32] {
        let inst = inst as usize;
        &self.code.operands[self.code.first_operands[inst] as usize..self.code.first_operands[inst + 1] as usize]
    }

    /// The handle of an operand.
    pub(crate) fn operand_inst(&self, operand: u32) -> Inst {
        if operand & OUTSIDE != 0 { Inst::new((operand & !OUTSIDE) as usize) } else { self.inst(operand) }
    }

    /// The operands that unreachable code uses. Such code is in the function all the same, after the definitions of these operands.
    pub(crate) fn used_by_unreachable(&self, module: &Module) -> impl Iterator<Item = u32> {
        let nodes = self.flow().graph().nodes().filter(|&node| !self.dominators().is_reachable(node));
        let insts = nodes.flat_map(|node| module.children(self.flow().block(node)));
        insts.flat_map(|inst| module.operands(inst)).filter_map(|operand| self.number(operand))
    }

    /// The reachable predecessors of a block, one entry an edge, in order of the nodes.
    pub(crate) fn predecessors(&self, block: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let sources = self.flow().graph().predecessors(self.node(block)).iter();
        sources.map(|&source| self.place(source)).filter(|&source| source != NONE)
    }

    /// The argument that the jump at the end of a block passes for the parameter with this number.
    pub(crate) fn argument(&self, block: u32, number: u32) -> u32 {
        let jump = self.terminator(block);
        let first = terminator::first_argument(self.op(jump));
        let first = first.expect("invariant: a block with parameters is entered by jumps alone");
        self.operands(jump)[first + number as usize]
    }
}

impl Code {
    /// The tables of these instructions; `starts` contains, by block, its first instruction.
    fn of(module: &Module, insts: Vec<Inst>, starts: &[u32]) -> Code {
        let numbers = Numbering::in_order(&insts);
        let mut blocks = Vec::with_capacity(insts.len());
        for (block, &end) in (0..).zip(&starts[1..]) {
            blocks.resize(end as usize, block);
        }
        let ops = insts.iter().map(|&inst| module.op(inst)).collect();
        let types = insts.iter().map(|&inst| module.ty(inst).map_or(NONE, |ty| ty.index() as u32)).collect();
        let mut first_operands = Vec::with_capacity(insts.len() + 1);
        let mut operands = Vec::with_capacity(2 * insts.len());
        for &inst in &insts {
            first_operands.push(operands.len() as u32);
            let used = module.operands(inst);
            operands.extend(used.map(|operand| numbers.number(operand).unwrap_or(OUTSIDE | operand.index() as u32)));
        }
        first_operands.push(operands.len() as u32);
        Code { insts, ops, types, blocks, first_operands, operands, numbers }
    }

    /// Updates the tables as [`Body::merge`] does. Each remaining instruction gets the number of remaining instructions before it.
    fn merge(&mut self, staying_before: &[u32], replacement: impl Fn(u32) -> u32) {
        let (mut next, mut end) = (0, 0);
        for old in 0..self.insts.len() {
            let operands = self.first_operands[old] as usize..self.first_operands[old + 1] as usize;
            if staying_before[old] == staying_before[old + 1] {
                continue;
            }
            (self.insts[next], self.ops[next]) = (self.insts[old], self.ops[old]);
            (self.types[next], self.blocks[next]) = (self.types[old], self.blocks[old]);
            self.first_operands[next] = end as u32;
            for index in operands {
                let operand = self.operands[index];
                let by = if operand & OUTSIDE == 0 { replacement(operand) } else { NONE };
                let kept = if by == NONE { operand } else { by };
                self.operands[end] = if kept & OUTSIDE == 0 { staying_before[kept as usize] } else { kept };
                end += 1;
            }
            next += 1;
        }
        self.first_operands[next] = end as u32;
        self.first_operands.truncate(next + 1);
        self.operands.truncate(end);
        self.insts.truncate(next);
        self.ops.truncate(next);
        self.types.truncate(next);
        self.blocks.truncate(next);
        self.numbers = Numbering::in_order(&self.insts);
    }

    fn is_like(&self, other: &Code) -> bool {
        self.insts == other.insts
            && self.ops == other.ops
            && self.types == other.types
            && self.blocks == other.blocks
            && self.first_operands == other.first_operands
            && self.operands == other.operands
    }
}
