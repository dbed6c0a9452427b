//! Block parameters and the arguments of the jumps that feed them, changed many at a time.
//!
//! A jump that gains or loses an argument gets a new list of operands, which takes time in proportion to its length; so what is
//! to change is gathered, and each jump is written once. Invariant: between gathering and [`NewParameters::finish`] a block has
//! more parameters than the jumps to it have arguments.

use reconverge_ir::{Block, Inst, Module, Op, Position, Terminator};
use rustc_hash::FxHashMap;

/// Parameters that were added to blocks, and arguments that are still to be passed for them.
#[derive(Debug, Default)]
pub(crate) struct NewParameters {
    last: FxHashMap<Block, Inst>,
    arguments: FxHashMap<Terminator, Vec<Inst>>,
}

impl NewParameters {
    /// Adds a parameter after those that a block has. Every jump to the block owes an argument.
    pub(crate) fn append(&mut self, module: &mut Module, block: Block, ty: Inst) -> Inst {
        let known = self.last.get(&block).copied();
        let last = known.or_else(|| module.parameters(block).last().map(Inst::from));
        let position = last.map_or(Position::AtStart(block.into()), Position::After);
        let parameter = module.edit().insert(position, Op::BlockParameter, Some(ty), &[]);
        self.last.insert(block, parameter);
        parameter
    }

    /// What a jump passes for the next of the parameters that were added to its target.
    pub(crate) fn pass(&mut self, jump: Terminator, argument: Inst) {
        self.arguments.entry(jump).or_default().push(argument);
    }

    /// Writes the arguments. Linear in the operands of the jumps concerned.
    pub(crate) fn finish(self, module: &mut Module) {
        let mut jumps: Vec<(Terminator, Vec<Inst>)> = self.arguments.into_iter().collect();
        jumps.sort_unstable_by_key(|&(jump, _)| jump);
        for (jump, added) in jumps {
            debug_assert!(
                matches!(module.op(jump), Op::Branch | Op::Loop),
                "a block with parameters is entered by jumps alone"
            );
            let operands: Vec<Inst> = module.operands(jump).chain(added).collect();
            replace_operands(module, jump, &operands);
        }
    }
}

/// Writes a terminator anew with other operands. Its handle dies.
pub(crate) fn replace_operands(module: &mut Module, old: Terminator, operands: &[Inst]) {
    let (op, location) = (module.op(old), module.explicit_location(old));
    let mut editor = module.edit();
    let new = editor.insert(Position::Before(old.into()), op, None, operands);
    editor.set_location(new, location);
    editor.delete(old);
}
