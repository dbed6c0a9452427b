//! Names and decorations, which are read first: they are part of the identity of a type or constant.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;

use super::{Reader, Slot};
use crate::binary::{self, Instruction};
use crate::opcode;

/// The op of a name or decoration.
pub(crate) fn decoration_op(opcode: u16) -> Option<Op> {
    Some(match opcode {
        opcode::NAME => Op::Name,
        opcode::MEMBER_NAME => Op::MemberName,
        opcode::DECORATE => Op::Decorate,
        opcode::MEMBER_DECORATE => Op::MemberDecorate,
        opcode::DECORATE_ID => Op::DecorateId,
        opcode::DECORATE_STRING => Op::DecorateString,
        opcode::MEMBER_DECORATE_STRING => Op::MemberDecorateString,
        _ => return None,
    })
}

impl Reader<'_> {
    /// Collects the names and decorations of every number.
    pub(super) fn read_decorations(&mut self) -> Result<(), Diagnostic> {
        for instruction in binary::all_instructions(self.words) {
            let instruction = instruction?;
            let is_of_mark = instruction.words.get(1).is_some_and(|&target| self.survey.is_mark(target));
            if let Some(op) = decoration_op(instruction.opcode).filter(|_| !is_of_mark) {
                self.read_decoration(&instruction, op)?;
            }
        }
        Ok(())
    }

    fn read_decoration(&mut self, instruction: &Instruction<'_>, op: Op) -> Result<(), Diagnostic> {
        self.decode(instruction)?;
        let mut slots = self.slots(instruction)?;
        let target = slots.remove(0);
        let Slot::Number(target) = target else { unreachable!("the grammar has an id first in every decoration") };
        match self.resolve(&slots) {
            Some(operands) => {
                let decoration = self.module.edit().unique(op, None, &operands);
                self.decorations.entry(target).or_default().push(decoration);
            }
            None => self.late_decorations.push((target, op, slots)),
        }
        Ok(())
    }
}
