//! The source locations of instructions: records after the instruction.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::error::Code;
use crate::module::DebugLocation;
use crate::read::operands::Operands;

impl Body<'_, '_> {
    /// `[line, column, scope + 1, inlined at + 1]`, for the last instruction.
    pub(super) fn set_location(&mut self, operands: &mut Operands<'_>) -> Result<(), Diagnostic> {
        let (line, column) = (operands.small("a line")?, operands.small("a column")?);
        let scope = self.reader.list_reference(operands)?;
        let inlined_at = self.reader.list_reference(operands)?;
        operands.end()?;
        self.location = Some(DebugLocation { line, column, scope, inlined_at });
        self.repeat_location(operands)
    }

    /// The same location as that of the last record.
    pub(super) fn repeat_location(&mut self, operands: &Operands<'_>) -> Result<(), Diagnostic> {
        match (self.instructions.last_mut(), self.location) {
            (Some(instruction), Some(location)) => {
                instruction.location = Some(location);
                Ok(())
            }
            _ => Err(operands.error(Code::Layout, "expected an instruction and a location before this record")),
        }
    }
}
