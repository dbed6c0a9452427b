//! The instructions of all functions of a module as dense tables, in the order in which the propagation reads them.
//!
//! ```text
//! insts      │ f: parameters, blocks in reverse post-order │ g: parameters, … │
//! operands   │ by instruction, as numbers in its function   │                  │
//! users      │ by definition: who reads it, in which operand│                  │
//! ```
//!
//! A function is a range of instructions, and numbers count from its start; blocks are laid out in the same way. One set of tables serves
//! all: functions are many and small.

use std::ops::Range;
use std::sync::Arc;

use reconverge_graph::{Graph, Node, Order};
use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};

use crate::dead_ends::compute_dead_ends;

pub(super) const NONE: u32 = u32::MAX;

/// The tables that the documentation of this module describes.
#[derive(Debug)]
pub(super) struct Tables {
    /// For each instruction of the module, its number in its function, [`NONE`] outside functions and for unreachable code; for each block,
    /// its node; for each function with a body, its index among them.
    pub(super) numbers: Vec<u32>,
    /// The functions with a body, in the order of the module.
    functions: Vec<Function>,
    /// The blocks of all functions, and for each of them the first number and one past the last.
    pub(super) blocks: Vec<Block>,
    pub(super) ranges: Vec<(u32, u32)>,
    /// By index, as the next three.
    pub(super) insts: Vec<Inst>,
    pub(super) ops: Vec<Op>,
    /// The node of the block; [`NONE`] for parameters of the function.
    pub(super) nodes: Vec<u32>,
    /// The start of the operands; numbers of operands, [`NONE`] for those outside the function.
    operand_starts: Vec<u32>,
    operands: Vec<u32>,
    /// The start of the users; numbers of users, and of the operands.
    user_starts: Vec<u32>,
    users: Vec<(u32, u32)>,
}

/// The position of a function in the tables.
#[derive(Debug)]
pub(super) struct Extent {
    pub(super) function: Function,
    pub(super) flow: Arc<Flow>,
    /// Its blocks.
    pub(super) nodes: Range<usize>,
    pub(super) parameters: usize,
    /// Its instructions.
    pub(super) places: Range<usize>,
}

/// The reachable control flow of a function. Without structure its edges determine where lanes reconverge; edges to dead ends are excluded.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) graph: Graph,
    pub(super) order: Order,
}

impl Flow {
    fn compute(graph: Graph) -> Arc<Flow> {
        let order = Order::compute_reverse_post_order(&graph);
        Arc::new(Flow { graph, order })
    }
}

/// The graph of these blocks without the paths to dead ends.
fn without_dead_ends(module: &Module, graph: Graph, blocks: &[Block]) -> Graph {
    let dead_ends = compute_dead_ends(module, &graph, blocks);
    if dead_ends.is_empty() { graph } else { dead_ends.without(&graph) }
}

impl Tables {
    /// Numbers all functions with a body. Linear.
    pub(super) fn compute(module: &Module) -> (Tables, Vec<Extent>) {
        let mut tables = Tables {
            numbers: vec![NONE; module.capacity()],
            functions: module.functions().filter(|&function| module.entry(function).is_some()).collect(),
            blocks: Vec::new(),
            ranges: Vec::new(),
            insts: Vec::with_capacity(module.capacity()),
            ops: Vec::new(),
            nodes: Vec::with_capacity(module.capacity()),
            operand_starts: Vec::new(),
            operands: Vec::new(),
            user_starts: Vec::new(),
            users: Vec::new(),
        };
        // Many functions are one block, and share the graph.
        let straight = Flow::compute(Graph::from_successors(Node::new(0), std::iter::once(std::iter::empty())));
        let mut extents = Vec::with_capacity(tables.functions.len());
        for index in 0..tables.functions.len() {
            extents.push(tables.add(module, tables.functions[index], &straight));
            tables.numbers[tables.functions[index].index()] = index as u32;
        }
        tables.ops = tables.insts.iter().map(|&inst| module.op(inst)).collect();
        tables.read_operands(module, &extents);
        tables.group_users(&extents);
        (tables, extents)
    }

