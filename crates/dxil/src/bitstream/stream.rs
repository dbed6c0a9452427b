//! A stream as a sequence of events: a block begins or ends, or there is a record.

use std::collections::BTreeMap;
use std::rc::Rc;

use reconverge_diagnostic::Diagnostic;

use super::abbreviation::{Abbreviation, MAX_ABBREVIATIONS, Tail};
use super::cursor::Cursor;
use crate::error::{Code, at_bit};

/// The most blocks that are open at once; DXIL nests three.
pub(crate) const MAX_DEPTH: usize = 16;

/// The width of abbreviation ids outside of all blocks.
const OUTER_WIDTH: u32 = 2;

/// The widest abbreviation ids.
const MAX_WIDTH: u32 = 32;

/// The block that defines abbreviations for others.
const BLOCKINFO: u32 = 0;

/// The code of BLOCKINFO's record that names the block whose abbreviations follow.
const SETBID: u32 = 1;

/// A record: a code and operands. One buffer serves all records of a reader.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) code: u32,
    pub(crate) operands: Vec<u64>,
    /// The bit of the input at which the record begins.
    pub(crate) offset: u64,
}

/// The next element of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A block of this kind begins.
    Enter(u32),
    /// The innermost block ends.
    End,
    /// A record was read.
    Record,
}

/// A block that is open.
struct Scope {
    block: u32,
    width: u32,
    abbreviations: Vec<Rc<Abbreviation>>,
    /// The end of the enclosing block.
    outer_end: u64,
    /// In BLOCKINFO: the block whose abbreviations are being defined.
    described: Option<u32>,
}

/// The events of a stream.
pub(crate) struct Stream<'a> {
    cursor: Cursor<'a>,
    scopes: Vec<Scope>,
    /// The abbreviations that BLOCKINFO gave each kind of block.
    described: BTreeMap<u32, Vec<Rc<Abbreviation>>>,
    /// The number of operands that may still be read.
    budget: u64,
}

impl<'a> Stream<'a> {
    /// A stream of these bytes, which begin with the magic number at this byte of the input.
    pub(crate) fn new(bytes: &'a [u8], first: usize) -> Result<Stream<'a>, Diagnostic> {
        let mut cursor = Cursor::new(bytes, first);
        cursor.fixed(32)?;
        let budget = cursor.left();
        Ok(Stream { cursor, scopes: Vec::new(), described: BTreeMap::new(), budget })
    }

    /// The position, as a bit of the input.
    pub(crate) fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// The bits that are left in the innermost block.
    pub(crate) fn left(&self) -> u64 {
        self.cursor.left()
    }

    /// Returns whether everything was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.cursor.left() == 0
    }

