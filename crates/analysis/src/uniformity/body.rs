//! A function of a module as dense tables.
//!
//! The instructions of the reachable blocks are numbered in reverse post-order of the blocks and in their order inside them; parameters of
//! the function come first. Uses are grouped by definition: the users of a value, with their operands.

use std::ops::Range;
use std::sync::Arc;

use reconverge_graph::{Graph, Node, Order};
use reconverge_ir::{Block, Function, Inst, Module, Op, terminator};

pub(super) use super::tables::NONE;
use super::tables::{Extent, Tables};

/// A function with a body.
#[derive(Debug)]
pub(super) struct Body {
    extent: Extent,
    tables: Arc<Tables>,
}

impl Body {
    /// All functions of a module, and their shared tables. Linear.
    pub(super) fn compute_all(module: &Module) -> (Arc<Tables>, Vec<Arc<Body>>) {
        let (tables, extents) = Tables::compute(module);
        let tables = Arc::new(tables);
        let body = |extent: Extent| Arc::new(Body { extent, tables: Arc::clone(&tables) });
        let bodies = extents.into_iter().map(body).collect();
        (tables, bodies)
    }

    pub(super) fn function(&self) -> Function {
        self.extent.function
    }

    /// The index of a number in the tables.
    fn place(&self, number: u32) -> usize {
        self.extent.places.start + number as usize
    }

    /// By number.
    pub(super) fn insts(&self) -> &[Inst] {
        &self.tables.insts[self.extent.places.clone()]
    }

    /// The number of instructions that are numbered.
    pub(super) fn len(&self) -> usize {
        self.extent.places.len()
    }

    /// The numbers of an instruction's operands, [`NONE`] for those that are not of the function's reachable code.
    pub(super) fn operands(&self, user: u32) -> &[u32] {
        self.tables.operands(self.place(user))
    }

    /// The number of an instruction, if it is one of the reachable code of this function.
    pub(super) fn find(&self, inst: Inst) -> Option<u32> {
        self.tables.find(&self.extent.places, inst)
    }

    pub(super) fn inst(&self, number: u32) -> Inst {
        self.tables.insts[self.place(number)]
    }

    pub(super) fn op(&self, number: u32) -> Op {
        self.tables.ops[self.place(number)]
    }

    /// The node of the block that an instruction is in; the entry's for parameters of the function.
    pub(super) fn node(&self, number: u32) -> u32 {
        match self.tables.nodes[self.place(number)] {
            NONE => self.graph().entry().index() as u32,
            node => node,
        }
    }

    /// Returns whether an instruction is in the block of a node. Parameters of the function are in none.
    pub(super) fn stands_in(&self, number: u32, node: u32) -> bool {
        self.tables.nodes[self.place(number)] == node
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.extent.flow.graph
    }

    pub(super) fn order(&self) -> &Order {
        &self.extent.flow.order
    }

    /// By node.
    fn blocks(&self) -> &[Block] {
        &self.tables.blocks[self.extent.nodes.clone()]
    }

    pub(super) fn block(&self, node: u32) -> Block {
        self.blocks()[node as usize]
    }

    /// The node of a block, [`NONE`] if it is not of the function.
    pub(super) fn node_of(&self, block: Block) -> u32 {
        let node = self.tables.numbers.get(block.index()).copied().unwrap_or(NONE);
        if self.blocks().get(node as usize) == Some(&block) { node } else { NONE }
    }

    /// The node of a block of the function.
    pub(super) fn find_block(&self, block: Block) -> Option<u32> {
        Some(self.node_of(block)).filter(|&node| node != NONE)
    }

    pub(super) fn block_inst(&self, node: u32) -> Inst {
        self.block(node).into()
    }

    /// The successors of a node as indices.
    pub(super) fn successors(&self, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        self.graph().successors(Node::new(node as usize)).iter().map(|target| target.index() as u32)
    }

    /// The reachable predecessors of a node as indices, one entry for each edge.
    pub(super) fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let sources = self.graph().predecessors(Node::new(node as usize)).iter().map(|source| source.index() as u32);
        sources.filter(|&source| self.is_reachable(source))
    }

    pub(super) fn is_reachable(&self, node: u32) -> bool {
        self.order().position(Node::new(node as usize)).is_some()
    }

    /// The numbers of a block's instructions.
    pub(super) fn range(&self, node: u32) -> Range<u32> {
        let (first, end) = self.tables.ranges[self.extent.nodes.start + node as usize];
        first..end
    }

    /// The number of a reachable block's terminator, if it has one.
    pub(super) fn terminator(&self, node: u32) -> Option<u32> {
        self.range(node).last().filter(|&last| self.op(last).is_terminator())
    }

    /// The numbers of the function's parameters.
    pub(super) fn function_parameters(&self) -> Range<u32> {
        0..self.extent.parameters as u32
    }

    /// The users of a value, and the operand of each.
    pub(super) fn users(&self, number: u32) -> &[(u32, u32)] {
        self.tables.users(self.place(number))
    }

    /// The block parameter that an operand of a jump is the argument for.
    pub(super) fn parameter_of_argument(&self, jump: u32, operand: u32) -> Option<u32> {
        let first = terminator::first_argument(self.op(jump))? as u32;
        let target = self.successors(self.node(jump)).next()?;
        let parameter = self.range(target).start + operand.checked_sub(first)?;
        (self.range(target).contains(&parameter) && self.op(parameter) == Op::BlockParameter).then_some(parameter)
    }

    /// The arguments for a block parameter: the jump and the index of its operand.
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
