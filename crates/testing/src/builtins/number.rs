//! Scalar types of OpenCL C, their values, and rounding to them.
//!
//! A value is an integer of 128 bits or a float of 64 bits: both hold every value of every type exactly. Rounding is that of IEEE 754 from an
//! exact value, a whole number times a power of two.

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Type {
    /// An integer, signed or not, of this many bits.
    Int { is_signed: bool, bits: u32 },
    /// A float of this many bits.
    Float { bits: u32 },
}

/// A value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
}

impl Number {
    /// Returns whether it is a float.
    pub(super) const fn is_float(self) -> bool {
        matches!(self, Number::Float(_))
    }
}

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
}

/// The signed integer type of that width.
pub(super) const fn signed(bits: u32) -> Type {
    Type::Int { is_signed: true, bits }
}

/// The unsigned integer type of that width.
pub(super) const fn unsigned(bits: u32) -> Type {
    Type::Int { is_signed: false, bits }
}

impl Rounding {
    /// The rounding of the magnitude of a number: up and down are exchanged for a negative one.
    fn of_magnitude(self, number: f64) -> Rounding {
        match self {
            Rounding::Up if number < 0.0 => Rounding::Down,
            Rounding::Down if number < 0.0 => Rounding::Up,
            other => other,
        }
    }
}

impl Type {
    /// The integer types.
    pub(super) const INTEGERS: [Type; 8] =
        [signed(8), unsigned(8), signed(16), unsigned(16), signed(32), unsigned(32), signed(64), unsigned(64)];
    /// The types of floats.
    pub(super) const FLOATS: [Type; 3] = [Type::Float { bits: 16 }, Type::Float { bits: 32 }, Type::Float { bits: 64 }];

