//! The special function unit: approximations of four functions.
//!
//! The chip's tables are not public. The model computes the function in double precision, rounds it to single precision and clears the
//! last [`SFU_DROPPED_BITS`] bits of the fraction: results are toward zero and have a relative error below 2⁻¹³, which is the size of error
//! that is measured on the chip.

use crate::alu::float;
use crate::lanes::Lanes;

/// The number of low bits of the fraction that are zero in a result of the SFU.
pub const SFU_DROPPED_BITS: u32 = 10;

/// A function of the SFU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SfuFunction {
    Reciprocal,
    ReciprocalSquareRoot,
    Exponential,
    Logarithm,
}

pub(crate) fn compute(function: SfuFunction, argument: &Lanes) -> Lanes {
    argument.map(|word| {
        let argument = f64::from(float(word));
        let exact = match function {
            SfuFunction::Reciprocal => argument.recip(),
            SfuFunction::ReciprocalSquareRoot => argument.sqrt().recip(),
            SfuFunction::Exponential => argument.exp2(),
            SfuFunction::Logarithm => argument.log2(),
        };
        float((exact as f32).to_bits()).to_bits() & (u32::MAX << SFU_DROPPED_BITS)
    })
}
