//! Numbers as `printf` of C writes them (ISO C 7.21.6.1).
//!
//! Decimal digits of floats are exact: they are those of the number itself, rounded once, ties to even. NaN has no sign.

use crate::compute::rounding::Sign;

/// The flags, the width and the precision of a directive.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Style {
    pub(super) is_left: bool,
    pub(super) is_alternate: bool,
    pub(super) has_zeros: bool,
    /// The sign of numbers that are not negative.
    pub(super) sign: Option<u8>,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

/// What fills a field before a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    Blanks,
    Zeros,
}

impl Style {
    /// What fills the field of a number.
    fn fill(&self) -> Fill {
        if self.has_zeros { Fill::Zeros } else { Fill::Blanks }
    }

    /// The point after digits without a fraction.
    fn point(&self) -> &'static str {
        if self.is_alternate { "." } else { "" }
    }
}

/// A text in a field: `prefix` comes before the zeros that fill it, if it is filled with zeros.
pub(super) fn padded(style: &Style, prefix: &[u8], text: Vec<u8>, fill: Fill) -> Vec<u8> {
    let missing = style.width.saturating_sub(prefix.len() + text.len());
    let (blanks, zeros) = (vec![b' '; missing], vec![b'0'; missing]);
    match (style.is_left, fill) {
        (true, _) => [prefix, &text, &blanks].concat(),
        (false, Fill::Zeros) => [prefix, &zeros, &text].concat(),
        (false, Fill::Blanks) => [&blanks, prefix, &text].concat(),
    }
}

/// An integer.
pub(super) fn integer(style: &Style, conversion: u8, value: i128) -> Vec<u8> {
    let magnitude = value.unsigned_abs();
    let mut digits = match conversion {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    if magnitude == 0 && style.precision == Some(0) {
        digits.clear();
    }
    let least = style.precision.unwrap_or(1);
    digits.insert_str(0, &"0".repeat(least.saturating_sub(digits.len())));
    let prefix: &[u8] = match conversion {
        b'x' if style.is_alternate && magnitude != 0 => b"0x",
        b'X' if style.is_alternate && magnitude != 0 => b"0X",
        b'd' | b'i' => sign(style, Sign::of_integer(value)),
        _ => b"",
    };
    if conversion == b'o' && style.is_alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    padded(style, prefix, digits.into_bytes(), if style.precision.is_none() { style.fill() } else { Fill::Blanks })
}

fn sign(style: &Style, sign: Sign) -> &'static [u8] {
    match (sign, style.sign) {
        (Sign::Negative, _) => b"-",
        (Sign::Positive, Some(b'+')) => b"+",
        (Sign::Positive, Some(_)) => b" ",
        (Sign::Positive, None) => b"",
    }
}

/// A floating-point number.
pub(super) fn floating(style: &Style, conversion: u8, value: f64) -> Vec<u8> {
    let is_upper = conversion.is_ascii_uppercase();
    let in_case = |text: String| if is_upper { text.to_uppercase() } else { text };
    if value.is_nan() {
        return padded(style, b"", in_case("nan".to_owned()).into_bytes(), Fill::Blanks);
    }
    let (sign, magnitude) = (sign(style, Sign::of(value)), value.abs());
    if value.is_infinite() {
        return padded(style, sign, in_case("inf".to_owned()).into_bytes(), Fill::Blanks);
    }
    let text = match conversion.to_ascii_lowercase() {
        b'f' => fixed(style, magnitude, style.precision.unwrap_or(6)),
        b'e' => exponential(style, magnitude, style.precision.unwrap_or(6)),
        b'g' => general(style, magnitude),
        _ => {
            let text = in_case(hexadecimal(style, magnitude));
            let prefix = [sign, if is_upper { b"0X" } else { b"0x" }].concat();
            return padded(style, &prefix, text.into_bytes(), style.fill());
        }
    };
    padded(style, sign, in_case(text).into_bytes(), style.fill())
}

fn fixed(style: &Style, magnitude: f64, precision: usize) -> String {
    let point = if precision == 0 { style.point() } else { "" };
    format!("{magnitude:.precision$}{point}")
}

