//! A file of which only the tables were read.
//!
//! Opening reads the head, the shapes, the table of exports and imports, and where the bodies are; it reads neither globals nor bodies.
//! Globals are in groups of [`GROUP`], whose lengths are known, so that one is found by reading less than a group.

use std::ops::Range;

use reconverge_diagnostic::Diagnostic;

use super::bytes::Bytes;
use super::decode::{Decoder, Pass, Progress};
use super::error::{ErrorCode, Fault, fault};
use super::linkage::{self, Symbol};
use super::sections::{Header, Sections, kind, read_header};
use super::shape::Shapes;
use super::{GROUP, UnknownSection};

/// A file in the binary form whose tables were read, and whose globals and bodies are read on demand.
///
/// A global is an instruction at module level: it has a number in the file, from 0 on. See [`Archive::reach`] for reading a part.
///
/// ```
/// use reconverge_ir::{binary, text};
///
/// let module = text::parse("%u32 = type_int 32, 0\n%used: %u32 = constant 7\n%unused: %u32 = constant 8\n")?;
/// let bytes = binary::write(&module);
/// let archive = binary::Archive::open(&bytes)?;
/// let mut reach = archive.reach();
/// reach.include(1)?;
/// assert_eq!(reach.globals(), [0, 1]);
/// let part = reach.read()?;
/// assert_eq!(text::print(&part.module), "%u32 = type_int 32, 0\n%used: %u32 = constant 7\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Archive<'b> {
    pub(super) file: &'b [u8],
    header: Header<'b>,
    pub(super) shapes: Shapes,
    symbols: Vec<Symbol<'b>>,
    /// The number of globals.
    pub(super) count: u32,
    /// Lengths of runs of globals, in turn with and without a result.
    pub(super) runs: Vec<u32>,
    /// The record of the module itself.
    pub(super) module_record: Range<usize>,
    pub(super) groups: Vec<Group>,
    /// By number, with one more, at the end of all.
    pub(super) bodies: Vec<Body>,
    sections: Sections,
}

/// The start of a group of globals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The first byte.
    pub(super) start: u32,
    /// The number of the first body.
    pub(super) body: u32,
}

/// The start of the body of a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// The first byte.
    pub(super) start: u32,
    /// The number of results in the bodies before.
    pub(super) first_result: u32,
}

impl<'b> Archive<'b> {
    /// Reads the tables of a file. Linear in them.
    ///
    /// # Errors
    /// The first error, with its place. Errors in globals and bodies are found when these are read.
    pub fn open(file: &'b [u8]) -> Result<Archive<'b>, Diagnostic> {
        let (header, rest) = read_header(file)?;
        let sections = Sections::read(rest)?;
        let shapes = Shapes::read(sections.get(file, kind::SHAPES), header.op_table)?;
        let bodies = read_bodies(sections.get(file, kind::BODIES))?;
        let mut archive = Archive {
            file,
            header,
            shapes,
            symbols: Vec::new(),
            count: 0,
            runs: Vec::new(),
            module_record: 0..0,
            groups: Vec::new(),
            bodies,
            sections,
        };
        archive.read_globals()?;
        archive.symbols = linkage::read(archive.sections.get(file, kind::LINKAGE), archive.count)?;
        Ok(archive)
    }

    fn read_globals(&mut self) -> Result<(), Fault> {
        let mut bytes = self.sections.get(self.file, kind::GLOBALS);
        if bytes.is_at_end() {
            return self.check_bodies(0, bytes.offset());
        }
        self.count = bytes.count("globals")?;
        let mut left = self.count;
        while left > 0 {
            let offset = bytes.offset();
            let run = bytes.number()?;
            if run > left || run == 0 && !self.runs.is_empty() {
                let message = format!("expected a run of 1 to {left} globals, found {run}");
                return Err(fault(offset, ErrorCode::Length, message));
            }
            left -= run;
            self.runs.push(run);
        }
        let start = bytes.offset();
        let mut decoder = Decoder::new(bytes, &self.shapes, self.count);
        decoder.record(&mut Progress::before(0), &mut Pass)?;
        let (start_of_groups, left) = (decoder.bytes.offset(), decoder.bytes.left());
        self.module_record = start..start_of_groups;
        self.read_groups(Bytes::new(self.file, start_of_groups..start_of_groups + left))
    }

    fn read_groups(&mut self, mut bytes: Bytes<'b>) -> Result<(), Fault> {
        let count = self.count.div_ceil(GROUP) as usize;
        let table = bytes.offset();
        self.groups.reserve(count + 1);
        let (mut length, mut body) = (0u32, 0u32);
        for _ in 0..count {
            self.groups.push(Group { start: length, body });
            let (bytes_here, bodies_here) = (bytes.number()?, bytes.number()?);
            length = length.saturating_add(bytes_here);
            body = body.saturating_add(bodies_here);
        }
        self.groups.push(Group { start: length, body });
        if length as usize != bytes.left() {
            let message = format!("expected globals of {} bytes, found {length}", bytes.left());
            return Err(fault(table, ErrorCode::Length, message));
        }
        let start = bytes.offset() as u32;
        self.groups.iter_mut().for_each(|group| group.start += start);
        self.check_bodies(body, table)
    }

    fn check_bodies(&self, expected: u32, offset: usize) -> Result<(), Fault> {
        match self.bodies.len() as u32 - 1 {
            count if count == expected => Ok(()),
            count => {
                let message = format!("expected {count} containers, one for each body, found {expected}");
                Err(fault(offset, ErrorCode::Nesting, message))
            }
        }
    }

    /// The header of the file.
    pub fn header(&self) -> Header<'b> {
        self.header
    }

