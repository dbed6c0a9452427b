//! The types of formulas: scalars and vectors.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};

/// The component types of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scalar {
    /// Booleans.
    Bool,
    /// Integers of this width.
    Int(u32),
    /// Floating-point numbers of this width.
    Float(u32),
}

/// The type of a scalar or vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    /// The component type.
    pub(crate) scalar: Scalar,
    /// The number of components; 1 for a scalar.
    pub(crate) count: u32,
}

impl Shape {
    /// The shape of a type; `None` for pointers, arrays, structs and void.
    pub(crate) fn of(module: &Module, ty: Inst) -> Option<Shape> {
        let (element, count) = module.components(ty);
        let scalar = match module.type_view(element)? {
            TypeView::Bool => Scalar::Bool,
            TypeView::Int { width, .. } => Scalar::Int(width),
            TypeView::Float { width, .. } => Scalar::Float(width),
            _ => return None,
        };
        Some(Shape { scalar, count })
    }

    /// The shape with another component type.
    pub(crate) fn with(self, scalar: Scalar) -> Shape {
        Shape { scalar, ..self }
    }

    /// The shape with another number of components.
    pub(crate) fn times(self, count: u32) -> Shape {
        Shape { count, ..self }
    }

    /// The width of a component; 1 for booleans.
    pub(crate) fn width(self) -> u32 {
        match self.scalar {
            Scalar::Bool => 1,
            Scalar::Int(width) | Scalar::Float(width) => width,
        }
    }

    /// Returns whether the components are floating-point numbers.
    pub(crate) fn is_float(self) -> bool {
        matches!(self.scalar, Scalar::Float(_))
    }
}

/// The IEEE 754 format of floating-point numbers of some width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// The width of the number.
    pub(crate) width: u32,
    /// The width of the fraction, without the leading bit.
    pub(crate) fraction: u32,
    /// The bias of the exponent.
    pub(crate) bias: u64,
}

impl Format {
    /// The format of that width.
    pub(crate) fn of(width: u32) -> Format {
        let (fraction, bias) = match width {
            16 => (10, 15),
            32 => (23, 127),
            _ => (52, 1023),
        };
        Format { width, fraction, bias }
    }

    /// The bit of the sign.
    pub(crate) fn sign(self) -> u64 {
        1 << (self.width - 1)
    }

    /// The bits of the fraction.
    pub(crate) fn fraction_mask(self) -> u64 {
        (1 << self.fraction) - 1
    }

    /// The exponent of infinities and NaN.
    pub(crate) fn special_exponent(self) -> u64 {
        2 * self.bias + 1
    }

    /// The bits of infinity.
    pub(crate) fn infinity(self) -> u64 {
        self.special_exponent() << self.fraction
    }

    /// The bits of a quiet NaN.
    pub(crate) fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction - 1)
    }
}

/// The bits of the float of this width nearest to `number`, ties to even.
pub(crate) fn float_bits(width: u32, number: f64) -> u64 {
    match width {
        64 => number.to_bits(),
        32 => u64::from((number as f32).to_bits()),
        _ => u64::from(half_bits(number)),
    }
}

/// Rounds to 16 bits: the fraction is rounded to 10 bits, or fewer below the least exponent, ties to even.
fn half_bits(number: f64) -> u16 {
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = number.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = if magnitude < f64::powi(2.0, -14) { -14 } else { (magnitude.to_bits() >> 52) as i32 - 1023 };
    // A multiple of the unit in the last place, at most 2^11, whose carry increases the exponent.
    let units = (magnitude * f64::powi(2.0, 10 - exponent)).round_ties_even() as u16;
    sign | (((exponent + 14) as u16) << 10).wrapping_add(units)
}

#[cfg(test)]
mod tests {
    use super::float_bits;

    #[test]
    fn halves() {
        for (number, bits) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (5.960_464_477_539_063e-8, 1),
            (2.9e-8, 0),
            (6.097_555_160_522_461e-5, 0x3ff),
            (6.103_515_625e-5, 0x400),
            (1.000_488_281_25, 0x3c00),
            (1.000_488_281_26, 0x3c01),
            (1.999_9, 0x4000),
        ] {
            assert_eq!(float_bits(16, number), bits, "{number}");
        }
    }
}
