//! Terminators: control flow, and the operands of terminators.
//!
//! | op | operands |
//! |---|---|
//! | `branch` | target, arguments … |
//! | `branch_if` | condition, true block, false block, branch weights … |
//! | `switch` | selector, default, (literal, block) … |
//! | `if` | condition, true block, false block, merge block, selection control, branch weights … |
//! | `structured_switch` | selector, default, merge block, selection control, (literal, block) … |
//! | `loop` | header, break block, continue block, loop control, arguments … |
//!
//! Only `branch` and `loop` have arguments. Merge, break and continue blocks are operands but not successors (the join point of Slang's IR
//! design). A selection control is a literal of one word, a loop control one of the mask's word and its parameters' words. Predecessors are
//! not stored: they are the uses of a block at successor positions.

use std::ops::Range;

use crate::{Block, Inst, Module, Op, Slot, Terminator};

/// Operand numbers in terminators, for code that handles several ops. The views of the ops have them, too.
pub mod operand {
    use crate::view;

    /// `branch`, `loop`: the target.
    pub const TARGET: usize = view::Branch::SLOT.target;
    /// `branch`: the first argument.
    pub const BRANCH_ARGUMENTS: usize = view::Branch::SLOT.arguments;
    /// `branch_if`, `if`: the condition; `switch`, `structured_switch`: the selector.
    pub const CONDITION: usize = view::If::SLOT.condition;
    /// `branch_if`, `if`: the target if the condition is true.
    pub const TRUE: usize = view::If::SLOT.true_target;
    /// `branch_if`, `if`: the target if the condition is false.
    pub const FALSE: usize = view::If::SLOT.false_target;
    /// `branch_if`: the first branch weight.
    pub const BRANCH_IF_WEIGHTS: usize = view::BranchIf::SLOT.weights;
    /// `switch`, `structured_switch`: the default block.
    pub const DEFAULT: usize = view::Switch::SLOT.default;
    /// `switch`: the first literal.
    pub const SWITCH_CASES: usize = view::Switch::SLOT.cases;
    /// `structured_switch`: the first literal.
    pub const STRUCTURED_SWITCH_CASES: usize = view::StructuredSwitch::SLOT.cases;
    /// `if`: the merge block.
    pub const IF_MERGE: usize = view::If::SLOT.merge;
    /// `if`: the selection control.
    pub const IF_CONTROL: usize = view::If::SLOT.control;
    /// `if`: the first branch weight.
    pub const IF_WEIGHTS: usize = view::If::SLOT.weights;
    /// `structured_switch`: the merge block.
    pub const SWITCH_MERGE: usize = view::StructuredSwitch::SLOT.merge;
    /// `structured_switch`: the selection control.
    pub const SWITCH_CONTROL: usize = view::StructuredSwitch::SLOT.control;
    /// `loop`: the break block.
    pub const BREAK: usize = view::Loop::SLOT.merge;
    /// `loop`: the continue block.
    pub const CONTINUE: usize = view::Loop::SLOT.continue_target;
    /// `loop`: the loop control.
    pub const LOOP_CONTROL: usize = view::Loop::SLOT.control;
    /// `loop`: the first argument.
    pub const LOOP_ARGUMENTS: usize = view::Loop::SLOT.arguments;
}

/// Returns whether operand number `index` of a terminator is a successor.
pub fn is_successor(op: Op, index: usize) -> bool {
    match op {
        Op::Branch | Op::Loop => index == operand::TARGET,
        Op::BranchIf | Op::If => index == operand::TRUE || index == operand::FALSE,
        Op::Switch => index == operand::DEFAULT || (index > operand::SWITCH_CASES && index % 2 == 1),
        Op::StructuredSwitch => {
            index == operand::DEFAULT || (index > operand::STRUCTURED_SWITCH_CASES && index % 2 == 1)
        }
        _ => false,
    }
}

/// The indices of the successors among this many operands of a terminator.
fn successor_range(op: Op, count: usize) -> Range<usize> {
    match op {
        Op::Branch | Op::Loop => operand::TARGET..count.min(operand::TARGET + 1),
        Op::BranchIf | Op::If => operand::TRUE..count.min(operand::FALSE + 1),
        Op::Switch | Op::StructuredSwitch => operand::DEFAULT..count,
        _ => 0..0,
    }
}

