//! Numbers as bytes.
//!
//! A number takes seven bits a byte, the low ones first; the high bit says that another byte follows (LEB128, as in DWARF 5, section 7.6).
//! There is one spelling for each number: the last byte is not zero unless it is the only one.

use super::error::{ErrorCode, Fault, fault};

/// Appends a number.
pub(super) fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a string: its length and its bytes.
pub(super) fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    push(out, text.len() as u32);
    out.extend_from_slice(text);
}

/// A difference as a number that is small when the difference is: 0, -1, 1, -2, …
pub(super) fn fold(from: u32, to: u32) -> u32 {
    let difference = to.wrapping_sub(from) as i32;
    ((difference << 1) ^ (difference >> 31)) as u32
}

/// The end of a difference.
pub(super) fn unfold(from: u32, folded: u32) -> u32 {
    from.wrapping_add((folded >> 1) ^ (folded & 1).wrapping_neg())
}

/// A place in a file, up to the end of a part of it.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'b> {
    file: &'b [u8],
    at: usize,
    end: usize,
}

impl<'b> Bytes<'b> {
    /// The bytes of a part; it must be in the file.
    pub(super) fn new(file: &'b [u8], part: std::ops::Range<usize>) -> Bytes<'b> {
        debug_assert!(part.start <= part.end && part.end <= file.len());
        Bytes { file: &file[..part.end], at: part.start, end: part.end }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn left(&self) -> usize {
        self.end - self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// The next number.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u32, Fault> {
        match self.file.get(self.at) {
            Some(&byte) if byte < 0x80 => {
                self.at += 1;
                Ok(u32::from(byte))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u32, Fault> {
        let (start, mut number) = (self.at, 0u64);
        for shift in [0, 7, 14, 21, 28] {
            let Some(&byte) = self.file.get(self.at) else { return Err(self.ends_early()) };
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let spelled_short = byte != 0 || shift == 0;
                return match u32::try_from(number) {
                    Ok(number) if spelled_short => Ok(number),
                    _ => Err(misspelled(start)),
                };
            }
        }
        Err(misspelled(start))
    }

    /// The next number as a count of things that take at least a byte each.
    pub(super) fn count(&mut self, what: &str) -> Result<u32, Fault> {
        let offset = self.at;
        let count = self.number()?;
        match count as usize <= self.left() {
            true => Ok(count),
            false => Err(fault(
                offset,
                ErrorCode::Length,
                format!("expected at most {} {what}, as many as there are bytes left, found {count}", self.left()),
            )),
        }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: u32) -> Result<&'b [u8], Fault> {
        if length as usize > self.left() {
            return Err(self.ends_early());
        }
        let start = self.at;
        self.at += length as usize;
        Ok(&self.file[start..self.at])
    }

    /// The next string.
    pub(super) fn text(&mut self) -> Result<&'b [u8], Fault> {
        let length = self.count("bytes of a string")?;
        self.take(length)
    }

    /// Nothing may be left.
    pub(super) fn expect_end(&self, of: &str) -> Result<(), Fault> {
        match self.is_at_end() {
            true => Ok(()),
            false => {
                let message = format!("expected the end of {of}, found {} more bytes", self.left());
                Err(fault(self.at, ErrorCode::Length, message))
            }
        }
    }

    #[cold]
    fn ends_early(&self) -> Fault {
        fault(self.at, ErrorCode::Length, "expected more bytes, found the end of the section")
    }
}

#[cold]
fn misspelled(offset: usize) -> Fault {
    fault(offset, ErrorCode::Encoding, "expected a number of at most 32 bits in its shortest spelling")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_reads_back_and_has_one_spelling() {
        for number in [0, 1, 127, 128, 16_383, 16_384, 1 << 28, u32::MAX] {
            let mut out = Vec::new();
            push(&mut out, number);
            let mut bytes = Bytes::new(&out, 0..out.len());
            assert_eq!(bytes.number(), Ok(number));
            assert!(bytes.is_at_end());
        }
        for wrong in [&[0x80, 0][..], &[0xff, 0xff, 0xff, 0xff, 0x7f], &[0x80, 0x80, 0x80, 0x80, 0x80, 1]] {
            let code = Bytes::new(wrong, 0..wrong.len()).number().map_err(|error| error.code);
            assert_eq!(code, Err(ErrorCode::Encoding.declared()));
        }
        assert_eq!(Bytes::new(&[0x80], 0..1).number().map_err(|error| error.code), Err(ErrorCode::Length.declared()));
    }

    #[test]
    fn a_difference_reads_back() {
        for (from, to, folded) in [(5, 5, 0), (5, 4, 1), (5, 6, 2), (0, u32::MAX, 1), (u32::MAX, 0, 2)] {
            assert_eq!(fold(from, to), folded);
            assert_eq!(unfold(from, folded), to);
        }
        assert_eq!(unfold(7, fold(7, 7 + (1 << 31))), 7 + (1 << 31));
    }
}