fn exponential(style: &Style, magnitude: f64, precision: usize) -> String {
    let (digits, exponent) = decimal(magnitude, precision);
    let point = if precision == 0 { style.point() } else { "" };
    format!("{digits}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// The digits of a number with this many after the point, and its exponent.
fn decimal(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').expect("invariant: this form has an exponent");
    (digits.to_owned(), exponent.parse().expect("invariant: the exponent is a number"))
}

/// The shorter of the two forms, without zeros at the end.
fn general(style: &Style, magnitude: f64) -> String {
    let precision = style.precision.unwrap_or(6).max(1);
    let (_, exponent) = decimal(magnitude, precision - 1);
    let is_fixed = exponent >= -4 && exponent < precision as i32;
    let trimmed = |digits: &str| match digits.contains('.') && !style.is_alternate {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    match is_fixed {
        true => trimmed(&fixed(style, magnitude, (precision as i32 - 1 - exponent) as usize)),
        false => {
            let text = exponential(style, magnitude, precision - 1);
            let (digits, exponent) = text.split_once('e').expect("invariant: this form has an exponent");
            format!("{}e{exponent}", trimmed(digits))
        }
    }
}

/// The number in base 16, without its prefix: one digit before the point.
fn hexadecimal(style: &Style, magnitude: f64) -> String {
    const DIGITS: usize = 13;
    let bits = magnitude.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        (exponent, _) => (1, exponent - 1023),
    };
    let mut number: u64 = lead << 52 | fraction;
    let digits = match style.precision {
        Some(precision) if precision < DIGITS => {
            let unit = 1u64 << (4 * (DIGITS - precision));
            let (rest, is_odd) = (number % unit, number / unit % 2 == 1);
            number -= rest;
            if rest > unit / 2 || rest == unit / 2 && is_odd {
                number += unit;
            }
            precision
        }
        Some(precision) => precision,
        None => DIGITS - (fraction.trailing_zeros() as usize / 4).min(DIGITS),
    };
    let all = format!("{:013x}", number & ((1 << 52) - 1));
    let shown: String = all.chars().chain(std::iter::repeat('0')).take(digits).collect();
    let point = if digits > 0 { "." } else { style.point() };
    format!("{}{point}{shown}p{exponent:+}", number >> 52)
}

#[cfg(test)]
mod tests {
    use super::{Style, floating, integer};

    fn float(style: Style, conversion: u8, value: f64) -> String {
        String::from_utf8(floating(&style, conversion, value)).unwrap()
    }

    #[test]
    fn floats_are_as_c_writes_them() {
        let plain = Style::default();
        let precise = |digits| Style { precision: Some(digits), ..plain };
        let rows = [
            (plain, b'f', 1.5, "1.500000"),
            (plain, b'F', f64::INFINITY, "INF"),
            (plain, b'f', -f64::NAN, "nan"),
            (precise(0), b'f', 2.5, "2"),
            (precise(3), b'e', 123_456.0, "1.235e+05"),
            (plain, b'E', 1e-300, "1.000000E-300"),
            (plain, b'g', 100_000.0, "100000"),
            (plain, b'g', 1_000_000.0, "1e+06"),
            (plain, b'g', 0.0001, "0.0001"),
            (plain, b'G', 0.00001, "1E-05"),
            (precise(3), b'g', 9_999.0, "1e+04"),
            (Style { is_alternate: true, ..plain }, b'g', 1.0, "1.00000"),
            (plain, b'a', 1.0, "0x1p+0"),
            (plain, b'a', -0.1, "-0x1.999999999999ap-4"),
            (precise(1), b'a', 1.96875, "0x2.0p+0"),
            (precise(2), b'A', 0.5, "0X1.00P-1"),
            (plain, b'a', 0.0, "0x0p+0"),
            (Style { width: 9, has_zeros: true, ..plain }, b'f', -1.0, "-1.000000"),
            (Style { width: 11, has_zeros: true, sign: Some(b'+'), ..plain }, b'f', 1.0, "+001.000000"),
            (Style { width: 6, is_left: true, ..precise(1) }, b'f', 1.0, "1.0   "),
            (Style { width: 5, has_zeros: true, ..plain }, b'f', f64::INFINITY, "  inf"),
        ];
        for (style, conversion, value, expected) in rows {
            assert_eq!(float(style, conversion, value), expected, "{style:?} {}", conversion as char);
        }
    }

    #[test]
    fn integers_are_as_c_writes_them() {
        let plain = Style::default();
        let rows = [
            (plain, b'd', -5, "-5"),
            (Style { width: 5, has_zeros: true, ..plain }, b'd', -5, "-0005"),
            (Style { width: 5, has_zeros: true, precision: Some(2), ..plain }, b'd', -5, "  -05"),
            (Style { precision: Some(0), ..plain }, b'd', 0, ""),
            (Style { is_alternate: true, ..plain }, b'x', 255, "0xff"),
            (Style { is_alternate: true, ..plain }, b'X', 0, "0"),
            (Style { is_alternate: true, ..plain }, b'o', 8, "010"),
            (Style { sign: Some(b' '), ..plain }, b'i', 7, " 7"),
            (Style { is_left: true, width: 4, ..plain }, b'u', 7, "7   "),
        ];
        for (style, conversion, value, expected) in rows {
            assert_eq!(String::from_utf8(integer(&style, conversion, value)).unwrap(), expected, "{style:?}");
        }
    }
}
