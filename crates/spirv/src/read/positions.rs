//! Lines and scopes, which debug instructions state for the instructions after them.
//!
//! `OpLine`, `DebugLine` and `DebugScope` hold for every instruction up to the next of their kind, to the one that ends them, or to the end
//! of the block (SPIR-V section 3.3.3, NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100). They become the location of each
//! instruction that they hold for, so that it keeps the location when it is moved. In a function without any, no instruction has a
//! location.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Line, Location, Op};

use super::{Reader, Slot};
use crate::binary::Instruction;
use crate::error::{ReadCode, at_word};
use crate::grammar::{DebugMark, debug_mark};
use crate::opcode;

impl Reader<'_> {
    /// Reads an instruction as a location for those after it. Returns whether it is one.
    pub(super) fn read_position(&mut self, instruction: &Instruction<'_>) -> Result<bool, Diagnostic> {
        let mut location = self.in_effect.unwrap_or(Location::NONE);
        match instruction.opcode {
            opcode::LINE => location.line = Some(self.read_line(instruction)?),
            opcode::NO_LINE => {
                self.decode(instruction)?;
                location.line = None;
            }
            _ => {
                let Some(mark) = debug_mark(instruction, &self.survey) else { return Ok(false) };
                match mark {
                    DebugMark::Line => location.range = Some(self.read_mark(instruction, Op::DebugLine)?),
                    DebugMark::NoLine => location.range = None,
                    DebugMark::Scope => location.scope = Some(self.read_mark(instruction, Op::DebugScope)?),
                    DebugMark::NoScope => location.scope = None,
                }
            }
        }
        self.in_effect = Some(location);
        self.location = self.in_effect;
        Ok(true)
    }

    fn read_line(&mut self, instruction: &Instruction<'_>) -> Result<Line, Diagnostic> {
        self.decode(instruction)?;
        let words = instruction.words;
        let number = self.survey.number(words[1], instruction.offset + 1)?;
        let message = || format!("expected a string that is declared earlier, found {}", words[1]);
        let file = self.insts[number as usize]
            .ok_or_else(|| at_word(ReadCode::ForwardReference, instruction.offset + 1, message()))?;
        Ok(Line { file, line: words[2], column: words[3] })
    }

    /// Reads the part of a location that an extended instruction states: its set and its operands.
    fn read_mark(&mut self, instruction: &Instruction<'_>, op: Op) -> Result<Inst, Diagnostic> {
        self.decode(instruction)?;
        let mut slots = self.slots(instruction)?;
        // The number of the instruction in its set, which the op already determines.
        slots.remove(1);
        let mut operands = Vec::with_capacity(slots.len());
        for &slot in &slots {
            let Some(operand) = self.slot(slot) else {
                let id = match slot {
                    Slot::Number(number) => number,
                    Slot::Inst(_) => 0,
                };
                let message = format!("expected an id that is declared earlier, found number {id}");
                return Err(at_word(ReadCode::ForwardReference, instruction.offset, message));
            };
            operands.push(operand);
        }
        // An operand of an extended instruction may be a literal, but none of a line or scope is.
        if operands.iter().any(|&operand| self.module.op(operand).is_literal()) {
            let message = "expected operands that are ids, found one that nothing defines".to_owned();
            return Err(at_word(ReadCode::IdUndefined, instruction.offset, message));
        }
        let (least, most) = if op == Op::DebugLine { (6, 6) } else { (2, 3) };
        if !(least..=most).contains(&operands.len()) {
            let message = format!("expected {} to {} operands, found {}", least - 1, most - 1, operands.len() - 1);
            return Err(at_word(ReadCode::OperandMissing, instruction.offset, message));
        }
        Ok(self.module.edit().unique(op, None, &operands))
    }
}
