//! The operations of the two ALUs.
//!
//! Integers wrap around. Floats are the host's, with three differences: a denormal operand or result is zero; zero results of `fadd`,
//! `fsub` and `fmul` are positive; sums and `itof` are rounded by [`Rounding`]. `fmul` is rounded to nearest. `ftoi` truncates, and returns
//! 0 for values out of range.
//!
//! | operation | carry flag |
//! |---|---|
//! | `add` | carry out of bit 31 |
//! | `sub` | a < b, unsigned |
//! | `min`, `max` | a > b, signed |
//! | `fmin`, `fmax` | a > b |
//! | `fminabs`, `fmaxabs` | \|a\| > \|b\| |
//! | `shl`, `shr`, `asr` | the last bit that was shifted out |
//! | `fadd`, `fsub` | result > 0 |
//! | `mul24` | the product has more than 24 bits |
//! | all others | 0 |

use crate::lanes::{LANES, Lanes};

/// The rounding of sums of floats and of `itof`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// Toward zero, as tests on the chip show for these operations.
    #[default]
    TowardZero,
    /// To the nearest value, ties to even.
    Nearest,
}

/// An operation of the add ALU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddOperation {
    Nop,
    FloatAdd,
    FloatSub,
    FloatMin,
    FloatMax,
    FloatMinAbs,
    FloatMaxAbs,
    FloatToInt,
    IntToFloat,
    Add,
    Sub,
    ShiftRight,
    ShiftRightSigned,
    RotateRight,
    ShiftLeft,
    Min,
    Max,
    And,
    Or,
    Xor,
    Not,
    CountLeadingZeros,
    AddBytes,
    SubBytes,
}

/// An operation of the mul ALU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MulOperation {
    Nop,
    FloatMul,
    Mul24,
    MulBytes,
    MinBytes,
    MaxBytes,
    AddBytes,
    SubBytes,
}

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Integer,
    Float,
}

impl AddOperation {
    /// The numbers of the operands, which determine how they are unpacked.
    pub(crate) fn operands(self) -> Number {
        use AddOperation as Op;
        match self {
            Op::FloatAdd
            | Op::FloatSub
            | Op::FloatMin
            | Op::FloatMax
            | Op::FloatMinAbs
            | Op::FloatMaxAbs
            | Op::FloatToInt => Number::Float,
            _ => Number::Integer,
        }
    }

    /// The number of the result, which determines how it is packed.
    pub(crate) fn result(self) -> Number {
        match self {
            AddOperation::IntToFloat => Number::Float,
            AddOperation::FloatToInt => Number::Integer,
            _ => self.operands(),
        }
    }

    /// Returns whether the operation has one operand.
    pub(crate) fn is_unary(self) -> bool {
        use AddOperation as Op;
        matches!(self, Op::FloatToInt | Op::IntToFloat | Op::Not | Op::CountLeadingZeros)
    }
}

impl MulOperation {
    /// The numbers of the operands and of the result.
    pub(crate) fn number(self) -> Number {
        if self == MulOperation::FloatMul { Number::Float } else { Number::Integer }
    }
}

/// The result of an ALU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) values: Lanes,
    /// 1 where the carry flag is set.
    pub(crate) carry: Lanes,
    /// 1 where a signed `add` or `sub` leaves its range.
    pub(crate) overflow: Lanes,
}

fn each(a: &Lanes, b: &Lanes, operation: impl Fn(u32, u32) -> (u32, bool)) -> Outcome {
    let mut outcome = Outcome { values: [0; LANES], carry: [0; LANES], overflow: [0; LANES] };
    for lane in 0..LANES {
        let (value, carry) = operation(a[lane], b[lane]);
        outcome.values[lane] = value;
        outcome.carry[lane] = carry.into();
    }
    outcome
}

fn plain(a: &Lanes, b: &Lanes, operation: impl Fn(u32, u32) -> u32) -> Outcome {
    each(a, b, |a, b| (operation(a, b), false))
}

/// Computes an operation of the add ALU.
pub(crate) fn add(operation: AddOperation, a: &Lanes, b: &Lanes, rounding: Rounding) -> Outcome {
    use AddOperation as Op;
    match operation {
        Op::Nop => plain(a, b, |_, _| 0),
        Op::FloatAdd => each(a, b, |a, b| float_sum(float(a), float(b), rounding)),
        Op::FloatSub => each(a, b, |a, b| float_sum(float(a), -float(b), rounding)),
        Op::FloatMin => each(a, b, |a, b| float_min(float(a), float(b))),
        Op::FloatMax => each(a, b, |a, b| float_max(float(a), float(b))),
        Op::FloatMinAbs => each(a, b, |a, b| float_min(float(a).abs(), float(b).abs())),
        Op::FloatMaxAbs => each(a, b, |a, b| float_max(float(a).abs(), float(b).abs())),
        Op::FloatToInt => plain(a, b, |a, _| float_to_int(float(a))),
        Op::IntToFloat => plain(a, b, |a, _| int_to_float(a.cast_signed(), rounding)),
        Op::Add => with_overflow(a, b, u32::overflowing_add, i32::overflowing_add),
        Op::Sub => with_overflow(a, b, u32::overflowing_sub, i32::overflowing_sub),
        Op::ShiftRight => each(a, b, |a, b| (a >> (b & 31), last_bit_out_right(a, b))),
        Op::ShiftRightSigned => {
            each(a, b, |a, b| ((a.cast_signed() >> (b & 31)).cast_unsigned(), last_bit_out_right(a, b)))
        }
        Op::RotateRight => plain(a, b, |a, b| a.rotate_right(b & 31)),
        Op::ShiftLeft => each(a, b, |a, b| {
            let wide = u64::from(a) << (b & 31);
            (wide as u32, wide >> 32 & 1 != 0)
        }),
        Op::Min => each(a, b, |a, b| (a.cast_signed().min(b.cast_signed()).cast_unsigned(), is_greater(a, b))),
        Op::Max => each(a, b, |a, b| (a.cast_signed().max(b.cast_signed()).cast_unsigned(), is_greater(a, b))),
        Op::And => plain(a, b, |a, b| a & b),
        Op::Or => plain(a, b, |a, b| a | b),
        Op::Xor => plain(a, b, |a, b| a ^ b),
        Op::Not => plain(a, b, |a, _| !a),
        Op::CountLeadingZeros => plain(a, b, |a, _| a.leading_zeros()),
        Op::AddBytes => plain(a, b, |a, b| bytewise(a, b, u8::saturating_add)),
        Op::SubBytes => plain(a, b, |a, b| bytewise(a, b, u8::saturating_sub)),
    }
}

