//! The container around the bitcode.
//!
//! ```text
//! container   DXBC, hash (16 bytes), u16 major, u16 minor, u32 bytes, u32 number of parts, u32 offset of each part
//! part        name (4 bytes), u32 bytes, contents
//! DXIL, ILDB  u32 kind of shader << 16 | major << 4 | minor, u32 words, "DXIL", u32 version, u32 offset of the bitcode from here, u32 bytes
//! ```
//!
//! All numbers are little-endian. The part `ILDB` has the same program as `DXIL`, with debug information; it is preferred. The hash is not
//! checked: compilers leave it zero until a container is signed. Input may also be bitcode without a container.
//! Linear in the number of parts.

use std::ops::Range;

use reconverge_diagnostic::Diagnostic;

use crate::error::{Code, at_byte};

/// The first bytes of bitcode: `BC`, 0xC0DE.
const BITCODE: [u8; 4] = [b'B', b'C', 0xc0, 0xde];

/// The size of the header of a container, up to the offsets of its parts.
const HEADER: usize = 32;

/// The size of the header of a program, up to the bitcode if nothing is between.
const PROGRAM_HEADER: usize = 24;

/// A part of a container.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Four letters, such as `DXIL`.
    pub name: [u8; 4],
    /// The bytes of its contents in the input.
    pub contents: Range<usize>,
}

/// The header of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgramHeader {
    /// The number of the kind of shader; 0 is a pixel shader.
    pub kind: u16,
    /// The shader model.
    pub shader_model: (u8, u8),
    /// The version of DXIL: 0x100 is 1.0.
    pub dxil_version: u32,
}

/// A program in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// None for bitcode without a container.
    pub(crate) header: Option<ProgramHeader>,
    /// The bytes of the bitcode, from its magic number on.
    pub(crate) bitcode: Range<usize>,
}

/// Returns whether the bytes begin as a container, or as bitcode whose target is DXIL; other checks are left to [`read`](crate::read()).
///
/// Linear in the bytes.
pub fn is_dxil(bytes: &[u8]) -> bool {
    let is_for_dxil = || crate::read(bytes).is_ok_and(|module| module.triple.starts_with("dxil"));
    bytes.starts_with(b"DXBC") || bytes.starts_with(&BITCODE) && is_for_dxil()
}

/// The parts of a container, in order.
///
/// # Errors
/// Bytes that are no container, or a part that does not lie inside.
pub fn parts(bytes: &[u8]) -> Result<Vec<Part>, Diagnostic> {
    if !bytes.starts_with(b"DXBC") {
        return Err(at_byte(Code::Container, 0, "expected a container, which begins with `DXBC`"));
    }
    if bytes.len() < HEADER {
        let message = format!("expected a header of {HEADER} bytes, found {} bytes", bytes.len());
        return Err(at_byte(Code::Truncated, bytes.len(), message));
    }
    let size = word(bytes, 24)? as usize;
    if size > bytes.len() || size < HEADER {
        let message = format!("expected the size of the container, found {size} with {} bytes", bytes.len());
        return Err(at_byte(Code::Truncated, 24, message));
    }
    let container = &bytes[..size];
    let count = word(container, 28)? as usize;
    if count > (size - HEADER) / 4 {
        return Err(at_byte(Code::Part, 28, format!("expected the number of parts, found {count}")));
    }
    (0..count).map(|index| part(container, HEADER + 4 * index)).collect()
}

/// The part whose offset is at this byte.
fn part(container: &[u8], at: usize) -> Result<Part, Diagnostic> {
    let start = word(container, at)? as usize;
    let Some(header) = container.get(start..).and_then(|rest| rest.first_chunk::<8>()) else {
        return Err(at_byte(Code::Part, at, format!("expected the offset of a part, found {start}")));
    };
    let [a, b, c, d, size @ ..] = *header;
    let (contents, size) = (start + 8, u32::from_le_bytes(size) as usize);
    if size > container.len() - contents {
        return Err(at_byte(Code::Part, start + 4, format!("expected the size of a part, found {size}")));
    }
    Ok(Part { name: [a, b, c, d], contents: contents..contents + size })
}

/// Finds the bitcode.
pub(crate) fn program(bytes: &[u8]) -> Result<Program, Diagnostic> {
    if bytes.starts_with(&BITCODE) {
        return Ok(Program { header: None, bitcode: 0..bytes.len() });
    }
    if !bytes.starts_with(b"DXBC") {
        let message = "expected a DXIL container, which begins with `DXBC`, or bitcode, which begins with `BC` 0xC0DE";
        return Err(at_byte(Code::Container, 0, message));
    }
    let parts = parts(bytes)?;
    let find = |name: &[u8; 4]| parts.iter().find(|part| part.name == *name);
    if let Some(part) = find(b"ILDB").or_else(|| find(b"DXIL")) {
        return program_of_part(bytes, part);
    }
    match find(b"SHEX").or_else(|| find(b"SHDR")) {
        Some(part) => {
            let message =
                "expected a part `DXIL`; this is DXBC, of shader model 5 or older: compile for shader model 6";
            Err(at_byte(Code::Dxbc, part.contents.start - 8, message))
        }
        None => Err(at_byte(Code::NoProgram, 28, "expected a part `DXIL`; the container has no program")),
    }
}

fn program_of_part(bytes: &[u8], part: &Part) -> Result<Program, Diagnostic> {
    let (start, contents) = (part.contents.start, &bytes[part.contents.clone()]);
    if contents.len() < PROGRAM_HEADER {
        let message = format!("expected a header of {PROGRAM_HEADER} bytes, found {} bytes", contents.len());
        return Err(at_byte(Code::Truncated, start, message));
    }
    let version = word(contents, 0)?;
    if contents[8..12] != *b"DXIL" {
        return Err(at_byte(Code::Program, start + 8, "expected `DXIL` in the header of the program"));
    }
    let (offset, size) = (word(contents, 16)? as usize, word(contents, 20)? as usize);
    let left = contents.len() - 8;
    if offset > left || size > left - offset {
        let message = format!("expected {size} bytes of bitcode at {offset}, found {left} bytes");
        return Err(at_byte(Code::Truncated, start + 16, message));
    }
    let bitcode = start + 8 + offset..start + 8 + offset + size;
    if !bytes[bitcode.clone()].starts_with(&BITCODE) {
        return Err(at_byte(Code::Program, bitcode.start, "expected bitcode, which begins with `BC` 0xC0DE"));
    }
    let header = ProgramHeader {
        kind: (version >> 16) as u16,
        shader_model: ((version >> 4 & 0xf) as u8, (version & 0xf) as u8),
        dxil_version: word(contents, 12)?,
    };
    Ok(Program { header: Some(header), bitcode })
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Diagnostic> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        Some(word) => Ok(u32::from_le_bytes(*word)),
        None => Err(at_byte(Code::Truncated, at, "expected four more bytes")),
    }
}
