//! Extended instructions of one lane: those that access memory, the others by their results (`extended/`).

mod interpolation;
mod memory;
mod printf;

use spirv::OpenclStd100Op as OpenCl;

use crate::Value;
use crate::code::instruction::Instruction;
use crate::extended::Extended;
use crate::extended::access::ExtendedAccess;
use crate::fault::Fault;
use crate::lanes::frame::Lane;
use crate::memory::Memory;

/// Executes an extended instruction. Returns the result, if it has one.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Extended,
) -> Result<Option<Value>, Fault> {
    if let Some(access) = ExtendedAccess::of(op) {
        return memory::execute(memory, lane, instruction, access);
    }
    if let Some(op) = op.interpolation() {
        return interpolation::execute(memory, lane, instruction, op).map(Some);
    }
    if op == Extended::OpenCl(OpenCl::printf) && memory.printed.is_some() {
        return printf::execute(memory, lane, instruction);
    }
    let operands: Result<Vec<&Value>, Fault> =
        lane.operands(instruction.operands).iter().map(|&operand| lane.read(operand)).collect();
    op.evaluate(&lane.program.types, instruction.ty, &operands?).map(Some)
}
