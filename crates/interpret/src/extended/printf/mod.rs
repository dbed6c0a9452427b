//! `printf` (OpenCL C 3.0, section 6.15.14): the directives of a format, applied to arguments.
//!
//! ```text
//! %  flags  width  .precision  v count  length  conversion
//! %  -+ #0  digits . digits    v4       hh h hl l   d i o u x X f F e E g G a A c s p %
//! ```
//!
//! The arguments of vectors are formatted component by component, with commas. Scalars have their own widths, so a length chooses how many low
//! bits of an integer count. An undefined argument is printed as `undef`. `number.rs` formats the numbers. Linear in the text.

mod number;

use std::error::Error;
use std::fmt;

use number::{Fill, Style, floating, integer, padded};

/// A wider field or a greater precision is not supported.
const WIDEST: usize = 1 << 15;

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A value that nothing defines.
    Undefined,
    /// An integer with this many bits, of which those above are ignored.
    Int {
        /// The number of bits, at most 64.
        width: u8,
        /// The bits.
        bits: u64,
    },
    /// A floating-point number of any width.
    Float(f64),
    /// A pointer.
    Address(u64),
    /// The characters of a string.
    Text(Vec<u8>),
    /// The components of a vector.
    Vector(Vec<Argument>),
}

/// The error of a format or its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// A directive that the language does not have. It holds the format.
    Directive(String),
    /// There are fewer arguments than directives.
    Missing,
    /// An argument has another type than its directive asks for.
    Mismatch,
}

impl fmt::Display for FormatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Directive(format) => write!(formatter, "the format {format:?} of printf"),
            FormatError::Missing => formatter.write_str("printf has fewer arguments than directives"),
            FormatError::Mismatch => formatter.write_str("an argument of printf does not fit its directive"),
        }
    }
}

impl Error for FormatError {}

/// The text of a call. `next` gives the argument of a directive with this conversion, the letter at its end; `None` if there is none left.
///
/// # Errors
/// [`FormatError`], or what `next` returns.
pub fn format<E: From<FormatError>>(
    format: &[u8],
    mut next: impl FnMut(u8) -> Result<Option<Argument>, E>,
) -> Result<Vec<u8>, E> {
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            text.push(first);
            continue;
        }
        let unknown = || FormatError::Directive(String::from_utf8_lossy(format).into_owned());
        let (directive, after) = Directive::parse(rest).ok_or_else(unknown)?;
        rest = after;
        if directive.conversion == b'%' {
            text.push(b'%');
            continue;
        }
        let argument = next(directive.conversion)?.ok_or(FormatError::Missing)?;
        directive.print(&argument, &mut text)?;
    }
    Ok(text)
}

/// A directive.
struct Directive {
    style: Style,
    /// The number of components of a vector.
    components: Option<usize>,
    /// The number of bits of an integer that count.
    bits: Option<u8>,
    conversion: u8,
}

impl Directive {
    /// The directive at the beginning of a text, after its percent sign, and the rest.
    fn parse(text: &[u8]) -> Option<(Directive, &[u8])> {
        let mut rest = text;
        let mut style = Style::default();
        while let Some((&flag, after)) = rest.split_first() {
            match flag {
                b'-' => style.is_left = true,
                b'+' => style.sign = Some(b'+'),
                b' ' => style.sign = style.sign.or(Some(b' ')),
                b'#' => style.is_alternate = true,
                b'0' => style.has_zeros = true,
                _ => break,
            }
            rest = after;
        }
        style.width = take_number(&mut rest)?.unwrap_or(0);
        if let Some(after) = rest.strip_prefix(b".") {
            rest = after;
            style.precision = Some(take_number(&mut rest)?.unwrap_or(0));
        }
        let mut components = None;
        if let Some(after) = rest.strip_prefix(b"v") {
            rest = after;
            components = Some(take_number(&mut rest)?.filter(|count| [2, 3, 4, 8, 16].contains(count))?);
        }
        let lengths: [(&[u8], u8); 4] = [(b"hh", 8), (b"hl", 32), (b"h", 16), (b"l", 64)];
        let length = lengths.into_iter().find(|(name, _)| rest.starts_with(name));
        rest = &rest[length.map_or(0, |(name, _)| name.len())..];
        let (&conversion, rest) = rest.split_first()?;
        let is_known = b"diouxXfFeEgGaAcsp%".contains(&conversion);
        is_known.then(|| (Directive { style, components, bits: length.map(|(_, bits)| bits), conversion }, rest))
    }

    /// Prints an argument.
    fn print(&self, argument: &Argument, text: &mut Vec<u8>) -> Result<(), FormatError> {
        match (self.components, argument) {
            (Some(count), Argument::Vector(components)) if components.len() == count => {
                for (index, component) in components.iter().enumerate() {
                    if index > 0 {
                        text.push(b',');
                    }
                    text.extend(self.scalar(component)?);
                }
                Ok(())
            }
            (None, scalar) | (Some(_), scalar @ Argument::Undefined) => {
                text.extend(self.scalar(scalar)?);
                Ok(())
            }
            _ => Err(FormatError::Mismatch),
        }
    }

    fn scalar(&self, value: &Argument) -> Result<Vec<u8>, FormatError> {
        let style = &self.style;
        let blanks = |text: Vec<u8>| padded(style, b"", text, Fill::Blanks);
        Ok(match (self.conversion, value) {
            (_, Argument::Undefined) => blanks(b"undef".to_vec()),
            (b's', Argument::Text(characters)) => {
                let shown = characters.len().min(style.precision.unwrap_or(usize::MAX));
                blanks(characters[..shown].to_vec())
            }
            (b'p', Argument::Address(address)) => blanks(format!("{address:#x}").into_bytes()),
            (b'c', Argument::Int { bits, .. }) => blanks(vec![*bits as u8]),
            (b'd' | b'i', &Argument::Int { width, bits }) => {
                let unused = 64 - u32::from(width.min(self.bits.unwrap_or(64)).clamp(1, 64));
                integer(style, self.conversion, i128::from((bits << unused) as i64 >> unused))
            }
            (b'o' | b'u' | b'x' | b'X', &Argument::Int { width, bits }) => {
                let unused = 64 - u32::from(width.min(self.bits.unwrap_or(64)).clamp(1, 64));
                integer(style, self.conversion, i128::from(bits << unused >> unused))
            }
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', &Argument::Float(value)) => {
                floating(style, self.conversion, value)
            }
            _ => return Err(FormatError::Mismatch),
        })
    }
}

/// The number at the beginning of a text, which it leaves out; the outer `None` if the number is too great.
fn take_number(text: &mut &[u8]) -> Option<Option<usize>> {
    let digits = text.iter().take_while(|character| character.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    *text = rest;
    if digits == 0 {
        return Some(None);
    }
    let number: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
    (number <= WIDEST).then_some(Some(number))
}
