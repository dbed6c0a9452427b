//! Scalar types, and the values that operands have.

use std::fmt;

use reconverge_lanes::patterns;

/// A type of one value of a lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Scalar {
    Bool,
    Int(u32),
    Float(u32),
    Pointer,
}

/// The values of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// All kinds of values: also infinities, values that are no number, denormals.
    Any,
    /// Floats of moderate size, and addresses of 32 bits.
    Moderate,
}

impl Scalar {
    pub(super) const ALL: [Scalar; 9] = [
        Scalar::Bool,
        Scalar::Int(8),
        Scalar::Int(16),
        Scalar::Int(32),
        Scalar::Int(64),
        Scalar::Float(16),
        Scalar::Float(32),
        Scalar::Float(64),
        Scalar::Pointer,
    ];

    /// The type of its values in memory.
    pub(super) fn stored(self) -> Scalar {
        match self {
            Scalar::Bool => Scalar::Int(32),
            Scalar::Pointer => Scalar::Int(64),
            number => number,
        }
    }

    /// The bits of a value in memory.
    pub(super) fn bits(self) -> u32 {
        match self.stored() {
            Scalar::Int(bits) | Scalar::Float(bits) => bits,
            Scalar::Bool | Scalar::Pointer => unreachable!("memory holds numbers"),
        }
    }

    /// The bytes of a value in memory.
    pub(super) fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// The bits of the value number `index` of the inputs.
    pub(super) fn value(self, index: usize, values: Values) -> u64 {
        let bits = match self {
            Scalar::Bool => (index * 5 / 3 % 2) as u64,
            Scalar::Int(bits) => integer(bits, index),
            Scalar::Float(bits) => float(bits, index, values),
            Scalar::Pointer if values == Values::Moderate => integer(32, index),
            Scalar::Pointer => integer(64, index),
        };
        bits & u64::MAX >> (64 - self.bits())
    }
}

impl From<Scalar> for patterns::Scalar {
    fn from(ty: Scalar) -> patterns::Scalar {
        match ty {
            Scalar::Bool => patterns::Scalar::Bool,
            Scalar::Int(bits) => patterns::Scalar::Int(bits),
            Scalar::Float(bits) => patterns::Scalar::Float(bits),
            Scalar::Pointer => patterns::Scalar::Pointer,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => write!(formatter, "bool"),
            Scalar::Int(bits) => write!(formatter, "i{bits}"),
            Scalar::Float(bits) => write!(formatter, "f{bits}"),
            Scalar::Pointer => write!(formatter, "pointer"),
        }
    }
}

/// Bounds and small numbers, then any bits.
fn integer(bits: u32, index: usize) -> u64 {
    let highest = 1_u64 << (bits - 1);
    let small = [3, 0, 7, 1, 2, 5, 8, 4, 31, 6, 15, 16, 33, 40];
    let bounds = [u64::MAX, highest, highest - 1, highest + 1, u64::MAX - 1, 0x5555_5555_5555_5555, u64::MAX - 6];
    match index % 4 {
        0 | 2 => small[index / 2 % small.len()],
        1 => bounds[index / 4 % bounds.len()],
        _ => random(index),
    }
}

fn float(bits: u32, index: usize, values: Values) -> u64 {
    let moderate = [1.5, -2.5, 0.25, 3.0, -0.75, 7.0, 12.625, -1.0, 0.5, 2.0, -31.0, 100.5, 0.125, 1.0, -5.5, 9.0];
    let edges = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        65504.0,
        6.0e-8,
        1.0e-40,
        2_147_483_648.0,
        -9_223_372_036_854_775_808.0,
        f64::from(f32::MAX),
        f64::MIN_POSITIVE,
        255.5,
        -32768.5,
        1.0e30,
        0.1,
    ];
    let value = match values {
        Values::Any if index % 2 == 1 => edges[index / 2 % edges.len()],
        _ => moderate[index * 7 % moderate.len()],
    };
    float_bits(bits, value)
}

/// The bits of the nearest float.
pub(super) fn float_bits(bits: u32, value: f64) -> u64 {
    match bits {
        16 => u64::from(half::f16::from_f64(value).to_bits()),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// Bits without a pattern (splitmix64).
fn random(index: usize) -> u64 {
    let mut bits = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