/// Computes an operation of the mul ALU.
pub(crate) fn mul(operation: MulOperation, a: &Lanes, b: &Lanes) -> Outcome {
    use MulOperation as Op;
    match operation {
        Op::Nop => plain(a, b, |_, _| 0),
        Op::FloatMul => plain(a, b, |a, b| positive_zero(float(a) * float(b))),
        Op::Mul24 => each(a, b, |a, b| {
            let product = u64::from(a & 0xFF_FFFF) * u64::from(b & 0xFF_FFFF);
            (product as u32, product > 0xFF_FFFF)
        }),
        Op::MulBytes => plain(a, b, |a, b| bytewise(a, b, mul_fractions)),
        Op::MinBytes => plain(a, b, |a, b| bytewise(a, b, u8::min)),
        Op::MaxBytes => plain(a, b, |a, b| bytewise(a, b, u8::max)),
        Op::AddBytes => plain(a, b, |a, b| bytewise(a, b, u8::saturating_add)),
        Op::SubBytes => plain(a, b, |a, b| bytewise(a, b, u8::saturating_sub)),
    }
}

fn with_overflow(
    a: &Lanes,
    b: &Lanes,
    unsigned: impl Fn(u32, u32) -> (u32, bool),
    signed: impl Fn(i32, i32) -> (i32, bool),
) -> Outcome {
    let mut outcome = each(a, b, unsigned);
    for lane in 0..LANES {
        outcome.overflow[lane] = signed(a[lane].cast_signed(), b[lane].cast_signed()).1.into();
    }
    outcome
}

fn is_greater(a: u32, b: u32) -> bool {
    a.cast_signed() > b.cast_signed()
}

fn last_bit_out_right(value: u32, distance: u32) -> bool {
    let wide = u64::from(value) << 1 >> (distance & 31);
    wide & 1 != 0
}

fn bytewise(a: u32, b: u32, operation: impl Fn(u8, u8) -> u8) -> u32 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    u32::from_le_bytes([0, 1, 2, 3].map(|byte: usize| operation(a[byte], b[byte])))
}

/// The product of two bytes that represent fractions of 255.
fn mul_fractions(a: u8, b: u8) -> u8 {
    ((u32::from(a) * u32::from(b) + 127) / 255) as u8
}

/// The float in a word; a denormal is a zero of its sign.
pub(crate) fn float(word: u32) -> f32 {
    f32::from_bits(if word & 0x7F80_0000 == 0 { word & 0x8000_0000 } else { word })
}

fn flushed(value: f32) -> u32 {
    float(value.to_bits()).to_bits()
}

fn positive_zero(value: f32) -> u32 {
    let word = flushed(value);
    if word << 1 == 0 { 0 } else { word }
}

fn float_sum(a: f32, b: f32, rounding: Rounding) -> (u32, bool) {
    let nearest = a + b;
    let sum = match rounding {
        Rounding::Nearest => nearest,
        Rounding::TowardZero if nearest.is_infinite() && a.is_finite() && b.is_finite() => f32::MAX.copysign(nearest),
        Rounding::TowardZero => {
            // The error of a rounded sum is a float; Knuth's two-sum computes it.
            let b_part = nearest - a;
            let error = (a - (nearest - b_part)) + (b - b_part);
            let is_too_large = nearest > 0.0 && error < 0.0 || nearest < 0.0 && error > 0.0;
            if is_too_large { f32::from_bits(nearest.to_bits() - 1) } else { nearest }
        }
    };
    (positive_zero(sum), sum > 0.0)
}

fn float_min(a: f32, b: f32) -> (u32, bool) {
    (flushed(if a > b { b } else { a }), a > b)
}

fn float_max(a: f32, b: f32) -> (u32, bool) {
    (flushed(if a > b { a } else { b }), a > b)
}

fn float_to_int(value: f32) -> u32 {
    const LIMIT: f32 = 2_147_483_648.0;
    if (-LIMIT..LIMIT).contains(&value) { (value as i32).cast_unsigned() } else { 0 }
}

fn int_to_float(value: i32, rounding: Rounding) -> u32 {
    let nearest = value as f32;
    let is_too_large = f64::from(nearest).abs() > f64::from(value).abs();
    match rounding {
        Rounding::TowardZero if is_too_large => nearest.to_bits() - 1,
        _ => nearest.to_bits(),
    }
}
