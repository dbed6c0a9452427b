//! Executable memory. A page is writable or executable, never both: the bytes are written to an anonymous map, which then loses the right
//! to be written before it gets the right to be executed.

use reconverge_diagnostic::Diagnostic;

use memmap2::{Mmap, MmapMut};

use crate::error::not_assembled;

/// Bytes that this process may execute.
#[derive(Debug)]
pub(super) struct Executable {
    map: Mmap,
}

impl Executable {
    /// Copies code into executable memory.
    pub(super) fn new(bytes: &[u8]) -> Result<Executable, Diagnostic> {
        let mut map =
            MmapMut::map_anon(bytes.len()).map_err(|error| not_assembled(format!("no memory for code: {error}")))?;
        map[..bytes.len()].copy_from_slice(bytes);
        let map = map.make_exec().map_err(|error| {
            not_assembled(format!("the operating system refuses to make generated code executable: {error}"))
        })?;
        Ok(Executable { map })
    }

    /// The address of a byte.
    pub(super) fn address(&self, offset: usize) -> usize {
        self.map.as_ptr() as usize + offset
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }
}
