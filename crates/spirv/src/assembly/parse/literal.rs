//! Literals of number types, from text to words (SPIR-V section 2.2.1).
//!
//! A type of up to 32 bits has one word, a wider one two, the lower half first. Signed integers are sign-extended to the word; hexadecimal
//! ones are bits, so that `0xffff` is -1 for a signed type of 16 bits. Linear in the text.

use reconverge_ir::Signedness;
use spirv::FPEncoding;

use super::float::Format;

/// A number type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberType {
    /// An integer of 1 to 64 bits.
    Integer { bits: u32, signedness: Signedness },
    /// A float in an encoding whose literals are read.
    Float(Format),
    /// Any other type: its literals are written as words.
    Other,
}

/// The reason why a text is not a literal of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// It is not a number, or not of the required kind.
    NoNumber,
    /// The type cannot represent it.
    OutOfRange,
    /// Literals of the type are not supported.
    Unsupported,
}

impl NumberType {
    /// The type of literals without a declared type: a word.
    pub(super) const WORD: NumberType = NumberType::Integer { bits: 32, signedness: Signedness::Unsigned };

    /// The integer type of that width.
    pub(super) fn integer(bits: u32, signedness: Signedness) -> NumberType {
        match bits {
            1..=64 => NumberType::Integer { bits, signedness },
            _ => NumberType::Other,
        }
    }

    /// The float type of that width, in an encoding if it has one.
    pub(super) fn float(bits: u32, encoding: Option<u32>) -> NumberType {
        let encoding = encoding.map(FPEncoding::from_u32);
        match (bits, encoding) {
            (16, None) => NumberType::Float(Format::HALF),
            (32, None) => NumberType::Float(Format::SINGLE),
            (64, None) => NumberType::Float(Format::DOUBLE),
            (16, Some(Some(FPEncoding::BFloat16KHR))) => NumberType::Float(Format::BFLOAT16),
            (8, Some(Some(FPEncoding::Float8E4M3EXT))) => NumberType::Float(Format::FLOAT8_E4M3),
            (8, Some(Some(FPEncoding::Float8E5M2EXT))) => NumberType::Float(Format::FLOAT8_E5M2),
            _ => NumberType::Other,
        }
    }

    /// Parses a literal.
    pub(super) fn parse(self, text: &str) -> Result<Literal, Problem> {
        match self {
            NumberType::Integer { bits, signedness } => {
                integer(text, bits, signedness).map(|value| Literal { value, is_wide: bits > 32 })
            }
            NumberType::Float(format) => format.parse(text).map(|value| Literal { value, is_wide: format.bits() > 32 }),
            NumberType::Other => Err(Problem::Unsupported),
        }
    }

    /// The expected form of a literal of the type, for messages.
    pub(super) fn expected(self) -> String {
        match self {
            NumberType::Integer { bits, signedness: Signedness::Unsigned } => {
                format!("an unsigned integer of {bits} bits")
            }
            NumberType::Integer { bits, .. } => format!("a signed integer of {bits} bits"),
            NumberType::Float(format) => format!("a float of {} bits", format.bits()),
            NumberType::Other => "words of the form `!0x…`".to_owned(),
        }
    }
}

/// The bits of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    value: u64,
    /// True if it has two words.
    is_wide: bool,
}

impl Literal {
    pub(super) fn words(self) -> impl Iterator<Item = u32> {
        [self.value as u32, (self.value >> 32) as u32].into_iter().take(1 + usize::from(self.is_wide))
    }
}

/// A number without a declared type: a float if it contains a point, signed if a minus is before it.
pub(super) fn untyped(text: &str) -> Result<Literal, Problem> {
    match text.contains('.') {
        true => NumberType::Float(Format::SINGLE).parse(text),
        false if text.starts_with('-') => NumberType::integer(32, Signedness::Signed).parse(text),
        false => NumberType::WORD.parse(text),
    }
}

/// The bits of an integer, sign-extended to 64 bits.
fn integer(text: &str, bits: u32, signedness: Signedness) -> Result<u64, Problem> {
    let (is_negative, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, text),
    };
    let hexadecimal = magnitude.strip_prefix("0x").or(magnitude.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((magnitude, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(Problem::NoNumber);
    }
    let value = u64::from_str_radix(digits, radix).map_err(|_| Problem::OutOfRange)?;
    let all = u64::MAX >> (64 - bits);
    let greatest = match (signedness, is_negative) {
        (Signedness::Unsigned, false) => all,
        (Signedness::Unsigned, true) => 0,
        (Signedness::Signed, true) => all / 2 + 1,
        (Signedness::Signed, false) if radix == 16 => all,
        (Signedness::Signed, false) => all / 2,
    };
    if value > greatest {
        return Err(Problem::OutOfRange);
    }
    let value = if is_negative { value.wrapping_neg() } else { value };
    let unused = 64 - bits;
    Ok(match signedness {
        Signedness::Signed => ((value << unused) as i64 >> unused) as u64,
        Signedness::Unsigned => value,
    })
}