    /// The name in OpenCL C.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Type::Int { is_signed: true, bits: 8 } => "char",
            Type::Int { is_signed: true, bits: 16 } => "short",
            Type::Int { is_signed: true, bits: 32 } => "int",
            Type::Int { is_signed: true, .. } => "long",
            Type::Int { bits: 8, .. } => "uchar",
            Type::Int { bits: 16, .. } => "ushort",
            Type::Int { bits: 32, .. } => "uint",
            Type::Int { .. } => "ulong",
            Type::Float { bits: 16 } => "half",
            Type::Float { bits: 32 } => "float",
            Type::Float { .. } => "double",
        }
    }

    /// The number of bits.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Type::Int { bits, .. } | Type::Float { bits } => bits,
        }
    }

    /// The number of bytes.
    pub(super) const fn bytes(self) -> usize {
        (self.bits() / 8) as usize
    }

    /// Returns whether it is a type of floats.
    pub(super) const fn is_float(self) -> bool {
        matches!(self, Type::Float { .. })
    }

    /// Returns whether it is a signed integer.
    pub(super) const fn is_signed(self) -> bool {
        matches!(self, Type::Int { is_signed: true, .. })
    }

    /// The signed integer of the same width.
    pub(super) const fn as_signed(self) -> Type {
        signed(self.bits())
    }

    /// The unsigned integer of the same width.
    pub(super) const fn as_unsigned(self) -> Type {
        unsigned(self.bits())
    }

    /// The integer of twice the width.
    pub(super) const fn doubled(self) -> Type {
        if self.is_signed() { signed(self.bits() * 2) } else { unsigned(self.bits() * 2) }
    }

    /// The least value of an integer type.
    pub(super) const fn least(self) -> i128 {
        if self.is_signed() { -(1 << (self.bits() - 1)) } else { 0 }
    }

    /// The greatest value of an integer type.
    pub(super) const fn greatest(self) -> i128 {
        if self.is_signed() { (1 << (self.bits() - 1)) - 1 } else { (1 << self.bits()) - 1 }
    }

    /// An integer reduced to the type.
    pub(super) const fn wrap(self, value: i128) -> i128 {
        let mask = (1i128 << self.bits()) - 1;
        let low = value & mask;
        if self.is_signed() && low >> (self.bits() - 1) != 0 { low - (1 << self.bits()) } else { low }
    }

    /// An integer clamped to the type.
    pub(super) fn saturate(self, value: i128) -> i128 {
        value.clamp(self.least(), self.greatest())
    }

    /// The bits of the significand after its first, and the least exponent of a normal float.
    const fn format(self) -> (u32, i32) {
        match self.bits() {
            16 => (10, -14),
            32 => (23, -126),
            _ => (52, -1022),
        }
    }

    /// The greatest finite float.
    pub(super) fn greatest_float(self) -> f64 {
        let (digits, least) = self.format();
        (2.0 - (-f64::from(digits)).exp2()) * f64::from(1 - least).exp2()
    }

    /// The least positive float that is normal.
    pub(super) fn least_normal(self) -> f64 {
        f64::from(self.format().1).exp2()
    }

    /// The distance of floats of the type at a value.
    pub(super) fn ulp(self, value: f64) -> f64 {
        let (digits, least) = self.format();
        let exponent = if value == 0.0 { least } else { exponent_of(value).max(least) };
        power_of_two(exponent - digits as i32)
    }

    /// The value of bits.
    pub(super) fn read(self, bytes: &[u8]) -> Number {
        let mut wide = [0; 8];
        wide[..self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
        let bits = u64::from_le_bytes(wide);
        match self {
            Type::Int { .. } => Number::Int(self.wrap(i128::from(bits))),
            Type::Float { bits: 64 } => Number::Float(f64::from_bits(bits)),
            Type::Float { bits: 32 } => Number::Float(f64::from(f32::from_bits(bits as u32))),
            Type::Float { .. } => Number::Float(half_value(bits as u16)),
        }
    }

    /// The bits of a value, which the type has.
    pub(super) fn write(self, value: Number) -> Vec<u8> {
        let bits = match (self, value) {
            (Type::Int { .. }, Number::Int(value)) => value as u64,
            (Type::Float { bits: 64 }, Number::Float(value)) => value.to_bits(),
            (Type::Float { bits: 32 }, Number::Float(value)) => u64::from((value as f32).to_bits()),
            (Type::Float { .. }, Number::Float(value)) => u64::from(half_bits(value)),
            (ty, value) => panic!("invariant: {value:?} is not of type {}", ty.name()),
        };
        bits.to_le_bytes()[..self.bytes()].to_vec()
    }

    /// A float rounded to the type.
    pub(super) fn round(self, value: f64, rounding: Rounding) -> f64 {
        if value == 0.0 || !value.is_finite() {
            return value;
        }
        let (significand, exponent) = parts_of(value);
        let rounded = self.round_whole(significand.unsigned_abs(), exponent, rounding.of_magnitude(value));
        if value < 0.0 { -rounded } else { rounded }
    }

    /// `value * 2^by`, rounded to the nearest float of the type, once.
    pub(super) fn round_scaled(self, value: f64, by: i128) -> f64 {
        if value == 0.0 || !value.is_finite() {
            return value;
        }
        // Beyond this every float is infinite or zero.
        let by = by.clamp(-5000, 5000) as i32;
        let (significand, exponent) = parts_of(value);
        let rounded = self.round_whole(significand.unsigned_abs(), exponent + by, Rounding::Nearest);
        if value < 0.0 { -rounded } else { rounded }
    }

    /// An integer rounded to the type of floats.
    pub(super) fn round_int(self, value: i128, rounding: Rounding) -> f64 {
        let rounded = self.round_whole(value.unsigned_abs(), 0, rounding.of_magnitude(value as f64));
        if value < 0 { -rounded } else { rounded }
    }

    /// The magnitude `whole * 2^exponent` rounded to the type.
    fn round_whole(self, whole: u128, exponent: i32, rounding: Rounding) -> f64 {
        if whole == 0 {
            return 0.0;
        }
        let (digits, least) = self.format();
        let top = 127 - whole.leading_zeros() as i32 + exponent;
        // The exponent of the last digit that the result has.
        let last = top.max(least) - digits as i32;
        let drop = last - exponent;
        if drop <= 0 {
            return self.bounded(whole as f64 * power_of_two(exponent), rounding);
        }
        let (kept, rest) = if drop > 127 { (0, whole) } else { (whole >> drop, whole & ((1 << drop) - 1)) };
        let half = if drop > 127 { u128::MAX } else { 1 << (drop - 1) };
        let is_up = match rounding {
            Rounding::Nearest => rest > half || rest == half && kept & 1 == 1,
            Rounding::Up => rest != 0,
            Rounding::Zero | Rounding::Down => false,
        };
        self.bounded((kept + u128::from(is_up)) as f64 * power_of_two(last), rounding)
    }

    /// A magnitude, or what it becomes beyond the greatest float.
    fn bounded(self, magnitude: f64, rounding: Rounding) -> f64 {
        let greatest = self.greatest_float();
        let is_infinite = match rounding {
            Rounding::Nearest | Rounding::Up => true,
            Rounding::Zero | Rounding::Down => false,
        };
        match magnitude > greatest {
            true if is_infinite => f64::INFINITY,
            true => greatest,
            false => magnitude,
        }
    }
}

/// A finite float rounded to an integer.
pub(super) fn round_to_int(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Up => value.ceil(),
        Rounding::Down => value.floor(),
    }
}

/// `2^exponent`, exact down to the least denormal number.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// The exponent of a finite float that is not zero, as if it were normal.
pub(super) fn exponent_of(value: f64) -> i32 {
    let (significand, exponent) = parts_of(value);
    127 - significand.unsigned_abs().leading_zeros() as i32 + exponent
}

/// A finite float as a whole number times a power of two.
fn parts_of(value: f64) -> (i128, i32) {
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (whole, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    (if value < 0.0 { -whole } else { whole }, exponent)
}

fn half_value(bits: u16) -> f64 {
    let (field, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let magnitude = match field {
        0 => fraction * power_of_two(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * power_of_two(field - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    sign | match magnitude {
        _ if value.is_nan() => 0x7e00,
        _ if magnitude.is_infinite() => 0x7c00,
        _ if magnitude < power_of_two(-14) => (magnitude * power_of_two(24)) as u16,
        _ => {
            let exponent = exponent_of(magnitude);
            let fraction = (magnitude * power_of_two(10 - exponent)) as u16 & 0x3ff;
            ((exponent + 15) as u16) << 10 | fraction
        }
    }
}
