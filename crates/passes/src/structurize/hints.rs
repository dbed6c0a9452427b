//! What merges ask for beyond structure: unroll this loop, flatten this selection.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

/// The loop controls and selection controls of a function, by header.
#[derive(Debug, Default)]
pub(super) struct Hints {
    loops: FxHashMap<Block, Inst>,
    selections: FxHashMap<Block, Inst>,
}

impl Hints {
    /// Reads the merges. Linear.
    pub(super) fn collect(module: &Module, function: Function) -> Hints {
        let mut hints = Hints::default();
        for block in module.blocks(function) {
            let Some(terminator) = module.terminator(block) else { continue };
            let control = |index| module.operand(terminator, index);
            match module.op(terminator) {
                Op::Loop => {
                    let header = module.cast(module.operand(terminator, operand::TARGET));
                    hints.loops.extend(header.map(|header| (header, control(operand::LOOP_CONTROL))));
                }
                Op::If => hints.selections.extend([(block, control(operand::IF_CONTROL))]),
                Op::StructuredSwitch => hints.selections.extend([(block, control(operand::SWITCH_CONTROL))]),
                _ => {}
            }
        }
        hints
    }

    /// The control of the loop with this header; none asked for is zero.
    pub(super) fn loop_control(&self, module: &mut Module, header: Block) -> Inst {
        self.loops.get(&header).copied().unwrap_or_else(|| module.edit().word(0))
    }

    /// The control of the selection with this header; none asked for is zero.
    pub(super) fn selection_control(&self, module: &mut Module, header: Block) -> Inst {
        self.selections.get(&header).copied().unwrap_or_else(|| module.edit().word(0))
    }
}
