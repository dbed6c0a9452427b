//! Terminators: merge instruction and branch.
//!
//! The `loop` of a preheader becomes the merge instruction of the header. A header whose own terminator has a merge block as well is split,
//! since a block can have only one merge instruction:
//!
//! ```text
//! ^p: loop ^h break ^m continue ^c             ^p: OpBranch ^h
//! ^h: …                                        ^h: … OpLoopMerge ^m ^c; OpBranch ^n
//!     if %x ^a ^b merge ^k            ⇒        ^n: OpSelectionMerge ^k; OpBranchConditional %x ^a ^b
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::{is_successor, operand};
use reconverge_ir::{Block, Inst, Op};
use rustc_hash::FxHashMap;

use super::contract::Contracted;
use super::emit::Emitter;
use crate::error::{WriteCode, at_inst};
use crate::opcode;

/// The second halves of blocks that are split: their labels.
pub(super) struct Splits {
    labels: FxHashMap<Inst, u32>,
}

impl Splits {
    /// The label of the block that ends in a block's terminator: its own, or that of its second half.
    pub(super) fn last_label(&self, emitter: &mut Emitter<'_>, block: Block) -> u32 {
        self.labels.get(&block.into()).copied().unwrap_or_else(|| emitter.id(block.into()))
    }
}

/// Finds the blocks that need two merge instructions.
pub(super) fn splits(emitter: &mut Emitter<'_>, contracted: &Contracted) -> Splits {
    let module = emitter.module;
    let mut labels = FxHashMap::default();
    for &block in contracted.blocks() {
        let op = module.terminator(block).map(|terminator| module.op(terminator));
        if contracted.entering_loop(block).is_some() && matches!(op, Some(Op::If | Op::StructuredSwitch)) {
            labels.insert(block.into(), emitter.fresh_id());
        }
    }
    Splits { labels }
}

/// Writes the end of a block.
pub(super) fn emit(
    emitter: &mut Emitter<'_>,
    contracted: &Contracted,
    splits: &Splits,
    block: Block,
) -> Result<(), Diagnostic> {
    let module = emitter.module;
    let missing = || at_inst(WriteCode::Block, block, "expected a block to end in a terminator, found none");
    let terminator = Inst::from(module.terminator(block).ok_or_else(missing)?);
    let split = splits.labels.get(&block.into()).copied();
    if let Some(label) = split {
        emit_loop_merge(emitter, contracted, splits, block)?;
        emit_words(emitter, terminator, opcode::BRANCH, &[label])?;
        emitter.end_block();
        emit_words(emitter, terminator, opcode::LABEL, &[label])?;
    }
    let op = module.op(terminator);
    let merge_places = match op {
        Op::If => Some((operand::IF_MERGE, operand::IF_CONTROL)),
        Op::StructuredSwitch => Some((operand::SWITCH_MERGE, operand::SWITCH_CONTROL)),
        _ => None,
    };
    let branch_opcode = match op {
        Op::Branch | Op::Loop => opcode::BRANCH,
        Op::BranchIf | Op::If => opcode::BRANCH_CONDITIONAL,
        Op::Switch | Op::StructuredSwitch => opcode::SWITCH,
        _ => {
            if contracted.entering_loop(block).is_some() {
                emitter.location(terminator)?;
                emit_loop_merge(emitter, contracted, splits, block)?;
            }
            return emitter.instruction(terminator);
        }
    };
    emitter.location(terminator)?;
    if let Some((merge, control)) = merge_places {
        let start = emitter.begin(opcode::SELECTION_MERGE);
        emitter.operand(terminator, module.operand(terminator, merge))?;
        emitter.operand(terminator, module.operand(terminator, control))?;
        emitter.end(start, terminator)?;
    }
    if split.is_none() && contracted.entering_loop(block).is_some() {
        emit_loop_merge(emitter, contracted, splits, block)?;
    }
    let start = emitter.begin(branch_opcode);
    let own_arguments = reconverge_ir::terminator::first_argument(op).map(|_| operand::TARGET + 1);
    let count = own_arguments.unwrap_or_else(|| module.operand_count(terminator));
    for (index, used) in module.operands(terminator).enumerate().take(count) {
        if merge_places.is_some_and(|(merge, control)| index == merge || index == control) {
            continue;
        }
        let used = if is_successor(op, index) { contracted.goes_to(used) } else { used };
        emitter.operand(terminator, used)?;
    }
    emitter.end(start, terminator)
}

fn emit_words(emitter: &mut Emitter<'_>, user: Inst, opcode: u16, words: &[u32]) -> Result<(), Diagnostic> {
    let start = emitter.begin(opcode);
    words.iter().for_each(|&word| emitter.word(word));
    emitter.end(start, user)
}

fn emit_loop_merge(
    emitter: &mut Emitter<'_>,
    contracted: &Contracted,
    splits: &Splits,
    block: Block,
) -> Result<(), Diagnostic> {
    let module = emitter.module;
    let inst = contracted.entering_loop(block).expect("invariant: the block is a loop header");
    let start = emitter.begin(opcode::LOOP_MERGE);
    emitter.operand(inst, module.operand(inst, operand::BREAK))?;
    let continue_block = module.operand(inst, operand::CONTINUE);
    if continue_block == Inst::from(block) {
        // The loop consists of this block alone: if it is split, the back edge leaves the second half.
        let label = splits.last_label(emitter, block);
        emitter.word(label);
    } else {
        emitter.operand(inst, continue_block)?;
    }
    emitter.operand(inst, module.operand(inst, operand::LOOP_CONTROL))?;
    emitter.end(start, inst)
}
