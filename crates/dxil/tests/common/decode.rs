//! A second reader of bitstreams, for good streams only: it shares no code with that of the crate, and asserts what it expects.

use super::bits::Bits;

/// An item of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Enter(u64),
    End,
    Record(u64, Vec<u64>),
}

#[derive(Clone, Copy)]
enum Code {
    Literal(u64),
    Fixed(u64),
    Variable(u64),
    Array,
    Letter,
    Blob,
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The items of a stream, without BLOCKINFO and definitions of abbreviations.
pub(crate) fn decode(bytes: &[u8]) -> Vec<Item> {
    let mut decoder = Decoder { bytes, at: 32 };
    let (mut items, mut info): (Vec<Item>, Vec<(u64, Vec<Code>)>) = (Vec::new(), Vec::new());
    // Block, width of ids, abbreviations, and in BLOCKINFO the block that they are for.
    let mut scopes: Vec<(u64, u64, Vec<Vec<Code>>, u64)> = vec![(u64::MAX, 2, Vec::new(), 0)];
    loop {
        let (block, width) = (scopes[scopes.len() - 1].0, scopes[scopes.len() - 1].1);
        match decoder.fixed(width) {
            0 => {
                decoder.align();
                scopes.pop();
                if block != 0 {
                    items.push(Item::End);
                }
                if scopes.len() == 1 {
                    return items;
                }
            }
            1 => {
                let (inner, width) = (decoder.variable(8), decoder.variable(4));
                decoder.align();
                decoder.fixed(32);
                let known = info.iter().filter(|(of, _)| *of == inner).map(|(_, codes)| codes.clone()).collect();
                scopes.push((inner, width, known, 0));
                if inner != 0 {
                    items.push(Item::Enter(inner));
                }
            }
            2 => {
                let codes = decoder.abbreviation();
                let scope = scopes.last_mut().expect("a block is open");
                match block {
                    0 => info.push((scope.3, codes)),
                    _ => scope.2.push(codes),
                }
            }
            3 => {
                let (code, count) = (decoder.variable(6), decoder.variable(6));
                let operands: Vec<u64> = (0..count).map(|_| decoder.variable(6)).collect();
                match block {
                    0 if code == 1 => scopes.last_mut().expect("a block is open").3 = operands[0],
                    0 => {}
                    _ => items.push(Item::Record(code, operands)),
                }
            }
            id => {
                let codes = scopes[scopes.len() - 1].2[id as usize - 4].clone();
                let mut operands = decoder.abbreviated(&codes);
                items.push(Item::Record(operands.remove(0), operands));
            }
        }
    }
}

impl Decoder<'_> {
    fn fixed(&mut self, width: u64) -> u64 {
        let bit = |at: usize| u64::from(self.bytes[at / 8] >> (at % 8) & 1);
        let value = (0..width).map(|index| bit(self.at + index as usize) << index).sum();
        self.at += width as usize;
        value
    }

    fn variable(&mut self, width: u64) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let group = self.fixed(width);
            value |= (group & ((1 << (width - 1)) - 1)) << shift;
            if group >> (width - 1) == 0 {
                return value;
            }
            shift += width - 1;
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    fn abbreviation(&mut self) -> Vec<Code> {
        let count = self.variable(5);
        let code = |decoder: &mut Decoder<'_>| {
            if decoder.fixed(1) == 1 {
                return Code::Literal(decoder.variable(8));
            }
            match decoder.fixed(3) {
                1 => Code::Fixed(decoder.variable(5)),
                2 => Code::Variable(decoder.variable(5)),
                3 => Code::Array,
                4 => Code::Letter,
                5 => Code::Blob,
                other => panic!("encoding {other}"),
            }
        };
        (0..count).map(|_| code(self)).collect()
    }

    fn abbreviated(&mut self, codes: &[Code]) -> Vec<u64> {
        let mut operands = Vec::new();
        for (index, &code) in codes.iter().enumerate() {
            match code {
                Code::Array => {
                    let count = self.variable(6);
                    operands.extend((0..count).map(|_| self.scalar(codes[index + 1])));
                    return operands;
                }
                Code::Blob => {
                    let count = self.variable(6);
                    self.align();
                    operands.extend((0..count).map(|_| self.fixed(8)));
                    self.align();
                }
                code => operands.push(self.scalar(code)),
            }
        }
        operands
    }

    fn scalar(&mut self, code: Code) -> u64 {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
        match code {
            Code::Literal(value) => value,
            Code::Fixed(0) | Code::Variable(0) => 0,
            Code::Fixed(width) => self.fixed(width),
            Code::Variable(width) => self.variable(width),
            Code::Letter => u64::from(LETTERS[self.fixed(6) as usize]),
            Code::Array | Code::Blob => panic!("a list in a list"),
        }
    }
}

/// The same items without abbreviations.
pub(crate) fn encode(items: &[Item]) -> Vec<u8> {
    let mut bits = Bits::new();
    let mut depth = 0;
    for item in items {
        match item {
            Item::Enter(block) => {
                depth += 1;
                bits.enter(*block, 3);
            }
            Item::End if depth > 0 => {
                depth -= 1;
                bits.end();
            }
            Item::End => {}
            // A record outside of all blocks is none.
            Item::Record(..) if depth == 0 => {}
            Item::Record(code, operands) => _ = bits.record(*code, operands),
        }
    }
    (0..depth).for_each(|_| _ = bits.end());
    bits.finish()
}
