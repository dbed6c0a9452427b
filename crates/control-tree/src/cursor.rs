//! Cursors: positions between instructions, and between blocks and constructs.
//!
//! ```text
//! ^b(%p):              BeforeBlock(b) = Before(%x): after the parameters
//!   %x = …             After(%x) = Before(%y)
//!   %y = …             AfterBlock(b) = After(%y) = Before(if): before the construct
//!   if … merge ^m
//!     [then] [else]
//! ^m(%q):              BeforeBlock(m): after the construct
//! ```

use crate::{ControlTree, List, Node};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Module, Op};

/// A position in the tree. There are four kinds, and several of them may mean the same position ([`Cursor::normalize`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cursor {
    /// At the start of a block, after its parameters, in the entry block after its variables: after the construct that the block closes, if
    /// there is one.
    BeforeBlock(Block),
    /// At the end of a block, before its terminator: before the construct that it opens or the jump that it makes.
    AfterBlock(Block),
    /// Before an instruction.
    Before(Inst),
    /// After an instruction. After a terminator that ends a list: after it, in unreachable code.
    After(Inst),
}

impl Cursor {
    /// The start of a list.
    pub fn begin(tree: &ControlTree, list: List) -> Cursor {
        Cursor::BeforeBlock(tree.first_block(list))
    }

    /// The end of a list, after the jump that ends it. For reachable code: before that jump, [`Cursor::AfterBlock`] of the last block.
    pub fn end(module: &Module, tree: &ControlTree, list: List) -> Cursor {
        let last = tree.last_block(list);
        module.terminator(last).map_or(Cursor::AfterBlock(last), |jump| Cursor::After(jump.into()))
    }

    /// Before a node.
    pub fn before(node: Node) -> Cursor {
        match node {
            Node::Block(block) => Cursor::BeforeBlock(block),
            Node::Construct(construct) => Cursor::AfterBlock(construct.opener()),
        }
    }

    /// After a node. After a conditional exit whose two edges both leave, this is [`Cursor::end`].
    pub fn after(module: &Module, tree: &ControlTree, node: Node) -> Cursor {
        match node {
            Node::Block(block) => Cursor::AfterBlock(block),
            Node::Construct(construct) => match tree.next(construct.opener()) {
                Some(next) => Cursor::BeforeBlock(next),
                None => Cursor::end(module, tree, tree.parent(construct)),
            },
        }
    }

    /// The block of the cursor.
    pub fn block(self, module: &Module) -> Option<Block> {
        match self {
            Cursor::BeforeBlock(block) | Cursor::AfterBlock(block) => Some(block),
            Cursor::Before(inst) | Cursor::After(inst) => module.block_of(inst),
        }
    }

    /// The canonical cursor for this position: [`Cursor::Before`] an instruction that is not a parameter, or [`Cursor::After`] a
    /// terminator. The end of a block that only jumps to a block with no other predecessor is the start of that one. `None` for positions
    /// among parameters or variables and in anything that is not a block with a terminator.
    pub fn normalize(self, module: &Module) -> Option<Cursor> {
        let before = match self {
            Cursor::BeforeBlock(block) => first_behind_parameters(module, block)?,
            Cursor::AfterBlock(block) => module.terminator(block)?.into(),
            Cursor::Before(inst) => inst,
            Cursor::After(inst) if module.op(inst).is_terminator() => return Some(Cursor::After(inst)),
            Cursor::After(inst) => module.next(inst)?,
        };
        if module.op(before) == Op::BlockParameter || last_variable(module, before).is_some() {
            return None;
        }
        let mut before = before;
        let mut block = module.block_of(before)?;
        module.terminator(block)?;
        while let Some(next) = only_next(module, block, before) {
            let Some(first) = first_behind_parameters(module, next) else { break };
            (block, before) = (next, first);
        }
        Some(Cursor::Before(before))
    }
}

/// The target of a plain branch, if it is only the continuation of the branch's block.
fn only_next(module: &Module, block: Block, branch: Inst) -> Option<Block> {
    if module.op(branch) != Op::Branch || module.operand_count(branch) == 0 {
        return None;
    }
    let target: Block = module.cast(module.operand(branch, operand::TARGET)).filter(|&target| target != block)?;
    let mut uses = module.uses(target);
    (uses.next()?.user == branch && uses.next().is_none()).then_some(target)
}

/// The first instruction of a block after its parameters, and after the variables at the top of an entry block.
pub(crate) fn first_behind_parameters(module: &Module, block: Block) -> Option<Inst> {
    let first = module.children(block).find(|&inst| module.op(inst) != Op::BlockParameter)?;
    last_variable(module, first).map_or(Some(first), |variable| module.next(variable))
}

/// The last variable at or after an instruction of an entry block, among what may be between variables.
fn last_variable(module: &Module, from: Inst) -> Option<Inst> {
    let run = std::iter::successors(Some(from), |&inst| module.next(inst));
    let run = run.take_while(|&inst| matches!(module.op(inst), Op::Variable | Op::Undef | Op::ExtInst | Op::Nop));
    run.filter(|&inst| module.op(inst) == Op::Variable).last()
}
