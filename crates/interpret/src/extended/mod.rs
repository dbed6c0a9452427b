//! Extended instructions: the arithmetic of `GLSL.std.450` and `OpenCL.std`.
//!
//! The two sets give the same functions different numbers. `glsl.rs` and `open_cl.rs` contain these numbers and the undefined results of
//! each set; `formula.rs` applies a function to operands; every family of functions has a separate file. Floating-point functions that are
//! not exact are computed with about 100 bits (`wide.rs`) and rounded once, for every width, so that results do not depend on a library and
//! are correctly rounded. A number in neither table is unsupported.

use spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};

use crate::Value;
use crate::extended::two_results::Second;
use crate::fault::Fault;
use crate::types::{TypeId, TypeTable};

pub(crate) mod access;
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
mod inverse_circular;
mod logarithm;
mod open_cl;
mod packing;
pub(crate) mod power;
pub mod printf;
pub(crate) mod two_results;
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

    /// The op, if it interpolates an input of a fragment shader.
    pub(crate) fn interpolation(self) -> Option<Glsl> {
        match self {
            Extended::Glsl(op) if glsl::is_interpolation(op) => Some(op),
            _ => None,
        }
    }

    fn unsupported(self) -> Fault {
        Fault::unsupported(match self {
            Extended::Glsl(op @ Glsl::IMix) => format!("op ext_inst {op:?} of {GLSL}"),
            Extended::OpenCl(op @ OpenCl::printf) => format!("op ext_inst {op:?} of {OPEN_CL}"),
            Extended::Glsl(op) => format!("op ext_inst {} of {GLSL}", op as u32),
            Extended::OpenCl(op) => format!("op ext_inst {} of {OPEN_CL}", op as u32),
        })
    }

    /// The result of an instruction that depends only on its operands.
    #[inline]
    pub(crate) fn evaluate(self, types: &TypeTable, ty: TypeId, operands: &[&Value]) -> Result<Value, Fault> {
        let second = match self {
            Extended::Glsl(Glsl::ModfStruct) => Some(Second::Modf),
            Extended::Glsl(Glsl::FrexpStruct) => Some(Second::GlslFrexp),
            _ => None,
        };
        if let (Some(second), &[value]) = (second, operands) {
            return two_results::as_struct(second, types, ty, value);
        }
        let formula = match self {
            Extended::Glsl(op) => glsl::formula(op),
            Extended::OpenCl(op) => open_cl::formula(op),
        };
        formula::apply(formula.ok_or_else(|| self.unsupported())?, operands)
    }
}
