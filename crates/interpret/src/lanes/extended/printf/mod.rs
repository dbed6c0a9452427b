//! `printf` (OpenCL C 3.0, section 6.15.14): the directives of a format, applied to the arguments of a call.
//!
//! ```text
//! %  flags  width  .precision  v count  length  conversion
//! %  -+ #0  digits . digits    v4       hh h hl l   d i o u x X f F e E g G a A c s p %
//! ```
//!
//! The arguments of vectors are formatted component by component, with commas. Scalars have their own widths here, so a length chooses how
//! many low bits of an integer count. An undefined argument is printed as `undef`. `number.rs` formats the numbers.

mod number;

use reconverge_ir::Op;

use crate::Value;
use crate::code::instruction::Instruction;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::lanes::access::address;
use crate::lanes::extended::printf::number::{Style, floating, integer, padded};
use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::value::{mask, sign_extended};

/// A wider field or a greater precision is not supported.
const WIDEST: usize = 1 << 16;

/// A directive, without its flags, its width and its precision.
struct Directive {
    style: Style,
    /// The number of components of a vector.
    components: Option<usize>,
    /// The number of bits of an integer that count.
    bits: Option<u8>,
    conversion: u8,
}

/// Prints the text of a call; the result is 0, or -1 if there is no room for the text.
pub(super) fn execute(memory: &mut Memory, lane: &Lane<'_>, instruction: &Instruction) -> Result<Option<Value>, Fault> {
    let format = string(memory, lane, lane.first(instruction.operands)?)?;
    let mut arguments = lane.operands(instruction.operands).iter().skip(1);
    let mut text = Vec::new();
    let mut rest = &format[..];
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            text.push(first);
            continue;
        }
        let (directive, after) = Directive::parse(rest).ok_or_else(|| wrong_format(&format))?;
        rest = after;
        if directive.conversion == b'%' {
            text.push(b'%');
            continue;
        }
        let argument =
            arguments.next().ok_or_else(|| Fault::malformed("printf has fewer arguments than directives"))?;
        let argument = lane.read(*argument)?;
        directive.print(memory, lane, argument, &mut text)?;
    }
    let is_printed = memory.printed.as_mut().is_some_and(|printed| printed.add(lane.index, text));
    let result = if is_printed { 0 } else { u64::MAX };
    Ok(lane.program.types.integer(instruction.ty, result))
}

fn wrong_format(format: &[u8]) -> Fault {
    Fault::unsupported(format!("the format {:?} of printf", String::from_utf8_lossy(format)))
}

/// The characters at a pointer, up to a zero.
fn string(memory: &Memory, lane: &Lane<'_>, pointer: &Value) -> Result<Vec<u8>, Fault> {
    let start = address(lane, pointer)?;
    let mut characters = Vec::new();
    loop {
        let place = start.advanced(characters.len() as i64);
        match memory.load_word(place, 1)?.ok_or(UndefinedBehaviour::UndefinedAddress)? {
            0 => return Ok(characters),
            character => characters.push(character as u8),
        }
    }
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
    fn print(&self, memory: &Memory, lane: &Lane<'_>, argument: &Value, text: &mut Vec<u8>) -> Result<(), Fault> {
        match (self.components, argument) {
            (Some(count), Value::Composite(components)) if components.len() == count => {
                for (index, component) in components.iter().enumerate() {
                    if index > 0 {
                        text.push(b',');
                    }
                    text.extend(self.scalar(memory, lane, component)?);
                }
                Ok(())
            }
            (None, scalar) | (Some(_), scalar @ Value::Undefined) => {
                text.extend(self.scalar(memory, lane, scalar)?);
                Ok(())
            }
            _ => Err(mismatch()),
        }
    }

    fn scalar(&self, memory: &Memory, lane: &Lane<'_>, value: &Value) -> Result<Vec<u8>, Fault> {
        let style = &self.style;
        Ok(match (self.conversion, value) {
            (_, Value::Undefined) => padded(style, b"", b"undef".to_vec(), false),
            (b's', pointer) => {
                let mut characters = string(memory, lane, pointer)?;
                characters.truncate(style.precision.unwrap_or(usize::MAX));
                padded(style, b"", characters, false)
            }
            (b'p', Value::Pointer(pointer)) => {
                let address = memory.address(*pointer).unwrap_or(0);
                padded(style, b"", format!("{address:#x}").into_bytes(), false)
            }
            (b'c', Value::Int { bits, .. }) => padded(style, b"", vec![*bits as u8], false),
            (b'd' | b'i', &Value::Int { width, bits }) => {
                let width = width.min(self.bits.unwrap_or(64));
                integer(style, self.conversion, i128::from(sign_extended(width, bits & mask(width))))
            }
            (b'o' | b'u' | b'x' | b'X', &Value::Int { width, bits }) => {
                integer(style, self.conversion, i128::from(bits & mask(width.min(self.bits.unwrap_or(64)))))
            }
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Value::Float { .. }) => {
                floating(style, self.conversion, value.as_f64().ok_or_else(mismatch)?)
            }
            _ => return Err(mismatch()),
        })
    }
}

fn mismatch() -> Fault {
    Fault::malformed(format!("an argument of printf ({}) does not fit its directive", Op::ExtInst.name()))
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