/// Operand number of the first argument, for terminators with arguments.
pub fn first_argument(op: Op) -> Option<usize> {
    match op {
        Op::Branch => Some(operand::BRANCH_ARGUMENTS),
        Op::Loop => Some(operand::LOOP_ARGUMENTS),
        _ => None,
    }
}

/// An edge of the control flow graph: a terminator and one of its operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The terminator.
    pub terminator: Terminator,
    /// Number of the operand that names the target.
    pub operand: usize,
}

impl Module {
    /// The edges that leave a block, in operand order: true before false, default before the cases. Repeats are kept.
    pub fn out_edges(&self, block: Block) -> impl Iterator<Item = Edge> + Clone + '_ {
        self.terminator(block).into_iter().flat_map(move |terminator| {
            let op = self.op(terminator);
            let count = self.operand_count(terminator);
            let range = successor_range(op, count);
            range.filter(move |&index| is_successor(op, index)).map(move |operand| Edge { terminator, operand })
        })
    }

    /// The blocks that control can go to from a block, in operand order, repeats kept.
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + Clone + '_ {
        self.out_edges(block).filter_map(|edge| self.target(edge))
    }

    /// The edges that enter a block: its uses at successor positions of terminators that are in blocks.
    pub fn in_edges(&self, block: Block) -> impl Iterator<Item = Edge> + Clone + '_ {
        self.uses(block).filter_map(|used| {
            let Slot::Operand(operand) = used.slot else { return None };
            let terminator = self.cast::<Terminator>(used.user)?;
            let counts = is_successor(self.op(terminator), operand) && self.parent(terminator).is_some();
            counts.then_some(Edge { terminator, operand })
        })
    }

    /// The blocks that control can come from, one entry an edge.
    pub fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> + Clone + '_ {
        self.in_edges(block).filter_map(|edge| self.block_of(edge.terminator))
    }

    /// The target of an edge; `None` if the operand is not a block.
    pub fn target(&self, edge: Edge) -> Option<Block> {
        self.cast(self.operand(edge.terminator, edge.operand))
    }

    /// The arguments that a terminator passes to its only target.
    pub fn arguments(
        &self,
        terminator: Terminator,
    ) -> impl DoubleEndedIterator<Item = Inst> + ExactSizeIterator + Clone + '_ {
        let operands = self.storage.operands(Inst::from(terminator).0);
        let first = first_argument(self.op(terminator)).unwrap_or(operands.len()).min(operands.len());
        operands[first..].iter().map(|&value| Inst(value))
    }

    /// The merge block of a selection.
    pub fn merge_block(&self, terminator: Terminator) -> Option<Block> {
        let index = match self.op(terminator) {
            Op::If => operand::IF_MERGE,
            Op::StructuredSwitch => operand::SWITCH_MERGE,
            Op::Loop => operand::BREAK,
            _ => return None,
        };
        self.cast(self.operand(terminator, index))
    }

    /// The continue block of a `loop`.
    pub fn continue_block(&self, terminator: Terminator) -> Option<Block> {
        (self.op(terminator) == Op::Loop)
            .then(|| self.operand(terminator, operand::CONTINUE))
            .and_then(|block| self.cast(block))
    }

    /// The (literal, block) rows of a switch.
    pub fn cases(&self, terminator: Terminator) -> impl Iterator<Item = (Inst, Inst)> + Clone + '_ {
        let first = match self.op(terminator) {
            Op::Switch => operand::SWITCH_CASES,
            Op::StructuredSwitch => operand::STRUCTURED_SWITCH_CASES,
            _ => self.operand_count(terminator),
        };
        let count = self.operand_count(terminator);
        (first..count.max(first + 1) - 1)
            .step_by(2)
            .map(move |index| (self.operand(terminator, index), self.operand(terminator, index + 1)))
    }

    /// Returns whether a block is an edge block that still represents only an edge: it contains only parameters and a jump.
    ///
    /// Such a block exists because critical edges are forbidden; it is omitted when the module is written as SPIR-V.
    pub fn is_bare_edge(&self, block: Block) -> bool {
        self.op(block) == Op::EdgeBlock
            && self.terminator(block).is_some_and(|terminator| {
                let jumps = matches!(self.op(terminator), Op::Branch | Op::Loop);
                jumps && self.previous(terminator).is_none_or(|last| self.op(last) == Op::BlockParameter)
            })
    }
}
