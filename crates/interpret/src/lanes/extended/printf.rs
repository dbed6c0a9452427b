//! `printf`: a lane prints the text of a call, which `extended/printf/` formats.

use crate::Value;
use crate::code::instruction::Instruction;
use crate::extended::printf::{Argument, FormatError, format};
use crate::fault::{Fault, UndefinedBehaviour};
use crate::lanes::access::address;
use crate::lanes::frame::Lane;
use crate::memory::Memory;

impl From<FormatError> for Fault {
    fn from(error: FormatError) -> Fault {
        match error {
            FormatError::Directive(_) => Fault::unsupported(error.to_string()),
            FormatError::Missing | FormatError::Mismatch => Fault::malformed(error.to_string()),
        }
    }
}

/// Prints the text of a call; the result is 0, or -1 if there is no room for the text.
pub(super) fn execute(memory: &mut Memory, lane: &Lane<'_>, instruction: &Instruction) -> Result<Option<Value>, Fault> {
    let text = string(memory, lane, lane.first(instruction.operands)?)?;
    let mut operands = lane.operands(instruction.operands).iter().skip(1);
    let text = format(&text, |conversion| match operands.next() {
        Some(&operand) => argument(memory, lane, lane.read(operand)?, conversion).map(Some),
        None => Ok::<_, Fault>(None),
    })?;
    let is_printed = memory.printed.as_mut().is_some_and(|printed| printed.add(lane.index, text));
    let result = if is_printed { 0 } else { u64::MAX };
    Ok(lane.program.types.integer(instruction.ty, result))
}

/// An argument of a directive. The depth is that of the value.
fn argument(memory: &Memory, lane: &Lane<'_>, value: &Value, conversion: u8) -> Result<Argument, Fault> {
    Ok(match value {
        Value::Undefined => Argument::Undefined,
        &Value::Int { width, bits } => Argument::Int { width, bits },
        Value::Float { .. } => Argument::Float(value.as_f64().ok_or(FormatError::Mismatch)?),
        Value::Composite(components) => {
            let components = components.iter().map(|component| argument(memory, lane, component, conversion));
            Argument::Vector(components.collect::<Result<_, _>>()?)
        }
        pointer if conversion == b's' => Argument::Text(string(memory, lane, pointer)?),
        Value::Pointer(pointer) => Argument::Address(memory.address(*pointer).unwrap_or(0)),
        _ => return Err(FormatError::Mismatch.into()),
    })
}

/// The characters at a pointer, up to a zero.
fn string(memory: &Memory, lane: &Lane<'_>, pointer: &Value) -> Result<Vec<u8>, Fault> {
    let start = address(lane, pointer)?;
    let mut characters = Vec::new();
    loop {
        let place = start.advanced(characters.len() as i64);
        match memory.load_word(place, 1)?.ok_or(UndefinedBehaviour::UndefinedAddress)? {
            0 => return Ok(characters),
            character => characters.push(character as u8),
        }
    }
}
