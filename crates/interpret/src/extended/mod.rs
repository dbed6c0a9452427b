//! Extended instructions: the arithmetic of `GLSL.std.450` and `OpenCL.std`.
//!
//! The two sets give the same functions different numbers. `glsl.rs` and `open_cl.rs` contain these numbers and the undefined results of
//! each set; `formula.rs` applies a function to operands; every family of functions has a separate file. Floating-point functions that are
//! not exact are computed with about 100 bits (`wide.rs`) and rounded once, for every width, so that results do not depend on a library and
//! are correctly rounded. A number in neither table is unsupported.

use reconverge_ir::Op;
use reconverge_ir::view::Operands;
use spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};

use crate::Value;
use crate::decode::code::Instruction;
use crate::decode::{Decoder, missing};
use crate::lanes::frame::Lane;
use crate::launch::outcome::Fault;
use crate::memory::Memory;
use crate::{decode::addresses, extended::pointers::Second};

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
mod printf;
pub(crate) mod rounding;
mod vector;
mod wide;

/// An extended instruction of a set with results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extended {
    Glsl(Glsl),
    OpenCl(OpenCl),
}

const GLSL: &str = "GLSL.std.450";
const OPEN_CL: &str = "OpenCL.std";

impl Extended {
    /// The instruction with that number in a set; `None` for non-semantic sets.
    pub(crate) fn of(set: &str, number: u32) -> Result<Option<Extended>, Fault> {
        let found = match set {
            GLSL => Glsl::from_u32(number).map(Extended::Glsl),
            OPEN_CL => OpenCl::from_u32(number).map(Extended::OpenCl),
            "DebugInfo" | "OpenCL.DebugInfo.100" => return Ok(None),
            _ if set.starts_with("NonSemantic.") => return Ok(None),
            _ => return Err(Fault::unsupported(format!("op ext_inst of {set}"))),
        };
        found.map(Some).ok_or_else(|| Fault::unsupported(format!("op ext_inst {number} of {set}")))
    }

    fn unsupported(self) -> Fault {
        Fault::unsupported(match self {
            Extended::Glsl(op @ Glsl::IMix) => format!("op ext_inst {op:?} of {GLSL}"),
            Extended::OpenCl(op @ OpenCl::printf) => format!("op ext_inst {op:?} of {OPEN_CL}"),
            Extended::Glsl(op) => format!("op ext_inst {} of {GLSL}", op as u32),
            Extended::OpenCl(op) => format!("op ext_inst {} of {OPEN_CL}", op as u32),
        })
    }
}

/// Executes an extended instruction. Returns the result, if it has one.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Extended,
) -> Result<Option<Value>, Fault> {
    if let Some(access) = pointers::ExtendedAccess::of(op) {
        return pointers::execute(memory, lane, instruction, access);
    }
    if let Extended::Glsl(op) = op
        && glsl::is_interpolation(op)
    {
        return interpolation::execute(memory, lane, instruction, op).map(Some);
    }
    if op == Extended::OpenCl(OpenCl::printf) && memory.printed.is_some() {
        return printf::execute(memory, lane, instruction);
    }
    let operands: Result<Vec<&Value>, Fault> =
        lane.operands(instruction.operands).iter().map(|&operand| lane.read(operand)).collect();
    let operands = operands?;
    let second = match op {
        Extended::Glsl(Glsl::ModfStruct) => Some(Second::Modf),
        Extended::Glsl(Glsl::FrexpStruct) => Some(Second::GlslFrexp),
        _ => None,
    };
    if let (Some(second), &[value]) = (second, &operands[..]) {
        return pointers::as_struct(second, &lane.program.types, instruction.ty, value).map(Some);
    }
    let formula = match op {
        Extended::Glsl(op) => glsl::formula(op),
        Extended::OpenCl(op) => open_cl::formula(op),
    };
    formula::apply(formula.ok_or_else(|| op.unsupported())?, &operands).map(Some)
}

/// The facts about types that an instruction with memory accesses needs (`pointers.rs`); none for others.
pub(crate) fn memory_literals(
    decoder: &Decoder<'_>,
    operands: Operands<'_>,
    op: Extended,
) -> Result<Option<[u32; 2]>, Fault> {
    let Some(access) = pointers::ExtendedAccess::of(op) else { return Ok(None) };
    let pointee = addresses::pointee_of(decoder, operands.at(access.pointer()).ok_or_else(missing)?)?;
    let first = operands.first().ok_or_else(missing)?;
    let is_value = decoder.module().op(first) != Op::LiteralWords;
    let count = if is_value { decoder.program.vector_length(first) } else { None };
    Ok(Some([pointee, count.unwrap_or(1)]))
}
