//! A function as dense tables: what the propagation reads, laid out in the order in which it reads it.
//!
//! The instructions of the reachable blocks are numbered in reverse post-order of the blocks and in their order inside them;
//! parameters of the function come first. Uses are grouped by definition: who reads a value, in which operand.

use std::ops::Range;
use std::sync::Arc;

use reconverge_graph::{Graph, Node, Order};
use reconverge_ir::{Block, Function, Inst, Module, Op, terminator};

use crate::FlowGraph;

pub(super) const NONE: u32 = u32::MAX;

/// For each instruction of a module its number in its function, [`NONE`] outside of functions and for unreachable code; for each block
/// its node.
pub(super) type Numbers = Vec<u32>;

/// A function with a body.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) function: Function,
    pub(super) flow: FlowGraph,
    pub(super) order: Order,
    /// By number.
    pub(super) insts: Vec<Inst>,
    /// By number.
    pub(super) ops: Vec<Op>,
    /// By number: the node of the block; [`NONE`] for parameters of the function.
    pub(super) nodes: Vec<u32>,
    /// By node: the first number, and one past the last.
    ranges: Vec<(u32, u32)>,
    parameters: usize,
    numbers: Arc<Numbers>,
    /// By number where its operands begin; numbers of operands, [`NONE`] for what is not of the function.
    operand_starts: Vec<u32>,
    operands: Vec<u32>,
    user_starts: Vec<u32>,
    users: Vec<(u32, u32)>,
}

impl Body {
    /// Numbers all functions of a module. Linear.
    pub(super) fn compute_all(module: &Module) -> Vec<Body> {
        let mut numbers = vec![NONE; module.capacity()];
        let functions = module.functions().filter(|&function| module.entry(function).is_some());
        let mut bodies: Vec<Body> = functions.map(|function| Body::number(module, function, &mut numbers)).collect();
        let numbers = Arc::new(numbers);
        for body in &mut bodies {
            body.numbers = Arc::clone(&numbers);
            body.collect_uses(module);
        }
        bodies
    }

    fn number(module: &Module, function: Function, numbers: &mut Numbers) -> Body {
        let flow = FlowGraph::compute(module, function);
        let order = Order::compute_reverse_post_order(flow.graph());
        let mut body = Body {
            function,
            ranges: vec![(0, 0); flow.graph().len()],
            insts: module.parameters(function).map(Inst::from).collect(),
            ops: Vec::new(),
            nodes: Vec::new(),
            parameters: 0,
            numbers: Arc::default(),
            operand_starts: Vec::new(),
            operands: Vec::new(),
            user_starts: Vec::new(),
            users: Vec::new(),
            flow,
            order,
        };
        for (node, block) in (0..).zip(body.flow.blocks()) {
            numbers[block.index()] = node;
        }
        body.parameters = body.insts.len();
        body.nodes.resize(body.parameters, NONE);
        for &node in body.order.sequence() {
            let first = body.insts.len() as u32;
            body.insts.extend(module.children(body.flow.block(node)));
            body.ranges[node.index()] = (first, body.insts.len() as u32);
            body.nodes.resize(body.insts.len(), node.index() as u32);
        }
        for (number, &inst) in body.insts.iter().enumerate() {
            numbers[inst.index()] = number as u32;
            body.ops.push(module.op(inst));
        }
        body
    }

    fn collect_uses(&mut self, module: &Module) {
        let mut starts = vec![0_u32; self.insts.len() + 1];
        self.operand_starts.reserve(self.insts.len() + 1);
        self.operands.reserve(2 * self.insts.len());
        for &inst in &self.insts {
            self.operand_starts.push(self.operands.len() as u32);
            for value in module.operands(inst) {
                let number = self.find(value).unwrap_or(NONE);
                self.operands.push(number);
                if number != NONE {
                    starts[number as usize + 1] += 1;
                }
            }
        }
        self.operand_starts.push(self.operands.len() as u32);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        self.users = vec![(0, 0); starts[self.insts.len()] as usize];
        for user in 0..self.insts.len() as u32 {
            for (operand, &value) in (0_u32..).zip(&self.operands[self.operand_range(user)]) {
                if value != NONE {
                    let slot = &mut next[value as usize];
                    self.users[*slot as usize] = (user, operand);
                    *slot += 1;
                }
            }
        }
        self.user_starts = starts;
    }

