//! Numbers as bits: of a fixed width, or in groups of which the high bit says that another one follows.

use reconverge_diagnostic::Diagnostic;

use crate::error::{Code, at_bit};

/// A position in bits, which cannot pass the end of the innermost block.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The first bit of `bytes` in the input.
    base: u64,
    /// From the first bit of `bytes`.
    position: u64,
    /// The end of the innermost block.
    end: u64,
}

impl<'a> Cursor<'a> {
    /// Before the first of these bytes, which are at that byte of the input.
    pub(crate) fn new(bytes: &'a [u8], first: usize) -> Cursor<'a> {
        Cursor { bytes, base: 8 * first as u64, position: 0, end: 8 * bytes.len() as u64 }
    }

    /// The position as a bit of the input.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.position
    }

    /// The position from the first bit of the stream.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    pub(crate) fn seek(&mut self, position: u64) {
        self.position = position;
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn set_end(&mut self, end: u64) {
        self.end = end;
    }

    /// The bits that are left in the innermost block.
    pub(crate) fn left(&self) -> u64 {
        self.end - self.position
    }

    /// A number of at most 64 bits.
    pub(crate) fn fixed(&mut self, width: u32) -> Result<u64, Diagnostic> {
        if u64::from(width) > self.left() {
            let message = format!("expected a number of {width} bits, found {} bits", self.left());
            return Err(at_bit(Code::Truncated, self.offset(), message));
        }
        let mut value = 0;
        let mut taken = 0;
        while taken < width {
            let (byte, bit) = ((self.position / 8) as usize, (self.position % 8) as u32);
            let count = (8 - bit).min(width - taken);
            let bits = (u64::from(self.bytes[byte]) >> bit) & ((1 << count) - 1);
            value |= bits << taken;
            taken += count;
            self.position += u64::from(count);
        }
        Ok(value)
    }

    /// A number in groups of `width` bits, 2 to 32.
    pub(crate) fn variable(&mut self, width: u32) -> Result<u64, Diagnostic> {
        let start = self.offset();
        let (more, mut value, mut shift) = (1 << (width - 1), 0u64, 0);
        loop {
            let group = self.fixed(width)?;
            let bits = group & (more - 1);
            if bits != 0 {
                if shift >= 64 || (bits << shift) >> shift != bits {
                    return Err(at_bit(Code::Bitstream, start, "expected a number of at most 64 bits"));
                }
                value |= bits << shift;
            }
            if group & more == 0 {
                return Ok(value);
            }
            shift += width - 1;
        }
    }

    /// A number of at most 32 bits in groups.
    pub(crate) fn small(&mut self, width: u32) -> Result<u32, Diagnostic> {
        let start = self.offset();
        let value = self.variable(width)?;
        u32::try_from(value)
            .map_err(|_| at_bit(Code::Bitstream, start, format!("expected a number of 32 bits, found {value}")))
    }

    /// Goes to the next word of the stream.
    pub(crate) fn align(&mut self) -> Result<(), Diagnostic> {
        let aligned = self.position.next_multiple_of(32);
        if aligned > self.end {
            return Err(at_bit(Code::Truncated, self.offset(), "expected a word boundary before the end"));
        }
        self.position = aligned;
        Ok(())
    }

    /// Takes whole bytes; the position must be a multiple of 8.
    pub(crate) fn bytes(&mut self, count: u64) -> Result<&'a [u8], Diagnostic> {
        if count > self.left() / 8 {
            let message = format!("expected {count} bytes, found {}", self.left() / 8);
            return Err(at_bit(Code::Truncated, self.offset(), message));
        }
        let start = (self.position / 8) as usize;
        self.position += 8 * count;
        Ok(&self.bytes[start..start + count as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_low_bit_up() {
        let mut cursor = Cursor::new(&[0b1010_0110, 0xff, 0x01], 2);
        assert_eq!([cursor.fixed(3), cursor.fixed(0), cursor.fixed(7)], [Ok(0b110), Ok(0), Ok(0b11_10100 | 0b11 << 5)]);
        assert_eq!((cursor.offset(), cursor.left()), (26, 14));
        assert_eq!(cursor.fixed(15).unwrap_err().code, Code::Truncated);
    }

    #[test]
    fn groups_continue_while_the_high_bit_is_set() {
        // 100101 in groups of 4 bits: 1101 (5, more), 0100 (4).
        let mut cursor = Cursor::new(&[0b0100_1101], 0);
        assert_eq!(cursor.variable(4), Ok(5 | 4 << 3));
        let mut endless = Cursor::new(&[0xff; 17], 0);
        assert_eq!(endless.variable(2).unwrap_err().code, Code::Bitstream);
        // Zeros after the number are allowed, however many.
        let mut padded = [0x80; 16];
        padded[15] = 0;
        padded[0] = 0x87;
        assert_eq!(Cursor::new(&padded, 0).variable(8), Ok(7));
        let mut wide = Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x7f], 0);
        assert_eq!(wide.small(8).unwrap_err().code, Code::Bitstream);
    }

    #[test]
    fn words_and_bytes_stay_inside_the_block() {
        let mut cursor = Cursor::new(&[1, 2, 3, 4, 5, 6], 0);
        assert_eq!(cursor.fixed(1), Ok(1));
        assert_eq!(cursor.align(), Ok(()));
        assert_eq!(cursor.bytes(1), Ok(&[5u8][..]));
        assert_eq!(cursor.align().unwrap_err().code, Code::Truncated);
        assert_eq!(cursor.bytes(2).unwrap_err().code, Code::Truncated);
    }
}
