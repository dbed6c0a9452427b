//! The operands of an instruction, by `rspirv`'s grammar.

use rspirv::binary::{Assemble as _, Consumer, ParseAction, parse_bytes};
use rspirv::dr::{Instruction, ModuleHeader, Operand};

use crate::binary::MAGIC;
use crate::opcode;

/// A consumer that keeps the one instruction that it receives.
struct One(Option<Instruction>);

impl Consumer for One {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, instruction: Instruction) -> ParseAction {
        self.0 = Some(instruction);
        ParseAction::Continue
    }
}

/// A parsed instruction; `None` if the grammar does not contain all of it, or if it would be written as other words, as with data after the
/// end of a string. Not for instructions whose literals have the width of a type.
pub(super) fn parse(words: &[u32]) -> Option<Instruction> {
    const TYPED: [u16; 4] = [opcode::CONSTANT, opcode::SPEC_CONSTANT, opcode::SPEC_CONSTANT_OP, opcode::SWITCH];
    if TYPED.contains(&(words[0] as u16)) {
        return None;
    }
    let header = [MAGIC, 0x0001_0600, 0, 0, 0];
    let bytes: Vec<u8> = header.iter().chain(words).flat_map(|word| word.to_le_bytes()).collect();
    let mut one = One(None);
    parse_bytes(bytes, &mut one).ok()?;
    one.0.filter(|instruction| instruction.assemble() == words)
}

/// The words of an operand.
pub(super) fn words(operand: &Operand) -> Vec<u32> {
    operand.assemble()
}