    fn operand_range(&self, user: u32) -> Range<usize> {
        self.operand_starts[user as usize] as usize..self.operand_starts[user as usize + 1] as usize
    }

    /// The numbers of an instruction's operands, [`NONE`] for those that are not of the function's reachable code.
    pub(super) fn operands(&self, user: u32) -> &[u32] {
        &self.operands[self.operand_range(user)]
    }

    /// The number of an instruction, if it is one of the reachable code of this function.
    pub(super) fn find(&self, inst: Inst) -> Option<u32> {
        let number = *self.numbers.get(inst.index())?;
        (number != NONE && self.insts.get(number as usize) == Some(&inst)).then_some(number)
    }

    pub(super) fn inst(&self, number: u32) -> Inst {
        self.insts[number as usize]
    }

    pub(super) fn op(&self, number: u32) -> Op {
        self.ops[number as usize]
    }

    /// The node of the block that an instruction stands in; the entry's for parameters of the function.
    pub(super) fn node(&self, number: u32) -> u32 {
        match self.nodes[number as usize] {
            NONE => self.graph().entry().index() as u32,
            node => node,
        }
    }

    pub(super) fn graph(&self) -> &Graph {
        self.flow.graph()
    }

    pub(super) fn block(&self, node: u32) -> Block {
        self.flow.block(Node::new(node as usize))
    }

    /// The node of a block, [`NONE`] if it is not of the function. Without hashing.
    pub(super) fn node_of(&self, block: Block) -> u32 {
        let node = self.numbers.get(block.index()).copied().unwrap_or(NONE);
        if self.flow.blocks().get(node as usize) == Some(&block) { node } else { NONE }
    }

    pub(super) fn block_inst(&self, node: u32) -> Inst {
        self.block(node).into()
    }

    /// The successors of a node as indices.
    pub(super) fn successors(&self, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        self.graph().successors(Node::new(node as usize)).iter().map(|target| target.index() as u32)
    }

    /// The reachable predecessors of a node as indices, one entry an edge.
    pub(super) fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let sources = self.graph().predecessors(Node::new(node as usize)).iter().map(|source| source.index() as u32);
        sources.filter(|&source| self.is_reachable(source))
    }

    pub(super) fn is_reachable(&self, node: u32) -> bool {
        self.order.position(Node::new(node as usize)).is_some()
    }

    /// The numbers of a block's instructions.
    pub(super) fn range(&self, node: u32) -> Range<u32> {
        let (first, end) = self.ranges[node as usize];
        first..end
    }

    /// The number of a reachable block's terminator, if it has one.
    pub(super) fn terminator(&self, node: u32) -> Option<u32> {
        self.range(node).last().filter(|&last| self.op(last).is_terminator())
    }

    /// The numbers of the function's parameters.
    pub(super) fn function_parameters(&self) -> Range<u32> {
        0..self.parameters as u32
    }

    /// Who reads a value, and in which operand.
    pub(super) fn users(&self, number: u32) -> &[(u32, u32)] {
        let number = number as usize;
        &self.users[self.user_starts[number] as usize..self.user_starts[number + 1] as usize]
    }

    /// The block parameter that an operand of a jump is the argument for.
    pub(super) fn parameter_of_argument(&self, jump: u32, operand: u32) -> Option<u32> {
        let first = terminator::first_argument(self.op(jump))? as u32;
        let target = self.successors(self.node(jump)).next()?;
        let parameter = self.range(target).start + operand.checked_sub(first)?;
        (self.range(target).contains(&parameter) && self.op(parameter) == Op::BlockParameter).then_some(parameter)
    }

    /// The arguments that arrive at a block parameter: the jump and the number of its operand.
    pub(super) fn arguments(&self, parameter: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let node = self.node(parameter);
        let place = parameter - self.range(node).start;
        self.predecessors(node).filter_map(move |source| {
            let jump = self.terminator(source)?;
            let operand = terminator::first_argument(self.op(jump))? as u32 + place;
            ((operand as usize) < self.operands(jump).len()).then_some((jump, operand))
        })
    }
}
