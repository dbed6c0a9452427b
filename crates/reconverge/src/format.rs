//! Formats that modules come and go in.

use std::path::Path;

/// A format of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Binary SPIR-V 1.0 to 1.6: `.spv`.
    Spirv,
    /// The text form of the IR: `.ir`.
    Text,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 2] = [Format::Spirv, Format::Text];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Spirv => "spirv",
            Format::Text => "text",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that a file's extension says.
    pub fn from_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "spv" => Some(Format::Spirv),
            "ir" => Some(Format::Text),
            _ => None,
        }
    }

    /// The format that the first bytes say: SPIR-V opens with a magic number (section 2.3), everything else is taken for text.
    pub fn from_bytes(bytes: &[u8]) -> Format {
        const MAGIC: [u8; 4] = 0x0723_0203_u32.to_le_bytes();
        let swapped = [MAGIC[3], MAGIC[2], MAGIC[1], MAGIC[0]];
        match bytes.first_chunk::<4>() {
            Some(first) if *first == MAGIC || *first == swapped => Format::Spirv,
            _ => Format::Text,
        }
    }
}
