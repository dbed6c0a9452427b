//! The order of a file (SPIR-V section 2.4): the sections in sequence, with exactly one memory model.

use reconverge_diagnostic::Diagnostic;

use crate::binary::Instruction;
use crate::error::{ReadCode, at_word};
use crate::grammar;
use crate::opcode;
use crate::sections::Section;

/// The progress of a walk over the instructions outside functions.
pub(super) struct Order {
    section: Section,
    has_memory_model: bool,
}

impl Order {
    pub(super) const fn start() -> Order {
        Order { section: Section::Capability, has_memory_model: false }
    }

    /// Advances to the next instruction outside functions, or to one that begins a function.
    pub(super) fn advance(&mut self, instruction: &Instruction<'_>) -> Result<(), Diagnostic> {
        let Some(section) = Section::of(instruction.opcode) else { return Ok(()) };
        let error = |message| Err(at_word(ReadCode::Layout, instruction.offset, message));
        let (last, name) = (self.section, grammar::opcode_name(instruction.opcode));
        if section < last {
            return error(format!("expected {name} before {}, found it after", last.name()));
        }
        let is_model = instruction.opcode == opcode::MEMORY_MODEL;
        if is_model && self.has_memory_model {
            return error(format!("expected one {name}, found another"));
        }
        self.has_memory_model |= is_model;
        self.section = section;
        Ok(())
    }
}
