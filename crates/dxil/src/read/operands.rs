//! The operands of a record, one after the other.

use reconverge_diagnostic::Diagnostic;

use crate::bitstream::Record;
use crate::error::{Code, at_bit};

/// A position in the operands of a record.
#[derive(Clone, Copy)]
pub(super) struct Operands<'r> {
    record: &'r Record,
    next: usize,
}

impl<'r> Operands<'r> {
    pub(super) fn new(record: &'r Record) -> Operands<'r> {
        Operands { record, next: 0 }
    }

    /// The number of operands that are left.
    pub(super) fn left(&self) -> usize {
        self.record.operands.len() - self.next
    }

    /// The bit of the input where the record begins.
    pub(super) fn offset(&self) -> u64 {
        self.record.offset
    }

    /// The next operand; `what` is in the message if there is none.
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Diagnostic> {
        match self.record.operands.get(self.next) {
            Some(&number) => {
                self.next += 1;
                Ok(number)
            }
            None => Err(self.error(Code::Record, format!("expected {what}, found the end of the record"))),
        }
    }

    /// The next operand, which must be below 2³².
    pub(super) fn small(&mut self, what: &str) -> Result<u32, Diagnostic> {
        let number = self.number(what)?;
        u32::try_from(number)
            .map_err(|_| self.error(Code::Record, format!("expected {what} below 4,294,967,296, found {number}")))
    }

    /// The next operand as an item of a list in which 0 is the first.
    pub(super) fn choice<T: Copy>(&mut self, list: &[T], what: &str) -> Result<T, Diagnostic> {
        let number = self.number(what)?;
        match usize::try_from(number).ok().and_then(|index| list.get(index)) {
            Some(&item) => Ok(item),
            None => Err(self.error(Code::Record, format!("expected {what}, found number {number}"))),
        }
    }

    /// The next operand as an alignment: 0 for none, else its logarithm and one.
    pub(super) fn alignment(&mut self) -> Result<u32, Diagnostic> {
        let number = self.number("an alignment")?;
        alignment(number).ok_or_else(|| {
            self.error(Code::Record, format!("expected an alignment of at most 2^29, found number {number}"))
        })
    }

    /// One of the operands that are left, or 0 if there are not as many.
    pub(super) fn rest_at(&self, index: usize) -> u64 {
        self.record.operands.get(self.next + index).copied().unwrap_or(0)
    }

    /// All operands that are left.
    pub(super) fn rest(&mut self) -> &'r [u64] {
        let rest = &self.record.operands[self.next..];
        self.next = self.record.operands.len();
        rest
    }

    /// All operands that are left, as the bytes of a text. What is not UTF-8 is replaced.
    pub(super) fn text(&mut self) -> String {
        let bytes: Vec<u8> = self.rest().iter().map(|&byte| byte as u8).collect();
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), Diagnostic> {
        match self.left() {
            0 => Ok(()),
            left => {
                Err(self.error(Code::Record, format!("expected the end of the record, found another {left} operands")))
            }
        }
    }

    #[cold]
    pub(super) fn error(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        at_bit(code, self.record.offset, message)
    }

    #[cold]
    pub(super) fn unsupported(&self, what: &str) -> Diagnostic {
        self.error(Code::Unsupported, format!("expected what DXIL may contain, found {what}"))
    }
}

/// An alignment in bytes.
pub(super) fn alignment(number: u64) -> Option<u32> {
    match number {
        0 => Some(0),
        1..=30 => Some(1 << (number - 1)),
        _ => None,
    }
}
