//! Writes bitstreams, for modules that no compiler writes.

/// A bitstream that grows.
#[derive(Clone, Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    length: usize,
    /// The bit of the length of each open block, and the width of ids around it.
    open: Vec<(usize, u32)>,
    width: u32,
}

impl Bits {
    /// A stream with the magic number alone.
    pub(crate) fn new() -> Bits {
        let mut bits = Bits { width: 2, ..Bits::default() };
        for byte in *b"BC\xc0\xde" {
            bits.fixed(u64::from(byte), 8);
        }
        bits
    }

    /// The stream, in whole words.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn fixed(&mut self, value: u64, width: u32) -> &mut Bits {
        for bit in 0..width {
            if self.length.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("a byte was pushed");
            *last |= ((value >> bit & 1) as u8) << (self.length % 8);
            self.length += 1;
        }
        self
    }

    pub(crate) fn variable(&mut self, mut value: u64, width: u32) -> &mut Bits {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width)
    }

    pub(crate) fn align(&mut self) -> &mut Bits {
        while !self.length.is_multiple_of(32) {
            self.fixed(0, 1);
        }
        self
    }

    /// An abbreviation id, as wide as the block says.
    pub(crate) fn id(&mut self, id: u64) -> &mut Bits {
        self.fixed(id, self.width)
    }

    pub(crate) fn enter(&mut self, block: u64, width: u32) -> &mut Bits {
        self.id(1).variable(block, 8).variable(u64::from(width), 4).align();
        self.open.push((self.length, self.width));
        self.width = width;
        self.fixed(0, 32)
    }

    pub(crate) fn end(&mut self) -> &mut Bits {
        self.id(0).align();
        let (start, width) = self.open.pop().expect("a block is open");
        self.width = width;
        let words = (self.length - start) / 32 - 1;
        self.bytes[start / 8..start / 8 + 4].copy_from_slice(&(words as u32).to_le_bytes());
        self
    }

    /// A record without an abbreviation.
    pub(crate) fn record(&mut self, code: u64, operands: &[u64]) -> &mut Bits {
        self.id(3).variable(code, 6).variable(operands.len() as u64, 6);
        operands.iter().for_each(|&operand| _ = self.variable(operand, 6));
        self
    }
}
