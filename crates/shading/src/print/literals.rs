//! Numbers.
//!
//! A floating-point number is the shortest decimal that reads back as the same number of its width. An integer whose sign does not fit
//! before its digits, the least of its width, is a difference, or a conversion.
//!
//! A mask, which `&`, `|`, `^`, `~` or a shift takes, is hexadecimal from eight bits on. So is any number without a sign from 17 bits on that is one run of
//! ones, or the complement of one: `0xffffffffu`, `0x80000000u`, `0x7f800000u`.

use half::f16;

use super::{Halves, Printer};
use crate::Language;
use crate::syntax::{Literal, Scalar, ScalarKind};

/// How integers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Radix {
    Decimal,
    /// Hexadecimal, if the number has eight bits or more.
    Mask,
}

impl Printer<'_> {
    /// A literal of a type.
    pub(super) fn literal(&self, literal: Literal, scalar: Scalar, radix: Radix) -> String {
        match literal {
            Literal::Bool(value) => value.to_string(),
            Literal::Int(value) => self.int(value, scalar, radix),
            Literal::Uint(value) => self.uint(value, scalar, radix),
            Literal::Float(value) => self.float(value, scalar.width),
        }
    }

    fn int(&self, value: i64, scalar: Scalar, radix: Radix) -> String {
        let suffix = self.suffix(scalar);
        if self.language != Language::Wgsl && scalar.width >= 32 && value == i64::MIN >> (64 - scalar.width.min(64)) {
            return format!("-{}{suffix} - 1{suffix}", -(value + 1));
        }
        match suffix_form(self.language, scalar) {
            Form::Suffix => format!("{}{suffix}", digits(value, radix)),
            Form::Conversion => format!("{}({})", self.scalar(scalar), digits(value, radix)),
        }
    }

    fn uint(&self, value: u64, scalar: Scalar, radix: Radix) -> String {
        let is_pattern = value >= 1 << 16 && is_bit_pattern(value, scalar.width);
        let is_hexadecimal = radix == Radix::Mask && value >= 0xff || is_pattern;
        let digits = if is_hexadecimal { format!("{value:#x}") } else { value.to_string() };
        match suffix_form(self.language, scalar) {
            Form::Suffix => format!("{digits}{}", self.suffix(scalar)),
            Form::Conversion => format!("{}({digits}{})", self.scalar(scalar), self.suffix(Scalar::UINT)),
        }
    }

    fn float(&self, value: f64, width: u8) -> String {
        let digits = shortest(value, width);
        match (self.language, width) {
            (Language::Glsl, 16) => format!("{digits}hf"),
            (Language::Glsl, 64) => format!("{digits}lf"),
            (Language::Hlsl, 16) => format!("{}({digits})", half_name(self.spelling.halves)),
            (Language::Hlsl, 64) => format!("{digits}L"),
            (Language::Msl | Language::Wgsl, 16) => format!("{digits}h"),
            _ => digits,
        }
    }

    /// What is written behind the digits of an integer.
    fn suffix(&self, scalar: Scalar) -> &'static str {
        match (self.language, scalar.kind == ScalarKind::Uint, scalar.width) {
            (_, false, 32) => "",
            (_, true, 32) | (Language::Hlsl, true, 8) => "u",
            (Language::Glsl, false, 16) => "s",
            (Language::Glsl, true, 16) => "us",
            (Language::Glsl | Language::Msl, false, 64) => "l",
            (Language::Glsl | Language::Msl, true, 64) => "ul",
            (Language::Hlsl, false, 64) => "ll",
            (Language::Hlsl, true, 64) => "ull",
            (Language::Wgsl, false, 64) => "li",
            (Language::Wgsl, true, 64) => "lu",
            _ => "",
        }
    }
}

/// Returns whether all bits from one to another one are the same, and all others the opposite: as a rule such a number is a mask, a limit or a sign.
/// A power of ten is none, and neither is a factor of a hash.
fn is_bit_pattern(value: u64, width: u8) -> bool {
    let bits = value & (u64::MAX >> (64 - u32::from(width.clamp(1, 64))));
    let opposite = !value & (u64::MAX >> (64 - u32::from(width.clamp(1, 64))));
    [bits, opposite].into_iter().any(|bits| {
        let run = bits >> bits.trailing_zeros().min(63);
        run & run.wrapping_add(1) == 0
    })
}

/// How a number has its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Suffix,
    /// The name of the type.
    Conversion,
}

fn suffix_form(language: Language, scalar: Scalar) -> Form {
    match (language, scalar.width) {
        // They are integers of 32 bits in the text.
        (Language::Hlsl, 8) => Form::Suffix,
        (_, 8) => Form::Conversion,
        (Language::Hlsl | Language::Msl, 16) => Form::Conversion,
        _ => Form::Suffix,
    }
}

fn digits(value: i64, radix: Radix) -> String {
    match radix {
        Radix::Mask if value >= 0xff => format!("{value:#x}"),
        _ => value.to_string(),
    }
}

/// The name of a floating-point number of 16 bits in HLSL.
pub(super) fn half_name(halves: Halves) -> &'static str {
    match halves {
        Halves::Half => "half",
        Halves::Float16 => "float16_t",
    }
}

/// The shortest decimal that reads back as the same number of a width, with a point or an exponent.
pub(super) fn shortest(value: f64, width: u8) -> String {
    let scientific = match width {
        16 => shortest_half(value),
        64 => format!("{value:e}"),
        // The shortest decimal is above the number, and compilers that read decimals exactly refuse it.
        _ if value.abs() == f64::from(f32::MAX) => format!("{}3.4028234e38", if value < 0.0 { "-" } else { "" }),
        _ => format!("{:e}", value as f32),
    };
    let (digits, exponent) = scientific.split_once('e').expect("invariant: the format has an exponent");
    let exponent: i32 = exponent.parse().expect("invariant: the exponent is an integer");
    if !(-4..8).contains(&exponent) {
        return scientific;
    }
    plain(digits, exponent)
}

/// The shortest decimal of a number of 16 bits, with an exponent. An integer has all its digits.
fn shortest_half(value: f64) -> String {
    if value.fract() == 0.0 {
        return format!("{value:e}");
    }
    let bits = f16::from_f64(value).to_bits();
    let reads_back = |text: &String| text.parse().is_ok_and(|read| f16::from_f64(read).to_bits() == bits);
    (0..17).map(|digits| format!("{value:.digits$e}")).find(reads_back).unwrap_or_else(|| format!("{value:e}"))
}

/// A decimal without its exponent.
fn plain(digits: &str, exponent: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = digits.replace('.', "");
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent as usize + 1;
    let padded = format!("{digits:0<whole$}");
    let (front, back) = padded.split_at(whole);
    format!("{sign}{front}.{}", if back.is_empty() { "0" } else { back })
}
