//! Positions in a block where instructions are inserted.

use reconverge_ir::{Block, Module, Op, Position};

/// The position after the parameters and variables of a block. Linear in those.
pub fn top(module: &Module, block: Block) -> Position {
    let leading =
        module.children(block).take_while(|&inst| matches!(module.op(inst), Op::BlockParameter | Op::Variable));
    leading.last().map_or(Position::AtStart(block.into()), Position::After)
}