    fn add(&mut self, module: &Module, function: Function, straight: &Arc<Flow>) -> Extent {
        let first_block = self.blocks.len();
        self.blocks.extend(module.blocks(function));
        let blocks = &self.blocks[first_block..];
        for (node, block) in (0..).zip(blocks) {
            self.numbers[block.index()] = node;
        }
        let node = |block: Block| {
            let number = self.numbers[block.index()];
            (blocks.get(number as usize) == Some(&block)).then(|| Node::new(number as usize))
        };
        let mut lists = blocks.iter().map(|&block| module.successors(block).filter_map(node));
        let flow = match lists.len() == 1 && lists.clone().flatten().next().is_none() {
            true => Arc::clone(straight),
            false => {
                let graph = Graph::from_successors(Node::new(0), lists.by_ref());
                Flow::compute(match module.stage(function) {
                    Stage::Structured => graph,
                    _ => without_dead_ends(module, graph, blocks),
                })
            }
        };
        let first = self.insts.len();
        self.insts.extend(module.parameters(function).map(Inst::from));
        let parameters = self.insts.len() - first;
        self.nodes.resize(self.insts.len(), NONE);
        self.ranges.resize(self.blocks.len(), (0, 0));
        for &node in flow.order.sequence() {
            let begin = self.insts.len();
            self.insts.extend(module.children(blocks[node.index()]));
            self.ranges[first_block + node.index()] = ((begin - first) as u32, (self.insts.len() - first) as u32);
            self.nodes.resize(self.insts.len(), node.index() as u32);
        }
        for (number, &inst) in (0..).zip(&self.insts[first..]) {
            self.numbers[inst.index()] = number;
        }
        Extent { function, flow, nodes: first_block..self.blocks.len(), parameters, places: first..self.insts.len() }
    }

    fn read_operands(&mut self, module: &Module, extents: &[Extent]) {
        self.operand_starts.reserve(self.insts.len() + 1);
        self.operands.reserve(2 * self.insts.len());
        for extent in extents {
            for place in extent.places.clone() {
                self.operand_starts.push(self.operands.len() as u32);
                for value in module.operands(self.insts[place]) {
                    let number = self.find(&extent.places, value).unwrap_or(NONE);
                    self.operands.push(number);
                }
            }
        }
        self.operand_starts.push(self.operands.len() as u32);
    }

    /// Groups the operands by their definitions.
    fn group_users(&mut self, extents: &[Extent]) {
        let mut starts = vec![0_u32; self.insts.len() + 1];
        for extent in extents {
            let (begin, end) = (extent.places.start, extent.places.end);
            let operands = self.operand_starts[begin] as usize..self.operand_starts[end] as usize;
            for &value in self.operands[operands].iter().filter(|&&value| value != NONE) {
                starts[begin + value as usize + 1] += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        self.users = vec![(0, 0); starts[self.insts.len()] as usize];
        for extent in extents {
            for (user, place) in (0_u32..).zip(extent.places.clone()) {
                for (operand, &value) in (0_u32..).zip(&self.operands[self.operand_range(place)]) {
                    if value != NONE {
                        let slot = &mut next[extent.places.start + value as usize];
                        self.users[*slot as usize] = (user, operand);
                        *slot += 1;
                    }
                }
            }
        }
        self.user_starts = starts;
    }

    fn operand_range(&self, place: usize) -> Range<usize> {
        self.operand_starts[place] as usize..self.operand_starts[place + 1] as usize
    }

    /// The number of functions that have a body.
    pub(super) fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// The index of a function among those with a body.
    pub(super) fn index_of(&self, function: Function) -> Option<usize> {
        let index = *self.numbers.get(function.index())? as usize;
        (self.functions.get(index) == Some(&function)).then_some(index)
    }

    /// The number of an instruction, if it belongs to the function with this range.
    pub(super) fn find(&self, function: &Range<usize>, inst: Inst) -> Option<u32> {
        let number = *self.numbers.get(inst.index())?;
        (number != NONE && self.insts[function.clone()].get(number as usize) == Some(&inst)).then_some(number)
    }

    pub(super) fn operands(&self, place: usize) -> &[u32] {
        &self.operands[self.operand_range(place)]
    }

    pub(super) fn users(&self, place: usize) -> &[(u32, u32)] {
        &self.users[self.user_starts[place] as usize..self.user_starts[place + 1] as usize]
    }
}
