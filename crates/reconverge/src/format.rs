//! Formats that modules come and go in.

use std::path::Path;

use reconverge_spirv::is_assembly;

/// A format of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Binary SPIR-V 1.0 to 1.6: `.spv`.
    Spirv,
    /// SPIR-V assembly, as `spirv-as` reads it: `.spvasm`.
    Assembly,
    /// The text form of the IR: `.ir`.
    Text,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Spirv, Format::Assembly, Format::Text];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Spirv => "spirv",
            Format::Assembly => "asm",
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
            "spvasm" => Some(Format::Assembly),
            "ir" => Some(Format::Text),
            _ => None,
        }
    }

    /// The format that the first bytes say: SPIR-V opens with a magic number (section 2.3), assembly with an instruction of SPIR-V;
    /// everything else is taken for text.
    pub fn from_bytes(bytes: &[u8]) -> Format {
        const MAGIC: [u8; 4] = 0x0723_0203_u32.to_le_bytes();
        let swapped = [MAGIC[3], MAGIC[2], MAGIC[1], MAGIC[0]];
        match bytes.first_chunk::<4>() {
            Some(first) if *first == MAGIC || *first == swapped => Format::Spirv,
            _ if std::str::from_utf8(bytes).is_ok_and(is_assembly) => Format::Assembly,
            _ => Format::Text,
        }
    }

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Spirv => "spv",
            Format::Assembly => "spvasm",
            Format::Text => "ir",
        }
    }

    /// Whether lines of the input are what messages are about.
    pub const fn is_text(self) -> bool {
        matches!(self, Format::Assembly | Format::Text)
    }
}
