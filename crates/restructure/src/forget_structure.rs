//! Returns a function from stage Structured to stage Graph: removes merge, break and continue blocks from terminators; edges stay.
//!
//! ```text
//! if %c ^a ^b merge ^m          ⇒   branch_if %c ^a ^b
//! structured_switch … merge ^m  ⇒   switch …
//! loop ^h(args) break ^m …      ⇒   branch ^h(args)
//! ```
//!
//! *Requires* nothing. *Preserves* edges and values. *Removes* the structure: structurizing again must find it. Linear.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Stage, Terminator};

/// Removes the structure of a function.
pub fn forget_structure(module: &mut Module, function: Function) {
    let blocks: Vec<Block> = module.blocks(function).collect();
    for block in blocks {
        let Some(terminator) = module.terminator(block) else { continue };
        let Some((op, operands)) = unstructured(module, terminator) else { continue };
        let location = module.explicit_location(terminator);
        let mut editor = module.edit();
        let replacement = editor.insert(Position::Before(terminator.into()), op, None, &operands);
        editor.set_location(replacement, location);
        editor.delete(terminator);
    }
    if module.stage(function) == Stage::Structured {
        module.edit().set_stage(function, Stage::Graph);
    }
}

fn unstructured(module: &Module, terminator: Terminator) -> Option<(Op, Vec<Inst>)> {
    let all: Vec<Inst> = module.operands(terminator).collect();
    let (op, kept) = match module.op(terminator) {
        Op::If => (Op::BranchIf, [&all[..operand::IF_MERGE], &all[operand::IF_WEIGHTS..]].concat()),
        Op::StructuredSwitch => {
            (Op::Switch, [&all[..operand::SWITCH_MERGE], &all[operand::STRUCTURED_SWITCH_CASES..]].concat())
        }
        Op::Loop => (Op::Branch, [&all[..operand::BREAK], &all[operand::LOOP_ARGUMENTS..]].concat()),
        _ => return None,
    };
    Some((op, kept))
}
