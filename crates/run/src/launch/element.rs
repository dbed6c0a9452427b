//! Types of the numbers that buffers and values consist of.

use std::fmt;

use half::f16;

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// 8 bits, unsigned.
    U8,
    /// 8 bits, signed.
    I8,
    /// 16 bits, unsigned.
    U16,
    /// 16 bits, signed.
    I16,
    /// 32 bits, unsigned.
    U32,
    /// 32 bits, signed.
    I32,
    /// 64 bits, unsigned.
    U64,
    /// 64 bits, signed.
    I64,
    /// IEEE 754 half precision.
    F16,
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision.
    F64,
}

/// A number as it is written: an integer that fits 64 bits, signed or unsigned, or any other number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    /// An integer.
    Integer(i128),
    /// A number with a fraction or an exponent, an infinity, or NaN.
    Real(f64),
}

impl Element {
    /// All of them.
    pub const ALL: [Element; 11] = [
        Element::U8,
        Element::I8,
        Element::U16,
        Element::I16,
        Element::U32,
        Element::I32,
        Element::U64,
        Element::I64,
        Element::F16,
        Element::F32,
        Element::F64,
    ];

    /// The name: `u8`, `f32`, …
    pub const fn name(self) -> &'static str {
        match self {
            Element::U8 => "u8",
            Element::I8 => "i8",
            Element::U16 => "u16",
            Element::I16 => "i16",
            Element::U32 => "u32",
            Element::I32 => "i32",
            Element::U64 => "u64",
            Element::I64 => "i64",
            Element::F16 => "f16",
            Element::F32 => "f32",
            Element::F64 => "f64",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Element> {
        Element::ALL.into_iter().find(|element| element.name() == name)
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        Element::ALL.map(Element::name).join(", ")
    }

    /// The type that another spelling means: a name in capitals, or that of a type of OpenCL C.
    pub(crate) fn named_in_c(name: &str) -> Option<Element> {
        let name = name.to_ascii_lowercase();
        Element::from_name(&name).or(match &*name {
            "uchar" | "bool" => Some(Element::U8),
            "char" => Some(Element::I8),
            "ushort" => Some(Element::U16),
            "short" => Some(Element::I16),
            "uint" | "unsigned" => Some(Element::U32),
            "int" => Some(Element::I32),
            "ulong" | "size_t" => Some(Element::U64),
            "long" => Some(Element::I64),
            "half" => Some(Element::F16),
            "float" => Some(Element::F32),
            "double" => Some(Element::F64),
            _ => None,
        })
    }

    /// The message for a text that is no number of the type.
    pub(crate) fn misfit(self, text: &str) -> String {
        match text {
            "" => format!("a number of type {} is missing", self.name()),
            _ if self.is_float() => format!("expected a number, found {text}"),
            _ => format!("expected an integer that fits {}, found {text}", self.name()),
        }
    }

    /// Bytes of a number.
    pub const fn size(self) -> usize {
        match self {
            Element::U8 | Element::I8 => 1,
            Element::U16 | Element::I16 | Element::F16 => 2,
            Element::U32 | Element::I32 | Element::F32 => 4,
            Element::U64 | Element::I64 | Element::F64 => 8,
        }
    }

    /// Returns whether it is one of the floating-point types.
    pub const fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::F32 | Element::F64)
    }

    /// The number of these little-endian bytes, as text: for floating-point numbers the shortest text that is read back as the same number.
    pub fn text(self, bytes: &[u8]) -> String {
        match self {
            Element::F16 => half_text(f16::from_bits(bits(bytes) as u16)),
            Element::F32 => format!("{:?}", f32::from_bits(bits(bytes) as u32)),
            Element::F64 => format!("{:?}", self.real(bytes)),
            Element::I8 | Element::I16 | Element::I32 | Element::I64 => {
                let unused = 64 - 8 * self.size() as u32;
                ((bits(bytes) << unused).cast_signed() >> unused).to_string()
            }
            _ => bits(bytes).to_string(),
        }
    }

    /// The floating-point number of these bytes, little-endian.
    pub(crate) fn real(self, bytes: &[u8]) -> f64 {
        match self {
            Element::F16 => f16::from_bits(bits(bytes) as u16).to_f64(),
            Element::F32 => f64::from(f32::from_bits(bits(bytes) as u32)),
            _ => f64::from_bits(bits(bytes)),
        }
    }

    /// Appends a number, little-endian. `None` if the type cannot represent it; an integer of either sign fits if its bits fit.
    pub(crate) fn push(self, number: Number, bytes: &mut Vec<u8>) -> Option<()> {
        let bits = match (self, number) {
            (Element::F16, number) => u64::from(f16::from_f64(number.real()).to_bits()),
            (Element::F32, number) => u64::from((number.real() as f32).to_bits()),
            (Element::F64, number) => number.real().to_bits(),
            (_, Number::Integer(value)) => {
                let width = 8 * self.size() as u32;
                let range = -(1 << (width - 1))..1i128 << width;
                range.contains(&value).then_some(value as u64)?
            }
            (_, Number::Real(_)) => return None,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..self.size()]);
        Some(())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => value.fmt(formatter),
            Number::Real(value) => value.fmt(formatter),
        }
    }
}

impl Number {
    fn real(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Real(value) => value,
        }
    }

    /// A number that is an integer if it can be.
    pub(crate) fn from_real(value: f64) -> Number {
        // 2^53: every smaller integer is exact as a floating-point number.
        let is_integer = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
        if is_integer { Number::Integer(value as i128) } else { Number::Real(value) }
    }

    /// A number in a usual notation: decimal, `0x…`, with a fraction, `inf`, `nan`.
    pub(crate) fn parse(text: &str) -> Option<Number> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        if let Some(digits) = digits.strip_prefix("0x") {
            return i128::from_str_radix(digits, 16).ok().map(|value| Number::Integer(sign * value));
        }
        let integer = text.parse().ok().map(Number::Integer);
        integer.or_else(|| text.parse().ok().map(Number::Real))
    }
}

/// The shortest decimal number that rounds to this one. Five digits always suffice.
fn half_text(number: f16) -> String {
    let exact = number.to_f64();
    let rounded = (0..5).map(|digits| format!("{exact:.digits$e}").parse::<f64>().unwrap_or(exact));
    let shortest = rounded.into_iter().find(|&rounded| f16::from_f64(rounded) == number).unwrap_or(exact);
    format!("{shortest:?}")
}

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}
