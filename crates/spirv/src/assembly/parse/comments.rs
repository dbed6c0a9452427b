//! The header of a module, as comments at the beginning of its assembly.
//!
//! ```text
//! ; SPIR-V
//! ; Version: 1.5
//! ; Generator: 0x00070000
//! ; Bound: 42
//! ; Schema: 0
//! ```
//!
//! Disassemblers write the header in this form. A comment counts only before all instructions, and only with these keys. `spirv-dis` prints
//! names of generators, which are not looked up: the generator is 0 then.

use super::fault::Fault;
use crate::binary::{GREATEST_BOUND, MAGIC};
use crate::error::AssemblyCode;
use crate::header::Header;

/// The words of the header. The bound is 0 if no comment states a valid one. Linear in the comments.
pub(super) fn header(text: &str) -> Result<[u32; 5], Fault> {
    let (mut header, mut bound) = (Header::default(), 0);
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let Some(comment) = line.trim_start().strip_prefix(';') else {
            match line.trim().is_empty() {
                true => {
                    offset += line.len();
                    continue;
                }
                false => break,
            }
        };
        match comment.split_once(':').map(|(name, value)| (name.trim(), value.trim())) {
            Some(("Version", value)) => header.version = version(value, offset)?.unwrap_or(header.version),
            Some(("Generator", value)) => header.generator = number(value).unwrap_or(0),
            Some(("Bound", value)) => bound = number(value).filter(|&bound| bound <= GREATEST_BOUND).unwrap_or(0),
            Some(("Schema", value)) => header.schema = number(value).unwrap_or(0),
            _ => {}
        }
        offset += line.len();
    }
    Ok([MAGIC, header.version, header.generator, bound, header.schema])
}

/// The version word of `major.minor`; `None` if the comment has another form.
fn version(value: &str, offset: usize) -> Result<Option<u32>, Fault> {
    let numbers = value.split_once('.').map(|(major, minor)| (major.parse::<u8>(), minor.parse::<u8>()));
    let Some((Ok(major), Ok(minor))) = numbers else { return Ok(None) };
    let header = Header { version: Header::version_word(major, minor), ..Header::default() };
    match header.has_known_version() {
        true => Ok(Some(header.version)),
        false => {
            let message = format!("expected a version from 1.0 to 1.6, found {major}.{minor}");
            Err(Fault::new(offset, AssemblyCode::Version, message))
        }
    }
}

fn number(value: &str) -> Option<u32> {
    match value.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => value.parse().ok(),
    }
}
