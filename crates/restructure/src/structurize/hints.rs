//! The information in the merges of a function before it is structurized: where lanes reconverge, and requests beyond structure (unroll
//! this loop, flatten this selection).
//!
//! The structurizer gets reconvergence as hints. A merge block that is unreachable, or that is an edge block, is resolved when blocks have
//! numbers: `Input` maps each.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator};
use rustc_hash::FxHashMap;
use spirv::{LoopControl, SelectionControl};

/// The merges of a function, by header.
#[derive(Debug, Default)]
pub(super) struct Hints {
    loops: FxHashMap<Block, Inst>,
    selections: FxHashMap<Block, Inst>,
    /// Header and merge block, in the order of the blocks.
    pub(super) selection_merges: Vec<(Block, Block)>,
    /// Header, break block and continue block of loops, likewise.
    pub(super) loop_merges: Vec<[Block; 3]>,
}

impl Hints {
    /// Reads the merges. Linear.
    pub(super) fn collect(module: &Module, function: Function) -> Hints {
        let mut hints = Hints::default();
        for block in module.blocks(function) {
            let Some(terminator) = module.terminator(block) else { continue };
            let control = |index| module.operand(terminator, index);
            hints.add_merges(module, block, terminator);
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

    /// Every block that a merge names, where lanes reconverge.
    pub(super) fn named_blocks(&self) -> impl Iterator<Item = Block> {
        let selections = self.selection_merges.iter().map(|&(_, merge)| merge);
        selections.chain(self.loop_merges.iter().flatten().copied())
    }

    fn add_merges(&mut self, module: &Module, block: Block, terminator: Terminator) {
        let named = |index| module.cast::<Block>(module.operand(terminator, index));
        match module.op(terminator) {
            Op::Loop => {
                let blocks = (named(operand::TARGET), named(operand::BREAK), named(operand::CONTINUE));
                if let (Some(header), Some(merge), Some(next)) = blocks {
                    self.loop_merges.push([header, merge, next]);
                }
            }
            _ => self.selection_merges.extend(module.merge_block(terminator).map(|merge| (block, merge))),
        }
    }

    /// The control of the loop with this header.
    pub(super) fn loop_control(&self, module: &mut Module, header: Block) -> Inst {
        self.loops.get(&header).copied().unwrap_or_else(|| module.edit().enumerant(LoopControl::NONE))
    }

    /// The control of the selection with this header.
    pub(super) fn selection_control(&self, module: &mut Module, header: Block) -> Inst {
        self.selections.get(&header).copied().unwrap_or_else(|| module.edit().enumerant(SelectionControl::NONE))
    }
}
