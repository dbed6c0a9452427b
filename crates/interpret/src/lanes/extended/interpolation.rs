//! Interpolation functions of a fragment shader: `InterpolateAtCentroid`, `InterpolateAtSample`, `InterpolateAtOffset`.
//!
//! A run has the inputs at the centre of each pixel, and no data about the primitive. So the centre is the centroid and the only sample of
//! a pixel; at other samples and offsets the result is undefined.

use spirv::GlslStd450Op as Glsl;

use crate::Value;
use crate::code::instruction::Instruction;
use crate::fault::Fault;
use crate::lanes::access::address;
use crate::lanes::frame::Lane;
use crate::memory::Memory;

/// Executes one of the three.
pub(super) fn execute(memory: &Memory, lane: &Lane<'_>, instruction: &Instruction, op: Glsl) -> Result<Value, Fault> {
    /// The second operand: a sample or an offset.
    const PLACE: usize = 1;
    let pointer = address(lane, lane.first(instruction.operands)?)?;
    let is_centre = op == Glsl::InterpolateAtCentroid || is_zero(lane.operand(instruction.operands, PLACE)?);
    match is_centre {
        true => memory.load(&lane.program.types, instruction.ty, pointer),
        false => Ok(Value::Undefined),
    }
}

fn is_zero(place: &Value) -> bool {
    match place {
        Value::Int { bits, .. } => *bits == 0,
        Value::Float { .. } => place.as_f64() == Some(0.0),
        Value::Composite(components) => components.iter().all(is_zero),
        _ => false,
    }
}