    /// The exports and imports, in the order of their globals.
    pub fn symbols(&self) -> &[Symbol<'b>] {
        &self.symbols
    }

    /// The number of globals that the file has.
    pub fn global_count(&self) -> u32 {
        self.count
    }

    /// The globals without a result, in order: capabilities, the memory model, entry points and what else describes the module. Nothing
    /// refers to these, so a part has only those that are requested.
    pub fn module_instructions(&self) -> impl Iterator<Item = u32> + '_ {
        let mut first = 0;
        let runs = self.runs.iter().enumerate().map(move |(index, &length)| {
            first += length;
            (index, first - length..first)
        });
        runs.filter(|(index, _)| index % 2 == 1).flat_map(|(_, run)| run)
    }

    /// The sections that this reader does not know.
    pub fn unknown_sections(&self) -> impl Iterator<Item = UnknownSection> + '_ {
        let sections = self.sections.unknown.iter();
        sections.map(|(kind, part)| UnknownSection { kind: *kind, bytes: self.file[part.clone()].into() })
    }

    /// The offset of the table of exports and imports.
    pub(super) fn linkage_offset(&self) -> usize {
        self.sections.get(self.file, kind::LINKAGE).offset()
    }

    pub(super) fn numbers(&self) -> Bytes<'b> {
        self.sections.get(self.file, kind::NUMBERS)
    }

    /// The bytes of all globals.
    pub(super) fn global_bytes(&self) -> Bytes<'b> {
        match (self.groups.first(), self.groups.last()) {
            (Some(first), Some(last)) => Bytes::new(self.file, first.start as usize..last.start as usize),
            _ => Bytes::new(self.file, 0..0),
        }
    }

    /// The bytes of a body, and how many results it has.
    pub(super) fn body(&self, number: u32) -> (Bytes<'b>, u32) {
        let (body, next) = (self.bodies[number as usize], self.bodies[number as usize + 1]);
        (Bytes::new(self.file, body.start as usize..next.start as usize), next.first_result - body.first_result)
    }

    /// The number of results in all bodies.
    pub(super) fn result_count(&self) -> u32 {
        self.bodies.last().map_or(0, |end| end.first_result)
    }
}

/// The bodies, with one more, at the end of all.
fn read_bodies(mut bytes: Bytes<'_>) -> Result<Vec<Body>, Fault> {
    let table = bytes.offset();
    let count = if bytes.is_at_end() { 0 } else { bytes.count("bodies")? };
    // A row takes two bytes.
    let mut bodies = Vec::with_capacity(count.min(bytes.left() as u32 / 2) as usize + 1);
    let (mut length, mut first_result) = (0u32, 0u32);
    for _ in 0..count {
        bodies.push(Body { start: length, first_result });
        let offset = bytes.offset();
        let (bytes_here, results_here) = (bytes.number()?, bytes.number()?);
        if results_here > bytes_here {
            let message = format!("expected at most {bytes_here} results, one a byte, found {results_here}");
            return Err(fault(offset, ErrorCode::Length, message));
        }
        length = length.saturating_add(bytes_here);
        first_result = first_result.saturating_add(results_here);
    }
    bodies.push(Body { start: length, first_result });
    if length as usize != bytes.left() {
        let message = format!("expected bodies of {} bytes, found {length}", bytes.left());
        return Err(fault(table, ErrorCode::Length, message));
    }
    let start = bytes.offset() as u32;
    bodies.iter_mut().for_each(|body| body.start += start);
    Ok(bodies)
}
