//! Queries about the blocks of a function, by walking paths: independent of the checkers that the mutants test.

use std::collections::HashSet;

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node};
use reconverge_ir::{Block, Function, Inst, Module, Op, Slot, view};

/// A function, for walking.
pub(super) struct View<'m> {
    pub(super) module: &'m Module,
    flow: FlowGraph,
    tree: DominatorTree,
    /// Reachable blocks except edge blocks, dominators first.
    pub(super) blocks: Vec<Block>,
}

impl<'m> View<'m> {
    pub(super) fn new(module: &'m Module, function: Function) -> View<'m> {
        let flow = FlowGraph::compute(module, function);
        let (order, tree) = flow.dominators();
        let blocks = order.sequence().iter().map(|&node| flow.block(node));
        let blocks = blocks.filter(|block| module.op(block.inst()) == Op::Block).collect();
        View { module, flow, tree, blocks }
    }

    /// All instructions in the blocks, except terminators and parameters.
    pub(super) fn instructions(&self) -> Vec<Inst> {
        let all = self.blocks.iter().flat_map(|&block| self.module.children(block));
        all.filter(|&inst| !self.module.op(inst).is_terminator() && self.module.op(inst) != Op::BlockParameter)
            .collect()
    }

    fn node(&self, block: Block) -> Node {
        self.flow.node(block)
    }

    pub(super) fn dominates(&self, above: Block, below: Block) -> bool {
        self.tree.dominates(self.node(above), self.node(below))
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.tree.is_reachable(self.node(block))
    }

    /// The blocks that are reachable from a block on a path that avoids some others. The block itself is included only if it is on a cycle.
    fn reached_without(&self, from: Block, without: [Block; 2]) -> HashSet<Node> {
        let graph = self.flow.graph();
        let stops = without.map(|block| self.node(block));
        let (mut known, mut pending) = (HashSet::new(), vec![self.node(from)]);
        while let Some(node) = pending.pop() {
            for &next in graph.successors(node).iter().filter(|next| !stops.contains(next)) {
                if known.insert(next) {
                    pending.push(next);
                }
            }
        }
        known
    }

    fn reached(&self, from: Block, without: Block) -> HashSet<Node> {
        self.reached_without(from, [without; 2])
    }

    /// Returns whether a path leads from one block through another to a third, and avoids the first except at its start.
    pub(super) fn is_between(&self, above: Block, middle: Block, below: Block) -> bool {
        middle != above
            && self.reached(above, above).contains(&self.node(middle))
            && (middle == below || self.reached(middle, above).contains(&self.node(below)))
    }

    /// The same, and the path avoids the third before the second.
    pub(super) fn is_on_the_way(&self, above: Block, middle: Block, below: Block) -> bool {
        self.reached_without(above, [above, below]).contains(&self.node(middle))
            && self.is_between(above, middle, below)
    }

    /// Returns whether a path leads from a block to an end and avoids another block.
    pub(super) fn avoids(&self, from: Block, block: Block) -> bool {
        let graph = self.flow.graph();
        let is_end = |node: Node| graph.successors(node).is_empty();
        from != block && (is_end(self.node(from)) || self.reached(from, block).into_iter().any(is_end))
    }

    /// Returns whether a path leads from a block to an end and avoids two others.
    pub(super) fn avoids_both(&self, from: Block, blocks: [Block; 2]) -> bool {
        let is_end = |node: Node| self.flow.graph().successors(node).is_empty();
        is_end(self.node(from)) || self.reached_without(from, blocks).into_iter().any(is_end)
    }

    /// Returns whether a path from a block to another may contain an infinite loop.
    pub(super) fn goes_round(&self, above: Block, below: Block) -> bool {
        let between = self.blocks.iter().filter(|&&block| block != below && self.is_on_the_way(above, block, below));
        between.copied().any(|block| self.reached_without(block, [above, below]).contains(&self.node(block)))
    }

    pub(super) fn block(&self, inst: Inst) -> Block {
        self.module.block_of(inst).expect("invariant: it stands in a block")
    }

    /// Returns whether the operands of an instruction are defined at the end of a block.
    pub(super) fn has_operands(&self, inst: Inst, block: Block) -> bool {
        self.module.operands(inst).all(|operand| match self.module.block_of(operand) {
            Some(source) => self.dominates(source, block),
            None => true,
        })
    }

    /// Returns whether all users of an instruction are in blocks that a block dominates.
    pub(super) fn holds_uses(&self, inst: Inst, block: Block) -> bool {
        let mut readers = self.module.uses(inst).filter(|used| matches!(used.slot, Slot::Operand(_)));
        readers.all(|used| {
            self.module.block_of(used.user).is_some_and(|user| self.is_reachable(user) && self.dominates(block, user))
        })
    }

    /// The number of an instruction in its block.
    pub(super) fn number(&self, inst: Inst) -> usize {
        let block = self.module.block_of(inst).expect("invariant: it stands in a block");
        self.module.children(block).position(|other| other == inst).expect("invariant: it stands in its block")
    }

    /// Returns whether a value depends on the number of the lane or on an input of the lane, as far as its definition shows.
    pub(super) fn is_divergent(&self, value: Inst, lane: Inst) -> bool {
        let (mut known, mut pending) = (HashSet::from([value]), vec![value]);
        while let Some(value) = pending.pop() {
            match self.module.op(value) {
                Op::FunctionCall => return true,
                Op::Load if view::Load::of(self.module, value).is_some_and(|load| load.pointer == lane) => return true,
                op if op.effects().is_pure() && self.module.block_of(value).is_some() => {
                    pending.extend(self.module.operands(value).filter(|&operand| known.insert(operand)));
                }
                _ => {}
            }
        }
        false
    }
}

/// The variables that a pointer may point into. Recursive over chains, which are short.
pub(super) fn roots(module: &Module, pointer: Inst) -> Vec<Inst> {
    match module.op(pointer) {
        Op::AccessChain => view::Chain::of(module, pointer).map_or(Vec::new(), |chain| roots(module, chain.base)),
        Op::Select => view::Select::of(module, pointer)
            .into_iter()
            .flat_map(|select| [select.true_value, select.false_value])
            .flat_map(|side| roots(module, side))
            .collect(),
        Op::Variable => vec![pointer],
        _ => Vec::new(),
    }
}
