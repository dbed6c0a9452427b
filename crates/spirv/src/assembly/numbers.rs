//! Literals of numeric types (SPIR-V section 2.2.1): bit-exact as in `spirv-as`.

/// A number type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// An integer of 8, 16, 32 or 64 bits.
    Integer { bits: u32, is_signed: bool },
    /// A float of 16, 32 or 64 bits in the encoding of IEEE 754.
    Float { bits: u32 },
    /// A float in another encoding, or of another width. Its literals are written as words.
    Other,
}

impl Number {
    /// The number of words of a literal.
    pub(super) fn words(self) -> usize {
        match self {
            Number::Integer { bits: 64, .. } | Number::Float { bits: 64 } => 2,
            _ => 1,
        }
    }

    /// A literal as a number; `None` if no number has these words, as when the unused bits of a narrow one have wrong values.
    pub(super) fn literal(self, words: &[u32]) -> Option<String> {
        let value = match (self.words(), words) {
            (1, &[word]) => u64::from(word),
            (2, &[low, high]) => u64::from(high) << 32 | u64::from(low),
            _ => return None,
        };
        match self {
            Number::Integer { bits, is_signed: false } => is_below(value, bits).then(|| value.to_string()),
            Number::Integer { bits: 64, .. } => Some((value as i64).to_string()),
            Number::Integer { bits, .. } => {
                let (value, unused) = (value as u32 as i32, 32 - bits);
                (value << unused >> unused == value).then(|| value.to_string())
            }
            Number::Float { bits: 16 } => is_below(value, 16).then(|| half(value as u32)),
            Number::Float { bits: 32 } => Some(single(value as u32)),
            Number::Float { .. } => Some(double(value)),
            Number::Other => None,
        }
    }
}

fn is_below(value: u64, bits: u32) -> bool {
    value.checked_shr(bits).unwrap_or_default() == 0
}

/// Every normal half is exact as a single, and a decimal of the single is read back as the half.
fn half(bits: u32) -> String {
    let (sign, magnitude) = (bits >> 15 << 31, bits & 0x7fff);
    match magnitude {
        0 => single(sign),
        0x0400..=0x7bff => single(sign | ((magnitude << 13) + (112 << 23))),
        _ => hexadecimal(u64::from(bits), 5, 10),
    }
}

fn single(bits: u32) -> String {
    let value = f32::from_bits(bits);
    match value.is_normal() || value == 0.0 {
        true => format!("{value:?}"),
        false => hexadecimal(u64::from(bits), 8, 23),
    }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    match value.is_normal() || value == 0.0 {
        true => format!("{value:?}"),
        false => hexadecimal(bits, 11, 52),
    }
}

/// A float other than 0, in hexadecimal. Infinities and NaNs have the exponent after the greatest one; denormals have a first digit 1 like
/// all others.
fn hexadecimal(bits: u64, exponent_bits: u32, fraction_bits: u32) -> String {
    let bias = (1_i64 << (exponent_bits - 1)) - 1;
    let sign = if bits >> (exponent_bits + fraction_bits) == 1 { "-" } else { "" };
    let mut fraction = bits & ((1 << fraction_bits) - 1);
    let mut exponent = (bits >> fraction_bits & ((1 << exponent_bits) - 1)) as i64 - bias;
    if exponent == -bias {
        let shift = fraction.leading_zeros() + fraction_bits - 63;
        fraction = fraction << shift & ((1 << fraction_bits) - 1);
        exponent = 1 - bias - i64::from(shift);
    }
    let digits = fraction_bits.div_ceil(4);
    let fraction = format!("{:0width$x}", fraction << (4 * digits - fraction_bits), width = digits as usize);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}0x1p{exponent:+}"),
        fraction => format!("{sign}0x1.{fraction}p{exponent:+}"),
    }
}
