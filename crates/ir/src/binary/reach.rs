//! A part of a file: some globals and all that they reach.
//!
//! A worklist: the record of each global that is reached, and its body, is read once for what it refers to, as operand, as type, in
//! decorations and in locations. Then the part is built from the same bytes. The time is linear in the part, except that a global is found by
//! reading its group. The tables by global are zeros from the system, of which only the pages that are used exist.

use reconverge_diagnostic::Diagnostic;

use super::archive::Archive;
use super::bytes::Bytes;
use super::decode::{Decoder, Pass, Progress};
use super::error::{ErrorCode, Fault, fault};
use super::named::Named;
use super::{GROUP, reader};
use crate::{Inst, Module, Op};

/// The position of a global in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    /// The first byte of its record.
    pub(super) start: u32,
    /// The number of its body, if it is a container.
    pub(super) body: Option<u32>,
}

/// The places of globals that were looked for, and of those beside them.
#[derive(Debug)]
pub(super) struct Positions {
    /// By global: the first byte; 0 if it is not known.
    starts: Vec<u32>,
    /// By global: the number of its body and one more; 0 if it has none.
    bodies: Vec<u32>,
}

impl Positions {
    pub(super) fn new(archive: &Archive<'_>) -> Positions {
        Positions { starts: vec![0; archive.count as usize], bodies: vec![0; archive.count as usize] }
    }

    /// The position of a global, which must be one of the file.
    pub(super) fn locate(&mut self, archive: &Archive<'_>, global: u32) -> Result<Located, Fault> {
        if self.starts[global as usize] == 0 {
            self.read_group(archive, global / GROUP)?;
        }
        let (start, body) = (self.starts[global as usize], self.bodies[global as usize]);
        Ok(Located { start, body: body.checked_sub(1) })
    }

    fn read_group(&mut self, archive: &Archive<'_>, group: u32) -> Result<(), Fault> {
        let (here, next) = (archive.groups[group as usize], archive.groups[group as usize + 1]);
        let bytes = Bytes::new(archive.file, here.start as usize..next.start as usize);
        let mut decoder = Decoder::new(bytes, &archive.shapes, archive.count);
        let mut body = here.body;
        for global in group * GROUP..archive.count.min((group + 1) * GROUP) {
            let start = decoder.bytes.offset();
            let record = decoder.record(&mut Progress::before(0), &mut Pass)?;
            let record = record.ok_or_else(|| reader::no_record(start))?;
            if record.traits.is_container {
                body += 1;
                self.bodies[global as usize] = body;
            }
            self.starts[global as usize] = start as u32;
        }
        reader::check_group_start(&decoder.bytes, body, next)
    }
}

/// The globals of a file that are wanted, and what they reach.
#[derive(Debug)]
pub struct Reach<'a, 'b> {
    archive: &'a Archive<'b>,
    positions: Positions,
    /// By global: whether it is reached.
    reached: Vec<bool>,
    /// In the order in which they were reached.
    order: Vec<u32>,
}

/// A part of a file as a module.
#[derive(Debug)]
pub struct Part {
    /// The module: the globals of the part in the order of the file, without given numbers.
    pub module: Module,
    globals: Vec<(u32, Inst)>,
}

impl Part {
    /// The instruction that a global of the file is in the module, if the part has it.
    pub fn inst(&self, global: u32) -> Option<Inst> {
        let place = self.globals.binary_search_by_key(&global, |&(number, _)| number).ok()?;
        Some(self.globals[place].1)
    }
}

impl<'b> Archive<'b> {
    /// A part of the file, empty so far. Include what is wanted; look whether imports are reached, and where they are defined; then read.
    pub fn reach(&self) -> Reach<'_, 'b> {
        let reached = vec![false; self.count as usize];
        Reach { archive: self, positions: Positions::new(self), reached, order: Vec::new() }
    }

    /// The op of a global.
    ///
    /// # Errors
    /// If the file has no such global, or it cannot be read.
    pub fn op(&self, global: u32) -> Result<Op, Diagnostic> {
        self.check_global(global)?;
        let start = Positions::new(self).locate(self, global)?.start as usize;
        let mut decoder = Decoder::new(Bytes::new(self.file, start..self.file.len()), &self.shapes, self.count);
        let record = decoder.record(&mut Progress::before(0), &mut Pass)?;
        Ok(record.ok_or_else(|| reader::no_record(start))?.op)
    }

    pub(super) fn check_global(&self, global: u32) -> Result<(), Fault> {
        match global < self.count {
            true => Ok(()),
            false => {
                let message = format!("expected a global below {}, found {global}", self.count);
                Err(fault(0, ErrorCode::Reference, message))
            }
        }
    }
}

impl Reach<'_, '_> {
    /// Adds a global and all that it reaches; returns those that were not reached before, each after one that refers to it.
    ///
    /// Linear in the bytes of these.
    ///
    /// # Errors
    /// If the file has no such global, or what is reached cannot be read.
    pub fn include(&mut self, global: u32) -> Result<&[u32], Diagnostic> {
        self.archive.check_global(global)?;
        let before = self.order.len();
        self.note(global);
        let mut next = before;
        let mut named = Named::default();
        while let Some(&global) = self.order.get(next) {
            next += 1;
            self.scan(global, &mut named)?;
            for global in named.drain() {
                self.note(global);
            }
        }
        Ok(&self.order[before..])
    }

    fn note(&mut self, global: u32) {
        if !std::mem::replace(&mut self.reached[global as usize], true) {
            self.order.push(global);
        }
    }

    /// Notes what a global and its body refer to.
    fn scan(&mut self, global: u32, named: &mut Named) -> Result<(), Fault> {
        let (archive, place) = (self.archive, self.positions.locate(self.archive, global)?);
        let bytes = Bytes::new(archive.file, place.start as usize..archive.file.len());
        let mut decoder = Decoder::new(bytes, &archive.shapes, archive.count);
        decoder.record(&mut Progress::before(0), named)?;
        if let Some(body) = place.body {
            let (bytes, results) = archive.body(body);
            let mut progress = Progress::before(results);
            decoder.bytes = bytes;
            while !decoder.bytes.is_at_end() {
                let record = decoder.record(&mut progress, named)?;
                progress.next += u32::from(record.is_some_and(|record| record.traits.has_result));
            }
        }
        Ok(())
    }

    /// Returns whether a global is reached.
    pub fn contains(&self, global: u32) -> bool {
        self.reached.get(global as usize) == Some(&true)
    }

    /// The globals that are reached, in the order of the file.
    pub fn globals(&self) -> Vec<u32> {
        let mut globals = self.order.clone();
        globals.sort_unstable();
        globals
    }

    /// Builds the module of all that is reached. Linear in its bytes, and n log n in its globals.
    ///
    /// # Errors
    /// A body cannot be read.
    pub fn read(mut self) -> Result<Part, Diagnostic> {
        let globals = self.globals();
        let mut located = Vec::with_capacity(globals.len());
        for &global in &globals {
            located.push((global, self.positions.locate(self.archive, global)?));
        }
        let (module, insts) = reader::read_part(self.archive, self.positions, &located)?;
        Ok(Part { module, globals: globals.into_iter().zip(insts).collect() })
    }
}
