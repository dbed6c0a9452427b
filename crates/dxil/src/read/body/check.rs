//! The rules for a whole body: edges, phis, dominance.
//!
//! A definition dominates a use if every path to the use passes the definition; a phi uses a value at the end of the incoming block. Blocks
//! that the entry does not reach are exempt, as in LLVM. Linear in the size of the body, except for the dominator tree.

use reconverge_diagnostic::Diagnostic;
use reconverge_graph::{DominatorTree, Graph, Node, Order};

use crate::error::{Code, at_bit};
use crate::module::{BlockId, Function, Instruction, Module, Operation, ValueId, ValueKind};

/// Checks a body.
pub(super) fn check(module: &Module, function: &Function) -> Result<(), Diagnostic> {
    let terminators = function.blocks.iter().filter_map(|block| function.instructions_of(block).last());
    let lists: Vec<Vec<Node>> = terminators.map(successors).collect();
    let graph = Graph::from_successors(Node::new(0), lists);
    check_entry(function, &graph)?;
    check_phis(function, &graph)?;
    let order = Order::compute_reverse_post_order(&graph);
    let tree = DominatorTree::compute(&graph, &order);
    Definitions { module, function, tree: &tree, blocks: block_of_instructions(function) }.check()
}

fn successors(terminator: &Instruction) -> Vec<Node> {
    let mut list = Vec::new();
    terminator.operation.for_each_target(|target| list.push(Node::new(target.index())));
    list
}

fn check_entry(function: &Function, graph: &Graph) -> Result<(), Diagnostic> {
    match graph.predecessors(graph.entry()).first() {
        None => Ok(()),
        Some(node) => {
            let block = &function.blocks[node.index()];
            let offset = function.instructions[block.instructions.end as usize - 1].offset;
            Err(at_bit(Code::Terminator, offset, "expected no branch to the first block of the function"))
        }
    }
}

/// Checks that each phi has a value for each edge into its block, and the same one for edges from one block.
fn check_phis(function: &Function, graph: &Graph) -> Result<(), Diagnostic> {
    for node in graph.nodes() {
        let mut predecessors: Option<Vec<BlockId>> = None;
        for instruction in function.instructions_of(&function.blocks[node.index()]) {
            let Operation::Phi { incoming } = &instruction.operation else { break };
            let predecessors = predecessors.get_or_insert_with(|| {
                let list = graph.predecessors(node).iter();
                let mut list: Vec<BlockId> = list.map(|node| BlockId::new(node.index() as u32)).collect();
                list.sort_unstable();
                list
            });
            let mut edges: Vec<(BlockId, ValueId)> = incoming.iter().map(|edge| (edge.block, edge.value)).collect();
            edges.sort_unstable();
            let is_complete =
                !edges.is_empty() && edges.iter().map(|&(block, _)| block).eq(predecessors.iter().copied());
            if !is_complete {
                let message = "expected a value for each edge into the block, at least one";
                return Err(at_bit(Code::Phi, instruction.offset, message));
            }
            if edges.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
                let message = "expected the same value for all edges from one block";
                return Err(at_bit(Code::Phi, instruction.offset, message));
            }
        }
    }
    Ok(())
}

/// The block of each instruction.
fn block_of_instructions(function: &Function) -> Vec<u32> {
    let mut list = Vec::with_capacity(function.instructions.len());
    for (index, block) in (0..).zip(&function.blocks) {
        list.resize(block.instructions.end as usize, index);
    }
    list
}

/// The definitions of values.
struct Definitions<'a> {
    module: &'a Module,
    function: &'a Function,
    tree: &'a DominatorTree,
    blocks: Vec<u32>,
}

impl Definitions<'_> {
    fn check(&self) -> Result<(), Diagnostic> {
        for (index, instruction) in self.function.instructions.iter().enumerate() {
            let block = Node::new(self.blocks[index] as usize);
            if !self.tree.is_reachable(block) {
                continue;
            }
            let mut is_wrong = None;
            if let Operation::Phi { incoming } = &instruction.operation {
                for edge in incoming {
                    let node = Node::new(edge.block.index());
                    let end = self.function.blocks[edge.block.index()].instructions.end as usize;
                    if self.tree.is_reachable(node) && !self.reaches(edge.value, node, end) {
                        is_wrong = Some(edge.value);
                    }
                }
            } else {
                instruction.operation.for_each_operand(|value| {
                    if !self.reaches(value, block, index) {
                        is_wrong = Some(value);
                    }
                });
            }
            if let Some(value) = is_wrong {
                let message = format!("expected the definition of value {value} to dominate this use");
                return Err(at_bit(Code::Dominance, instruction.offset, message));
            }
        }
        Ok(())
    }

    /// Returns whether a value is defined before the instruction with that index, in that block.
    fn reaches(&self, value: ValueId, block: Node, index: usize) -> bool {
        let ValueKind::Instruction(definition) = self.module.value(self.function, value).kind else { return true };
        let source = Node::new(self.blocks[definition.index()] as usize);
        match source == block {
            true => definition.index() < index,
            false => self.tree.dominates(source, block),
        }
    }
}
