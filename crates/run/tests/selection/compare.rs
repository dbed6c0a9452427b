//! What counts as equal: integers and booleans exactly; floats exactly, or nearly where the operation is not exact.
//!
//! `GLSL.std.450` leaves open to which side `Round` goes from the middle, what `SmoothStep` makes of edges and a number that have no quotient, and
//! whether the products of `FMix` overflow before their sum does.

use reconverge_ir::Op;
use reconverge_lanes::patterns::Operation;
use spirv::GlslStd450Op as Glsl;

use super::cases::Case;
use super::engines::Engine;
use super::kernel::{LANES, Results};
use super::scalar::Scalar;

/// The relative error of floats of the VC4: its special functions have about 12 bits.
const VC4_ERROR: f64 = 1.0e-3;

/// The first difference of the results of a case.
pub(super) fn difference(engine: Engine, case: &Case, expected: &Results, found: &Results) -> Option<String> {
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        let (Some(expected), Some(found)) = (*expected, *found) else { continue };
        if !is_equal(engine, case, expected, found) {
            let (group, lane) = (index / LANES, index % LANES);
            return Some(format!("group {group}, lane {lane}: expected {expected:#x}, found {found:#x}"));
        }
    }
    None
}

fn is_equal(engine: Engine, case: &Case, expected: u64, found: u64) -> bool {
    let combination = &case.combination;
    let bits = match combination.result {
        Scalar::Float(bits) => bits,
        // The addresses of the chip have 32 bits.
        Scalar::Pointer if engine == Engine::Vc4 => return expected as u32 == found as u32,
        _ => return expected == found,
    };
    let [x, y] = [expected, found].map(|value| number(bits, value));
    if expected == found || x.is_nan() && y.is_nan() {
        return true;
    }
    let error = match engine {
        _ if x.is_nan() && combination.operation == Operation::Glsl(Glsl::SmoothStep) => return true,
        _ if x.is_infinite() && combination.operation == Operation::Glsl(Glsl::FMix) => return true,
        // The chip has no infinities and values that are no number.
        Engine::Vc4 if !x.is_finite() => return true,
        Engine::Vc4 if combination.operation == Operation::Glsl(Glsl::Round) => return (x - y).abs() <= 1.0,
        // The error of the logarithm becomes one of the exponent.
        Engine::Vc4 if combination.operation == Operation::Glsl(Glsl::Pow) => 4.0 * VC4_ERROR,
        Engine::Vc4 => VC4_ERROR,
        Engine::Cpu { .. } if is_exact(combination.operation) => return false,
        Engine::Cpu { .. } => match bits {
            16 => 1.0e-3,
            _ => 1.0e-6,
        },
    };
    (x - y).abs() <= error * x.abs().max(y.abs()).max(1.0e-3)
}

/// The value of a float.
fn number(bits: u32, value: u64) -> f64 {
    match bits {
        16 => half::f16::from_bits(value as u16).to_f64(),
        32 => f32::from_bits(value as u32).into(),
        _ => f64::from_bits(value),
    }
}

/// Returns whether every device gives the same result.
fn is_exact(operation: Operation) -> bool {
    use Glsl as G;
    match operation {
        Operation::Op(Op::GroupNonUniformFAdd | Op::GroupNonUniformFMul) => false,
        Operation::Op(op) => !matches!(op, Op::FRem | Op::FMod),
        Operation::Glsl(op) => matches!(
            op,
            G::FAbs
                | G::FSign
                | G::Floor
                | G::Ceil
                | G::Trunc
                | G::Round
                | G::RoundEven
                | G::Fract
                | G::Sqrt
                | G::FMin
                | G::FMax
                | G::FClamp
                | G::NMin
                | G::NMax
                | G::NClamp
                | G::Fma
                | G::Step
                | G::Ldexp
        ),
    }
}
