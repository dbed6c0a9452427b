//! The numbers that instructions keep, as runs.
//!
//! ```text
//! results   %12 %13 %14 %20 –   –   %21         runs   (+12, 3) (+5, 1) (none, 2) (+0, 1)
//! ```
//!
//! A run is one number: its length less one, and below that four bits for the step from the number that would follow, folded; 14 is a run
//! without numbers, and 15 says that the step follows. Most instructions of a module continue a run, and take no space.

use super::bytes::{self, Bytes};
use super::error::{ErrorCode, Fault, fault};
use super::reader::fill;

/// A run without numbers.
const NONE: u32 = 14;
/// The step is a number of its own.
const WIDE: u32 = 15;
/// The greatest length of a run.
const LONGEST: u32 = 1 << 28;

/// The maximum difference between reserved numbers and results. The records of reserved numbers take memory whether they are used or not:
/// this number takes 14 MiB.
const SPARE: usize = 1 << 19;

/// Returns whether a file with this number of results may reserve this number of numbers.
pub(super) fn is_within_limit(bound: u32, results: usize) -> bool {
    bound as usize <= SPARE + 16 * results
}

/// Writes runs.
#[derive(Debug, Default)]
pub(super) struct RunWriter {
    out: Vec<u8>,
    /// The number after the last one.
    expected: u32,
    /// The start of the open run, `None` for one without numbers, and its length.
    open: Option<(Option<u32>, u32)>,
}

impl RunWriter {
    /// The runs of so many numbers below a bound.
    pub(super) fn new(bound: u32) -> RunWriter {
        let mut writer = RunWriter::default();
        bytes::push(&mut writer.out, bound);
        writer
    }

    /// The number of the next result.
    pub(super) fn push(&mut self, number: Option<u32>) {
        match &mut self.open {
            Some((Some(start), length)) if number == Some(*start + *length) && *length < LONGEST => *length += 1,
            Some((None, length)) if number.is_none() && *length < LONGEST => *length += 1,
            _ => {
                self.close();
                self.open = Some((number, 1));
            }
        }
    }

    fn close(&mut self) {
        let Some((start, length)) = self.open.take() else { return };
        let step = start.map_or(NONE, |start| bytes::fold(self.expected, start));
        let is_wide = start.is_some() && step >= NONE;
        bytes::push(&mut self.out, (length - 1) << 4 | if is_wide { WIDE } else { step });
        if is_wide {
            bytes::push(&mut self.out, step);
        }
        self.expected = start.map_or(self.expected, |start| start + length);
    }

    /// The section.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.close();
        self.out
    }
}

/// Reads runs.
#[derive(Debug)]
pub(super) struct RunReader<'b> {
    bytes: Bytes<'b>,
    bound: u32,
    expected: u32,
    has_number: bool,
    left: u32,
}

impl<'b> RunReader<'b> {
    /// The runs of a section; one that the file does not have reserves nothing.
    pub(super) fn new(mut bytes: Bytes<'b>) -> Result<RunReader<'b>, Fault> {
        let bound = if bytes.is_at_end() { 0 } else { bytes.number()? };
        Ok(RunReader { bytes, bound, expected: 0, has_number: false, left: 0 })
    }

    /// The number of numbers that are reserved.
    pub(super) fn bound(&self) -> u32 {
        self.bound
    }

    pub(super) fn offset(&self) -> usize {
        self.bytes.offset()
    }

    /// Gives results their numbers as handles, and those without a number the next free handles. Whether two have one number is seen when
    /// they are created.
    pub(super) fn fill(&mut self, handles: &mut [u32], free: &mut u32) -> Result<(), Fault> {
        if self.bound == 0 {
            fill(handles, free);
            return Ok(());
        }
        let mut rest = handles;
        while !rest.is_empty() {
            if self.left == 0 {
                self.run()?;
            }
            let count = rest.len().min(self.left as usize);
            let (run, others) = rest.split_at_mut(count);
            self.left -= count as u32;
            match self.has_number {
                true => self.number(run)?,
                false => fill(run, free),
            }
            rest = others;
        }
        Ok(())
    }

    /// Gives a part of a run its numbers.
    fn number(&mut self, run: &mut [u32]) -> Result<(), Fault> {
        let (first, count) = (self.expected, run.len() as u32);
        if first >= self.bound || count > self.bound - first {
            let message = format!("expected numbers below {}, found a run from {first}", self.bound);
            return Err(fault(self.bytes.offset(), ErrorCode::Number, message));
        }
        fill(run, &mut self.expected);
        Ok(())
    }

    fn run(&mut self) -> Result<(), Fault> {
        let run = self.bytes.number()?;
        self.left = (run >> 4) + 1;
        let step = match run & 15 {
            NONE => {
                self.has_number = false;
                return Ok(());
            }
            WIDE => self.bytes.number()?,
            step => step,
        };
        self.has_number = true;
        self.expected = bytes::unfold(self.expected, step);
        Ok(())
    }

    /// All runs must be used up.
    pub(super) fn expect_end(&self) -> Result<(), Fault> {
        self.bytes.expect_end("the numbers")?;
        match self.left {
            0 => Ok(()),
            left => {
                let message = format!("expected as many numbers as there are results, found {left} more");
                Err(fault(self.bytes.offset(), ErrorCode::Number, message))
            }
        }
    }
}
