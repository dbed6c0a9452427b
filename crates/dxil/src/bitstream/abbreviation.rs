//! Abbreviations: how the operands of a record are encoded, and what they are when they are always the same.

use reconverge_diagnostic::Diagnostic;

use super::cursor::Cursor;
use crate::error::{Code, at_bit};

/// The most abbreviations that a block can have; compilers define at most ten.
pub(crate) const MAX_ABBREVIATIONS: usize = 256;

/// The most operands of an abbreviation; compilers use at most eight.
pub(crate) const MAX_ABBREVIATION_OPERANDS: u32 = 64;

/// The widest number in groups.
const MAX_GROUP: u64 = 32;

/// The widest number of a fixed width.
const MAX_FIXED: u64 = 64;

/// The encoding of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    /// Always this value; takes no bits.
    Literal(u64),
    /// This number of bits.
    Fixed(u32),
    /// In groups of that many bits.
    Variable(u32),
    /// Six bits for `a`–`z`, `A`–`Z`, `0`–`9`, `.` and `_`.
    Letter,
}

/// The last element of a record of variable length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tail {
    /// vbr6 length, then as many of these, none of which is a literal.
    Array(Scalar),
    /// vbr6 length, to the next word, bytes, to the next word.
    Blob,
}

/// The encoding of a record: its code, then its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Abbreviation {
    pub(super) scalars: Vec<Scalar>,
    pub(super) tail: Option<Tail>,
}

impl Abbreviation {
    /// Reads a definition, after its abbreviation id.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Abbreviation, Diagnostic> {
        let start = cursor.offset();
        let count = cursor.small(5)?;
        if count > MAX_ABBREVIATION_OPERANDS {
            let message =
                format!("expected at most {MAX_ABBREVIATION_OPERANDS} operands of an abbreviation, found {count}");
            return Err(at_bit(Code::Limit, start, message));
        }
        let mut abbreviation = Abbreviation { scalars: Vec::new(), tail: None };
        let mut left = count;
        while left > 0 {
            let place = cursor.offset();
            left -= 1;
            match operand(cursor)? {
                Operand::Scalar(scalar) => abbreviation.scalars.push(scalar),
                Operand::Array if left == 1 => {
                    left = 0;
                    abbreviation.tail = Some(Tail::Array(element(cursor)?));
                }
                Operand::Blob if left == 0 => abbreviation.tail = Some(Tail::Blob),
                Operand::Array | Operand::Blob => {
                    return Err(at_bit(Code::Bitstream, place, "expected an array or blob at the end alone"));
                }
            }
        }
        if abbreviation.scalars.is_empty() {
            return Err(at_bit(Code::Bitstream, start, "expected an abbreviation with the code of its records"));
        }
        Ok(abbreviation)
    }
}

enum Operand {
    Scalar(Scalar),
    Array,
    Blob,
}

/// The element of an array: not a literal, which would take no bits however long the array is.
fn element(cursor: &mut Cursor<'_>) -> Result<Scalar, Diagnostic> {
    let place = cursor.offset();
    match operand(cursor)? {
        Operand::Scalar(Scalar::Literal(_)) | Operand::Array | Operand::Blob => {
            Err(at_bit(Code::Bitstream, place, "expected the elements of an array to be numbers of some bits"))
        }
        Operand::Scalar(scalar) => Ok(scalar),
    }
}

fn operand(cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    if cursor.fixed(1)? == 1 {
        return Ok(Operand::Scalar(Scalar::Literal(cursor.variable(8)?)));
    }
    let place = cursor.offset();
    let (encoding, most) = match cursor.fixed(3)? {
        1 => (Scalar::Fixed as fn(u32) -> Scalar, MAX_FIXED),
        2 => (Scalar::Variable as fn(u32) -> Scalar, MAX_GROUP),
        3 => return Ok(Operand::Array),
        4 => return Ok(Operand::Scalar(Scalar::Letter)),
        5 => return Ok(Operand::Blob),
        other => {
            return Err(at_bit(Code::Bitstream, place, format!("expected an encoding from 1 to 5, found {other}")));
        }
    };
    let width = cursor.variable(5)?;
    // A writer that has one value at most says so with a width of 0.
    if width == 0 {
        return Ok(Operand::Scalar(Scalar::Literal(0)));
    }
    let scalar = encoding(width as u32);
    if width > most || scalar == Scalar::Variable(1) {
        return Err(at_bit(Code::Bitstream, place, format!("expected a width of at most {most} bits, found {width}")));
    }
    Ok(Operand::Scalar(scalar))
}

impl Scalar {
    pub(super) fn read(self, cursor: &mut Cursor<'_>) -> Result<u64, Diagnostic> {
        match self {
            Scalar::Literal(value) => Ok(value),
            Scalar::Fixed(width) => cursor.fixed(width),
            Scalar::Variable(width) => cursor.variable(width),
            Scalar::Letter => Ok(u64::from(letter(cursor.fixed(6)? as u8))),
        }
    }

    /// The fewest bits that a value takes.
    pub(super) fn least_bits(self) -> u64 {
        match self {
            Scalar::Literal(_) => 0,
            Scalar::Fixed(width) | Scalar::Variable(width) => u64::from(width),
            Scalar::Letter => 6,
        }
    }
}

fn letter(number: u8) -> u8 {
    match number {
        0..26 => b'a' + number,
        26..52 => b'A' + number - 26,
        52..62 => b'0' + number - 52,
        62 => b'.',
        _ => b'_',
    }
}