    /// Reads up to the next event. Definitions of abbreviations, and BLOCKINFO, are none.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<Event, Diagnostic> {
        loop {
            let start = self.cursor.offset();
            let width = self.scopes.last().map_or(OUTER_WIDTH, |scope| scope.width);
            match self.cursor.fixed(width)? {
                0 => {
                    if self.leave(start)? != BLOCKINFO {
                        return Ok(Event::End);
                    }
                }
                1 => match self.enter()? {
                    BLOCKINFO => {}
                    _ if self.is_in_block_info(1) => self.skip(),
                    block => return Ok(Event::Enter(block)),
                },
                2 => self.define(start)?,
                id => {
                    record.offset = start;
                    self.read_record(id, record)?;
                    if !self.is_in_block_info(0) {
                        return Ok(Event::Record);
                    }
                    self.describe(record)?;
                }
            }
        }
    }

    /// Leaves the block that was just entered, without reading it.
    pub(crate) fn skip(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.cursor.seek(self.cursor.end());
            self.cursor.set_end(scope.outer_end);
        }
    }

    /// Returns whether the block that many levels out of the innermost one is BLOCKINFO.
    fn is_in_block_info(&self, level: usize) -> bool {
        self.scopes.iter().rev().nth(level).is_some_and(|scope| scope.block == BLOCKINFO)
    }

    fn enter(&mut self) -> Result<u32, Diagnostic> {
        let start = self.cursor.offset();
        let (block, width) = (self.cursor.small(8)?, self.cursor.small(4)?);
        self.cursor.align()?;
        let bits = 32 * self.cursor.fixed(32)?;
        if !(2..=MAX_WIDTH).contains(&width) {
            let message = format!("expected abbreviation ids of 2 to {MAX_WIDTH} bits in a block, found {width}");
            return Err(at_bit(Code::Bitstream, start, message));
        }
        if bits > self.cursor.left() {
            let message = format!("expected a block of at most {} bits, found {bits}", self.cursor.left());
            return Err(at_bit(Code::Truncated, start, message));
        }
        if self.scopes.len() == MAX_DEPTH {
            let message = format!("expected at most {MAX_DEPTH} blocks inside of each other");
            return Err(at_bit(Code::Limit, start, message));
        }
        let abbreviations = self.described.get(&block).cloned().unwrap_or_default();
        self.scopes.push(Scope { block, width, abbreviations, outer_end: self.cursor.end(), described: None });
        self.cursor.set_end(self.cursor.position() + bits);
        Ok(block)
    }

    /// Reads the end of a block, after its abbreviation id; returns which block ended.
    fn leave(&mut self, start: u64) -> Result<u32, Diagnostic> {
        self.cursor.align()?;
        if self.cursor.left() != 0 {
            let message = format!("expected the end of the block after another {} bits", self.cursor.left());
            return Err(at_bit(Code::Bitstream, start, message));
        }
        match self.scopes.pop() {
            Some(scope) => {
                self.cursor.set_end(scope.outer_end);
                Ok(scope.block)
            }
            None => Err(at_bit(Code::Bitstream, start, "expected a block, found the end of one")),
        }
    }

    fn define(&mut self, start: u64) -> Result<(), Diagnostic> {
        let abbreviation = Rc::new(Abbreviation::read(&mut self.cursor)?);
        let Some(scope) = self.scopes.last_mut() else {
            return Err(at_bit(Code::Bitstream, start, "expected a block, found an abbreviation"));
        };
        let list = match (scope.block, scope.described) {
            (BLOCKINFO, None) => {
                let message = "expected an abbreviation after the record that names its block";
                return Err(at_bit(Code::Bitstream, start, message));
            }
            (BLOCKINFO, Some(block)) => self.described.entry(block).or_default(),
            _ => &mut scope.abbreviations,
        };
        if list.len() == MAX_ABBREVIATIONS {
            let message = format!("expected at most {MAX_ABBREVIATIONS} abbreviations in a block");
            return Err(at_bit(Code::Limit, start, message));
        }
        list.push(abbreviation);
        Ok(())
    }

    /// Takes a record of BLOCKINFO. Those with names are for people.
    fn describe(&mut self, record: &Record) -> Result<(), Diagnostic> {
        if let (SETBID, Some(scope)) = (record.code, self.scopes.last_mut()) {
            let block = record.operands.first().and_then(|&block| u32::try_from(block).ok());
            scope.described = block;
            if block.is_none() {
                return Err(at_bit(Code::Record, record.offset, "expected the number of a block"));
            }
        }
        Ok(())
    }

    fn read_record(&mut self, id: u64, record: &mut Record) -> Result<(), Diagnostic> {
        record.operands.clear();
        let (start, Some(scope)) = (record.offset, self.scopes.last()) else {
            return Err(at_bit(Code::Bitstream, record.offset, "expected a block, found a record"));
        };
        if id == 3 {
            return self.read_plain_record(record);
        }
        let Some(abbreviation) = scope.abbreviations.get((id - 4) as usize).cloned() else {
            let count = scope.abbreviations.len();
            let message = format!("expected one of {count} abbreviations, found the id {id}");
            return Err(at_bit(Code::Bitstream, start, message));
        };
        self.spend(abbreviation.scalars.len() as u64, start)?;
        let [code, scalars @ ..] = &abbreviation.scalars[..] else {
            return Err(at_bit(Code::Bitstream, start, "expected an abbreviation with the code of its records"));
        };
        record.code = code.read(&mut self.cursor)?.try_into().unwrap_or(u32::MAX);
        for scalar in scalars {
            let value = scalar.read(&mut self.cursor)?;
            record.operands.push(value);
        }
        match abbreviation.tail {
            None => Ok(()),
            Some(Tail::Array(element)) => {
                let count = self.length(element.least_bits())?;
                self.spend(count, start)?;
                record.operands.reserve(count as usize);
                for _ in 0..count {
                    record.operands.push(element.read(&mut self.cursor)?);
                }
                Ok(())
            }
            Some(Tail::Blob) => {
                let count = self.length(8)?;
                self.spend(count, start)?;
                self.cursor.align()?;
                record.operands.extend(self.cursor.bytes(count)?.iter().copied().map(u64::from));
                self.cursor.align()
            }
        }
    }

    fn read_plain_record(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        record.code = self.cursor.small(6)?;
        let count = self.length(6)?;
        self.spend(count + 1, record.offset)?;
        record.operands.reserve(count as usize);
        for _ in 0..count {
            record.operands.push(self.cursor.variable(6)?);
        }
        Ok(())
    }

    /// The length of something whose elements take at least that many bits.
    fn length(&mut self, least_bits: u64) -> Result<u64, Diagnostic> {
        let start = self.cursor.offset();
        let count = u64::from(self.cursor.small(6)?);
        let most = self.cursor.left() / least_bits.max(1);
        match count <= most {
            true => Ok(count),
            false => {
                let message =
                    format!("expected a length of at most {most}, which the block has room for, found {count}");
                Err(at_bit(Code::Truncated, start, message))
            }
        }
    }

    /// Counts operands.
    fn spend(&mut self, count: u64, start: u64) -> Result<(), Diagnostic> {
        match self.budget.checked_sub(count) {
            Some(budget) => self.budget = budget,
            None => {
                let message = "expected at most one operand for each bit of the stream: abbreviations give too many";
                return Err(at_bit(Code::Limit, start, message));
            }
        }
        Ok(())
    }
}
