//! Extended instructions: the arithmetic of `GLSL.std.450` and `OpenCL.std`.
//!
//! The two sets name the same functions by different numbers. Which number is which say `glsl.rs` and `open_cl.rs`, with what each set
//! leaves undefined; `formula.rs` says how a function is done to operands; every family of functions has a file of its own.
//! Floating-point functions that are not exact are computed with about 100 bits (`wide.rs`) and rounded once, whatever the width, so
//! that results do not depend on a library and are the nearest ones. What is in neither table is unsupported.

use reconverge_ir::{Inst, Op};

use crate::Value;
use crate::code::Instruction;
use crate::decode::Decoder;
use crate::frame::Lane;
use crate::memory::Memory;
use crate::outcome::Fault;
use crate::{decode_memory, extended::pointers::Second};

mod circular;
mod constants;
mod error_function;
mod exact;
mod exponential;
mod formula;
mod gamma;
mod geometric;
mod glsl;
mod hyperbolic;
mod integer;
mod interpolation;
mod inverse_circular;
mod logarithm;
mod open_cl;
mod packing;
mod pointers;
mod power;
pub(crate) mod rounding;
mod vector;
mod wide;

/// A set of extended instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    Glsl,
    OpenCl,
    /// Any set whose instructions do nothing.
    NonSemantic,
}

impl InstructionSet {
    pub(crate) fn from_name(name: &str) -> Option<InstructionSet> {
        match name {
            "GLSL.std.450" => Some(InstructionSet::Glsl),
            "OpenCL.std" => Some(InstructionSet::OpenCl),
            "DebugInfo" | "OpenCL.DebugInfo.100" => Some(InstructionSet::NonSemantic),
            _ if name.starts_with("NonSemantic.") => Some(InstructionSet::NonSemantic),
            _ => None,
        }
    }

    fn unsupported(self, number: u32) -> Fault {
        let (set, name) = match self {
            InstructionSet::Glsl => ("GLSL.std.450", glsl::name(number)),
            InstructionSet::OpenCl => ("OpenCL.std", open_cl::name(number)),
            InstructionSet::NonSemantic => ("a non-semantic set", None),
        };
        match name {
            Some(name) => Fault::unsupported(format!("op ext_inst {name} of {set}")),
            None => Fault::unsupported(format!("op ext_inst {number} of {set}")),
        }
    }
}

/// Executes an extended instruction; the result, if it has one.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    (set, number): (InstructionSet, u32),
) -> Result<Option<Value>, Fault> {
    if let Some(access) = pointers::Access::of(set, number) {
        return pointers::execute(memory, lane, instruction, access);
    }
    if set == InstructionSet::Glsl && glsl::is_interpolation(number) {
        return interpolation::execute(memory, lane, instruction, number).map(Some);
    }
    let operands: Result<Vec<&Value>, Fault> =
        lane.operands(instruction.operands).iter().map(|&operand| lane.read(operand)).collect();
    let operands = operands?;
    let second = match (set, number) {
        (InstructionSet::Glsl, 36) => Some(Second::Modf),
        (InstructionSet::Glsl, 52) => Some(Second::GlslFrexp),
        _ => None,
    };
    if let (Some(second), &[value]) = (second, &operands[..]) {
        return pointers::as_struct(second, &lane.program.types, (instruction.ty, value)).map(Some);
    }
    let formula = match set {
        InstructionSet::Glsl => glsl::formula(number),
        InstructionSet::OpenCl => open_cl::formula(number),
        InstructionSet::NonSemantic => None,
    };
    formula::apply(formula.ok_or_else(|| set.unsupported(number))?, &operands).map(Some)
}

/// What has to be known of types to execute an instruction that accesses memory (`pointers.rs`); nothing for others.
pub(crate) fn memory_literals(
    decoder: &Decoder<'_>,
    inst: Inst,
    (set, number): (InstructionSet, u32),
) -> Result<Option<[u32; 2]>, Fault> {
    /// The set and the number come before the operands.
    const FIRST: usize = 2;
    let Some(access) = pointers::Access::of(set, number) else { return Ok(None) };
    let pointee = decode_memory::pointee_of(decoder, decoder.operand(inst, FIRST + access.pointer())?)?;
    let first = decoder.operand(inst, FIRST)?;
    let is_value = decoder.module().op(first) != Op::LiteralWords;
    let count = if is_value { decoder.program.vector_length(first) } else { None };
    Ok(Some([pointee, count.unwrap_or(1)]))
}
