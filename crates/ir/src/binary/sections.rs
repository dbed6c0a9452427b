//! The head of a file, and its sections.
//!
//! ```text
//! file      magic, version, oldest version, version of the op table, name of the writer, number of sections, sections
//! section   kind, length in bytes, contents                      in the order of kinds, each at most once; known ones are not empty
//! ```
//!
//! A section of a kind that the reader does not know is kept and written again: the order of kinds says where.

use std::ops::Range;

use super::bytes::{self, Bytes};
use super::error::{ErrorCode, Fault, fault};
use super::op_ids::OP_TABLE_VERSION;

/// The first bytes of a file. The first is not ASCII and not the start of a character in UTF-8, so that no text begins so.
pub const MAGIC: [u8; 4] = *b"\x89RCV";

/// The versions of the format that this build reads. It writes the last one.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=1;

/// The name that this build writes into files.
pub(super) const WRITER: &str = concat!("reconverge ", env!("CARGO_PKG_VERSION"));

/// The greatest length of a file: 1 GiB, so that every offset and every count of instructions has room in 32 bits.
pub(super) const GREATEST_LENGTH: usize = 1 << 30;

/// The kinds of sections. The numbers are part of the format.
pub(super) mod kind {
    pub(in crate::binary) const SHAPES: u32 = 1;
    pub(in crate::binary) const GLOBALS: u32 = 2;
    pub(in crate::binary) const LINKAGE: u32 = 3;
    pub(in crate::binary) const BODIES: u32 = 4;
    pub(in crate::binary) const NUMBERS: u32 = 5;
    /// The greatest that this build knows.
    pub(in crate::binary) const LAST: u32 = NUMBERS;
}

/// A section that the reader does not know, kept as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSection {
    /// Its number.
    pub kind: u32,
    /// Its contents.
    pub bytes: Box<[u8]>,
}

/// The header of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header<'b> {
    /// The version of the format.
    pub version: u32,
    /// The oldest version whose readers read the file.
    pub oldest: u32,
    /// The version of the op table of the writer.
    pub op_table: u32,
    /// The program that wrote the file.
    pub writer: &'b str,
}

/// Appends the head of a file.
pub(super) fn write_header(out: &mut Vec<u8>) {
    out.extend(MAGIC);
    bytes::push(out, *VERSIONS.end());
    bytes::push(out, *VERSIONS.end());
    bytes::push(out, OP_TABLE_VERSION);
    bytes::push_text(out, WRITER.as_bytes());
}

/// Appends the sections. Their kinds must ascend.
pub(super) fn write_sections(out: &mut Vec<u8>, sections: &[(u32, &[u8])]) {
    bytes::push(out, sections.len() as u32);
    for (kind, contents) in sections {
        bytes::push(out, *kind);
        bytes::push(out, contents.len() as u32);
        out.extend_from_slice(contents);
    }
}

/// Reads the head of a file; the cursor is then at the first section.
pub(super) fn read_header<'b>(file: &'b [u8]) -> Result<(Header<'b>, Bytes<'b>), Fault> {
    if !file.starts_with(&MAGIC) {
        return Err(fault(0, ErrorCode::Magic, "expected a file that begins with 89 52 43 56"));
    }
    if file.len() > GREATEST_LENGTH {
        return Err(fault(0, ErrorCode::Limit, "expected a file of at most 1 GiB"));
    }
    let mut bytes = Bytes::new(file, MAGIC.len()..file.len());
    let (version, oldest, op_table) = (bytes.number()?, bytes.number()?, bytes.number()?);
    let offset = bytes.offset();
    let writer = std::str::from_utf8(bytes.text()?);
    let writer = writer.map_err(|_| fault(offset, ErrorCode::Encoding, "expected the writer's name in UTF-8"))?;
    if oldest > version || version < *VERSIONS.start() || oldest > *VERSIONS.end() {
        let (first, last) = VERSIONS.into_inner();
        let message = format!(
            "expected a version of the format from {first} to {last}, found {oldest} to {version}, written by {writer:?}"
        );
        return Err(fault(MAGIC.len(), ErrorCode::Version, message));
    }
    Ok((Header { version, oldest, op_table, writer }, bytes))
}

/// The positions of the sections: the known ones by kind, then the others.
#[derive(Debug)]
pub(super) struct Sections {
    known: [Range<usize>; kind::LAST as usize + 1],
    pub(super) unknown: Vec<(u32, Range<usize>)>,
}

impl Sections {
    /// Reads the heads of the sections.
    pub(super) fn read(mut bytes: Bytes<'_>) -> Result<Sections, Fault> {
        let mut sections = Sections { known: std::array::from_fn(|_| 0..0), unknown: Vec::new() };
        let mut last = 0;
        for _ in 0..bytes.count("sections")? {
            let offset = bytes.offset();
            let kind = bytes.number()?;
            if kind <= last {
                let message = format!("expected a section of a kind above {last}, found {kind}");
                return Err(fault(offset, ErrorCode::Section, message));
            }
            last = kind;
            let length = bytes.count("bytes of a section")?;
            let part = bytes.offset()..bytes.offset() + length as usize;
            bytes.take(length)?;
            match sections.known.get_mut(kind as usize) {
                Some(known) => *known = part,
                None => sections.unknown.push((kind, part)),
            }
        }
        bytes.expect_end("the file")?;
        Ok(sections)
    }

    /// The contents of a known section; empty if the file does not have it.
    pub(super) fn get<'b>(&self, file: &'b [u8], kind: u32) -> Bytes<'b> {
        Bytes::new(file, self.known[kind as usize].clone())
    }
}
