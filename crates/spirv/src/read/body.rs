//! The instructions of a block.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Location, Op, Position};

use super::flow::Flow;
use super::function::{SourceBlock, SourceFunction, no_block};
use super::globals::misplaced;
use super::phi::Phis;
use super::{Reader, Slot, Slots};
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::opcode;

/// The op of a branch without its merge instruction; `None` for terminators that leave the function.
pub(super) fn branch_op(opcode: u16) -> Option<Op> {
    match opcode {
        opcode::BRANCH => Some(Op::Branch),
        opcode::BRANCH_CONDITIONAL => Some(Op::BranchIf),
        opcode::SWITCH => Some(Op::Switch),
        _ => None,
    }
}

impl Reader<'_> {
    /// The indices of the blocks that a block's terminator names.
    pub(super) fn read_targets(
        &mut self,
        source: &SourceFunction,
        block: &SourceBlock,
        labels: &[u32],
    ) -> Result<Vec<u32>, Diagnostic> {
        let instruction = binary::instruction_at(self.words, block.body.end);
        let Some(op) = branch_op(instruction.opcode) else { return Ok(Vec::new()) };
        self.decode(&instruction)?;
        let mut targets = Vec::new();
        for (index, piece) in self.decoded.pieces.iter().enumerate() {
            if !reconverge_ir::terminator::is_successor(op, index) {
                continue;
            }
            let (id, word) = (instruction.words[piece.start], instruction.offset + piece.start);
            let number = self.survey.number(id, word)?;
            targets.push(source.index(labels, number).ok_or_else(|| no_block(id, word))? as u32);
        }
        Ok(targets)
    }

    /// Creates the parameters and instructions of a block, without its terminator. Returns the phis and the location of the terminator.
    pub(super) fn read_instructions(
        &mut self,
        source: &SourceFunction,
        index: usize,
        flow: &Flow,
        labels: &[u32],
    ) -> Result<(Phis, Option<Location>), Diagnostic> {
        let block = &source.blocks[index];
        let mut phis = Phis::new(flow.predecessors(index));
        let mut is_past_phis = false;
        self.in_effect = block.in_effect.or_else(|| source.is_located.then_some(Location::NONE));
        let mut ahead = block.ahead.iter().copied();
        for instruction in binary::instructions(self.words, block.body.clone()) {
            let instruction = instruction?;
            if self.read_position(&instruction)? {
                continue;
            }
            self.location = self.in_effect;
            match instruction.opcode {
                opcode::LOOP_MERGE | opcode::SELECTION_MERGE => {}
                opcode::PHI if is_past_phis => return Err(misplaced(&instruction)),
                opcode::PHI => {
                    self.read_phi(block, &instruction, &mut phis, |number| source.index(labels, number))?;
                }
                _ => {
                    // Debug information of OpenCL may be among the phis.
                    is_past_phis |= instruction.opcode != opcode::EXT_INST;
                    if instruction.opcode != opcode::VARIABLE && is_past_phis {
                        self.read_ahead(block, &mut ahead)?;
                    }
                    self.read_instruction(block, &instruction)?;
                }
            }
        }
        self.read_ahead(block, &mut ahead)?;
        self.read_ahead(block, &mut block.behind.iter().copied())?;
        self.location = None;
        Ok((phis, self.in_effect.take()))
    }

    /// Reads the instructions about variables that are before a block's label. They are placed after its phis and variables.
    fn read_ahead(&mut self, block: &SourceBlock, ahead: &mut impl Iterator<Item = usize>) -> Result<(), Diagnostic> {
        ahead.try_for_each(|offset| self.read_instruction(block, &binary::instruction_at(self.words, offset)))
    }

    fn read_instruction(&mut self, block: &SourceBlock, instruction: &Instruction<'_>) -> Result<(), Diagnostic> {
        self.decode(instruction)?;
        let (ty, number) = self.results(instruction)?;
        let ty = self.type_inst(ty, instruction)?;
        let op = self.value_op(instruction)?;
        if matches!(op.class(), Class::ModuleInstruction | Class::Type | Class::Constant) {
            return Err(misplaced(instruction));
        }
        let slots = self.slots_with_opcode(instruction, op)?;
        let inst = self.create(op, number, ty, slots);
        self.module.edit().move_to(inst, Position::AtEnd(block.block.into()));
        Ok(())
    }

    fn read_phi(
        &mut self,
        block: &SourceBlock,
        instruction: &Instruction<'_>,
        phis: &mut Phis,
        index_of: impl Fn(u32) -> Option<usize>,
    ) -> Result<(), Diagnostic> {
        self.decode(instruction)?;
        let (ty, number) = self.results(instruction)?;
        let ty = self.type_inst(ty, instruction)?.expect("invariant: a phi has a type");
        let slots = self.slots(instruction)?;
        let pairs = slots.chunks_exact(2).enumerate().map(|(pair, slots)| {
            let [Slot::Number(value), Slot::Number(parent)] = *slots else {
                unreachable!("the grammar has ids in phis")
            };
            (value, index_of(parent), 3 + 2 * pair + 1)
        });
        phis.add(ty, instruction, pairs)?;
        if phis.count() > MAX_PHIS {
            let message = format!("expected at most {MAX_PHIS} phis in a block, found more");
            return Err(at_word(ReadCode::Limit, instruction.offset, message));
        }
        let inst = self.create(Op::BlockParameter, number, Some(ty), Slots::new());
        let position = phis.last.replace(inst).map_or(Position::AtStart(block.block.into()), Position::After);
        self.module.edit().move_to(inst, position);
        Ok(())
    }
}

/// The maximum number of phis of a block: the arguments that a branch can have beside its other operands.
const MAX_PHIS: usize = 65_000;
