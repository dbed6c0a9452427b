//! Lines and scopes, which are stated before an instruction.
//!
//! A location holds to the end of the block, so that only changes are written. An `OpLine` may be anywhere. A `DebugLine` or a `DebugScope`
//! is an instruction of a block: it is after the phis and variables, which must come first (SPIR-V section 2.4), and before a merge
//! instruction.
//!
//! ```text
//! load at %f 3:1 debug_scope(%set, %s)         OpLine %f 3 1; DebugScope %s; OpLoad
//! store at %f 3:1                        ⇒     DebugNoScope; OpStore
//! branch at %f 4:1                             OpLine %f 4 1; OpBranch
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::debug_info::number;
use reconverge_ir::{Inst, Line, Location, Op};

use super::emit::Emitter;
use crate::error::{WriteCode, at_inst};
use crate::opcode;

/// The numbers of the extended instructions for a part of a location.
#[derive(Clone, Copy)]
struct Marks {
    say: u32,
    take_back: u32,
}

impl Emitter<'_> {
    /// Writes the location of an instruction, as far as it does not already hold.
    pub(super) fn location(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.line(inst)?;
        let Some(location) = self.module.explicit_location(inst) else { return Ok(()) };
        if self.module.op(inst) == Op::Variable {
            return Ok(());
        }
        if location.range != self.in_effect.range {
            self.mark(
                inst,
                location.range,
                self.in_effect.range,
                Marks { say: number::LINE, take_back: number::NO_LINE },
            )?;
            self.in_effect.range = location.range;
        }
        if location.scope != self.in_effect.scope {
            self.mark(
                inst,
                location.scope,
                self.in_effect.scope,
                Marks { say: number::SCOPE, take_back: number::NO_SCOPE },
            )?;
            self.in_effect.scope = location.scope;
        }
        Ok(())
    }

    /// Writes the line of something that is not an instruction of a block.
    pub(super) fn line(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.module.explicit_location(inst) {
            Some(location) if location.line != self.in_effect.line => self.write_line(inst, location.line),
            _ => Ok(()),
        }
    }

    /// Writes the line of something at module level: the line before it may be there by chance.
    pub(super) fn global_line(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.module.explicit_location(inst) {
            Some(location) => self.write_line(inst, location.line),
            None => Ok(()),
        }
    }

    /// Ends the location of earlier instructions before a function.
    pub(super) fn function_line(&mut self, function: Inst) -> Result<(), Diagnostic> {
        match self.module.explicit_location(function) {
            None if self.in_effect.line.is_some() => self.write_line(function, None),
            _ => self.line(function),
        }
    }

    /// Records the end of a block: no location holds any more.
    pub(super) fn end_block(&mut self) {
        self.in_effect = Location::NONE;
    }

    fn write_line(&mut self, inst: Inst, line: Option<Line>) -> Result<(), Diagnostic> {
        self.in_effect.line = line;
        let start = match line {
            None => self.begin(opcode::NO_LINE),
            Some(Line { file, line, column }) => {
                let start = self.begin(opcode::LINE);
                self.operand(inst, file)?;
                self.word(line);
                self.word(column);
                start
            }
        };
        self.end(start, inst)
    }

    /// Writes the extended instruction that states a part of a location, or the one that ends the part that held.
    fn mark(&mut self, inst: Inst, said: Option<Inst>, held: Option<Inst>, marks: Marks) -> Result<(), Diagnostic> {
        let module = self.module;
        let Some(part) = said.or(held) else { return Ok(()) };
        let missing = || at_inst(WriteCode::Operand, inst, "expected a type_void for debug information, found none");
        let void = self.void.ok_or_else(missing)?;
        let start = self.begin(opcode::EXT_INST);
        self.operand(inst, void)?;
        let id = self.fresh_id();
        self.word(id);
        let mut operands = module.operands(part);
        operands.next().map_or(Ok(()), |set| self.operand(inst, set))?;
        self.word(if said.is_some() { marks.say } else { marks.take_back });
        for operand in operands.filter(|_| said.is_some()) {
            self.operand(inst, operand)?;
        }
        self.end(start, inst)
    }
}
