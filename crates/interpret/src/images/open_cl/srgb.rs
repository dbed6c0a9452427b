//! The transfer function of sRGB (OpenCL 3.0, section 8.2.1, `CL_sRGBA` and the like): red, green and blue are decoded before they are
//! filtered, and encoded when they are written. Alpha is linear.
//!
//! The power is correctly rounded; engines may differ from it as much as their `pow` does.

use crate::extended::power::pow_single;

/// The linear number of an encoded one from 0 to 1.
pub(crate) fn decoded(encoded: f32) -> f32 {
    match encoded <= 0.04045 {
        true => encoded * (1.0 / 12.92),
        false => pow_single((encoded + 0.055) * (1.0 / 1.055), 2.4),
    }
}

/// The encoded number of a linear one; NaN is 0.
pub(crate) fn encoded(linear: f32) -> f32 {
    if linear.is_nan() {
        return 0.0;
    }
    let linear = linear.clamp(0.0, 1.0);
    match linear <= 0.003_130_8 {
        true => linear * 12.92,
        false => 1.055 * pow_single(linear, 1.0 / 2.4) - 0.055,
    }
}
